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
 * If a point y of the first segment has a contact with an inner point x(t) of the second segment, phi(t) = (y - x(t)).x'(t), the
 * scalar product of their difference with the derivative x'(t), is zero. On the part of the second segment from its start x(0) to
 * a contact point x(t) with y, the mean distance from y is at most D + 0.55 h, with the search distance D and the arc length h of
 * the second segment. From the start of the second segment x(t) to its contact with a point y of the first segment, the mean
 * derivative of phi(t) = (y - x(t)).x'(t) is therefore within these limits:
 *     `phi' = -h^2+(y-x).x''`.
 *     `-h^2*(1+c) <= phi' <= -h^2*(1-c)`.
 *
 * A contact point is accepted up to a tenth of a segment length beyond an end of its segment. An end of a segment at a joint is
 * also accepted as a contact point if the distance to the point y of the other segment decreases away from this end with a slope
 * of at most `level`. If a point y of the first segment has a contact with the second segment x(t), the number phi(0) = (y -
 * x(0)).x'(0) is at least:
 *     `-1.1*h^2*max(c-1,0)`: contact at t > 0.
 *     `-0.1*h^2*(1+c)`: contact at t < 0.
 *     `-level*D*h`: contact at a joint.
 *
 * A point y of the first segment is called `past` the start x(0) of the second segment x(t) if (y - x(0)).x'(0) is below the
 * bounds for all three kinds of contact (at t > 0, at t < 0, at a joint): y then has no contact with the second segment. Instead
 * of the three bounds, the code uses a single limit, which is not above any of them: the bound for a contact at a joint plus the
 * lower one of the bounds for contacts at t > 0 and t < 0. At the end x(1) of the second segment x(t), a point y of the first
 * segment is tested with -(y - x(1)).x'(1) instead of (y - x(0)).x'(0).
 *
 * Two segments have no contact if all points y of the first segment are `past` the same end of the second segment (so far beyond
 * this end that they have no contact with it). Because (y - x(0)).x'(0) and (y - x(1)).x'(1), with the ends x(0) and x(1) of the
 * second segment, are linear in the point y, only the two ends of the first segment's straight line (cst_segment.line) are
 * tested. The curve of the first segment may be as far as cst_segment.wide from this straight line, so the limit of the test is
 * lowered by h times cst_segment.wide, with the arc length h of the second segment. The test whether all points of a segment are
 * past an end of the other segment is left out at the ends of the whole centreline, and at the start of a centreline piece if
 * there is a corner.
 *
 * The second quick test uses the unit vector n that joins the nearest points of the straight lines of the two segments. Two
 * segments have no contact if, along the unit vector n between their straight lines, their curves are farther apart than the
 * search distance. A triangle that contains the deviations of a segment's cubic from the chord (centreline.h) gives an upper
 * bound for the distance, along a unit vector, between the segment's curve and its straight line. */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past, the limits with which cst_pair_is_past finds points beyond an end of a segment. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of segment 1 - i lies so far beyond an end of segment i that it has no contact with segment i. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if one of the two quick tests shows that the two segments have no contact. `nearest`: nearest points of the
 * straight lines of the two segments (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
