/* Multifrontal Cholesky factorisation of a block-sparse symmetric positive definite matrix, on the fronts of sparse/fronts.h:
 *
 *     `P*A*P^T = L*L^T`.
 *     `P`: permutation of the elimination order.
 *
 * For a sheet, the vertices of the factorisation are the nodes of the sheet. A node has dim unknowns, so a block of the matrix
 * has dim x dim entries. The sparsity pattern is analysed once, and this analysis allocates all memory; a factorisation allocates
 * no memory. The order of all sums is fixed, so the result does not depend on the number of threads. The caller can mark vertices
 * as kept: they are eliminated last. When all vertices except the kept ones have been eliminated, the remaining matrix is the
 * Schur complement on the kept vertices. */
#ifndef CST_SPARSE_BLOCK_CHOLESKY_H
#define CST_SPARSE_BLOCK_CHOLESKY_H

#include "sparse/fronts.h"

/* A run: consecutive unknowns of a child front's border that are also consecutive in the parent front. `first`: index in the
 * border. `to`: index in the parent front. */
typedef struct cst_cholesky_run {
    int32_t first, to;
} cst_cholesky_run;

typedef struct cst_block_cholesky {
    int dim;
    cst_fronts fronts;
    /* columns of the Cholesky factor, front by front; each front has (pivots + border) rows of cst_cholesky_stride(pivots)
     * doubles */
    double *factor;
    double *stack;         /* matrix of the current front, and update matrices that wait for their parent front */
    int32_t *waiting;      /* array (fronts): fronts whose update matrices wait for their parent front */
    cst_cholesky_run *run; /* runs of one child's border */
    double *panel;         /* scratch of the dense elimination */
    double flops;          /* floating-point operations of one factorisation */
    int64_t entries;       /* doubles in `factor` */
    int64_t work_size;     /* doubles that a solve needs */
    const bool *kept;      /* array (vertices): true for the vertices of the Schur complement; NULL: none */
    /* true: the factorisation stops at the Schur complement on the kept vertices and does not store the Cholesky factor */
    bool only_condensed;
} cst_block_cholesky;

/* Analyses the pattern of a symmetric matrix, with the diagonal included and the columns of a row in any order. `order`:
 * elimination order; NULL: by the minimum degree method. Returns false if memory ran out. */
bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              const int32_t *order, cst_block_cholesky *out);

/* Like cst_block_cholesky_begin, but the vertices marked in the array `kept` (vertices) are eliminated last. Among the marked
 * vertices, and among the others, the elimination follows `order`, which must be given. `kept` must exist as long as `out` is
 * used. If `only_condensed` is true, the vertices marked in `kept` are not eliminated at all. Of the functions in
 * block_cholesky.h, only cst_block_cholesky_condense may then use `out`. */
bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, bool only_condensed, cst_block_cholesky *out);

/* Callback that receives one summand of the term -A_kf A_ff^-1 A_fk of the Schur complement (k: kept vertices, f: eliminated
 * vertices; schur.h). The summand is a symmetric matrix on the border vertices of a front, given as its lower triangle, packed
 * row by row. */
typedef void cst_schur_piece(void *user, int vertices, const int32_t *position, const double *lower);

/* Factorises the block A_ff of the eliminated vertices f of the matrix A; if `only_condensed` is false, then factorises the rest
 * of A too. Passes the term -A_kf A_ff^-1 A_fk of the Schur complement on the kept vertices k (schur.h) to the callback
 * `deliver`, as several summands. The caller adds the block A_kk. Each call passes an array `position` to `deliver`: block row i
 * of the summand belongs to the vertex fronts.order[position[i]] of the matrix. Returns the same values as
 * cst_block_cholesky_factor. */
int cst_block_cholesky_condense(cst_block_cholesky *cholesky, const double *block, int threads, cst_schur_piece *deliver,
                                void *user);

/* Factorises a matrix. `block` (entries x dim x dim, row-major): both triangles of the symmetric matrix, in the order of the
 * pattern. Returns -1 or, if the matrix is not positive definite, a vertex whose pivot does not exceed rounding error. */
int cst_block_cholesky_factor(cst_block_cholesky *cholesky, const double *block, int threads);

/* Solves a linear system with the factorised matrix. `x` (vertices x dim, in vertex order): right-hand side on input, solution
 * on output. `work`: work_size doubles. Several threads are allowed to solve with the same factor at the same time. */
void cst_block_cholesky_solve(const cst_block_cholesky *cholesky, double *work, double *x);

/* Solves a linear system whose matrix is the Schur complement on the vertices marked in `kept`. The Cholesky factor of the Schur
 * complement consists of the columns of these vertices in the Cholesky factor of the whole matrix. `index` (vertices): index of
 * each vertex in the Schur complement and in x; -1: not in the Schur complement (cst_schur.index). `work`: work_size doubles. The
 * pattern must have been analysed with `only_condensed` = false. */
void cst_block_cholesky_solve_kept(const cst_block_cholesky *cholesky, const int32_t *index, double *work, double *x);

#endif
