/* Small matrices and positive roots of polynomials. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "math/polynomial.h"
#include "math/small_matrix.h"

static void test_solve(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (int i = 0; i < 20000; ++i) {
        int n = 2 + i % 2;
        double A[9], x[3], b[3], found[3];
        for (int k = 0; k < n * n; ++k)
            A[k] = cst_rng_normal(&rng) * cst_rng_log_range(&rng, 1e-3, 1.0);
        for (int k = 0; k < n; ++k)
            x[k] = cst_rng_normal(&rng);
        cst_small_apply(n, A, x, b);
        assert_int_equal(cst_small_solve(n, A, b, 1e-15, found), n);
        double rest[3], size = 0.0;
        cst_small_apply(n, A, found, rest);
        for (int k = 0; k < n; ++k) {
            for (int l = 0; l < n; ++l)
                size = fmax(size, fabs(A[k * n + l] * found[l]));
        }
        for (int k = 0; k < n; ++k)
            assert_true(fabs(rest[k] - b[k]) <= 1e-14 * size);
    }
}

static void test_rank(void **state)
{
    (void)state;
    /* sums of outer products of whole numbers: the rank is known */
    const double one[9] = {1, 2, 3, 2, 4, 6, 3, 6, 9}, two[9] = {1, 2, 3, 2, 4, 6, 3, 6, 10}, none[9] = {0};
    double x[3], b[3] = {2, 4, 6};
    assert_int_equal(cst_small_solve(3, one, b, 1e-14, x), 1);
    assert_true(fabs(x[0] + 2 * x[1] + 3 * x[2] - 2) <= 1e-15);
    assert_int_equal(cst_small_solve(3, two, b, 1e-14, x), 2);
    assert_int_equal(cst_small_solve(3, none, b, 1e-14, x), 0);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

/* prod (x - root) */
static void from_roots(int degree, const double *root, double *c)
{
    memset(c, 0, (size_t)(degree + 1) * sizeof *c);
    c[0] = 1.0;
    for (int k = 0; k < degree; ++k) {
        for (int j = k + 1; j >= 0; --j)
            c[j] = (j > 0 ? c[j - 1] : 0.0) - root[k] * c[j];
    }
}

static void test_roots(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 2, 0);
    for (int i = 0; i < 20000; ++i) {
        int degree = 1 + cst_rng_integer(&rng, 5), positive = 0;
        double root[5], wanted[5], c[6], found[5];
        for (int k = 0; k < degree; ++k) { /* apart from each other, so that rounding does not merge them */
            root[k] = pow(4.0, k - 2) * cst_rng_range(&rng, 1.0, 2.0) * (cst_rng_integer(&rng, 2) ? 1.0 : -1.0);
            if (root[k] > 0.0)
                wanted[positive++] = root[k];
        }
        from_roots(degree, root, c);
        assert_int_equal(cst_polynomial_positive_roots(degree, c, found), positive);
        for (int k = 0; k < positive; ++k)
            assert_true(fabs(found[k] - wanted[k]) <= 1e-11 * wanted[k]);
    }
}

static void test_special_roots(void **state)
{
    (void)state;
    double found[8];
    const double constant[] = {3.0}, zero[] = {0.0, 0.0, 0.0}, no_real[] = {1.0, 0.0, 1.0}, at_zero[] = {0.0, -2.0, 1.0};
    const double at_cut[] = {-1.0, 0.0, 0.0, 0.0, 1.0}, short_one[] = {-6.0, 2.0, 0.0, 0.0};
    assert_int_equal(cst_polynomial_positive_roots(0, constant, found), 0);
    assert_int_equal(cst_polynomial_positive_roots(2, zero, found), 0);
    assert_int_equal(cst_polynomial_positive_roots(2, no_real, found), 0);
    assert_int_equal(cst_polynomial_positive_roots(2, at_zero, found), 1);
    assert_true(fabs(found[0] - 2.0) <= 1e-15);
    assert_int_equal(cst_polynomial_positive_roots(4, at_cut, found), 1); /* at t = 1/2 exactly */
    assert_true(fabs(found[0] - 1.0) <= 1e-15);
    assert_int_equal(cst_polynomial_positive_roots(3, short_one, found), 1);
    assert_true(fabs(found[0] - 3.0) <= 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_special_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
