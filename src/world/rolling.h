/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Contact rows linearised at the start of
 * the step assume that the gap changes by dt times the normal velocity of the contact point. On a rotating rod, the smallest gap
 * changes by an additional length `rise`, for two reasons:
 *     * The contact point moves on a curved path: it has an acceleration even at constant generalised velocities. (Nodes of nodal
 *       rods move on straight lines and have no such acceleration.)
 *     * Another point of the rod becomes the lowest point, that is, the point nearest to the obstacle.
 *
 * Symbols:
 *
 *     `e`: contact normal.
 *     `a`: acceleration of the contact point at constant generalised velocities.
 *     `s`, `k`: first and second derivatives of the gap along the rod at the contact point.
 *     `t`, `omega`: tangent and angular velocity of the rod at the contact point.
 *     `w`: slope that the rotation adds per unit time, w = (omega x t).e.
 *     `y(d)`: height after the step, along e, of the rod's point at the arc length d from the contact point, above the contact
 *     point.
 *
 * The additional change `rise` of the gap follows from the smallest height y:
 *
 *     `y(d) = s*d + k*d^2/2+dt*w*d`.
 *     `min y = -(s+dt*w)^2/(2*k)`.
 *     `rise = dt^2/2*a.e + min y`.
 *
 * At the lowest point of a rolling ring, the two terms of `rise` cancel.
 *
 * If the lowest point is farther away than one element length, its height is computed from the true shape of the rod, because the
 * next element can have another curvature. If the true height differs from `min y` by more than half of `min y`, the term `min y`
 * is left out, because the rod does not rotate rigidly near the contact. With the term, a limp ring folded to a sharp corner
 * would gain 3 J when the corner strikes the ground at 2 m/s (capstan-bench random, seed 959).
 *
 * Contact detection can also make a contact at the end of an element, ahead of the lowest point of a rolling rod. Such a contact
 * is dropped if another contact with a smaller gap is at the lowest point. It would brake the rod: in the rolling direction, the
 * end of the element moves down while the material at the lowest point moves up. The contact law never lets an open gap become
 * negative, but removes a penetration only slowly. As soon as the rod penetrates a little at its lowest point, only the contact
 * at the end of the element would carry an impulse, with a moment that brakes the rolling.
 *
 * Measured with a ring that lands with 60 rad/s, in steps of 1 ms (tests/test_world_ring.c), as speed of the rolling ring divided
 * by the exact speed:
 *     * 0.999 to 1.001 as implemented.
 *     * 0.93 to 0.95 without the additional change `rise` of the gap.
 *     * 0.988 (64 elements) or 0.974 (128 elements) if contacts at ends of elements are not dropped. */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the additional change `rise` of the gap to the rows of a contact between a rotating rod and an obstacle. Also stores
 * whether the contact is at the point of the rod nearest to the obstacle. `at`, `motion`: material point of the rod, and its
 * motion. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set should be dropped: it is not at the point of a fast-turning rod nearest to the obstacle,
 * and another contact is. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
