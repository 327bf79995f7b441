/* Soft fibers slide over stiff ones, by up to two radii a step: contacts whose normals turn do not cut steps short, and nothing penetrates by more than a hundredth of a radius. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

#include "world/world_state.h"
#include "world_fixture.h"

enum { FIBERS = 5 };
static const double RADIUS = 5e-4, APART = 1.3e-3, DT = 2e-3;

static void add(cst_world *world, const cst_fiber_def *fiber)
{
    char message[256] = "";
    if (cst_world_add_fiber(world, fiber, message, sizeof message) == 0)
        fail_msg("%s", message);
}

/* Five stiff fibers side by side, clamped; five soft ones above them, whose clamped roots move across at `speed`. They begin beside each other, too low to pass without bending. */
static cst_world *two_rows(double speed, double height, double duration)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = DT;
    def.time_step.adaptive = true;
    def.time_step.motion_limit = 4.0;
    def.friction.tolerance = 1e-6;
    def.friction_coefficient = 0.3;
    cst_world *world = world_of(&def);
    const cst_key key[2] = {{.time = 0.0}, {.time = duration, .translation = {0.0, speed * duration, 0.0}}};
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.elements = 5;
    fiber.radius = RADIUS;
    fiber.mass_per_length = 1e-3;
    fiber.viscosity = 0.02;
    fiber.clamped = true;
    for (int i = 0; i < FIBERS; i++) {
        fiber.length = 0.1;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = fiber.twisting_stiffness = 1e-3;
        fiber.position[1] = APART * i;
        add(world, &fiber);
    }
    const double tilt = atan(0.02), frame[9] = {cos(tilt), -sin(tilt), 0.0, sin(tilt), cos(tilt), 0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < FIBERS; i++) {
        fiber.length = 0.12;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = fiber.twisting_stiffness = 2.4e-7;
        fiber.position[0] = -0.02;
        fiber.position[1] = -0.0045 - APART * i;
        fiber.position[2] = height;
        for (int k = 0; k < 9; k++)
            fiber.frame[k] = frame[k];
        fiber.root_motion = (cst_motion){.key = key, .keys = 2};
        add(world, &fiber);
    }
    return world;
}

/* At most 1.6 times the steps of dt. If recovery is limited for contacts whose normals turn (turned_gap of world/contact_rows.c), the two worlds take more than twice the steps of dt. */
static void takes_whole_steps(void **state)
{
    (void)state;
    static const struct {
        double speed, height, duration;
    } of[2] = {{0.5, 7e-4, 0.04}, {0.3, 8e-4, 0.06}};
    int steps = 0, whole = 0, most = 0;
    for (int k = 0; k < 2; k++) {
        cst_world *world = two_rows(of[k].speed, of[k].height, of[k].duration);
        while (cst_world_time(world) < of[k].duration - 0.5 * DT / 1024.0) {
            const cst_step_report report = world_step(world);
            assert_true(report.penetration <= 0.01 * RADIUS * (1.0 + 1e-9));
            most = report.contacts > most ? report.contacts : most;
            steps++;
        }
        whole += (int)lround(of[k].duration / DT);
        cst_world_free(world);
    }
    print_message("%d steps, %d of dt, at most %d contacts\n", steps, whole, most);
    assert_true(most >= 40);
    assert_true(steps <= 1.6 * whole);
}

/* Steps that need several linearisations begin with rough ones (world/attempt.c). The step that is accepted meets the tolerance all the same. */
static void rough_linearisations_leave_exact_steps(void **state)
{
    (void)state;
    cst_world *world = two_rows(0.5, 7e-4, 0.04);
    int rough = 0;
    while (cst_world_time(world) < 0.04 - 0.5 * DT / 1024.0) {
        rough += world->stepping.linearisations > 1;
        const cst_step_report report = world_step(world);
        assert_int_equal(report.status, CST_SOLVED);
        assert_true(report.residual.error <= 1e-6);
        assert_true(world->stepping.linearisations >= 1);
    }
    print_message("%d steps began with rough linearisations\n", rough);
    assert_true(rough >= 3);
    cst_world_free(world);
}

static unsigned char *saved(const cst_world *world, size_t *size)
{
    *size = cst_world_save(world, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(cst_world_save(world, bytes, *size), *size);
    return bytes;
}

/* A checkpoint after a step that needed several linearisations tells the next step how to begin. */
static void checkpoint_keeps_the_number_of_linearisations(void **state)
{
    (void)state;
    cst_world *world = two_rows(0.5, 7e-4, 0.04), *resumed = two_rows(0.5, 7e-4, 0.04);
    char message[256] = "";
    size_t half_size, one_size, two_size;
    do
        world_step(world);
    while (world->stepping.linearisations < 2);
    unsigned char *half = saved(world, &half_size);
    assert_true(cst_world_load(resumed, half, half_size, message, sizeof message));
    assert_int_equal(resumed->stepping.linearisations, world->stepping.linearisations);
    for (int k = 0; k < 3; k++) {
        world_step(world);
        world_step(resumed);
    }
    unsigned char *one = saved(world, &one_size), *two = saved(resumed, &two_size);
    assert_int_equal(one_size, two_size);
    assert_memory_equal(one, two, one_size);
    free(half);
    free(one);
    free(two);
    cst_world_free(world);
    cst_world_free(resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_whole_steps),
                                       cmocka_unit_test(rough_linearisations_leave_exact_steps),
                                       cmocka_unit_test(checkpoint_keeps_the_number_of_linearisations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
