/* The features of a mesh that are tested for contact, with their positions in the world at the start and at the end of a motion.
 *
 * A body moves from its first pose to its second pose, with every vertex on a straight line. For a small mesh, the positions of
 * all features in the world are computed once. For a large mesh, the tree of the mesh finds the faces near the other body, and
 * positions are computed only for these faces with their edges and vertices. */
#ifndef CST_COLLIDE_FEATURE_PATCH_H
#define CST_COLLIDE_FEATURE_PATCH_H

#include "collide/feature_mesh.h"

typedef struct cst_feature_body {
    int32_t owner;
    const cst_feature_mesh *mesh;
    double rounding;         /* thickness added on all sides (m) */
    double x[2][3], R[2][9]; /* poses at the start and at the end of the motion */
    /* for a mesh that deforms: vertex positions in the body's own frame at both poses, 3 numbers each; NULL: the mesh does not
     * deform */
    const double *vertex[2];
    double stretch; /* longest distance that a vertex of a deforming mesh moves in the body's own frame (m) */
} cst_feature_body;

typedef struct cst_patch_vertex {
    int32_t id;
    double x[2][3];
} cst_patch_vertex;

typedef struct cst_patch_edge {
    int32_t id;
    int32_t end[2]; /* indices of vertices */
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
    int32_t *probe; /* list of the vertices that are tested for contact */
    cst_patch_edge *edge;
    cst_patch_face *face;
    cst_box box; /* of the whole motion, rounding included */
} cst_feature_patch;

/* Largest number of faces of a mesh that counts as small. */
enum { CST_PATCH_WHOLE = 64 };

/* Computes the bounding box of a body's motion, including the body's rounding radius. */
cst_box cst_feature_body_box(const cst_feature_body *body);

/* Computes the positions of all features. Returns false if memory ran out. */
bool cst_feature_patch_whole(const cst_feature_body *body, cst_arena *arena, cst_feature_patch *out);

/* Computes the positions of the features of a body that may be in `box` (world frame) during the body's motion. Returns false if
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
