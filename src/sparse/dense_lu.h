/* LU factorisation of a dense matrix with row exchanges: complete, or only of its first columns, by
 *
 *     P [A11 A12] = [L11    ] [U11 U12]
 *       [A21 A22]   [L21  I ] [     S  ]        S = A22 - A21 A11^-1 A12.
 *
 * A11 is `pivots` x `pivots`. Only rows of A11 are exchanged, because in a sparse elimination the rows of A22 are not complete
 * yet. With pivots = size the result is the ordinary LU with partial pivoting (Golub and Van Loan, Matrix Computations, 3.2
 * and 3.4). The factorisation goes by panels; the trailing product uses tiles that stay in registers. */
#ifndef CST_SPARSE_DENSE_LU_H
#define CST_SPARSE_DENSE_LU_H

#include "base/arena.h"

/* Returns the row stride, in doubles, with which the factorisation is fastest. */
static inline int cst_dense_stride(int size)
{
    return (size + 7) / 8 * 8;
}

/* Factorises `a` (size rows of `stride` doubles) in place. The entry exchange[k] is the row exchanged with row k. A pivot not
 * larger than `floor` > 0 is replaced by +-floor; the function returns the number of replaced pivots (0: the matrix is
 * regular). */
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange);

/* Computes x <- A^-1 x after cst_dense_lu_eliminate with pivots = size. */
void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x);

/* The two halves of the solve, after elimination of the first `pivots` columns: x1 <- L11^-1 P x1 and x1 <- U11^-1 x1. */
void cst_dense_lu_forward(const double *a, int stride, int pivots, const int32_t *exchange, double *x);
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x);

/* Computes y_i -= (A x)_i for a row-major rows x columns block. */
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y);

#endif
