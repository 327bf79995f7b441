/* Point loads: factors of time, followers, impulses and works. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid/rigid_body.h"
#include "tests/held_bodies.h"
#include "world/point_motion.h"

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, not %.17g", found, expected);
}

static held_bodies *weightless(double dt, double theta)
{
    held_bodies *held = held_new(dt, theta);
    memset(held->frame.gravity, 0, sizeof held->frame.gravity);
    held_add_disk(held, 0.0, 0.0, 0.2, 2.0); /* inertia 0.04 */
    return held;
}

static void state_of(const held_bodies *held, double *state)
{
    held->body[0].class->state->save(held->body[0].self, state);
}

static cst_load_def at_point(double x, double y)
{
    cst_load_def def = cst_load_def_default();
    def.at = (cst_place){.body = 1, .point = {x, y, 0.0}};
    return def;
}

static void factors_are_linear_between_and_constant_outside(void **state)
{
    (void)state;
    held_bodies *held = weightless(0.01, 1.0);
    double time[3] = {1.0, 2.0, 4.0}, factor[3] = {0.5, -1.0, 3.0};
    cst_load_def def = at_point(0.0, 0.0);
    def.force[0] = 1.0;
    held_push(held, &def);
    assert_near(cst_load_factor(held->load, 17.0), 1.0, 0.0);
    def.time = time;
    def.factor = factor;
    def.times = 3;
    held_push(held, &def);
    memset(time, 0, sizeof time); /* copied */
    const cst_load *load = held->load + 1;
    assert_near(cst_load_factor(load, 0.0), 0.5, 0.0);
    assert_near(cst_load_factor(load, 1.0), 0.5, 0.0);
    assert_near(cst_load_factor(load, 1.5), -0.25, 1e-15);
    assert_near(cst_load_factor(load, 2.0), -1.0, 1e-15);
    assert_near(cst_load_factor(load, 3.0), 1.0, 1e-15);
    assert_near(cst_load_factor(load, 9.0), 3.0, 0.0);
    held_free(held);
}

/* Force and moment at an eccentric point, from rest: the first step in closed form. */
static void impulse_is_dt_J_f(void **state)
{
    (void)state;
    held_bodies *held = weightless(0.01, 1.0);
    cst_load_def def = at_point(0.1, 0.05);
    def.force[0] = 3.0;
    def.force[1] = -4.0;
    def.moment[2] = 0.7;
    held_push(held, &def);
    held_step(held);
    double q[6];
    state_of(held, q);
    assert_near(q[3], 0.01 * 3.0 / 2.0, 1e-16);
    assert_near(q[4], -0.01 * 4.0 / 2.0, 1e-16);
    assert_near(q[5], 0.01 * (0.1 * -4.0 - 0.05 * 3.0 + 0.7) / 0.04, 1e-15);
    held_free(held);
}

/* A ramp from 0 to 1 in 1 s, taken at t + theta dt: the midpoint rule integrates it exactly. */
static void ramps_are_taken_where_the_scheme_is(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        const double theta = scheme == 0 ? 0.5 : 1.0, dt = 0.125;
        held_bodies *held = weightless(dt, theta);
        cst_load_def def = at_point(0.0, 0.0);
        const double time[2] = {0.0, 1.0}, factor[2] = {0.0, 1.0};
        def.force[0] = 4.0;
        def.time = time;
        def.factor = factor;
        def.times = 2;
        held_push(held, &def);
        for (int i = 0; i < 8; i++)
            held_step(held);
        double q[6];
        state_of(held, q);
        assert_near(q[3], 4.0 / 2.0 * (0.5 + (theta - 0.5) * dt), 1e-14);
        held_free(held);
    }
}

/* A follower at the centre of a disk that turns at a constant rate: v = F/(m w) (sin, 1 - cos). One fixed in space: F t / m. */
static void followers_turn_with_the_body(void **state)
{
    (void)state;
    for (int follower = 0; follower < 2; follower++) {
        held_bodies *held = weightless(1e-3, 0.5);
        held->body[0].class->state->load(held->body[0].self, (const double[6]){0.0, 0.0, 0.4, 0.0, 0.0, 2.0});
        cst_load_def def = at_point(0.0, 0.0);
        def.force[0] = 5.0;
        def.follower = follower == 1;
        held_push(held, &def);
        for (int i = 0; i < 1000; i++)
            held_step(held);
        double q[6];
        state_of(held, q);
        assert_near(q[3], follower ? 5.0 / 4.0 * sin(2.0) : 2.5, 5e-3);
        assert_near(q[4], follower ? 5.0 / 4.0 * (1.0 - cos(2.0)) : 0.0, 5e-3);
        held_free(held);
    }
}

/* What the load works is what the body gets, to rounding, at every theta; also through a constraint. */
static void works_close_the_budget(void **state)
{
    (void)state;
    for (int which = 0; which < 6; which++) {
        held_bodies *held = held_new(0.01, 0.5 + 0.25 * (which % 3));
        held_add_disk(held, 0.0, 0.0, 0.2, 2.0);
        const double time[3] = {0.0, 0.3, 0.5}, factor[3] = {1.0, -1.0, 2.0};
        cst_load_def def = at_point(0.1, -0.15);
        def.force[0] = 30.0;
        def.force[1] = 12.0;
        def.moment[2] = 1.0;
        def.follower = which % 2 == 0;
        def.time = time;
        def.factor = factor;
        def.times = 3;
        held_push(held, &def);
        if (which >= 3)
            held_hold(held, CST_CONSTRAINT_PINNED, (cst_place){.body = 1, .point = {-0.2, 0.0, 0.0}}, 0);
        const double start = held_energy(held);
        for (int i = 0; i < 60; i++) {
            held_step(held);
            assert_near(held_energy(held) - start, held_works(held), 1e-11);
        }
        assert_true(fabs(held->load_work) > 0.1);
        held_free(held);
    }
}

static void loads_for_statics_are_as_they_act(void **state)
{
    (void)state;
    held_bodies *held = weightless(0.01, 1.0);
    cst_load_def def = at_point(0.1, 0.0);
    def.force[0] = 2.0;
    def.moment[2] = 0.3;
    def.follower = true;
    held_push(held, &def);
    held->body[0].class->state->load(held->body[0].self, (const double[6]){0.0, 0.0, 1.5707963267948966, 0.0, 0.0, 0.0});
    cst_point_motion room;
    assert_true(cst_point_motion_take(&held->step, held->body, 2, &room));
    cst_point_load load;
    cst_load_at(held->load, held->body, 0.0, &room, &load);
    assert_near(load.force[0], 0.0, 1e-15);
    assert_near(load.force[1], 2.0, 1e-15);
    assert_near(load.moment[2], 0.3, 0.0);
    assert_near(load.at.local[0], 0.1, 0.0);
    held_free(held);
}

static void refused(held_bodies *held, cst_load_def def, const char *expected)
{
    cst_load load;
    char message[256] = "";
    if (cst_load_create(&def, 2, held->body, held->bodies, &held->keep, &load, message, sizeof message))
        fail_msg("accepted, not refused with: %s", expected);
    if (!strstr(message, expected))
        fail_msg("\"%s\" does not say \"%s\"", message, expected);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    held_bodies *held = weightless(0.01, 1.0);
    cst_load_def def = at_point(0.0, 0.0);
    def.at.body = 0;
    refused(held, def, "must act on a body");
    def.at.body = 2;
    refused(held, def, "no body 2");
    def = at_point(NAN, 0.0);
    refused(held, def, "not a place of body 1");
    def = at_point(0.0, 0.0);
    def.force[1] = INFINITY;
    refused(held, def, "finite");
    def = at_point(0.0, 0.0);
    def.times = 2;
    refused(held, def, "no list");
    def.time = (const double[2]){1.0, 1.0};
    def.factor = (const double[2]){1.0, 2.0};
    refused(held, def, "times must increase");
    def.time = (const double[2]){1.0, NAN};
    refused(held, def, "time or factor 1 is not finite");
    held_free(held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_linear_between_and_constant_outside),
        cmocka_unit_test(impulse_is_dt_J_f),
        cmocka_unit_test(ramps_are_taken_where_the_scheme_is),
        cmocka_unit_test(followers_turn_with_the_body),
        cmocka_unit_test(works_close_the_budget),
        cmocka_unit_test(loads_for_statics_are_as_they_act),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
