/* Iterated steps: what sticks stays where it is, also while the rod above it bends far in few steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capstan/capstan.h"

/* A rod bent to an arc stands on a plane, and its clamped top is lowered by a twentieth of its length in ten quasi-static steps. */
static void a_tip_that_sticks_does_not_creep(void **state)
{
    (void)state;
    enum { ELEMENTS = 12, STEPS = 10 };
    static const cst_rod_formulation formulations[] = {CST_ROD_CHAINED, CST_ROD_MIXED};
    for (int f = 0; f < 2; f++) {
        char message[256] = "";
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = 0;
        def.time_step.dt = 1;
        def.time_step.iterations = 60;
        def.time_step.quasi_static = true;
        def.friction_coefficient = 5; /* it must not slip */
        double curvature[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++)
            curvature[i] = 1;
        const cst_key keys[] = {{.time = 0}, {.time = STEPS, .translation = {0, -0.05, 0}}};
        cst_rod_def rod = cst_rod_def_default();
        rod.formulation = formulations[f];
        rod.elements = ELEMENTS;
        rod.length = rod.bending_stiffness = 1;
        rod.mass_per_length = 1e-6;
        rod.radius = 0.01;
        rod.curvature = curvature;
        rod.angle = -acos(0.0);
        rod.position[1] = sin(1.0) + rod.radius;
        rod.clamped = true;
        rod.root_motion = (cst_motion){.key = keys, .keys = 2};
        const cst_obstacle_def plane = cst_obstacle_def_default();
        cst_world *world = cst_world_new(&def, message, sizeof message);
        assert_non_null(world);
        const cst_body_id body = cst_world_add_rod(world, &rod, message, sizeof message);
        assert_true(body && cst_world_add_obstacle(world, &plane, message, sizeof message));
        const cst_place tip = {.body = body, .at_end = true};
        double before[3], after[3], angle_before, angle_after;
        cst_world_place(world, &tip, before, &angle_before, NULL);
        for (int k = 0; k < STEPS; k++) {
            cst_step_report report;
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
            assert_int_equal(report.sliding, 0);
            assert_true(report.sticking > 0);
        }
        cst_world_place(world, &tip, after, &angle_after, NULL);
        /* Its round end rolls on the plane. */
        assert_true(fabs(angle_after - angle_before) > 0.02);
        assert_true(fabs(after[0] - before[0] + rod.radius * (angle_after - angle_before)) < 1e-9);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tip_that_sticks_does_not_creep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
