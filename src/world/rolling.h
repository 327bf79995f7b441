/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Contact rows that are linearised at the
 * start of the step know neither the curved path of a rod's point nor the change of the nearest point.
 *
 * A linearised step changes the gap at the contact point by dt u_N, where u_N is the normal velocity. The smallest gap of a
 * rotating rod changes by another amount, for two reasons. First, the contact point moves on a curved path, which adds the
 * displacement dt^2/2 a, where a = J'(v) v is the acceleration of the point at constant generalised velocities. Nodes of nodal
 * rods move on straight lines, so this acceleration is zero for them. Second, another point of the rod becomes the nearest
 * point to the obstacle:
 *
 *     Let the gap have the slope s and the curvature k along the rod, and let the rod turn at the rate w in the plane of the
 *     normal e and the tangent.
 *     After the step, the point at the distance d along the rod is at the height s d + k d^2/2 + dt w d above the contact
 *     point. The lowest point of the rod is then at the height -(s + dt w)^2 / (2 k), so it is below the contact point.
 *     So the smallest gap changes in the step by dt u_N + rise, where rise = dt^2/2 a . e - (s + dt w)^2 / (2 k) contains the
 *     curved path and the change of the nearest point.
 *
 * At the lowest point of a rolling ring, the curved path and the change of the nearest point cancel.
 *
 * Beyond the end of the contact's element, the rod may have another curvature. For this reason, if the lowest point is beyond
 * the end of the element, its height is computed from the true shape of the rod. If the true height differs from the height
 * predicted with the curvature k by more than half, the rod is not round beyond the element, and the rise is not added. Parts
 * of the rod farther away that move towards the obstacle have contacts of their own. Without this comparison with the true
 * height, the formula for the rise failed for a limp ring that was folded to a corner, with a nearly straight element beside
 * the corner. For this folded ring, the formula predicted that the far end of the straight element would rise by a rigid
 * rotation. A limp ring does not rotate rigidly, and its corner struck the ground at 2 m/s (capstan-bench random, seed 959: 3 J
 * gained).
 *
 * Detection may also make a contact at the end of an element, beside the nearest point of a rolling rod. A contact at the end
 * of an element is dropped if its gap and slope follow from the curvature of the rolling rod. The reason is that the end of an
 * element ahead of the nearest point moves down as the rod rolls, while the material at the nearest point moves up. A contact
 * at the end of the element would push ahead of the point where the rod touches, and the moment of this push would brake the
 * rod. A contact at the end of the element would push as soon as the nearest point penetrates a little: only a fraction of the
 * penetration at the nearest point is removed in each step, while the open gap at the end of the element must not become
 * negative.
 *
 * Measured with a ring that lands with 60 rad/s, in steps of 1 ms (tests/test_world_ring.c): the ring rolls away with 0.999 to
 * 1.001 of the exact speed. If the rise of the contact points is neglected, the rolling ring has 0.93 to 0.95 of its exact
 * speed. If contacts at the ends of elements are not dropped, the rolling ring has 0.988 (64 elements) or 0.974 (128 elements)
 * of its exact speed. */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the correction `rise` for side a of a contact with an obstacle to the rows of the contact, and stores in the rows
 * whether the contact is at the nearest point of the rod. `at`: material point of side a; `motion`: motion of this point. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set is beside the nearest point of a fast-turning rod, and the set contains another contact
 * at that nearest point. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
