/* Multifrontal Cholesky factorisation of a block-sparse symmetric positive definite matrix, on the fronts of sparse/fronts.h:
 *
 *     `P*A*P^T = L*L^T`.
 *
 * P is the permutation of the elimination order. Sheets use the factorisation with their nodes as vertices and dim x dim
 * blocks. The pattern is analysed once; a factorisation allocates no memory. The order of all sums is fixed, so the result
 * does not depend on the number of threads.
 *
 * Kept vertices are eliminated after all other vertices, so that the factorisation passes through the Schur complement of the
 * matrix on the kept vertices. */
#ifndef CST_SPARSE_BLOCK_CHOLESKY_H
#define CST_SPARSE_BLOCK_CHOLESKY_H

#include "sparse/fronts.h"

/* A run: consecutive unknowns of the border of a child front that are also consecutive in the parent front. `first`: index of
 * the first unknown in the border. `to`: index of the first unknown in the parent front. */
typedef struct cst_cholesky_run {
    int32_t first, to;
} cst_cholesky_run;

typedef struct cst_block_cholesky {
    int dim;
    cst_fronts fronts;
    /* columns of the Cholesky factor, front by front; each front has (pivots + border) rows of cst_cholesky_stride(pivots)
     * doubles */
    double *factor;
    double *stack;         /* current front and pending update matrices */
    int32_t *waiting;      /* array (fronts): fronts whose update matrices are not yet added to their parent fronts */
    cst_cholesky_run *run; /* runs of the border of one child front */
    double *panel;         /* scratch of the dense elimination */
    double flops;          /* floating-point operations of one factorisation */
    int64_t entries;       /* doubles in `factor` */
    int64_t work_size;     /* doubles that a solve needs */
    const bool *kept;      /* array (vertices): true for kept vertices, which are eliminated last; NULL: no kept vertices */
    /* true: kept vertices are not eliminated, and the Cholesky factor is not stored */
    bool only_condensed;
} cst_block_cholesky;

/* Analyses the pattern of a symmetric matrix, which includes the diagonal; the columns of a row are in any order. `order`:
 * elimination order; NULL: an order found by the minimum degree method. Returns false if memory ran out. */
bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              const int32_t *order, cst_block_cholesky *out);

/* Like cst_block_cholesky_begin, but the vertices marked in `kept` (vertices) are eliminated after all other vertices. The
 * kept vertices follow the given `order` among themselves, and so do the other vertices. `kept` must outlive the analysis. If
 * `only_condensed` is true, the kept vertices are not eliminated, and only cst_block_cholesky_condense is allowed to use the
 * result. */
bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, bool only_condensed, cst_block_cholesky *out);

/* Receives one part of the Schur complement: a symmetric matrix, to be added to the rows of the border vertices of a front.
 * `lower`: the lower triangle of the matrix, packed row by row. */
typedef void cst_schur_piece(void *user, int vertices, const int32_t *position, const double *lower);

/* Factorises like cst_block_cholesky_factor, and passes the Schur complement on the kept vertices to `deliver`, part by part.
 * Vertex i of a part of the Schur complement is the vertex fronts.order[position[i]] of the matrix. Returns the same values as
 * cst_block_cholesky_factor. */
int cst_block_cholesky_condense(cst_block_cholesky *cholesky, const double *block, int threads, cst_schur_piece *deliver,
                                void *user);

/* Factorises a matrix. `block` (entries x dim x dim, row-major): the block at each entry of the pattern. The caller gives both
 * triangles of the symmetric matrix, of which the lower one in elimination order is read. Returns -1 on success, or a vertex
 * whose pivot is not positive: the matrix is then not positive definite. */
int cst_block_cholesky_factor(cst_block_cholesky *cholesky, const double *block, int threads);

/* Solves a linear system with the factorised matrix. `x` (vertices x dim, in vertex order): right-hand side on input, solution
 * on output. `work`: work_size doubles. Several threads may solve with the same factor at the same time. */
void cst_block_cholesky_solve(const cst_block_cholesky *cholesky, double *work, double *x);

/* Solves a linear system with the Schur complement on the kept vertices. Kept vertices are eliminated last, so their columns
 * of the Cholesky factor are the Cholesky factor of the Schur complement. `index` (vertices): index of each kept vertex in the
 * vector x, and -1 for all other vertices (cst_schur.index). The flag `only_condensed` of the analysis must be false. `work`:
 * work_size doubles. */
void cst_block_cholesky_solve_kept(const cst_block_cholesky *cholesky, const int32_t *index, double *work, double *x);

#endif
