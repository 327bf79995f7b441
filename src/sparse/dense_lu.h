/* LU factorisation of a dense matrix with row exchanges, which can stop after the first `pivots` columns. Symbols:
 *     `P`: row exchanges.
 *     `A11`: leading `pivots` x `pivots` block.
 *     `A12`, `A21`, `A22`: remaining blocks.
 *     `L11`, `L21`, `U11`, `U12`: factors.
 *     `S`: Schur complement.
 *
 * The equations of the LU factorisation of the first `pivots` columns are:
 *
 *     `P*A11 = L11*U11`.
 *     `U12 = L11^-1*P*A12`.
 *     `L21 = A21*U11^-1`.
 *     `S = A22-L21*U12`.
 *
 * Rows are exchanged only among the first `pivots` rows, because in the multifrontal method (fronts.h) the remaining rows are not
 * fully summed yet. If the argument `pivots` equals the size of the matrix, the result is the usual LU factorisation with partial
 * pivoting (Golub and Van Loan, Matrix Computations, 3.2 and 3.4). */
#ifndef CST_SPARSE_DENSE_LU_H
#define CST_SPARSE_DENSE_LU_H

#include "base/arena.h"

/* Returns the row stride (doubles) of a matrix with `size` columns: `size`, rounded up to a multiple of 8. */
static inline int cst_dense_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Factorises the matrix `a` (`size` rows of `stride` doubles) in place. In elimination step k, row k is exchanged with row
 * exchange[k]. A pivot of magnitude at most `floor` > 0 is replaced by `floor` with the sign of the pivot. Returns the number
 * of replaced pivots. */
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange);

/* Solves a linear system whose matrix was factorised completely by cst_dense_lu_eliminate (pivots = size). `x`: right-hand
 * side, then solution. */
void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x);

/* Forward: `L11*x = P*b`. Backward: `U11*x = b`. `x`: right-hand side b, then solution. */
void cst_dense_lu_forward(const double *a, int stride, int pivots, const int32_t *exchange, double *x);
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x);

/* Computes y <- y - A x, with a row-major block A (rows x columns). */
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y);

#endif
