/* The contact surfaces of bodies and obstacles in 3D, and the contacts between their vertices, edges and faces
 * (collide/detect_features.h). */
#ifndef CST_WORLD_FEATURES_SPACE_H
#define CST_WORLD_FEATURES_SPACE_H

#include "collide/detect_features.h"
#include "world/geometry.h"

typedef struct cst_space_features {
    const cst_geometry_input *in;
    cst_feature_scene scene;
    cst_feature_body *body; /* bodies first, then obstacles */
    cst_moving_plane *plane;
    cst_moving_cylinder *cylinder;
    /* array with one entry per body and obstacle: index of its surface in the array `body`; -1 if it is not in this array */
    int32_t *index;
    const cst_feature_touch *touch;
} cst_space_features;

/* `flags` (owners): CST_OWNER_*. Returns false if memory ran out. */
bool cst_space_features_begin(cst_space_features *features, const cst_geometry_input *input, const uint8_t *flags,
                              cst_arena *arena);

/* Finds all pairs of vertices, edges and faces that touch at some time during the motion of the step. Returns the number of
 * pairs of touching features, or -1 if memory ran out. */
int cst_space_features_find(cst_space_features *features, const cst_geometry_motion *motion);

/* Writes the geometry of a pair that the last search has found to the contact `out`: both material points, normal, centre, gap
 * and thickness. */
void cst_space_features_take(const cst_space_features *features, int touch, cst_contact *out);

/* Updates the normal, the gap and the positions of a contact to the present positions of its two material points. The
 * arguments `a` and `b` are the solids of the two touching bodies; NULL for a body that deforms (a sheet). */
void cst_space_features_follow(const cst_objects *objects, const cst_solid *a, const cst_solid *b, cst_contact *contact);

#endif
