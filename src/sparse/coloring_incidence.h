/* Colouring of items that meet in groups: two items of one colour share no group. Contacts are the items and bodies the
 * groups.
 *
 * With at most two groups per item this is the edge colouring of a multigraph. The graph of items that share a group, which
 * has as many edges as W has blocks, is never made. Greedy, items of the busiest groups first, each the lowest colour free
 * at both its groups: at most 2 d - 1 colours, where d is the size of the largest group and no colouring has fewer than d. */
#ifndef CST_SPARSE_COLORING_INCIDENCE_H
#define CST_SPARSE_COLORING_INCIDENCE_H

#include "base/arena.h"

/* group (items x 2): -1 for none; the two may be equal. colour (items) out. Returns the number of colours, -1 if memory ran
 * out. What is taken from the arena is given back. */
int cst_colour_incidence(int items, int groups, const int32_t *group, cst_arena *arena, int32_t *colour);

#endif
