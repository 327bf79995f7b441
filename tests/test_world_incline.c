/* Friction end to end against closed forms: blocks, rods and disks on inclines, and a spinning disk that is dropped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;
static const double DT = 1e-3;

static cst_world *incline_world(double alpha, double mu)
{
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = DT;
    def.friction_coefficient = mu;
    cst_world *world = world_of(&def);
    world_incline(world, alpha);
    return world;
}

static cst_body_id add_block(cst_world *world, double alpha)
{
    const double corner[] = {0.0, 0.0, 0.4, 0.0, 0.4, 0.05, 0.0, 0.05};
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = CST_RIGID_POLYGON;
    def.corner = corner;
    def.corners = 4;
    def.mass = 2.0;
    def.angle = -alpha;
    def.position[0] = 0.025 * sin(alpha);
    def.position[1] = 0.025 * cos(alpha);
    return world_rigid(world, &def);
}

/* Acceleration over every single step after those in which a rod settles (its elements sag by a tenth of a micrometre before they
 * are held in the middle), the velocity at the end, and E in every step. */
static void slide(cst_world *world, double alpha, double expected, int settling, int steps)
{
    const cst_place place = {.body = 1};
    double before = 0.0;
    for (int i = 0; i < settling + steps; i++) {
        const cst_step_report report = world_step(world);
        const double speed = downhill_speed(world, &place, alpha), error = fabs((speed - before) / DT - expected);
        assert_true(report.residual.error <= 1e-8);
        if (i >= settling && error > 1e-6)
            fail_msg("alpha %g, step %d: acceleration %.9f, expected %.9f", alpha, i, (speed - before) / DT, expected);
        before = speed;
    }
    assert_near(before, expected * DT * (settling + steps), 1e-5);
}

static void block_and_rod(void **state)
{
    (void)state;
    int rows;
    reference_row *row = reference_rows("D_rigid_friction/block_incline.csv", &rows);
    for (int i = 0; i < rows; i += SANITIZED ? 4 : 1) {
        const double alpha = reference_number(row + i, 0) * PI / 180.0, mu = reference_number(row + i, 1);
        const double threshold = reference_number(row + i, 2), expected = reference_number(row + i, 4);
        if (fabs(mu - threshold) < 1e-6) /* on the threshold itself rounding decides */
            continue;
        cst_world *world = incline_world(alpha, mu);
        add_block(world, alpha);
        slide(world, alpha, expected, 0, 20);
        cst_world_free(world);
        world = incline_world(alpha, mu);
        const cst_rod_def rod = rod_on_incline(alpha, 4, i % 2 == 0 ? CST_ROD_CHAINED : CST_ROD_MIXED);
        world_rod(world, &rod);
        slide(world, alpha, expected, 60, 20);
        cst_world_free(world);
    }
    free(row);
}

static void rolling_disk(void **state)
{
    (void)state;
    int rows, disks = 0;
    reference_row *row = reference_rows("D_rigid_friction/rolling_incline.csv", &rows);
    for (int i = 0; i < rows; i++) {
        if (fabs(reference_number(row + i, 1) - 0.5) > 1e-12)
            continue;
        const double alpha = reference_number(row + i, 2) * PI / 180.0, radius = 0.1;
        cst_world *world = incline_world(alpha, reference_number(row + i, 3));
        world_disk(world, radius, radius * sin(alpha), radius * cos(alpha));
        const cst_place center = {.body = 1};
        const int steps = 20;
        for (int k = 0; k < steps; k++)
            assert_true(world_step(world).residual.error <= 1e-8);
        double values[6];
        assert_int_equal(cst_world_body_state(world, 1, values), 6);
        assert_near(downhill_speed(world, &center, alpha) / (steps * DT), reference_number(row + i, 6), 1e-6);
        assert_near(-radius * values[5] / (steps * DT), reference_number(row + i, 7), 1e-6);
        cst_world_free(world);
        disks++;
    }
    free(row);
    assert_true(disks > 50);
}

/* The velocity after the impact to what one step of gravity changes; the final one exactly, whatever dt. */
static void spin_drop(void **state)
{
    (void)state;
    int rows, disks = 0;
    reference_row *row = reference_rows("D_rigid_friction/spin_drop.csv", &rows);
    for (int i = 0; i < rows; i += SANITIZED ? 5 : 1) {
        if (fabs(reference_number(row + i, 1) - 0.5) > 1e-12)
            continue;
        const double mu = reference_number(row + i, 2), radius = 0.1, height = reference_number(row + i, 5);
        const double final = reference_number(row + i, 6), after = reference_number(row + i, 7),
                     time = reference_number(row + i, 9);
        cst_world *world = incline_world(0.0, mu);
        cst_rigid_def def = cst_rigid_def_default();
        def.radius = radius;
        def.mass = 1.0;
        def.position[1] = radius + height;
        def.velocity[0] = reference_number(row + i, 4);
        def.angular_velocity = -reference_number(row + i, 3) / radius;
        world_rigid(world, &def);
        const cst_place center = {.body = 1};
        double touched = height > 0.0 ? -1.0 : 0.0, rolled = -1.0;
        cst_step_report report = {0};
        for (int k = 0; k < 8000 && rolled < 0.0; k++) {
            report = world_step(world);
            assert_true(report.residual.error <= 1e-8);
            if (touched < 0.0 && report.sticking + report.sliding > 0) {
                touched = report.time;
                /* what is left of the gap is closed in a second step */
                report = world_step(world);
                const double slack = 3.0 * mu * 9.81 * DT + 1e-9;
                assert_true(fabs(downhill_speed(world, &center, 0.0) - after) <= slack);
            }
            if (touched >= 0.0 && report.sticking > 0)
                rolled = report.time;
        }
        if (mu > 0.0) {
            if (rolled < 0.0)
                fail_msg("row %d never rolls", i);
            assert_near(downhill_speed(world, &center, 0.0), final, 1e-8);
            assert_true(fabs(rolled - touched - time) <= 5.0 * DT);
        }
        cst_world_free(world);
        disks++;
    }
    free(row);
    assert_true(disks > (SANITIZED ? 8 : 40));
}

/* Neither end of the scale of mu is special. */
static void no_friction_and_too_much(void **state)
{
    (void)state;
    const double alpha = 0.5;
    cst_world *world = incline_world(alpha, 0.0);
    add_block(world, alpha);
    slide(world, alpha, 9.81 * sin(alpha), 0, 50);
    cst_world_free(world);
    world = incline_world(alpha, 100.0);
    add_block(world, alpha);
    slide(world, alpha, 0.0, 0, 50);
    cst_world_free(world);
}

/* Long elements, short elements, both formulations: contacts do not come and go while a rod lies and slides. */
static void rod_slides_quietly(void **state)
{
    (void)state;
    const double alpha = 25.0 * PI / 180.0, expected = 9.81 * (sin(alpha) - 0.3 * cos(alpha));
    for (int i = 0; i < 3; i++) {
        cst_world *world = incline_world(alpha, 0.3);
        const cst_rod_def rod = rod_on_incline(alpha, i == 0 ? 1 : i == 1 ? 16 : 40, i == 2 ? CST_ROD_MIXED : CST_ROD_CHAINED);
        world_rod(world, &rod);
        slide(world, alpha, expected, 60, 200);
        for (int k = 0; k < 100; k++)
            assert_int_equal(world_step(world).new_contacts, 0);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(block_and_rod), cmocka_unit_test(rolling_disk),
                                       cmocka_unit_test(spin_drop), cmocka_unit_test(no_friction_and_too_much),
                                       cmocka_unit_test(rod_slides_quietly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
