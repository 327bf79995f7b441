/* Quick tests that show that two bent segments have no contact, before any minimum of their distance is searched.
 *
 * The first of the two quick tests finds points y of one segment that lie beyond an end of the other segment and therefore have
 * no contact with it. Symbols:
 *     `x(t)`: other segment, t in [0,1].
 *     `h`: arc length of x(t).
 *     `kappa`: bound for its curvature.
 *     `phi(t) = (y-x(t)).x'(t)`.
 *     `D`: search distance.
 *     `c = kappa*(D+0.55*h)`.
 *     `level`: tolerance for the slope.
 *
 * If the point y has a contact with an inner point x(t) of the other segment, the function phi(t) = (y - x(t)) . x'(t) is zero.
 * From the start x(0) of the segment x(t) to the contact point, the mean derivative of phi(t) = (y - x(t)) . x'(t) is between
 * -h^2 (1 + c) and -h^2 (1 - c), with the length h of the segment x(t) and c = kappa (D + 0.55 h) (kappa: bound for the curvature,
 * D: search distance). The length D + 0.55 h, with the search distance D and the length h of the segment, bounds the mean
 * distance of the point y from the points of the segment between x(0) and the contact point. A point up to a tenth of the
 * segment's length beyond an end of the segment is accepted as a contact point. The end of a segment at a joint of two
 * centreline pieces is also accepted as a contact point if the distance to the point y decreases only slightly from this end
 * along the segment, with a slope of at most `level`. If the point y has a contact with the other segment x(t), the value
 * phi(0) = (y - x(0)) . x'(0) is at least:
 *     `-1.1*h^2*max(c-1,0)`: contact at t>0.
 *     `-0.1*h^2*(1+c)`: contact at t<0.
 *     `-level*D*h`: contact at a joint.
 *
 * If phi(0) = (y - x(0)) . x'(0) is below the lowest of the bounds for a contact at t > 0, at t < 0 and at a joint, the point y
 * has no contact with the other segment x(t); y is then called `past` the start of this segment. The code compares phi(0) with
 * a slightly lower limit: the bound for a joint plus the lower of the bounds for t > 0 and t < 0. The test at the end t = 1 of
 * a segment x(t) is the same as at its start, with phi(1) = (y - x(1)) . x'(1) in place of phi(0) and with the opposite sign.
 * If both ends of a straight line are past an end of a segment, all points y between them are past it too, because phi(0) and
 * phi(1) are linear functions of y. For a curved segment, the code tests the two ends of its straight line (cst_segment.line),
 * with a margin for the largest distance of the curve from this line (cst_segment.wide). If all points of one segment are past
 * one end of the other segment, the two segments have no contact. The test for points past an end of a segment is left out at
 * both ends of the whole centreline, and at a corner where a centreline piece begins.
 *
 * The second quick test uses the unit vector n that joins the nearest points of the straight lines of both segments
 * (cst_segment.line): two segments have no contact if, along n, they are farther apart than the search distance. For each
 * segment, an upper bound of the distance along n between its curve and its straight line follows from a triangle that contains
 * all deviations of the curve's approximating cubic from the chord (centreline.h). */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of the other segment is past one end of segment i, so that it has no contact with this segment. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if the quick tests show that the two segments have no contact. `nearest`: the nearest points of two straight
 * lines, one for each segment: each line approximates the curve of its segment (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
