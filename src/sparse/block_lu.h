/* Multifrontal LU factorisation of a block-sparse matrix with symmetric pattern but unsymmetric values.
 *
 * The sparsity pattern is analysed once (sparse/fronts.h), and this analysis allocates all memory; a factorisation allocates no
 * memory. Rows are exchanged only among the vertices that one front eliminates. A vertex has at most `dim` unknowns. For example,
 * the vertices are contacts in a Newton iteration for the friction problem, and an open or sliding contact has fewer than `dim`
 * unknowns (friction/newton_system.h). */
#ifndef CST_SPARSE_BLOCK_LU_H
#define CST_SPARSE_BLOCK_LU_H

#include "sparse/fronts.h"

typedef struct cst_block_lu {
    int dim;
    cst_fronts fronts;
    double *factor;    /* LU factors, front by front: pivot rows, then the columns below the pivots */
    int32_t *exchange; /* array (vertices x dim): row exchanges */
    int32_t *offset;   /* array (vertices + 1): offset[k] is the index of the first unknown of the vertex eliminated k-th */
    double *stack;     /* matrix of the current front, and update matrices that wait for their parent front */
    int32_t *waiting;  /* array (fronts): stack of the fronts whose update matrices wait for their parent front */
    /* Two lists of indices of unknowns in the current front. The first list contains the index of the first unknown of each
     * vertex of the current front. The second list contains the index, in the current front, of each unknown on the border of a
     * child front. */
    int32_t *scalar;
    double *work;        /* array (vertices x dim): right-hand side and solution in elimination order */
    double *border_work; /* array (largest border x dim) */
    /* number of floating-point operations of a factorisation with dim unknowns in every vertex */
    double flops;
} cst_block_lu;

/* Analyses the pattern of a matrix, which must be symmetric and include the diagonal; the columns are in any order. `order`:
 * elimination order; NULL: minimum degree order. Returns false if memory ran out. */
bool cst_block_lu_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                        const int32_t *order, cst_block_lu *lu);

/* Factorises a matrix; block[e] (dim x dim, row-major) is its block at entry e of the pattern. `rank` (vertices): number of
 * unknowns of each vertex, or NULL if every vertex has `dim` unknowns. Of block (i, j), only the leading part of rank[i] rows and
 * rank[j] columns is read. A pivot of magnitude at most `floor` is replaced by `floor` with the sign of the pivot. Returns the
 * number of replaced pivots. */
int cst_block_lu_factor(cst_block_lu *lu, const double *block, const uint8_t *rank, double floor);

/* Solves a linear system with the LU factors. `x` (vertices x dim): right-hand side on input, solution on output. For a vertex
 * with fewer than dim unknowns, the unused entries of the vector x do not change. */
void cst_block_lu_solve(cst_block_lu *lu, double *x);

#endif
