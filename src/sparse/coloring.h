/* Greedy colouring of a graph: neighbours get different colours, so that several threads can process the items of one colour at
 * once. */
#ifndef CST_SPARSE_COLORING_H
#define CST_SPARSE_COLORING_H

#include "base/arena.h"

/* Colours a graph, given as a symmetric CSR pattern; diagonal entries are ignored. `order` (count): output, the items sorted by
 * colour, and by index within a colour. `colour_start` (colours + 1): output, the position in `order` of the first item of each
 * colour. Returns the number of colours, or -1 if memory ran out. */
int cst_coloring(int count, const int64_t *start, const int32_t *neighbour, cst_arena *arena, int32_t *order,
                 int32_t **colour_start);

/* Sorts items by their given colours, with the same outputs as cst_coloring. */
bool cst_coloring_sort(int count, const int32_t *colour, int colours, cst_arena *arena, int32_t *order, int32_t **colour_start);

#endif
