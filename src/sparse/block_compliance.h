/* Computes the dense matrix W = H A^-1 H^T from a sparse matrix H and the Cholesky factor L of a block-sparse symmetric positive
 * definite matrix A. P: permutation of the elimination order.
 *
 *     `P*A*P^T = L*L^T`.
 *     `X = L^-1*P*H^T`.
 *     `W = X^T*X`.
 *
 * The product W = X^T X needs only the forward substitution, which gives X, and no back substitution. The forward substitution
 * goes through the tree of fronts (sparse/fronts.h) from the leaves to the roots. In each front, the rows of the right-hand
 * side for the vertices of this front form a dense matrix. The dense matrix of a front has only those columns of H^T that are
 * not zero in this front or in one of its descendants. Each front computes a matrix R, the rows of X = L^-1 P H^T for the
 * vertices that the front eliminates. The front adds R^T R to W, discards R, and passes the rows of its border to its parent
 * front. Gilbert and Peierls (1988) describe the same forward substitution with single columns in place of fronts. The order of
 * all sums is fixed, so the result is the same to the last bit in every run. */
#ifndef CST_SPARSE_BLOCK_COMPLIANCE_H
#define CST_SPARSE_BLOCK_COMPLIANCE_H

#include "sparse/block_cholesky.h"

/* The matrix H: its rows form groups of dim rows, and each group consists of dim x dim blocks. Row group i of the matrix H has
 * the blocks start[i] to start[i + 1] - 1. */
typedef struct cst_block_rows {
    int groups;
    const int64_t *start;  /* (groups + 1) */
    const int32_t *vertex; /* vertex of each block; a block whose vertex does not belong to the matrix A is skipped */
    const double *block;   /* dim x dim each, row-major */
    int32_t first;         /* number of the first vertex of the matrix A, in the numbering that the array `vertex` uses */
} cst_block_rows;

/* Adds H A^-1 H^T to the lower triangle of the matrix W (groups x dim rows of `stride` doubles). Returns false if memory ran out
 * (arena->failed is set). */
bool cst_block_compliance_add(const cst_block_cholesky *cholesky, const cst_block_rows *rows, cst_arena *arena, double *W,
                              int stride);

#endif
