#include "collide/code_order.h"

#include <string.h>

/* FEW: number of items up to which a merge sort is used. Each pass of the radix sort counts DIGITS digits, however few the items
 * are: the neighbour lists of scenes/fibers/plectoneme_paper.json have 160 items. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 1024 };

static cst_coded *merge_few(cst_coded *item, cst_coded *scratch, int count, uint64_t mask)
{
    for (int run = 1; run < count; run *= 2) {
        for (int first = 0; first < count; first += 2 * run) {
            const int middle = first + run < count ? first + run : count, end = middle + run < count ? middle + run : count;
            int a = first, b = middle;
            for (int to = first; to < end; ++to) {
                const bool second = a == middle || (b < end && (item[b].code & mask) < (item[a].code & mask));
                scratch[to] = second ? item[b] : item[a];
                a += !second;
                b += second;
            }
        }
        cst_coded *swap = item;
        item = scratch;
        scratch = swap;
    }
    return item;
}

cst_coded *cst_sort_by_code(cst_coded *item, cst_coded *scratch, int count, int bits, cst_arena *arena)
{
    if (count <= FEW)
        return merge_few(item, scratch, count, bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int32_t *places = CST_TAKE_RAW(arena, int32_t, DIGITS);
    if (arena->failed)
        return NULL;
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        memset(places, 0, DIGITS * sizeof *places);
        for (int i = 0; i < count; ++i)
            ++places[item[i].code >> shift & (DIGITS - 1)];
        int32_t sum = 0;
        for (int d = 0; d < DIGITS; ++d) {
            const int32_t here = places[d];
            places[d] = sum;
            sum += here;
        }
        for (int i = 0; i < count; ++i)
            scratch[places[item[i].code >> shift & (DIGITS - 1)]++] = item[i];
        cst_coded *swap = item;
        item = scratch;
        scratch = swap;
    }
    cst_arena_release(arena, mark);
    return item;
}
