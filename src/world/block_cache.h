/* An allocator that keeps released blocks for later requests: a step reuses the blocks of the previous step, and usually
 * allocates no memory from the system.
 *
 * The sizes of blocks are rounded up to multiples of an eighth of a power of two, so that arrays that grow a little from step
 * to step can use the same blocks again. Only one thread may use a cache at a time. */
#ifndef CST_WORLD_BLOCK_CACHE_H
#define CST_WORLD_BLOCK_CACHE_H

#include "base/arena.h"

typedef struct cst_cached_block cst_cached_block;

typedef struct cst_block_cache {
    cst_allocator below; /* source of memory; all zero: malloc/free */
    cst_cached_block *idle;
    size_t held, lent, high; /* total bytes of all blocks, bytes in use now, and the largest number of bytes ever in use */
} cst_block_cache;

void cst_block_cache_begin(cst_block_cache *cache, const cst_allocator *below);
void cst_block_cache_end(cst_block_cache *cache); /* Frees all blocks; none may be in use. */

/* Returns an allocator that uses the cache. The cache must not be moved in memory, because the allocator points to it. */
cst_allocator cst_block_cache_allocator(cst_block_cache *cache);

#endif
