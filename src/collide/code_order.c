#include "collide/code_order.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

cst_coded *cst_sort_by_code(cst_coded *item, cst_coded *scratch, int count, int bits, cst_arena *arena)
{
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
