/* Rigid bodies in space with friction against closed forms: blocks and balls on inclines, a puck pushed across, balls that spin when
 * they land, boxes that come to rest. The incline is turned about z by some angle, so that no axis is special. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "rigid/solid_drawing.h"
#include "sanitized.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;
static const double HEADING = 0.7;

/* Axes of an incline through the origin: down it, across it, out of it. */
typedef struct incline {
    double down[3], across[3], out[3];
} incline;

static incline incline_of(double alpha)
{
    const double c = cos(HEADING), s = sin(HEADING);
    return (incline){.down = {c * cos(alpha), s * cos(alpha), -sin(alpha)},
                     .across = {-s, c, 0.0},
                     .out = {c * sin(alpha), s * sin(alpha), cos(alpha)}};
}

static cst_world *incline_world(const incline *axes, double mu, double dt)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = dt;
    def.friction_coefficient = mu;
    cst_world *world = world_of(&def);
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_PLANE;
    memcpy(plane.normal, axes->out, sizeof plane.normal);
    world_obstacle(world, &plane);
    return world;
}

static cst_rigid_def body_on(const incline *axes, cst_rigid_shape shape, double height)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = shape;
    def.mass = 2.0;
    for (int k = 0; k < 3; k++) {
        def.position[k] = height * axes->out[k];
        def.frame[3 * k] = axes->down[k];
        def.frame[3 * k + 1] = axes->across[k];
        def.frame[3 * k + 2] = axes->out[k];
    }
    return def;
}

static cst_rigid_def block_on(const incline *axes)
{
    cst_rigid_def def = body_on(axes, CST_RIGID_BOX, 0.025);
    memcpy(def.size, (const double[3]){0.2, 0.15, 0.025}, sizeof def.size);
    return def;
}

/* k = I / (m R^2) */
static cst_rigid_def ball_on(const incline *axes, double radius, double k, double height)
{
    cst_rigid_def def = body_on(axes, CST_RIGID_SPHERE, radius + height);
    def.radius = radius;
    memset(def.inertia_matrix, 0, sizeof def.inertia_matrix);
    for (int i = 0; i < 3; i++)
        def.inertia_matrix[4 * i] = k * def.mass * radius * radius;
    return def;
}

static void motion_of(const cst_world *world, double *velocity, double *turn)
{
    const cst_place centre = {.body = 1};
    assert_true(cst_world_place_space(world, &centre, NULL, NULL, velocity, turn));
}

static void blocks_on_inclines(void **state)
{
    (void)state;
    int rows, used = 0;
    reference_row *row = reference_rows("D_rigid_friction/block_incline.csv", &rows);
    const double dt = 1e-3;
    for (int i = 0; i < rows; i += 3, used++) {
        const double alpha = reference_number(row + i, 0) * PI / 180.0, mu = reference_number(row + i, 1);
        const double expected = reference_number(row + i, 4);
        if (fabs(mu - reference_number(row + i, 2)) < 1e-6) /* on the threshold itself rounding decides */
            continue;
        const incline axes = incline_of(alpha);
        cst_world *world = incline_world(&axes, mu, dt);
        const cst_rigid_def def = block_on(&axes);
        world_rigid(world, &def);
        double velocity[3], turn[3];
        for (int k = 0; k < 20; k++) {
            const cst_step_report report = world_step(world);
            assert_true(report.residual.error <= 1e-8);
            assert_int_equal(report.contacts, 4);
        }
        motion_of(world, velocity, turn);
        assert_near(cst_dot3(velocity, axes.down) / (20 * dt), expected, 1e-6);
        assert_near(cst_dot3(velocity, axes.across), 0.0, 1e-8);
        assert_near(cst_dot3(velocity, axes.out), 0.0, 1e-8);
        assert_near(sqrt(cst_dot3(turn, turn)), 0.0, 1e-7);
        cst_world_free(world);
    }
    free(row);
    assert_true(used > 25);
}

static void balls_on_inclines(void **state)
{
    (void)state;
    int rows, used = 0;
    reference_row *row = reference_rows("D_rigid_friction/rolling_incline.csv", &rows);
    const double dt = 1e-3, radius = 0.1;
    for (int i = 0; i < rows; i += SANITIZED ? 5 : 1) {
        const double k = reference_number(row + i, 1), alpha = reference_number(row + i, 2) * PI / 180.0;
        if (k > 0.67 || fabs(k - 0.5) < 1e-12)
            continue;
        const incline axes = incline_of(alpha);
        cst_world *world = incline_world(&axes, reference_number(row + i, 3), dt);
        const cst_rigid_def def = ball_on(&axes, radius, k, 0.0);
        world_rigid(world, &def);
        double velocity[3], turn[3];
        for (int n = 0; n < 20; n++)
            assert_true(world_step(world).residual.error <= 1e-8);
        motion_of(world, velocity, turn);
        assert_near(cst_dot3(velocity, axes.down) / (20 * dt), reference_number(row + i, 6), 1e-6);
        assert_near(radius * cst_dot3(turn, axes.across) / (20 * dt), reference_number(row + i, 7), 1e-6);
        assert_near(cst_dot3(velocity, axes.across), 0.0, 1e-9);
        cst_world_free(world);
        used++;
    }
    free(row);
    assert_true(used > (SANITIZED ? 20 : 100));
}

static void spinning_balls(void **state)
{
    (void)state;
    int rows, used = 0;
    reference_row *row = reference_rows("D_rigid_friction/spin_drop.csv", &rows);
    const double dt = 1e-3, radius = 0.1;
    const incline axes = incline_of(0.0);
    for (int i = 0; i < rows; i++) {
        const double k = reference_number(row + i, 1), mu = reference_number(row + i, 2);
        if (fabs(k - 0.4) > 1e-12 || mu < 0.1 || reference_number(row + i, 5) > 0.1)
            continue;
        const double height = reference_number(row + i, 5), final = reference_number(row + i, 6);
        cst_world *world = incline_world(&axes, mu, dt);
        cst_rigid_def def = ball_on(&axes, radius, k, height);
        for (int n = 0; n < 3; n++) {
            def.velocity[n] = reference_number(row + i, 4) * axes.down[n];
            def.spin[n] = reference_number(row + i, 3) / radius * axes.across[n];
        }
        world_rigid(world, &def);
        double touched = height > 0.0 ? -1.0 : 0.0, rolled = -1.0, velocity[3], turn[3];
        for (int n = 0; n < 4000 && rolled < 0.0; n++) {
            const cst_step_report report = world_step(world);
            assert_true(report.residual.error <= 1e-8);
            if (touched < 0.0 && report.sticking + report.sliding > 0)
                touched = report.time;
            if (touched >= 0.0 && report.sticking > 0)
                rolled = report.time;
        }
        assert_true(rolled >= 0.0);
        motion_of(world, velocity, turn);
        assert_near(cst_dot3(velocity, axes.down), final, 1e-8);
        assert_near(radius * cst_dot3(turn, axes.across), final, 1e-8);
        assert_near(rolled - touched, reference_number(row + i, 9), 5.0 * dt);
        cst_world_free(world);
        used++;
    }
    free(row);
    assert_true(used > 10);
}

/* Pushed across the incline at 1 m/s: an exact cone, not a pyramid, gives the place and the velocity. */
static void puck_across_the_incline(void **state)
{
    (void)state;
    int rows;
    reference_row *row = reference_rows("D_rigid_friction/puck_incline_transverse.csv", &rows);
    for (int i = 0; i < (SANITIZED ? 1 : rows); i++) {
        const double alpha = reference_number(row + i, 1) * PI / 180.0, mu = reference_number(row + i, 2);
        const double until = reference_number(row + i, 4);
        const incline axes = incline_of(alpha);
        double error[2];
        for (int n = 0; n < 2; n++) {
            const double dt = n == 0 ? 4e-3 : 2e-3;
            cst_world *world = incline_world(&axes, mu, dt);
            cst_rigid_def def = block_on(&axes);
            def.size[2] = 1e-4; /* thin: friction below the centre of mass must not tip it */
            memcpy(def.velocity, axes.across, sizeof def.velocity);
            for (int k = 0; k < 3; k++)
                def.position[k] = 1e-4 * axes.out[k];
            world_rigid(world, &def);
            while (cst_world_time(world) < until - 0.5 * dt)
                assert_true(world_step(world).residual.error <= 1e-7);
            const cst_place centre = {.body = 1};
            double position[3], velocity[3];
            cst_world_place_space(world, &centre, position, NULL, velocity, NULL);
            error[n] = hypot(cst_dot3(position, axes.across) - reference_number(row + i, 5),
                             cst_dot3(position, axes.down) - reference_number(row + i, 6));
            cst_world_free(world);
        }
        print_message("mu / tan alpha %g: place wrong by %.2e, %.2e m\n", reference_number(row + i, 0), error[0], error[1]);
        assert_true(error[1] < 0.02);
        assert_true(error[0] / error[1] > 1.5); /* first order */
    }
    free(row);
}

/* Dropped on a corner, a box and the same as a mesh come to rest on a face and stay there; energies are accounted for. */
static void boxes_come_to_rest(void **state)
{
    (void)state;
    const incline axes = incline_of(0.0);
    double vertex[3 * CST_BOX_VERTICES];
    int32_t triangle[3 * CST_BOX_TRIANGLES];
    const double half[3] = {0.1, 0.06, 0.04};
    cst_box_vertices(half, vertex);
    cst_box_triangles(triangle);
    for (int i = 0; i < 2; i++) {
        cst_world *world = incline_world(&axes, 0.4, 2e-3);
        cst_rigid_def def = body_on(&axes, i == 0 ? CST_RIGID_BOX : CST_RIGID_MESH, 0.3);
        memcpy(def.size, half, sizeof half);
        def.mesh = (cst_mesh){
            .vertex = vertex, .triangle = triangle, .vertices = CST_BOX_VERTICES, .triangles = CST_BOX_TRIANGLES, .closed = true};
        def.radius = 0.005;
        cst_rotation_vector_exp((const double[3]){0.5, 0.4, 0.2}, def.frame);
        memcpy(def.spin, (const double[3]){2.0, -1.0, 3.0}, sizeof def.spin);
        world_rigid(world, &def);
        cst_step_report report = {0};
        double deepest = 0.0, peak = 0.0;
        while (cst_world_time(world) < 2.0) {
            report = world_step(world);
            deepest = fmax(deepest, report.penetration);
            peak = fmax(peak, report.energy.kinetic);
        }
        const cst_place centre = {.body = 1};
        double position[3];
        cst_world_place_space(world, &centre, position, NULL, NULL, NULL);
        print_message("%s: height %.6f, kinetic %.1e of %.1e J, unexplained %.1e J, deepest %.1e m\n", i == 0 ? "box" : "mesh",
                      position[2], report.energy.kinetic, peak, report.energy.unexplained, deepest);
        assert_true(report.energy.kinetic < 1e-12 * peak);
        assert_near(position[2], 0.045, 1e-4);
        assert_true(deepest < 1e-3);
        assert_true(fabs(report.energy.unexplained) < 0.02 * peak);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_on_inclines),      cmocka_unit_test(balls_on_inclines),  cmocka_unit_test(spinning_balls),
        cmocka_unit_test(puck_across_the_incline), cmocka_unit_test(boxes_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
