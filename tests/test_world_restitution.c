/* Restitution never gains energy (world/restitution.h), and is lowered no further, and nowhere else, than that needs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "world_fixture.h"

enum { X, Y, ANGLE, VX, VY, SPIN }; /* state of a rigid body in the plane */

static double total(const cst_energies *energy)
{
    return energy->kinetic + energy->elastic + energy->gravity;
}

/* A plate in the plane, about to strike the ground with its lower corner. */
typedef struct plate {
    double mass, inertia, arm[2]; /* from its middle to the corner */
    double v[3];                  /* before */
} plate;

static const double LENGTH = 0.2, THICKNESS = 0.02, GAP = 1e-6, DT = 1e-5;

static plate draw_plate(cst_rng *random, cst_rigid_def *def, double *corner)
{
    const double a = 0.5 * LENGTH, b = 0.5 * THICKNESS, tilt = cst_rng_range(random, 0.2, 1.3);
    const double corners[8] = {-a, -b, a, -b, a, b, -a, b};
    for (int k = 0; k < 8; k++)
        corner[k] = corners[k];
    plate out = {.mass = cst_rng_log_range(random, 0.1, 10.0)};
    out.inertia = out.mass * (LENGTH * LENGTH + THICKNESS * THICKNESS) / 12.0;
    out.arm[0] = -a * cos(tilt) + b * sin(tilt); /* of the corner (-a, -b) */
    out.arm[1] = -a * sin(tilt) - b * cos(tilt);
    out.v[0] = cst_rng_range(random, -3.0, 3.0);
    out.v[1] = cst_rng_range(random, -3.0, -1.0);
    out.v[2] = cst_rng_range(random, -10.0, 10.0);
    *def = cst_rigid_def_default();
    def->shape = CST_RIGID_POLYGON;
    def->corner = corner;
    def->corners = 4;
    def->mass = out.mass;
    def->inertia = out.inertia;
    def->angle = tilt;
    def->position[1] = GAP - out.arm[1];
    def->velocity[0] = out.v[0];
    def->velocity[1] = out.v[1];
    def->angular_velocity = out.v[2];
    return out;
}

/* Velocity of the corner: normal first. */
static void at_corner(const plate *of, const double *v, double *u)
{
    u[0] = v[1] + v[2] * of->arm[0];
    u[1] = v[0] - v[2] * of->arm[1];
}

/* The impact that ends with the normal velocity `up` and no sliding: its impulse and its work, in closed form. */
static double sticking_impact(const plate *of, double up, double *r)
{
    const double m = 1.0 / of->mass, i = 1.0 / of->inertia, x = of->arm[0], y = of->arm[1];
    const double w[3] = {m + i * x * x, -i * x * y, m + i * y * y}, det = w[0] * w[2] - w[1] * w[1];
    double u[2];
    at_corner(of, of->v, u);
    const double change[2] = {up - u[0], -u[1]};
    r[0] = (w[2] * change[0] - w[1] * change[1]) / det;
    r[1] = (w[0] * change[1] - w[1] * change[0]) / det;
    return 0.5 * (r[0] * (up + u[0]) + r[1] * u[1]);
}

/* Plates that stick where they strike: Newton's law as long as that takes energy, otherwise as much of it as does, to a sixteenth. */
static void a_plate_that_sticks(void **state)
{
    (void)state;
    cst_rng random;
    cst_rng_seed(&random, 1, 0);
    int lowered = 0, kept = 0;
    for (int k = 0; k < 400; k++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = 0.0;
        def.time_step.dt = DT;
        def.friction_coefficient = 1000.0;
        def.restitution = cst_rng_range(&random, 0.1, 1.0);
        cst_rigid_def rigid;
        double corner[8], u[2], r[2], after[6];
        const plate of = draw_plate(&random, &rigid, corner);
        at_corner(&of, of.v, u);
        const double work = sticking_impact(&of, -def.restitution * u[0], r);
        if (u[0] > -0.5 || r[0] < 1e-3 * of.mass || fabs(r[1]) > 900.0 * r[0])
            continue; /* flies off, or slides */
        cst_world *world = world_of(&def);
        world_incline(world, 0.0);
        world_rigid(world, &rigid);
        cst_energies energy;
        cst_world_energies(world, &energy);
        const double before = total(&energy);
        const cst_step_report report = world_step(world);
        cst_world_body_state(world, 1, after);
        double end[2];
        at_corner(&of, after + VX, end);
        assert_near(end[1], 0.0, 1e-3); /* it sticks */
        const double share = end[0] / (-def.restitution * u[0]), size = 0.5 * r[0] * fabs(u[0]);
        assert_true(total(&report.energy) <= before + 1e-3 * size);
        if (work <= 0.0) {
            assert_near(share, 1.0, 1e-3);
            kept++;
        } else {
            assert_true(share < 1.0 - 1e-3);
            assert_true(sticking_impact(&of, -fmin(share + 0.0635, 1.0) * def.restitution * u[0], r) > -1e-3 * size);
            lowered++;
        }
        cst_world_free(world);
    }
    assert_true(kept > 50 && lowered > 10); /* the plates are of both kinds */
}

/* What strikes elsewhere bounces as it should. */
static void other_islands_keep_their_restitution(void **state)
{
    (void)state;
    cst_rng random;
    cst_rng_seed(&random, 1, 0);
    int lowered = 0;
    for (int k = 0; k < 100; k++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = 0.0;
        def.time_step.dt = DT;
        def.friction_coefficient = 1000.0;
        def.restitution = 1.0;
        cst_rigid_def rigid, disk = cst_rigid_def_default();
        double corner[8], u[2], r[2], after[6];
        const plate of = draw_plate(&random, &rigid, corner);
        at_corner(&of, of.v, u);
        const double work = sticking_impact(&of, -u[0], r);
        if (u[0] > -0.5 || !(work > 1e-3 * r[0]))
            continue;
        cst_world *world = world_of(&def);
        world_incline(world, 0.0);
        world_rigid(world, &rigid);
        disk.radius = 0.1;
        disk.mass = 1.0;
        disk.position[0] = 2.0;
        disk.position[1] = 0.1 + GAP;
        disk.velocity[1] = -1.0;
        world_rigid(world, &disk);
        world_step(world);
        cst_world_body_state(world, 2, after);
        assert_near(after[VY], 1.0, 1e-9);
        cst_world_free(world);
        lowered++;
    }
    assert_true(lowered > 5);
}

/* Boxes that tumble on the ground, e = 1, friction or none, default settings: several corners, of which some strike and some do not. A step in
 * which something strikes moves all of the step with the velocity after it, which lifts by m g v dt at most: 0.03 J of 30 J for 10 kg. */
static void boxes_do_not_gain_energy(void **state)
{
    (void)state;
    cst_rng random;
    cst_rng_seed(&random, 2, 0);
    for (int k = 0; k < 40; k++) {
        static const double mu[] = {0.0, 0.3, 1.0};
        cst_world_def def = cst_world_def_default(2);
        def.friction_coefficient = mu[k % 3];
        def.restitution = 1.0;
        cst_rigid_def rigid;
        double corner[8];
        draw_plate(&random, &rigid, corner);
        rigid.position[1] += 0.3;
        cst_world *world = world_of(&def);
        world_incline(world, 0.0);
        world_rigid(world, &rigid);
        cst_energies energy;
        cst_world_energies(world, &energy);
        const double start = total(&energy);
        double least = start, rise = 0.0;
        for (int step = 0; step < 1000; step++) {
            const cst_step_report report = world_step(world);
            rise = fmax(rise, total(&report.energy) - least);
            least = fmin(least, total(&report.energy));
        }
        assert_true(rise <= 1e-2 * start);
        cst_world_free(world);
    }
}

/* A disk that strikes at w, e = 1, g = 10 m/s2, steps of 1 ms: it flies for 2 w / g. If that is less than a step it rests, and stays at rest. */
static void bounces_shorter_than_a_step_rest(void **state)
{
    (void)state;
    static const double speed[] = {1e-6, 1e-4, 4.9e-3, 5.1e-3, 0.1};
    for (int k = 0; k < 5; k++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = -10.0;
        def.time_step.dt = 1e-3;
        def.restitution = 1.0;
        cst_rigid_def disk = cst_rigid_def_default();
        disk.radius = 0.1;
        disk.mass = 1.0;
        disk.position[1] = 0.1;
        disk.velocity[1] = -speed[k];
        cst_world *world = world_of(&def);
        world_incline(world, 0.0);
        world_rigid(world, &disk);
        world_step(world);
        double after[6];
        cst_world_body_state(world, 1, after);
        assert_near(after[VY], k < 3 ? 0.0 : speed[k], 1e-9);
        for (int step = 0; step < 10 && k < 3; step++) {
            world_step(world);
            cst_world_body_state(world, 1, after);
            assert_near(after[VY], 0.0, 1e-9);
        }
        cst_world_free(world);
    }
}

/* A disk that comes down between two others whose cones of friction face each other cannot fly off both: it is jammed and stays. What strikes
 * elsewhere in the same step flies off. */
static void a_jammed_disk_stays(void **state)
{
    (void)state;
    const double NEAR = 1e-10, normal[2][2] = {{1.0, 0.0}, {-0.868, sqrt(1.0 - 0.868 * 0.868)}};
    for (int k = 0; k < 8; k++) {
        const double speed = 1e-3 * pow(4.0, k);
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = 0.0;
        def.friction_coefficient = 0.6;
        def.restitution = 0.3;
        cst_world *world = world_of(&def);
        for (int i = 0; i < 3; i++) {
            cst_obstacle_def post = cst_obstacle_def_default();
            post.shape = CST_OBSTACLE_DISK;
            post.radius = 0.1;
            post.position[0] = i < 2 ? -(0.3 + NEAR) * normal[i][0] : 5.0;
            post.position[1] = i < 2 ? -(0.3 + NEAR) * normal[i][1] : 0.0;
            world_obstacle(world, &post);
        }
        cst_rigid_def disk = cst_rigid_def_default();
        disk.radius = 0.2;
        disk.mass = 1.0;
        disk.velocity[0] = -0.2 * speed;
        disk.velocity[1] = -speed;
        world_rigid(world, &disk);
        disk.position[0] = 5.0;
        disk.position[1] = 0.3 + NEAR;
        disk.velocity[0] = 0.0;
        disk.velocity[1] = -1.0;
        world_rigid(world, &disk);
        double jammed[6], free[6];
        const cst_step_report report = world_step(world);
        cst_world_body_state(world, 1, jammed);
        cst_world_body_state(world, 2, free);
        assert_int_equal(report.retries, 0);
        assert_true(hypot(jammed[VX], jammed[VY]) < 1e-3 * speed + NEAR / report.dt);
        assert_near(free[VY], 0.3, 1e-9);
        int iterations = 0;
        for (int step = 0; step < 20; step++)
            iterations += world_step(world).iterations;
        assert_true(iterations < 2000);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_that_sticks),      cmocka_unit_test(other_islands_keep_their_restitution),
        cmocka_unit_test(boxes_do_not_gain_energy), cmocka_unit_test(bounces_shorter_than_a_step_rest),
        cmocka_unit_test(a_jammed_disk_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
