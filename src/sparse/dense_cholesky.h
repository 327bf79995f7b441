/* Cholesky factorisation of a dense symmetric matrix: complete, or only of its first columns:
 *
 *     [A11     ]   [L11   ] [L11^T L21^T]
 *     [A21  A22] = [L21  I] [      S    ]        S = A22 - L21 L21^T.
 *
 * A11 is `pivots` x `pivots`. Only the lower triangle is read and written (Golub and Van Loan, Matrix Computations, 4.2). The
 * factorisation goes by panels; the trailing product uses tiles that stay in registers. */
#ifndef CST_SPARSE_DENSE_CHOLESKY_H
#define CST_SPARSE_DENSE_CHOLESKY_H

#include <stddef.h>

enum {
    CST_CHOLESKY_PANEL = 32,
    CST_CHOLESKY_CHUNK = 64
}; /* columns that are factorised at a time; rows that are transposed, solved or updated together */

/* Returns the row stride, in doubles, with which the factorisation is fastest. */
static inline int cst_cholesky_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Returns the number of scratch doubles that cst_dense_cholesky_eliminate needs. */
static inline size_t cst_cholesky_scratch(int size)
{
    return (size_t)CST_CHOLESKY_PANEL * (size_t)((size + CST_CHOLESKY_CHUNK - 1) / CST_CHOLESKY_CHUNK * CST_CHOLESKY_CHUNK);
}

/* Factorises `a` (size rows of `stride` doubles, with cst_cholesky_stride) in place; the diagonal then holds 1 / L_kk. Returns
 * -1 on success, or the column whose pivot does not exceed rounding error: the matrix is then not positive definite. The bits
 * do not depend on the number of threads. */
int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads);

/* Compute x1 <- L11^-1 x1 and x1 <- L11^-T x1. */
void cst_dense_cholesky_forward(const double *a, int stride, int pivots, double *x);
void cst_dense_cholesky_backward(const double *a, int stride, int pivots, double *x);

/* Compute y -= L21 x, and x -= L21^T y, for a row-major rows x columns block. */
void cst_dense_cholesky_pass_on(const double *below, int rows, int columns, int stride, const double *x, double *y);
void cst_dense_cholesky_take_back(const double *below, int rows, int columns, int stride, const double *y, double *x);

#endif
