/* Pairs that several threads find, as sorted rows.
 *
 *     cst_pair_pool pool; cst_pair_pool_begin(&pool, guess, arena)      shared; takes more memory where the guess does not do
 *     each thread:  cst_pair_buffer; cst_pair_put(&buffer, a, b) ... cst_pair_flush(&buffer)
 *     cst_pair_rows(&pool, ...)                                         row a has all b of its pairs, increasing
 *
 * The rows do not depend on the number of threads, nor on the order in which pairs are found. Memory is linear in the pairs. */
#ifndef CST_COLLIDE_PAIR_ROWS_H
#define CST_COLLIDE_PAIR_ROWS_H

#include "base/arena.h"
#include "base/lock.h"

typedef struct cst_pair_list {
    int64_t *row_start; /* (rows + 1) */
    int32_t *partner;   /* (row_start[rows]) */
} cst_pair_list;

/* May a touch b (a < b)? Called from several threads, perhaps twice for a pair: must not change anything. */
typedef bool (*cst_pair_rule)(const void *user, int32_t a, int32_t b);

typedef struct cst_pair {
    int32_t a, b;
} cst_pair;

enum { CST_PAIR_CHUNKS = 64 }; /* each half as large as all before it: more than memory has */

typedef struct cst_pair_pool {
    cst_arena *arena;
    cst_lock lock;
    int chunks;
    cst_pair *chunk[CST_PAIR_CHUNKS]; /* in any order */
    int64_t end[CST_PAIR_CHUNKS];     /* pairs that there is room for up to here */
    int64_t found;
    bool failed; /* memory ran out */
} cst_pair_pool;

enum { CST_PAIR_BUFFER = 128 };

/* What one thread found since it last put it to the others. */
typedef struct cst_pair_buffer {
    cst_pair_pool *pool;
    int count;
    cst_pair pair[CST_PAIR_BUFFER];
} cst_pair_buffer;

void cst_pair_flush(cst_pair_buffer *buffer);

static inline void cst_pair_put(cst_pair_buffer *buffer, int32_t a, int32_t b)
{
    buffer->pair[buffer->count++] = (cst_pair){.a = a, .b = b};
    if (buffer->count == CST_PAIR_BUFFER)
        cst_pair_flush(buffer);
}

/* Empty, with room for `guess` pairs. Nobody else takes from the arena while pairs are put. */
void cst_pair_pool_begin(cst_pair_pool *pool, int64_t guess, cst_arena *arena);

/* out->row_start is the caller's: (rows + 1), zeroed. False: memory ran out, here or before. */
bool cst_pair_rows(const cst_pair_pool *pool, int rows, int threads, cst_arena *arena, cst_pair_list *out);

/* Capacity of a list of so many, in quarters to eighths of itself: one that grows a little does not ask for memory again. */
size_t cst_roomy(int64_t count);

#endif
