/* The seeded generator: fixed bits, moments of its distributions, unbiased integers, independent streams. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

enum { SAMPLES = 200000 };

static void test_bits_never_change(void **state)
{
    (void)state;
    /* xoshiro256** from the state {1, 2, 3, 4}: the first values follow from its definition by hand */
    cst_rng rng = {{1, 2, 3, 4}};
    assert_true(cst_rng_bits(&rng) == 11520);
    assert_true(cst_rng_bits(&rng) == 0);
    assert_true(cst_rng_bits(&rng) == 1509978240);
    assert_true(cst_rng_bits(&rng) == 1215971899390074240u);
}

static void test_streams_differ(void **state)
{
    (void)state;
    cst_rng a, b, c, again;
    cst_rng_seed(&a, 1, 0);
    cst_rng_seed(&b, 0, 1);
    cst_rng_seed(&c, 1, 1);
    cst_rng_seed(&again, 1, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t x = cst_rng_bits(&a), y = cst_rng_bits(&b), z = cst_rng_bits(&c);
        assert_true(x == cst_rng_bits(&again));
        assert_true(x != y && y != z && x != z);
    }
}

static void test_moments(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 42, 0);
    double sum[4] = {0}, square[4] = {0}, fourth = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x[4] = {cst_rng_uniform(&rng), cst_rng_normal(&rng), cst_rng_exponential(&rng), cst_rng_log_range(&rng, 0.1, 10)};
        assert_true(x[0] >= 0 && x[0] < 1 && x[2] >= 0 && x[3] >= 0.1 * (1 - 1e-14) && x[3] <= 10 * (1 + 1e-14));
        x[3] = log(x[3]);
        fourth += pow(x[1], 4);
        for (int k = 0; k < 4; k++) {
            sum[k] += x[k] / SAMPLES;
            square[k] += x[k] * x[k] / SAMPLES;
        }
    }
    /* five standard errors of each mean */
    double se = 5 / sqrt(SAMPLES), spread = log(10) * log(10) / 3;
    assert_true(fabs(sum[0] - 0.5) < se * sqrt(1.0 / 12) && fabs(square[0] - 1.0 / 3) < se * sqrt(4.0 / 45));
    assert_true(fabs(sum[1]) < se && fabs(square[1] - 1) < se * sqrt(2) && fabs(fourth / SAMPLES - 3) < se * sqrt(96));
    assert_true(fabs(sum[2] - 1) < se && fabs(square[2] - 2) < se * sqrt(20));
    assert_true(fabs(sum[3]) < se * sqrt(spread) && fabs(square[3] - spread) < se * spread * sqrt(0.8));
}

static void test_integers_and_directions(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    int seen[7] = {0};
    for (int i = 0; i < SAMPLES; i++)
        seen[cst_rng_integer(&rng, 7)]++;
    for (int k = 0; k < 7; k++)
        assert_true(fabs(seen[k] - SAMPLES / 7.0) < 5 * sqrt(SAMPLES * 6 / 49.0));
    assert_int_equal(cst_rng_integer(&rng, 1), 0);
    for (int dim = 2; dim <= 3; dim++) {
        double mean[3] = {0}, square = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double x[3] = {0}, length = 0;
            cst_rng_direction(&rng, dim, x);
            for (int k = 0; k < dim; k++) {
                mean[k] += x[k] / SAMPLES;
                length += x[k] * x[k];
            }
            square += x[0] * x[0] / SAMPLES;
            assert_true(fabs(length - 1) < 1e-14);
        }
        for (int k = 0; k < dim; k++)
            assert_true(fabs(mean[k]) < 5 / sqrt((double)SAMPLES * dim));
        assert_true(fabs(square - 1.0 / dim) < 5 * 0.36 / sqrt(SAMPLES));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits_never_change), cmocka_unit_test(test_streams_differ),
                                       cmocka_unit_test(test_moments), cmocka_unit_test(test_integers_and_directions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
