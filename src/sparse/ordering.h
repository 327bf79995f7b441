/* Elimination order with little fill for a symmetric sparsity pattern: approximate minimum degree (Amestoy, Davis and Duff
 * 1996), computed by SuiteSparse's AMD. */
#ifndef CST_SPARSE_ORDERING_H
#define CST_SPARSE_ORDERING_H

#include "base/arena.h"

/* Writes to order[k] the vertex that is eliminated k-th. The pattern must hold both entries (i, j) and (j, i); diagonal entries
 * are ignored. Returns false if memory ran out. */
bool cst_order_minimum_degree(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, int32_t *order);

#endif
