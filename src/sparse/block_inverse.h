/* Computes selected blocks of A^-1 from the Cholesky factor of A, without the rest of A^-1.
 *
 * L11 and L21 are the columns of a front (sparse/block_cholesky.h), B is its border, P are its own vertices, and Y = L21
 * L11^-1. The blocks of Z = A^-1 are
 *
 *     Z_BP = -Z_BB Y,      Z_PP = L11^-T L11^-1 - Y^T Z_BP.
 *
 * The block Z_BB is a part of the Z of the parent front. The computation goes from the roots to the leaves, with dense kernels
 * for each front (Takahashi, Fagan and Chin 1973; Campbell and Davis 1995). The computation visits only fronts that contain a
 * requested block, and their ancestors. Visiting all fronts takes about twice the operations of the factorisation. */
#ifndef CST_SPARSE_BLOCK_INVERSE_H
#define CST_SPARSE_BLOCK_INVERSE_H

#include "sparse/block_cholesky.h"

/* A requested block of A^-1: its row vertex and its column vertex. */
typedef struct cst_vertex_pair {
    int32_t row, column;
} cst_vertex_pair;

/* Writes A^-1 at each pair to `block` (pairs x dim x dim, row-major). A block of A^-1 is written as zero if L has no block at
 * that pair; L has a block wherever A has one. The function releases its arena memory. Returns false if memory ran out. */
bool cst_block_inverse(const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena,
                       double *block);

#endif
