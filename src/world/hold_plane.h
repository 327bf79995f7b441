/* Contacts in 2D that push but are no longer nearest points.
 *
 * Detection gives local minima of the distance. Where a rod lies flat, rounding decides which point is a minimum: an element
 * sags, touches in its middle, is pushed straight, touches at its ends only, and sags again. To avoid an alternation between
 * contact points, a contact that carried an impulse is kept at the same material point of side a, with the nearest point of side
 * b. Keeping the contact only adds a row, because no point of a body may penetrate anyway. The contact is dropped when it no
 * longer pushes, when its gap exceeds the margin, or when its point of side b leaves the feature. On a thin disk no contact is
 * held: the nearest point on a thin disk is always well defined, and a point that the disk has passed would be pushed along the
 * rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* In functions of cst_geometry_class, self is a cst_plane_geometry. */

/* Sets the members of *end that depend on the place on the arc, not on the owner. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* Computes contact->center from its shape and place on side a. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* Moves the contact `before` to where the shapes are now: writes normal, gap and side b to *out. Returns false if the contact is
 * dropped. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* Moves a contact like cst_plane_hold, but never drops it: beyond an end of the feature, the end counts as the nearest point. A
 * contact that rolls on a half-plane, and a rod on a disk that is thin compared with its elements, moves to the nearest point of
 * side a. All shapes must be placed. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Sets `bend` of a contact that rolls. The contact must have been found where the shapes are now.
 *
 * The gap G(q, s) between a rod and a fixed obstacle is smallest at a point s that moves as the rod turns. At the point of
 * smallest gap the slope is G_s = e . t = 0 and the curvature is G_ss = bend. The smallest gap has the second derivatives G_qq -
 * G_qs G_sq / G_ss, and G_qs is the rotation of the rod. So the impulse r acts on the angle of the rod as a stiffness r / G_ss,
 * which is passed to its assembly. Without the stiffness r / G_ss, a round rod pressed between two plates would tip over within a
 * step, because its contacts would be fixed to its material. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
