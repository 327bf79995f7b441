/* Quick tests that show that two bent segments have no contact, before any minimum of their distance is searched.
 *
 * The first test finds points y of one segment that lie beyond an end of the other segment and therefore have no contact with it.
 * Symbols:
 *     `x(t)`: other segment, t in [0,1].
 *     `h`: arc length of x(t).
 *     `kappa`: bound for its curvature.
 *     `phi(t) = (y-x(t)).x'(t)`.
 *     `D`: search distance.
 *     `c = kappa*(D+0.55*h)`.
 *     `level`: tolerance for the slope.
 *
 * If the point y has a contact with an inner point x(t) of the other segment, the function phi(t) = (y - x(t)) . x'(t) is zero.
 * The mean derivative of phi, from the start x(0) of the other segment to the contact point of y, is between -h^2 (1 + c) and
 * -h^2 (1 - c), with c = kappa (D + 0.55 h). Before the contact point, the mean distance of the point y from the segment is at
 * most D + 0.55 h, where D is the search distance and h the length of the segment. Contacts are accepted a little outside a
 * segment, by less than a tenth of its length. At a joint of two centreline pieces, the end of a segment is also a contact if the
 * slope of the distance there is at most the tolerance `level`. If the point y has a contact with the other segment x(t), the
 * value phi(0) = (y - x(0)) . x'(0) is at least:
 *     `-1.1*h^2*max(c-1,0)`: contact at t>0.
 *     `-0.1*h^2*(1+c)`: contact at t<0.
 *     `-level*D*h`: contact at a joint.
 *
 * If phi(0) is less than all three lower bounds for a contact, the point y is `past` the start of the other segment and has no
 * contact with it. The test at the end t = 1 of a segment is the same as at its start t = 0, with phi(1) in place of phi(0) and
 * with the opposite sign. Since phi(0) = (y - x(0)) . x'(0) is a linear function of the point y, it is enough to test two points
 * y: the ends of a straight line near the segment of y (cst_segment.line). If all points of one segment are past one end of the
 * other segment, the two segments have no contact. No point counts as past an end of a segment at which the centreline ends or
 * has a corner.
 *
 * Two segments also have no contact if they are apart along the unit vector n that joins the nearest points of their straight
 * lines (cst_segment.line). Along n, the distance of a segment's curve from its straight line is bounded with the triangle that
 * contains the deviation of the curve from its chord (centreline.h). */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of the other segment is past one end of segment i, so that it has no contact with this segment. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if the quick tests show that the two segments have no contact. `nearest`: nearest points of the two straight lines
 * that are near the segments (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
