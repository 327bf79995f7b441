/* Positions of the features (vertices, edges and faces) of a mesh at the start and at the end of a motion, for tests of
 * contact.
 *
 * Every vertex moves on a straight line from its position at the first pose to its position at the second pose. The positions of
 * all features of a small mesh are computed once. For a large mesh, positions are computed only for the faces near the other
 * body, with their edges and vertices, except in tests against half-spaces and of the mesh against itself. */
#ifndef CST_COLLIDE_FEATURE_PATCH_H
#define CST_COLLIDE_FEATURE_PATCH_H

#include "collide/feature_mesh.h"

typedef struct cst_feature_body {
    int32_t owner;
    const cst_feature_mesh *mesh;
    double rounding;         /* thickness (m) on all sides */
    double x[2][3], R[2][9]; /* poses at start and end */
    /* array (3 x vertices) at the start and at the end of the motion: positions (m) of the vertices of a deforming mesh in the
     * body's own frame; NULL: the mesh does not deform */
    const double *vertex[2];
    double stretch; /* longest distance (m) that a vertex of a deforming mesh moves in the body's own frame from start to end */
} cst_feature_body;

typedef struct cst_patch_vertex {
    int32_t id;
    double x[2][3];
} cst_patch_vertex;

typedef struct cst_patch_edge {
    int32_t id;
    int32_t end[2]; /* indices of patch vertices */
    cst_box box;    /* of its motion */
} cst_patch_edge;

typedef struct cst_patch_face {
    int32_t id;
    int32_t corner[3];
    cst_box box;
} cst_patch_face;

typedef struct cst_feature_patch {
    const cst_feature_body *body;
    int vertices, edges, faces, probes;
    cst_patch_vertex *vertex;
    int32_t *probe; /* vertices tested for contact */
    cst_patch_edge *edge;
    cst_patch_face *face;
    /* cst_feature_patch_whole: bounding box of the motion, thickness included; cst_feature_patch_near: box in which the faces
     * were searched */
    cst_box box;
} cst_feature_patch;

/* CST_PATCH_WHOLE: largest number of faces of a mesh that counts as small. */
enum { CST_PATCH_WHOLE = 64 };

/* Returns the bounding box of a body during the motion, thickness included. */
cst_box cst_feature_body_box(const cst_feature_body *body);

/* Returns false if memory ran out. */
bool cst_feature_patch_whole(const cst_feature_body *body, cst_arena *arena, cst_feature_patch *out);

/* Computes the positions of those features of a body that may be in `box` (world frame) during the motion. Returns false if
 * memory ran out. */
bool cst_feature_patch_near(const cst_feature_body *body, const cst_box *box, cst_arena *arena, cst_feature_patch *out);

static inline bool cst_boxes_meet(const cst_box *a, const cst_box *b, double margin)
{
    for (int k = 0; k < 3; ++k)
        if (a->low[k] > b->high[k] + margin || b->low[k] > a->high[k] + margin)
            return false;
    return true;
}

#endif
