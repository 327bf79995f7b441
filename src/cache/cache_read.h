/* Internal functions for reading a cache; capstan/cache.h is the public interface. */
#ifndef CST_CACHE_CACHE_READ_H
#define CST_CACHE_CACHE_READ_H

#include "cache/cache_format.h"

/* After a call of cst_cache_every_fiber, each frame that is read contains only the fibers with the body numbers 1, 1 + every,
 * 1 + 2 every, ... (cache/cache_thin.h); `every` = 1: all fibers. */
void cst_cache_every_fiber(cst_cache *cache, int every);

#endif
