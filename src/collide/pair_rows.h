/* Collects pairs of indices that several threads find, and sorts them into rows.
 *
 * Row a of the result lists, in increasing order, every b for which the pair (a, b) was found. The rows do not depend on the
 * number of threads or on the order in which pairs are found.
 *
 * Call cst_pair_pool_begin first. Each thread adds pairs to its own cst_pair_buffer with cst_pair_put, and calls cst_pair_flush
 * at the end. Call cst_pair_rows last. */
#ifndef CST_COLLIDE_PAIR_ROWS_H
#define CST_COLLIDE_PAIR_ROWS_H

#include "base/arena.h"
#include "base/lock.h"

typedef struct cst_pair_list {
    /* start of each row in `partner` */
    int64_t *row_start;
    int32_t *partner; /* partners b, row after row */
} cst_pair_list;

/* Returns true if the pair of the shapes a and b is to be listed. A search for pairs within one list of shapes calls this
 * function (cst_pair_rule) with a < b. Several threads call a rule of the type cst_pair_rule at the same time, perhaps twice for
 * one pair, so such a rule must not change any data. */
typedef bool (*cst_pair_rule)(const void *user, int32_t a, int32_t b);

typedef struct cst_pair {
    int32_t a, b;
} cst_pair;

/* CST_PAIR_CHUNKS: largest number of chunks of memory in a pool; each further chunk is at least half as large as all earlier
 * chunks together. */
enum { CST_PAIR_CHUNKS = 64 };

typedef struct cst_pair_pool {
    cst_arena *arena;
    cst_lock lock;
    int chunks;
    cst_pair *chunk[CST_PAIR_CHUNKS]; /* pairs, unsorted */
    int64_t end[CST_PAIR_CHUNKS];     /* capacity up to this chunk's end */
    int64_t found;
    int64_t most; /* largest number allowed; 0: no limit */
    bool failed;  /* memory ran out, or `crowded` */
    bool crowded; /* more than `most` pairs were found */
} cst_pair_pool;

enum { CST_PAIR_BUFFER = 128 };

/* Pairs not yet in the pool. */
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

/* Reserves memory for `guess` pairs. Until cst_pair_rows has returned, no other code is allowed to use `arena`. */
void cst_pair_pool_begin(cst_pair_pool *pool, int64_t guess, int64_t most, cst_arena *arena);

/* Returns true if memory ran out or more than pool->most pairs were found; a search for pairs can then stop. */
bool cst_pair_pool_failed(const cst_pair_pool *pool);

/* The caller allocates the array out->row_start, which holds rows + 1 zeros. Returns false if the pool has failed or memory ran
 * out. */
bool cst_pair_rows(const cst_pair_pool *pool, int rows, int threads, cst_arena *arena, cst_pair_list *out);

/* Returns the capacity (at least `count`) for a list of `count` entries. The capacity is at least 1,024; above, it grows in steps
 * of an eighth to a quarter of `count`, so that a list that grows slightly needs no new memory. */
size_t cst_roomy(int64_t count);

#endif
