/* Bilateral rows eliminated (friction/ties.h) against the same rows as contacts of the explicit form: random bodies of every reduced
 * kind, tied at random to each other, to the world and to themselves; more rows than a body has dofs; the plan of who is a hub. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction/tie_plan.h"
#include "tests/body_problems.h"

enum { SEEDS = 40 };

typedef struct answer {
    double *r, *u, *v;
    cst_friction_report report;
} answer;

static answer solve(const test_bodies *made, cst_form form, int threads)
{
    const size_t rows = (size_t)(made->problem.contacts * made->problem.dim);
    answer of = {calloc(rows, sizeof(double)), calloc(rows, sizeof(double)), calloc((size_t)made->dofs, sizeof(double)), {0}};
    cst_friction_options options = cst_friction_options_default();
    options.tolerance = 1e-10;
    options.form = form;
    options.threads = threads;
    cst_friction_solve_bodies(&made->problem, &options, of.r, of.u, of.v, &of.report);
    return of;
}

static void drop(answer *of)
{
    free(of->r);
    free(of->u);
    free(of->v);
}

static double size_of(const double *x, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

static void eliminated_rows_equal_swept_ones(void **state)
{
    (void)state;
    int compared = 0, ties = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        const test_bodies_options options = {.dim = 2 + seed % 2,
                                             .kinds = seed % 4 < 2 ? TEST_DENSE | TEST_BAND : TEST_REDUCED,
                                             .bodies = 4 + seed % 5,
                                             .contacts = 10,
                                             .mu = 0.4,
                                             .bilateral = 0.35,
                                             .same_body = seed % 3 == 0};
        test_bodies *made = test_bodies_make((uint64_t)seed, &options);
        answer eliminated = solve(made, CST_FORM_AUTO, 1), swept = solve(made, CST_FORM_EXPLICIT, 1);
        assert_int_equal(eliminated.report.status, CST_SOLVED);
        if (swept.report.status == CST_SOLVED) {
            const double scale = fmax(size_of(swept.v, made->dofs), 1.0);
            for (int k = 0; k < made->dofs; k++)
                assert_true(fabs(eliminated.v[k] - swept.v[k]) <= 1e-7 * scale);
            compared++;
        }
        for (int i = 0; i < made->problem.contacts; i++) {
            if (!made->problem.law || made->problem.law[i] != CST_LAW_BILATERAL)
                continue;
            ties++;
            for (int c = 0; c < options.dim; c++)
                assert_true(fabs(eliminated.u[i * options.dim + c]) <= 1e-12 * fmax(1.0, size_of(swept.v, made->dofs)));
        }
        drop(&eliminated);
        drop(&swept);
        test_bodies_free(made);
    }
    assert_true(compared > SEEDS / 2 && ties > SEEDS);
}

/* The same tie twice: W is singular, the answer has the same velocities. */
static void rows_given_twice_change_nothing(void **state)
{
    (void)state;
    for (int seed = 0; seed < 10; seed++) {
        const test_bodies_options options = {
            .dim = 2 + seed % 2, .kinds = TEST_DENSE, .bodies = 5 + seed % 4, .contacts = 8, .mu = 0.4, .bilateral = 0.4};
        test_bodies *made = test_bodies_make((uint64_t)(100 + seed), &options);
        answer once = solve(made, CST_FORM_AUTO, 1);
        const int n = made->problem.contacts, dim = options.dim;
        cst_contact_side a[32], b[32];
        double offset[96], mu[32];
        uint8_t law[32];
        int all = n;
        memcpy(a, made->problem.side_a, sizeof *a * (size_t)n);
        memcpy(b, made->problem.side_b, sizeof *b * (size_t)n);
        memcpy(offset, made->problem.velocity_offset, sizeof *offset * (size_t)(n * dim));
        memcpy(mu, made->problem.mu, sizeof *mu * (size_t)n);
        memcpy(law, made->problem.law, sizeof *law * (size_t)n);
        for (int i = 0; i < n; i++)
            if (law[i] == CST_LAW_BILATERAL) {
                a[all] = a[i];
                b[all] = b[i];
                memcpy(offset + all * dim, offset + i * dim, sizeof(double) * (size_t)dim);
                mu[all] = 0.0;
                law[all++] = CST_LAW_BILATERAL;
            }
        test_bodies twice = *made;
        twice.problem.contacts = all;
        twice.problem.side_a = a;
        twice.problem.side_b = b;
        twice.problem.velocity_offset = offset;
        twice.problem.mu = mu;
        twice.problem.law = law;
        answer again = solve(&twice, CST_FORM_AUTO, 2);
        assert_int_equal(again.report.status, CST_SOLVED);
        for (int k = 0; k < made->dofs; k++)
            assert_true(fabs(again.v[k] - once.v[k]) <= 1e-8 * fmax(1.0, size_of(once.v, made->dofs)));
        drop(&once);
        drop(&again);
        test_bodies_free(made);
    }
}

static void hubs_are_those_with_most_ties_for_their_dofs(void **state)
{
    (void)state;
    /* 0 the head of 1, 2, 3; 3 is tied to 4 as well, 4 to the world; 5 to itself; 6 is free */
    const cst_tied_pair tie[] = {{{1, 0}}, {{2, 0}}, {{3, 0}}, {{3, 4}}, {{4, -1}}, {{5, 5}}};
    const int32_t size[] = {6, 21, 21, 21, 6, 21, 21};
    cst_arena arena;
    cst_tie_plan plan;
    cst_arena_begin(&arena, NULL);
    assert_true(cst_tie_plan_make(tie, 6, size, 7, &arena, &plan));
    const uint8_t role[] = {CST_TIE_HUB, CST_TIE_LEAF, CST_TIE_LEAF, CST_TIE_LEAF, CST_TIE_HUB, CST_TIE_LEAF, CST_TIE_FREE};
    const int32_t core[] = {0, 0, 0, 0, 0, -1, -1};
    for (int k = 0; k < 7; k++) {
        assert_int_equal(plan.role[k], role[k]);
        assert_int_equal(plan.core_of[k], core[k]);
    }
    assert_int_equal(plan.cores, 1);
    assert_int_equal(plan.largest, 12);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eliminated_rows_equal_swept_ones),
        cmocka_unit_test(rows_given_twice_change_nothing),
        cmocka_unit_test(hubs_are_those_with_most_ties_for_their_dofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
