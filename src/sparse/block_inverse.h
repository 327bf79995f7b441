/* Computes selected blocks of the inverse of a matrix from its Cholesky factor, without the rest of the inverse. Symbols, for one
 * front (sparse/fronts.h):
 *     `Z`: inverse of the matrix.
 *     `P`: vertices that the front eliminates.
 *     `B`: border of the front.
 *     `L11`: diagonal block of the Cholesky factor.
 *     `L21`: block of the Cholesky factor below the diagonal block L11.
 *     `Y = L21*L11^-1`.
 *
 * The blocks Z_BP and Z_PP of the inverse Z, for the eliminated vertices P and the border B of a front, follow from the block
 * Z_BB of Z:
 *
 *     `Z_BP = -Z_BB*Y`.
 *     `Z_PP = L11^-T*L11^-1-Y^T*Z_BP`.
 *
 * The blocks of the inverse are computed front by front, through the tree of fronts from the roots to the leaves, with dense
 * kernels for each front (Takahashi, Fagan and Chin 1973; Campbell and Davis 1995). The block Z_BB of a front is copied from its
 * parent front: the vertices of the parent front include all border vertices of the child front. Only fronts that contain a
 * requested block, and their ancestors, are visited. Visiting all fronts takes about twice the operations of the
 * factorisation. */
#ifndef CST_SPARSE_BLOCK_INVERSE_H
#define CST_SPARSE_BLOCK_INVERSE_H

#include "sparse/block_cholesky.h"

/* Row vertex and column vertex of a requested block of the inverse. */
typedef struct cst_vertex_pair {
    int32_t row, column;
} cst_vertex_pair;

/* Writes the block of the inverse for each requested pair of vertices to `block` (pairs x dim x dim, row-major). If the
 * Cholesky factor has no block for a requested pair of vertices, a zero block is written; the factor has a block wherever the
 * matrix has one. Returns false if memory ran out. */
bool cst_block_inverse(const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena,
                       double *block);

#endif
