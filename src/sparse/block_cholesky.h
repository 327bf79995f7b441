/* Cholesky factorisation of a block-sparse symmetric positive definite matrix by the multifrontal method, on the fronts of
 * sparse/fronts.h. P: permutation of the elimination order.
 *
 *     `P*A*P^T = L*L^T`.
 *
 * Sheets use the multifrontal Cholesky factorisation, with their nodes as vertices and dim x dim blocks. The pattern is analysed
 * once; a factorisation allocates no memory. The order of all sums is fixed, so the bits do not depend on the number of
 * threads. */
#ifndef CST_SPARSE_BLOCK_CHOLESKY_H
#define CST_SPARSE_BLOCK_CHOLESKY_H

#include "sparse/fronts.h"

/* A run is a range of consecutive unknowns in the border of a child front that are also consecutive in the parent front.
 * `first`, `to`: index in border, parent. */
typedef struct cst_cholesky_run {
    int32_t first, to;
} cst_cholesky_run;

typedef struct cst_block_cholesky {
    int dim;
    cst_fronts fronts;
    /* columns of the Cholesky factor, front by front; each front has (pivots + border) rows, and each row has
     * cst_cholesky_stride(pivots) doubles */
    double *factor;
    double *stack;         /* current front, pending update matrices */
    int32_t *waiting;      /* array (fronts): indices of the fronts whose update matrices are not yet added to their parents */
    cst_cholesky_run *run; /* runs of one child's border */
    double *panel;         /* scratch of the dense elimination */
    double flops;          /* flops of one factorisation */
    int64_t entries;       /* doubles in `factor` */
    int64_t work_size;     /* doubles that a solve needs */
    const bool *kept;      /* array (vertices): true for vertices that are eliminated last; NULL: none */
    /* true: vertices of the Schur complement (marked in `kept`) are not eliminated, and no columns of the Cholesky factor are
     * stored */
    bool only_condensed;
} cst_block_cholesky;

/* Analyses the pattern of a matrix, which is symmetric and includes the diagonal; the columns may be in any order. Returns
 * false if memory ran out. `order`: order of elimination; NULL: an order found by the minimum degree method. */
bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              const int32_t *order, cst_block_cholesky *out);

/* Analyses a pattern in which the vertices marked in `kept` (vertices) are eliminated after all other vertices. Both among the
 * vertices marked in `kept` and among all others, the elimination follows the vertex order given in the array `order`. `kept`
 * must outlive the analysis. If `only_condensed` is true, the vertices of the Schur complement (marked in `kept`) are not
 * eliminated, and only cst_block_cholesky_condense can be used with the result. */
bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, bool only_condensed, cst_block_cholesky *out);

/* Receives one part of the Schur complement: a symmetric matrix on the border of a front, to be added to the rows of the border's
 * vertices. The argument `lower` is the lower triangle of this part of the Schur complement, packed row by row. */
typedef void cst_schur_piece(void *user, int vertices, const int32_t *position, const double *lower);

/* Factorises like cst_block_cholesky_factor, and passes the Schur complement on the vertices that are marked in the array `kept`
 * to the function `deliver`, part by part. The i-th vertex of a part of the Schur complement is the vertex
 * fronts.order[position[i]] of the whole matrix, where `position` is an index array that the function `deliver` receives. Returns
 * the same values as cst_block_cholesky_factor. */
int cst_block_cholesky_condense(cst_block_cholesky *cholesky, const double *block, int threads, cst_schur_piece *deliver,
                                void *user);

/* Factorises a matrix; block[e] (dim x dim, row-major) is its block at entry e of the pattern. The caller gives both triangles
 * of the symmetric matrix; the function reads the triangle that is the lower one in elimination order. Returns -1 on success,
 * or a vertex whose pivot is not positive: the matrix is then not positive definite. */
int cst_block_cholesky_factor(cst_block_cholesky *cholesky, const double *block, int threads);

/* Solves a linear system with the factorised matrix: x (vertices x dim, in vertex order) holds the right-hand side on entry and
 * the solution on return. `work`: work_size doubles. Several threads may solve with the same factor at the same time. */
void cst_block_cholesky_solve(const cst_block_cholesky *cholesky, double *work, double *x);

/* Solves a linear system with the Schur complement on the vertices that are marked in the array `kept`. The vertices of the
 * Schur complement are eliminated last, so their columns of the Cholesky factor of the whole matrix are the Cholesky factor of
 * the Schur complement.
 * `index` (vertices): index in the vector x of each vertex of the Schur complement (marked in `kept`), and -1 for all other
 * vertices (cst_schur.index). The pattern must have been analysed with the flag `only_condensed` = false, because otherwise the
 * Cholesky factor is not stored. `work`: work_size doubles. */
void cst_block_cholesky_solve_kept(const cst_block_cholesky *cholesky, const int32_t *index, double *work, double *x);

#endif
