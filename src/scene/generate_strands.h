/* Strands of a file: the bodies of a generator of type "strands", read and fitted when a world is made. */
#ifndef CST_SCENE_GENERATE_STRANDS_H
#define CST_SCENE_GENERATE_STRANDS_H

#include "groom/strand.h"
#include "scene/mistakes.h"
#include "scene/scene_data.h"

bool cst_is_strands(const cst_json *generator);

/* What makes no sense: keys of the fiber that say where it lies. */
void cst_check_strands(cst_json *generator, cst_mistakes *mistakes);

/* As many as it makes, in the arena. NULL: why. */
const cst_strand *cst_scene_read_strands(const cst_scene *scene, const cst_json *generator, cst_arena *arena, char *why,
                                         size_t size);

#endif
