/* Routes of different mathematics to one answer: sweeps, Newton, a fixed point over convex problems, projected gradient, `auto`. On
 * problems of the generators that all of them can do, their velocities agree. */
#include "generate/family.h"
#include "tests/friction_fixture.h"

typedef struct route {
    cst_solver solver;
    int max_iterations;
} route;

static const route ROUTES[] = {
    {CST_SOLVER_AUTO, 20000},
    {CST_SOLVER_GAUSS_SEIDEL, 20000},
    {CST_SOLVER_NEWTON_ALART_CURNIER, 500},
    {CST_SOLVER_NEWTON_FISCHER_BURMEISTER, 500},
    {CST_SOLVER_CADOUX, 100000},
    {CST_SOLVER_PROJECTED_GRADIENT, 100000},
    {CST_SOLVER_INTERIOR_POINT, 500},
};
enum { ROUTES_COUNT = sizeof ROUTES / sizeof ROUTES[0] };
static const double TOLERANCE = 1e-10, AGREE = 1e-7;

/* Problems with definite W and mu of at most 0.3. That their velocities are unique is not proved, but no start has found others. */
typedef struct family_case {
    const char *name;
    double nu;
    int seeds;
} family_case;

static const family_case CASES[] = {
    {"frictionless", 0, 6},
    {"rods", 0, 6},
    {"rods", 0.25, 6},
    {"bilateral", 0, 6},
};

static cst_assembled *make_explicit(const cst_generated *made, cst_friction_problem *out)
{
    char message[256] = "";
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, out, message, sizeof message);
    if (!assembled)
        fail_msg("%s: %s", made->name, message);
    return assembled;
}

static cst_generated *make(const char *family, uint64_t seed, const cst_family_parameters *parameters)
{
    const cst_family_def *def = cst_family_find(family);
    assert_non_null(def);
    cst_generated *made = def->make(seed, parameters, NULL);
    assert_non_null(made);
    return made;
}

static int compare_routes(const char *family, uint64_t seed, double nu, double *worst)
{
    cst_family_parameters parameters = cst_family_parameters_default();
    parameters.nu = nu;
    cst_generated *made = make(family, seed, &parameters);
    cst_friction_problem problem;
    cst_assembled *assembled = make_explicit(made, &problem);
    outcome first = {0};
    int wrong = 0;
    for (int k = 0; k < ROUTES_COUNT; k++) {
        outcome out = solve_with(&problem, ROUTES[k].solver, TOLERANCE, ROUTES[k].max_iterations);
        const double error = judge(&problem, out.r, 0.0).alart_curnier;
        if (out.report.status != CST_SOLVED || !(error <= TOLERANCE * (1.0 + 1e-6) + 1e-14)) {
            print_error("%s: %s: %s, E %.2e after %d\n", made->name, cst_solver_name(ROUTES[k].solver),
                        cst_status_name(out.report.status), error, out.report.iterations);
            wrong++;
            outcome_free(&out);
            continue;
        }
        if (!first.u) {
            first = out;
            continue;
        }
        const double off = velocity_distance(&problem, first.u, out.u);
        *worst = fmax(*worst, off);
        if (!(off <= AGREE)) {
            print_error("%s: %s and the first route are %.2e apart\n", made->name, cst_solver_name(ROUTES[k].solver), off);
            wrong++;
        }
        outcome_free(&out);
    }
    outcome_free(&first);
    cst_assembled_free(assembled);
    cst_generated_free(made);
    return wrong;
}

static void test_routes_agree(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
        double worst = 0.0;
        for (int seed = 1; seed <= CASES[c].seeds; seed++)
            wrong += compare_routes(CASES[c].name, (uint64_t)seed, CASES[c].nu, &worst);
        print_message("%s, nu %g: %d routes agree to %.1e over %d seeds\n", CASES[c].name, CASES[c].nu, ROUTES_COUNT, worst,
                      CASES[c].seeds);
    }
    assert_int_equal(wrong, 0);
}

/* Every family through `auto`: solved, judged from outside, and the velocity is the known one where it must be. */
static void test_every_family(void **state)
{
    (void)state;
    int wrong = 0;
    for (int f = 0; f < cst_family_count; f++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cst_generated *made = make(cst_families[f].name, seed, NULL);
            cst_friction_problem problem;
            cst_assembled *assembled = make_explicit(made, &problem);
            outcome out = solve_with(&problem, CST_SOLVER_AUTO, 1e-8, 20000);
            const double error = judge(&problem, out.r, 0.0).alart_curnier;
            const bool solved = out.report.status == CST_SOLVED && error <= 1e-8 * (1.0 + 1e-6);
            print_message("%s %s: %s, E %.1e, %d iterations, %.3f s\n", solved ? "  " : "**", made->name,
                          cst_status_name(out.report.status), error, out.report.iterations, out.report.seconds);
            wrong += !solved;
            outcome_free(&out);
            cst_assembled_free(assembled);
            cst_generated_free(made);
        }
    assert_int_equal(wrong, 0);
}

/* The answer known by construction is left alone when it is the first guess. */
static void test_known_answers_stay(void **state)
{
    (void)state;
    int families = 0;
    for (int f = 0; f < cst_family_count; f++) {
        cst_generated *made = make(cst_families[f].name, 5, NULL);
        if (made->known_r) {
            cst_friction_problem problem;
            cst_assembled *assembled = make_explicit(made, &problem);
            const size_t size = (size_t)problem.contacts * (size_t)problem.dim;
            assert_true(judge(&problem, made->known_r, 0.0).alart_curnier <= 1e-9);
            outcome out = {.r = new_doubles(size), .u = new_doubles(size)};
            memcpy(out.r, made->known_r, size * sizeof(double));
            cst_friction_options options = cst_friction_options_default();
            options.tolerance = 1e-8;
            cst_friction_solve(&problem, &options, out.r, out.u, &out.report);
            assert_solved(&problem, &out, 1e-8, made->name);
            assert_true(out.report.iterations <= 5);
            assert_true(velocity_distance(&problem, out.u, made->known_u) <= 1e-6);
            families++;
            outcome_free(&out);
            cst_assembled_free(assembled);
        }
        cst_generated_free(made);
    }
    assert_true(families >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes_agree),
        cmocka_unit_test(test_every_family),
        cmocka_unit_test(test_known_answers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
