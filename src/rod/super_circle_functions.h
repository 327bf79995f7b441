/* Special functions of a circular arc, accurate for every angle of the arc, including zero and large angles. The closed forms are
 * from the paper of Bertails-Descoubes and others on planar super-circle rods.
 *
 * The arc starts at the origin in the direction of the x axis; points are complex numbers. Symbols:
 *     `kappa`, `l`: curvature and length.
 *     `s`: arc length from the start.
 *     `phi = kappa*s`: angle by which the arc turns from its start to s.
 *     `p`: point at s.
 *
 * The point of the arc at the arc length s is p = s E(phi), with the first special function E:
 *     `E = (e^{i*phi}-1)/(i*phi)`.
 *
 * The mass matrix and the weight of the arc are integrals over its length. The integrals define a complex function P and three
 * real functions a, b and c of the angle phi = kappa l:
 *     `P = (e^{i*phi}-1-i*phi)/(i*phi)^2`.
 *     `int p = l^2*P`.
 *     `int |p|^2 = l^3*a`.
 *     `int p x dp/dkappa = l^4*b`.
 *     `int |dp/dkappa|^2 = l^5*c`.
 *
 * All special functions and their derivatives are sums, with small integer factors, of eight power series f_0 to f_7:
 *     `f_k = sum_j (-1)^j*phi^(2j)/(2j+k)!`.
 *
 * The power series have a recursion, and their derivatives are sums of the same power series:
 *     `f_k = 1/k!-phi^2*f_(k+2)`.
 *     `(phi^k*f_k)' = phi^(k-1)*f_(k-1)`.
 *     `f_k' = -phi*(f_(k+1)-k*f_(k+2))`.
 *
 * For angles below 4 rad, f_6 and f_7 are summed term by term, and the recursion gives f_5 to f_0. For angles of 4 rad or more,
 * the recursion begins with f_0 = cos phi and f_1 = sin phi / phi, and gives f_2 to f_7. The computation never divides by a small
 * angle, and for small angles it never subtracts nearly equal numbers. */
#ifndef CST_ROD_SUPER_CIRCLE_FUNCTIONS_H
#define CST_ROD_SUPER_CIRCLE_FUNCTIONS_H

#include "rod/plane_vector.h"

enum { CST_CIRCLE_SERIES = 8 };

/* Computes the eight power series f_0 to f_7 at an angle of 4 rad or more. */
void cst_circle_series_far(double phi, double f[CST_CIRCLE_SERIES]);

/* CST_CIRCLE_NEAR: number of terms that give a power series full precision for angles up to 1 rad.
 * CST_CIRCLE_TERMS: number of terms that give a power series full precision for angles up to 4 rad. */
enum { CST_CIRCLE_NEAR = 8, CST_CIRCLE_TERMS = 14 };

static inline __attribute__((always_inline)) void cst_circle_sum(const double *sixth, const double *seventh, int terms, double z,
                                                                 double *f6, double *f7)
{
    *f6 = sixth[terms - 1];
    *f7 = seventh[terms - 1];
    for (int j = terms - 2; j >= 0; --j) {
        *f6 = sixth[j] - z * *f6;
        *f7 = seventh[j] - z * *f7;
    }
}

/* Computes the eight power series f_0 to f_7 at any angle. */
static inline void cst_circle_series(double phi, double f[CST_CIRCLE_SERIES])
{
    static const double sixth[CST_CIRCLE_TERMS] = {1.0 / 720.0,
                                                   1.0 / 40320.0,
                                                   1.0 / 3628800.0,
                                                   1.0 / 479001600.0,
                                                   1.0 / 87178291200.0,
                                                   1.0 / 20922789888000.0,
                                                   1.0 / 6402373705728000.0,
                                                   1.0 / 2432902008176640000.0,
                                                   1.0 / 1124000727777607680000.0,
                                                   1.0 / 620448401733239439360000.0,
                                                   1.0 / 403291461126605635584000000.0,
                                                   1.0 / 304888344611713860501504000000.0,
                                                   1.0 / 265252859812191058636308480000000.0,
                                                   1.0 / 263130836933693530167218012160000000.0};
    static const double seventh[CST_CIRCLE_TERMS] = {1.0 / 5040.0,
                                                     1.0 / 362880.0,
                                                     1.0 / 39916800.0,
                                                     1.0 / 6227020800.0,
                                                     1.0 / 1307674368000.0,
                                                     1.0 / 355687428096000.0,
                                                     1.0 / 121645100408832000.0,
                                                     1.0 / 51090942171709440000.0,
                                                     1.0 / 25852016738884976640000.0,
                                                     1.0 / 15511210043330985984000000.0,
                                                     1.0 / 10888869450418352160768000000.0,
                                                     1.0 / 8841761993739701954543616000000.0,
                                                     1.0 / 8222838654177922817725562880000000.0,
                                                     1.0 / 8683317618811886495518194401280000000.0};
    double z = phi * phi;
    if (!(z < 16.0)) {
        cst_circle_series_far(phi, f);
        return;
    }
    double f6, f7;
    if (z < 1.0)
        cst_circle_sum(sixth, seventh, CST_CIRCLE_NEAR, z, &f6, &f7);
    else
        cst_circle_sum(sixth, seventh, CST_CIRCLE_TERMS, z, &f6, &f7);
    f[7] = f7;
    f[6] = f6;
    f[5] = 1.0 / 120.0 - z * f7;
    f[4] = 1.0 / 24.0 - z * f6;
    f[3] = 1.0 / 6.0 - z * f[5];
    f[2] = 0.5 - z * f[4];
    f[1] = 1.0 - z * f[3];
    f[0] = 1.0 - z * f[2];
}

/* CST_CIRCLE_PLACE: square of the angle (rad^2) below which the power series in the function cst_circle_place are accurate. */
#define CST_CIRCLE_PLACE 16.0

/* Computes only the power series f_1, f_2 and f_3, which give the points and tangents of an arc or a helix. `z` is the square of
 * the angle and must be less than CST_CIRCLE_PLACE. The even and the odd terms of a power series are summed separately, so that
 * the processor computes both sums at the same time. */
static inline void cst_circle_place(double z, double *f1, double *f2, double *f3)
{
    typedef double both __attribute__((vector_size(16))); /* values for f_2 and f_3 */
    /* coefficients of z^i in f_2 and f_3 without their signs: 1/(2i+2)! and 1/(2i+3)! */
    static const both term[] = {{1.0 / 2.0, 1.0 / 6.0},
                                {1.0 / 24.0, 1.0 / 120.0},
                                {1.0 / 720.0, 1.0 / 5040.0},
                                {1.0 / 40320.0, 1.0 / 362880.0},
                                {1.0 / 3628800.0, 1.0 / 39916800.0},
                                {1.0 / 479001600.0, 1.0 / 6227020800.0},
                                {1.0 / 87178291200.0, 1.0 / 1307674368000.0},
                                {1.0 / 20922789888000.0, 1.0 / 355687428096000.0},
                                {1.0 / 6402373705728000.0, 1.0 / 121645100408832000.0},
                                {1.0 / 2432902008176640000.0, 1.0 / 51090942171709440000.0},
                                {1.0 / 1124000727777607680000.0, 1.0 / 25852016738884976640000.0},
                                {1.0 / 620448401733239439360000.0, 1.0 / 15511210043330985984000000.0},
                                {1.0 / 403291461126605635584000000.0, 1.0 / 10888869450418352160768000000.0},
                                {1.0 / 304888344611713860501504000000.0, 1.0 / 8841761993739701954543616000000.0},
                                {1.0 / 265252859812191058636308480000000.0, 1.0 / 8222838654177922817725562880000000.0},
                                {1.0 / 263130836933693530167218012160000000.0, 1.0 / 8683317618811886495518194401280000000.0}};
    enum { LAST = sizeof term / sizeof *term - 1 };
    const both w = {z * z, z * z};
    both even = term[LAST - 1], odd = term[LAST];
    for (int i = LAST - 3; i >= 0; i -= 2) {
        even = term[i] + w * even;
        odd = term[i + 1] + w * odd;
    }
    *f2 = even[0] - z * odd[0];
    *f3 = even[1] - z * odd[1];
    *f1 = 1.0 - z * *f3;
}

/* Each of the following functions computes, from the power series f at the angle phi, one special function of an arc or a
 * derivative of it: for example, cst_circle_E1 computes E', and cst_circle_E2 computes E''. */
static inline cst_plane cst_circle_E(double phi, const double *f)
{
    return (cst_plane){f[1], phi * f[2]};
}

static inline cst_plane cst_circle_E1(double phi, const double *f)
{
    return (cst_plane){-phi * (f[2] - f[3]), f[1] - f[2]};
}

static inline cst_plane cst_circle_E2(double phi, const double *f)
{
    return (cst_plane){2.0 * (f[2] - f[3]) - f[1], -phi * (f[2] - 2.0 * (f[3] - f[4]))};
}

static inline cst_plane cst_circle_P(double phi, const double *f)
{
    return (cst_plane){f[2], phi * f[3]};
}

static inline cst_plane cst_circle_P1(double phi, const double *f)
{
    return (cst_plane){-phi * (f[3] - 2.0 * f[4]), f[2] - 2.0 * f[3]};
}

static inline cst_plane cst_circle_P2(double phi, const double *f)
{
    return (cst_plane){4.0 * f[3] - f[2] - 6.0 * f[4], -phi * (f[3] - 4.0 * f[4] + 6.0 * f[5])};
}

static inline double cst_circle_a(const double *f)
{
    return 2.0 * f[3];
}

static inline double cst_circle_a1(double phi, const double *f)
{
    return -2.0 * phi * (f[4] - 3.0 * f[5]);
}

static inline double cst_circle_b(const double *f)
{
    return f[3] - f[4];
}

static inline double cst_circle_b1(double phi, const double *f)
{
    return -phi * (f[4] - 4.0 * (f[5] - f[6]));
}

static inline double cst_circle_c(const double *f)
{
    return 2.0 * f[4] - 4.0 * f[5];
}

static inline double cst_circle_c1(double phi, const double *f)
{
    return 2.0 * phi * (6.0 * f[6] - f[5] - 10.0 * f[7]);
}

#endif
