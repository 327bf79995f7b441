/* Worlds of three dimensions: what a step, a constraint, a load and a checkpoint do in space. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static const double G = 9.81, RADIUS = 0.004, LENGTH = 0.3, DENSITY = 1100.0;
static const char *const model_name[] = {"super helix", "discrete rod", "CORDE", "springs"};

static double weight(void)
{
    return DENSITY * acos(-1.0) * RADIUS * RADIUS * LENGTH * G;
}

static cst_fiber_def fiber_of(int model, int elements)
{
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = (cst_fiber_model)model;
    fiber.elements = elements;
    fiber.length = LENGTH;
    cst_fiber_section(&fiber, RADIUS, RADIUS, DENSITY, 1e6, 4e5);
    fiber.stretching_stiffness = 0.0;
    fiber.viscosity = 0.02;
    fiber.drag = 0.1;
    return fiber;
}

static cst_body_id add_fiber(cst_world *world, const cst_fiber_def *fiber)
{
    char message[256] = "";
    const cst_body_id id = cst_world_add_fiber(world, fiber, message, sizeof message);
    if (id == 0)
        fail_msg("%s", message);
    return id;
}

static void add_plane(cst_world *world, double tilt)
{
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_PLANE;
    plane.normal[0] = sin(tilt);
    plane.normal[1] = 0.0;
    plane.normal[2] = cos(tilt);
    world_obstacle(world, &plane);
}

static cst_world *space(void)
{
    const cst_world_def def = cst_world_def_default(3);
    return world_of(&def);
}

/* --------------------------------------------------------------------------------------------------------------- contacts */

/* Dropped across a bar above the ground: comes to rest, and what it touches carries it. */
static void everything_comes_to_rest(void **state)
{
    (void)state;
    for (int model = 0; model < 4; model++) {
        cst_world *world = space();
        cst_obstacle_def bar = cst_obstacle_def_default();
        bar.shape = CST_OBSTACLE_CAPSULE;
        bar.radius = 0.02;
        bar.size[0] = 0.2;
        bar.position[2] = 0.03;
        const double along_y[9] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0};
        memcpy(bar.frame, along_y, sizeof bar.frame);
        bar.surface.friction = 0.8;
        add_plane(world, 0.0);
        world_obstacle(world, &bar);
        cst_fiber_def fiber = fiber_of(model, 16);
        fiber.position[0] = -0.5 * LENGTH;
        fiber.position[2] = 0.06;
        add_fiber(world, &fiber);
        cst_step_report report = {0};
        double peak = 0.0, force[2][3];
        for (int k = 0; k < 500; k++) {
            report = world_step(world);
            peak = fmax(peak, report.energy.kinetic);
            assert_true(report.residual.error <= 1e-8);
        }
        cst_world_obstacle_force(world, 1, force[0]);
        cst_world_obstacle_force(world, 2, force[1]);
        print_message("%s: kinetic %.1e of its peak, %.6f of the weight carried\n", model_name[model],
                      report.energy.kinetic / peak, -(force[0][2] + force[1][2]) / weight());
        assert_true(report.energy.kinetic < 1e-8 * peak);
        assert_near(-(force[0][2] + force[1][2]) / weight(), 1.0, 1e-3);
        cst_world_free(world);
    }
}

/* A straight fiber laid down a slope slides with g (sin - mu cos), or stays where it is. */
static void fibers_slide_or_stick(void **state)
{
    (void)state;
    const double tilt = 0.4;
    for (int model = 0; model < 4; model++)
        for (int stick = 0; stick < 2; stick++) {
            const double mu = stick ? 0.6 : 0.2;
            cst_world_def def = cst_world_def_default(3);
            def.friction_coefficient = mu;
            cst_world *world = world_of(&def);
            add_plane(world, tilt);
            cst_fiber_def fiber = fiber_of(model, 8);
            fiber.drag = 0.0;
            const double down[3] = {cos(tilt), 0.0, -sin(tilt)}, up[3] = {sin(tilt), 0.0, cos(tilt)};
            for (int c = 0; c < 3; c++) {
                fiber.position[c] = RADIUS * up[c];
                fiber.frame[3 * c] = down[c];
                fiber.frame[3 * c + 1] = c == 1 ? 1.0 : 0.0;
                fiber.frame[3 * c + 2] = c == 1 ? 0.0 : up[c];
            }
            const cst_place middle = {.body = add_fiber(world, &fiber), .s = 0.5 * LENGTH};
            for (int k = 0; k < 100; k++)
                world_step(world);
            double velocity[3];
            assert_true(cst_world_place_space(world, &middle, NULL, NULL, velocity, NULL));
            const double along = velocity[0] * down[0] + velocity[1] * down[1] + velocity[2] * down[2];
            const double expected = stick ? 0.0 : G * (sin(tilt) - mu * cos(tilt)) * 0.1;
            assert_near(along, expected, 1e-6);
            cst_world_free(world);
        }
}

/* ------------------------------------------------------------------------------------------------------------ constraints */

/* A fiber held at one end by a constraint instead of a clamped root: the same shape, and the constraint tells weight and moment. */
static void clamps_carry_force_and_moment(void **state)
{
    (void)state;
    for (int model = 0; model < 3; model++) {
        cst_world_def def = cst_world_def_default(3);
        def.time_step.dt = 4e-3;
        cst_world *world = world_of(&def);
        cst_fiber_def fiber = fiber_of(model, 12);
        fiber.drag = 1.0;
        fiber.viscosity = 0.05;
        cst_constraint_def clamp = cst_constraint_def_default();
        clamp.kind = CST_CONSTRAINT_CLAMPED;
        clamp.a.body = add_fiber(world, &fiber);
        char message[256];
        assert_true(cst_world_add_constraint(world, &clamp, message, sizeof message) == 1);
        cst_step_report report = {0};
        for (int k = 0; k < 1000; k++)
            report = world_step(world);
        double force[3], moment[3], center[3] = {0};
        enum { PARTS = 600 };
        for (int k = 0; k < PARTS; k++) { /* of mass: where the weight pulls */
            double x[3];
            const cst_place at = {.body = 1, .s = (k + 0.5) * LENGTH / PARTS};
            cst_world_place(world, &at, x, NULL, NULL);
            for (int c = 0; c < 3; c++)
                center[c] += x[c] / PARTS;
        }
        cst_world_constraint_force(world, 1, force, moment);
        print_message("%s: force %.6f of the weight, moment %.6f of weight x arm\n", model_name[model], force[2] / weight(),
                      -moment[1] / (weight() * center[0]));
        assert_near(force[2] / weight(), 1.0, 1e-3);
        assert_near(force[0] / weight(), 0.0, 1e-3);
        /* about y, against the weight's; nodal rods lump mass at nodes: first order in 1 / n at the ends */
        assert_near(-moment[1] / (weight() * center[0]), 1.0, model == 0 ? 1e-3 : 2e-2);
        assert_true(report.constraint_error < 1e-6);
        cst_world_free(world);
    }
}

/* A box on a pin, spun about it, and one that slides along a line. Places are kept. */
static void pins_and_guides_keep_their_places(void **state)
{
    (void)state;
    char message[256];
    for (int kind = 0; kind < 4; kind++) {
        cst_world *world = space();
        cst_rigid_def box = cst_rigid_def_default();
        box.shape = CST_RIGID_BOX;
        box.size[0] = 0.1;
        box.size[1] = 0.05;
        box.size[2] = 0.02;
        box.mass = 2.0;
        box.spin[2] = 3.0;
        cst_constraint_def held = cst_constraint_def_default();
        held.kind = (cst_constraint_kind)kind;
        held.a.body = world_rigid(world, &box);
        held.a.point[0] = -0.1;
        held.direction[0] = held.direction[2] = 1.0;
        assert_true(cst_world_add_constraint(world, &held, message, sizeof message) == 1);
        cst_step_report report = {0};
        for (int k = 0; k < 200; k++) {
            report = world_step(world);
            assert_true(report.constraint_error < 1e-4);
        }
        double x[3], frame[9], velocity[3], turn[3];
        assert_true(cst_world_place_space(world, &held.a, x, frame, velocity, turn));
        if (kind == CST_CONSTRAINT_PINNED || kind == CST_CONSTRAINT_CLAMPED)
            assert_true(hypot(hypot(x[0] + 0.1, x[1]), x[2]) < 1e-4);
        else { /* on the line through (-0.1, 0, 0) along (1, 0, 1), and down it */
            assert_near(x[0] + 0.1, x[2], 1e-4);
            assert_near(x[1], 0.0, 1e-4);
            assert_true(x[2] < -0.01);
        }
        if (kind == CST_CONSTRAINT_GUIDED) /* half of g along the line, as the box does not turn */
            assert_near(velocity[2], -0.5 * G * 0.2, 1e-3);
        if (kind == CST_CONSTRAINT_CLAMPED || kind == CST_CONSTRAINT_GUIDED)
            assert_true(hypot(hypot(turn[0], turn[1]), turn[2]) < 1e-9 && fabs(frame[0] - 1.0) < 1e-6);
        cst_world_free(world);
    }
}

/* The end of a straight fiber is turned by two turns about its axis: the moment is that of the twist, 2 pi n GJ / L. */
static void ends_are_twisted_by_many_turns(void **state)
{
    (void)state;
    char message[256];
    for (int model = 0; model < 3; model++) {
        cst_world_def def = cst_world_def_default(3);
        def.gravity[2] = 0.0;
        cst_world *world = world_of(&def);
        cst_fiber_def fiber = fiber_of(model, 12);
        fiber.clamped = true;
        fiber.length = 0.05; /* short: does not buckle under this twist */
        const double turns = 0.4;
        const cst_key key[2] = {{.time = 0.0}, {.time = 1.0, .rotation = {2.0 * acos(-1.0) * turns, 0.0, 0.0}}};
        cst_constraint_def clamp = cst_constraint_def_default();
        clamp.kind = CST_CONSTRAINT_CLAMPED;
        clamp.a.body = add_fiber(world, &fiber);
        clamp.a.at_end = true;
        clamp.motion = (cst_motion){.key = key, .keys = 2, .smooth = true};
        assert_true(cst_world_add_constraint(world, &clamp, message, sizeof message) == 1);
        for (int k = 0; k < 1300; k++)
            world_step(world);
        double force[3], moment[3];
        cst_world_constraint_force(world, 1, force, moment);
        const double twist = fiber.twisting_stiffness * 2.0 * acos(-1.0) * turns / fiber.length;
        print_message("%s: moment %.5f of that of the twist\n", model_name[model], moment[0] / twist);
        /* the frame of a nodal rod is that of an edge: the last one reaches from its middle */
        assert_near(moment[0] / twist, 1.0, model == 0 ? 1e-6 : 0.06);
        cst_world_free(world);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ loads */

/* A moment on a free ball spins it up; a follower force turns with the body. */
static void loads_push_and_turn(void **state)
{
    (void)state;
    char message[256];
    cst_world_def def = cst_world_def_default(3);
    def.gravity[2] = 0.0;
    cst_world *world = world_of(&def);
    cst_rigid_def ball = cst_rigid_def_default();
    ball.shape = CST_RIGID_SPHERE;
    ball.radius = 0.1;
    ball.mass = 3.0;
    cst_load_def load = cst_load_def_default();
    load.at.body = world_rigid(world, &ball);
    load.moment[0] = 0.02;
    load.moment[1] = -0.01;
    load.force[2] = 1.5;
    assert_true(cst_world_add_load(world, &load, message, sizeof message) == 1);
    cst_step_report report = {0};
    for (int k = 0; k < 100; k++)
        report = world_step(world);
    double velocity[3], turn[3];
    assert_true(cst_world_place_space(world, &load.at, NULL, NULL, velocity, turn));
    const double inertia = 0.4 * ball.mass * ball.radius * ball.radius;
    assert_near(velocity[2], 1.5 / ball.mass * 0.1, 1e-9);
    assert_near(turn[0], 0.02 / inertia * 0.1, 1e-9);
    assert_near(turn[1], -0.01 / inertia * 0.1, 1e-9);
    assert_near(report.energy.unexplained, 0.0, 1e-12);
    cst_world_free(world);
}

/* ------------------------------------------------------------------------------------------------------------ checkpoints */

static cst_world *heap(int threads)
{
    cst_world_def def = cst_world_def_default(3);
    def.friction.threads = threads;
    def.time_step.adaptive = true;
    cst_world *world = world_of(&def);
    add_plane(world, 0.0);
    for (int k = 0; k < 6; k++) {
        cst_fiber_def fiber = fiber_of(k % 4, 8);
        const double a = 1.1 * k;
        const double frame[9] = {cos(a), -sin(a), 0.0, sin(a), cos(a), 0.0, 0.0, 0.0, 1.0};
        memcpy(fiber.frame, frame, sizeof frame);
        fiber.position[0] = -0.5 * LENGTH * cos(a);
        fiber.position[1] = -0.5 * LENGTH * sin(a);
        fiber.position[2] = 0.006 + 0.012 * k;
        add_fiber(world, &fiber);
    }
    cst_rigid_def ball = cst_rigid_def_default();
    ball.shape = CST_RIGID_SPHERE;
    ball.radius = 0.02;
    ball.mass = 0.05;
    ball.position[2] = 0.12;
    ball.spin[0] = 20.0;
    world_rigid(world, &ball);
    return world;
}

static void checkpoints_go_on_with_the_same_bits(void **state)
{
    (void)state;
    cst_world *world = heap(1), *again = heap(1);
    size_t size, size_again;
    for (int k = 0; k < 60; k++)
        world_step(world);
    void *bytes = world_bytes(world, &size);
    char message[256] = "";
    if (!cst_world_load(again, bytes, size, message, sizeof message))
        fail_msg("%s", message);
    free(bytes);
    for (int k = 0; k < 20; k++) {
        const cst_step_report report = world_step(world);
        world_step(again);
        if (k == 0)
            assert_true(report.contacts > 10);
    }
    bytes = world_bytes(world, &size);
    void *bytes_again = world_bytes(again, &size_again);
    assert_true(size == size_again && memcmp(bytes, bytes_again, size) == 0);
    free(bytes);
    free(bytes_again);
    cst_world_free(world);
    cst_world_free(again);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    cst_world *world = heap(1), *beside = heap(2);
    size_t size, size_beside;
    for (int k = 0; k < 50; k++) {
        world_step(world);
        world_step(beside);
    }
    void *bytes = world_bytes(world, &size), *bytes_beside = world_bytes(beside, &size_beside);
    assert_true(size == size_beside && memcmp(bytes, bytes_beside, size) == 0);
    free(bytes);
    free(bytes_beside);
    cst_world_free(world);
    cst_world_free(beside);
}

static void things_of_the_plane_are_refused(void **state)
{
    (void)state;
    char message[256] = "";
    cst_world *world = space();
    cst_rod_def rod = cst_rod_def_default();
    assert_true(cst_world_add_rod(world, &rod, message, sizeof message) == 0 && strstr(message, "3"));
    cst_obstacle_def disk = cst_obstacle_def_default();
    disk.shape = CST_OBSTACLE_DISK;
    disk.radius = 1.0;
    assert_true(cst_world_add_obstacle(world, &disk, message, sizeof message) == 0 && strstr(message, "3"));
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_to_rest),
        cmocka_unit_test(fibers_slide_or_stick),
        cmocka_unit_test(clamps_carry_force_and_moment),
        cmocka_unit_test(pins_and_guides_keep_their_places),
        cmocka_unit_test(ends_are_twisted_by_many_turns),
        cmocka_unit_test(loads_push_and_turn),
        cmocka_unit_test(checkpoints_go_on_with_the_same_bits),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(things_of_the_plane_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
