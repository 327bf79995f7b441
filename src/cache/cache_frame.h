/* A frame of a world, as rows of a cache. */
#ifndef CST_CACHE_CACHE_FRAME_H
#define CST_CACHE_CACHE_FRAME_H

#include "cache/cache_write.h"

typedef struct cst_frame_writer cst_frame_writer;

/* world as it is before its first step: obstacles that stand as they do now are written once. samples: vertices per rod element.
 * NULL without memory. */
cst_frame_writer *cst_frame_writer_new(const cst_world *world, int samples, bool contacts);
void cst_frame_writer_free(cst_frame_writer *frames);

/* False without memory. whole: steps of dt so far. */
bool cst_frame_write(cst_frame_writer *frames, const cst_world *world, int64_t whole, cst_cache_writer *cache);

#endif
