#include "world/block_cache.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct cst_cached_block {
    cst_cached_block *next; /* next idle block */
    size_t capacity;        /* bytes after the header */
    alignas(max_align_t) char memory[];
};

static void *from_below(const cst_block_cache *cache, size_t bytes)
{
    return cache->below.acquire ? cache->below.acquire(cache->below.user, bytes) : malloc(bytes);
}

static void to_below(cst_block_cache *cache, cst_cached_block *block)
{
    cache->held -= block->capacity;
    if (cache->below.acquire)
        cache->below.release(cache->below.user, block, sizeof *block + block->capacity);
    else
        free(block);
}

void cst_block_cache_begin(cst_block_cache *cache, const cst_allocator *below)
{
    *cache = (cst_block_cache){.below = *below};
}

void cst_block_cache_end(cst_block_cache *cache)
{
    while (cache->idle) {
        cst_cached_block *block = cache->idle;
        cache->idle = block->next;
        to_below(cache, block);
    }
}

/* Rounds the size of a block up to a multiple of 64 bytes, or of a larger unit for large blocks. Returns 0 for 0 bytes and for
 * more than SIZE_MAX / 2 bytes. */
static size_t rounded_up(size_t bytes)
{
    size_t step = 64;
    while (step < bytes / 8)
        step *= 2;
    return bytes <= SIZE_MAX / 2 ? (bytes + step - 1) / step * step : 0;
}

/* Frees the largest idle block, if there is one; called when no idle block is large enough for a request. A block that is too
 * small for a request is freed because it could not serve later requests of the same size either. */
static void give_up_outgrown(cst_block_cache *cache)
{
    cst_cached_block **largest = &cache->idle;
    for (cst_cached_block **link = &cache->idle; *link; link = &(*link)->next)
        if ((*link)->capacity > (*largest)->capacity)
            largest = link;
    cst_cached_block *block = *largest;
    if (!block)
        return;
    *largest = block->next;
    to_below(cache, block);
}

/* Returns the smallest idle block with at least `capacity` bytes; NULL if there is none. Among blocks of equal size, the first
 * one is taken, so that a run can be repeated exactly. */
static cst_cached_block *take_idle(cst_block_cache *cache, size_t capacity)
{
    cst_cached_block **best = NULL;
    for (cst_cached_block **link = &cache->idle; *link; link = &(*link)->next)
        if ((*link)->capacity >= capacity && (!best || (*link)->capacity < (*best)->capacity))
            best = link;
    if (!best)
        return NULL;
    cst_cached_block *block = *best;
    *best = block->next;
    return block;
}

static void *acquire(void *user, size_t bytes)
{
    cst_block_cache *cache = user;
    const size_t capacity = rounded_up(bytes);
    if (capacity == 0)
        return NULL;
    cst_cached_block *block = take_idle(cache, capacity);
    if (!block) {
        give_up_outgrown(cache);
        block = from_below(cache, sizeof *block + capacity);
        if (!block)
            return NULL;
        block->capacity = capacity;
        cache->held += capacity;
    }
    cache->lent += block->capacity;
    cache->high = cache->lent > cache->high ? cache->lent : cache->high;
    return block->memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    cst_block_cache *cache = user;
    (void)bytes;
    if (!memory)
        return;
    cst_cached_block *block = (cst_cached_block *)(void *)((char *)memory - offsetof(cst_cached_block, memory));
    cache->lent -= block->capacity;
    block->next = cache->idle;
    cache->idle = block;
}

cst_allocator cst_block_cache_allocator(cst_block_cache *cache)
{
    return (cst_allocator){.acquire = acquire, .release = release, .user = cache};
}
