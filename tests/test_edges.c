/* The edges of what a problem can be: none, one, all open, no friction, enormous friction, twice the same contact, only pins,
 * contacts that cannot move; and the options at their edges. */
#include "tests/friction_fixture.h"

static void with_every_solver(const cst_friction_problem *problem, double tolerance, const char *name)
{
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        outcome out = solve_with(problem, (cst_solver)solver, tolerance, 100000);
        char full[120];
        snprintf(full, sizeof full, "%s, %s", name, cst_solver_name((cst_solver)solver));
        assert_solved(problem, &out, tolerance, full);
        outcome_free(&out);
    }
}

static void test_no_contact(void **state)
{
    (void)state;
    /* not even arrays */
    const cst_friction_problem bare = {.dim = 3};
    owned_problem none = problem_new(2, 0, 0);
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        options.solver = (cst_solver)solver;
        assert_int_equal(cst_friction_solve(&bare, &options, NULL, NULL, &report), CST_SOLVED);
        assert_true(report.residual.error == 0.0 && report.residual.worst_contact == -1 && report.iterations == 0);
        double r[1] = {7}, u[1] = {8};
        assert_int_equal(cst_friction_solve(&none.problem, &options, r, u, &report), CST_SOLVED);
        assert_true(r[0] == 7.0 && u[0] == 8.0);
    }
    problem_free(&none);
}

/* One contact through the global solvers: the answers of the local closed forms. */
static void test_one_contact(void **state)
{
    (void)state;
    static const struct {
        double w[3], mu, r[3], tolerance;
    } ONE[] = {
        {{1, 5, 0}, 0.5, {0, 0, 0}, 1e-12},        /* open */
        {{0, 5, 0}, 0.5, {0, 0, 0}, 1e-12},        /* grazing */
        {{-2, 0.5, 0}, 0.5, {1, -0.25, 0}, 1e-12}, /* W = 2 I: sticks */
        {{-2, 3, 4}, 0.5, {1, -0.3, -0.4}, 1e-12}, /* slides */
        {{-2, 3, 4}, 0.0, {1, 0, 0}, 1e-12},       /* frictionless */
        /* sticks whatever comes; the Fischer-Burmeister function is blind by 1/mu to some directions */
        {{-2, 3, 4}, 100.0, {1, -1.5, -2}, 1e-10},
        /* hardly touches: V is a millionth of the largest velocity, and the rounding of that is 1e-10 of V */
        {{-1e-12, 3, 4}, 0.5, {5e-13, -1.5e-13, -2e-13}, 1e-9},
    };
    for (size_t k = 0; k < sizeof ONE / sizeof ONE[0]; k++) {
        const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
        owned_problem one = problem_from_dense(3, 1, W, ONE[k].w, &ONE[k].mu, NULL);
        for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
            outcome out = solve_with(&one.problem, (cst_solver)solver, ONE[k].tolerance, 100000);
            assert_solved(&one.problem, &out, ONE[k].tolerance, cst_solver_name((cst_solver)solver));
            for (int c = 0; c < 3; c++)
                assert_true(fabs(out.r[c] - ONE[k].r[c]) <= 1e-9);
            outcome_free(&out);
        }
        problem_free(&one);
    }
}

/* Everything separates: zero, exactly, at no cost, even from a first guess that is not zero. */
static void test_all_separate(void **state)
{
    (void)state;
    known_problem known = known_unique(4, (known_shape){.dim = 3, .contacts = 40});
    for (int i = 0; i < 40; i++)
        known.owned.free_velocity[3 * i] = i % 4 == 0 ? 0.0 : 0.1 * i;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        double r[120], u[120];
        for (int k = 0; k < 120; k++)
            r[k] = 1.0 + k;
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        options.solver = (cst_solver)solver;
        assert_int_equal(cst_friction_solve(&known.owned.problem, &options, r, u, &report), CST_SOLVED);
        for (int k = 0; k < 120; k++)
            assert_true(r[k] == 0.0 && u[k] == known.owned.free_velocity[k]);
        assert_true(report.residual.error == 0.0);
        assert_int_equal(report.iterations, 0);
    }
    known_free(&known);
}

static void test_friction_of_all_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double mu[3]; /* contacts take them in turn */
    } MU[] = {
        {"mu 0", {0, 0, 0}},         {"mu 1e-9", {1e-9, 1e-9, 1e-9}}, {"mu 1", {1, 1, 1}},
        {"mu 100", {100, 100, 100}}, {"mu 0, 0.3, 10", {0, 0.3, 10}}, {"mu 0, 1e-6, 100", {0, 1e-6, 100}},
    };
    for (size_t k = 0; k < sizeof MU / sizeof MU[0]; k++)
        for (int dim = 2; dim <= 3; dim++) {
            known_problem known = known_unique(20 + k, (known_shape){.dim = dim, .contacts = 30, .bilateral = 0.1});
            for (int i = 0; i < 30; i++)
                known.owned.mu[i] = MU[k].mu[i % 3];
            outcome out = solve_with(&known.owned.problem, CST_SOLVER_AUTO, 1e-9, 100000);
            assert_solved(&known.owned.problem, &out, 1e-9, MU[k].name);
            if (k == 0) /* no tangential impulse at all, not just a small one */
                for (int i = 0; i < 30; i++)
                    for (int c = 1; c < dim; c++)
                        assert_true(out.r[i * dim + c] == 0.0 || known.owned.law[i] == CST_LAW_BILATERAL);
            outcome_free(&out);
            known_free(&known);
        }
}

/* Contacts written twice, three times: W is singular, the impulses are not unique, the velocities are. */
static void test_the_same_contact_again(void **state)
{
    (void)state;
    for (int times = 2; times <= 4; times++)
        for (int dim = 2; dim <= 3; dim++) {
            enum { N = 6 };
            known_problem known = known_unique(30, (known_shape){.dim = dim, .contacts = N, .natural_order = true});
            const cst_friction_problem *p = &known.owned.problem;
            const int n = N * times, m = n * dim;
            double *W = new_doubles((size_t)m * (size_t)m), w[N * 4 * 3], mu[N * 4];
            for (int i = 0; i < n; i++) {
                const int from = i % N;
                mu[i] = p->mu[from];
                memcpy(w + i * dim, p->free_velocity + from * dim, (size_t)dim * sizeof(double));
                for (int64_t e = p->row_start[from]; e < p->row_start[from + 1]; e++)
                    for (int again = 0; again < times; again++)
                        for (int k = 0; k < dim * dim; k++)
                            W[(i * dim + k / dim) * m + (p->column[e] + again * N) * dim + k % dim] = p->block[e * dim * dim + k];
            }
            owned_problem repeated = problem_from_dense(dim, n, W, w, mu, NULL);
            outcome out = solve_with(&repeated.problem, CST_SOLVER_AUTO, 1e-10, 100000);
            assert_solved(&repeated.problem, &out, 1e-10, "the same contacts again");
            for (int i = 0; i < n; i++)
                for (int c = 0; c < dim; c++)
                    assert_true(fabs(out.u[i * dim + c] - known.u[i % N * dim + c]) <= 1e-7);
            outcome_free(&out);
            problem_free(&repeated);
            free(W);
            known_free(&known);
        }
}

/* Only pins: a linear system. */
static void test_bilateral_only(void **state)
{
    (void)state;
    known_problem known = known_unique(40, (known_shape){.dim = 3, .contacts = 50, .bilateral = 1.0});
    with_every_solver(&known.owned.problem, 1e-9, "pins");
    outcome out = solve_with(&known.owned.problem, CST_SOLVER_AUTO, 1e-11, 10000);
    assert_true(impulse_distance(&known.owned.problem, out.r, known.r) <= 1e-9);
    outcome_free(&out);
    known_free(&known);
}

/* A contact between bodies that cannot move (W_ii = 0): fine while it does not approach, no solution if it does. */
static void test_no_compliance(void **state)
{
    (void)state;
    known_problem known = known_unique(50, (known_shape){.dim = 3, .contacts = 8, .natural_order = true});
    const double zero[9] = {0}, mu = 0.5;
    double w[3] = {0.5, 1.0, 0.0};
    owned_problem rigid = problem_from_dense(3, 1, zero, w, &mu, NULL);
    owned_problem both = problem_side_by_side(&known.owned.problem, &rigid.problem);
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        outcome out = solve_with(&both.problem, (cst_solver)solver, 1e-8, 100000);
        assert_solved(&both.problem, &out, 1e-8, "a rigid contact that separates");
        outcome_free(&out);
    }
    both.free_velocity[24] = -0.5;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        outcome out = solve_with(&both.problem, (cst_solver)solver, 1e-8, 1000);
        print_message("rigid contact that approaches, %s: %s, %s\n", cst_solver_name((cst_solver)solver),
                      cst_status_name(out.report.status), out.report.message);
        assert_int_equal(out.report.status, CST_NO_SOLUTION);
        assert_int_equal(out.report.blamed_count, 1);
        assert_int_equal(out.report.blamed[0], 8);
        for (int k = 0; k < 27; k++)
            assert_true(isfinite(out.r[k]) && isfinite(out.u[k]));
        /* the others are solved all the same */
        assert_true(velocity_distance(&known.owned.problem, out.u, known.u) <= 1e-6);
        outcome_free(&out);
    }
    problem_free(&both);
    problem_free(&rigid);
    known_free(&known);
}

/* ------------------------------------------------------------------------------------------------------------- options */

static void test_names(void **state)
{
    (void)state;
    for (int k = 0; k < CST_SOLVER_COUNT; k++) {
        cst_solver back = CST_SOLVER_COUNT;
        assert_true(cst_solver_from_name(cst_solver_name((cst_solver)k), &back));
        assert_int_equal(back, k);
    }
    for (int k = 0; k < CST_LOCAL_COUNT; k++) {
        cst_local_solver back = CST_LOCAL_COUNT;
        assert_true(cst_local_solver_from_name(cst_local_solver_name((cst_local_solver)k), &back));
        assert_int_equal(back, k);
    }
    for (int k = 0; k < CST_FORM_COUNT; k++) {
        cst_form back = CST_FORM_COUNT;
        assert_true(cst_form_from_name(cst_form_name((cst_form)k), &back));
        assert_int_equal(back, k);
    }
    for (int k = CST_SOLVED; k <= CST_OUT_OF_MEMORY; k++)
        assert_true(strlen(cst_status_name((cst_status)k)) > 0);
    cst_solver solver = CST_SOLVER_CADOUX;
    cst_local_solver local = CST_LOCAL_QUARTIC;
    cst_form form = CST_FORM_MIXED;
    assert_false(cst_solver_from_name("no such solver", &solver) || cst_solver_from_name("", &solver));
    assert_false(cst_local_solver_from_name("no such solver", &local));
    assert_false(cst_form_from_name("no such form", &form));
    assert_true(solver == CST_SOLVER_CADOUX && local == CST_LOCAL_QUARTIC && form == CST_FORM_MIXED);
}

/* Every exact local solver in the sweeps, with the fail-safe, comes to the same answer. */
static void test_local_solvers(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        known_problem known = known_unique(60, (known_shape){.dim = dim, .contacts = 60, .bilateral = 0.1});
        for (int local = 0; local < CST_LOCAL_COUNT; local++) {
            if (local == CST_LOCAL_DURIEZ06 || local == CST_LOCAL_PYRAMID)
                continue; /* not exact: for comparison */
            cst_friction_options options = cst_friction_options_default();
            options.solver = CST_SOLVER_GAUSS_SEIDEL;
            options.local = (cst_local_solver)local;
            options.tolerance = 1e-8;
            options.max_iterations = 5000;
            outcome out = solve_with_options(&known.owned.problem, &options);
            assert_solved(&known.owned.problem, &out, 1e-8, cst_local_solver_name(options.local));
            assert_true(velocity_distance(&known.owned.problem, out.u, known.u) <= 1e-6);
            assert_true(out.report.local_solves > 0);
            assert_true(out.report.fallbacks <= out.report.local_failures);
            outcome_free(&out);
        }
        known_free(&known);
    }
}

typedef struct watch {
    int calls, stop_at, iterations;
    double error;
    bool sound;
} watch;

static bool look(void *user, const cst_friction_progress *progress)
{
    watch *w = user;
    w->calls++;
    w->sound = w->sound && progress->phase && progress->iterations >= w->iterations && !isnan(progress->error);
    w->iterations = progress->iterations;
    w->error = progress->error;
    return w->calls < w->stop_at;
}

/* The callback is told of progress, and its no is obeyed: the best iterate so far comes back, judged. */
static void test_interruption(void **state)
{
    (void)state;
    known_problem known = known_unique(70, (known_shape){.dim = 3, .contacts = 200});
    const cst_friction_problem *p = &known.owned.problem;
    int wrong = 0;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++)
        for (int stop_at = 1; stop_at <= 3; stop_at++) {
            watch w = {.stop_at = stop_at, .sound = true};
            cst_friction_options options = cst_friction_options_default();
            options.solver = (cst_solver)solver;
            options.tolerance = 1e-300;
            options.progress = look;
            options.progress_user = &w;
            outcome out = solve_with_options(p, &options);
            const double error = judge(p, out.r, 0.0).alart_curnier;
            const char *fault = NULL;
            if (out.report.status != CST_INTERRUPTED)
                fault = "not called interrupted";
            else if (w.calls != stop_at)
                fault = "asked again after the no";
            else if (!w.sound)
                fault = "progress goes backwards, or is not a number";
            else if (fabs(error - out.report.residual.error) > 1e-12)
                fault = "the error reported is not the error";
            else if (!(error <= 1.0 + 1e-12))
                fault = "worse than the first guess";
            if (fault) {
                print_error("%s told to stop at call %d: %s (%s, %d calls, E %.1e)\n", cst_solver_name(options.solver), stop_at,
                            fault, cst_status_name(out.report.status), w.calls, error);
                wrong++;
            }
            outcome_free(&out);
        }
    known_free(&known);
    assert_int_equal(wrong, 0);
}

/* Iterations run out: said so, no more of them are made than allowed, and the answer is no worse than the first guess. */
static void test_iterations_run_out(void **state)
{
    (void)state;
    known_problem known = known_unique(80, (known_shape){.dim = 3, .contacts = 100});
    int wrong = 0;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        for (int limit = 0; limit <= 8; limit++) {
            outcome out = solve_with(&known.owned.problem, (cst_solver)solver, 1e-15, limit);
            const double error = judge(&known.owned.problem, out.r, 0.0).alart_curnier;
            const char *fault = NULL;
            if (out.report.status != CST_TOLERANCE_MISSED && error > 1e-15)
                fault = "not called missed";
            else if (out.report.iterations > limit)
                fault = "more iterations than allowed";
            else if (!(error <= 1.0 + 1e-12))
                fault = "worse than the first guess";
            if (fault) {
                print_error("%s allowed %d iterations: %s (%s after %d, E %.3e)\n", cst_solver_name((cst_solver)solver), limit,
                            fault, cst_status_name(out.report.status), out.report.iterations, error);
                wrong++;
            }
            outcome_free(&out);
        }
    }
    known_free(&known);
    assert_int_equal(wrong, 0);
}

/* A tolerance that rounding does not allow: every solver comes to an end, at the rounding floor. */
static void test_unreachable_tolerance(void **state)
{
    (void)state;
    known_problem known = known_unique(85, (known_shape){.dim = 3, .contacts = 60});
    int wrong = 0;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        watch w = {.stop_at = 100000, .sound = true}; /* far more calls than iterations: only a loop without end gets there */
        cst_friction_options options = cst_friction_options_default();
        options.solver = (cst_solver)solver;
        options.tolerance = 1e-300;
        options.max_iterations = 2000;
        options.progress = look;
        options.progress_user = &w;
        outcome out = solve_with_options(&known.owned.problem, &options);
        const double error = judge(&known.owned.problem, out.r, 0.0).alart_curnier;
        const char *fault = NULL;
        if (w.calls >= w.stop_at)
            fault = "a loop without end";
        else if (out.report.status != CST_TOLERANCE_MISSED && error > 0.0)
            fault = "not called missed";
        else if (out.report.iterations > options.max_iterations)
            fault = "more iterations than allowed";
        else if (!(error <= 1e-12))
            fault = "not at the rounding floor";
        if (fault) {
            print_error("%s: %s (%s after %d, E %.1e)\n", cst_solver_name(options.solver), fault,
                        cst_status_name(out.report.status), out.report.iterations, error);
            wrong++;
        }
        outcome_free(&out);
    }
    known_free(&known);
    assert_int_equal(wrong, 0);
}

/* A given scale, and the other measure. */
static void test_measure(void **state)
{
    (void)state;
    known_problem known = known_unique(90, (known_shape){.dim = 3, .contacts = 60});
    const cst_friction_problem *p = &known.owned.problem;
    cst_friction_options options = cst_friction_options_default();
    options.tolerance = 1e-6;
    options.velocity_scale = 1e3;
    outcome lax = solve_with_options(p, &options);
    assert_int_equal(lax.report.status, CST_SOLVED);
    assert_true(lax.report.residual.velocity_scale == 1e3);
    assert_true(judge(p, lax.r, 1e3).alart_curnier <= 1e-6 * (1.0 + 1e-6));
    options.velocity_scale = 1e-3;
    outcome strict = solve_with_options(p, &options);
    assert_int_equal(strict.report.status, CST_SOLVED);
    assert_true(judge(p, strict.r, 1e-3).alart_curnier <= 1e-6 * (1.0 + 1e-6));
    assert_true(strict.report.iterations > lax.report.iterations);
    options.velocity_scale = 0.0;
    options.judge_by_fischer_burmeister = true;
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        options.solver = (cst_solver)solver;
        outcome out = solve_with_options(p, &options);
        cst_residual seen;
        cst_friction_residual(p, out.r, 0.0, &seen);
        if (out.report.status != CST_SOLVED || !(seen.fischer_burmeister <= 1e-6))
            fail_msg("%s by Fischer-Burmeister: %s, %.2e", cst_solver_name(options.solver), cst_status_name(out.report.status),
                     seen.fischer_burmeister);
        outcome_free(&out);
    }
    outcome_free(&lax);
    outcome_free(&strict);
    known_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_contact),
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_all_separate),
        cmocka_unit_test(test_friction_of_all_sizes),
        cmocka_unit_test(test_the_same_contact_again),
        cmocka_unit_test(test_bilateral_only),
        cmocka_unit_test(test_no_compliance),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_local_solvers),
        cmocka_unit_test(test_interruption),
        cmocka_unit_test(test_iterations_run_out),
        cmocka_unit_test(test_unreachable_tolerance),
        cmocka_unit_test(test_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
