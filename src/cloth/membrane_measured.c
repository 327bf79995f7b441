/* Membrane of a measured fabric, whose threads become stiffer as they are stretched.
 *
 * Wang, O'Brien and Ramamoorthi (Data-driven elastic models for cloth: modeling and measurement, ACM Transactions on Graphics
 * 30(4), 2011) pulled strips of fabric in five directions. Wang et al. publish stiffnesses for small strain, and stiffnesses for
 * an elongation of 1/6 in each direction.
 *
 * In the model of Wang et al., the stress depends on the direction of the largest stretch. The stress in the model of Wang et al.
 * is not the derivative of an energy: work is gained or lost when the direction of the largest stretch rotates. The membrane
 * energy of Capstan is fitted to the strips that Wang et al. measured. The fitted energy gives the measured force and contraction
 * of strips pulled along the warp or the weft, and the measured force of strips pulled at 45 degrees. Symbols:
 *     `E11`, `E22`, `E12`: components of Green's strain in the axes of the threads.
 *     `E*`: strain E11 at an elongation of 1/6.
 *     `e*`: E*; in shear 0.75*E*.
 *     `c`: published stiffnesses for small strain.
 *     `d`: hardening coefficients.
 *     `g`: ramp function, from 0 to 1.
 *     `psi`: energy per area.
 *
 * The fitted membrane energy is a sum of the terms f_1 of the warp threads, f_2 of the weft threads and f_3 of the shear, and of
 * a cross term. Each of the terms f_1 to f_3 of the energy per area has a stiffness c_i at small strain and a hardening
 * coefficient d_ii. For the shear term f_3, the stiffness c_3 is 2*c33, and the hardening coefficient is 2*d_33. With the ramp
 * function g, the energy per area is:
 *     `psi = f_1(E11)+f_2(E22)+f_3(|E12|)+cross`.
 *     `cross = (c12+d_1*g(E11/E*)+d_2*g(E22/E*))*E11*E22`.
 *     `f_i(e) = c_i*e^2/2 + d_ii*int_0^e g(e'/e*)*e'*de'`.
 *     `E* = ((7/6)^2-1)/2`.
 *
 * The ramp function g(x) rises linearly from 0 at x = 0 to 1 at x = 1; its two corners are rounded, so that the energy is
 * twice differentiable. The ramp function is 0 for negative strain: threads do not become stiffer when they are compressed.
 *
 * The stiffnesses measured at an elongation of 1/6 give Young's modulus Y and the contraction nu of a strip with free sides. The
 * hardening coefficients are chosen so that a strip with the fitted energy per area, psi, has the Young's modulus and the
 * contraction of the measured strip. In a strip pulled along the warp, the weft threads are not stretched and keep their
 * stiffness c22 of small strain. The hardening coefficients d_1 and d_11 follow from Young's modulus Y_0 and the contraction nu_0
 * of a strip measured along the warp:
 *     `c12 + d_1 = nu_0 c22`.
 *     `c11+d_11 = Y_0+(nu_0 c22)^2/c22`.
 *
 * A strip pulled along the weft gives the hardening coefficients d_2 and d_22 by the same formulas, with warp and weft exchanged.
 * The hardening coefficient d_33 of the shear is chosen so that a strip pulled at 45 degrees has the measured force. The
 * stiffnesses measured at 22.5 and 67.5 degrees are not used. */
#include <math.h>
#include <string.h>

#include "cloth/membrane.h"

/* ROUND: half width of a rounded corner of the ramp function, as a fraction of the length of the ramp. */
static const double ROUND = 0.02;
static const double FULL = 0.5 * (49.0 / 36.0 - 1.0); /* E*: Green's strain at an elongation of 1/6 */
/* FULL_SHEAR: shear strain E12 beyond which the shear stiffness no longer grows, as a fraction of E* (Green's strain at an
 * elongation of 1/6). A strip cut at 45 degrees, with the strain E* along the strip and -E* / 2 across it, has the shear strain
 * E12 = 0.75 E*. */
static const double FULL_SHEAR = 0.75;
/* STIFFEST: upper limit of the shear stiffness in the bisection for d_33, as a multiple of the shear stiffness c33 at small
 * strain. */
static const double STIFFEST = 100.0;
/* SOFTEST: lower limit of the stiffness at an elongation of 1/6, as a fraction of the stiffness at small strain; also the lower
 * limit of the shear stiffness c33 at small strain, as a fraction of the smaller of c11 and c22. */
static const double SOFTEST = 0.25;
/* CONTRACTS: upper limit of the lateral contraction of a strip, divided by the contraction above which the elastic energy would
 * be negative for some strains. */
static const double CONTRACTS = 0.9;

typedef struct table {
    double c[4]; /* c11, c12, c22, c33 */
    double d[3]; /* d_11, d_22, d_33 */
    double cross[2];
} table;

/* ------------------------------------------------------------------------------------------------------------------- ramp */

/* The function f(x) is max(x, 0) with the corner at x = 0 rounded between -ROUND and ROUND. The struct contains five values at
 * one point x: f'', f', f, the integral of f, and the integral of x f. */
typedef struct corner {
    double bend, slope, value, whole, moment;
} corner;

static corner corner_at(double x)
{
    const double d = ROUND, y = x + d, scale = 1.0 / (16.0 * d * d * d), y3 = y * y * y;
    if (x <= -d)
        return (corner){0};
    if (x >= d)
        return (corner){0.0, 1.0, x, 0.6 * d * d + 0.5 * (x * x - d * d), x * x * x / 3.0};
    return (corner){scale * 12.0 * y * (2.0 * d - y), scale * y * y * (12.0 * d - 4.0 * y), scale * y3 * (4.0 * d - y),
                    scale * y3 * y * (d - y / 5.0), scale * y3 * y * (d * y - y * y / 6.0 - d * d)};
}

/* Computes the ramp function g and its first two derivatives at the point x, and the integral of g(y) y dy from 0 to x. */
static void ramp(double x, double *g, double *integral)
{
    const corner low = corner_at(x - ROUND), high = corner_at(x - 1.0 + ROUND);
    const double width = 1.0 - 2.0 * ROUND;
    g[0] = (low.value - high.value) / width;
    g[1] = (low.slope - high.slope) / width;
    g[2] = (low.bend - high.bend) / width;
    *integral = (low.moment + ROUND * low.whole - high.moment - (1.0 - ROUND) * high.whole) / width;
}

/* -------------------------------------------------------------------------------------------------------------------- law */

/* Computes one of the energy terms f_1, f_2 and f_3 at the strain e. `f` (3): the energy term and its first two derivatives in e.
 * `g` (3): the ramp function and its first two derivatives. */
static void thread(double c, double d, double e, double full, double *f, double *g)
{
    double integral;
    ramp(e / full, g, &integral);
    f[0] = 0.5 * c * e * e + d * full * full * integral;
    f[1] = c * e + d * g[0] * e;
    f[2] = c + d * (g[0] + g[1] * e / full);
}

static double law(const void *material, const double *e, double *s, double *C)
{
    const table *of = material;
    const double a = e[0], b = e[1], shear = 0.5 * e[2], side = copysign(1.0, shear);
    double f1[3], f2[3], f3[3], g1[3], g2[3], g3[3];
    thread(of->c[0], of->d[0], a, FULL, f1, g1);
    thread(of->c[2], of->d[1], b, FULL, f2, g2);
    thread(2.0 * of->c[3], 2.0 * of->d[2], fabs(shear), FULL_SHEAR * FULL, f3, g3);
    const double x = of->cross[0], y = of->cross[1], cross = of->c[1] + x * g1[0] + y * g2[0];
    const double by_a = x * g1[1] / FULL, by_b = y * g2[1] / FULL, by_aa = x * g1[2] / (FULL * FULL),
                 by_bb = y * g2[2] / (FULL * FULL);
    if (s) {
        const double stress[3] = {f1[1] + (cross + by_a * a) * b, f2[1] + (cross + by_b * b) * a, 0.5 * side * f3[1]};
        const double mixed = cross + by_a * a + by_b * b;
        const double stiffness[9] = {f1[2] + (2.0 * by_a + by_aa * a) * b,
                                     mixed,
                                     0.0,
                                     mixed,
                                     f2[2] + (2.0 * by_b + by_bb * b) * a,
                                     0.0,
                                     0.0,
                                     0.0,
                                     0.25 * f3[2]};
        memcpy(s, stress, sizeof stress);
        memcpy(C, stiffness, sizeof stiffness);
    }
    return f1[0] + f2[0] + f3[0] + cross * a * b;
}

/* ------------------------------------------------------------------------------------------------------------------ table */

/* Returns Young's modulus of a strip with free sides, made of a fabric with the constant stiffnesses c. The lateral contraction
 * of the strip is limited to CONTRACTS times the contraction above which the elastic energy would be negative for some
 * strains. */
static double modulus_along(const double *c, double *contraction)
{
    const double most = CONTRACTS * sqrt(c[0] / c[2]);
    *contraction = fmin(fmax(c[1] / c[2], -most), most);
    return c[0] - *contraction * *contraction * c[2];
}

/* Returns the compliance of a strip cut at 45 degrees to the threads, without the part that is due to shear. */
static double threads_between(const double *c)
{
    const double most = CONTRACTS * sqrt(c[0] * c[2]), c12 = fmin(fmax(c[1], -most), most);
    return 0.25 * (c[0] + c[2] - 2.0 * c12) / (c[0] * c[2] - c12 * c12);
}

/* Computes the hardening coefficient `d` of the warp or weft threads, and the hardening coefficient `cross` of the cross term.
 * Arguments:
 *     `row`: stiffnesses measured at an elongation of 1/6 in the direction of the pulled threads.
 *     `along`: stiffness of the pulled threads at small strain.
 *     `across`: stiffness of the crossing threads at small strain. */
static void harden(const double *row, double along, double across, double c12, double *d, double *cross)
{
    double contraction;
    const double modulus = modulus_along(row, &contraction), stable = CONTRACTS * sqrt(fmax(along, modulus) / across);
    contraction = fmin(fmax(contraction, -stable), stable);
    const double both = contraction * across;
    *cross = both - c12;
    *d = fmax(modulus + both * both / across, SOFTEST * along) - along;
}

/* Returns the stress divided by Green's strain, for a strip cut at 45 degrees to the threads and pulled until its strain is FULL
 * (an elongation of 1/6). Newton's method finds the transverse strain and the shear strain at which the sides of the strip are
 * free of stress. */
static double pull_between(const table *of)
{
    enum { PASSES = 60 };
    /* TO: strains E11, E22 and 2*E12, in the axes of the threads, of a strip cut at 45 degrees. Row 0 of TO is for a unit strain
     * along the strip, row 1 for a unit strain across the strip, and row 2 for a unit shear of the strip. */
    static const double TO[3][3] = {{0.5, 0.5, 1.0}, {0.5, 0.5, -1.0}, {-0.5, 0.5, 0.0}};
    double own[3] = {FULL, 0.0, 0.0}, s[3], C[9], t[3] = {0.0, 0.0, 0.0};
    for (int pass = 0; pass < PASSES; ++pass) {
        double e[3] = {0.0, 0.0, 0.0}, K[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
        for (int i = 0; i < 9; ++i)
            e[i % 3] += own[i / 3] * TO[i / 3][i % 3];
        law(of, e, s, C);
        for (int i = 0; i < 3; ++i)
            t[i] = TO[i][0] * s[0] + TO[i][1] * s[1] + TO[i][2] * s[2];
        for (int i = 0; i < 36; ++i)
            K[i / 18][i / 9 % 2] += TO[1 + i / 18][i % 9 / 3] * C[i % 9] * TO[1 + i / 9 % 2][i % 3];
        const double determinant = K[0][0] * K[1][1] - K[0][1] * K[1][0];
        own[1] -= 0.5 * (K[1][1] * t[1] - K[0][1] * t[2]) / determinant;
        own[2] -= 0.5 * (K[0][0] * t[2] - K[1][0] * t[1]) / determinant;
    }
    return t[0] / FULL;
}

/* Finds the hardening coefficient d_33 of the shear by bisection: the force of a strip pulled at 45 degrees increases with
 * d_33. */
static void fit_shear(double modulus, table *out)
{
    double low = (SOFTEST - 1.0) * out->c[3], high = (STIFFEST - 1.0) * out->c[3];
    for (int pass = 0; pass < 60; ++pass) {
        out->d[2] = 0.5 * (low + high);
        if (pull_between(out) < modulus)
            low = out->d[2];
        else
            high = out->d[2];
    }
}

static void fill(const double row[CST_STRETCH_ROWS][4], table *out)
{
    memcpy(out->c, row[0], sizeof out->c);
    const double most = CONTRACTS * sqrt(out->c[0] * out->c[2]);
    out->c[1] = fmin(fmax(out->c[1], -most), most);
    out->c[3] = fmax(out->c[3], SOFTEST * fmin(out->c[0], out->c[2]));
    const double turned[4] = {row[5][2], row[5][1], row[5][0], row[5][3]};
    harden(row[1], out->c[0], out->c[2], out->c[1], out->d, out->cross);
    harden(turned, out->c[2], out->c[0], out->c[1], out->d + 1, out->cross + 1);
    const double shear = row[3][3] > 0.0 ? row[3][3] : out->c[3];
    fit_shear(1.0 / (threads_between(row[3]) + 0.5 / shear), out);
}

bool cst_measured_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to)
{
    for (int i = 0; i < CST_STRETCH_ROWS; ++i)
        if (!cst_membrane_check_row(fabric->stretching[i], i, to))
            return false;
    table *own = CST_TAKE(arena, table, 1);
    if (!own)
        return cst_complain(to, "sheet: out of memory");
    fill(fabric->stretching, own);
    *out = (cst_membrane_law){law, own};
    return true;
}

static bool make(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to)
{
    cst_membrane_law made = {0};
    return cst_measured_law(fabric, arena, &made, to) &&
           cst_membrane_make(&cst_membrane_measured, mesh, fabric, made.material, arena, out, to);
}

static double evaluate(const void *rest, const double *x, double *gradient, double *hessian, bool projected)
{
    return cst_membrane_evaluate(law, rest, x, gradient, hessian, projected);
}

const cst_element_model cst_membrane_measured = {"measured", make, evaluate};
