/* Some blocks of A^-1 from A's Cholesky factor, without forming the rest.
 *
 * With L11, L21 the columns of a front (sparse/block_cholesky.h), B its border, P its own vertices and Y = L21 L11^-1,
 *
 *     Z_BP = -Z_BB Y,      Z_PP = L11^-T L11^-1 - Y^T Z_BP,      Z = A^-1
 *
 * and Z_BB is a part of the Z of its parent: from the roots down, each front by dense kernels (Takahashi, Fagan and Chin 1973; Campbell and
 * Davis 1995). Only fronts above a block that is asked for are visited; all of them take about twice the operations of the factor. */
#ifndef CST_SPARSE_BLOCK_INVERSE_H
#define CST_SPARSE_BLOCK_INVERSE_H

#include "sparse/block_cholesky.h"

/* Two vertices; a block of A^-1 is asked for. */
typedef struct cst_vertex_pair {
    int32_t row, column;
} cst_vertex_pair;

/* block (pairs x dim x dim, row-major): Z at each pair; zero where L has no block, which is never so where A has one. Memory
 * from the arena is given back. False: out of memory. */
bool cst_block_inverse(const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena,
                       double *block);

#endif
