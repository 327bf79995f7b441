#define _DEFAULT_SOURCE /* madvise, in base/page_advice.h */
#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/page_advice.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CST_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CST_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { ALIGNMENT = 64, FIRST_ROOM = 64 };
/* A new block has an eighth of the total size of the arena's blocks, so that only a small fraction of a large arena is unused. A
 * new block has at least BLOCK_LEAST bytes, and at most BLOCK_MOST bytes unless a single allocation needs more. */
static const size_t BLOCK_LEAST = (size_t)1 << 16, BLOCK_MOST = (size_t)1 << 24, GROWTH = 8;
static const size_t LARGE_BYTES = (size_t)1 << 23;

struct cst_arena_block {
    cst_arena_block *older;
    size_t bytes;    /* size of the allocation, with header */
    size_t capacity; /* usable bytes, from `memory` on */
    size_t used;
    unsigned char *memory; /* aligned */
};

static void *default_acquire(void *user, size_t bytes)
{
    (void)user;
    return bytes < LARGE_BYTES ? malloc(bytes) : cst_large_block(bytes);
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void *share_acquire(void *user, size_t bytes)
{
    cst_arena *parent = user;
    void *memory = cst_arena_take_raw(parent, 1, bytes);
    if (!memory)
        parent->failed = false;
    return memory;
}

static void share_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
}

cst_allocator cst_arena_share(cst_arena *parent)
{
    return (cst_allocator){.acquire = share_acquire, .release = share_release, .user = parent};
}

void cst_arena_begin(cst_arena *arena, const cst_allocator *allocator)
{
    memset(arena, 0, sizeof *arena);
    if (allocator && allocator->acquire == share_acquire) {
        arena->parent = allocator->user;
        arena->allocator = arena->parent->allocator;
        arena->before = cst_arena_mark_now(arena->parent);
        assert(!arena->parent->parent);
    } else if (allocator && allocator->acquire) {
        arena->allocator = *allocator;
    } else {
        arena->allocator = (cst_allocator){.acquire = default_acquire, .release = default_release};
    }
}

/* Removes the first block with at least `need` bytes from the list of released blocks, and returns it. */
static cst_arena_block *take_spare(cst_arena *arena, size_t need)
{
    for (cst_arena_block **link = &arena->spare; *link; link = &(*link)->older) {
        cst_arena_block *block = *link;
        if (block->capacity >= need) {
            *link = block->older;
            block->used = 0;
            return block;
        }
    }
    return NULL;
}

static cst_arena_block *acquire_block(cst_arena *arena, size_t capacity)
{
    const size_t bytes = capacity + sizeof(cst_arena_block) + ALIGNMENT;
    cst_arena_block *block = bytes > capacity ? arena->allocator.acquire(arena->allocator.user, bytes) : NULL;
    if (!block)
        return NULL;
    const uintptr_t first = (uintptr_t)(block + 1), aligned = (first + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *block = (cst_arena_block){.bytes = bytes, .capacity = capacity, .memory = (unsigned char *)(block + 1) + (aligned - first)};
    ASAN_POISON_MEMORY_REGION(block->memory, block->capacity);
    arena->bytes += bytes;
    if (arena->bytes > arena->peak)
        arena->peak = arena->bytes;
    return block;
}

static cst_arena_block *new_block(cst_arena *arena, size_t need)
{
    cst_arena_block *block = take_spare(arena, need);
    if (!block) {
        size_t capacity = arena->bytes / GROWTH;
        capacity = capacity < BLOCK_LEAST ? BLOCK_LEAST : capacity > BLOCK_MOST ? BLOCK_MOST : capacity;
        capacity = (capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        block = acquire_block(arena, need > capacity ? need : capacity);
    }
    if (!block)
        return NULL;
    block->older = arena->last;
    arena->last = block;
    return block;
}

static void give_back(cst_arena *arena, cst_arena_block *block)
{
    while (block) {
        cst_arena_block *older = block->older;
        arena->bytes -= block->bytes;
        ASAN_UNPOISON_MEMORY_REGION(block->memory, block->capacity);
        arena->allocator.release(arena->allocator.user, block, block->bytes);
        block = older;
    }
}

static void end_child(cst_arena *arena)
{
    if (arena->parent->used - arena->before.total == arena->used)
        cst_arena_release(arena->parent, arena->before);
    arena->used = 0;
}

void cst_arena_end(cst_arena *arena)
{
    if (arena->parent) {
        end_child(arena);
        return;
    }
    give_back(arena, arena->last);
    give_back(arena, arena->spare);
    assert(arena->bytes == 0);
    arena->last = arena->spare = NULL;
    arena->used = arena->high = 0;
}

void *cst_arena_begin_within(const cst_allocator *allocator, size_t size, size_t offset)
{
    cst_arena arena;
    cst_arena_begin(&arena, allocator);
    char *object = cst_arena_take(&arena, 1, size);
    if (object)
        memcpy(object + offset, &arena, sizeof arena);
    else
        cst_arena_end(&arena);
    return object;
}

void cst_arena_end_from_within(const cst_arena *arena)
{
    cst_arena copy = *arena;
    cst_arena_end(&copy);
}

static void *take_rounded(cst_arena *arena, size_t rounded)
{
    cst_arena_block *block = arena->last;
    if (!block || block->capacity - block->used < rounded)
        block = new_block(arena, rounded);
    if (!block)
        return NULL;
    void *memory = block->memory + block->used;
    block->used += rounded;
    arena->used += rounded;
    if (arena->used > arena->high)
        arena->high = arena->used;
    return memory;
}

void *cst_arena_take_raw(cst_arena *arena, size_t count, size_t size)
{
    if (arena->failed || (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size)) {
        arena->failed = true;
        return NULL;
    }
    const size_t bytes = count * size;
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded == 0)
        rounded = ALIGNMENT;
    void *memory = take_rounded(arena->parent ? arena->parent : arena, rounded);
    if (!memory) {
        arena->failed = true;
        return NULL;
    }
    if (arena->parent)
        arena->used += rounded;
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
}

void *cst_arena_take(cst_arena *arena, size_t count, size_t size)
{
    void *memory = cst_arena_take_raw(arena, count, size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void cst_arena_take_vectors(cst_arena *arena, size_t count, double **const *vector)
{
    for (; *vector; vector++)
        **vector = cst_arena_take(arena, count, sizeof ***vector);
}

void *cst_arena_grow(cst_arena *arena, void *list, int count, int *room, size_t size)
{
    if (count < *room)
        return list;
    const int larger = *room > 0 ? 2 * *room : FIRST_ROOM;
    void *copy = cst_arena_take_raw(arena, (size_t)larger, size);
    if (!copy)
        return NULL;
    if (count > 0)
        memcpy(copy, list, (size_t)count * size);
    *room = larger;
    return copy;
}

cst_arena_mark cst_arena_mark_now(const cst_arena *arena)
{
    const cst_arena *of = arena->parent ? arena->parent : arena;
    return (cst_arena_mark){.block = of->last, .used = of->last ? of->last->used : 0, .total = of->used};
}

/* Replaces all blocks of an empty arena by one block that is an eighth larger than the largest memory in use so far. The new
 * block is allocated before the old blocks are freed; if the allocation fails, the old blocks stay. */
static void consolidate(cst_arena *arena)
{
    const size_t capacity = arena->high + arena->high / GROWTH;
    cst_arena_block *block = acquire_block(arena, (capacity / BLOCK_LEAST + 1) * BLOCK_LEAST);
    if (block) {
        give_back(arena, arena->spare);
        arena->spare = block;
    }
}

void cst_arena_release(cst_arena *arena, cst_arena_mark mark)
{
    if (arena->parent) {
        arena->used -= arena->parent->used - mark.total;
        cst_arena_release(arena->parent, mark);
        return;
    }
    assert(mark.total <= arena->used);
    while (arena->last != mark.block) {
        cst_arena_block *block = arena->last;
        arena->last = block->older;
        ASAN_POISON_MEMORY_REGION(block->memory, block->capacity);
        block->older = arena->spare;
        arena->spare = block;
    }
    if (arena->last) {
        ASAN_POISON_MEMORY_REGION(arena->last->memory + mark.used, arena->last->capacity - mark.used);
        arena->last->used = mark.used;
    }
    arena->used = mark.total;
    if (!arena->last && arena->spare && arena->spare->older)
        consolidate(arena);
}

bool cst_arena_is_large(const cst_arena *arena)
{
    static const size_t LARGE = (size_t)1 << 28;
    return arena->bytes > LARGE;
}

void cst_arena_release_large(cst_arena *arena)
{
    assert(!arena->parent);
    if (!cst_arena_is_large(arena)) {
        cst_arena_release(arena, (cst_arena_mark){0});
        return;
    }
    give_back(arena, arena->last);
    give_back(arena, arena->spare);
    arena->last = arena->spare = NULL;
    arena->used = 0;
}
