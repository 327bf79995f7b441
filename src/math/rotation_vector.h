/* Rotations in 3D: the exponential of a rotation vector, its angular velocity, and the shortest rotation between two directions.
 *
 * Let x be a rotation vector and hat(x) the matrix of the cross product with x. The rotation exp(x) (Rodrigues' formula) and its
 * angular velocity w in the fixed frame follow from three coefficients S, A and B:
 *     `exp(x) = I+S*hat(x)+A*hat(x)^2`.
 *     `w = V(x)*dx/dt`.
 *     `V(x) = I+A*hat(x)+B*hat(x)^2`.
 *     `S = sin|x|/|x|`.
 *     `A = (1-cos|x|)/|x|^2`.
 *     `B = (|x|-sin|x|)/|x|^3`.
 *
 * The matrix V(x) is also the mean of the rotation matrices exp(s x) over 0 < s < 1. Therefore, for a helix with the length l,
 * the constant curvatures u and the initial tangent e0, the vector from start to end is l V(l u) e0. For rotation vectors shorter
 * than 1, power series replace the closed formulas of S, A and B, which lose digits for short vectors. */
#ifndef CST_MATH_ROTATION_VECTOR_H
#define CST_MATH_ROTATION_VECTOR_H

#include "math/vector3.h"

/* Computes the coefficients S, A and B, which give the rotation exp(x) and its angular velocity, from the squared rotation
 * angle z = |x|^2. */
void cst_rotation_vector_functions(double z, double *S, double *A, double *B);

/* Computes R = exp(hat(x)), row-major. */
void cst_rotation_vector_exp(const double *x, double *R);

/* out = V(x) y */
void cst_rotation_vector_mean(const double *x, const double *y, double *out);

/* Rotates the vector d by the smallest rotation that takes the unit vector `from` to the unit vector `to`. The vector d need not
 * be perpendicular to `from`. The rotated vector is undefined if the unit vectors `from` and `to` are opposite. `out` may be
 * d. */
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
