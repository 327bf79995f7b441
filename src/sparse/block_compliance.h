/* Computes the dense matrix W = H A^-1 H^T from a sparse matrix H and the Cholesky factor of a matrix A. Symbols:
 *     `H`: sparse matrix.
 *     `A`: block-sparse symmetric positive definite matrix.
 *     `L`: Cholesky factor of A.
 *     `P`: permutation of the elimination order.
 *
 * The matrix W follows from the matrix X, which needs a forward substitution but no back substitution:
 *
 *     `P*A*P^T = L*L^T`.
 *     `X = L^-1*P*H^T`.
 *     `W = X^T*X`.
 *
 * The forward substitution goes through the tree of fronts (sparse/fronts.h) from the leaves to the roots. In each front, the
 * right-hand side is a dense matrix, with those columns of H^T that are not zero in the front or in a descendant. Each front
 * computes the rows R of the matrix X for the vertices that it eliminates, and adds R^T R to the matrix W. The parent front then
 * gets the rows of the right-hand side that belong to the border of the front. Gilbert and Peierls (1988) describe the forward
 * substitution for sparse right-hand sides, column by column instead of front by front. The order of all sums is fixed, so the
 * result is the same to the last bit in every run. */
#ifndef CST_SPARSE_BLOCK_COMPLIANCE_H
#define CST_SPARSE_BLOCK_COMPLIANCE_H

#include "sparse/block_cholesky.h"

/* The sparse matrix H, in groups of dim rows; row group i consists of the dim x dim blocks start[i] to start[i + 1] - 1. */
typedef struct cst_block_rows {
    int groups;
    const int64_t *start; /* array (groups + 1) */
    /* vertex of each block of H; blocks of vertices outside the matrix A are skipped */
    const int32_t *vertex;
    const double *block; /* dim x dim each, row-major */
    /* number that the array `vertex` uses for the first vertex of the matrix A: block t of the matrix H belongs to the vertex of
     * A with the index vertex[t] - first */
    int32_t first;
} cst_block_rows;

/* Adds H A^-1 H^T to the lower triangle of the matrix W (groups x dim rows of `stride` doubles). Returns false, with
 * arena->failed set, if memory ran out. */
bool cst_block_compliance_add(const cst_block_cholesky *cholesky, const cst_block_rows *rows, cst_arena *arena, double *W,
                              int stride);

#endif
