/* Quick tests that show that two bent segments have no contact, before any minimum of their distance is searched.
 *
 * Let x(t), with t in [0, 1], be a bent segment of arc length h, kappa an upper bound for its curvature, and x' = dx/dt, a vector
 * of length h. Let y be a point of the other segment of the pair. If the point y has a contact with the inner point x(t) of the
 * segment, the function
 *     `phi(t) = (y-x(t)).x'(t)`
 * is zero at t. The derivative of phi lies between h^2 (-1 - c) and h^2 (-1 + c), where c is kappa times the largest distance of
 * y from a point of the segment. Only contacts at distances below D matter. At a contact at a distance below D, the mean distance
 * of the point y from the points of the segment between x(0) and the contact is at most D + 0.55 h, so the factor c in the bounds
 * for the derivative of phi can be set to
 *     `c = kappa*(D+0.55*h)`.
 *
 * Contacts are accepted a little outside a segment, by less than a tenth of its length. If y has a contact at t > 0, phi(0) is at
 * least -1.1 h^2 (c - 1) for c > 1, and at least 0 otherwise. If y has a contact at t < 0, phi(0) is at least -0.1 h^2 (1 + c).
 * If x(0) is a joint of two centreline pieces, x(0) is also a contact if the slope of the distance there is at most `level`; then
 * phi(0) is at least -level D h. If phi(0) is less than the bounds for all three kinds of contact, the point y is `past` the
 * start of the segment, and has no contact with the segment. The test at the end of the segment is the same, with phi(1) and the
 * opposite sign. Since phi(0) is linear in y, it is enough to test the two ends of a straight line near the other segment
 * (cst_segment.line). If all points of the other segment are past one end of a segment, the two segments have no contact. The
 * test with phi is not used at an end of a segment where the centreline ends or has a corner.
 *
 * Two segments also have no contact if they are apart along the unit vector n that joins the nearest points of their straight
 * lines (cst_segment.line). The deviation of a segment's cubic from its straight line lies in a known triangle (centreline.h); in
 * most cases the extent of the triangle along the vector n between the nearest points is smaller than its width. */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of the other segment is past one end of segment i, so that it has no contact with this segment. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if the quick tests show that the two segments have no contact. `nearest`: nearest points of their straight lines
 * (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
