#include "sparse/ordering.h"

#include <amd.h>

/* Calls amd_l2, which works in the memory that it is given; amd_l_order would allocate memory with its own process-wide malloc.
 * Besides the entries of the off-diagonal pattern, the array `pattern` has room for n entries, which amd_l2 needs, and for a
 * fifth of the pattern, as in amd_l_order. */
bool cst_order_minimum_degree(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, int32_t *order)
{
    enum { ARRAYS = 9 };
    typedef SuiteSparse_long word;
    if (n == 0)
        return true;
    cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t size = (size_t)n, room = (size_t)row_start[n] + (size_t)row_start[n] / 5 + size + 1;
    word *memory = CST_TAKE(arena, word, ARRAYS * size);
    word *pattern = CST_TAKE(arena, word, room);
    if (arena->failed)
        return false;
    word *array[ARRAYS];
    for (size_t k = 0; k < ARRAYS; k++)
        array[k] = memory + k * size;
    word *start = array[0], *length = array[1], *last = array[4];

    word used = 0;
    for (int i = 0; i < n; i++) {
        start[i] = used;
        for (int64_t e = row_start[i]; e < row_start[i + 1]; e++)
            if (column[e] != i)
                pattern[used++] = column[e];
        length[i] = used - start[i];
    }
    double control[AMD_CONTROL], info[AMD_INFO];
    amd_l_defaults(control);
    amd_l2(n, start, pattern, length, (word)room, used, array[2], array[3], last, array[5], array[6], array[7], array[8], control,
           info);
    for (int k = 0; k < n; k++)
        order[k] = (int32_t)last[k];
    cst_arena_release(arena, mark);
    return true;
}
