/* Finds where the features of two bodies touch: vertex-face, edge-edge, and for rounded bodies vertex-edge and vertex-vertex.
 *
 * The contact normal follows from the orientation of the solid's faces, not from the nearest surface. For example, a thin card
 * that has slightly penetrated another card is pushed back to the side that it came from. The rules are:
 *
 * For a contact of a vertex and a face, the contact normal is the normal of the face. A face of a sheet has two normals, and the
 * contact normal is the one that points to the body with the vertex. A vertex and a face touch if the vertex projects into the
 * triangle and the edges at the vertex go below the face by at most the angle TILT. Because of the tolerance TILT, a box that
 * lies slightly tilted on a face still touches the face with all its lower corners.
 *
 * For a contact of two edges with the directions p and q, the contact normal is parallel to p x q. Two edges touch if the
 * nearest points of their straight lines lie on the edges, and if at each edge the contact normal lies, up to the angle WEDGE,
 * between the normals of the two faces that meet there (feature_mesh.h). Two nearly parallel edges are not tested against each
 * other, because a vertex of one edge then touches the other edge.
 *
 * A vertex below a convex edge of the other body is below several faces; only its contact with the face below which it is least
 * deep is returned. In a valley all count.
 *
 * Two faces that lie on each other touch at the corners of the polygon that they share: vertices of either face inside the
 * other, and crossings of their edges.
 *
 * Features farther apart than the margin touch if the motion from the first to the second pose makes them cross
 * (feature_sweep.h). */
#ifndef CST_COLLIDE_FEATURE_TOUCH_H
#define CST_COLLIDE_FEATURE_TOUCH_H

#include "collide/feature.h"
#include "collide/feature_patch.h"

/* A growing list of contacts. */
typedef struct cst_touch_heap {
    cst_feature_touch *touch;
    int count, room;
    cst_arena *arena; /* the list grows in it */
} cst_touch_heap;

typedef struct cst_feature_rules {
    int pose;      /* pose at which gaps are measured: 0 (start of the motion) or 1 (end) */
    double margin; /* largest gap of a contact (m) */
    double depth;  /* largest depth (m) of penetrations that are found even if no features cross */
} cst_feature_rules;

/* False: out of memory. */
bool cst_touch_heap_add(cst_touch_heap *heap, const cst_feature_touch *touch);

/* Adds all contacts of the features of two bodies (patches) to the growing list `heap`; the list may contain the same contact
 * point several times. The memory that cst_feature_touches takes from the arena `scratch` is not released. Returns false if
 * memory ran out. */
bool cst_feature_touches(const cst_feature_patch *a, const cst_feature_patch *b, const cst_feature_rules *rules, int threads,
                         cst_arena *scratch, cst_touch_heap *heap);

/* Adds the self contacts of a mesh that bends. `patch`: a whole patch. Two features at a small distance along the mesh
 * (cst_feature_mesh.near) are not tested against each other. */
bool cst_feature_self_touches(const cst_feature_patch *patch, const cst_feature_rules *rules, int threads, cst_arena *scratch,
                              cst_touch_heap *heap);

/* The half-space below the plane through `point` with the unit normal n, which are given at the start and at the end of the
 * motion. */
typedef struct cst_moving_plane {
    int32_t owner;
    double point[2][3], n[2][3];
} cst_moving_plane;
bool cst_feature_plane_touches(const cst_feature_patch *a, const cst_moving_plane *plane, const cst_feature_rules *rules,
                               cst_touch_heap *heap);

#endif
