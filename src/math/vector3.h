/* Vectors and 3 x 3 matrices (row-major) in 3D. An output array must not overlap an input array unless stated otherwise. */
#ifndef CST_MATH_VECTOR3_H
#define CST_MATH_VECTOR3_H

#include <math.h>

static inline double cst_dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cst_cross3(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Divides the vector by its length and returns the length; a zero vector does not change. */
static inline double cst_normalise3(double *a)
{
    double length = sqrt(cst_dot3(a, a));
    if (length > 0)
        for (int k = 0; k < 3; k++)
            a[k] /= length;
    return length;
}

/* y += alpha x */
static inline void cst_add3(double alpha, const double *x, double *y)
{
    y[0] += alpha * x[0];
    y[1] += alpha * x[1];
    y[2] += alpha * x[2];
}

static inline void cst_subtract3(const double *a, const double *b, double *out)
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

/* out += a x b */
static inline void cst_add_cross3(const double *a, const double *b, double *out)
{
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

/* Compute y = A x and y = A^T x. */
static inline void cst_apply3(const double *A, const double *x, double *y)
{
    y[0] = A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    y[1] = A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
    y[2] = A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
}

static inline void cst_apply_transposed3(const double *A, const double *x, double *y)
{
    y[0] = A[0] * x[0] + A[3] * x[1] + A[6] * x[2];
    y[1] = A[1] * x[0] + A[4] * x[1] + A[7] * x[2];
    y[2] = A[2] * x[0] + A[5] * x[1] + A[8] * x[2];
}

static inline void cst_columns3(const double *a, const double *b, const double *c, double *R)
{
    for (int k = 0; k < 3; k++) {
        R[3 * k] = a[k];
        R[3 * k + 1] = b[k];
        R[3 * k + 2] = c[k];
    }
}

/* Compute C = A B, C = A^T B and C = A B^T. */
static inline void cst_product3(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
}

static inline void cst_transposed_product3(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
    }
}

static inline void cst_product_transposed3(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[3 * i] * B[3 * j] + A[3 * i + 1] * B[3 * j + 1] + A[3 * i + 2] * B[3 * j + 2];
    }
}

/* Computes C += hat(a) B: adds the cross product of a with each column of B. */
static inline void cst_add_hat_product3(const double *a, const double *B, double *C)
{
    for (int j = 0; j < 3; ++j) {
        C[j] += a[1] * B[6 + j] - a[2] * B[3 + j];
        C[3 + j] += a[2] * B[j] - a[0] * B[6 + j];
        C[6 + j] += a[0] * B[3 + j] - a[1] * B[j];
    }
}

#endif
