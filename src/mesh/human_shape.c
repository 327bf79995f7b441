#include "mesh/human_shape.h"

#include <math.h>

#include "math/vector3.h"

/* ------------------------------------------------------------------------------------------------------------------- pieces */

/* Returns the approximate distance to the smooth union of two shapes, given the distances a and b to the shapes. `k`: width (m)
 * over which the two surfaces blend. */
static double join(double a, double b, double k)
{
    const double h = fmax(k - fabs(a - b), 0.0) / k;
    return fmin(a, b) - 0.25 * h * h * k;
}

static double cut(double a, double b, double k)
{
    return -join(-a, b, k);
}

static double ball(const double *x, double px, double py, double pz, double r)
{
    const double d[3] = {x[0] - px, x[1] - py, x[2] - pz};
    return sqrt(cst_dot3(d, d)) - r;
}

/* Returns the approximate distance of the point x from an ellipsoid with the centre p and the half axes r. The approximate
 * distance is zero on the ellipsoid and exact to first order near it:
 *     `distance = |q|*(|q|-1)/|q/r|`.
 *     `q = (x-p)/r`: component by component. */
static double egg(const double *x, double px, double py, double pz, double rx, double ry, double rz)
{
    const double q[3] = {(x[0] - px) / rx, (x[1] - py) / ry, (x[2] - pz) / rz};
    const double g[3] = {q[0] / rx, q[1] / ry, q[2] / rz};
    const double size = sqrt(cst_dot3(q, q)), slope = sqrt(cst_dot3(g, g));
    return slope > 0.0 ? size * (size - 1.0) / slope : -fmin(rx, fmin(ry, rz));
}

/* Returns the approximate distance to a round cone between the point a (radius ra) and the point b (radius rb). */
static double limb(const double *x, const double *a, const double *b, double ra, double rb)
{
    double d[3], axis[3];
    cst_subtract3(x, a, d);
    cst_subtract3(b, a, axis);
    const double t = fmin(fmax(cst_dot3(d, axis) / cst_dot3(axis, axis), 0.0), 1.0);
    cst_add3(-t, axis, d);
    return sqrt(cst_dot3(d, d)) - (ra + t * (rb - ra));
}

/* --------------------------------------------------------------------------------------------------------------------- head */

/* Returns the approximate distance of the point x from an ear: a tilted disc with a rim, hollow on the outside. The three
 * coordinates of x are measured forward, outward from the head, and upward. */
static double ear(const double *x)
{
    /* The ear is tilted backwards by 0.2 rad, and its back edge is turned outwards by 0.45 rad. */
    const double cl = 0.980067, sl = 0.198669, co = 0.900447, so = 0.434966;
    const double d[3] = {x[0] + 0.014, x[1] - 0.0805, x[2] + 0.012};
    const double e[3] = {cl * d[0] + sl * d[2], d[1], -sl * d[0] + cl * d[2]};
    const double p[3] = {co * e[0] + so * e[1], -so * e[0] + co * e[1], e[2]};
    const double disc = egg(p, 0.0, 0.0, 0.0, 0.019, 0.0085, 0.031);
    return cut(disc, egg(p, 0.003, 0.010, 0.002, 0.0115, 0.0105, 0.020), 0.004);
}

static double face_of(const double *x)
{
    static const double brow[2][3] = {{0.0800, 0.005, 0.016}, {0.0700, 0.042, 0.014}};
    static const double bridge[2][3] = {{0.0890, 0.0, 0.010}, {0.1075, 0.0, -0.033}};
    static const double jaw[2][3] = {{0.005, 0.050, -0.062}, {0.066, 0.012, -0.103}};
    double f = egg(x, 0.032, 0.0, -0.035, 0.058, 0.059, 0.075);
    f = join(f, limb(x, jaw[0], jaw[1], 0.018, 0.017), 0.035);
    f = join(f, ball(x, 0.074, 0.0, -0.106, 0.015), 0.025);
    f = join(f, ball(x, 0.058, 0.043, -0.028, 0.020), 0.02); /* cheek */
    f = join(f, limb(x, brow[0], brow[1], 0.009, 0.008), 0.02);
    f = cut(f, ball(x, 0.106, 0.032, -0.003, 0.020), 0.018); /* eye */
    f = join(f, egg(x, 0.0700, 0.031, -0.004, 0.015, 0.0155, 0.012), 0.006);
    f = join(f, limb(x, bridge[0], bridge[1], 0.0065, 0.0100), 0.014);
    f = join(f, ball(x, 0.0985, 0.0095, -0.0385, 0.0075), 0.009);
    f = join(f, egg(x, 0.080, 0.0, -0.073, 0.018, 0.026, 0.020), 0.02); /* mouth */
    f = join(f, egg(x, 0.0920, 0.0, -0.0665, 0.0085, 0.021, 0.0052), 0.006);
    return join(f, egg(x, 0.0910, 0.0, -0.0775, 0.0085, 0.018, 0.0062), 0.006);
}

static double head(const double at[3])
{
    static const double neck[2][3] = {{-0.030, 0.0, -0.050}, {-0.044, 0.0, -0.175}};
    const double x[3] = {at[0], fabs(at[1]), at[2]};
    double f = egg(x, -0.012, 0.0, 0.022, 0.094, 0.077, 0.086);
    f = join(f, egg(x, 0.030, 0.0, 0.030, 0.060, 0.061, 0.062), 0.03);
    f = join(f, face_of(x), 0.03);
    f = join(f, limb(x, neck[0], neck[1], 0.050, 0.048), 0.035);
    return join(f, ear(x), 0.006);
}

static double head_weight(const double at[3])
{
    const double x[3] = {at[0], fabs(at[1]), at[2]};
    const double features = ball(x, 0.085, 0.0, -0.03, 0.045), auricle = ball(x, -0.014, 0.083, -0.012, 0.03);
    const double near = fmin(features, auricle);
    return near <= 0.0 ? 5.0 : 1.0 + 4.0 / (1.0 + (near / 0.012) * (near / 0.012));
}

/* --------------------------------------------------------------------------------------------------------------------- bust */

static double bust(const double at[3])
{
    static const double neck[2][3] = {{-0.040, 0.0, -0.125}, {-0.058, 0.0, -0.250}};
    static const double nape[2][3] = {{-0.068, 0.012, -0.150}, {-0.066, 0.130, -0.252}};
    static const double clavicle[2][3] = {{0.0, 0.020, -0.262}, {-0.048, 0.160, -0.258}};
    static const double arm[2][3] = {{-0.060, 0.176, -0.290}, {-0.058, 0.198, -0.400}};
    const double x[3] = {at[0], fabs(at[1]), at[2]};
    double f = limb(x, neck[0], neck[1], 0.0475, 0.060);
    f = join(f, limb(x, nape[0], nape[1], 0.026, 0.022), 0.05);
    f = join(f, limb(x, clavicle[0], clavicle[1], 0.018, 0.020), 0.03);
    f = join(f, egg(x, -0.050, 0.0, -0.350, 0.108, 0.175, 0.135), 0.06);
    f = join(f, limb(x, arm[0], arm[1], 0.052, 0.048), 0.05);
    f = join(f, egg(x, 0.026, 0.082, -0.385, 0.050, 0.068, 0.070), 0.06); /* chest */
    /* the bust is cut off horizontally at the height z = -0.400 m */
    const double below = -0.400 - x[2];
    return cut(f, -below, 0.02);
}

static double even_weight(const double x[3])
{
    (void)x;
    return 1.0;
}

const cst_star_body *cst_human_body(cst_human_part part)
{
    static const cst_star_body made[2] = {
        {.distance = head, .weight = head_weight, .center = {-0.008, 0.0, 0.0}, .reach = 0.26},
        {.distance = bust, .weight = even_weight, .center = {-0.052, 0.0, -0.300}, .reach = 0.36},
    };
    return &made[part];
}

/* The hairline is at the height z = 0.062 m at the front of the head, 0.030 m at the temples, -0.005 m at the side, and -0.075 m
 * at the nape. Within 0.036 m of a point in the ear, no hair grows. */
bool cst_human_scalp(const double at[3])
{
    const double x[3] = {at[0], fabs(at[1]), at[2]};
    const double across = sqrt(x[0] * x[0] + x[1] * x[1]), forward = across > 0.0 ? x[0] / across : 0.0;
    double line;
    if (forward > 0.6)
        line = 0.030 + 0.032 * (forward - 0.6) / 0.4;
    else if (forward > 0.0)
        line = -0.005 + 0.035 * forward / 0.6;
    else
        line = -0.005 - 0.070 * fmin(-forward / 0.7, 1.0);
    return x[2] > line && ball(x, -0.010, 0.082, -0.010, 0.036) > 0.0;
}
