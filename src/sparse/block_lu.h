/* LU factorisation of a block-sparse matrix whose pattern is symmetric but whose values are not, by the multifrontal method.
 * The symbolic part of the factorisation, which does not depend on values, is in sparse/fronts.h. A front exchanges rows only
 * among the vertices that it eliminates.
 *
 * A vertex has at most `dim` unknowns; their number can change from one factorisation to the next. For example, in Newton's
 * linear system an open or sliding contact has fewer than `dim` unknowns, so its fronts are smaller. The pattern is analysed
 * once; a factorisation allocates no memory. */
#ifndef CST_SPARSE_BLOCK_LU_H
#define CST_SPARSE_BLOCK_LU_H

#include "sparse/fronts.h"

typedef struct cst_block_lu {
    int dim;
    cst_fronts fronts;
    double *factor;    /* LU factor, front by front: the pivot rows of the front, then the columns below the pivots */
    int32_t *exchange; /* array (vertices x dim): row exchanges */
    int32_t *offset;   /* array (vertices + 1): offset[k] is the index of the first unknown of the vertex eliminated k-th */
    double *stack;     /* current front, pending update matrices */
    int32_t *waiting;  /* array (fronts): indices of the fronts whose update matrices are not yet added to their parents */
    /* two lists for the current front: the index of the first unknown of each of its vertices, and, for each unknown in the
     * border of a child front, its index in the current front */
    int32_t *scalar;
    double *work;        /* array (vertices x dim): vector of unknowns in elimination order, for forward and back substitution */
    double *border_work; /* (largest border) */
    double flops;        /* flops of a factorisation with dim unknowns in every vertex */
} cst_block_lu;

/* Analyses the pattern of a matrix, which is symmetric and includes the diagonal; the columns may be in any order. Returns
 * false if memory ran out. `order`: order of elimination; NULL: an order found by the minimum degree method. */
bool cst_block_lu_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                        const int32_t *order, cst_block_lu *lu);

/* Factorises a matrix; block[e] (dim x dim, row-major) is its block at entry e of the pattern. If `rank`, the array of the
 * numbers of unknowns of the vertices, is NULL, every vertex has `dim` unknowns. If `rank` is not NULL, vertex i has rank[i]
 * unknowns, and only the leading rank[i] x rank[j] part of block (i, j) is read. A pivot at or below `floor` is replaced by
 * +-floor; the function returns the number of replaced pivots. */
int cst_block_lu_factor(cst_block_lu *lu, const double *block, const uint8_t *rank, double floor);

/* Solves a linear system with the factorised matrix: x (vertices x dim, in vertex order) holds the right-hand side on entry and
 * the solution on return. For a vertex with fewer than dim unknowns, the remaining entries of x do not change. */
void cst_block_lu_solve(cst_block_lu *lu, double *x);

#endif
