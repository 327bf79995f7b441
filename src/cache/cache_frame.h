/* Writes a frame of a world as rows of a cache. */
#ifndef CST_CACHE_CACHE_FRAME_H
#define CST_CACHE_CACHE_FRAME_H

#include "cache/cache_write.h"

typedef struct cst_frame_writer cst_frame_writer;

/* `world` must be in its state before the first step, because obstacles that do not move are written only once, in that state.
 * `samples`: vertices per rod element. Returns NULL if memory ran out. */
cst_frame_writer *cst_frame_writer_new(const cst_world *world, int samples, bool contacts);
void cst_frame_writer_free(cst_frame_writer *frames);

/* Returns false if memory ran out or HDF5 failed (cst_cache_append). `whole`: number of full time steps (dt) simulated so far. */
bool cst_frame_write(cst_frame_writer *frames, const cst_world *world, int64_t whole, cst_cache_writer *cache);

#endif
