/* Quick tests that show that two bent segments have no contact, before any minimum of their distance is searched.
 *
 * Let x(t) be a segment of arc length h with the position t in [0, 1], kappa an upper bound for its curvature, and x' the
 * derivative with respect to t, of length h. Let y be a point of the other segment. At a contact of y inside the segment, the
 * function
 *     `phi(t) = (y-x(t)).x'(t)`
 * is zero. Its derivative lies within h^2 (-1 + c) and h^2 (-1 - c), where c = kappa times the largest distance of y from a point
 * of the segment. Only contacts nearer than a distance D matter, and the mean distance of such a point y from the points between
 * x(0) and the contact is at most D + 0.55 h:
 *     `c = kappa*(D+0.55*h)`.
 *
 * Contacts are accepted a little outside a segment, by less than a tenth of its length. If a contact is at t > 0, phi(0) is at
 * least -1.1 h^2 (c - 1) or at least 0. If it is at t < 0, phi(0) is at least -0.1 h^2 (1 + c). At a joint of centreline pieces,
 * where x(0) itself is a contact if the slope of the distance is at most `level`, phi(0) is at least -level D h. If phi(0) is less
 * than all of these bounds, the point y is `past` the start of the segment, and has no contact with the segment. The end of the
 * segment has the same test with the other sign. Since phi(0) is linear in y, it is enough to test the two ends of a line near the
 * other segment (cst_segment.line): if all points of the other segment are past one end of the segment, the two segments have no
 * contact. The test is not used at an end where the centreline ends or has a corner.
 *
 * Segments are also apart if they are apart along the direction n of the nearest points of their lines. The deviation of a
 * segment's cubic from its line lies in a known triangle (centreline.h), whose extent along n is smaller than its width in most
 * cases. */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes pair->past. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of the other segment is past one end of segment i. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if the two segments have no contact. `nearest`: nearest points of their lines. */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
