/* Removes contacts of edges and faces of a sheet that repeat the contacts of their corners.
 *
 * A fine sheet that lies on a ball or a cylinder touches it with every vertex, every edge and every face: up to six contacts for
 * each vertex. If all corners of an edge or a face touch the same feature of the other body from the same side, the gap of the
 * edge or face is the interpolated gap of its corners, less the height of the round surface above the chord. If the height of the
 * round surface above the chord of an edge is small, the contacts of the two corners of the edge prevent its penetration too. A
 * contact row for an edge whose two corners touch would be nearly linearly dependent on the contact rows of these corners. The
 * contact point of an edge moves from corner to corner when the sheet bends down, which no contact row linearised at the start of
 * a step predicts.
 *
 * The effect of contacts of edges was measured with capstan-bench scale --only sheets, with triangles of 9 mm on a ball of 0.15
 * m. With contacts of edges, a sheet of 3,025 vertices takes 23 to 41 solver iterations per step, penetrates by 0.1 of its
 * thickness, and some steps have to be shortened. Without contacts of edges, a sheet of 3,025 vertices takes 11 to 12 solver
 * iterations per step and penetrates by 0.04 of its thickness. With contacts of edges, a sheet of 10,000 vertices has 4,829
 * contacts, and a step takes 47 solver iterations and 3.5 s. Without contacts of edges, a sheet of 10,000 vertices has 928
 * contacts, and a step takes 13 solver iterations and 1.2 s.
 *
 * The longest edge of the sheet and the radius of the other body decide for all edges at once if their contacts are removed. If
 * each edge were dropped or kept separately, an edge that is dropped in one step and kept in the next would start with a
 * penetration by the height of the round surface above its chord. In scenes/cloth/belt, 258 steps have to be shortened if each
 * edge is decided separately, and none if all edges are decided at once. */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Removes contacts of edges and faces among the contacts of one pair of bodies. `sheet` is the number of the body that has the
 * mesh. `radius` is the radius (m) of the other body; 0: the other body is not round. `little` is the largest height (m) of the
 * round surface above a chord at which contacts are removed. Nothing is removed unless the round surface rises less than `little`
 * above every triangle of the sheet. A contact of an edge or a face is removed if all its corners touch the same feature with
 * normals within 10 degrees, and its gap is less than `little` below the interpolated gap of the corners. The contacts that are
 * kept stay in their order. Returns the number of kept contacts, or -1 if memory ran out. Time: O(n log n). */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
