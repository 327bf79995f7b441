/* Computes selected blocks of A^-1 from the Cholesky factor L of A, without the rest of A^-1.
 *
 * The columns of L that belong to a front (sparse/block_cholesky.h) have the diagonal block L11 and the block L21 below it.
 * With Z = A^-1 and Y = L21 L11^-1, the blocks of Z for the vertices P that the front eliminates and for the border B of the
 * front are
 *
 *     Z_BP = -Z_BB Y,      Z_PP = L11^-T L11^-1 - Y^T Z_BP.
 *
 * The block Z_BB of a front is copied from the inverse in its parent front. The computation goes through the tree of fronts
 * from the roots to the leaves, with dense kernels for each front (Takahashi, Fagan and Chin 1973; Campbell and Davis 1995).
 * The computation visits only fronts that contain a requested block, and their ancestors. Visiting all fronts takes about
 * twice the operations of the factorisation. */
#ifndef CST_SPARSE_BLOCK_INVERSE_H
#define CST_SPARSE_BLOCK_INVERSE_H

#include "sparse/block_cholesky.h"

/* A requested block of A^-1: its row vertex and its column vertex. */
typedef struct cst_vertex_pair {
    int32_t row, column;
} cst_vertex_pair;

/* For each requested pair of vertices, writes the block of A^-1 to `block` (pairs x dim x dim, row-major). The block is
 * written as zero if the Cholesky factor L has no block for that pair; L has a block wherever A has one. The function
 * releases its arena memory. Returns false if memory ran out. */
bool cst_block_inverse(const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena,
                       double *block);

#endif
