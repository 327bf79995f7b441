/* The greedy colouring takes items in the order of decreasing degree, which gives few colours and colour classes of similar size.
 * Items of equal degree are taken in the order of their indices, so the colouring depends only on the graph. */
#include "sparse/coloring.h"

#include <string.h>

static bool by_degree(int count, const int64_t *start, cst_arena *arena, int32_t *sorted)
{
    int64_t largest = 0;
    for (int i = 0; i < count; i++)
        if (start[i + 1] - start[i] > largest)
            largest = start[i + 1] - start[i];
    int32_t *first = CST_TAKE(arena, int32_t, (size_t)largest + 2);
    if (arena->failed)
        return false;
    for (int i = 0; i < count; i++)
        first[largest - (start[i + 1] - start[i]) + 1]++;
    for (int64_t d = 0; d <= largest; d++)
        first[d + 1] += first[d];
    for (int i = 0; i < count; i++)
        sorted[first[largest - (start[i + 1] - start[i])]++] = i;
    return true;
}

bool cst_coloring_sort(int count, const int32_t *colour, int colours, cst_arena *arena, int32_t *order, int32_t **colour_start)
{
    int32_t *first = CST_TAKE(arena, int32_t, (size_t)colours + 2);
    if (arena->failed)
        return false;
    for (int i = 0; i < count; i++)
        first[colour[i] + 2]++;
    for (int c = 0; c < colours; c++)
        first[c + 2] += first[c + 1];
    for (int i = 0; i < count; i++)
        order[first[colour[i] + 1]++] = i;
    *colour_start = first;
    return true;
}

int cst_coloring(int count, const int64_t *start, const int32_t *neighbour, cst_arena *arena, int32_t *order,
                 int32_t **colour_start)
{
    int32_t *sorted = CST_TAKE_RAW(arena, int32_t, (size_t)count);
    int32_t *colour = CST_TAKE_RAW(arena, int32_t, (size_t)count);
    /* for each colour: 1 + the index of the last item that was found to have a neighbour of this colour; 0: none yet */
    int32_t *taken_by = CST_TAKE(arena, int32_t, (size_t)count + 1);
    if (arena->failed || !by_degree(count, start, arena, sorted))
        return -1;
    int colours = 0;
    memset(colour, 0xff, (size_t)count * sizeof *colour); /* -1: no colour yet */
    for (int k = 0; k < count; k++) {
        const int32_t item = sorted[k];
        for (int64_t e = start[item]; e < start[item + 1]; e++)
            if (neighbour[e] != item && colour[neighbour[e]] >= 0)
                taken_by[colour[neighbour[e]]] = item + 1;
        int32_t c = 0;
        while (taken_by[c] == item + 1)
            c++;
        colour[item] = c;
        if (c >= colours)
            colours = c + 1;
    }
    return cst_coloring_sort(count, colour, colours, arena, order, colour_start) ? colours : -1;
}
