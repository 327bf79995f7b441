/* Two quick tests that can show that two bent segments have no contact, so that the search for minima of their distance is not
 * needed.
 *
 * The first test finds points y of one segment (called the first) that lie so far beyond an end of the other segment (the second)
 * that they have no contact with it. Symbols:
 *     `y`: point of the first segment.
 *     `x(t)`: point of the second segment, t from 0 to 1.
 *     `h`: arc length of the second segment.
 *     `kappa`: upper bound for the curvature of the second segment.
 *     `D`: distance of the two curves up to which the search must find all contacts.
 *     `level`: tolerance for the slope of the distance along a curve.
 *     `c = kappa*(D+0.55*h)`.
 *     `phi(t) = (y-x(t)).x'(t)`.
 *
 * If a point y of the first segment has a contact with an inner point x(t) of the second segment, the vector y - x(t) is
 * perpendicular to the tangent: phi(t) = (y - x(t)).x'(t) = 0. Between the start x(0) of the second segment and the contact
 * point, the points of the second segment are on average at most D + 0.55 h away from y (D: search distance; h: arc length of the
 * second segment). Between the start of the second segment and its contact point with y, the mean derivative of phi(t) = (y -
 * x(t)).x'(t) is therefore within these limits:
 *     `phi' = -h^2+(y-x).x''`.
 *     `-h^2*(1+c) <= phi' <= -h^2*(1-c)`.
 *
 * The search accepts a contact point up to a tenth of a segment length beyond an end of its segment. At a joint, the end of a
 * segment is also a contact point if the distance from the point y of the other segment hardly decreases beyond this end: by at
 * most `level` per unit of arc length. If a point y of the first segment has a contact with the second segment x(t), the number
 * phi(0) = (y - x(0)).x'(0) is at least:
 *     `-1.1*h^2*max(c-1,0)`: contact at t > 0.
 *     `-0.1*h^2*(1+c)`: contact at t < 0.
 *     `-level*D*h`: contact at a joint.
 *
 * If phi(0) = (y - x(0)).x'(0) is below all three bounds (contact at t > 0, at t < 0, at a joint), the point y has no contact
 * with the second segment. Such a point y is called `past` the start of the second segment. The code compares phi(0) = (y -
 * x(0)).x'(0) with only one limit: the bound for a contact at a joint plus the lower one of the bounds for contacts at t > 0 and
 * t < 0. All three bounds for phi(0) are zero or negative, so the limit, a sum of two of them, is at most as large as each of
 * them. For the end x(1) of the second segment, the code tests -(y - x(1)).x'(1) in place of phi(0) = (y - x(0)).x'(0).
 *
 * Two segments have no contact if all points y of the first segment are `past` the same end of the second segment (so far beyond
 * this end that they have no contact with it). In place of all points y of the first segment, the code tests the two ends of its
 * chord, shifted towards the curve (cst_segment.line). The test of the two ends is valid for the whole chord, because (y -
 * x(0)).x'(0) and (y - x(1)).x'(1) are linear in y. The curve of the first segment may be as far as cst_segment.wide from its
 * shifted chord, so the limit for phi(0) is lowered by h times cst_segment.wide (h: arc length of the second segment). The first
 * test is not made at an end of the whole centreline, nor at the start of a centreline piece at a corner, because no neighbouring
 * segment finds contacts there.
 *
 * The second test uses the unit vector n between the nearest points of the chords of the two segments, each shifted towards its
 * curve. Two segments have no contact if, along n, their curves are farther apart than the sum of their radii and the search
 * margin. The deviation of a curve from its shifted chord along n is bounded with a triangle: all vectors from the chord to the
 * segment's cubic lie in this triangle (centreline.h). */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes the limits pair->past, with which cst_pair_is_past finds points that lie too far beyond an end of a segment for a
 * contact. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of segment 1 - i lies so far beyond an end of segment i that it has no contact with segment i. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if one of the two quick tests shows that the two segments have no contact. `nearest`: nearest points of the chords
 * of the two segments, each shifted towards its curve (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
