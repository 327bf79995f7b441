/* Cholesky factorisation of a block-sparse symmetric positive definite matrix by the multifrontal method, on the fronts of
 * sparse/fronts.h. The factorisation and the solve are
 *
 *     P A P^T = L L^T,      x <- A^-1 x by L and then L^T.
 *
 * Sheets use this factorisation with nodes as vertices and dim x dim blocks. The pattern is analysed once; a factorisation
 * allocates no memory. The order of all sums is fixed, so the bits do not depend on the number of threads. */
#ifndef CST_SPARSE_BLOCK_CHOLESKY_H
#define CST_SPARSE_BLOCK_CHOLESKY_H

#include "sparse/fronts.h"

/* A run of scalars of a border that are consecutive in the front of the parent too: the index of the first scalar in the
 * border, and its index in the front of the parent. */
typedef struct cst_cholesky_run {
    int32_t first, to;
} cst_cholesky_run;

typedef struct cst_block_cholesky {
    int dim;
    cst_fronts fronts;
    double *factor;        /* for each front its columns, as (pivots + border) rows of cst_cholesky_stride(pivots) doubles */
    double *stack;         /* the current front, and updates not yet added to their parents */
    int32_t *waiting;      /* (fronts) fronts whose updates are on the stack */
    cst_cholesky_run *run; /* (largest border + 1) runs of a child's border in the parent's front */
    double *panel;         /* scratch of the dense elimination */
    double flops;          /* flops of one factorisation */
    int64_t entries;       /* doubles in `factor` */
    int64_t work_size;     /* doubles that a solve needs */
    const bool *kept;      /* (vertices) true for vertices that are eliminated last; NULL: none */
    bool only_condensed;   /* true: kept vertices are not eliminated, and no columns are stored */
} cst_block_cholesky;

/* Analyses a pattern, which is symmetric and includes the diagonal; the columns may be in any order. Returns false if memory
 * ran out. */
bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              cst_block_cholesky *out);

/* Analyses a pattern for elimination in the given order. */
bool cst_block_cholesky_begin_ordered(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                      const int32_t *order, cst_block_cholesky *out);

/* Analyses a pattern for elimination of the vertices that are `kept` (vertices) after all other vertices; the kept vertices and
 * the other vertices are each in the given order. `kept` must outlive the analysis. With `only_condensed`, kept vertices are
 * not eliminated, and only cst_block_cholesky_condense can be used with the result. */
bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, bool only_condensed, cst_block_cholesky *out);

/* Receives one part of the Schur complement on the kept vertices: a symmetric matrix on the border of a front, as a lower
 * triangle packed row by row, to be added to the rows of these vertices. */
typedef void cst_schur_piece(void *user, int vertices, const int32_t *position, const double *lower);

/* Eliminates. `deliver` gets the parts of the Schur complement on the kept vertices; position[i] is an index into
 * fronts.order. Returns the same values as cst_block_cholesky_factor. */
int cst_block_cholesky_condense(cst_block_cholesky *cholesky, const double *block, int threads, cst_schur_piece *deliver,
                                void *user);

/* Factorises the matrix whose entry e of the pattern is block[e] (dim x dim, row-major). The caller gives both triangles; the
 * function reads the lower one in elimination order. Returns -1 on success, or a vertex whose pivot is not positive: the
 * matrix is then not positive definite. */
int cst_block_cholesky_factor(cst_block_cholesky *cholesky, const double *block, int threads);

/* Computes x <- A^-1 x, with x (vertices x dim) in vertex order. `work`: work_size doubles. Several threads may solve at the
 * same time. */
void cst_block_cholesky_solve(const cst_block_cholesky *cholesky, double *work, double *x);

#endif
