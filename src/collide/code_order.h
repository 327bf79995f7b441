/* Sorting things along a space-filling curve: each has a code of bits taken in turn from its coordinates (Morton 1966). */
#ifndef CST_COLLIDE_CODE_ORDER_H
#define CST_COLLIDE_CODE_ORDER_H

#include "base/arena.h"

typedef struct cst_coded {
    uint64_t code;
    int32_t index;
} cst_coded;

/* By code, stable, by digits of 11 bits from the lowest of `bits`. `scratch` is as long; the result is in the array returned. NULL:
 * memory ran out. */
cst_coded *cst_sort_by_code(cst_coded *item, cst_coded *scratch, int count, int bits, cst_arena *arena);

#endif
