/* What touches what does not depend on how fast all of it flies, and nothing is so fast that it goes through. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

enum { SIDE = 5, STEPS = 10 };

static cst_fiber_def thread(double y, double z, const double *velocity)
{
    cst_fiber_def def = cst_fiber_def_default();
    def.elements = 4;
    def.length = 0.2;
    def.radius = 1e-3;
    def.mass_per_length = 3e-3;
    def.bending_stiffness[0] = def.bending_stiffness[1] = 1e-5;
    def.twisting_stiffness = 1e-5;
    def.position[1] = y;
    def.position[2] = z;
    memcpy(def.velocity, velocity, sizeof def.velocity);
    return def;
}

static void add(cst_world *world, const cst_fiber_def *def)
{
    char message[160];
    assert_true(cst_world_add_fiber(world, def, message, sizeof message) > 0);
}

static cst_world *empty_world(double dt)
{
    cst_world_def def = cst_world_def_default(3);
    memset(def.gravity, 0, sizeof def.gravity);
    def.time_step.dt = dt;
    def.time_step.adaptive = false;
    return world_of(&def);
}

static int step(cst_world *world)
{
    cst_step_report report;
    assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    return report.contacts;
}

/* Contacts of parallel fibers `apart` from each other that fly with `speed` across their length, in each step. */
static void fly(double apart, double speed, int *contacts)
{
    cst_world *world = empty_world(1e-3);
    const double velocity[3] = {0.0, 0.6 * speed, 0.8 * speed};
    for (int i = 0; i < SIDE * SIDE; i++) {
        const cst_fiber_def def = thread(apart * (i % SIDE), apart * (i / SIDE), velocity);
        add(world, &def);
    }
    for (int i = 0; i < STEPS; i++)
        contacts[i] = step(world);
    cst_world_free(world);
}

static void common_velocity_makes_no_contacts(void **state)
{
    (void)state;
    static const double speed[] = {0.0, 0.5, 2.0, 20.0};
    for (int near = 0; near < 2; near++) { /* three radii apart: none; a tenth of a radius: all neighbours */
        int rest[STEPS], moving[STEPS];
        fly(near ? 2.1e-3 : 3e-3, speed[0], rest);
        assert_true(near ? rest[0] >= 2 * SIDE * (SIDE - 1) : rest[0] == 0);
        for (int i = 1; i < 4; i++) {
            fly(near ? 2.1e-3 : 3e-3, speed[i], moving);
            assert_int_equal(moving[0], rest[0]);
            if (!near)
                assert_memory_equal(moving, rest, sizeof rest);
        }
    }
}

/* Fibers that touch and rest: what is left of their velocities is rounding, and nobody solves for it, at rest as in flight. */
static void rounding_takes_no_iterations(void **state)
{
    (void)state;
    static const double speed[] = {0.0, 2.0}, radius = 1e-3, dt = 1e-3;
    for (int k = 0; k < 2; k++) {
        cst_world_def settings = cst_world_def_default(3);
        memset(settings.gravity, 0, sizeof settings.gravity);
        settings.time_step.dt = dt;
        settings.friction.tolerance = 1e-6; /* at 2 m/s rounding leaves E = 2e-8: v is known to some 100 eps only */
        cst_world *world = world_of(&settings);
        const double velocity[3] = {0.0, 0.6 * speed[k], 0.8 * speed[k]};
        double bent[12];
        for (int i = 0; i < 12; i++)
            bent[i] = i % 3 == 0 ? 0.0 : 1e-13; /* as rounding bends those that fly */
        for (int i = 0; i < SIDE * SIDE; i++) {
            cst_fiber_def def = thread(2.0 * radius * (i % SIDE), 2.0 * radius * (i / SIDE), velocity);
            def.curvature = bent;
            add(world, &def);
        }
        for (int i = 0; i < STEPS; i++) {
            cst_step_report report;
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
            assert_true(report.contacts > 0);
            assert_int_equal(report.iterations, 0);
            assert_true(report.residual.velocity_scale >= 0.999e-6 * 2.0 * radius / dt);
        }
        cst_world_free(world);
    }
}

/* Fibers clamped side by side on something that turns: as many contacts as at rest. */
static void common_turn_makes_no_contacts(void **state)
{
    (void)state;
    int contacts[2];
    for (int turns = 0; turns < 2; turns++) {
        cst_world *world = empty_world(1e-3);
        for (int i = 0; i < SIDE * SIDE; i++) {
            const double y = 3e-3 * (i % SIDE), z = 3e-3 * (i / SIDE), spin = turns ? 20.0 : 0.0;
            const double velocity[3] = {-spin * y, 0.0, 0.0}; /* about z, through the origin */
            cst_fiber_def def = thread(y, z, velocity);
            def.angular_velocity[2] = spin;
            add(world, &def);
        }
        contacts[turns] = step(world);
        cst_world_free(world);
    }
    assert_int_equal(contacts[0], 0);
    assert_int_equal(contacts[1], 0);
}

/* A fiber across another one's way at many radii per step stays on its side. */
static void nothing_is_too_fast(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const double speed = 1.0 + 4.0 * i, ahead[3] = {0.3, 0.0, speed}, rest[3] = {0.0, 0.0, 0.0};
        cst_world *world = empty_world(1e-3);
        cst_fiber_def across = thread(0.0, 0.03, rest), arrow = thread(-0.1, 0.0, ahead);
        static const double along_y[9] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
        memcpy(arrow.frame, along_y, sizeof along_y);
        arrow.position[0] = 0.1;
        add(world, &across);
        add(world, &arrow);
        int touched = 0;
        for (int k = 0; k < 60 && !touched; k++) {
            const cst_contact_view *contact;
            step(world);
            const int contacts = cst_world_contacts(world, &contact);
            for (int c = 0; c < contacts; c++)
                touched += contact[c].r[0] > 0.0;
        }
        assert_true(touched > 0);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_velocity_makes_no_contacts),
        cmocka_unit_test(rounding_takes_no_iterations),
        cmocka_unit_test(common_turn_makes_no_contacts),
        cmocka_unit_test(nothing_is_too_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
