/* LU of a block-sparse matrix whose pattern is symmetric but whose values are not: the multifrontal method.
 * (sparse/fronts.h has what does not depend on numbers.) A front's own vertices are eliminated with row exchanges among them.
 *
 * Vertices have `dim` unknowns at most and each factorisation says how many: a contact that is open, or slides, has fewer
 * unknowns than dim, and the fronts shrink accordingly. The pattern is analysed once; a factorisation allocates nothing. */
#ifndef CST_SPARSE_BLOCK_LU_H
#define CST_SPARSE_BLOCK_LU_H

#include "sparse/fronts.h"

typedef struct cst_block_lu {
    int dim;
    cst_fronts fronts;
    double *factor;      /* per front: the pivot rows, then the columns below them */
    int32_t *exchange;   /* (vertices x dim) per front, local */
    int32_t *offset;     /* (vertices + 1) first scalar of each position, for the ranks of the last factorisation */
    double *stack;       /* fronts at work and updates waiting */
    int32_t *waiting;    /* (fronts) whose updates are in the stack */
    int32_t *scalar;     /* first scalar of each vertex of a front; then, in it, each scalar of a child's border */
    double *work;        /* (vertices x dim) x in elimination order */
    double *border_work; /* (largest border) */
    double flops;        /* of one factorisation at full rank */
} cst_block_lu;

/* Analyse a pattern: symmetric, diagonal included, columns in any order. False: out of memory. */
bool cst_block_lu_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                        cst_block_lu *lu);

/* Factor the matrix whose entry e of the pattern is block[e] (dim x dim, row-major). rank NULL: every vertex has dim unknowns;
 * otherwise vertex i has rank[i] and only the leading rank[i] x rank[j] of a block is read. A pivot at or below `floor` is
 * replaced by +-floor; the number of these is returned. */
int cst_block_lu_factor(cst_block_lu *lu, const double *block, const uint8_t *rank, double floor);

/* x <- A^-1 x, x (vertices x dim) in vertex order; entries beyond a vertex's rank are left alone. */
void cst_block_lu_solve(cst_block_lu *lu, double *x);

#endif
