/* Rods on rods come to rest, and are then little work for the solver. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "world_fixture.h"

enum { RODS = 6 };

static cst_rod_def limp_rod(void)
{
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 4;
    rod.length = 0.3;
    rod.radius = 0.01;
    rod.mass_per_length = 0.05;
    rod.bending_stiffness = 2e-3;
    rod.viscosity = 2e-5;
    return rod;
}

static cst_world *pile(bool adaptive)
{
    static const double corner[] = {-0.25, 0.8, -0.2, 0.0, 0.2, 0.0, 0.25, 0.8};
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = 0.5;
    def.time_step.adaptive = adaptive;
    cst_world *world = world_of(&def);
    cst_obstacle_def bin = cst_obstacle_def_default();
    bin.shape = CST_OBSTACLE_CHAIN;
    bin.point = corner;
    bin.points = 4;
    bin.radius = 0.01;
    world_obstacle(world, &bin);
    for (int i = 0; i < RODS; i++) {
        cst_rod_def rod = limp_rod();
        rod.angle = 0.05 * sin(5.0 * i);
        rod.position[0] = -0.15 + 0.02 * cos(7.0 * i);
        rod.position[1] = 0.05 + 0.03 * i;
        world_rod(world, &rod);
    }
    return world;
}

/* Straight, limp rods nest: their nearest points run along them with every breath. Contacts that ran after them would keep the
 * pile moving for ever, with hundreds of iterations of the solver in every step. (Of 40 such piles, laid a little differently, 25 are at rest after 0.3 s, 33 after
 * 1 s, 38 after 1.5 s.) */
static void pile_comes_to_rest(void **state)
{
    (void)state;
    for (int adaptive = SANITIZED; adaptive < 2; adaptive++) {
        cst_world *world = pile(adaptive);
        cst_step_report report = {0};
        double fastest = 0.0, deepest = 0.0;
        int iterations = 0, steps = 0;
        while (cst_world_time(world) < 2.0) {
            assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
            if (cst_world_time(world) <= 1.8)
                continue;
            assert_int_equal(report.status, CST_SOLVED);
            fastest = fmax(fastest, report.motion / report.dt);
            deepest = fmax(deepest, report.penetration);
            iterations += report.iterations;
            steps++;
        }
        print_message("%d contacts push: %.1e m/s at most, %.1f iterations a step, %.1e m deep\n",
                      report.sticking + report.sliding, fastest, (double)iterations / steps, deepest);
        assert_true(report.sticking + report.sliding >= 2 * RODS);
        assert_true(fastest < 1e-7);
        assert_true(deepest < 1e-4);
        assert_true(iterations < 40 * steps);
        cst_world_free(world);
    }
}

/* Rods that begin within each other are pushed apart, not blown apart: half the step must not mean twice the push. */
static void overlapping_rods_part(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0.0;
    def.friction_coefficient = 0.0;
    def.time_step.adaptive = true;
    cst_world *world = world_of(&def);
    const double overlap = 0.008;
    for (int i = 0; i < 2; i++) {
        cst_rod_def rod = limp_rod();
        rod.position[1] = (2.0 * rod.radius - overlap) * i;
        rod.velocity[0] = 40.0 * i; /* along the other: steps of an eighth of a millisecond */
        world_rod(world, &rod);
    }
    double shortest = HUGE_VAL;
    cst_step_report report = {0};
    while (cst_world_time(world) < 0.02) {
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
        shortest = fmin(shortest, report.dt);
    }
    print_message("apart with %.1e J, in steps of %.1e s at least\n", report.energy.normal, shortest);
    /* a twentieth of the radius in each whole millisecond; no more than if both rods of 15 g had all of that speed */
    const double speed = 0.05 * 0.01 / def.time_step.dt;
    assert_true(shortest < 0.2 * def.time_step.dt);
    assert_true(report.energy.normal > 0.0);
    assert_true(report.energy.normal < 2.0 * 0.5 * 0.015 * speed * speed);
    assert_true(report.penetration < 1e-4);
    cst_world_free(world);
}

/* The ends of two rods that a hinge held together lie within each other when it lets go: they part without a blow, and soon. */
static void released_hinge_parts(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = 0.0;
        def.time_step.theta = i == 0 ? 1.0 : 0.5;
        cst_world *world = world_of(&def);
        char message[256] = "";
        cst_constraint_def hinge = cst_constraint_def_default();
        for (int k = 0; k < 2; k++) {
            cst_rod_def rod = limp_rod();
            rod.position[0] = rod.length * k;
            rod.angle = 0.2 * k;
            *(k == 0 ? &hinge.a : &hinge.b) = (cst_place){.body = world_rod(world, &rod), .at_end = k == 0};
        }
        hinge.kind = CST_CONSTRAINT_PINNED;
        hinge.release_time = 0.01;
        assert_int_not_equal(cst_world_add_constraint(world, &hinge, message, sizeof message), 0);
        double deepest = 0.0, apart = HUGE_VAL, energy = 0.0;
        while (cst_world_time(world) < 0.1) {
            const cst_step_report report = world_step(world);
            deepest = fmax(deepest, report.penetration);
            if (report.penetration > 0.0)
                apart = report.time;
            energy = report.energy.normal;
        }
        print_message("theta %.1f: %.1e m within each other, apart %.3f s later with %.1e J\n", def.time_step.theta, deepest,
                      apart - hinge.release_time, energy);
        assert_true(deepest > 0.015);
        assert_true(apart < hinge.release_time + 0.08);
        assert_true(energy > 0.0 && energy < 0.5 * 0.015 * 0.5 * 0.5);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pile_comes_to_rest), cmocka_unit_test(overlapping_rods_part),
                                       cmocka_unit_test(released_hinge_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
