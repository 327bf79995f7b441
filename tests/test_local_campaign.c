/* The direct local solver on random contacts of every family, judged from outside (contact_oracle.c): an answer whenever one
 * with |r'| <= 1e10 exists, to rounding; invariances; and the prepared solver against the plain one. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capstan/friction.h"
#include "friction/local.h"
#include "generate/contact.h"
#include "tests/contact_oracle.h"

/* Of each family and dimension. CAPSTAN_CONTACTS=30000 makes it a million in all. */
static int contacts(void)
{
    const char *asked = getenv("CAPSTAN_CONTACTS");
    return asked && atoi(asked) > 0 ? atoi(asked) : 1500;
}

static cst_local_result solve(const cst_contact_sample *c, double *r)
{
    memset(r, 0, 3 * sizeof *r);
    return cst_local_solve(CST_LOCAL_DIRECT, c->dim, c->W, c->b, c->mu, 0.0, r);
}

/* Prepared, from nothing or from a wrong alpha. */
static cst_local_status solve_prepared(const cst_contact_sample *c, double alpha, double *r)
{
    memset(r, 0, 3 * sizeof *r);
    if (c->dim == 2) {
        cst_local_direct2 prepared;
        cst_local_direct2_prepare(c->W, c->mu, &prepared);
        return cst_local_direct2_solve(&prepared, c->b, r);
    }
    cst_local_direct3 prepared;
    cst_local_direct3_prepare(c->W, c->mu, &prepared);
    prepared.alpha = alpha;
    return cst_local_direct3_solve(&prepared, c->b, r);
}

static double difference(const cst_contact_sample *c, const double *r, const double *s)
{
    double delta[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < c->dim; ++k)
        delta[k] = r[k] - s[k];
    return oracle_magnitude(c, delta);
}

static cst_rng seeded(cst_contact_family family, int dim, uint64_t seed)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, (uint64_t)family * 8 + (uint64_t)dim);
    return rng;
}

static void name_it(cst_contact_family family, int dim, int i)
{
    print_error("%s %dD, contact %d\n", cst_contact_family_name(family), dim, i);
}

/* ------------------------------------------------------------------------------------------------------------------- answers */

static void judge(cst_contact_family family, const cst_contact_sample *c, int i)
{
    double r[3];
    cst_local_result result = solve(c, r);
    bool good;
    if (result.status == CST_LOCAL_SOLVED) {
        good = c->b[0] >= 0.0 ? r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0
                              : oracle_error_over_floor(c, r) <= 1.0 && oracle_magnitude(c, r) <= 1e10;
    } else {
        bool may = c->definite ? result.status == CST_LOCAL_ILL_POSED
                               : result.status == CST_LOCAL_ILL_POSED || result.status == CST_LOCAL_NO_SOLUTION;
        good = may && !(c->known && oracle_magnitude(c, c->r) <= 1e10) && oracle_least_magnitude(c) > 0.999e10 &&
               (result.status != CST_LOCAL_NO_SOLUTION || result.certificate != NULL);
    }
    if (!good) {
        name_it(family, c->dim, i);
        print_error("status %d, error over floor %g, |r'| %g\n", (int)result.status, oracle_error_over_floor(c, r),
                    oracle_magnitude(c, r));
    }
    assert_true(good);
}

static void test_answers(void **state)
{
    (void)state;
    int count = contacts();
    for (int dim = 2; dim <= 3; ++dim) {
        for (int family = 0; family < CST_CONTACT_FAMILY_COUNT; ++family) {
            cst_rng rng = seeded((cst_contact_family)family, dim, 11);
            for (int i = 0; i < count; ++i) {
                cst_contact_sample c;
                cst_generate_contact((cst_contact_family)family, dim, &rng, &c);
                judge((cst_contact_family)family, &c, i);
            }
        }
    }
}

/* W singular exactly: the verdict is right both ways. */
static void test_singular_verdicts(void **state)
{
    (void)state;
    int none = 0, some = 0;
    for (int dim = 2; dim <= 3; ++dim) {
        cst_rng rng = seeded(CST_CONTACT_SINGULAR_WHOLE, dim, 12);
        for (int i = 0; i < 3000; ++i) {
            cst_contact_sample c;
            double r[3];
            cst_generate_contact(CST_CONTACT_SINGULAR_WHOLE, dim, &rng, &c);
            int sticks = oracle_sticks_when_singular(&c);
            double least = oracle_least_magnitude(&c);
            cst_local_result result = solve(&c, r);
            if (sticks < 0)
                continue;
            bool exists = sticks == 1 || least <= 1e10;
            if (exists != (result.status == CST_LOCAL_SOLVED)) {
                name_it(CST_CONTACT_SINGULAR_WHOLE, dim, i);
                print_error("oracle: sticks %d, least |r'| %g; status %d\n", sticks, least, (int)result.status);
            }
            assert_int_equal(exists, result.status == CST_LOCAL_SOLVED);
            ++*(exists ? &some : &none);
        }
    }
    assert_true(none > 300 && some > 3000); /* the test tests something */
}

/* The answer is one of all that there are. */
static void test_answer_is_among_all(void **state)
{
    (void)state;
    static const cst_contact_family families[] = {CST_CONTACT_GRAM, CST_CONTACT_CONDITION_1E4, CST_CONTACT_SKEW};
    int several = 0;
    for (int dim = 2; dim <= 3; ++dim) {
        for (int f = 0; f < 3; ++f) {
            cst_rng rng = seeded(families[f], dim, 13);
            for (int i = 0; i < 400; ++i) {
                cst_contact_sample c;
                double r[3], nearest = INFINITY;
                cst_generate_contact(families[f], dim, &rng, &c);
                assert_int_equal(solve(&c, r).status, CST_LOCAL_SOLVED);
                oracle all = oracle_all_answers(&c);
                for (int k = 0; k < all.count; ++k)
                    nearest = fmin(nearest, difference(&c, r, all.answer[k].r));
                several += all.count > 1;
                if (!(nearest <= 1e-6 * (1.0 + oracle_magnitude(&c, r))))
                    name_it(families[f], dim, i);
                assert_true(nearest <= 1e-6 * (1.0 + oracle_magnitude(&c, r)));
            }
        }
    }
    assert_true(several > 5);
}

/* -------------------------------------------------------------------------------------------------------------- invariances */

static void test_units_do_not_matter(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        cst_rng rng = seeded(CST_CONTACT_CONDITION_1E1, dim, 14);
        for (int i = 0; i < 2000; ++i) {
            cst_contact_sample c, d, e;
            double r[3], s[3], t[3];
            cst_generate_contact(CST_CONTACT_CONDITION_1E1, dim, &rng, &c);
            d = e = c;
            double w = cst_rng_log_range(&rng, 1e-150, 1e150), b = cst_rng_log_range(&rng, 1e-150, 1e150);
            for (int k = 0; k < dim * dim; ++k) {
                d.W[k] *= w;
                e.W[k] *= 0x1p300;
            }
            for (int k = 0; k < dim; ++k) {
                d.b[k] *= b;
                e.b[k] *= 0x1p-200;
            }
            cst_local_result one = solve(&c, r), two = solve(&d, s), three = solve(&e, t);
            assert_int_equal(one.status, CST_LOCAL_SOLVED);
            assert_int_equal(two.status, CST_LOCAL_SOLVED);
            assert_int_equal(three.status, CST_LOCAL_SOLVED);
            for (int k = 0; k < dim; ++k) {
                s[k] *= w / b;
                assert_true(t[k] == r[k] * 0x1p-500); /* powers of two: the same digits */
            }
            assert_true(three.alpha == one.alpha * 0x1p300);
            if (c.mu < 1.0) /* one answer */
                assert_true(difference(&c, r, s) <= 1e-12 * (1.0 + oracle_magnitude(&c, r)));
        }
    }
}

static void test_frame_and_dimension_do_not_matter(void **state)
{
    (void)state;
    cst_rng rng = seeded(CST_CONTACT_CONDITION_1E1, 2, 15);
    for (int i = 0; i < 5000; ++i) {
        cst_contact_sample flat, solid = {.dim = 3};
        double r[3], s[3];
        cst_generate_contact(CST_CONTACT_CONDITION_1E1, 2, &rng, &flat);
        double angle = cst_rng_range(&rng, 0.0, 6.28), c = cos(angle), n = sin(angle);
        double other = (flat.W[0] + flat.W[3]) * cst_rng_uniform(&rng); /* compliance across the plane, where nothing moves */
        double Q[3][3] = {{1.0, 0.0, 0.0}, {0.0, c, -n}, {0.0, n, c}};
        double diagonal[9] = {flat.W[0], flat.W[1], 0.0, flat.W[2], flat.W[3], 0.0, 0.0, 0.0, other};
        double b[3] = {flat.b[0], flat.b[1], 0.0};
        solid.mu = flat.mu;
        for (int p = 0; p < 3; ++p) {
            for (int q = 0; q < 3; ++q) {
                solid.b[p] += Q[p][q] * b[q];
                for (int k = 0; k < 3; ++k) {
                    for (int l = 0; l < 3; ++l)
                        solid.W[p * 3 + q] += Q[p][k] * diagonal[k * 3 + l] * Q[q][l];
                }
            }
        }
        assert_int_equal(solve(&flat, r).status, CST_LOCAL_SOLVED);
        assert_int_equal(solve(&solid, s).status, CST_LOCAL_SOLVED);
        double back[3] = {s[0], c * s[1] + n * s[2], c * s[2] - n * s[1]};
        double tolerance = 1e-11 * (1.0 + oracle_magnitude(&flat, r));
        if (flat.mu < 1.0)
            assert_true(difference(&solid, back, r) <= tolerance);
    }
}

/* ----------------------------------------------------------------------------------------------------------------- prepared */

/* Same status and as exact as the plain solver, whatever the first alpha. */
static void test_prepared_is_as_good(void **state)
{
    (void)state;
    static const double start[] = {0.0, 1e-12, 1.0, 1e12, -1.0, NAN};
    for (int dim = 2; dim <= 3; ++dim) {
        for (int family = 0; family < CST_CONTACT_FAMILY_COUNT; ++family) {
            cst_rng rng = seeded((cst_contact_family)family, dim, 16);
            for (int i = 0; i < 400; ++i) {
                cst_contact_sample c;
                double r[3], s[3];
                cst_generate_contact((cst_contact_family)family, dim, &rng, &c);
                cst_local_status status = solve(&c, r).status;
                for (int k = 0; k < 6; ++k) {
                    cst_local_status again = solve_prepared(&c, start[k], s);
                    bool good = again == status;
                    if (status == CST_LOCAL_SOLVED && c.b[0] < 0.0)
                        good = good && oracle_error_over_floor(&c, s) <= 1.0;
                    if (family <= CST_CONTACT_CONDITION_1E1 && c.mu < 1.0) /* one answer, well-conditioned */
                        good = good && difference(&c, r, s) <= 1e-12 * (1.0 + oracle_magnitude(&c, r));
                    if (!good) {
                        name_it((cst_contact_family)family, dim, i);
                        print_error("start %g: status %d, plain %d; error over floor %g\n", start[k], (int)again, (int)status,
                                    oracle_error_over_floor(&c, s));
                    }
                    assert_true(good);
                }
            }
        }
    }
}

/* A sequence of loads, as in a sweep: the remembered alpha is a hint, not a memory of the answer. */
static void test_prepared_in_a_sequence(void **state)
{
    (void)state;
    cst_rng rng = seeded(CST_CONTACT_GRAM, 3, 17);
    for (int i = 0; i < 500; ++i) {
        cst_contact_sample c;
        cst_generate_contact(CST_CONTACT_GRAM, 3, &rng, &c);
        cst_local_direct3 prepared;
        cst_local_direct3_prepare(c.W, c.mu, &prepared);
        double r[3] = {0.0, 0.0, 0.0}, s[3];
        for (int step = 0; step < 20; ++step) {
            for (int k = 0; k < 3; ++k)
                c.b[k] *= 1.0 + 0.2 * cst_rng_normal(&rng);
            cst_local_status status = cst_local_direct3_solve(&prepared, c.b, r);
            assert_int_equal(status, solve(&c, s).status);
            assert_true(oracle_error_over_floor(&c, r) <= 1.0);
            if (c.mu < 1.0)
                assert_true(difference(&c, r, s) <= 1e-10 * (1.0 + oracle_magnitude(&c, r)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_singular_verdicts),
        cmocka_unit_test(test_answer_is_among_all),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_frame_and_dimension_do_not_matter),
        cmocka_unit_test(test_prepared_is_as_good),
        cmocka_unit_test(test_prepared_in_a_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
