/* LU of a block-sparse matrix whose pattern is symmetric but whose values are not: the multifrontal method.
 *
 * The pattern is ordered by minimum degree and its elimination tree cut into fronts: runs of vertices whose columns (nearly)
 * agree. A front is a small dense matrix: what the pattern gives for its vertices, plus the Schur complements of its children.
 * Its own vertices are eliminated with row exchanges among them, the rest is passed to its parent (Duff and Reid 1983; Liu
 * 1992). So nearly all the work is in dense kernels, and the dense end that every such elimination has needs no special case.
 *
 * Vertices have `dim` unknowns at most and each factorisation says how many: a contact that is open, or slides, has fewer
 * unknowns than dim, and the fronts shrink accordingly. The pattern is analysed once; a factorisation allocates nothing. */
#ifndef CST_SPARSE_BLOCK_LU_H
#define CST_SPARSE_BLOCK_LU_H

#include "base/arena.h"

typedef struct cst_front_entry {
    int64_t entry;       /* of the pattern */
    int32_t row, column; /* vertices local to the front */
} cst_front_entry;

typedef struct cst_front {
    int32_t first, pivots;        /* vertices eliminated here: positions first .. first + pivots - 1 of the order */
    int32_t border;               /* vertices passed on */
    int32_t parent;               /* -1: a root */
    int64_t border_start;         /* into border_vertex and border_place */
    int64_t entry_start, entries; /* into entry */
    int64_t factor_start;         /* into factor, at full size */
    int32_t children;             /* how many updates it takes from the stack */
    int64_t update;               /* where its update waits in the stack */
} cst_front;

typedef struct cst_block_lu {
    int vertices, dim;
    int fronts;
    int32_t *order;         /* (vertices) order[k]: the vertex that is k-th */
    cst_front *front;       /* (fronts) children before parents */
    int32_t *border_vertex; /* positions in the order, increasing within a front */
    int32_t *border_place;  /* the same, local to the parent's front */
    cst_front_entry *entry;
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
