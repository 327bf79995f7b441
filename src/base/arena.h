/* Memory arena: an allocator that frees all its memory at once, for example at the end of a time step.
 *
 * If memory runs out, cst_arena_take returns NULL and sets the flag `failed`. The flag `failed` stays set, so a caller can take
 * all its arrays first and test the flag once. All memory is aligned to 64 bytes, the size of a cache line and of the widest SIMD
 * vector. All memory is set to zero, except memory taken with cst_arena_take_raw or cst_arena_grow.
 *
 * When an arena with more than one block is released completely, it replaces its blocks by one block that is an eighth larger
 * than the largest use so far. An arena that is filled and released repeatedly takes at most 9/8 of the largest memory that was
 * in use, plus about 64 KiB. An arena that is filled in the same way again and again, and released each time, soon allocates no
 * more memory. In a measurement in which blocks were not replaced by one larger block, the arena of a time step of 480 falling
 * hairs took 125.7 MB in 196 blocks, although only 6 MB were in use. */
#ifndef CST_BASE_ARENA_H
#define CST_BASE_ARENA_H

#include <stddef.h>

#include "capstan/friction.h"

typedef struct cst_arena_block cst_arena_block;

/* A mark in the arena: all memory taken after the mark can be released together. */
typedef struct cst_arena_mark {
    cst_arena_block *block;
    size_t used;  /* bytes used in that block */
    size_t total; /* bytes used in all blocks */
} cst_arena_mark;

typedef struct cst_arena {
    cst_allocator allocator;
    struct cst_arena *parent; /* NULL: has its own blocks */
    cst_arena_mark before;    /* parent's state when this began */
    cst_arena_block *last;    /* newest block of memory; each block points to the next older block */
    cst_arena_block *spare;   /* released blocks, kept for later takes */
    size_t bytes;             /* bytes held at present */
    size_t peak;              /* largest `bytes` so far */
    size_t used;              /* bytes of the memory in use, rounded up to the alignment */
    size_t high;              /* largest `used` so far */
    bool failed;
} cst_arena;

/* if `allocator` is NULL or zeroed, malloc and free are used */
void cst_arena_begin(cst_arena *arena, const cst_allocator *allocator);
void cst_arena_end(cst_arena *arena);
/* Creates an arena and an object of `size` zeroed bytes in the arena's memory, and stores the arena's own struct inside the
 * object, `offset` bytes after its start. Returns a pointer to the object that contains the arena, or NULL if memory ran out. */
void *cst_arena_begin_within(const cst_allocator *allocator, size_t size, size_t offset);
/* Ends an arena that cst_arena_begin_within has begun, and frees the object that contains it. */
void cst_arena_end_from_within(const cst_arena *arena);

/* A child arena takes its memory from the blocks of the arena `parent`. To begin a child arena, pass the allocator that
 * cst_arena_share returns to cst_arena_begin. A small object with a child arena takes only the memory that it needs; with an
 * arena of its own, a fiber of 15 dofs would take a block of 64 KiB. When a child arena ends, its memory returns to the parent
 * arena at once if it was the last memory taken from the parent arena. If other memory was taken from the parent arena later, the
 * memory of the child arena returns only when the parent arena is released or ends. Release the marks of a parent arena and of
 * its child arenas in the reverse order of their creation. A parent arena must not be a child arena itself. Use a parent arena
 * and its child arenas from one thread at a time. */
cst_allocator cst_arena_share(cst_arena *parent);

/* Takes count * size zeroed bytes; returns NULL on failure or overflow. An array of zero items also gets a valid pointer. */
void *cst_arena_take(cst_arena *arena, size_t count, size_t size);

/* Takes memory that is not set to zero, for large arrays that the caller fills. */
void *cst_arena_take_raw(cst_arena *arena, size_t count, size_t size);

/* Takes zeroed memory for several vectors of `count` doubles each; `vector` is a list of pointers to set, ended by NULL. */
void cst_arena_take_vectors(cst_arena *arena, size_t count, double **const *vector);

/* Returns `list` if it has space for one more item after its `count` items, otherwise a copy of `list` with twice the capacity.
 * `room`: capacity of the list in items, updated if the list is copied; 0: there is no list yet. Returns NULL on failure. */
void *cst_arena_grow(cst_arena *arena, void *list, int count, int *room, size_t size);

/* The function cst_arena_release makes all memory that was taken from the arena after the mark `mark` available again. The arena
 * keeps the blocks; if nothing of several blocks is then in use, it replaces them by one larger block. */
cst_arena_mark cst_arena_mark_now(const cst_arena *arena);
void cst_arena_release(cst_arena *arena, cst_arena_mark mark);
/* An arena is large if it holds more than 256 MiB. The function cst_arena_release_large releases all memory of the arena, and
 * frees the blocks of a large arena: scenes/hair/head_100k.json takes gigabytes for lists that only a part of a step needs. */
bool cst_arena_is_large(const cst_arena *arena);
void cst_arena_release_large(cst_arena *arena);

#define CST_TAKE(arena, type, count) ((type *)cst_arena_take((arena), (size_t)(count), sizeof(type)))
#define CST_TAKE_RAW(arena, type, count) ((type *)cst_arena_take_raw((arena), (size_t)(count), sizeof(type)))
/* Allocates an object of the type `type` with its own arena; the arena is the member `arena` of the object. */
#define CST_TAKE_WITH_ARENA(type, allocator) ((type *)cst_arena_begin_within((allocator), sizeof(type), offsetof(type, arena)))
#define CST_TAKE_VECTORS(arena, count, ...) cst_arena_take_vectors((arena), (size_t)(count), (double **[]){__VA_ARGS__, NULL})

#endif
