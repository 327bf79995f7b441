/* Elimination order of a mesh pattern by nested dissection (George 1973).
 *
 * A line in the plane of the mesh divides the vertices into two halves. A separator consists of those vertices of one half of the
 * mesh that have neighbours in the other half. The separator is eliminated last, and each half is divided in the same way. Small
 * sets of vertices get a minimum degree order. On large flat meshes, a factorisation needs fewer operations with nested
 * dissection than with minimum degree (docs/constants.md). */
#ifndef CST_SPARSE_DISSECTION_H
#define CST_SPARSE_DISSECTION_H

#include "base/arena.h"

/* `order`: output; order[k] is the vertex eliminated k-th. The pattern is as in sparse/ordering.h. `place` (n x 2): plane
 * coordinates of the vertices. Returns false if memory ran out. */
bool cst_order_dissection(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, const double *place,
                          int32_t *order);

#endif
