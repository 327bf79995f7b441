/* Colours items that belong to groups: two items of the same colour share no group. The friction solver colours contacts
 * (items); its groups are bodies.
 *
 * With at most two groups per item the problem is the edge colouring of a multigraph. The graph whose edges join items that
 * share a group is never built, because it could have too many edges. The method is greedy: items of the largest groups come
 * first, and each item gets the lowest colour that is free in both of its groups. The method needs at most 2 d - 1 colours,
 * where d is the size of the largest group; every colouring needs at least d colours. */
#ifndef CST_SPARSE_COLORING_INCIDENCE_H
#define CST_SPARSE_COLORING_INCIDENCE_H

#include "base/arena.h"

/* `group` (items x 2): the groups of each item, -1 for none; the two groups of an item may be the same. `colour` (items):
 * output. Returns the number of colours, or -1 if memory ran out. The function releases its arena memory. */
int cst_colour_incidence(int items, int groups, const int32_t *group, cst_arena *arena, int32_t *colour);

#endif
