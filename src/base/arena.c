#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

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

enum { ALIGNMENT = 64 };
static const size_t BLOCK_BYTES = (size_t)1 << 16;

struct cst_arena_block {
    cst_arena_block *older;
    size_t bytes;        /* asked of the allocator, header included */
    size_t capacity;     /* usable, from `memory` */
    size_t used;
    unsigned char *memory; /* aligned */
};

static void *default_acquire(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

void cst_arena_begin(cst_arena *arena, const cst_allocator *allocator)
{
    memset(arena, 0, sizeof *arena);
    if (allocator && allocator->acquire)
        arena->allocator = *allocator;
    else
        arena->allocator = (cst_allocator){.acquire = default_acquire, .release = default_release};
}

static cst_arena_block *new_block(cst_arena *arena, size_t need)
{
    size_t capacity = need > BLOCK_BYTES ? need : BLOCK_BYTES;
    size_t bytes = capacity + sizeof(cst_arena_block) + ALIGNMENT;
    if (bytes < capacity)
        return NULL;
    cst_arena_block *block = arena->allocator.acquire(arena->allocator.user, bytes);
    if (!block)
        return NULL;
    uintptr_t first = (uintptr_t)(block + 1);
    uintptr_t aligned = (first + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *block = (cst_arena_block){.older = arena->last,
                               .bytes = bytes,
                               .capacity = capacity,
                               .memory = (unsigned char *)(block + 1) + (aligned - first)};
    ASAN_POISON_MEMORY_REGION(block->memory, block->capacity);
    arena->last = block;
    arena->bytes += bytes;
    if (arena->bytes > arena->peak)
        arena->peak = arena->bytes;
    return block;
}

static void drop_last(cst_arena *arena)
{
    cst_arena_block *block = arena->last;
    arena->last = block->older;
    arena->bytes -= block->bytes;
    ASAN_UNPOISON_MEMORY_REGION(block->memory, block->capacity);
    arena->allocator.release(arena->allocator.user, block, block->bytes);
}

void cst_arena_end(cst_arena *arena)
{
    while (arena->last)
        drop_last(arena);
}

void *cst_arena_take(cst_arena *arena, size_t count, size_t size)
{
    if (arena->failed || (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size)) {
        arena->failed = true;
        return NULL;
    }
    size_t bytes = count * size;
    size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (padded == 0)
        padded = ALIGNMENT;
    cst_arena_block *block = arena->last;
    if (!block || block->capacity - block->used < padded)
        block = new_block(arena, padded);
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    void *memory = block->memory + block->used;
    block->used += padded;
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    memset(memory, 0, bytes);
    return memory;
}

cst_arena_mark cst_arena_mark_now(const cst_arena *arena)
{
    return (cst_arena_mark){.block = arena->last, .used = arena->last ? arena->last->used : 0};
}

void cst_arena_release(cst_arena *arena, cst_arena_mark mark)
{
    while (arena->last != mark.block)
        drop_last(arena);
    if (arena->last) {
        ASAN_POISON_MEMORY_REGION(arena->last->memory + mark.used, arena->last->capacity - mark.used);
        arena->last->used = mark.used;
    }
}
