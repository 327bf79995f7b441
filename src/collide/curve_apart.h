/* Two quick tests that show that two bent segments have no contact, before any minimum of the distance between their curves is
 * searched.
 *
 * The first test finds points y of a first segment that lie so far beyond an end of a second segment that they have no contact
 * with the second segment. Symbols:
 *     `y`: point of the first segment.
 *     `x(t)`: point of the second segment, t from 0 to 1.
 *     `h`: arc length of the second segment.
 *     `kappa`: upper bound for the curvature of the second segment.
 *     `D`: search distance for contacts.
 *     `level`: tolerance for the slope.
 *     `c = kappa*(D+0.55*h)`.
 *     `phi(t) = (y-x(t)).x'(t)`.
 *
 * At a contact of the point y with an inner point x(t) of the second segment, the function phi(t) = (y - x(t)).x'(t) is zero.
 * Between the start x(0) and the contact point x(t), the mean distance |y - x| is at most D + 0.55 h, with the search distance D
 * and the length h of the second segment. Between t = 0 and the contact point, the mean derivative of phi(t) = (y - x(t)).x'(t)
 * is therefore within these limits:
 *     `phi' = -h^2+(y-x).x''`.
 *     `-h^2*(1+c) <= phi' <= -h^2*(1-c)`.
 *
 * A contact point is accepted up to a tenth of a segment length beyond an end of its segment. An end of a segment at a joint is
 * also accepted as a contact point if the distance to the point y decreases away from this end with a slope of at most `level`.
 * If the point y has a contact with the second segment x(t), the number phi(0) = (y - x(0)).x'(0) is at least:
 *     `-1.1*h^2*max(c-1,0)`: contact at t > 0.
 *     `-0.1*h^2*(1+c)`: contact at t < 0.
 *     `-level*D*h`: contact at a joint.
 *
 * A point y is called `past` the start of the second segment if phi(0) = (y - x(0)).x'(0) is below the bounds for all three kinds
 * of contact (at t > 0, at t < 0, at a joint): y then has no contact with this segment. The code compares phi(0) with a single
 * limit, which is not above any of the three bounds: the bound for a contact at a joint plus the lower one of the bounds for
 * contacts at t > 0 and t < 0. At the end t = 1 of the second segment, the number -phi(1) = -(y - x(1)).x'(1) takes the place of
 * phi(0).
 *
 * Two segments have no contact if all points y of the first segment are `past` the same end of the second segment (so far beyond
 * this end that they have no contact with it). Because the tested numbers (y - x(0)).x'(0) and (y - x(1)).x'(1) are linear in y,
 * only the two ends of the first segment's straight line (cst_segment.line) are tested. The limit for the tested numbers is
 * lowered by h times the largest distance of the first segment's curve from its straight line (cst_segment.wide), with the arc
 * length h of the second segment. The test whether all points of a segment are past an end of the other segment is left out at
 * the ends of the whole centreline, and at the start of a centreline piece if there is a corner.
 *
 * The second quick test uses the unit vector n that joins the nearest points of the straight lines of the two segments. Two
 * segments have no contact if their curves are farther apart along n than the search distance. A triangle that contains the
 * deviations of a segment's cubic from the chord (centreline.h) gives an upper bound for the distance along n between the curve
 * and its straight line. */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past, the limits of the test for points beyond an end of a segment. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of segment 1 - i lies so far beyond an end of segment i that it has no contact with segment i. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if one of the two quick tests shows that the two segments have no contact. `nearest`: nearest points of the
 * straight lines of the two segments (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
