/* Collects pairs that several threads find, and returns them as sorted rows.
 *
 * The rows do not depend on the number of threads, nor on the order in which pairs are found. The memory that is needed is linear
 * in the number of pairs.
 *
 * Call cst_pair_pool_begin once, with a guess for the number of pairs; if the guess is too small, the pool takes more memory.
 * Each thread adds pairs to its own cst_pair_buffer with cst_pair_put and calls cst_pair_flush at the end. Call cst_pair_rows
 * last: row a of the result has, in increasing order, all indices b that form a pair with a. */
#ifndef CST_COLLIDE_PAIR_ROWS_H
#define CST_COLLIDE_PAIR_ROWS_H

#include "base/arena.h"
#include "base/lock.h"

typedef struct cst_pair_list {
    int64_t *row_start; /* (rows + 1) */
    int32_t *partner;   /* (row_start[rows]) */
} cst_pair_list;

/* Function that returns true if the pair of the shapes a and b is to be listed; if a and b are shapes of the same list, b > a.
 * Several threads call the function that decides if a pair is listed, perhaps twice for the same pair, so it must not change any
 * data. */
typedef bool (*cst_pair_rule)(const void *user, int32_t a, int32_t b);

typedef struct cst_pair {
    int32_t a, b;
} cst_pair;

/* largest number of chunks of memory; each chunk is half as large as all chunks before it together, so that memory runs out
 * before this number is reached */
enum { CST_PAIR_CHUNKS = 64 };

typedef struct cst_pair_pool {
    cst_arena *arena;
    cst_lock lock;
    int chunks;
    cst_pair *chunk[CST_PAIR_CHUNKS]; /* in any order */
    int64_t end[CST_PAIR_CHUNKS];     /* pairs up to each chunk's end */
    int64_t found;
    int64_t most; /* largest number of pairs; 0: no limit */
    bool failed;  /* true: memory ran out, or there are more than `most` pairs */
    bool crowded; /* true: there are more than `most` pairs */
} cst_pair_pool;

enum { CST_PAIR_BUFFER = 128 };

/* The pairs that one thread found since it last added pairs to the pool. */
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

/* Empties the pool and reserves memory for `guess` pairs. `most`: largest number of pairs, or 0 for no limit. No other code may
 * use the arena while pairs are added. */
void cst_pair_pool_begin(cst_pair_pool *pool, int64_t guess, int64_t most, cst_arena *arena);

/* Returns true if memory ran out or there are more than pool->most pairs; a search can then stop. */
bool cst_pair_pool_failed(const cst_pair_pool *pool);

/* out->row_start is allocated by the caller: (rows + 1), zeroed. Returns false if memory ran out in this or an earlier call, or
 * if there are more than pool->most pairs. */
bool cst_pair_rows(const cst_pair_pool *pool, int rows, int threads, cst_arena *arena, cst_pair_list *out);

/* Returns the capacity (at least `count`) for a list of `count` entries. The capacity grows in steps of an eighth to a quarter
 * of its value, so that a list that grows slightly needs no new memory. */
size_t cst_roomy(int64_t count);

#endif
