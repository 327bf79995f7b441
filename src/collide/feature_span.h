/* Removes redundant contacts of a sheet with a round body: contacts of edges and faces whose corners touch the same surface.
 *
 * A fine sheet on a ball or a cylinder has a contact at every vertex, edge and face: up to six contacts for each vertex. If the
 * round surface rises only little above an edge, the contacts of the two corners keep the edge from penetrating. The row of the
 * edge's contact in the friction problem is then nearly linearly dependent on the rows of the contacts of its two corners. When a
 * sheet bends, the contact point of an edge can also jump from one end of the edge to the other; a contact linearised at the
 * start of the step does not predict this jump.
 *
 * The benefit was measured with a square of cloth of 0.5 m that falls on a ball of 0.15 m (capstan-bench scale --only sheets).
 * With 3,025 vertices (triangles of 9 mm), removing redundant contacts reduces the solver iterations per step from more than 23
 * to 12, and the penetration from 0.1 to 0.04 of the sheet's thickness. With 10,000 vertices, it reduces the number of contacts
 * from 4,829 to 928, the solver iterations per step from 47 to 13, and the time per step from 3.5 s to 1.2 s.
 *
 * The longest edge of the sheet and the radius of the round body decide whether redundant contacts are removed for all edges or
 * for none. If this were decided edge by edge, some contacts would be removed in one step and return with a penetration in the
 * next step. In scenes/cloth/belt, deciding edge by edge makes the solver shorten 258 time steps; deciding for all edges together
 * makes it shorten none. */
#ifndef CST_COLLIDE_FEATURE_SPAN_H
#define CST_COLLIDE_FEATURE_SPAN_H

#include "base/arena.h"
#include "collide/feature.h"
#include "collide/feature_mesh.h"

/* Removes redundant contacts of a sheet with a round body and keeps the order of the remaining contacts. Returns the number of
 * remaining contacts, or -1 if memory ran out. The time for n contacts is O(n log n).
 *     `sheet`: index of the body that has the mesh.
 *     `radius`: radius (m) of the round body; 0: the body is not round, and no contact is removed.
 *     `little`: largest height (m) of the round surface above a triangle whose corners lie on the surface; if the surface rises
 *         more, no contact is removed. A contact of an edge or a face is removed under two conditions. All corners touch the same
 *         feature as the edge or face, with normals within 10 degrees. The gap of the edge or face is less than `little` below
 *         the gap interpolated between its corners. */
int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch);

#endif
