/* The report of a step: counts that belong together, and phases that sum up to the step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static double sum_of_phases(const cst_step_seconds *s)
{
    return s->begin + s->place + s->assemble + s->free_motion + s->detect + s->track + s->rows + s->friction_setup +
           s->friction_solve + s->friction_judge + s->apply + s->detect_end + s->end + s->finish + s->energy + s->other;
}

static cst_rod_def short_rod(void)
{
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 6;
    rod.length = 0.3;
    rod.radius = 0.01;
    rod.mass_per_length = 0.05;
    rod.bending_stiffness = 2e-3;
    return rod;
}

static cst_world *level_world(double friction)
{
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = friction;
    cst_world *world = world_of(&def);
    world_incline(world, 0.0);
    return world;
}

static void phases_sum_up_to_the_step(void **state)
{
    (void)state;
    cst_world *world = level_world(0.5);
    for (int k = 0; k < 8; k++) {
        cst_rod_def rod = short_rod();
        rod.position[0] = k;
        rod.position[1] = 0.012;
        rod.angle = 0.05;
        world_rod(world, &rod);
    }
    double least_other = HUGE_VAL;
    for (int k = 0; k < 20; k++) {
        const cst_step_report report = world_step(world);
        const double *phase = (const double *)&report.seconds;
        assert_near(sum_of_phases(&report.seconds), report.seconds_total, 1e-9);
        for (size_t p = 0; p < sizeof report.seconds / sizeof *phase; p++)
            assert_true(phase[p] >= -1e-7);
        assert_true(report.seconds.assemble > 0.0 && report.seconds.detect > 0.0 && report.seconds.friction_judge > 0.0);
        least_other = fmin(least_other, report.seconds.other / report.seconds_total);
    }
    print_message("in no phase: %.2f %% of a step\n", 100.0 * least_other);
    assert_true(least_other < 0.05);
    cst_world_free(world);
}

/* The root of a clamped rod on the ground cannot move: its contact is left out, and must not be counted as new. */
static void new_contacts_are_contacts(void **state)
{
    (void)state;
    cst_world *world = level_world(0.5);
    cst_rod_def rod = short_rod();
    rod.clamped = true;
    rod.position[1] = rod.radius;
    world_rod(world, &rod);
    uint64_t newest = 0;
    int seen = 0;
    for (int k = 0; k < 50; k++) {
        const cst_step_report report = world_step(world);
        const cst_contact_view *contact;
        const int contacts = cst_world_contacts(world, &contact);
        int fresh = 0;
        uint64_t largest = newest;
        for (int i = 0; i < contacts; i++) {
            fresh += contact[i].id > newest;
            largest = contact[i].id > largest ? contact[i].id : largest;
        }
        assert_int_equal(report.contacts, contacts);
        assert_true(fabs(report.nu - 2.0 * contacts / rod.elements) < 1e-15);
        assert_int_equal(report.new_contacts, fresh);
        newest = largest;
        seen += fresh;
    }
    assert_true(seen > 0);
    cst_world_free(world);
}

/* Rods far apart are islands: each needs what it needs alone. */
static void iterations_are_those_of_the_worst_island(void **state)
{
    (void)state;
    int alone = 0;
    for (int rods = 1; rods <= 4; rods += 3) {
        cst_world *world = level_world(0.5);
        for (int k = 0; k < rods; k++) {
            cst_rod_def rod = short_rod();
            rod.position[0] = 2.0 * k;
            rod.position[1] = rod.radius;
            rod.velocity[0] = 0.3;
            world_rod(world, &rod);
        }
        const cst_step_report report = world_step(world);
        assert_int_equal(report.islands, rods);
        assert_true(report.iterations > 0);
        if (rods == 1)
            alone = report.iterations;
        assert_int_equal(report.iterations, alone);
        assert_int_equal(report.iterations_total, rods * alone);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(phases_sum_up_to_the_step), cmocka_unit_test(new_contacts_are_contacts),
                                       cmocka_unit_test(iterations_are_those_of_the_worst_island)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
