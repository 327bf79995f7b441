/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Contact rows that are linearised at the
 * start of the step neglect that the points of a rotating rod move on curved paths, and that another point of the rod becomes
 * the nearest point to the obstacle.
 *
 * In a linearised step, the gap at the contact point changes by the step length times the normal velocity. The smallest gap of a
 * rotating rod changes by an additional amount `rise`, for two reasons: the contact point moves on a curved path, and another
 * point of the rod becomes the nearest point to the obstacle. A point that moves on a curved path has an acceleration a even at
 * constant generalised velocities. Nodes of nodal rods move on straight lines, so their acceleration at constant generalised
 * velocities is zero. Let s be the first and k the second derivative of the gap along the rod at the contact point. Let e be the
 * contact normal, t the tangent and omega the angular velocity of the rod, and w = (omega x t).e. After the step, the point of
 * the rod at the arc length d from the contact point is higher than the contact point by y(d), measured along the contact normal
 * e:
 *
 *     `y(d) = s*d + k*d^2/2+dt*w*d`.
 *     `min y = -(s+dt*w)^2/(2*k)`.
 *     `rise = dt^2/2*a.e + min y`.
 *
 * At the lowest point of a rolling ring, the curved path and the change of the nearest point change the gap by opposite amounts,
 * so that the additional change `rise` of the gap is zero.
 *
 * If the lowest point of the rod is beyond the end of the touching element, the height of this point is computed from the true
 * shape of the rod, because the next element can have another curvature. If the true height of the lowest point differs from the
 * predicted height `min y` by more than half of `min y`, the term `min y` of the gap change `rise` is left out. Parts of the rod
 * at a distance from the contact get contacts of their own if they move towards the obstacle. If the gap change always contained
 * the height `min y` of the lowest point, a limp ring folded to a sharp corner would gain 3 J when the corner strikes the ground
 * at 2 m/s (capstan-bench random, seed 959). The formula for the gap change `rise` assumes a rigid rotation of the rod, but a
 * limp ring does not rotate rigidly.
 *
 * Contact detection can also make a contact at the end of an element, at a distance from the point of a rolling rod that is
 * nearest to the obstacle. A contact that is not at the nearest point is dropped if another contact with a smaller gap is at the
 * nearest point. The nearest point is predicted from the first and second derivatives s and k of the gap along the rod. When the
 * rod rolls, the end of an element in the rolling direction moves down, while the material at the nearest point moves up. As
 * soon as the rod penetrates a little at its nearest point, a contact at the end of the element would have an impulse; the end
 * is ahead of the nearest point, so the moment of this impulse would brake the rolling rod. The contact law removes only a
 * fraction of a penetration in a step, but does not allow an open gap to become negative.
 *
 * A ring that lands with 60 rad/s, in steps of 1 ms (tests/test_world_ring.c), rolls away with 0.999 to 1.001 of the exact speed.
 * If the additional gap change `rise` were neglected, a ring that lands with 60 rad/s would roll away with only 0.93 to 0.95 of
 * the exact speed. If contacts at the ends of elements were not dropped, a ring that lands with 60 rad/s would roll away with
 * 0.988 (64 elements) or 0.974 (128 elements) of the exact speed. */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the additional change `rise` of the gap to the rows of a contact between a rotating rod and an obstacle, and stores in
 * the rows whether the contact is at the nearest point of the rod. The argument `at` is the material point of the rod, and
 * `motion` is the motion of this point. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set is not at the point of a fast-turning rod that is nearest to the obstacle, and the set
 * contains another contact at this nearest point. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
