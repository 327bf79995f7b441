/* Finds triangles of sheets that cross each other or the triangles of another mesh.
 *
 * Two triangles cross if an edge of one of them intersects the interior of the other. Sheets can cross in spite of contacts:
 * contact detection (detect_features.h) leaves out features of a sheet that are near each other along the sheet, and a
 * linearised contact does not prevent every penetration. The search for crossing triangles uses neither contacts nor margins:
 * it tests every pair of triangles with overlapping bounding boxes, except pairs of one mesh that share a vertex. Time for n
 * triangles: O(n log n). */
#ifndef CST_COLLIDE_FEATURE_CROSSING_H
#define CST_COLLIDE_FEATURE_CROSSING_H

#include "collide/detect_features.h"

/* One crossing: the bodies of the two triangles, and the point (m) where an edge of one triangle intersects the interior of the
 * other. */
typedef struct cst_feature_crossing {
    int32_t owner[2];
    double place[3];
} cst_feature_crossing;

/* Crossing pairs of triangles at the end of a motion. A crossing pair is new if no crossing pair at the start of the motion was
 * near it. A pair of triangles (a, b) is near a pair (c, d) if a and c share a vertex, and b and d share a vertex. If surfaces
 * cross already at the start of the motion, the curve in which they intersect may move on to neighbouring triangles: the pairs of
 * triangles that cross there do not count as new. */
typedef struct cst_crossing_change {
    int pairs;                  /* number of crossing pairs of triangles at the end of the motion */
    int fresh;                  /* number of crossing pairs that are new compared with the start of the motion */
    cst_feature_crossing first; /* first new crossing pair; if no pair is new, the first crossing pair */
} cst_crossing_change;

/* Returns the number of pairs of triangles that cross at the pose `pose` (0: start of the motion, 1: end), or -1 if memory ran
 * out. Only pairs of which at least one triangle belongs to a mesh that bends are tested. The first crossing pair is written to
 * *first. The function cst_feature_crossings releases all memory that it takes from the arena. */
int cst_feature_crossings(const cst_feature_scene *scene, int pose, cst_arena *arena, cst_feature_crossing *first);

/* Finds the pairs of triangles that cross at the end of the motion (pose 1), and the new pairs among them. Returns false if
 * memory ran out. The function cst_feature_crossings_change releases all memory that it takes from the arena. */
bool cst_feature_crossings_change(const cst_feature_scene *scene, cst_arena *arena, cst_crossing_change *out);

#endif
