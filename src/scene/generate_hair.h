/* Hair: the bodies of a generator of type "hair", laid when a world is made (groom/lay.h). Until then they have names alone. */
#ifndef CST_SCENE_GENERATE_HAIR_H
#define CST_SCENE_GENERATE_HAIR_H

#include "groom/lay.h"
#include "scene/mistakes.h"
#include "scene/scene_data.h"

/* The obstacle that the hair grows on, or NULL. */
cst_json *cst_hair_scalp(const cst_json *generator);

/* Is it one? */
bool cst_is_hair(const cst_json *generator);

/* Keys of a fiber that say where it lies, which its generator says, or that it is no super-helix of one radius. */
void cst_check_placed_by_generator(cst_json *fiber, const char *because, cst_mistakes *mistakes);

/* What makes no sense: a scalp that is no closed mesh, keys of the fiber that say where it lies. */
void cst_check_hair(cst_json *generator, cst_mistakes *mistakes);

/* All hairs of a generator, as many as it makes, in the arena. *taken: hair of the generators before, with this one's afterwards. NULL: why. */
const cst_strand *cst_scene_lay_hair(const cst_scene *scene, const cst_json *generator, const cst_taken **taken, cst_arena *arena,
                                     char *why, size_t size);

#endif
