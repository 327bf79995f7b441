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
    const cst_valley valley = {.quartic = &q, .low = low, .high = high, .h = {1.0, 1.0}, .slack = 1e-9, .reach = reach};
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

/* The second curve ends at u = 0, which is beside the middle of the first curve. */
static void finds_minima_beside_an_end(void **state)
{
    (void)state;
    double start[CST_VALLEY_STARTS][2];
    const double low[2] = {-0.3, 0.0}, high[2] = {1.3, 1.0};
    const double away[5] = {0.1, 0.1, 0.05, 0.0, 0.0}; /* nearest at the end: no minimum inside */
    const int none = starts_of(away, 0.5, low, high, 0.2, start);
    assert_true(none >= 0);
    for (int i = 0; i < none; ++i)
        assert_true(fabs(start[i][1]) < 0.2);
    const double inside[5] = {0.1 + 0.2 * 0.04, -0.2 * 0.4, 0.2, 0.0, 0.0}; /* 0.1 + 0.2 (u - 0.2)^2 */
    const int count = starts_of(inside, 0.5, low, high, 0.2, start);
    bool found = false;
    for (int i = 0; i < count; ++i)
        found = found || (fabs(start[i][0] - 0.7) < 0.1 && fabs(start[i][1] - 0.2) < 0.1);
    assert_true(found);
}

/* The second curve is a parabola, and the first curve is short and perpendicular to its plane. Two points of the parabola are
 * locally nearest to each point of the first curve, so that the valley has two branches. */
static void finds_all_branches(void **state)
{
    (void)state;
    cst_quartics q;
    memset(&q, 0, sizeof q);
    q.c[1][2][0] = 0.2; /* first curve: along z, through the origin in its middle */
    q.c[0][2][0] = -0.1;
    const double x[5] = {-1.0, 2.0, 0.0, 0.0, 0.0}, y[5] = {0.0, 4.0, -4.0, 0.0, 0.0};
    for (int j = 0; j < 5; ++j) { /* second curve: a parabola in the plane z = 0 */
        q.c[j][0][1] = x[j];
        q.c[j][1][1] = y[j];
    }
    for (int k = 0; k < 3; ++k) {
        q.twice2[k] = 2.0 * q.c[2][k];
        q.thrice3[k] = 3.0 * q.c[3][k];
        q.six3[k] = 6.0 * q.c[3][k];
    }
    enum { POINTS = 2001 };
    double square[POINTS], start[CST_VALLEY_STARTS][2];
    for (int i = 0; i < POINTS; ++i) {
        const double u = (double)i / (POINTS - 1), px = -1.0 + 2.0 * u;
        const double py = y[0] + u * (y[1] + u * (y[2] + u * (y[3] + u * y[4])));
        square[i] = px * px + py * py;
    }
    const double ends[2][2] = {{0.0, 0.0}, {1.0, 1.0}};
    const cst_valley valley = {.quartic = &q, .low = ends[0], .high = ends[1], .h = {0.2, 2.5}, .slack = 1e-9, .reach = 1.5};
    const int count = cst_valley_starts(&valley, start);
    int minima = 0;
    for (int i = 1; i + 1 < POINTS; ++i) {
        if (!(square[i] < square[i - 1] && square[i] < square[i + 1]))
            continue;
        bool found = false;
        for (int j = 0; j < count; ++j)
            found = found || fabs(start[j][1] - (double)i / (POINTS - 1)) < 0.15;
        assert_true(found);
        ++minima;
    }
    assert_int_equal(minima, 2);
}

static void finds_the_points_nearest_to_a_point(void **state)
{
    (void)state;
    cst_quartics q;
    memset(&q, 0, sizeof q);
    q.c[0][0][1] = -1.0; /* x = 2 u - 1, y = 1 - (2 u - 1)^2: two points are nearest to the origin */
    q.c[1][0][1] = 2.0;
    q.c[1][1][1] = 4.0;
    q.c[2][1][1] = -4.0;
    q.twice2[1][1] = -8.0;
    double start[CST_VALLEY_NEAREST];
    const double origin[3] = {0.0, 0.0, 0.0}, far[3] = {0.0, -9.0, 0.0}, u = 0.5 * sqrt(0.5);
    assert_int_equal(cst_valley_nearest(&q, 1, origin, 0.0, 1.0, 1.5, 0.0, start), 2);
    assert_true(fabs(start[0] - (0.5 - u)) < 0.1 && fabs(start[1] - (0.5 + u)) < 0.1);
    assert_int_equal(cst_valley_nearest(&q, 1, far, 0.0, 1.0, 1.5, 0.0, start), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_one_minimum),
                                       cmocka_unit_test(finds_two_minima),
                                       cmocka_unit_test(leaves_minima_of_other_segments),
                                       cmocka_unit_test(finds_minima_beside_an_end),
                                       cmocka_unit_test(finds_all_branches),
                                       cmocka_unit_test(finds_the_points_nearest_to_a_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
