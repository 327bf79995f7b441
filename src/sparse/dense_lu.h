/* LU of a dense matrix, whole or only its first columns, with row exchanges.
 *
 *     P [A11 A12] = [L11    ] [U11 U12]
 *       [A21 A22]   [L21  I ] [     S  ]        S = A22 - A21 A11^-1 A12
 *
 * A11 is `pivots` x `pivots`; exchanges stay inside its rows (as they must in a sparse elimination, where the rows of A22 are
 * not complete yet). With pivots = size it is the ordinary LU with partial pivoting (Golub and Van Loan, Matrix Computations,
 * 3.2 and 3.4), by panels: the trailing product runs in tiles that stay in registers. */
#ifndef CST_SPARSE_DENSE_LU_H
#define CST_SPARSE_DENSE_LU_H

#include "base/arena.h"

/* Row stride, in doubles, that the factorisation is fastest with. */
static inline int cst_dense_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Factor `a` (size rows of `stride` doubles) in place. exchange[k]: the row exchanged with row k. A pivot not larger than
 * `floor` is replaced by +-floor; the number of these is returned (0: regular). floor > 0. */
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange);

/* x <- A^-1 x after cst_dense_lu_eliminate with pivots = size. */
void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x);

/* The two halves of it, for an elimination of the first `pivots` columns: x1 <- L11^-1 P x1 and x1 <- U11^-1 x1. */
void cst_dense_lu_forward(const double *a, int stride, int pivots, const int32_t *exchange, double *x);
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x);

/* y_i -= (A x)_i for a row-major rows x columns block. */
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y);

#endif
