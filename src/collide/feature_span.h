/* Touches of edges and faces of a sheet that say what their corners say.
 *
 * A fine sheet that lies on a ball or a cylinder touches it with every vertex, every edge and every face: up to six touches to a vertex. Where all corners
 * of an edge or a face touch the same feature from the same side, its own gap is that of its corners, interpolated, less the height of the arc above its chord. Where that
 * is little, the rows of the corners hold the edge too. Its own row would depend on theirs, and as the sheet bends down its point would move from corner to corner, which no
 * row at the start of a step foresees. capstan-bench scale --only sheets, 3,025 vertices of 9 mm on a ball of 0.15 m: 23 to 41 iterations a step and a tenth of the thickness of
 * penetration with the edges (steps are cut), 11 to 12 and 0.04 without; 10,000 vertices: 4,829 contacts, 47 iterations and 3.5 s, or 928, 13 and 1.2 s.
 *
 * The longest edge of the sheet and the radius of what it touches decide, once and for all edges: an edge that is left out in one step and not in the next has sunk by the height of its
 * arc (scenes/cloth/belt, with each edge by itself: 258 steps cut in place of none). */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Of touches of one pair of owners, of which `sheet` (owner) has the mesh and the other is round with the radius `radius` (m; 0: it is not). If no arc of it is `little` (m) or more above a
 * triangle of the sheet, touches of edges and faces go that are less than that deeper than their corners say, if all corners touch the same feature with normals within 10 degrees. Those
 * that stay keep their order. Returns how many; -1: out of memory. Time grows with n log n. */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
