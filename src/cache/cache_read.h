/* Reading a cache: capstan/cache.h is what others see of it. */
#ifndef CST_CACHE_CACHE_READ_H
#define CST_CACHE_CACHE_READ_H

#include "cache/cache_format.h"

/* Frames that are read from now on have every k-th fiber only (cache/cache_thin.h); 1: all. */
void cst_cache_every_fiber(cst_cache *cache, int every);

#endif
