/* Cholesky factorisation of a dense symmetric matrix. The factorisation can stop after the first `pivots` columns. Symbols:
 *     `A11`: leading `pivots` x `pivots` block.
 *     `A21`, `A22`: blocks below and beside.
 *     `L11`, `L21`: blocks of the factor.
 *     `S`: Schur complement.
 *
 * The equations of the factorisation are:
 *     `A11 = L11*L11^T`.
 *     `L21 = A21*L11^-T`.
 *     `S = A22-L21*L21^T`.
 *
 * Only the lower triangle is read and written (Golub and Van Loan, Matrix Computations, 4.2). A panel of columns is factorised
 * at a time. After each panel, the columns to its right are updated by products of tiles that stay in registers. */
#ifndef CST_SPARSE_DENSE_CHOLESKY_H
#define CST_SPARSE_DENSE_CHOLESKY_H

#include <stddef.h>

enum {
    CST_CHOLESKY_PANEL = 32, /* columns factorised at a time */
    CST_CHOLESKY_CHUNK = 64  /* rows processed together */
};

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
 * of the factor do not depend on the number of threads. */
int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads);

/* Forward: `L11*x = b`. Backward: `L11^T*x = b`. On entry `x` holds the right-hand side b, on return the solution. */
void cst_dense_cholesky_forward(const double *a, int stride, int pivots, double *x);
void cst_dense_cholesky_backward(const double *a, int stride, int pivots, double *x);

/* `y -= L21*x`; `x -= L21^T*y`. `below`: L21 (rows x columns), row-major. */
void cst_dense_cholesky_pass_on(const double *below, int rows, int columns, int stride, const double *x, double *y);
void cst_dense_cholesky_take_back(const double *below, int rows, int columns, int stride, const double *y, double *x);

#endif
