/* Keeps contacts in 2D that have an impulse although they are no longer at nearest points.
 *
 * Detection finds contacts only at local minima of the distance between two bodies. Where a rod lies flat on another body,
 * rounding decides at which points of the rod their distance has a local minimum. For example, an element of a rod sags and
 * touches the ground in its middle; the contact pushes the element straight; then the element touches only at its ends and sags
 * again. If contacts were only at local minima of the distance between two bodies, they would alternate between the middle and
 * the ends of an element. So that contacts do not jump between the middle and the ends of an element, a contact that carried an
 * impulse stays at the same material point of the first body. The contact point on the second body moves to the point nearest
 * to the contact point on the first body. A contact at a point that is not the nearest one is still correct, because no point
 * of a body is allowed to penetrate. A contact that is not at the nearest point is dropped if it has no impulse, or if its gap
 * is larger than the contact search allows. A contact is also dropped if the nearest point of the second body is beyond the end
 * of the touching arc. A contact of a rod with a thin disk is always at the nearest point: this point is always well defined,
 * and a contact that the disk has already passed would push along the rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* The functions in hold_plane.h that belong to cst_geometry_class get a pointer to cst_plane_geometry as their argument
 * `self`. */

/* Sets the members of *end, one of the two touching points of a contact, that follow from the touching arc and from the arc
 * length `along` of the point on the arc. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* Computes contact->center, the contact point on the centreline of the first body, from the touching arc of this body and the
 * position on this arc. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* Updates the old contact `before` to the present positions of the shapes, and writes the new normal, gap and point of the
 * second body to *out. Returns false if the contact must be dropped. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* Updates a contact like cst_plane_hold, but never drops the contact: if the nearest point is beyond an end of the second body's
 * arc, this end of the arc is used. If the rod rolls on a half-plane, or touches a disk that is thin compared with the rod's
 * elements, the contact point also moves along the rod to the nearest point. All shapes must be placed. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Sets contact->bend, the second derivative of the gap along the rod, if the contact rolls on a half-plane. Before
 * cst_plane_find_bend is called, the contact must have been updated to the present positions of the shapes.
 *
 * Let G(q, s) be the gap between a half-plane and the point of a rod at the arc length s, where q are the coordinates of the
 * rod. Subscripts denote derivatives of the gap. As the rod turns, the arc length with the smallest gap changes. At the point
 * with the smallest gap, the first derivative of the gap along the rod, G_s, is zero, and the second derivative, G_ss, is
 * contact->bend. The mixed derivative of the gap, G_qs, is the derivative of the rod's angle at the arc length s with respect
 * to the coordinates q. The second derivative of the smallest gap with respect to the coordinates q of the rod is:
 *
 *     `d^2(min G)/dq^2 = G_qq - G_qs*G_sq/G_ss`.
 *
 * When the rod turns and the contact point rolls along the rod, the moment of the contact impulse changes as if a rotational
 * spring acted on the rod. The stiffness of the rotational spring (angular impulse per radian) is the contact impulse divided
 * by contact->bend, the second derivative of the gap along the rod; the assembly adds this stiffness to the matrix of the rod.
 * Without the rotational stiffness due to rolling, contacts would be fixed to the material, and a round rod that is pressed
 * between two plates would tip over within a step. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
