/* LU factorisation of a dense matrix with row exchanges. The factorisation can stop after the first `pivots` columns. Symbols:
 *     `P`: row exchanges.
 *     `A11`: leading `pivots` x `pivots` block.
 *     `A12`, `A21`, `A22`: the other blocks.
 *     `L11`, `L21`, `U11`, `U12`: factors.
 *     `S`: Schur complement.
 *
 * The equations of the factorisation are:
 *     `P*A11 = L11*U11`.
 *     `U12 = L11^-1*P*A12`.
 *     `L21 = A21*U11^-1`.
 *     `S = A22-L21*U12`.
 *
 * Rows are exchanged only among the first `pivots` rows, because in a sparse elimination the other rows are not complete yet.
 * With pivots = size the result is the ordinary LU with partial pivoting (Golub and Van Loan, Matrix Computations, 3.2 and
 * 3.4). A panel of columns is factorised at a time. After each panel, the columns to its right are updated by products of tiles
 * that stay in registers. */
#ifndef CST_SPARSE_DENSE_LU_H
#define CST_SPARSE_DENSE_LU_H

#include "base/arena.h"

/* Returns the row stride, in doubles, with which the factorisation is fastest. */
static inline int cst_dense_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Factorises `a` (size rows of `stride` doubles) in place. In the pivot search of column k, row k is exchanged with the row
 * exchange[k]. A pivot not larger than `floor` > 0 is replaced by +-floor; the function returns the number of replaced pivots
 * (0: the matrix is regular). */
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange);

/* Solves a linear system with the matrix that cst_dense_lu_eliminate has factorised with pivots = size. On entry `x` holds the
 * right-hand side, on return the solution. */
void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x);

/* Forward: `L11*x = P*b`. Backward: `U11*x = b`. On entry `x` holds the right-hand side b, on return the solution. */
void cst_dense_lu_forward(const double *a, int stride, int pivots, const int32_t *exchange, double *x);
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x);

/* Subtracts A x from y, where A is a row-major rows x columns block. */
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y);

#endif
