/* A list of entries of a sparse matrix, in any order, to which entries are appended one by one. */
#ifndef CST_EXCHANGE_GATHERING_H
#define CST_EXCHANGE_GATHERING_H

#include <assert.h>

#include "base/arena.h"

typedef struct cst_gathering {
    int32_t *row, *column;
    double *value;
    int64_t count, room;
} cst_gathering;

/* Returns false if memory ran out. */
static inline bool cst_gathering_begin(cst_arena *arena, int64_t room, cst_gathering *out)
{
    *out = (cst_gathering){.row = CST_TAKE_RAW(arena, int32_t, room),
                           .column = CST_TAKE_RAW(arena, int32_t, room),
                           .value = CST_TAKE_RAW(arena, double, room),
                           .room = room};
    return !arena->failed;
}

static inline void cst_gathering_put(cst_gathering *to, int64_t row, int64_t column, double value)
{
    assert(to->count < to->room);
    to->row[to->count] = (int32_t)row;
    to->column[to->count] = (int32_t)column;
    to->value[to->count++] = value;
}

#endif
