/* Schur complement S of a block-sparse symmetric positive definite matrix A on some of its vertices, the kept vertices. The Schur
 * complement S follows from the blocks of A, with the index k for the kept vertices and f for the eliminated vertices:
 *
 *     `S = A_kk-A_kf*A_ff^-1*A_fk`.
 *     `S^-1 = (A^-1)_kk`.
 *
 * The multifrontal method (sparse/block_cholesky.h) eliminates all vertices that are not kept. A block (i, j) of S is in general
 * nonzero if the vertices i and j are adjacent, or if a path through eliminated vertices joins them. */
#ifndef CST_SPARSE_SCHUR_H
#define CST_SPARSE_SCHUR_H

#include "sparse/block_cholesky.h"

typedef struct cst_schur {
    int kept;
    int32_t *index;     /* array (vertices): index of each vertex in the Schur complement; -1: eliminated */
    int32_t *vertex;    /* array (kept): kept vertices, increasing */
    int64_t *row_start; /* (kept + 1) */
    int32_t *column;    /* increasing */
    double *block;      /* dim x dim blocks, both triangles */
} cst_schur;

/* `order`: elimination order (cst_fronts.order). Returns -1 on success, the index of a vertex whose pivot does not exceed
 * rounding error, or the number of vertices if memory ran out. */
int cst_schur_find(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column, const double *block,
                   const int32_t *order, const bool *kept, int threads, cst_schur *out);

/* Finds the sparsity pattern of the Schur complement. `factor` must come from cst_block_cholesky_begin_kept. Returns false if
 * memory ran out. */
bool cst_schur_begin(cst_arena *arena, const cst_block_cholesky *factor, const int64_t *row_start, const int32_t *column,
                     cst_schur *out);

/* Factorises the matrix and computes its Schur complement. Returns the same values as cst_block_cholesky_factor. */
int cst_schur_factor(cst_block_cholesky *factor, const int64_t *row_start, const int32_t *column, const double *block,
                     int threads, cst_schur *schur);

#endif
