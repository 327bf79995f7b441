/* Reverse Cuthill-McKee order (Cuthill and McKee 1969; George 1971): a numbering that keeps neighbours close, so that the
 * matrix of a slender body becomes a narrow band. */
#ifndef CST_SPARSE_RCM_H
#define CST_SPARSE_RCM_H

#include "sparse/csr.h"

/* The matrix graph has all edges of the patterns `matrix` and `transpose`. `order` (nodes): the node at each position of the
 * new numbering; the nodes of a connected component are adjacent. `component` (nodes): the connected component of each node;
 * connected components are numbered in the order of their smallest nodes. Returns the number of connected components, or -1 if
 * memory ran out. */
int32_t cst_rcm_order(cst_arena *scratch, const cst_csr *matrix, const cst_csr *transpose, int32_t *order, int32_t *component);

#endif
