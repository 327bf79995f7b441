/* Finds pairs of triangles that cross. Two triangles cross if an edge of one intersects the interior of the other.
 *
 * Sheets can cross in spite of contacts: contact detection (detect_features.h) does not test vertices, edges and faces that are
 * near each other along a sheet, and a linearised contact does not prevent every penetration. The search for crossing triangles
 * tests every pair of triangles with overlapping bounding boxes, except triangles of one mesh with a common vertex, and triangles
 * of bodies that are not allowed to touch. At least one triangle of a tested pair belongs to a mesh that bends (a sheet). Time
 * for n triangles: O(n log n). */
#ifndef CST_COLLIDE_FEATURE_CROSSING_H
#define CST_COLLIDE_FEATURE_CROSSING_H

#include "collide/detect_features.h"

/* Two triangles that cross: their bodies, and the point (m) where an edge of one triangle intersects the interior of the
 * other. */
typedef struct cst_feature_crossing {
    int32_t owner[2];
    double place[3];
} cst_feature_crossing;

/* Pairs of triangles that cross at the end of a motion. A pair of crossing triangles counts as new if no pair of triangles near
 * it crossed at the start of the motion. The pairs of triangles (a, b) and (c, d) count as near each other if a and c share a
 * vertex, and b and d share a vertex. During the motion, the curve in which two surfaces intersect may move to neighbouring
 * triangles; the triangles that then cross do not count as new pairs. */
typedef struct cst_crossing_change {
    int pairs;                  /* number of crossing pairs */
    int fresh;                  /* number of new crossing pairs */
    cst_feature_crossing first; /* first new pair of crossing triangles; if no pair is new, the first pair */
} cst_crossing_change;

/* Returns the number of pairs of triangles that cross at the given pose (0: start of the motion, 1: end), or -1 if memory ran
 * out. Writes the first crossing pair to *first. Releases all memory. */
int cst_feature_crossings(const cst_feature_scene *scene, int pose, cst_arena *arena, cst_feature_crossing *first);

/* Finds the pairs of triangles that cross at the end of the motion, and the new pairs among them. Returns false if memory ran
 * out. Releases all memory. */
bool cst_feature_crossings_change(const cst_feature_scene *scene, cst_arena *arena, cst_crossing_change *out);

#endif
