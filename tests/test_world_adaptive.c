/* The control of dt: times are exact, multiples of dt are met, and halving has its three reasons. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/time_step.h"
#include "world_fixture.h"

static void times_are_exact(void **state)
{
    (void)state;
    const cst_time_step rules = {.dt = 0.1, .adaptive = true, .halvings = 3, .calm_steps = 2};
    cst_stepping s = {0};
    /* 0.1, then down to an eighth and back: it doubles only where the doubled step fits */
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    assert_int_equal(cst_stepping_whole_steps(&s, &rules), 1);
    assert_near(cst_stepping_time(&s, &rules), 0.1, 0.0);
    for (int k = 0; k < 3; k++)
        assert_true(cst_stepping_retry(&s, &rules, CST_STEP_TOO_FAST));
    assert_false(cst_stepping_retry(&s, &rules, CST_STEP_TOO_DEEP)); /* no further */
    cst_stepping crossed = s, fixed = {0};
    const cst_time_step steady = {.dt = 0.1};
    for (int k = 3; k < CST_STEP_CROSSING_HALVINGS; k++)
        assert_true(cst_stepping_retry(&crossed, &rules, CST_STEP_CROSSED));
    assert_false(cst_stepping_retry(&crossed, &rules, CST_STEP_CROSSED));
    assert_false(cst_stepping_retry(&fixed, &steady, CST_STEP_TOO_DEEP)); /* without adaption only what crossed is halved */
    assert_true(cst_stepping_retry(&fixed, &steady, CST_STEP_CROSSED));
    assert_near(cst_stepping_dt(&fixed, &steady), 0.05, 0.0);
    assert_near(cst_stepping_dt(&s, &rules), 0.0125, 0.0);
    cst_stepping_accept(&s, &rules, CST_STEP_TOO_DEEP); /* taken as it is, not calm */
    assert_int_equal(s.level, 3);
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD); /* calm, but at 11 ticks of 8: a quarter does not fit */
    assert_int_equal(s.level, 3);
    assert_int_equal(cst_stepping_whole_steps(&s, &rules), -1);
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    assert_int_equal(s.level, 2);
    assert_int_equal(s.ticks, 12 << (CST_STEP_CROSSING_HALVINGS - 3)); /* in ticks of dt / 1024 */
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    assert_int_equal(s.level, 1);
    assert_int_equal(s.ticks, 16 << (CST_STEP_CROSSING_HALVINGS - 3));
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    cst_stepping_accept(&s, &rules, CST_STEP_GOOD);
    assert_int_equal(s.level, 0);
    assert_int_equal(cst_stepping_whole_steps(&s, &rules), 3);
    assert_near(cst_stepping_time(&s, &rules), 0.1 * 3, 0.0);
    assert_false(cst_stepping_retry(&s, &rules, CST_STEP_GOOD));
}

static void nothing_to_halve(void **state)
{
    (void)state;
    const cst_time_step rules = {.dt = 0.1, .halvings = 3, .calm_steps = 2};
    cst_stepping s = {0};
    assert_false(cst_stepping_retry(&s, &rules, CST_STEP_MISSED));
    cst_stepping_accept(&s, &rules, CST_STEP_MISSED);
    assert_int_equal(cst_stepping_whole_steps(&s, &rules), 1);
}

static cst_world_def adaptive_def(void)
{
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = 8e-3;
    def.time_step.adaptive = true;
    return def;
}

/* A small disk thrown at a floor: small steps when it comes near, large ones in flight and at rest. Frames are met. */
static void halves_near_contact_only(void **state)
{
    (void)state;
    const cst_world_def def = adaptive_def();
    cst_world *world = world_of(&def);
    world_incline(world, 0.0);
    cst_rigid_def disk = cst_rigid_def_default();
    disk.radius = 0.01;
    disk.mass = 1.0;
    disk.position[1] = 1.0;
    disk.velocity[1] = -2.0;
    world_rigid(world, &disk);
    double shortest = 1.0, flight = 0.0, last = 0.0, frames = 0.0;
    int retries = 0;
    for (int k = 0; k < 5000 && cst_world_time(world) < 1.0; k++) {
        const cst_step_report report = world_step(world);
        double values[6];
        cst_world_body_state(world, 1, values);
        shortest = fmin(shortest, report.dt);
        if (values[1] > 0.5)
            flight = report.dt;
        last = report.dt;
        retries += report.retries;
        assert_true(report.penetration <= 0.01 * disk.radius);
        const int64_t whole = cst_world_whole_steps(world);
        if (whole >= 0) {
            assert_near(report.time, (double)whole * def.time_step.dt, 0.0);
            assert_near((double)whole, frames + 1.0, 0.0); /* none is skipped */
            frames = (double)whole;
        }
    }
    assert_near(flight, def.time_step.dt, 0.0);
    assert_near(last, def.time_step.dt, 0.0);
    assert_true(retries > 0);
    /* it strikes at almost 5 m/s: half a radius is 1 ms */
    assert_true(shortest <= 1e-3 && shortest >= 2e-4);
    assert_near(frames, 125.0, 0.0);
    cst_world_free(world);
}

/* A solver that is not given the iterations it needs. Without adaption the best is taken and said. */
static void missed_tolerance(void **state)
{
    (void)state;
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        cst_world_def def = cst_world_def_default(2);
        def.time_step.adaptive = adaptive;
        def.time_step.halvings = 2;
        def.friction.solver = CST_SOLVER_GAUSS_SEIDEL;
        def.friction.max_iterations = 1;
        def.friction.tolerance = 1e-14;
        cst_world *world = world_of(&def);
        world_incline(world, 0.1);
        const cst_rod_def rod = rod_on_incline(0.1, 8, CST_ROD_CHAINED);
        world_rod(world, &rod);
        cst_step_report report;
        assert_int_equal(cst_world_step(world, &report), CST_TOLERANCE_MISSED);
        assert_int_equal(report.retries, adaptive ? 2 : 0);
        assert_near(report.dt, adaptive ? 2.5e-4 : 1e-3, 0.0);
        assert_near(cst_world_time(world), report.dt, 0.0);
        assert_true(report.residual.error > 1e-14);
        cst_world_free(world);
    }
}

/* An iteration that is given too little: after three halvings what it reached is taken, and said; seven more would not help it. */
static void iteration_that_does_not_settle(void **state)
{
    (void)state;
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        cst_world_def def = cst_world_def_default(2);
        def.time_step.adaptive = adaptive;
        def.time_step.iterations = 2;
        cst_world *world = world_of(&def);
        cst_rod_def rod = cst_rod_def_default();
        rod.elements = 8;
        rod.length = 1.0;
        rod.radius = 0.01;
        rod.mass_per_length = 0.1;
        rod.bending_stiffness = 0.01;
        rod.natural_curvature = 1.0;
        rod.angular_velocity = 5.0;
        world_rod(world, &rod);
        for (int k = 0; k < 20; k++) {
            cst_step_report report;
            assert_int_equal(cst_world_step(world, &report), CST_TOLERANCE_MISSED);
            assert_non_null(strstr(report.message, "did not converge in 2 iterations"));
            assert_int_equal(report.newton_iterations, 2);
            assert_int_equal(report.retries, adaptive && k == 0 ? 3 : 0);
            assert_near(report.dt, adaptive ? 1.25e-4 : 1e-3, 0.0);
        }
        cst_world_free(world);
    }
}

/* The same decisions every time. */
static void decisions_repeat(void **state)
{
    (void)state;
    int64_t steps[2];
    void *bytes[2];
    size_t size[2];
    for (int turn = 0; turn < 2; turn++) {
        cst_world_def def = adaptive_def();
        def.time_step.halvings = 6;
        cst_world *world = world_of(&def);
        world_incline(world, 0.2);
        for (int k = 0; k < 5; k++)
            world_disk(world, 0.02, 0.045 * k, 0.1 + 0.05 * k);
        cst_step_report report;
        while (cst_world_whole_steps(world) < 30)
            assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
        steps[turn] = cst_world_steps(world);
        bytes[turn] = world_bytes(world, size + turn);
        cst_world_free(world);
    }
    assert_true(steps[0] > 30);
    assert_int_equal(steps[0], steps[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_are_exact),
                                       cmocka_unit_test(nothing_to_halve),
                                       cmocka_unit_test(halves_near_contact_only),
                                       cmocka_unit_test(missed_tolerance),
                                       cmocka_unit_test(iteration_that_does_not_settle),
                                       cmocka_unit_test(decisions_repeat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
