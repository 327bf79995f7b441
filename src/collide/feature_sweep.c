#include "collide/feature_sweep.h"

#include <math.h>
#include <stdbool.h>

#include "math/polynomial.h"
#include "math/vector3.h"

void cst_sweep_at(const cst_moving_points *points, double t, double x[4][3])
{
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = (1.0 - t) * points->at[i][0][k] + t * points->at[i][1][k];
}

static double determinant(const double *a, const double *b, const double *c)
{
    double across[3];
    cst_cross3(a, b, across);
    return cst_dot3(across, c);
}

/* Computes the vectors `e` from the first of four moving points to the other three at the time t = 0, and their changes `d` from
 * t = 0 to t = 1. */
static void edges_of(const cst_moving_points *points, double e[3][3], double d[3][3])
{
    for (int i = 0; i < 3; ++i) {
        double last[3];
        cst_subtract3(points->at[i + 1][0], points->at[0][0], e[i]);
        cst_subtract3(points->at[i + 1][1], points->at[0][1], last);
        cst_subtract3(last, e[i], d[i]);
    }
}

/* Returns true if all Bernstein coefficients of a cubic on [0, 1] have the same sign, so that the cubic has no zero there. */
static bool keeps_its_sign(const double *c, double zero)
{
    const double b[4] = {c[0], c[0] + c[1] / 3.0, c[0] + (2.0 * c[1] + c[2]) / 3.0, c[0] + c[1] + c[2] + c[3]};
    const double low = fmin(fmin(b[0], b[1]), fmin(b[2], b[3])), high = fmax(fmax(b[0], b[1]), fmax(b[2], b[3]));
    return low > zero || high < -zero;
}

int cst_sweep_roots(const cst_moving_points *points, double *root)
{
    double e[3][3], d[3][3], scale = 0.0;
    edges_of(points, e, d);
    for (int i = 0; i < 3; ++i)
        scale = fmax(scale, cst_dot3(e[i], e[i]) + cst_dot3(d[i], d[i]));
    const double c[4] = {determinant(e[0], e[1], e[2]),
                         determinant(d[0], e[1], e[2]) + determinant(e[0], d[1], e[2]) + determinant(e[0], e[1], d[2]),
                         determinant(e[0], d[1], d[2]) + determinant(d[0], e[1], d[2]) + determinant(d[0], d[1], e[2]),
                         determinant(d[0], d[1], d[2])};
    const double zero = 1e-14 * scale * sqrt(scale);
    if (keeps_its_sign(c, zero))
        return 0;
    int count = 0;
    double found[3];
    if (fabs(c[0]) <= zero)
        root[count++] = 0.0;
    int degree = 3; /* without leading coefficients that are zero */
    while (degree > 0 && fabs(c[degree]) <= zero)
        --degree;
    const int roots = degree > 0 ? cst_polynomial_positive_roots(degree, c, found) : 0;
    for (int i = 0; i < roots; ++i)
        if (found[i] <= 1.0)
            root[count++] = found[i];
    if (fabs(c[0] + c[1] + c[2] + c[3]) <= zero && (count == 0 || root[count - 1] < 1.0))
        root[count++] = 1.0;
    return count;
}
