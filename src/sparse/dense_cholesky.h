/* Cholesky factor of a dense symmetric matrix, whole or only its first columns.
 *
 *     [A11     ]   [L11   ] [L11^T L21^T]
 *     [A21  A22] = [L21  I] [      S    ]        S = A22 - L21 L21^T
 *
 * A11 is `pivots` x `pivots`. Only the lower triangle is read and written (Golub and Van Loan, Matrix Computations, 4.2), by
 * panels: the trailing product runs in tiles that stay in registers. */
#ifndef CST_SPARSE_DENSE_CHOLESKY_H
#define CST_SPARSE_DENSE_CHOLESKY_H

#include <stddef.h>

enum {
    CST_CHOLESKY_PANEL = 16
}; /* columns factored at a time: with 8 a sheet of 10,000 nodes takes 15 % longer, with 32 as long */

/* Row stride, in doubles, that the factorisation is fastest with. */
static inline int cst_cholesky_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Doubles that cst_dense_cholesky_eliminate needs to work. */
static inline size_t cst_cholesky_scratch(int size)
{
    return (size_t)CST_CHOLESKY_PANEL * (size_t)cst_cholesky_stride(size);
}

/* Factor `a` (size rows of `stride` doubles, stride as above) in place; 1 / L_kk is left on the diagonal. Returns -1, or the column whose pivot
 * is not positive by more than rounding: the matrix is not definite. Same bits for any number of threads. */
int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads);

/* x1 <- L11^-1 x1 and x1 <- L11^-T x1. */
void cst_dense_cholesky_forward(const double *a, int stride, int pivots, double *x);
void cst_dense_cholesky_backward(const double *a, int stride, int pivots, double *x);

/* y -= L21 x, and x -= L21^T y, for a row-major rows x columns block. */
void cst_dense_cholesky_pass_on(const double *below, int rows, int columns, int stride, const double *x, double *y);
void cst_dense_cholesky_take_back(const double *below, int rows, int columns, int stride, const double *y, double *x);

#endif
