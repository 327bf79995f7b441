/* Contacts in 3D between the surfaces of bodies and obstacles: the vertices, edges and faces that touch
 * (collide/detect_features.h). */
#ifndef CST_WORLD_FEATURES_SPACE_H
#define CST_WORLD_FEATURES_SPACE_H

#include "collide/detect_features.h"
#include "world/geometry.h"

typedef struct cst_space_features {
    const cst_geometry_input *in;
    cst_feature_scene scene;
    cst_feature_body *body; /* contact surfaces: bodies first, then obstacles */
    cst_moving_plane *plane;
    cst_moving_cylinder *cylinder;
    /* array, indexed by the owner numbers of bodies and obstacles (world/contact.h): index of the contact surface of each in the
     * array `body`; -1: none */
    int32_t *index;
    const cst_feature_touch *touch;
} cst_space_features;

/* Prepares the search. `flags`: flags CST_OWNER_* of each body and obstacle (collide/owner_rules.h), in an array indexed by owner
 * numbers (world/contact.h). Returns false if memory ran out. */
bool cst_space_features_begin(cst_space_features *features, const cst_geometry_input *input, const uint8_t *flags,
                              cst_arena *arena);

/* Finds all pairs of vertices, edges and faces that cross during the motion of the step or have a gap below the contact margin.
 * Returns the number of pairs, or -1 if memory ran out. */
int cst_space_features_find(cst_space_features *features, const cst_geometry_motion *motion);

/* Writes the pair of touching features (vertices, edges or faces) with the index `touch` in the last search to the contact
 * `out`. */
void cst_space_features_take(const cst_space_features *features, int touch, cst_contact *out);

/* Updates a contact to the present positions of its two material points. `a`, `b`: the solids of the two touching bodies; NULL
 * for a sheet, which deforms. */
void cst_space_features_follow(const cst_objects *objects, const cst_solid *a, const cst_solid *b, cst_contact *contact);

#endif
