/* Unit quaternions (w, x, y, z) as rotations in 3D: q v q^* rotates v, and -q is the same rotation as q. Outputs must differ
 * from inputs. */
#ifndef CST_MATH_QUATERNION_H
#define CST_MATH_QUATERNION_H

#include <math.h>

/* out = p q */
static inline void cst_quaternion_product(const double *p, const double *q, double *out)
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + q[0] * p[1] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + q[0] * p[2] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + q[0] * p[3] + p[1] * q[2] - p[2] * q[1];
}

/* Computes out = p^* q, the rotation from p to q in the frame of p. */
static inline void cst_quaternion_between(const double *p, const double *q, double *out)
{
    const double back[4] = {p[0], -p[1], -p[2], -p[3]};
    cst_quaternion_product(back, q, out);
}

static inline void cst_quaternion_normalise(double *q)
{
    const double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        q[k] *= scale;
}

/* Computes the quaternion of the rotation vector x. */
static inline void cst_quaternion_exp(const double *x, double *q)
{
    const double half = 0.5 * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double share = half > 1e-4 ? 0.5 * sin(half) / half : 0.5 - half * half / 12.0; /* the next term is below rounding */
    q[0] = cos(half);
    for (int k = 0; k < 3; ++k)
        q[1 + k] = share * x[k];
}

/* Writes the rotation matrix (3 x 3, row-major) of a unit quaternion. */
static inline void cst_quaternion_matrix(const double *q, double *R)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = 1.0 - 2.0 * (y * y + z * z);
    R[1] = 2.0 * (x * y - w * z);
    R[2] = 2.0 * (x * z + w * y);
    R[3] = 2.0 * (x * y + w * z);
    R[4] = 1.0 - 2.0 * (x * x + z * z);
    R[5] = 2.0 * (y * z - w * x);
    R[6] = 2.0 * (x * z - w * y);
    R[7] = 2.0 * (y * z + w * x);
    R[8] = 1.0 - 2.0 * (x * x + y * y);
}

#endif
