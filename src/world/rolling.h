/* Contacts of rods that rotate by a large angle in a step while they touch an obstacle. Rows linearised at the start of the step
 * contain neither the curved path of a point nor the change of the nearest point.
 *
 * A step moves a point of a rod by dt J v, but the gap at this point changes by more. First, the point moves on a curve, which
 * adds dt^2/2 J'(v) v = dt^2/2 a (nodes of nodal rods move straight: a = 0). Second, another point becomes the nearest if the rod
 * has the curvature k towards the obstacle's normal e and turns at the rate w in the plane of normal and tangent. If the gap has
 * the slope s along the rod, the point at the distance d along it ends at s d + k d^2/2 + dt w d above the first point; the
 * lowest of these points is at -(s + dt w)^2 / (2 k). So the gap closes less than dt u_N by
 *
 *     rise = dt^2/2 a . e - (s + dt w)^2 / (2 k).
 *
 * Beyond the end of the element the rod has another curvature than k. The true position of the rod beyond the element is
 * therefore computed. If the true position differs from the prediction with k by more than half, the rod is not round beyond the
 * element, and the rule is not applied. Other parts of the rod that move towards the obstacle have contacts of their own. Without
 * a test of the true position, the rule failed for a limp ring folded to a corner, with a nearly straight element beside the
 * corner. The rule predicted that the far end of the straight element would rise by a rotation that the limp ring does not have,
 * and the corner struck the ground with 2 m/s (capstan-bench random, seed 959: 3 J gained). For the lowest point of a rolling
 * ring, the two terms of the rise cancel.
 *
 * The end of an element beside the nearest point, with a gap and a slope that the curvature explains, is not a contact of a
 * rolling rod. The end of an element beside the nearest point moves down while the nearest point of the rod moves up. A contact
 * at the end of the element would push ahead of the point where the rod touches, and its moment would brake the rod. A contact at
 * the end of the element would push as soon as the nearest point penetrates a little: a penetration is removed only by a fraction
 * in each step, while an open gap must not become negative.
 *
 * A ring that lands with 60 rad/s, dt = 1 ms, rolls away with 0.999 to 1.001 of the right speed (tests/test_world_ring.c).
 * If the rise is neglected, this ring gets only 0.93 to 0.95 of the right speed; with contacts at the ends of its elements it
 * gets 0.988 (64 elements) or 0.974 (128 elements). */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the rise of side a of a contact with an obstacle to its row, and stores whether the contact is the nearest point. `at`:
 * the material point of side a; `motion`: the motion of this point. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Returns true if contact i of the set is beside the nearest point of a turning rod, and the nearest point is in the set as well. */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
