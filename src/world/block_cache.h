/* A memory allocator for the arrays of the friction solver. The allocator keeps released blocks, so that the next step reuses
 * them and usually takes no memory from the system.
 *
 * A block size is rounded up to a multiple of a unit: the smallest power of two that is at least 64 bytes and at least an eighth
 * of the block size. Because block sizes are rounded up, an array that grows a little from step to step can use the same block
 * again. Only one thread is allowed to use a cache at a time. */
#ifndef CST_WORLD_BLOCK_CACHE_H
#define CST_WORLD_BLOCK_CACHE_H

#include "base/arena.h"

typedef struct cst_cached_block cst_cached_block;

typedef struct cst_block_cache {
    cst_allocator below; /* allocator from which the cache takes new blocks; all members zero: malloc and free */
    cst_cached_block *idle;
    size_t held, lent, high; /* bytes of all blocks of the cache, bytes in use now, and largest number of bytes ever in use */
} cst_block_cache;

void cst_block_cache_begin(cst_block_cache *cache, const cst_allocator *below);
void cst_block_cache_end(cst_block_cache *cache); /* Frees all blocks; no block is allowed to be in use. */

/* Returns an allocator that uses the cache. The allocator points to the cache, so the cache must stay at its address. */
cst_allocator cst_block_cache_allocator(cst_block_cache *cache);

#endif
