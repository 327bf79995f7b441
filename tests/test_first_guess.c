/* Contacts without a guess get the impact of their own problem: exact where one is missing, a good start where several are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "body_problems.h"

enum { CONTACTS = 40, SEEDS = 12 };

static cst_friction_options options_of(cst_form form)
{
    cst_friction_options options = cst_friction_options_default();
    options.form = form;
    options.tolerance = 1e-8;
    return options;
}

static test_bodies *make(int seed, int dim)
{
    const test_bodies_options options = {.dim = dim, .kinds = TEST_REDUCED, .bodies = 12, .contacts = CONTACTS, .mu = 0.4};
    return test_bodies_make((uint64_t)seed, &options);
}

/* Iterations from the answer with `missing` contacts zeroed, every one of them told to be fresh or not. */
static int iterations_without(const test_bodies *made, const cst_friction_options *given, const double *answer, int missing,
                              bool told, cst_rng rng)
{
    const int dim = made->problem.dim;
    cst_friction_options options = *given;
    cst_friction_report report;
    uint8_t fresh[CONTACTS] = {0};
    double r[CONTACTS * 3];
    memcpy(r, answer, sizeof(double) * CONTACTS * (size_t)dim);
    for (int k = 0; k < missing; k++) {
        const int contact = cst_rng_integer(&rng, CONTACTS);
        fresh[contact] = 1;
        for (int c = 0; c < dim; c++)
            r[contact * dim + c] = told ? 7.0 : 0.0; /* what is there counts for nothing */
    }
    options.fresh = told ? fresh : NULL;
    assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, r, NULL, NULL, &report), CST_SOLVED);
    return report.iterations;
}

static void saves_iterations(void **state)
{
    (void)state;
    const cst_form form[] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT};
    for (int f = 0; f < 2; f++) {
        int one[2] = {0}, several[2] = {0};
        for (int seed = 1; seed <= SEEDS; seed++) {
            test_bodies *made = make(seed, seed % 2 == 0 ? 2 : 3);
            cst_friction_options options = options_of(form[f]), tight = options;
            cst_friction_report report;
            double r[CONTACTS * 3] = {0};
            tight.tolerance = 1e-11;
            assert_int_equal(cst_friction_solve_bodies(&made->problem, &tight, r, NULL, NULL, &report), CST_SOLVED);
            cst_rng rng;
            cst_rng_seed(&rng, (uint64_t)seed, 0);
            for (int told = 0; told < 2; told++) {
                one[told] += iterations_without(made, &options, r, 1, told, rng);
                several[told] += iterations_without(made, &options, r, 8, told, rng);
            }
            test_bodies_free(made);
        }
        print_message("%s: one missing %d iterations instead of %d, eight missing %d instead of %d\n", cst_form_name(form[f]),
                      one[1], one[0], several[1], several[0]);
        assert_int_equal(one[1], 0);
        assert_true(one[0] > SEEDS / 2);
        assert_true(several[1] < several[0]);
    }
}

/* The answer does not depend on the guess, and nothing fresh changes nothing. */
static void same_answer(void **state)
{
    (void)state;
    test_bodies *made = make(5, 3);
    cst_friction_options options = options_of(CST_FORM_EXPLICIT);
    uint8_t all[CONTACTS], none[CONTACTS] = {0};
    memset(all, 1, sizeof all);
    double cold[CONTACTS * 3] = {0}, hot[CONTACTS * 3] = {0}, plain[CONTACTS * 3] = {0}, u[3][CONTACTS * 3], share[CONTACTS];
    cst_friction_report report;
    options.tolerance = 1e-11;
    options.contact_error = share;
    assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, cold, u[0], NULL, &report), CST_SOLVED);
    double largest = 0.0;
    for (int i = 0; i < CONTACTS; i++)
        largest = share[i] > largest ? share[i] : largest;
    assert_true(largest <= report.residual.error && share[report.residual.worst_contact] == largest);
    options.fresh = all;
    assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, hot, u[1], NULL, &report), CST_SOLVED);
    for (int k = 0; k < CONTACTS * 3; k++)
        assert_true(u[0][k] - u[1][k] < 1e-7 && u[1][k] - u[0][k] < 1e-7);
    options.fresh = none;
    assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, plain, u[2], NULL, &report), CST_SOLVED);
    assert_memory_equal(plain, cold, sizeof cold);
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saves_iterations), cmocka_unit_test(same_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
