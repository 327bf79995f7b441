/* Elimination order of a mesh pattern by nested dissection (George 1973). The vertices of the mesh are divided into two halves by
 * a line in the plane of the mesh. Vertices of one half that have neighbours in the other half are eliminated last, and each half
 * is divided in the same way. Small sets of vertices are ordered by minimum degree.
 *
 * On large flat meshes, a factorisation with nested dissection needs fewer operations than with minimum degree
 * (docs/constants.md). */
#ifndef CST_SPARSE_DISSECTION_H
#define CST_SPARSE_DISSECTION_H

#include "base/arena.h"

/* order[k] is the vertex eliminated k-th. The pattern is as in sparse/ordering.h. `place` (n x 2): plane coordinates of the
 * vertices. Working memory is taken from `arena` and released before the return. Returns false if memory ran out. */
bool cst_order_dissection(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, const double *place,
                          int32_t *order);

#endif
