/* Greedy colouring of a graph: neighbours get different colours, so that several threads can process the items of one colour
 * at once. */
#ifndef CST_SPARSE_COLORING_H
#define CST_SPARSE_COLORING_H

#include "base/arena.h"

/* Colours a graph. The adjacency of the items is a symmetric CSR pattern; diagonal entries are ignored. Fills `order` (count)
 * with the items sorted by colour, and by index within a colour. Writes the index in `order` of the first item of each colour
 * to `colour_start` (colours + 1), allocated from the arena. Returns the number of colours, or -1 if memory ran out. */
int cst_coloring(int count, const int64_t *start, const int32_t *neighbour, cst_arena *arena, int32_t *order,
                 int32_t **colour_start);

/* Sorts items by their given colours. */
bool cst_coloring_sort(int count, const int32_t *colour, int colours, cst_arena *arena, int32_t *order, int32_t **colour_start);

#endif
