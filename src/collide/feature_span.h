/* Removes redundant contacts of a sheet with a round body: contacts of edges and faces whose corners touch the same surface.
 *
 * A fine sheet on a ball or a cylinder has a contact at every vertex, edge and face: up to six contacts for each vertex. If the
 * round surface rises only little above an edge, the contacts of the two corners keep the edge from penetrating. In the matrix of
 * the friction problem, the row of the contact of an edge of the sheet is nearly a linear combination of the rows of the contacts
 * of the edge's two corners. When the sheet bends, the contact point on an edge can also jump along the edge, which a contact
 * linearised at the start of the step does not predict.
 *
 * The benefit of removing redundant contacts was measured with a square of cloth, 0.5 m wide, that is thrown on a ball of radius
 * 0.15 m (capstan-bench scale --only sheets). For a cloth of 3,025 vertices (triangles of 9 mm), removing redundant contacts
 * reduces the solver iterations per step from more than 23 to 12, and the penetration from 0.1 to 0.04 of the cloth's thickness.
 * For a cloth of 10,000 vertices, removing redundant contacts reduces the number of contacts from 4,829 to 928, and the time per
 * step from 3.5 s to 1.2 s.
 *
 * Redundant contacts of a sheet are removed on all of its edges or on none: on none if the longest edge of the sheet is too long
 * for the radius of the round body. If the code decided for each edge separately whether a redundant contact is removed, a
 * contact removed in one step could return in the next step, with a penetration. In scenes/cloth/belt, the time step must be
 * reduced in 258 steps if each edge is decided separately, and in no step if the redundant contacts of all edges or of none are
 * removed. */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Removes redundant contacts of a sheet with a round body and keeps the order of the rest. Returns the number of remaining
 * contacts, or -1 if memory ran out. Time: O(n log n).
 *     `sheet`: value of the field `owner` in the contact points on the sheet.
 *     `radius`: radius (m) of the body; 0: the body is not round, and no contact is removed.
 *     `little`: no contact is removed if the round surface rises by at least this height (m) above a triangle whose corners lie
 *         on it.
 *
 * A contact of an edge or a face of the sheet is removed only if all corners of this edge or face touch the same feature of the
 * round body, with normals within 10 degrees of the contact's normal. A contact of an edge or a face is kept if its gap is
 * smaller by at least `little` (m) than the gap interpolated between the corners. */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
