/* The Schur complement of a block-sparse symmetric positive definite matrix on some of its vertices:
 *
 *     S = A_kk - A_kf A_ff^-1 A_fk,      S^-1 = (A^-1)_kk
 *
 * k: vertices that are kept, f: all others, which the multifrontal method (sparse/block_cholesky.h) eliminates in the order of a factor of A. S is as
 * sparse as A among the vertices that touch no f, and nearly full among those around one connected part of f. */
#ifndef CST_SPARSE_SCHUR_H
#define CST_SPARSE_SCHUR_H

#include "sparse/block_cholesky.h"

typedef struct cst_schur {
    int kept;
    int32_t *vertex;    /* (kept) increasing */
    int64_t *row_start; /* (kept + 1) */
    int32_t *column;    /* increasing */
    double *block;      /* dim x dim each, row-major, both triangles */
} cst_schur;

/* order: of the elimination (cst_fronts.order of a factor of A). Returns -1; a vertex whose pivot is not positive; or the number of vertices: out of
 * memory. */
int cst_schur_find(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column, const double *block,
                   const int32_t *order, const bool *kept, int threads, cst_schur *out);

#endif
