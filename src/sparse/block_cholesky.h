/* Cholesky factor of a block-sparse symmetric positive definite matrix: the multifrontal method on the fronts of sparse/fronts.h.
 *
 *     P A P^T = L L^T,      x <- A^-1 x by L and then L^T
 *
 * For sheets: vertices are nodes and blocks dim x dim. The pattern is analysed once; a factorisation allocates nothing. The order of all
 * sums is fixed, so the bits do not depend on the number of threads. */
#ifndef CST_SPARSE_BLOCK_CHOLESKY_H
#define CST_SPARSE_BLOCK_CHOLESKY_H

#include "sparse/fronts.h"

typedef struct cst_block_cholesky {
    int dim;
    cst_fronts fronts;
    double *factor;    /* per front: its columns, (pivots + border) rows of cst_cholesky_stride(pivots) */
    double *stack;     /* the front at work and updates waiting */
    int32_t *waiting;  /* (fronts) whose updates are in the stack */
    int32_t *index;    /* (largest border x dim) scalars of the parent's front that a child's border goes to */
    double *panel;     /* scratch of the dense elimination */
    double flops;      /* of one factorisation */
    int64_t entries;   /* doubles in `factor` */
    int64_t work_size; /* doubles that a solve needs */
    const bool *kept;  /* (vertices) or NULL: those that are not eliminated */
} cst_block_cholesky;

/* Analyse a pattern: symmetric, diagonal included, columns in any order. False: out of memory. */
bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              cst_block_cholesky *out);

/* The same, eliminated in the order given. */
bool cst_block_cholesky_begin_ordered(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                      const int32_t *order, cst_block_cholesky *out);

/* The same with vertices that are `kept` (vertices): they are not eliminated, and the others are in the order given. kept is borrowed. For
 * cst_block_cholesky_condense alone. */
bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, cst_block_cholesky *out);

/* What the vertices that are eliminated leave of the others, piece by piece: the lower triangle, packed row by row, of a symmetric matrix on the border of a
 * front, to be added to the rows of these vertices. */
typedef void cst_schur_piece(void *user, int vertices, const int32_t *position, const double *lower);

/* Eliminates; `deliver` gets what is left, position[i] being a place in fronts.order. Returns as cst_block_cholesky_factor. */
int cst_block_cholesky_condense(cst_block_cholesky *cholesky, const double *block, int threads, cst_schur_piece *deliver,
                                void *user);

/* Factor the matrix whose entry e of the pattern is block[e] (dim x dim, row-major; both triangles are given, the lower one in elimination order is
 * read). Returns -1, or a vertex whose pivot is not positive: the matrix is not definite. */
int cst_block_cholesky_factor(cst_block_cholesky *cholesky, const double *block, int threads);

/* x <- A^-1 x, x (vertices x dim) in vertex order. work: work_size doubles. Several threads may solve at the same time. */
void cst_block_cholesky_solve(const cst_block_cholesky *cholesky, double *work, double *x);

#endif
