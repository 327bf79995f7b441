/* The number of threads changes the time and nothing else: the same bits for 1, 2 and 4, and again the same when run again. Also
 * what ThreadSanitizer looks at. */
#include "generate/family.h"
#include "tests/friction_fixture.h"
#include "tests/sanitized.h"

static const cst_solver SOLVERS[] = {CST_SOLVER_AUTO,
                                     CST_SOLVER_GAUSS_SEIDEL,
                                     CST_SOLVER_PROJECTED_GAUSS_SEIDEL,
                                     CST_SOLVER_ACCELERATED,
                                     CST_SOLVER_PROJECTED_GRADIENT,
                                     CST_SOLVER_CADOUX,
                                     CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL,
                                     CST_SOLVER_NEWTON_ALART_CURNIER};
enum { SOLVERS_COUNT = sizeof SOLVERS / sizeof SOLVERS[0], MAIN_SOLVERS = 3 };

static cst_generated *made;
static cst_assembled *assembled;
static cst_friction_problem problem;

static void begin(const char *family)
{
    cst_family_parameters parameters = cst_family_parameters_default();
    char message[256] = "";
    parameters.contacts = 3600;
    made = cst_family_find(family)->make(1, &parameters, NULL);
    assert_non_null(made);
    assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
    assert_non_null(assembled);
    assert_true(problem.contacts > 3000);
}

static void end(void)
{
    cst_assembled_free(assembled);
    cst_generated_free(made);
}

static outcome run(const cst_friction_problem *p, cst_solver solver, int threads, int max_iterations)
{
    cst_friction_options options = cst_friction_options_default();
    options.solver = solver;
    options.threads = threads;
    options.max_iterations = max_iterations;
    return solve_with_options(p, &options);
}

/* What was computed, not how long it took. */
static void assert_same(const cst_friction_problem *p, const outcome *a, const outcome *b, const char *what, cst_solver solver)
{
    const size_t size = (size_t)p->contacts * (size_t)p->dim;
    const cst_friction_report *x = &a->report, *y = &b->report;
    if (!same_bits(a->r, b->r, size) || !same_bits(a->u, b->u, size))
        fail_msg("%s: other bits with %s", cst_solver_name(solver), what);
    assert_int_equal(x->status, y->status);
    assert_int_equal(x->iterations, y->iterations);
    assert_int_equal(x->newton_iterations, y->newton_iterations);
    assert_int_equal(x->local_solves, y->local_solves);
    assert_int_equal(x->local_failures, y->local_failures);
    assert_int_equal(x->fallbacks, y->fallbacks);
    assert_int_equal(x->islands, y->islands);
    assert_int_equal(x->colours, y->colours);
    assert_true(x->residual.error == y->residual.error && x->residual.worst_contact == y->residual.worst_contact);
}

/* Under a sanitizer one thread against two: as many as ThreadSanitizer needs to see a race, at half the cost. */
static void compare_threads(const cst_friction_problem *p, cst_solver solver, int max_iterations)
{
    static const struct {
        int threads;
        const char *what;
    } others[] = {{2, "two threads"}, {1, "one thread again"}, {4, "four threads"}};
    outcome one = run(p, solver, 1, max_iterations);
    assert_true(one.report.colours > 0 && one.report.iterations > 0);
    assert_true(one.report.residual.error < 1.0);
    for (int k = 0; k < (SANITIZED ? 1 : 3); k++) {
        outcome other = run(p, solver, others[k].threads, max_iterations);
        assert_true(others[k].threads != 2 || other.report.threads == 2);
        assert_same(p, &one, &other, others[k].what, solver);
        outcome_free(&other);
    }
    print_message("%-22s %5d contacts, %d colours: %s, E %.1e after %d\n", cst_solver_name(solver), p->contacts,
                  one.report.colours, cst_status_name(one.report.status), one.report.residual.error, one.report.iterations);
    outcome_free(&one);
}

static void test_moving_strands(void **state)
{
    (void)state;
    begin("strands");
    for (int s = 0; s < SOLVERS_COUNT; s++)
        compare_threads(&problem, SOLVERS[s], SOLVERS[s] == CST_SOLVER_AUTO ? 500 : 10);
    end();
}

static void test_resting_strands(void **state)
{
    (void)state;
    begin("strands-rest");
    for (int s = 0; s < MAIN_SOLVERS; s++)
        compare_threads(&problem, SOLVERS[s], SOLVERS[s] == CST_SOLVER_AUTO ? 500 : 10);
    end();
}

/* Every iterative local solver, fail-safe and counters included. */
static void test_local_solvers(void **state)
{
    (void)state;
    begin("strands");
    for (int local = 0; local < CST_LOCAL_COUNT; local++) {
        outcome out[2];
        for (int k = 0; k < 2; k++) {
            cst_friction_options options = cst_friction_options_default();
            options.solver = CST_SOLVER_GAUSS_SEIDEL;
            options.local = (cst_local_solver)local;
            options.threads = 1 + k;
            options.max_iterations = 3;
            out[k] = solve_with_options(&problem, &options);
        }
        assert_true(out[0].report.local_solves > 0);
        assert_same(&problem, &out[0], &out[1], cst_local_solver_name((cst_local_solver)local), CST_SOLVER_GAUSS_SEIDEL);
        outcome_free(&out[0]);
        outcome_free(&out[1]);
    }
    end();
}

/* Below the size from which sweeps are coloured, and with many islands of all sizes, threads change nothing either. */
static void test_islands(void **state)
{
    (void)state;
    owned_problem all = problem_new(3, 0, 0);
    static const int SIZES[] = {2500, 1, 700, 3, 60, 1, 1};
    for (size_t k = 0; k < sizeof SIZES / sizeof SIZES[0]; k++) {
        known_problem part =
            known_unique(k, (known_shape){.dim = 3, .contacts = SIZES[k], .bilateral = 0.05, .natural_order = true});
        owned_problem more = problem_side_by_side(&all.problem, &part.owned.problem);
        problem_free(&all);
        known_free(&part);
        all = more;
    }
    for (int s = 0; s < SOLVERS_COUNT; s++)
        compare_threads(&all.problem, SOLVERS[s], 60);
    problem_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_strands),
        cmocka_unit_test(test_resting_strands),
        cmocka_unit_test(test_local_solvers),
        cmocka_unit_test(test_islands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
