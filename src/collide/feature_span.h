/* Removes redundant contacts of a sheet: contacts of its edges and faces whose corners already touch the same surface.
 *
 * A fine sheet that lies on a ball or a cylinder touches it with every vertex, every edge and every face: up to six contacts for
 * each vertex. If all corners of an edge or a face touch the same round surface, the gap of the edge or face is the interpolated
 * gap of its corners, minus the height by which the surface rises above the edge or face. If the round surface rises only little
 * above an edge whose two corners touch it, the contacts of the corners keep the edge from penetrating. If the round surface
 * rises only little above an edge, the row of the edge's contact in the friction problem is nearly linearly dependent on the
 * rows of the contacts of its two corners. When a sheet bends, the contact point of an edge can jump from one end of the edge to
 * the other; a contact that is linearised at the start of the step does not predict such a jump.
 *
 * The benefit of removing contacts of edges was measured on a square of cloth of 0.5 m that falls on a ball of 0.15 m
 * (capstan-bench scale --only sheets). On a sheet of 3,025 vertices (triangles of 9 mm), removing contacts of edges reduces the
 * solver iterations per step from more than 23 to 12, and the penetration from 0.1 to 0.04 of the sheet's thickness. On a sheet
 * of 10,000 vertices, removing contacts of edges reduces the number of contacts from 4,829 to 928, the solver iterations per
 * step from 47 to 13, and the time per step from 3.5 s to 1.2 s.
 *
 * The redundant contacts of a sheet's edges with a round body are removed either for all edges or for none, depending on the
 * longest edge of the sheet and on the radius of the round body. If contacts were removed edge by edge, some would be removed
 * in one step and return in the next with a penetration, because the round surface rises above the edge. In scenes/cloth/belt,
 * the time step has to be reduced in 258 steps if contacts are removed edge by edge, and in no step if the contacts of all
 * edges are removed together. */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Removes redundant contacts of a sheet with one other body. `sheet` is the number of the body that has the mesh. `radius` is
 * the radius (m) of the other body; 0: the other body is not round. Contacts are removed only if the radius of the other body
 * is so large that its surface rises by less than `little` (m) above any triangle of the sheet with all corners on this
 * surface. A contact of an edge or a face is removed if all its corners touch the same feature with normals within 10 degrees,
 * and its gap is below the interpolated gap of the corners by less than the tolerance `little`. The remaining contacts stay in
 * their order. Returns the number of remaining contacts, or -1 if memory ran out. Time: O(n log n). */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
