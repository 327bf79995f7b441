/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Contact rows linearised at the start of
 * the step assume that the gap changes by dt times the normal velocity of the contact point. The smallest gap of a rotating rod
 * changes by an additional length `rise`. The additional change `rise` has two causes: the contact point moves on a curved path,
 * and another point of the rod becomes the lowest point (the point nearest to the obstacle).
 *
 *     `e`: contact normal.
 *     `a`: acceleration of the contact point at constant generalised velocities; zero at nodes of nodal rods.
 *     `s`, `k`: first and second derivatives of the gap along the rod at the contact point.
 *     `t`, `omega`: tangent and angular velocity of the rod at the contact point.
 *     `w`: rate (1/s) at which the rotation of the rod changes its slope at the contact point, w = (omega x t).e.
 *     `y(d)`: height after the step, above the contact point, of the rod's point at the arc length d from the contact point.
 *
 * The additional change `rise` of the gap follows from the smallest height y of the rod:
 *
 *     `y(d) = s*d + k*d^2/2+dt*w*d`.
 *     `min y = -(s+dt*w)^2/(2*k)`.
 *     `rise = dt^2/2*a.e + min y`.
 *
 * At the lowest point of a rolling ring, the two terms of the additional gap change `rise` cancel.
 *
 * If the lowest point of the rod is farther from the contact than one element length, the height of the lowest point is computed
 * from the true shape of the rod after a rigid rotation. If this computed height differs from the predicted height `min y` by
 * more than 50 %, the term `min y` is left out of the gap change `rise`. If a predicted height `min y` with an error of more than
 * 50 % were used, a limp ring folded to a sharp corner would gain 3 J when the corner strikes the ground at 2 m/s (capstan-bench
 * random, seed 959).
 *
 * Contact detection can also make a contact beside the lowest point of a rolling rod, for example at the end of an element. At a
 * contact beside the lowest point of the rod, the term `min y` is left out of the gap change `rise`. Ahead of the lowest point,
 * the material of a rolling rod moves down, so a contact there would carry an impulse, whose moment brakes the rod. To avoid the
 * braking impulse, a contact that is not at the lowest point of a rolling rod is dropped if another contact of the rod with the
 * same obstacle is at the lowest point and has a smaller gap.
 *
 * A ring that lands with 60 rad/s, in steps of 1 ms (tests/test_world_ring.c), rolls away with 0.999 to 1.001 of the exact speed.
 * Without the additional gap change `rise`, the ring of tests/test_world_ring.c keeps only 0.93 to 0.95 of the exact speed. If
 * the contacts beside the lowest point were not dropped, the ring of tests/test_world_ring.c would keep 0.988 of the exact speed
 * with 64 elements, and 0.974 with 128. */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the additional change `rise` of the gap to the rows of a contact between a rotating rod and an obstacle. Sets row->roll,
 * which tells whether the contact is at the point of the rod nearest to the obstacle. `at`, `motion`: material point of the rod,
 * and its motion. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set should be dropped: it lies beside the lowest point of a rolling rod, and another contact
 * with a smaller gap is at this lowest point. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
