/* Sorts items along a space-filling curve: the code of an item interleaves the bits of its coordinates (Morton 1966). */
#ifndef CST_COLLIDE_CODE_ORDER_H
#define CST_COLLIDE_CODE_ORDER_H

#include "base/arena.h"

typedef struct cst_coded {
    uint64_t code;
    int32_t index;
} cst_coded;

/* Sorts the items stably by the lowest `bits` bits of their codes, with a radix sort of 11-bit digits. `scratch` is memory for
 * the sort, an array as long as the array `item`. Returns the array that holds the sorted items, which is `item` or `scratch`, or
 * NULL if memory ran out. */
cst_coded *cst_sort_by_code(cst_coded *item, cst_coded *scratch, int count, int bits, cst_arena *arena);

#endif
