/* Reverse Cuthill-McKee order (Cuthill and McKee 1969; George 1971): a numbering that keeps neighbours close, so that the
 * matrix of a slender body becomes a narrow band. The search also finds the connected components. */
#ifndef CST_SPARSE_RCM_H
#define CST_SPARSE_RCM_H

#include "sparse/csr.h"

/* The graph is that of A + A^T, given as `matrix` and `transpose`. `order` (n): the node at each position, component after
 * component. `component` (n): the component of each node, numbered by smallest node. Returns the number of components, or -1
 * if memory ran out. */
int32_t cst_rcm_order(cst_arena *scratch, const cst_csr *matrix, const cst_csr *transpose, int32_t *order, int32_t *component);

#endif
