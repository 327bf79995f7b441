/* Reverse Cuthill-McKee order (Cuthill and McKee 1969; George 1971): a numbering that keeps neighbours close, so that a matrix
 * of slender things becomes a narrow band. Connected components come out on the way. */
#ifndef CST_SPARSE_RCM_H
#define CST_SPARSE_RCM_H

#include "sparse/csr.h"

/* The graph is that of A + A^T, given as the two of them. order (n): the node at each place, components one after another.
 * component (n): the component of each node, numbered by smallest node. Returns how many components, -1 if memory ran out. */
int32_t cst_rcm_order(cst_arena *scratch, const cst_csr *matrix, const cst_csr *transpose, int32_t *order, int32_t *component);

#endif
