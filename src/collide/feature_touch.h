/* Where the features of two bodies touch: vertex and face, edge and edge, and for rounded bodies vertex and edge, vertex and vertex.
 *
 * The orientation of the matter decides the normal, not which surface is nearest, so that a thin card that is a little within another
 * one is pushed back to the side where its matter is:
 * - vertex and face: along the face's normal n (of a sheet: the side on which the vertex's body is), if the foot is in the triangle and no
 *   edge of the vertex goes below the face by more than TILT. A box that lies a little askew keeps all its corners.
 * - edge and edge: along p x q, where the nearest points of both lines are on the edges and the normal lies in the wedge of both
 *   edges' faces (feature_mesh.h) within WEDGE. Nearly parallel edges are left to their vertices.
 * - below a convex edge of the other body, a vertex has several faces above itself: the shallowest counts. In a valley all count.
 *
 * Two faces that lie on each other touch in this way at the corners of the polygon that they share: vertices of either within the other,
 * crossings of their edges.
 *
 * What is farther apart than the margin touches if the motion from the first to the second pose makes it cross (feature_sweep.h). */
#ifndef CST_COLLIDE_FEATURE_TOUCH_H
#define CST_COLLIDE_FEATURE_TOUCH_H

#include "collide/feature.h"
#include "collide/feature_patch.h"

/* Touches as they are found. */
typedef struct cst_touch_heap {
    cst_feature_touch *touch;
    int count, room;
    cst_arena *arena; /* that the list grows in */
} cst_touch_heap;

typedef struct cst_feature_rules {
    int pose;      /* 0 or 1: where gaps are measured */
    double margin; /* m: gaps below it touch */
    double depth;  /* m: penetrations down to this are seen without a crossing */
} cst_feature_rules;

/* False: out of memory. */
bool cst_touch_heap_add(cst_touch_heap *heap, const cst_feature_touch *touch);

/* All touches of two patches are added, those at one place several times. What is taken from `scratch` stays there. False: out of memory. */
bool cst_feature_touches(const cst_feature_patch *a, const cst_feature_patch *b, const cst_feature_rules *rules, int threads,
                         cst_arena *scratch, cst_touch_heap *heap);

/* Of a mesh that bends with itself: a whole patch. Features that belong to one place of it (cst_feature_mesh.near) do not touch. */
bool cst_feature_self_touches(const cst_feature_patch *patch, const cst_feature_rules *rules, int threads, cst_arena *scratch,
                              cst_touch_heap *heap);

/* Of a patch with the half-space below the plane through `point` with the unit normal n, both at the two poses. */
typedef struct cst_moving_plane {
    int32_t owner;
    double point[2][3], n[2][3];
} cst_moving_plane;
bool cst_feature_plane_touches(const cst_feature_patch *a, const cst_moving_plane *plane, const cst_feature_rules *rules,
                               cst_touch_heap *heap);

#endif
