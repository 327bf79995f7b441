/* Elimination order of the pattern of a mesh by nested dissection (George 1973): the vertices are cut in two where they lie, those of one half that have neighbours in the other
 * are eliminated last, and each half is cut in the same way; small parts are ordered by minimum degree.
 *
 * On large flat meshes it leaves less work than minimum degree does (docs/constants.md). */
#ifndef CST_SPARSE_DISSECTION_H
#define CST_SPARSE_DISSECTION_H

#include "base/arena.h"

/* order[k]: the vertex eliminated k-th. Pattern as in sparse/ordering.h; place (n x 2): where the vertices are in the plane. Working memory comes from `arena` and is given back. False: out of memory. */
bool cst_order_dissection(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, const double *place,
                          int32_t *order);

#endif
