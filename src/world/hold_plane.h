/* Keeps contacts in 2D that have an impulse although they are no longer at nearest points.
 *
 * Detection finds contacts only at local minima of the distance between two bodies. Where a rod lies flat, rounding decides
 * which of its points is a local minimum of the distance. For example, an element sags and touches in its middle; the contact
 * there pushes the element straight; then it touches only at its ends and sags again. To prevent contact points from
 * alternating between the middle and the ends of an element, a contact that carried an impulse is kept at the same material
 * point of side a, and side b gets the point nearest to it. A contact that is kept beside the nearest point is not wrong,
 * because no point of a body is allowed to penetrate. A kept contact is dropped if it has no impulse, if its gap exceeds the
 * search margin, or if its nearest point on side b is beyond the end of the arc. On a thin disk no contact is kept beside the
 * nearest point, for two reasons: the nearest point is always well defined there, and a contact that the disk has passed would
 * push along the rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* The functions below that belong to cst_geometry_class get a cst_plane_geometry as their argument `self`. */

/* Sets the members of the contact side *end that depend on the position `along` the arc, but not those that depend on the body
 * or obstacle. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* Computes contact->center, the point on the centreline of side a, from the arc of side a and the position on this arc. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* Updates the old contact `before` to the present positions of the shapes, and writes the new normal, gap and side b to *out.
 * Returns false if the contact must be dropped. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* Updates a contact like cst_plane_hold, but never drops the contact: if the nearest point is beyond an end of the arc on side
 * b, this end of the arc is used. The contact point on side a also moves to the nearest point in two cases: a rod that rolls on
 * a half-plane, and a rod on a disk that is thin compared with the elements of the rod. All shapes must be placed. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Sets contact->bend, the curvature of the gap along the rod, if the contact rolls on a fixed obstacle. The contact must have
 * been updated to the present positions of the shapes.
 *
 * Let G(q, s) be the gap between a fixed obstacle and the point of a rod at the arc length s, where q are the coordinates of
 * the rod, and let subscripts denote derivatives of the gap. As the rod turns, the arc length with the smallest gap changes.
 * At the point with the smallest gap, the first derivative of the gap along the rod is zero, and the second derivative is
 * contact->bend. The mixed derivative of the gap with respect to the arc length and the coordinates of the rod is the
 * derivative of the rod's angle with respect to its coordinates:
 *
 *     `d^2(min G)/dq^2 = G_qq - G_qs*G_sq/G_ss`.
 *
 * When the rod turns and the contact point rolls along the rod, the moment of the contact impulse changes as if a rotational
 * spring acted on the rod; the stiffness of this spring, which the assembly adds to the matrix of the rod, is the impulse
 * divided by the curvature of the gap along the rod. Without the rotational stiffness due to rolling, a round rod that is
 * pressed between two plates would tip over within a step, because its contacts would be fixed to its material. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
