/* Keeps contacts in 2D that have an impulse but are no longer at nearest points.
 *
 * Detection finds contacts only at local minima of the distance. Where a rod lies flat, rounding decides which point is a
 * minimum: an element sags, touches in its middle, is pushed straight, touches at its ends only, and sags again. To avoid an
 * alternation between contact points, a contact that carried an impulse is kept at the same material point of side a, with the
 * nearest point of side b. A kept contact only adds a row to the friction problem; the row is correct, because no point of a
 * body may penetrate. A kept contact is dropped when it has no impulse, when its gap exceeds the margin, or when its nearest
 * point on side b is beyond the end of the arc. On a thin disk no contact is kept beside the nearest point: the nearest point
 * is always well defined there, and a contact point that the disk has passed would be pushed along the rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* Some functions below belong to cst_geometry_class; their argument `self` is a cst_plane_geometry. */

/* Sets the members of *end that depend on the place on the arc, but not those that depend on the owner. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* Computes contact->center, the point on the centreline of side a, from the arc and the place on it. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* Updates the contact `before` to the present positions of the shapes: writes normal, gap and side b to *out. Returns false if
 * the contact is dropped. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* Updates a contact like cst_plane_hold, but never drops it: if the nearest point is beyond an end of the arc on side b, this
 * end is used. In two cases side a also moves to the nearest point: if a rod rolls on a half-plane, and if a rod touches a disk
 * that is thin compared with its elements. All shapes must be placed. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Sets contact->bend if the contact rolls on a fixed obstacle. The contact must belong to the present positions of the shapes.
 *
 * The gap G(q, s) between a rod with coordinates q and a fixed obstacle is smallest at an arc length s that changes as the rod
 * turns. At the point of smallest gap the slope is G_s = e . t = 0 and the curvature is G_ss = bend. The second derivatives of
 * the smallest gap with respect to q are G_qq - G_qs G_sq / G_ss, and G_qs is the derivative of the rod's angle at s with
 * respect to q. So the impulse r of a rolling contact acts on the angle of the rod as a stiffness r / G_ss, which is passed to
 * the assembly of the rod. Without the stiffness r / G_ss, a round rod pressed between two plates would tip over within a step,
 * because its contacts would be fixed to its material. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
