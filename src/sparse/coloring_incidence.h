/* Colours items that belong to groups, so that two items of the same colour share no group. The friction solver colours
 * contacts (items) that act on bodies (groups).
 *
 * With at most two groups per item, the problem is the edge colouring of a multigraph. The method is greedy: items of the
 * largest groups come first, and each item gets the lowest colour that is free in its two groups. If the largest group has d
 * items, the greedy colouring needs at most 2 d - 1 colours, and every colouring needs at least d colours. */
#ifndef CST_SPARSE_COLORING_INCIDENCE_H
#define CST_SPARSE_COLORING_INCIDENCE_H

#include "base/arena.h"

/* `group` (items x 2): the two groups of each item, which may be equal; -1 for none. `colour` (items): output. Returns the
 * number of colours, or -1 if memory ran out. */
int cst_colour_incidence(int items, int groups, const int32_t *group, cst_arena *arena, int32_t *colour);

#endif
