/* One solve, one arena: take what is needed up front, free it all at the end.
 *
 * A failed take returns NULL and sets `failed`, which stays set: take everything, then test once. Memory is zeroed and
 * aligned to 64 bytes (a cache line, and the widest vector). */
#ifndef CST_BASE_ARENA_H
#define CST_BASE_ARENA_H

#include "capstan/friction.h"

typedef struct cst_arena_block cst_arena_block;

typedef struct cst_arena {
    cst_allocator allocator;
    cst_arena_block *last;  /* newest block; blocks are chained to older ones */
    cst_arena_block *spare; /* released blocks, kept for the next take: a loop that takes and releases costs no page faults */
    size_t bytes;           /* held now */
    size_t peak;            /* high-water mark */
    bool failed;
} cst_arena;

typedef struct cst_arena_mark {
    cst_arena_block *block;
    size_t used;
} cst_arena_mark;

void cst_arena_begin(cst_arena *arena, const cst_allocator *allocator); /* allocator NULL or zeroed: malloc and free */
void cst_arena_end(cst_arena *arena);

/* count * size bytes; NULL on failure or overflow. A zero count gives a valid pointer. */
void *cst_arena_take(cst_arena *arena, size_t count, size_t size);

/* The same, not zeroed: for large arrays that are about to be filled. */
void *cst_arena_take_raw(cst_arena *arena, size_t count, size_t size);

/* Everything taken after the mark is given back at the release. */
cst_arena_mark cst_arena_mark_now(const cst_arena *arena);
void cst_arena_release(cst_arena *arena, cst_arena_mark mark);

#define CST_TAKE(arena, type, count) ((type *)cst_arena_take((arena), (size_t)(count), sizeof(type)))
#define CST_TAKE_RAW(arena, type, count) ((type *)cst_arena_take_raw((arena), (size_t)(count), sizeof(type)))

#endif
