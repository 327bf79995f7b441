/* The surfaces of bodies and obstacles in space, and the contacts between them on vertices, edges and faces
 * (collide/detect_features.h). */
#ifndef CST_WORLD_FEATURES_SPACE_H
#define CST_WORLD_FEATURES_SPACE_H

#include "collide/detect_features.h"
#include "world/geometry.h"

typedef struct cst_space_features {
    const cst_geometry_input *in;
    cst_feature_scene scene;
    cst_feature_body *body; /* of bodies, then of obstacles */
    cst_moving_plane *plane;
    cst_moving_cylinder *cylinder;
    int32_t *index; /* (owners) among the bodies of the scene, or -1 */
    const cst_feature_touch *touch;
} cst_space_features;

/* flags (owners): CST_OWNER_*. False: out of memory. */
bool cst_space_features_begin(cst_space_features *features, const cst_geometry_input *input, const uint8_t *flags,
                              cst_arena *arena);

/* Touches over the motion of the step. Returns how many; -1: out of memory. */
int cst_space_features_find(cst_space_features *features, const cst_geometry_motion *motion);

/* A touch found last as a contact: ends, normal, centre, gap, thickness. */
void cst_space_features_take(const cst_space_features *features, int touch, cst_contact *out);

/* The same two material places, where their owners are now: by their solids, or NULL of a body that deforms. */
void cst_space_features_follow(const cst_objects *objects, const cst_solid *a, const cst_solid *b, cst_contact *contact);

#endif
