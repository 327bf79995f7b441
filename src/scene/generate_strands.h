/* Generates fibers from a file of strands: the bodies that a generator of type "strands" in a scene creates. When a world is
 * built, the strands are read from their file and a fiber is fitted to each of them. */
#ifndef CST_SCENE_GENERATE_STRANDS_H
#define CST_SCENE_GENERATE_STRANDS_H

#include "groom/strand.h"
#include "scene/mistakes.h"
#include "scene/scene_data.h"

bool cst_is_strands(const cst_json *generator);

/* Reports an error for each key that sets the position of the repeated fiber, because the file of strands sets the positions. */
void cst_check_strands(cst_json *generator, cst_mistakes *mistakes);

/* Reads all strands of a generator and returns them, allocated in the arena. NULL: failed, see `why`. */
const cst_strand *cst_scene_read_strands(const cst_scene *scene, const cst_json *generator, cst_arena *arena, char *why,
                                         size_t size);

#endif
