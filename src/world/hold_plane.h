/* In 2D, keeps a contact that has an impulse even if its point is no longer the nearest point of the two bodies.
 *
 * Detection finds contacts only at local minima of the gap. Where a rod lies flat on another body, rounding decides where the gap
 * between the two bodies has its local minima. For example, an element of a rod sags and touches the ground in its middle; the
 * contact straightens the element; then the element touches only at its ends, and sags again. So that the contacts of a flat rod
 * do not change from step to step, a contact that carried an impulse stays at its material point of the first body, and moves to
 * the nearest point of the second body. A contact away from the nearest point is still valid, because no point of a body is
 * allowed to penetrate.
 *
 * A contact away from the nearest point is dropped if it has no impulse, if its gap exceeds the distance up to which contacts are
 * searched, or if the nearest point of the second body is beyond the end of the touching arc. A contact of a rod with a thin disk
 * always moves to the nearest point: if the disk slid along the rod and the contact stayed behind, the contact would push the
 * disk along the rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* Sets the members of *end that follow from the touching arc and from the arc length `along` (m) on the arc. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* Computes contact->center, the contact point on the centreline of the first body. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* Updates the normal, the gap and the second point of the old contact `before` to the present positions of the shapes; returns
 * false if the contact must be dropped. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* Updates a contact like cst_plane_hold, but never drops the contact: if the nearest point is beyond an end of the touching
 * arc, the contact moves to this end. If the rod rolls on a half-plane or touches a thin disk, the contact point also moves
 * along the rod. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Sets contact->bend if the contact rolls on a half-plane; the contact must already be updated to the present positions of the
 * shapes.
 *
 * When a rod turns on a half-plane, the point with the smallest gap moves along the rod. The second derivative of the smallest
 * gap, min G, with respect to the coordinates q of the rod is:
 *
 *     `d^2(min G)/dq^2 = G_qq - G_qs*G_sq/G_ss`.
 *
 *     `G(q, s)`: gap between the half-plane and the point of the rod at the arc length s; subscripts are derivatives.
 *     `q`: coordinates of the rod.
 *     `G_ss`: second derivative of the gap along the rod, stored in contact->bend.
 *     `G_qs`: derivative of the angle of the rod at the arc length s with respect to the rod's coordinates q.
 *
 * In the second derivative of the smallest gap, the term divided by G_ss (the second derivative of the gap along the rod) acts on
 * the rod like a rotational spring. The assembly adds the stiffness of this rotational spring, which is the contact impulse
 * divided by contact->bend, to the matrix of the rod. Without the rotational stiffness due to rolling, a ring-shaped rod that is
 * pressed between two plates would tip over within a step. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
