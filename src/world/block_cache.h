/* An allocator that keeps what is given back: blocks of one step serve the next, so a warm step asks the system for nothing.
 *
 * Sizes are rounded up to an eighth of a power of two, so that problems that grow a little from step to step find their
 * blocks again. For one thread at a time. */
#ifndef CST_WORLD_BLOCK_CACHE_H
#define CST_WORLD_BLOCK_CACHE_H

#include "base/arena.h"

typedef struct cst_cached_block cst_cached_block;

typedef struct cst_block_cache {
    cst_allocator below; /* where memory comes from; zeroed: malloc and free */
    cst_cached_block *idle;
    size_t held, lent, high; /* bytes: of all blocks, of those in use now, and the most that ever were in use */
} cst_block_cache;

void cst_block_cache_begin(cst_block_cache *cache, const cst_allocator *below);
void cst_block_cache_end(cst_block_cache *cache); /* everything acquired must have been released */

/* The cache as an allocator; the cache must not move. */
cst_allocator cst_block_cache_allocator(cst_block_cache *cache);

#endif
