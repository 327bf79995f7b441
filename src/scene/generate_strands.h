/* Generates fibers from a file of strands (polylines of hairs), for a generator of the type "strands". When the world is built,
 * the file is read, and a fiber is fitted to each of its first `count` strands. */
#ifndef CST_SCENE_GENERATE_STRANDS_H
#define CST_SCENE_GENERATE_STRANDS_H

#include "groom/strand.h"
#include "scene/mistakes.h"
#include "scene/scene_data.h"

bool cst_is_strands(const cst_json *generator);

/* Reports an error if the fiber that the generator copies has a key for its position, because the file of strands gives the
 * positions. Also reports an error if the generator names an obstacle as the scalp and the generated fibers are not clamped. */
void cst_check_strands(cst_json *generator, cst_mistakes *mistakes);

/* Reads the first strands of the file of a generator, as many as its key `count` says, and returns them, allocated in the arena.
 * Returns NULL and writes the reason to `why` if the strands cannot be read. */
const cst_strand *cst_scene_read_strands(const cst_scene *scene, const cst_json *generator, cst_arena *arena, char *why,
                                         size_t size);

#endif
