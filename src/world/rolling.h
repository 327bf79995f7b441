/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Rows linearised at the start of the step
 * contain neither the curved path of a point nor the change of the nearest point.
 *
 * A linearised step moves a point of a rod by dt J v, but the change of the smallest gap of the rod differs from dt u_N, for
 * two reasons. First, the point moves on a curved path, which adds the displacement dt^2/2 J'(v) v = dt^2/2 a (nodes of nodal
 * rods move on straight lines: a = 0). Second, another point of the rod becomes the nearest point, if the rod has the curvature
 * k in the direction of the obstacle's normal e and turns at the rate w in the plane of normal and tangent. If the gap has the
 * slope s along the rod, the point at the distance d along the rod ends at the height s d + k d^2/2 + dt w d above the contact
 * point; the lowest of these points has the height -(s + dt w)^2 / (2 k). So the gap closes by less than dt u_N; the difference
 * is
 *
 *     rise = dt^2/2 a . e - (s + dt w)^2 / (2 k).
 *
 * Beyond the end of the contact's element, the rod has another curvature than k. For this reason, if the lowest point is beyond
 * the end of the element, the height there is computed from the true shape of the rod. If this height differs from the height
 * predicted with k by more than half, the rod is not round beyond the element, and the rise is not added. Parts of the rod
 * farther away that move towards the obstacle have contacts of their own. Without this test of the true height, the formula for
 * the rise failed for a limp ring that was folded to a corner, with a nearly straight element beside the corner. The formula
 * predicted that the far end of the straight element would rise by a rigid rotation, which a limp ring does not perform, and
 * the corner struck the ground at 2 m/s (capstan-bench random, seed 959: 3 J gained). For the lowest point of a rolling ring,
 * the two terms of `rise` cancel.
 *
 * Detection may also make a contact at the end of an element beside the nearest point; if its gap and slope follow from the
 * curvature of a rolling rod, this contact is dropped. The end of an element ahead of the nearest point moves down as the rod
 * rolls, while the material at the nearest point moves up. A contact at the end of this element would push ahead of the point
 * where the rod touches, and the moment of this push would brake the rod. Such a contact would push as soon as the nearest
 * point penetrates a little: in each step only a fraction of a penetration is removed at the nearest point, while the open gap
 * at the end of the element must not become negative.
 *
 * A ring that lands with 60 rad/s, dt = 1 ms, rolls away with 0.999 to 1.001 of the right speed (tests/test_world_ring.c).
 * If `rise` is neglected, this ring gets only 0.93 to 0.95 of the right speed; if contacts at the ends of elements are not
 * dropped, it gets 0.988 (64 elements) or 0.974 (128 elements). */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds `rise` for side a of a contact with an obstacle to the row of the contact, and stores in the row whether the contact is
 * at the nearest point of the rod. `at`: the material point of side a; `motion`: the motion of this point. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set is beside the nearest point of a fast-turning rod, and the set also has a contact at the
 * nearest point. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
