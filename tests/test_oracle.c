/* Problems built from their answer: (r, u) drawn in the law, w = u - W r. Where the answer is provably the only one
 * (tests/friction_fixture.h) every solver must find it, from any first guess. Where it is not, the answer found must still be one. */
#include "tests/friction_fixture.h"

typedef struct campaign {
    known_shape shape;
    int seeds;
} campaign;

static const campaign CAMPAIGNS[] = {
    {{.dim = 2, .contacts = 1}, 40},
    {{.dim = 3, .contacts = 1}, 40},
    {{.dim = 2, .contacts = 2}, 20},
    {{.dim = 3, .contacts = 3}, 20},
    {{.dim = 2, .contacts = 30}, 20},
    {{.dim = 3, .contacts = 30}, 20},
    {{.dim = 3, .contacts = 30, .bilateral = 0.3}, 10},
    {{.dim = 3, .contacts = 30, .bilateral = 1.0}, 5},
    {{.dim = 2, .contacts = 200, .bilateral = 0.1, .natural_order = true}, 5},
    {{.dim = 3, .contacts = 200, .spread = 10.0}, 10},
    {{.dim = 3, .contacts = 300, .bilateral = 0.05, .spread = 3.0}, 5},
};
enum { CAMPAIGNS_COUNT = sizeof CAMPAIGNS / sizeof CAMPAIGNS[0] };

/* The drawing itself: the answer is one, by the judge of the tests and the library's. */
static void test_drawn_answers(void **state)
{
    (void)state;
    for (int c = 0; c < CAMPAIGNS_COUNT; c++)
        for (int seed = 0; seed < CAMPAIGNS[c].seeds; seed++) {
            known_problem known = known_unique((uint64_t)seed, CAMPAIGNS[c].shape);
            const verdict seen = judge(&known.owned.problem, known.r, 0.0);
            if (!(seen.alart_curnier <= 1e-12 && seen.natural <= 1e-12))
                fail_msg("campaign %d seed %d: E %.1e", c, seed, seen.alart_curnier);
            known_free(&known);
        }
}

static void solve_campaigns(cst_solver solver, double tolerance, int max_iterations)
{
    double worst = 0.0;
    int problems = 0, most = 0;
    for (int c = 0; c < CAMPAIGNS_COUNT; c++)
        for (int seed = 0; seed < CAMPAIGNS[c].seeds; seed++) {
            known_problem known = known_unique((uint64_t)seed, CAMPAIGNS[c].shape);
            const cst_friction_problem *p = &known.owned.problem;
            char name[80];
            snprintf(name, sizeof name, "%s, campaign %d seed %d", cst_solver_name(solver), c, seed);
            outcome out = solve_with(p, solver, tolerance, max_iterations);
            assert_solved(p, &out, tolerance, name);
            const double off = velocity_distance(p, out.u, known.u);
            worst = fmax(worst, off);
            if (!(off <= 1e-7))
                fail_msg("%s: solved, but %.1e from the only answer", name, off);
            /* W is definite, so the impulses are the drawn ones too; rescaled contacts weigh differently in E */
            assert_true(impulse_distance(p, out.r, known.r) <= 1e-7);
            most = out.report.iterations > most ? out.report.iterations : most;
            problems++;
            outcome_free(&out);
            known_free(&known);
        }
    print_message("%s: %d problems, velocities within %.1e of the drawn ones, at most %d iterations\n", cst_solver_name(solver),
                  problems, worst, most);
}

static void test_auto(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_AUTO, 1e-10, 2000);
}
static void test_gauss_seidel(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_GAUSS_SEIDEL, 1e-10, 2000);
}
static void test_accelerated(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_ACCELERATED, 1e-10, 2000);
}
static void test_newton_alart_curnier(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_NEWTON_ALART_CURNIER, 1e-10, 200);
}
static void test_newton_fischer_burmeister(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_NEWTON_FISCHER_BURMEISTER, 1e-10, 200);
}
static void test_projected_gauss_seidel(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_PROJECTED_GAUSS_SEIDEL, 1e-10, 5000);
}
static void test_plain_newton(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_PLAIN_NEWTON, 1e-10, 200);
}
static void test_plain_projected_gauss_seidel(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL, 1e-10, 5000);
}
static void test_projected_gradient(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_PROJECTED_GRADIENT, 1e-10, 20000);
}
static void test_cadoux(void **state)
{
    (void)state;
    solve_campaigns(CST_SOLVER_CADOUX, 1e-10, 20000);
}

/* Wherever it starts. */
static void test_any_first_guess(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 2, 0);
    for (int trial = 0; trial < 40; trial++) {
        known_problem known =
            known_unique((uint64_t)trial, (known_shape){.dim = 2 + trial % 2, .contacts = 25, .bilateral = 0.1});
        const cst_friction_problem *p = &known.owned.problem;
        const double size = cst_rng_log_range(&rng, 1e-6, 1e6);
        outcome out = {.r = new_doubles(75), .u = new_doubles(75)};
        for (int k = 0; k < 25 * p->dim; k++)
            out.r[k] = size * cst_rng_normal(&rng); /* outside the cones as often as not */
        cst_friction_options options = cst_friction_options_default();
        options.tolerance = 1e-10;
        cst_friction_solve(p, &options, out.r, out.u, &out.report);
        assert_solved(p, &out, 1e-10, "from afar");
        assert_true(velocity_distance(p, out.u, known.u) <= 1e-7);
        outcome_free(&out);
        known_free(&known);
    }
}

/* Larger mu and stronger coupling: a solution exists, perhaps several. W = G G^T / k of random G with k >= 2 m columns. */
static owned_problem strongly_coupled(uint64_t seed, int dim, int n, double mu_max, double *r)
{
    const int m = n * dim, k = 2 * m;
    double *G = new_doubles((size_t)m * (size_t)k), *W = new_doubles((size_t)m * (size_t)m), *w = new_doubles((size_t)m), mu[64],
           u[192];
    cst_rng rng;
    cst_rng_seed(&rng, seed, 7);
    for (int i = 0; i < m * k; i++)
        G[i] = cst_rng_normal(&rng);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int c = 0; c < k; c++)
                W[i * m + j] += G[i * k + c] * G[j * k + c] / k;
    for (int i = 0; i < n; i++) {
        mu[i] = cst_rng_range(&rng, 0.0, mu_max);
        draw_in_law(&rng, dim, mu[i], false, r + i * dim, u + i * dim);
    }
    for (int i = 0; i < m; i++) {
        w[i] = u[i];
        for (int j = 0; j < m; j++)
            w[i] -= W[i * m + j] * r[j];
    }
    owned_problem owned = problem_from_dense(dim, n, W, w, mu, NULL);
    free(G);
    free(W);
    free(w);
    return owned;
}

static void test_strong_coupling(void **state)
{
    (void)state;
    int same = 0, problems = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const int dim = 2 + (int)(seed % 2), n = 20;
        double known_r[64];
        owned_problem owned = strongly_coupled(seed, dim, n, seed < 30 ? 0.3 : 1.0, known_r);
        outcome out = solve_with(&owned.problem, CST_SOLVER_AUTO, 1e-9, 20000);
        char name[40];
        snprintf(name, sizeof name, "strongly coupled, seed %d", (int)seed);
        assert_solved(&owned.problem, &out, 1e-9, name);
        same += impulse_distance(&owned.problem, out.r, known_r) <= 1e-6;
        problems++;
        outcome_free(&out);
        problem_free(&owned);
    }
    print_message("%d of %d strongly coupled problems: the drawn answer\n", same, problems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawn_answers),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_gauss_seidel),
        cmocka_unit_test(test_accelerated),
        cmocka_unit_test(test_newton_alart_curnier),
        cmocka_unit_test(test_newton_fischer_burmeister),
        cmocka_unit_test(test_projected_gauss_seidel),
        cmocka_unit_test(test_plain_newton),
        cmocka_unit_test(test_plain_projected_gauss_seidel),
        cmocka_unit_test(test_projected_gradient),
        cmocka_unit_test(test_cadoux),
        cmocka_unit_test(test_any_first_guess),
        cmocka_unit_test(test_strong_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
