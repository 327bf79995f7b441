#define _DEFAULT_SOURCE /* madvise */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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
static const size_t LARGE_PAGE = (size_t)1 << 21, LARGE_BYTES = (size_t)1 << 23;

struct cst_arena_block {
    cst_arena_block *older;
    size_t bytes;    /* asked of the allocator, header included */
    size_t capacity; /* usable, from `memory` */
    size_t used;
    unsigned char *memory; /* aligned */
};

/* Large blocks are streamed: in large pages they cost fewer faults when first touched and fewer address translations ever
 * after. */
static void *default_acquire(void *user, size_t bytes)
{
    (void)user;
    if (bytes < LARGE_BYTES)
        return malloc(bytes);
    const size_t rounded = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = rounded >= bytes ? aligned_alloc(LARGE_PAGE, rounded) : NULL;
#ifdef MADV_HUGEPAGE
    if (memory)
        (void)madvise(memory, rounded, MADV_HUGEPAGE); /* advice: nothing is lost if it is not taken */
#endif
    return memory;
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

/* The first spare block that is large enough, taken out of the list. */
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

static cst_arena_block *new_block(cst_arena *arena, size_t need)
{
    cst_arena_block *block = take_spare(arena, need);
    if (!block) {
        size_t capacity = need > BLOCK_BYTES ? need : BLOCK_BYTES;
        size_t bytes = capacity + sizeof(cst_arena_block) + ALIGNMENT;
        if (bytes < capacity)
            return NULL;
        block = arena->allocator.acquire(arena->allocator.user, bytes);
        if (!block)
            return NULL;
        uintptr_t first = (uintptr_t)(block + 1);
        uintptr_t aligned = (first + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        *block =
            (cst_arena_block){.bytes = bytes, .capacity = capacity, .memory = (unsigned char *)(block + 1) + (aligned - first)};
        ASAN_POISON_MEMORY_REGION(block->memory, block->capacity);
        arena->bytes += bytes;
        if (arena->bytes > arena->peak)
            arena->peak = arena->bytes;
    }
    block->older = arena->last;
    arena->last = block;
    return block;
}

static void give_back(cst_arena *arena, cst_arena_block *block)
{
    while (block) {
        cst_arena_block *older = block->older;
        ASAN_UNPOISON_MEMORY_REGION(block->memory, block->capacity);
        arena->allocator.release(arena->allocator.user, block, block->bytes);
        block = older;
    }
}

void cst_arena_end(cst_arena *arena)
{
    give_back(arena, arena->last);
    give_back(arena, arena->spare);
    arena->last = arena->spare = NULL;
    arena->bytes = 0;
}

void *cst_arena_take_raw(cst_arena *arena, size_t count, size_t size)
{
    if (arena->failed || (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size)) {
        arena->failed = true;
        return NULL;
    }
    size_t bytes = count * size;
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded == 0)
        rounded = ALIGNMENT;
    cst_arena_block *block = arena->last;
    if (!block || block->capacity - block->used < rounded)
        block = new_block(arena, rounded);
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    void *memory = block->memory + block->used;
    block->used += rounded;
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

cst_arena_mark cst_arena_mark_now(const cst_arena *arena)
{
    return (cst_arena_mark){.block = arena->last, .used = arena->last ? arena->last->used : 0};
}

void cst_arena_release(cst_arena *arena, cst_arena_mark mark)
{
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
}
