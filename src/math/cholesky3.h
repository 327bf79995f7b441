/* Cholesky factorisation of a symmetric 3 x 3 matrix (row-major), and operations that block elimination needs. */
#ifndef CST_MATH_CHOLESKY3_H
#define CST_MATH_CHOLESKY3_H

#include <math.h>

/* Copies the upper triangle of a matrix to its lower triangle. */
static inline void cst_mirror3(double *m)
{
    m[3] = m[1];
    m[6] = m[2];
    m[7] = m[5];
}

/* Factorises a symmetric matrix b. Only its upper triangle is read. `l`: the entries of the lower Cholesky factor in the order 00
 * 10 11 20 21 22, with each diagonal entry replaced by its reciprocal. Returns the smallest pivot (square of a diagonal entry of
 * the Cholesky factor). If the smallest pivot is not positive, the matrix is not positive definite, and `l` must not be used. */
static inline double cst_cholesky3(const double *b, double *l)
{
    const double d0 = b[0];
    l[0] = 1.0 / sqrt(d0);
    l[1] = b[1] * l[0];
    l[3] = b[2] * l[0];
    const double d1 = b[4] - l[1] * l[1];
    l[2] = 1.0 / sqrt(d1);
    l[4] = (b[5] - l[3] * l[1]) * l[2];
    const double d2 = b[8] - l[3] * l[3] - l[4] * l[4];
    l[5] = 1.0 / sqrt(d2);
    const double least = d0 < d1 ? d0 : d1;
    return d2 < least ? d2 : least;
}

/* Y = L^-1 B^T */
static inline void cst_cholesky3_halve(const double *l, const double *B, double *Y)
{
    for (int j = 0; j < 3; ++j) {
        Y[j] = B[3 * j] * l[0];
        Y[3 + j] = (B[3 * j + 1] - l[1] * Y[j]) * l[2];
        Y[6 + j] = (B[3 * j + 2] - l[3] * Y[j] - l[4] * Y[3 + j]) * l[5];
    }
}

/* k = L^-T Y */
static inline void cst_cholesky3_complete(const double *l, const double *Y, double *k)
{
    for (int j = 0; j < 3; ++j) {
        k[6 + j] = Y[6 + j] * l[5];
        k[3 + j] = (Y[3 + j] - l[4] * k[6 + j]) * l[2];
        k[j] = (Y[j] - l[1] * k[3 + j] - l[3] * k[6 + j]) * l[0];
    }
}

/* Computes the inverse of the factorised matrix; `inverse` holds the entries 00 01 02 11 12 22 of the inverse. */
static inline void cst_cholesky3_invert(const double *l, double *inverse)
{
    const double i10 = -l[1] * l[0] * l[2], i21 = -l[4] * l[2] * l[5], i20 = -(l[3] * l[0] + l[4] * i10) * l[5];
    inverse[0] = l[0] * l[0] + i10 * i10 + i20 * i20;
    inverse[1] = i10 * l[2] + i20 * i21;
    inverse[2] = i20 * l[5];
    inverse[3] = l[2] * l[2] + i21 * i21;
    inverse[4] = i21 * l[5];
    inverse[5] = l[5] * l[5];
}

/* c -= Y1^T Y2 */
static inline void cst_subtract_gram3(const double *Y1, const double *Y2, double *c)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            c[3 * i + j] -= Y1[i] * Y2[j] + Y1[3 + i] * Y2[3 + j] + Y1[6 + i] * Y2[6 + j];
    }
}

/* Computes y = S x for a symmetric matrix S that is given by its upper triangle. */
static inline void cst_apply_upper3(const double *S, const double *x, double *y)
{
    y[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
    y[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
    y[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

#endif
