/* Quasi-static contact, step after step: every step converges, ends without penetration, and the forces are those of equilibrium. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static const double PI = 3.14159265358979323846;

static cst_world *world_that(bool relaxes, double dt, double friction)
{
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = dt;
    def.time_step.iterations = 30;
    def.time_step.quasi_static = true;
    def.time_step.relaxation = relaxes;
    def.friction_coefficient = friction;
    def.gravity[1] = 0.0;
    return world_of(&def);
}

static cst_world *still_world(double dt, double friction)
{
    return world_that(false, dt, friction);
}

static cst_obstacle_id add_plane(cst_world *world, double y, double up, const cst_motion *motion)
{
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_HALF_PLANE;
    plane.position[1] = y;
    plane.normal[1] = up;
    if (motion)
        plane.motion = *motion;
    return world_obstacle(world, &plane);
}

/* A ring touched exactly at its joints, which nothing keeps from rolling. Taken as fixed to its material, the two contacts would make
 * it fall over within a step: it was pushed through the plate. Timoshenko: F = EI / R^3 delta / (pi/4 - 2/pi). */
static void smooth_ring_between_plates(void **state)
{
    (void)state;
    const double R = 0.01, r = 0.0007, EI = 1e-5, press = 1e-3;
    cst_world *world = still_world(0.01, 0.0);
    cst_rod_def ring = cst_rod_def_default();
    ring.closed = true;
    ring.elements = 16;
    ring.length = 2.0 * PI * R;
    ring.radius = r;
    ring.mass_per_length = 1e-4;
    ring.bending_stiffness = EI;
    ring.natural_curvature = 1.0 / R;
    ring.position[1] = -R;
    world_rod(world, &ring);
    const cst_key key[2] = {{.time = 0.0}, {.time = 0.5, .translation = {0.0, -press, 0.0}}};
    const cst_motion down = {.key = (cst_key *)key, .keys = 2};
    add_plane(world, -R - r, 1.0, NULL);
    const cst_obstacle_id lid = add_plane(world, R + r, -1.0, &down);
    double deepest = 0.0, force[3];
    int most = 0;
    for (int k = 0; k < 50; k++) {
        const cst_step_report report = world_step(world); /* not converged: fails */
        deepest = fmax(deepest, report.penetration);
        most = report.newton_iterations > most ? report.newton_iterations : most;
    }
    cst_world_obstacle_force(world, lid, force);
    const double small = EI / (R * R * R) * press / (PI / 4.0 - 2.0 / PI);
    print_message("%d iterations at most, %.1e m deep, force %.4g N, of small deflections %.4g N\n", most, deepest, force[1],
                  small);
    assert_true(deepest <= 1e-6 * r);
    assert_near(force[1], small, 0.02 * small); /* 16 elements, and a tenth of the radius is not small */
    cst_world_free(world);
}

/* Pushed down between two pegs without friction, a rod slides over them until nothing holds it: convergence that was linear slows
 * down as the force comes to its maximum. */
static void smooth_three_point_bending(void **state)
{
    (void)state;
    const double L = 0.2, r = 0.001, peg = 0.005;
    /* Smooth pegs: its mass keeps it from sliding off sideways. To equilibria, step 21 does not converge. */
    cst_world *world = world_that(true, 0.01, 0.0);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 20;
    rod.length = L;
    rod.radius = r;
    rod.mass_per_length = 1e-3;
    rod.bending_stiffness = 1e-4;
    rod.position[0] = -0.5 * L;
    world_rod(world, &rod);
    const cst_key key[2] = {{.time = 0.0}, {.time = 2.0, .translation = {0.0, -0.036, 0.0}}};
    cst_obstacle_def disk = cst_obstacle_def_default();
    disk.shape = CST_OBSTACLE_DISK;
    disk.radius = peg;
    disk.position[1] = -peg - r;
    for (int side = -1; side <= 1; side += 2) {
        disk.position[0] = 0.06 * side;
        world_obstacle(world, &disk);
    }
    disk.position[0] = 0.0;
    disk.position[1] = peg + r;
    disk.motion = (cst_motion){.key = (cst_key *)key, .keys = 2};
    const cst_obstacle_id punch = world_obstacle(world, &disk);
    double deepest = 0.0, largest = 0.0, last = 0.0, force[3];
    for (int k = 0; k < 200; k++) {
        const cst_step_report report = world_step(world);
        deepest = fmax(deepest, report.penetration);
        cst_world_obstacle_force(world, punch, force);
        last = force[1];
        largest = fmax(largest, last);
    }
    print_message("%.1e m deep at most, force %.4g N at most, %.4g N at the end\n", deepest, largest, last);
    assert_true(deepest <= 1e-4 * r);
    assert_true(last < 0.99 * largest && last > 0.3 * largest); /* past the maximum, still held */
    cst_world_free(world);
}

/* Both ends of a rod are clamped where they touch a wall: contacts that nothing can move, with rows of rounding. */
static void clamped_ends_on_a_wall(void **state)
{
    (void)state;
    char message[256];
    const double r = 0.001;
    cst_world *world = still_world(1.0, 0.0);
    double curvature[20];
    for (int i = 0; i < 20; i++)
        curvature[i] = 0.2 * 2.0 * PI * cos(2.0 * PI * (i + 0.5) / 20.0);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 20;
    rod.length = 1.0;
    rod.radius = r;
    rod.mass_per_length = 1e-6;
    rod.bending_stiffness = 1.0;
    rod.clamped = true;
    rod.curvature = curvature;
    const cst_body_id body = world_rod(world, &rod);
    cst_constraint_def clamp = cst_constraint_def_default();
    clamp.kind = CST_CONSTRAINT_CLAMPED;
    clamp.a = (cst_place){.body = body, .at_end = true};
    assert_true(cst_world_add_constraint(world, &clamp, message, sizeof message) != 0);
    add_plane(world, -r, 1.0, NULL);
    const cst_key key[2] = {{.time = 0.0}, {.time = 20.0, .translation = {0.0, -0.01, 0.0}}};
    const cst_motion down = {.key = (cst_key *)key, .keys = 2};
    const cst_obstacle_id lid = add_plane(world, 0.065 + r, -1.0, &down);
    double force[3];
    for (int k = 0; k < 20; k++) {
        cst_step_report report;
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED); /* slow near buckling, but there is a solution */
        assert_true(report.residual.error <= 1e-8);
    }
    cst_world_obstacle_force(world, lid, force);
    print_message("lid pushed with %.4g N\n", force[1]);
    assert_true(force[1] > 1.0 && force[1] < 1e3);
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_ring_between_plates),
        cmocka_unit_test(smooth_three_point_bending),
        cmocka_unit_test(clamped_ends_on_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
