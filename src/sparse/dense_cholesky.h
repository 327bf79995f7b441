/* Cholesky factorisation of a dense symmetric matrix. The factorisation can stop after the first `pivots` columns. Symbols:
 *     `A11`: leading `pivots` x `pivots` block.
 *     `A21`: block below A11.
 *     `A22`: rest of the lower triangle.
 *     `L11`, `L21`: blocks of the factor.
 *     `S`: Schur complement.
 *
 *     `A11 = L11*L11^T`.
 *     `L21 = A21*L11^-T`.
 *     `S = A22-L21*L21^T`.
 *
 * Only the lower triangle of the matrix affects the result (Golub and Van Loan, Matrix Computations, 4.2). The columns are
 * factorised in panels; after each panel, the columns to the right of the panel are updated by products of small tiles. */
#ifndef CST_SPARSE_DENSE_CHOLESKY_H
#define CST_SPARSE_DENSE_CHOLESKY_H

#include <stddef.h>

enum {
    CST_CHOLESKY_PANEL = 32, /* columns factorised at a time */
    CST_CHOLESKY_CHUNK = 64  /* rows processed together */
};

/* Returns the row stride (doubles) of a matrix with `size` columns: `size`, rounded up to a multiple of 8. */
static inline int cst_cholesky_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Returns the number of scratch doubles for cst_dense_cholesky_eliminate. */
static inline size_t cst_cholesky_scratch(int size)
{
    return (size_t)CST_CHOLESKY_PANEL * (size_t)((size + CST_CHOLESKY_CHUNK - 1) / CST_CHOLESKY_CHUNK * CST_CHOLESKY_CHUNK);
}

/* Factorises the matrix `a` in place: `size` rows of `stride` doubles, with the stride from cst_cholesky_stride. The diagonal of
 * the stored factor holds the reciprocals 1 / L_kk of its diagonal entries. Returns -1 or, if the matrix is not positive
 * definite, the index of the first column whose pivot does not exceed rounding error or is not finite. The factor has the same
 * bits for any number of threads. */
int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads);

/* Forward: `L11*x = b`. Backward: `L11^T*x = b`. `x`: right-hand side b on input, solution on output. */
void cst_dense_cholesky_forward(const double *a, int stride, int pivots, double *x);
void cst_dense_cholesky_backward(const double *a, int stride, int pivots, double *x);

/* Products with the block L21 of the factor, which lies below the diagonal block of the pivots. `x`: unknowns of the pivots; `y`:
 * unknowns of the rows of L21. In the forward substitution, cst_dense_cholesky_pass_on computes `y -= L21*x`. In the back
 * substitution, cst_dense_cholesky_take_back computes `x -= L21^T*y`. `below`: L21 (rows x columns), row-major. */
void cst_dense_cholesky_pass_on(const double *below, int rows, int columns, int stride, const double *x, double *y);
void cst_dense_cholesky_take_back(const double *below, int rows, int columns, int stride, const double *y, double *x);

#endif
