/* Quasi-static steps end in equilibrium, whatever their dt, in every model; what has no equilibrium is told so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

enum { ELEMENTS = 40, MODELS = 5 };
static const double LENGTH = 1.0, STIFFNESS = 0.1, FORCE = 0.1, MASS = 0.1;

/* A cantilever along x: model 0 is a super-circle in the plane, the others are fibers in space. y is down in the plane, z in space. */
static cst_world *cantilever(int model, double dt, double gravity, double load, bool quasi_static, cst_body_id *body)
{
    char message[256] = "";
    cst_world_def def = cst_world_def_default(model == 0 ? 2 : 3);
    const int down = model == 0 ? 1 : 2;
    def.gravity[down] = -gravity;
    def.time_step.dt = dt;
    def.time_step.quasi_static = quasi_static;
    cst_world *world = world_of(&def);
    if (model == 0) {
        cst_rod_def rod = cst_rod_def_default();
        rod.elements = ELEMENTS;
        rod.length = LENGTH;
        rod.radius = 0.005;
        rod.mass_per_length = MASS / LENGTH;
        rod.bending_stiffness = STIFFNESS;
        rod.clamped = true;
        *body = cst_world_add_rod(world, &rod, message, sizeof message);
    } else {
        static const cst_fiber_model models[] = {CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE,
                                                 CST_FIBER_SPRINGS};
        cst_fiber_def fiber = cst_fiber_def_default();
        fiber.model = models[model - 1];
        fiber.elements = ELEMENTS;
        fiber.length = LENGTH;
        fiber.radius = 0.005;
        fiber.mass_per_length = MASS / LENGTH;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = STIFFNESS;
        fiber.twisting_stiffness = STIFFNESS;
        fiber.stretching_stiffness = 1e4;
        fiber.clamped = true;
        *body = cst_world_add_fiber(world, &fiber, message, sizeof message);
    }
    if (*body == 0)
        fail_msg("%s", message);
    cst_load_def tip = cst_load_def_default();
    tip.at = (cst_place){.body = *body, .at_end = true};
    tip.force[down] = -load;
    if (load != 0.0 && !cst_world_add_load(world, &tip, message, sizeof message))
        fail_msg("%s", message);
    return world;
}

static void tip_of(const cst_world *world, cst_body_id body, double *x)
{
    const cst_place tip = {.body = body, .at_end = true};
    if (cst_world_definition(world)->dim == 2)
        cst_world_place(world, &tip, x, NULL, NULL);
    else
        cst_world_place_space(world, &tip, x, NULL, NULL, NULL);
}

/* The elastica of F L^2 / EI = 1: tip 0.30172 L down and 0.05636 L in (Bisshopp and Drucker 1945). */
static void same_for_every_dt(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        double first[3] = {0};
        for (int k = 0; k <= 5; k++) {
            const double dt = pow(10.0, -k);
            cst_body_id body;
            cst_world *world = cantilever(model, dt, 0.0, FORCE, true, &body);
            double x[3];
            for (int step = 0; step < 3; step++) {
                cst_step_report report;
                const cst_status status = cst_world_step(world, &report);
                if (k == 3 || status != CST_SOLVED)
                    print_message("model %d, dt %g, step %d: %d iterations, imbalance %.1e N %s\n", model, dt, step,
                                  report.newton_iterations, report.imbalance, report.message);
                assert_int_equal(status, CST_SOLVED);
                assert_true(report.imbalance <= 1e-7 * FORCE);
            }
            tip_of(world, body, x);
            if (k == 0)
                memcpy(first, x, sizeof first);
            for (int c = 0; c < 3; c++)
                assert_near(x[c], first[c], 1e-9);
            assert_near(x[model == 0 ? 1 : 2], -0.30172 * LENGTH, 4e-4 * LENGTH);
            assert_near(x[0], (1.0 - 0.05636) * LENGTH, 4e-4 * LENGTH);
            cst_world_free(world);
        }
    }
}

/* The clamp carries the weight and the load, and their moment about the root: the moment of the weight is at most that
 * of all of it at the tip, and the next test has the moment of a load exactly. */
static void the_root_carries_all(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        const double g = 2.0;
        cst_body_id body;
        cst_world *world = cantilever(model, 1e-3, g, FORCE, true, &body);
        double force[3], moment[3], x[3];
        world_step(world);
        world_step(world);
        tip_of(world, body, x);
        assert_true(cst_world_root_force(world, body, force, moment));
        const double up = force[model == 0 ? 1 : 2], turn = model == 0 ? moment[2] : -moment[1];
        const double weight = MASS * g;
        print_message("model %d: force %.12g N, weight and load %.12g N, moment %.9g N m\n", model, up, weight + FORCE, turn);
        assert_near(up, weight + FORCE, 1e-8);
        assert_near(force[0], 0.0, 1e-8);
        assert_true(turn > FORCE * x[0] && turn < FORCE * x[0] + weight * x[0]);
        cst_world_free(world);
    }
}

/* A moment alone: the reaction is its opposite. A load alone: the moment is force times arm. */
static void moment_at_the_root(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        cst_body_id body;
        cst_world *world = cantilever(model, 1e-3, 0.0, FORCE, true, &body);
        double force[3], moment[3], x[3];
        world_step(world);
        world_step(world);
        tip_of(world, body, x);
        cst_world_root_force(world, body, force, moment);
        assert_near(force[model == 0 ? 1 : 2], FORCE, 1e-8);
        assert_near(model == 0 ? moment[2] : -moment[1], FORCE * x[0], 1e-8);
        cst_world_free(world);
    }
}

/* At rest in equilibrium a dynamic step has the same reaction; let go from straight, the first step needs less than the weight. */
static void the_root_of_a_dynamic_step(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        cst_body_id body;
        char message[256] = "";
        cst_world *world = cantilever(model, 1e-3, 2.0, FORCE, false, &body);
        double still[3], moment[3], force[3], again[3];
        cst_world *same = cantilever(model, 1e-3, 2.0, FORCE, true, &body);
        world_step(same);
        world_step(same);
        cst_world_root_force(same, body, still, moment);
        if (!cst_world_find_equilibrium(world, 1e-12, NULL, message, sizeof message))
            fail_msg("%s", message);
        world_step(world);
        cst_world_root_force(world, body, force, again);
        print_message("model %d: %.12g N static, %.12g N dynamic\n", model, still[model == 0 ? 1 : 2], force[model == 0 ? 1 : 2]);
        for (int c = 0; c < 3; c++) {
            assert_near(force[c], still[c], 1e-8);
            assert_near(again[c], moment[c], 1e-8);
        }
        cst_world_free(world);
        cst_world_free(same);
    }
}

/* Nothing holds it: the step says so, names it, and leaves it where it is. */
static void what_nothing_holds_is_told(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    def.time_step.quasi_static = true;
    cst_world *world = world_of(&def);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 10;
    rod.length = 1.0;
    rod.radius = 0.01;
    rod.mass_per_length = rod.bending_stiffness = 0.1;
    rod.name = "loose";
    world_rod(world, &rod);
    cst_step_report report;
    assert_int_equal(cst_world_step(world, &report), CST_NO_SOLUTION);
    print_message("%s\n", report.message);
    assert_non_null(strstr(report.message, "loose"));
    assert_non_null(strstr(report.message, "nothing holds it"));
    double x[3];
    cst_world_place(world, &(cst_place){.body = 1}, x, NULL, NULL);
    assert_near(x[1], 0.0, 0.0);
    cst_world_free(world);
}

/* equilibrium_first: a rod held by a clamped constraint goes where one that is clamped by itself goes, and the constraint's force is the weight. */
static void equilibrium_of_a_held_rod(void **state)
{
    (void)state;
    char message[256] = "";
    double tip[2][3], force[3], moment[3];
    for (int held = 0; held < 2; held++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = -2.0;
        cst_world *world = world_of(&def);
        cst_rod_def rod = cst_rod_def_default();
        rod.elements = ELEMENTS;
        rod.length = LENGTH;
        rod.radius = 0.005;
        rod.mass_per_length = MASS / LENGTH;
        rod.bending_stiffness = STIFFNESS;
        rod.clamped = !held;
        const cst_body_id body = world_rod(world, &rod);
        cst_constraint_def clamp = cst_constraint_def_default();
        clamp.kind = CST_CONSTRAINT_CLAMPED;
        clamp.a = (cst_place){.body = body};
        clamp.b_follows_a = true;
        if (held && !cst_world_add_constraint(world, &clamp, message, sizeof message))
            fail_msg("%s", message);
        if (!cst_world_find_equilibrium(world, 1e-10, NULL, message, sizeof message))
            fail_msg("%s", message);
        tip_of(world, body, tip[held]);
        if (held) {
            cst_world_constraint_force(world, 1, force, moment);
            assert_near(force[1], 2.0 * MASS, 1e-8);
        }
        cst_step_report report; /* and there it stays, in a dynamic step */
        assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
        assert_true(report.motion < 1e-8);
        cst_world_free(world);
    }
    for (int c = 0; c < 2; c++)
        assert_near(tip[1][c], tip[0][c], 1e-8);
}

/* A free rod lies on two pegs: each carries half of the weight. */
static void equilibrium_on_supports(void **state)
{
    (void)state;
    char message[256] = "";
    cst_world_def def = cst_world_def_default(2);
    def.friction.tolerance = 1e-12;
    cst_world *world = world_of(&def);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 20;
    rod.length = LENGTH;
    rod.radius = 0.005;
    rod.mass_per_length = MASS / LENGTH;
    rod.bending_stiffness = STIFFNESS;
    rod.position[0] = -0.5 * LENGTH;
    world_rod(world, &rod);
    cst_obstacle_def disk = cst_obstacle_def_default();
    disk.shape = CST_OBSTACLE_DISK;
    disk.radius = 0.02;
    disk.position[1] = -0.025;
    cst_obstacle_id peg[2];
    for (int side = 0; side < 2; side++) {
        disk.position[0] = side ? 0.3 : -0.3;
        peg[side] = world_obstacle(world, &disk);
    }
    if (!cst_world_find_equilibrium(world, 1e-10, NULL, message, sizeof message))
        fail_msg("%s", message);
    for (int side = 0; side < 2; side++) {
        double force[3];
        cst_world_obstacle_force(world, peg[side], force);
        assert_near(force[1], -0.5 * MASS * 9.81, 1e-6);
    }
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_for_every_dt),          cmocka_unit_test(the_root_carries_all),
                                       cmocka_unit_test(moment_at_the_root),         cmocka_unit_test(the_root_of_a_dynamic_step),
                                       cmocka_unit_test(what_nothing_holds_is_told), cmocka_unit_test(equilibrium_of_a_held_rod),
                                       cmocka_unit_test(equilibrium_on_supports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
