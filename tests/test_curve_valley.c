/* Start points along the valley of the distance of two curves (collide/curve_valley.h): a straight curve along x, and a curve
 * y(x) whose distance from it is known in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/curve_valley.h"

static const double LINE[2][2][3] = {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, {{0.0, 0.1, 0.0}, {1.0, 0.1, 0.0}}};
static const double LOW[2] = {-0.3, -0.3}, HIGH[2] = {1.3, 1.3};

/* The second curve is x = shift + u, y = y[0] + y[1] u + ... + y[4] u^4. */
static int starts_of(const double *y, double shift, const double *low, const double *high, double reach, double start[][2])
{
    cst_quartics q;
    memset(&q, 0, sizeof q);
    q.c[1][0][0] = q.c[1][0][1] = 1.0;
    q.c[0][0][1] = shift;
    for (int j = 0; j < 5; ++j)
        q.c[j][1][1] = y[j];
    q.twice2[1][1] = 2.0 * y[2];
    q.thrice3[1][1] = 3.0 * y[3];
    q.six3[1][1] = 6.0 * y[3];
    double line[2][3];
    memcpy(line, LINE[1], sizeof line);
    line[0][0] += shift;
    line[1][0] += shift;
    const cst_valley valley = {
        .quartic = &q, .low = low, .high = high, .line = {LINE[0], line}, .slack = 1e-9, .sag = 0.02, .reach = reach};
    return cst_valley_starts(&valley, start);
}

static void finds_one_minimum(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double y[5] = {0.1 + 0.2 * 0.25, -0.2, 0.2, 0.0, 0.0}; /* 0.1 + 0.2 (u - 0.5)^2 */
    assert_int_equal(starts_of(y, 0.0, LOW, HIGH, 0.2, start), 1);
    assert_true(fabs(start[0][0] - 0.5) < 0.01 && fabs(start[0][1] - 0.5) < 0.01);
}

static void finds_two_minima(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double y[5] = {0.1 + 0.2 * 0.0256, -0.2 * 0.32, 0.2 * 1.32, -0.2 * 2.0, 0.2}; /* 0.1 + 0.2 (u - 0.2)^2 (u - 0.8)^2 */
    const int count = starts_of(y, 0.0, LOW, HIGH, 0.2, start);
    assert_true(count >= 2);
    bool first = false, second = false;
    for (int i = 0; i < count; ++i) {
        first = first || fabs(start[i][0] - 0.2) < 0.2;
        second = second || fabs(start[i][0] - 0.8) < 0.2;
    }
    assert_true(first && second);
}

static void leaves_minima_of_other_segments(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double beyond[5] = {0.1 + 0.2 * 2.25, -0.6, 0.2, 0.0, 0.0}; /* 0.1 + 0.2 (u - 1.5)^2 */
    assert_int_equal(starts_of(beyond, 0.0, LOW, HIGH, 1.0, start), 0);
    const double far[5] = {0.1 + 0.2 * 0.25, -0.2, 0.2, 0.0, 0.0};
    assert_int_equal(starts_of(far, 0.0, LOW, HIGH, 0.09, start), 0);
}

static void says_where_a_curve_ends(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double y[5] = {0.1, 0.0, 0.05, 0.0, 0.0}, low[2] = {-0.3, 0.0}, high[2] = {1.3, 1.0};
    assert_int_equal(starts_of(y, 0.5, low, high, 0.2, start), -1);
}

static void refuses_wound_curves(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double y[5] = {0.1, 0.0, 0.3, -0.4, 0.0}; /* the second derivative changes its sign */
    assert_int_equal(starts_of(y, 0.0, LOW, HIGH, 0.2, start), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_one_minimum), cmocka_unit_test(finds_two_minima),
                                       cmocka_unit_test(leaves_minima_of_other_segments),
                                       cmocka_unit_test(says_where_a_curve_ends), cmocka_unit_test(refuses_wound_curves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
