/* Equilibria of planar rods against golden shapes, the heavy elastica (tests/data/physics/A_cantilever: gravity raised from zero
 * at fixed natural curvature), closed forms, and the dynamics' own idea of rest. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/super_circle_fixture.h"

enum { ELEMENTS_MAX = 512 };

/* A cantilever of length, bending stiffness and mass per length 1 under gravity Gamma; curls downwards for kappa_0 > 0. */
static cst_body_model cantilever(int formulation, int n, double gamma, double kappa0, cst_step_frame *frame)
{
    cst_rod_def def = rod_definition(n, 1.0, 1.0, 1.0);
    def.formulation = (cst_rod_formulation)formulation;
    def.clamped = true;
    def.natural_curvature = -kappa0;
    *frame = step_frame(0.01, 1.0, 0.0, -gamma);
    return rod_create(&def);
}

static int relax(cst_body_model *rod, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance)
{
    int iterations = 0;
    char message[256] = "";
    if (!rod->class->equilibrium(rod->self, frame, load, loads, tolerance, &iterations, message, sizeof message))
        fail_msg("%s", message);
    return iterations;
}

static int tip_of(int formulation, int n, double gamma, double kappa0, double *x, double *down)
{
    cst_step_frame frame;
    cst_body_model rod = cantilever(formulation, n, gamma, kappa0, &frame);
    int iterations = relax(&rod, &frame, NULL, 0, 1e-12);
    rod_tip(&rod, x, down);
    *down = -*down;
    rod_destroy(&rod);
    return iterations;
}

static void golden_shapes(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_static.json");
    const json *cases = json_get(file, "cases");
    assert_int_equal(cases->count, 6);
    for (size_t k = 0; k < cases->count; ++k) {
        const json *one = cases->item[k];
        int n = (int)json_number(one, "n");
        double g[2], kappa[ELEMENTS_MAX], tip[2], q[ELEMENTS_MAX], v[ELEMENTS_MAX];
        json_numbers(json_get(one, "g"), g, 2);
        assert_int_equal(json_numbers(json_get(one, "kappa"), kappa, ELEMENTS_MAX), n);
        json_numbers(json_get(one, "tip"), tip, 2);
        for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
            cst_rod_def def = rod_definition(n, json_number(one, "L"), json_number(one, "rhoA"), json_number(one, "EI"));
            def.formulation = (cst_rod_formulation)formulation;
            def.clamped = true;
            def.natural_curvature = json_number(one, "kappa0");
            cst_body_model rod = rod_create(&def);
            cst_step_frame frame = step_frame(0.01, 1.0, g[0], g[1]);
            relax(&rod, &frame, NULL, 0, 1e-12);
            rod_state(&rod, n, q, v);
            assert_close(q + 3, kappa, n, 1e-10, 1.0, "curvature");
            double found[2];
            rod_tip(&rod, &found[0], &found[1]);
            assert_close(found, tip, 2, 1e-10, 1.0, "tip");
            rod_destroy(&rod);
        }
    }
    json_free(file);
}

/* The discrete equilibria as they were computed independently (P1 elements in theta), digit for digit; hence errors and orders
 * are those of convergence_discrete.csv. */
static void discrete_convergence(void **state)
{
    (void)state;
    table t = table_read("physics/A_cantilever/convergence_discrete.csv");
    int checked = 0;
    double worst = 0.0;
    for (int i = 0; i < t.rows; ++i) {
        const double *row = t.value + i * t.columns; /* model, Gamma, n, x, y, relative error, absolute error, order */
        if (strcmp(t.name[i], "supercircle") != 0)
            continue;
        for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
            double tip[2];
            tip_of(formulation, (int)row[2], row[1], 0.0, &tip[0], &tip[1]);
            worst = fmax(worst, largest_difference(tip, row + 3, 2));
            assert_close(tip, row + 3, 2, 2e-11, 1.0, "tip");
        }
        ++checked;
    }
    print_message("%d discrete equilibria, largest difference %.1e\n", checked, worst);
    assert_int_equal(checked, 48);
    table_free(&t);
}

/* The whole master curve: errors against the elastica, order 2. */
static void master_curve(void **state)
{
    (void)state;
    table t = table_read("physics/A_cantilever/cantilever_k0_0.csv");
    int checked = 0, most = 0;
    double worst[3] = {0}, least_order = INFINITY, most_order = 0.0;
    static const int sizes[3] = {64, 128, 256};
    for (int i = 0; i < t.rows; ++i) {
        const double *row = t.value + i * t.columns; /* Gamma, x, y, y/x, ... */
        if (row[0] > 1000.5)
            continue;
        double error[3];
        for (int k = 0; k < 3; ++k) {
            double x, y;
            int iterations = tip_of(CST_ROD_MIXED, sizes[k], row[0], 0.0, &x, &y);
            most = iterations > most ? iterations : most;
            error[k] = hypot(x - row[1], y - row[2]);
            worst[k] = fmax(worst[k], error[k]);
        }
        double order = log2(error[1] / error[2]);
        least_order = fmin(least_order, order);
        most_order = fmax(most_order, order);
        ++checked;
    }
    print_message("%d values of Gamma up to 1e3: largest error / L %.2e, %.2e, %.2e at n = 64, 128, 256; order %.3f to %.3f; "
                  "at most %d Newton steps\n",
                  checked, worst[0], worst[1], worst[2], least_order, most_order, most);
    assert_true(checked > 60);
    /* convergence_discrete.csv at Gamma = 1000 has 4.749e-4, 1.178e-4, 2.940e-5. */
    assert_true(worst[0] < 1.1 * 4.749e-4 && worst[1] < 1.1 * 1.178e-4 && worst[2] < 1.1 * 2.940e-5);
    assert_true(least_order > 1.95 && most_order < 2.05);
    table_free(&t);
}

/* Natural curvatures, both formulations. The rows of a full upward curl above Gamma = 12, where two stable equilibria coexist, are
 * left out. */
static void natural_curvature(void **state)
{
    (void)state;
    table t = table_read("physics/A_cantilever/cantilever_natural_curvature.csv");
    int checked = 0, most = 0;
    double worst = 0.0, apart = 0.0, least_order = INFINITY;
    for (int i = 0; i < t.rows; ++i) {
        const double *row = t.value + i * t.columns; /* name, kappa_0, Gamma, x, y, ... */
        if (row[1] < -6.0 && row[2] > 12.0)
            continue;
        double coarse[2], fine[2], dense[2];
        tip_of(CST_ROD_MIXED, 64, row[2], row[1], &coarse[0], &coarse[1]);
        int iterations = tip_of(CST_ROD_MIXED, 128, row[2], row[1], &fine[0], &fine[1]);
        most = iterations > most ? iterations : most;
        double error = hypot(fine[0] - row[3], fine[1] - row[4]);
        double before = hypot(coarse[0] - row[3], coarse[1] - row[4]);
        if (error > 1e-9) /* the table has ten digits */
            least_order = fmin(least_order, log2(before / error));
        worst = fmax(worst, error);
        if (i % 4 == 0) {
            tip_of(CST_ROD_CHAINED, 64, row[2], row[1], &dense[0], &dense[1]);
            apart = fmax(apart, largest_difference(dense, coarse, 2));
        }
        ++checked;
    }
    print_message(
        "%d equilibria of curved rods: largest error / L %.2e at n = 128, order at least %.3f, formulations %.1e apart; "
        "at most %d Newton steps\n",
        checked, worst, least_order, apart, most);
    assert_true(checked > 440);
    assert_true(worst < 2.5e-4);
    assert_true(least_order > 1.9);
    assert_true(apart < 1e-10);
    table_free(&t);
}

/* A moment at the end bends a straight rod into an arc of curvature M / EI, at whatever n. */
static void end_moment(void **state)
{
    (void)state;
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        cst_step_frame frame;
        cst_body_model rod = cantilever(formulation, 7, 0.0, 0.0, &frame);
        cst_point_load load = {.moment = {0.0, 0.0, 4.0}};
        assert_true(rod.class->places->locate(rod.self, &(cst_place){.at_end = true}, &load.at));
        relax(&rod, &frame, &load, 1, 1e-12);
        double q[10], v[10];
        rod_state(&rod, 7, q, v);
        for (int i = 0; i < 7; ++i)
            assert_true(fabs(q[3 + i] - 4.0) < 1e-12);
        rod_destroy(&rod);
    }
}

/* Several loads on a moved, uneven, curved rod: at the equilibrium a step from rest does not move it. */
static void at_rest(void **state)
{
    (void)state;
    enum { N = 12 };
    double length[N], stiffness[N], natural[N];
    for (int i = 0; i < N; ++i) {
        length[i] = 0.05 + 0.01 * (i % 3);
        stiffness[i] = 0.02 + 0.005 * (i % 4);
        natural[i] = 1.5 - 0.4 * i;
    }
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        cst_rod_def def = rod_definition(N, 0.0, 0.05, 0.0);
        def.formulation = (cst_rod_formulation)formulation;
        def.element_length = length;
        def.element_bending_stiffness = stiffness;
        def.element_natural_curvature = natural;
        def.clamped = true;
        def.position[0] = 0.3;
        def.position[1] = -0.2;
        def.angle = 0.7;
        def.load[0] = 0.1;
        def.load[1] = 0.2;
        cst_body_model rod = rod_create(&def);
        cst_step_frame frame = step_frame(0.01, 1.0, 0.0, -9.81);
        cst_point_load load[3] = {{.force = {0.3, -0.1, 0.0}, .moment = {0.0, 0.0, -0.01}},
                                  {.force = {-0.2, 0.3, 0.0}},
                                  {.force = {0.0, 0.1, 0.0}, .moment = {0.0, 0.0, 0.02}}};
        const double s[3] = {0.23, 0.41, 0.0};
        for (int k = 0; k < 3; ++k)
            assert_true(rod.class->places->locate(rod.self, &(cst_place){.s = s[k], .at_end = k == 2}, &load[k].at));
        int iterations = relax(&rod, &frame, load, 3, 1e-12);
        assert_true(iterations > 1 && iterations < 200);

        char message[256];
        assert_true(rod.class->dynamics->assemble(rod.self, &frame, NULL, message, sizeof message));
        double *rhs = rod.class->dynamics->rhs(rod.self), loaded = 0.0, v[4 * N];
        for (int k = 0; k < 3; ++k) {
            int32_t dof[4 * N];
            double j[8 * N], turn[4 * N];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turn};
            rod.class->places->point(rod.self, &load[k].at, &motion);
            for (int i = 0; i < motion.dofs; ++i)
                rhs[dof[i]] +=
                    frame.dt * (j[i] * load[k].force[0] + j[motion.dofs + i] * load[k].force[1] + turn[i] * load[k].moment[2]);
        }
        memcpy(v, rhs, (size_t)rod.class->dynamics->dofs(rod.self) * sizeof *v);
        assert_true(rod.class->dynamics->solve(rod.self, v));
        for (int i = 0; i < rod.class->dynamics->dofs(rod.self); ++i)
            loaded = fmax(loaded, fabs(v[i]));
        assert_true(loaded < 1e-10);

        /* And without the loads it does. */
        rod_step(&rod, &frame, 1, v);
        double free_motion = 0.0;
        for (int i = 0; i < rod.class->dynamics->dofs(rod.self); ++i)
            free_motion = fmax(free_motion, fabs(v[i]));
        assert_true(free_motion > 1e-2);
        rod_destroy(&rod);
    }
}

static void refusals(void **state)
{
    (void)state;
    int iterations;
    char message[256] = "";
    cst_rod_def def = rod_definition(4, 1.0, 1.0, 1.0);
    cst_body_model rod = rod_create(&def);
    cst_step_frame frame = step_frame(0.01, 1.0, 0.0, -9.81);
    assert_false(rod.class->equilibrium(rod.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message));
    assert_non_null(strstr(message, "not clamped"));
    rod_destroy(&rod);
    rod = cantilever(CST_ROD_MIXED, 4, 1.0, 0.0, &frame);
    assert_false(rod.class->equilibrium(rod.self, &frame, NULL, 0, 0.0, &iterations, message, sizeof message));
    assert_non_null(strstr(message, "tolerance"));
    frame.gravity[1] = NAN;
    double before[14], after[14];
    rod.class->state->save(rod.self, before);
    assert_false(rod.class->equilibrium(rod.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message));
    rod.class->state->save(rod.self, after);
    assert_memory_equal(before, after, sizeof before);
    rod_destroy(&rod);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_shapes), cmocka_unit_test(discrete_convergence),
                                       cmocka_unit_test(master_curve),  cmocka_unit_test(natural_curvature),
                                       cmocka_unit_test(end_moment),    cmocka_unit_test(at_rest),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("super-circle, statics", tests, NULL, NULL);
}
