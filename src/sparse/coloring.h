/* Greedy colouring of a graph: neighbours get different colours, so that one colour can be swept by many threads at once. */
#ifndef CST_SPARSE_COLORING_H
#define CST_SPARSE_COLORING_H

#include "base/arena.h"

/* Adjacency in CSR, symmetric; loops are ignored. Fills order (count), the items sorted by colour and by index within it, and
 * colour_start (taken from the arena, colours + 1). Returns the number of colours, -1 if memory ran out. */
int cst_coloring(int count, const int64_t *start, const int32_t *neighbour, cst_arena *arena, int32_t *order,
                 int32_t **colour_start);

/* Given a colour for each item: order and colour_start as above. */
bool cst_coloring_sort(int count, const int32_t *colour, int colours, cst_arena *arena, int32_t *order, int32_t **colour_start);

#endif
