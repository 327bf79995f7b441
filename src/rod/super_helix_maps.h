/* Position, rotation and motion of the points of one helical element as functions of its curvatures (Bertails and others 2006,
 * Super-helices; Bertails 2009, Linear time super-helices). Vectors are in the frame of the start of the element. The curvatures
 * of the element are u = (twist, k1, k2). Symbols:
 *     `s`: arc length from the start.
 *     `r`, `R`: start of the element, and the frame there.
 *     `e0`: tangent (1,0,0) at the start.
 *     `x = s*u`: rotation vector of the point.
 *     `z = |x|^2`: square of the rotation angle.
 *     `y`, `cc`: `hat(x)*e0` and `hat(x)*y`.
 *     `S`, `A`, `B`: power series f_1, f_2, f_3 of super_circle_functions.h at the angle |x|.
 *
 * With the start r and the frame R of the element, the point at the arc length s has the position r + R p and the frame R Q, with
 * the vector p and the rotation matrix Q:
 *     `Q = exp(hat(x)) = I+S*hat(x)+A*hat(x)^2`.
 *     `p = s*(e0+A*y+B*cc)`.
 *
 * Relative to the start of the element, the rates of curvature u' give the point the velocity G u' and the angular velocity V u'.
 * The matrices V (from rates of curvature to angular velocity) and G (derivative of p with respect to the curvatures) are:
 *     `V = s*(I+A*hat(x)+B*hat(x)^2)`.
 *     `G = s^2*(-A*hat(e0)+G_1+G_2)`.
 *     `G_1 = (A1*y+B1*cc)*x^T`.
 *     `G_2 = B*(x_0*I+x*e0^T-2*e0*x^T)`.
 *
 * The factors A1, A2, B1 and B2 are derivatives of the power series A and B with respect to z, the square of the rotation angle:
 *     `A1 = 2*dA/dz`, `A2 = 4*d2A/dz2`.
 *     `B1 = 2*dB/dz`, `B2 = 4*d2B/dz2`.
 *     `df_k/dz = -(f_{k+1}-k*f_{k+2})/2`.
 *
 * At constant rates of curvature, the point has the acceleration p'' and the angular acceleration V'u':
 *     `p'' = s*(p_1+p_2)`.
 *     `p_1 = (A2*a^2+A1*q)*y+2*A1*a*y'`.
 *     `p_2 = (B2*a^2+B1*q)*cc+2*B1*a*cc'+B*cc''`.
 *     `V'u' = s*(A1*a*k+B1*a*hat(x)*k+B*hat(x')*k)`.
 *     `x' = s*u'`. `a = x.x'`. `q = x'.x'`. `k = hat(x)*u'`.
 *
 * The spin of a cross-section about its tangent t follows from t, the angular velocity omega of the start (in the frame of the
 * start) and the rates of curvature u':
 *     `t = Q*e0`.
 *     `V^T*Q*e0 = p`.
 *     `spin = omega.t+u'.p`. */
#ifndef CST_ROD_SUPER_HELIX_MAPS_H
#define CST_ROD_SUPER_HELIX_MAPS_H

#include "math/vector3.h"
#include "rod/super_circle_functions.h"

typedef struct cst_helix_maps {
    double s, x[3], z;
    double S, A, B, A1, B1, A2, B2;
} cst_helix_maps;

static inline cst_helix_maps cst_helix_maps_at(const double u[3], double s)
{
    cst_helix_maps m = {.s = s, .x = {s * u[0], s * u[1], s * u[2]}};
    double f[CST_CIRCLE_SERIES];
    m.z = cst_dot3(m.x, m.x);
    cst_circle_series(sqrt(m.z), f);
    m.S = f[1];
    m.A = f[2];
    m.B = f[3];
    m.A1 = 2.0 * f[4] - f[3];
    m.B1 = 3.0 * f[5] - f[4];
    m.A2 = f[4] - 5.0 * f[5] + 8.0 * f[6];
    m.B2 = f[5] - 7.0 * f[6] + 15.0 * f[7];
    return m;
}

/* Computes at least the members s, x, z, S, A and B of cst_helix_maps, which are all that cst_helix_place and cst_helix_tangent
 * need. */
static inline cst_helix_maps cst_helix_place_maps(const double u[3], double s)
{
    cst_helix_maps m = {.s = s, .x = {s * u[0], s * u[1], s * u[2]}};
    m.z = cst_dot3(m.x, m.x);
    if (!(m.z < CST_CIRCLE_PLACE))
        return cst_helix_maps_at(u, s);
    cst_circle_place(m.z, &m.S, &m.A, &m.B);
    return m;
}

static inline void cst_helix_place(const cst_helix_maps *m, double p[3])
{
    const double *x = m->x;
    p[0] = m->s * (1.0 - m->B * (x[1] * x[1] + x[2] * x[2]));
    p[1] = m->s * (m->A * x[2] + m->B * x[0] * x[1]);
    p[2] = m->s * (m->B * x[0] * x[2] - m->A * x[1]);
}

static inline void cst_helix_tangent(const cst_helix_maps *m, double t[3])
{
    const double *x = m->x;
    t[0] = 1.0 - m->A * (x[1] * x[1] + x[2] * x[2]);
    t[1] = m->S * x[2] + m->A * x[0] * x[1];
    t[2] = m->A * x[0] * x[2] - m->S * x[1];
}

/* Computes `out = scale*(I+b*hat(x)+c*hat(x)^2)`. */
static inline void cst_helix_spread(const cst_helix_maps *m, double scale, double b, double c, double out[9])
{
    const double *x = m->x, d = scale * (1.0 - c * m->z);
    b *= scale;
    c *= scale;
    const double xy = c * x[0] * x[1], xz = c * x[0] * x[2], yz = c * x[1] * x[2];
    out[0] = d + c * x[0] * x[0];
    out[1] = xy - b * x[2];
    out[2] = xz + b * x[1];
    out[3] = xy + b * x[2];
    out[4] = d + c * x[1] * x[1];
    out[5] = yz - b * x[0];
    out[6] = xz - b * x[1];
    out[7] = yz + b * x[0];
    out[8] = d + c * x[2] * x[2];
}

static inline void cst_helix_frame(const cst_helix_maps *m, double Q[9])
{
    cst_helix_spread(m, 1.0, m->S, m->A, Q);
}

static inline void cst_helix_turning(const cst_helix_maps *m, double V[9])
{
    cst_helix_spread(m, m->s, m->A, m->B, V);
}

static inline void cst_helix_bend(const cst_helix_maps *m, double G[9])
{
    const double *x = m->x, s2 = m->s * m->s, bend = x[1] * x[1] + x[2] * x[2];
    /* column c: factor of x^T */
    const double c0 = s2 * (-m->B1 * bend - 2.0 * m->B), c1 = s2 * (m->A1 * x[2] + m->B1 * x[0] * x[1]);
    const double c2 = s2 * (m->B1 * x[0] * x[2] - m->A1 * x[1]), A = s2 * m->A, B = s2 * m->B, d = B * x[0];
    G[0] = c0 * x[0] + 2.0 * d;
    G[1] = c0 * x[1];
    G[2] = c0 * x[2];
    G[3] = c1 * x[0] + B * x[1];
    G[4] = c1 * x[1] + d;
    G[5] = c1 * x[2] + A;
    G[6] = c2 * x[0] + B * x[2];
    G[7] = c2 * x[1] - A;
    G[8] = c2 * x[2] + d;
}

/* Computes the second time derivative p'' of the position at constant rates of curvature. */
static inline void cst_helix_place_rate2(const cst_helix_maps *m, const double rate[3], double out[3])
{
    const double *x = m->x, s = m->s, d[3] = {s * rate[0], s * rate[1], s * rate[2]};
    const double a = cst_dot3(x, d), q = cst_dot3(d, d), bend = x[1] * x[1] + x[2] * x[2];
    const double add = m->A2 * a * a + m->A1 * q, ad2 = 2.0 * m->A1 * a;
    const double bdd = m->B2 * a * a + m->B1 * q, bd2 = 2.0 * m->B1 * a, b2 = 2.0 * m->B;
    out[0] = s * (-bdd * bend + bd2 * (2.0 * d[0] * x[0] - 2.0 * a) + b2 * (d[0] * d[0] - q));
    out[1] = s * (add * x[2] + ad2 * d[2] + bdd * x[0] * x[1] + bd2 * (d[1] * x[0] + x[1] * d[0]) + b2 * d[1] * d[0]);
    out[2] = s * (-add * x[1] - ad2 * d[1] + bdd * x[0] * x[2] + bd2 * (d[2] * x[0] + x[2] * d[0]) + b2 * d[2] * d[0]);
}

/* Computes V'u', the angular acceleration at constant rates of curvature. */
static inline void cst_helix_turning_rate2(const cst_helix_maps *m, const double rate[3], double out[3])
{
    const double *x = m->x, s = m->s, d[3] = {s * rate[0], s * rate[1], s * rate[2]};
    const double a = cst_dot3(x, d), q = cst_dot3(d, d), first = m->A1 * a, second = m->B1 * a;
    double cross[3];
    cst_cross3(x, d, cross);
    for (int k = 0; k < 3; ++k) /* by Grassmann's identity */
        out[k] = first * cross[k] + second * (x[k] * a - d[k] * m->z) + m->B * (x[k] * q - d[k] * a);
}

/* Computes V v for `sign` = 1 and V^T v for `sign` = -1, with the matrix V from rates of curvature to angular velocity. */
static inline void cst_helix_turning_times(const cst_helix_maps *m, double sign, const double v[3], double out[3])
{
    const double *x = m->x, along = m->B * cst_dot3(x, v), d = 1.0 - m->B * m->z, A = sign * m->A;
    double cross[3];
    cst_cross3(x, v, cross);
    for (int k = 0; k < 3; ++k)
        out[k] = m->s * (d * v[k] + A * cross[k] + along * x[k]);
}

#endif
