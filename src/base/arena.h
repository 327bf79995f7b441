/* One solve, one arena: take what is needed up front, free it all at the end.
 *
 * A failed take returns NULL and sets `failed`, which stays set: take everything, then test once. Memory is zeroed and
 * aligned to 64 bytes (a cache line, and the widest vector).
 *
 * An arena that is released to empty with more than one block replaces its blocks by one, an eighth larger than the most that was
 * ever in use at a time. So a loop that takes and releases holds at most 9/8 of what it needs, and asks the allocator for
 * nothing once it is warm. (480 falling hairs: the arena of the step held 125.7 MB in 196 blocks for 6 MB in use.) */
#ifndef CST_BASE_ARENA_H
#define CST_BASE_ARENA_H

#include "capstan/friction.h"

typedef struct cst_arena_block cst_arena_block;

/* A point to release to. */
typedef struct cst_arena_mark {
    cst_arena_block *block;
    size_t used;  /* of that block */
    size_t total; /* of all blocks */
} cst_arena_mark;

typedef struct cst_arena {
    cst_allocator allocator;
    struct cst_arena *parent; /* NULL: has blocks of its own */
    cst_arena_mark before;    /* of the parent, when this arena began */
    cst_arena_block *last;    /* newest block; blocks are chained to older ones */
    cst_arena_block *spare;   /* released blocks, kept for the next take */
    size_t bytes;             /* held now */
    size_t peak;              /* the most that was ever held */
    size_t used;              /* taken now and not released, rounded up to the alignment */
    size_t high;              /* the most that was ever used */
    bool failed;
} cst_arena;

void cst_arena_begin(cst_arena *arena, const cst_allocator *allocator); /* allocator NULL or zeroed: malloc and free */
void cst_arena_end(cst_arena *arena);
void cst_arena_end_from_within(const cst_arena *arena); /* of an object that holds its arena and lies in it: both are gone */

/* An arena that begins with this allocator is a child: it takes from the blocks of `parent`, so that many small objects, each with
 * an arena of its own, cost no more than what they take (a fiber of 15 dofs has no use for a block of 64 KiB). The memory
 * returns to the parent when the child ends, if nothing was taken from the parent since by anybody else; otherwise when the parent is
 * released or ends. Marks of parent and children nest. A child's `allocator` is the parent's. A parent is nobody's child. For
 * one thread at a time. */
cst_allocator cst_arena_share(cst_arena *parent);

/* count * size bytes; NULL on failure or overflow. A zero count gives a valid pointer. */
void *cst_arena_take(cst_arena *arena, size_t count, size_t size);

/* The same, not zeroed: for large arrays that are about to be filled. */
void *cst_arena_take_raw(cst_arena *arena, size_t count, size_t size);

/* Vectors of `count` numbers each, zeroed; the list of where they go ends with NULL. */
void cst_arena_take_vectors(cst_arena *arena, size_t count, double **const *vector);

/* Everything taken after the mark is given back at the release. */
cst_arena_mark cst_arena_mark_now(const cst_arena *arena);
void cst_arena_release(cst_arena *arena, cst_arena_mark mark);

#define CST_TAKE(arena, type, count) ((type *)cst_arena_take((arena), (size_t)(count), sizeof(type)))
#define CST_TAKE_RAW(arena, type, count) ((type *)cst_arena_take_raw((arena), (size_t)(count), sizeof(type)))
#define CST_TAKE_VECTORS(arena, count, ...) cst_arena_take_vectors((arena), (size_t)(count), (double **[]){__VA_ARGS__, NULL})

#endif
