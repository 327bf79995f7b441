/* Removes touches of edges and faces of a sheet that repeat the touches of their corners.
 *
 * A fine sheet that lies on a ball or a cylinder touches it with every vertex, every edge and every face: up to six touches for
 * each vertex. If all corners of an edge or a face touch the same feature from the same side, the gap of the edge or face is the
 * interpolated gap of its corners, less the height of the arc above its chord. If the height of the arc is small, the contact
 * rows of the corners also hold the edge. A row for the edge would be nearly linearly dependent on the rows of the corners. As
 * the sheet bends down, the touching point of the edge would also move from corner to corner, which no row linearised at the
 * start of a step predicts.
 *
 * Measurement (capstan-bench scale --only sheets, triangles of 9 mm on a ball of 0.15 m):
 *   3,025 vertices with touches of edges: 23 to 41 iterations per step, penetration 0.1 of the thickness, steps are cut.
 *   3,025 vertices without: 11 to 12 iterations per step, penetration 0.04 of the thickness.
 *   10,000 vertices with touches of edges: 4,829 contacts, 47 iterations, 3.5 s.
 *   10,000 vertices without: 928 contacts, 13 iterations, 1.2 s.
 *
 * The longest edge of the sheet and the radius of the other body decide for all edges at once. If each edge were dropped or kept
 * separately, an edge that is dropped in one step and kept in the next would start penetrated by the height of its arc
 * (scenes/cloth/belt: 258 steps cut, against none). */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Removes touches of edges and faces among the touches of one pair of owners. `sheet`: the owner that has the mesh. `radius`:
 * radius (m) of the other owner; 0: the other owner is not round. `little`: limit (m) for the height of an arc. Nothing is
 * removed unless the arc above every triangle of the sheet is lower than `little`. A touch of an edge or a face is removed if all
 * its corners touch the same feature with normals within 10 degrees, and its gap is less than `little` below the interpolated gap
 * of the corners. The touches that are kept stay in their order. Returns the number of kept touches, or -1 if memory ran out.
 * Time: O(n log n). */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
