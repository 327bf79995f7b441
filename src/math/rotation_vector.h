/* Rotations in 3D: the exponential of a rotation vector, its angular velocity, and the shortest rotation between two directions.
 *
 *     A rotation vector x has the coefficients S = sin|x| / |x|, A = (1 - cos|x|) / |x|^2 and B = (|x| - sin|x|) / |x|^3.
 *     Rodrigues' formula for the rotation by x is exp(x) = I + S hat(x) + A hat(x)^2.
 *     The rotation exp(x) has the angular velocity V(x) x' in the fixed frame, with V(x) = I + A hat(x) + B hat(x)^2.
 *
 * The matrix V(x) is also the mean of the rotations exp(s x) over 0 < s < 1. A helix of length l with constant curvatures u,
 * which starts at the origin along the axis e0, therefore ends at l V(l u) e0. The formulas for the coefficients S, A and B lose
 * digits for small |x|, so series are used below |x| = 1. */
#ifndef CST_MATH_ROTATION_VECTOR_H
#define CST_MATH_ROTATION_VECTOR_H

#include "math/vector3.h"

/* Computes the coefficients S, A and B of Rodrigues' formula and of V(x) as functions of z = |x|^2. */
void cst_rotation_vector_functions(double z, double *S, double *A, double *B);

/* Computes R = exp(hat(x)), row-major. */
void cst_rotation_vector_exp(const double *x, double *R);

/* out = V(x) y */
void cst_rotation_vector_mean(const double *x, const double *y, double *out);

/* Rotates d by the smallest rotation that takes the unit vector `from` to the unit vector `to`. The vector d need not be
 * perpendicular to `from`. The result is undefined if `from` and `to` are opposite. `out` may be d. */
static inline void cst_parallel_transport(const double *from, const double *to, const double *d, double *out)
{
    double b[3], cross[3];
    cst_cross3(from, to, b);
    cst_cross3(b, d, cross);
    const double c = cst_dot3(from, to), along = cst_dot3(b, d) / (1.0 + c);
    for (int k = 0; k < 3; ++k)
        out[k] = c * d[k] + cross[k] + along * b[k];
}

#endif
