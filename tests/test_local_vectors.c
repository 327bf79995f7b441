/* The local solvers on golden vectors (60-digit answers), and what they do with data that are not a problem. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capstan/friction.h"
#include "friction/local.h"
#include "friction/local_choice.h"
#include "generate/contact.h"
#include "tests/contact_oracle.h"
#include "tests/json.h"

static void read_contact(const json *vector, cst_contact_sample *c)
{
    *c = (cst_contact_sample){.dim = (int)json_number(vector, "d")};
    const json *mu = json_get(vector, "mu");
    c->mu = mu->kind == JSON_NUMBER ? mu->number : INFINITY;
    assert_int_equal(json_numbers(json_get(vector, "W"), c->W, 9), c->dim * c->dim);
    assert_int_equal(json_numbers(json_get(vector, "b"), c->b, 3), c->dim);
}

/* Distance of r from the nearest answer of the vector, in the contact's scale. */
static double distance(const json *vector, const cst_contact_sample *c, const double *r, const json **nearest)
{
    const json *answers = json_get(vector, "solutions");
    double least = INFINITY;
    for (size_t k = 0; k < answers->count; ++k) {
        double known[3] = {0.0, 0.0, 0.0}, delta[3] = {0.0, 0.0, 0.0};
        json_numbers(json_get(answers->item[k], "r"), known, 3);
        for (int i = 0; i < c->dim; ++i)
            delta[i] = r[i] - known[i];
        double size = oracle_magnitude(c, delta);
        if (isnan(size)) /* b = 0 */
            size = delta[0] == 0.0 && delta[1] == 0.0 && delta[2] == 0.0 ? 0.0 : INFINITY;
        if (size < least) {
            least = size;
            *nearest = answers->item[k];
        }
    }
    return least;
}

static const char *case_name(cst_local_case contact_case)
{
    static const char *const names[] = {"takeoff", "stick", "slide", "bilateral"};
    return names[contact_case];
}

static void check_direct(const json *vector, const cst_contact_sample *c)
{
    double r[3] = {0.0, 0.0, 0.0};
    const json *nearest = NULL;
    cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, c->dim, c->W, c->b, c->mu, 0.0, r);
    if (strcmp(json_text(vector, "status"), "nosolution") == 0) {
        assert_int_equal(result.status, CST_LOCAL_NO_SOLUTION);
        assert_non_null(result.certificate);
        return;
    }
    assert_int_equal(result.status, CST_LOCAL_SOLVED);
    assert_null(result.certificate);
    assert_true(result.error <= 1e-10);
    if (strstr(json_text(vector, "note"), "line of sticking solutions")) {
        assert_int_equal(result.contact_case, CST_CASE_STICK);
        return;
    }
    /* a condition number of 1e10 takes the answer's digits, not the residual's */
    double tolerance = strstr(json_text(vector, "tag"), "illcond") ? 1e-8 : 1e-12;
    assert_true(distance(vector, c, r, &nearest) <= tolerance);
    bool on_edge = strstr(json_text(vector, "tag"), "boundary") != NULL; /* stick, or slide with alpha of rounding */
    if (!on_edge)
        assert_string_equal(case_name(result.contact_case), json_text(nearest, "case"));
    const json *alpha = json_get(nearest, "alpha");
    if (alpha->kind == JSON_NUMBER && c->mu > 0.0 && !on_edge)
        assert_true(fabs(result.alpha - alpha->number) <= 1e-5 * (alpha->number + c->W[0]));
}

static void test_direct_on_vectors(void **state)
{
    (void)state;
    json *file = json_read_data("local.json");
    const json *vectors = json_get(file, "problems");
    assert_int_equal(vectors->count, 71);
    for (size_t k = 0; k < vectors->count; ++k) {
        const json *vector = vectors->item[k];
        cst_contact_sample c;
        read_contact(vector, &c);
        print_message("%s %s\n", json_text(vector, "id"), json_text(vector, "tag"));
        if (isinf(c.mu)) {
            double r[3] = {0.0, 0.0, 0.0};
            const json *nearest = NULL;
            assert_int_equal(cst_local_bilateral(c.dim, c.W, c.b, r), CST_LOCAL_SOLVED);
            assert_true(distance(vector, &c, r, &nearest) <= 1e-12);
        } else {
            check_direct(vector, &c);
        }
    }
    json_free(file);
}

/* Every exact method finds an answer of the vector or says that it failed; most it finds. */
static void test_methods_on_vectors(void **state)
{
    (void)state;
    static const int least[CST_LOCAL_COUNT] = {[CST_LOCAL_DIRECT] = 66,
                                               [CST_LOCAL_FISCHER_BURMEISTER] = 66,
                                               [CST_LOCAL_QUARTIC] = 65,
                                               [CST_LOCAL_ALART_CURNIER] = 64,
                                               [CST_LOCAL_ALART_CURNIER_DAMPED] = 65};
    json *file = json_read_data("local.json");
    const json *vectors = json_get(file, "problems");
    for (int solver = 0; solver < CST_LOCAL_COUNT; ++solver) {
        int solved = 0;
        for (size_t k = 0; k < vectors->count; ++k) {
            cst_contact_sample c;
            read_contact(vectors->item[k], &c);
            if (isinf(c.mu))
                continue;
            double r[3] = {0.0, 0.0, 0.0};
            cst_local_result result = cst_local_solve((cst_local_solver)solver, c.dim, c.W, c.b, c.mu, 1e-10, r);
            if (result.status == CST_LOCAL_SOLVED) {
                ++solved;
                assert_true(c.b[0] >= 0.0 || oracle_error_over_floor(&c, r) <= 1.0 || result.error <= 1e-10);
                assert_true(strcmp(json_text(vectors->item[k], "status"), "ok") == 0);
            } else {
                assert_true(result.error > 1e-10);
            }
        }
        print_message("%s: %d of 69\n", cst_local_solver_name((cst_local_solver)solver), solved);
        assert_true(solved >= least[solver]);
    }
    json_free(file);
}

/* ----------------------------------------------------------------------------------------------------------- not a problem */

static void test_bad_data(void **state)
{
    (void)state;
    const double W[9] = {2.0, 0.1, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 1.0}, b[3] = {-1.0, 0.5, 0.2};
    for (int solver = 0; solver < CST_LOCAL_COUNT; ++solver) {
        for (int k = 0; k < 13; ++k) {
            double bad_W[9], bad_b[3], mu = 0.5, r[3] = {0.0, 0.0, 0.0};
            memcpy(bad_W, W, sizeof W);
            memcpy(bad_b, b, sizeof b);
            if (k < 9)
                bad_W[k] = k % 2 ? NAN : INFINITY;
            else if (k < 12)
                bad_b[k - 9] = k % 2 ? NAN : -INFINITY;
            else
                mu = -0.5;
            cst_local_result result = cst_local_solve((cst_local_solver)solver, 3, bad_W, bad_b, mu, 1e-10, r);
            assert_int_equal(result.status, CST_LOCAL_FAILED);
            assert_non_null(result.certificate);
            assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
        }
        /* a warm start that is not a number is only a bad guess */
        double r[3] = {NAN, 1.0, INFINITY};
        cst_local_result result = cst_local_solve((cst_local_solver)solver, 3, W, b, 0.5, 1e-10, r);
        assert_true(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
        if (solver <= CST_LOCAL_ALART_CURNIER_DAMPED)
            assert_int_equal(result.status, CST_LOCAL_SOLVED);
    }
}

/* Nothing stops the approach: said by every solver, and r is no worse than nothing. */
static void test_no_solution_for_all(void **state)
{
    (void)state;
    const double W[9] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.2, 0.0, 0.2, 1.0}, b[3] = {-1.0, 0.1, 0.2};
    for (int solver = 0; solver < CST_LOCAL_COUNT; ++solver) {
        double r[3] = {1.0, 0.1, 0.1};
        cst_local_result result = cst_local_solve((cst_local_solver)solver, 3, W, b, 0.5, 1e-10, r);
        assert_int_equal(result.status, CST_LOCAL_NO_SOLUTION);
        assert_non_null(result.certificate);
    }
}

/* A failure counts once; it is a fallback only if the direct solver repairs it. */
static void test_failures_are_counted_once(void **state)
{
    (void)state;
    const double W[9] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.2, 0.0, 0.2, 1.0}, beta[3] = {-1.0, 0.1, 0.2};
    const cst_local_choice choice = {.solver = CST_LOCAL_ALART_CURNIER, .failsafe = true, .tolerance = 1e-10};
    cst_local_direct3 prepared;
    cst_local_count count = {0};
    double r[3] = {1.0, 0.1, 0.1};
    cst_local_prepare(3, W, 0.5, &prepared, 0);
    cst_local_choice_solve(&choice, 3, CST_LAW_COULOMB, 0.5, &prepared, 0, beta, r, &count);
    assert_int_equal(count.solves, 1);
    assert_int_equal(count.failures, 1);
    assert_int_equal(count.fallbacks, 0);
    assert_true(r[0] == 1.0 && r[1] == 0.1 && r[2] == 0.1);
}

/* W = I - 3 e_1 e_1^T: not a physical one. Either an answer that is one, or FAILED; never a proof. */
static void test_indefinite(void **state)
{
    (void)state;
    cst_contact_sample c = {.dim = 3, .mu = 0.4, .W = {1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0}, .b = {-1.0, 0.3, 0.1}};
    double r[3] = {0.0, 0.0, 0.0};
    cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, 3, c.W, c.b, c.mu, 0.0, r);
    assert_true(result.status == CST_LOCAL_SOLVED || result.status == CST_LOCAL_FAILED);
    assert_true(result.status == CST_LOCAL_FAILED || oracle_error_over_floor(&c, r) <= 1.0);
    c.W[0] = -1.0;
    result = cst_local_solve(CST_LOCAL_DIRECT, 3, c.W, c.b, c.mu, 0.0, r);
    assert_int_equal(result.status, CST_LOCAL_FAILED);
}

/* Sticking impulses on a line: the nearest to the warm start, and the same again from there. */
static void test_line_of_sticking_impulses(void **state)
{
    (void)state;
    cst_contact_sample c = {.dim = 3, .mu = 0.6, .W = {1.0, 0.5, 0.0, 0.5, 0.25, 0.0, 0.0, 0.0, 1.0}, .b = {-1.05, -0.525, -0.2}};
    /* all of them: (1, 0.1, 0.2) + t (-0.5, 1, 0), in the cone for t from about -1.01 to about 0.35 */
    for (int k = -12; k <= 12; ++k) {
        double t = 0.25 * k;
        double r[3] = {1.0 - 0.5 * t, 0.1 + t, 0.2}, again[3];
        cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, 3, c.W, c.b, c.mu, 0.0, r);
        assert_int_equal(result.status, CST_LOCAL_SOLVED);
        assert_int_equal(result.contact_case, CST_CASE_STICK);
        assert_true(oracle_error_over_floor(&c, r) <= 1.0);
        double found = r[1] - 0.1;
        bool inside = hypot(0.1 + t, 0.2) <= 0.6 * (1.0 - 0.5 * t);
        assert_true(inside ? fabs(found - t) <= 1e-12 : fabs(hypot(r[1], r[2]) - 0.6 * r[0]) <= 1e-12);
        assert_true(inside || (t > 0.0 ? found > 0.3 && found < 0.4 : found < -0.9 && found > -1.2));
        memcpy(again, r, sizeof r);
        cst_local_solve(CST_LOCAL_DIRECT, 3, c.W, c.b, c.mu, 0.0, again);
        for (int i = 0; i < 3; ++i)
            assert_true(fabs(again[i] - r[i]) <= 1e-13);
    }
}

static void test_bilateral(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 2000; ++i) {
        cst_contact_sample c;
        double r[3] = {0.0, 0.0, 0.0};
        cst_generate_contact(i % 3 == 0 ? CST_CONTACT_SKEW : CST_CONTACT_CONDITION_1E8, 2 + i % 2, &rng, &c);
        assert_int_equal(cst_local_bilateral(c.dim, c.W, c.b, r), CST_LOCAL_SOLVED);
        for (int k = 0; k < c.dim; ++k) {
            double u = c.b[k], terms = fabs(c.b[k]);
            for (int l = 0; l < c.dim; ++l) {
                u += c.W[k * c.dim + l] * r[l];
                terms += fabs(c.W[k * c.dim + l] * r[l]);
            }
            assert_true(fabs(u) <= 1e-14 * terms + 1e-30);
        }
    }
    const double W[4] = {1.0, 2.0, 2.0, 4.0}, in_range[2] = {3.0, 6.0}, not_in_range[2] = {3.0, 5.0};
    double r[2];
    assert_int_equal(cst_local_bilateral(2, W, in_range, r), CST_LOCAL_SOLVED);
    assert_true(fabs(r[0] + 2.0 * r[1] + 3.0) <= 1e-14);
    assert_int_equal(cst_local_bilateral(2, W, not_in_range, r), CST_LOCAL_NO_SOLUTION);
}

static void test_names(void **state)
{
    (void)state;
    for (int k = 0; k < CST_LOCAL_COUNT; ++k) {
        cst_local_solver back = CST_LOCAL_COUNT;
        assert_true(cst_local_solver_from_name(cst_local_solver_name((cst_local_solver)k), &back));
        assert_int_equal(back, k);
    }
    cst_local_solver untouched = CST_LOCAL_QUARTIC;
    assert_false(cst_local_solver_from_name("nonsense", &untouched));
    assert_int_equal(untouched, CST_LOCAL_QUARTIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_on_vectors),
        cmocka_unit_test(test_methods_on_vectors),
        cmocka_unit_test(test_bad_data),
        cmocka_unit_test(test_no_solution_for_all),
        cmocka_unit_test(test_failures_are_counted_once),
        cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_line_of_sticking_impulses),
        cmocka_unit_test(test_bilateral),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
