/* Keyframes: values at and between keys, rates against differences, periods, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "body/motion.h"

static const cst_key keys[] = {
    {0.0, {1, 2, 3}, {0, 0, 0}}, {0.5, {2, 2, 3}, {0, 0, 1}}, {2.0, {-1, 0, 3}, {0, 0, -2}}, {3.0, {1, 2, 3}, {0, 0, 6}}};

static void assert_near(double a, double b, double tolerance)
{
    assert_true(fabs(a - b) <= tolerance);
}

static void values_at_keys(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; ++smooth) {
        cst_motion motion = {.key = keys, .keys = 4, .smooth = smooth};
        for (int i = 0; i < 4; ++i) {
            double x[3], a[3];
            cst_motion_sample(&motion, keys[i].time, x, a, NULL, NULL);
            assert_memory_equal(x, keys[i].translation, sizeof x);
            assert_memory_equal(a, keys[i].rotation, sizeof a);
        }
        double x[3], v[3];
        cst_motion_sample(&motion, -1.0, x, NULL, v, NULL);
        assert_true(x[0] == 1.0 && v[0] == 0.0);
        cst_motion_sample(&motion, 4.0, x, NULL, v, NULL);
        assert_true(x[0] == 1.0 && v[0] == 0.0);
        cst_motion_sample(&motion, 0.25, x, NULL, v, NULL);
        assert_near(x[0], 1.5, 1e-15);
        assert_near(v[0], smooth ? 3.0 : 2.0, 1e-14);
        cst_motion_sample(&motion, 0.125, x, NULL, NULL, NULL);
        assert_near(x[0], smooth ? 1.0 + 3.0 / 16.0 - 2.0 / 64.0 : 1.25, 1e-15);
    }
}

static void rates_are_derivatives(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; ++smooth) {
        for (int periodic = 0; periodic < 2; ++periodic) {
            cst_motion motion = {.key = keys, .keys = 4, .smooth = smooth, .period = periodic ? 3.0 : 0.0};
            for (int k = 0; k < 87; ++k) {
                double t = 0.03 + 0.0917 * k, v[3], w[3], x0[3], x1[3], a0[3], a1[3], h = 1e-6;
                cst_motion_sample(&motion, t, NULL, NULL, v, w);
                cst_motion_sample(&motion, t - h, x0, a0, NULL, NULL);
                cst_motion_sample(&motion, t + h, x1, a1, NULL, NULL);
                for (int i = 0; i < 3; ++i) {
                    assert_near(v[i], (x1[i] - x0[i]) / (2 * h), 1e-8);
                    assert_near(w[i], (a1[i] - a0[i]) / (2 * h), 1e-8);
                }
            }
        }
    }
}

/* A drum: the rotation goes on growing from period to period, the translation comes back. */
static void periods_go_on(void **state)
{
    (void)state;
    cst_motion motion = {.key = keys, .keys = 4, .period = 3.0};
    for (int n = -2; n < 4; ++n) {
        double x[3], a[3];
        cst_motion_sample(&motion, 3.0 * n + 0.25, x, a, NULL, NULL);
        assert_near(x[0], 1.5, 1e-14);
        assert_near(a[2], 0.5 + 6.0 * n, 1e-13);
    }
}

static void rest_and_single_key(void **state)
{
    (void)state;
    cst_motion rest = {0}, one = {.key = keys + 1, .keys = 1};
    double x[3] = {9, 9, 9}, a[3] = {9, 9, 9}, v[3] = {9, 9, 9}, w[3] = {9, 9, 9};
    cst_motion_sample(&rest, 1.0, x, a, v, w);
    for (int i = 0; i < 3; ++i)
        assert_true(x[i] == 0.0 && a[i] == 0.0 && v[i] == 0.0 && w[i] == 0.0);
    for (int k = 0; k < 4; ++k) {
        cst_motion_sample(&one, 0.25 * k, x, a, v, w);
        assert_true(x[0] == 2.0 && a[2] == 1.0 && v[0] == 0.0 && w[2] == 0.0);
    }
}

static void copies_and_refusals(void **state)
{
    (void)state;
    char message[128];
    cst_motion motion = {.key = keys, .keys = 4, .period = 3.0}, copy;
    assert_true(cst_motion_check(&motion, "m", message, sizeof message));
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    assert_true(cst_motion_copy(&arena, &motion, &copy));
    assert_ptr_not_equal(copy.key, keys);
    assert_memory_equal(copy.key, keys, sizeof keys);
    cst_arena_end(&arena);

    motion.period = 2.5;
    assert_false(cst_motion_check(&motion, "root_motion", message, sizeof message));
    assert_non_null(strstr(message, "root_motion"));
    assert_non_null(strstr(message, "period"));
    motion = (cst_motion){.keys = 2};
    assert_false(cst_motion_check(&motion, "m", message, sizeof message));
    cst_key bad[2] = {keys[1], keys[0]};
    motion = (cst_motion){.key = bad, .keys = 2};
    assert_false(cst_motion_check(&motion, "m", message, sizeof message));
    assert_non_null(strstr(message, "increase"));
    bad[0] = keys[0];
    bad[1] = keys[1];
    bad[1].rotation[2] = NAN;
    assert_false(cst_motion_check(&motion, "m", message, sizeof message));
    assert_non_null(strstr(message, "key 1"));
    motion = (cst_motion){.period = -1.0};
    assert_false(cst_motion_check(&motion, "m", message, sizeof message));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_at_keys), cmocka_unit_test(rates_are_derivatives),
                                       cmocka_unit_test(periods_go_on), cmocka_unit_test(rest_and_single_key),
                                       cmocka_unit_test(copies_and_refusals)};
    return cmocka_run_group_tests_name("prescribed motion", tests, NULL, NULL);
}
