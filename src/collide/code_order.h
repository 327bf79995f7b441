/* Sorts items by Morton codes, which interleave the bits of coordinates (Morton 1966). */
#ifndef CST_COLLIDE_CODE_ORDER_H
#define CST_COLLIDE_CODE_ORDER_H

#include "base/arena.h"

typedef struct cst_coded {
    uint64_t code;
    int32_t index;
} cst_coded;

/* Sorts the items by the lowest `bits` bits of their codes, whose higher bits must be 0; items with equal codes keep their order.
 * `scratch`: an array as long as `item`. Returns the sorted array, which is `item` or `scratch`, or NULL if memory ran out. */
cst_coded *cst_sort_by_code(cst_coded *item, cst_coded *scratch, int count, int bits, cst_arena *arena);

#endif
