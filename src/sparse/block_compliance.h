/* The dense matrix W = H A^-1 H^T of a sparse matrix H and a block-sparse symmetric positive definite matrix A with a Cholesky
 * factor. P: permutation of the elimination order.
 *
 *     `P*A*P^T = L*L^T`.
 *     `X = L^-1*P*H^T`.
 *     `W = X^T*X`.
 *
 * Only the half solve X is needed, because A^-1 is symmetric. The half solve goes through the fronts of the factor (sparse/fronts.h)
 * from the leaves to the roots. In every front, the rows of the right-hand side on the vertices of the front form a dense matrix.
 * Its columns are those columns of H^T that are not zero in the front or in a front below it. The rows of X on the pivots of a front
 * are added to W and then forgotten, and the rows on the border are passed to the parent front. The half solve with sparse
 * right-hand sides is that of Gilbert and Peierls 1988 with fronts in place of columns. The order of all sums is fixed. */
#ifndef CST_SPARSE_BLOCK_COMPLIANCE_H
#define CST_SPARSE_BLOCK_COMPLIANCE_H

#include "sparse/block_cholesky.h"

/* The rows of H in groups of dim rows. Group i has the blocks start[i] to start[i + 1] - 1. */
typedef struct cst_block_rows {
    int groups;
    const int64_t *start;  /* (groups + 1) */
    const int32_t *vertex; /* vertices outside the range from `first` on belong to other matrices and are skipped */
    const double *block;   /* dim x dim each, row-major */
    int32_t first;         /* number of the first vertex of the matrix A */
} cst_block_rows;

/* Adds H A^-1 H^T to the lower triangle of W (groups x dim rows of `stride` doubles). Returns false if memory ran out
 * (arena->failed is set). */
bool cst_block_compliance_add(const cst_block_cholesky *cholesky, const cst_block_rows *rows, cst_arena *arena, double *W,
                              int stride);

#endif
