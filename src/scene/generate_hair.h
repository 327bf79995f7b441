/* Generates hair: the fibers of a generator of type "hair". The shapes of the hairs are computed when a world is built
 * (groom/lay.h); before that, the hairs only have names. */
#ifndef CST_SCENE_GENERATE_HAIR_H
#define CST_SCENE_GENERATE_HAIR_H

#include "groom/lay.h"
#include "scene/mistakes.h"
#include "scene/scene_data.h"

/* Returns the obstacle that the hair grows on, or NULL. */
cst_json *cst_hair_scalp(const cst_json *generator);

bool cst_is_hair(const cst_json *generator);

/* Checks a fiber whose shape and position are set by a generator. Reports an error for a key that has no effect, for another rod
 * model than the super-helix, and for a radius that varies along the fiber. */
void cst_check_placed_by_generator(cst_json *fiber, const char *because, cst_mistakes *mistakes);

/* Checks a hair generator. Reports an error for a scalp that is not a mesh, for a missing or unclamped fiber, for keys of the
 * fiber that set its position, and for keys that contradict each other. */
void cst_check_hair(cst_json *generator, cst_mistakes *mistakes);

/* Computes the shapes of all hairs of a generator and returns them, allocated in the arena. Returns NULL, with the reason in
 * `why`, on failure. *taken: the line segments of the hair of earlier generators, which the new hair must avoid; on return, it
 * also contains the new hair. */
const cst_strand *cst_scene_lay_hair(const cst_scene *scene, const cst_json *generator, const cst_taken **taken, cst_arena *arena,
                                     char *why, size_t size);

#endif
