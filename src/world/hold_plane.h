/* Contacts of the plane that push but are no nearest points any more.
 *
 * Detection gives local minima of the distance. Where a rod lies flat, which point is a minimum hangs on rounding: an element sags,
 * touches in its middle, is pushed straight, touches at its ends only, sags again. So a contact that carried an impulse is kept,
 * at the same material point of side a, with the nearest point of side b; it costs nothing but a row, since no point of a body may
 * penetrate. It goes when it no longer pushes, is out of margin, or leaves the feature of b it was on. On a thin disk nothing is held:
 * the nearest point is never in doubt there, and a point that the disk has passed would be pushed along the rod. */
#ifndef CST_WORLD_HOLD_PLANE_H
#define CST_WORLD_HOLD_PLANE_H

#include "world/geometry_plane.h"

/* In functions of cst_geometry_class, self is a cst_plane_geometry. */

/* Where on an arc: all of *end that its owner does not say. */
void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end);

/* contact->center, of its shape and place on side a. */
void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact);

/* `before`, seen where shapes are now: normal, gap and side b in *out. False: it is let go. */
bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out);

/* The same of a contact that is not let go: beyond the ends of its feature the end is nearest. One that rolls on a plane, and a rod on a
 * disk that is thin for its elements, is taken to the nearest point of side a. All shapes must be there. */
void cst_plane_follow(const void *self, cst_contact *contact);

/* Does it roll? Sets `bend`, of a contact found where shapes are now.
 *
 * The gap G(q, s) of a rod with something fixed is least at a point s that moves as the rod turns: with the slope G_s = e . t = 0 and
 * the bend G_ss, the least gap has the second derivatives G_qq - G_qs G_sq / G_ss, and G_qs is the turning of the rod. So the
 * impulse r holds the angle of the rod with r / G_ss, which its assembly is told. Without it a round rod pressed between two
 * plates, its contacts taken as fixed to its material, would fall over in the middle of a step. */
void cst_plane_find_bend(const void *self, cst_contact *contact);

#endif
