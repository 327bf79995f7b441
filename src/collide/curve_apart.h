/* Two quick tests that show that two bent segments have no contact, before any minimum of the distance between their curves is
 * searched.
 *
 * The first test finds points of one segment that lie so far beyond an end of the second segment that they have no contact with
 * the second segment. Symbols:
 *     `y`: point of the first segment.
 *     `x(t)`: point of the second segment at the position t, which runs from 0 to 1.
 *     `h`: arc length of the second segment.
 *     `kappa`: upper bound for the curvature of the second segment.
 *     `D`: search distance, up to which contacts are searched.
 *     `level`: slope of the distance along a curve below which the distance counts as constant.
 *     `c = kappa*(D+0.55*h)`.
 *     `phi(t) = (y-x(t)).x'(t)`.
 *
 * At a contact of the point y with an inner point x(t), the vector y - x(t) is perpendicular to the curve, so phi(t) = 0. The
 * speed |x'| is h, and |x''| is at most kappa h^2, so the derivative of phi = (y - x).x' is:
 *     `phi' = -h^2+(y-x).x''`.
 *
 * Between the start of the second segment and the contact point, the distance |y - x| is on average at most D + 0.55 h. The mean
 * of phi' over this part of the segment is therefore between -h^2 (1 + c) and -h^2 (1 - c).
 *
 * A contact point is accepted up to a tenth of a segment length beyond an end of its segment. An end of a segment at a joint is
 * also accepted if the distance to the point y decreases away from this end with a slope of at most `level`. A point y that has a
 * contact with the second segment satisfies one of three bounds for phi(0) = (y - x(0)).x'(0):
 *     `phi(0) >= -1.1*h^2*max(c-1,0)`: contact at t > 0.
 *     `phi(0) >= -0.1*h^2*(1+c)`: contact at t < 0.
 *     `phi(0) >= -level*D*h`: contact at a joint.
 *
 * A point y is called `past` the start of the second segment if phi(0) is so low that all three bounds are violated. The code
 * compares phi(0) with a slightly lower limit: the bound for a joint plus the lower one of the bounds for t > 0 and t < 0. The
 * test at the end t = 1 of the second segment uses phi(1) instead of phi(0), with the opposite sign.
 *
 * The function phi(0) is linear in y: if both ends of a straight line are past an end of a segment, the whole line is. For a
 * curved first segment, the test uses the two ends of its straight line (cst_segment.line). The limit for phi(0) is then lowered
 * by h times the largest distance of the curve from its straight line (cst_segment.wide). The test is left out at the ends of the
 * whole centreline, and at the start of a centreline piece if there is a corner.
 *
 * The second test uses the unit vector n that joins the nearest points of the two straight lines (cst_segment.line). The two
 * segments have no contact if their curves are farther apart along n than the search distance. The deviations of a segment's
 * cubic from the chord lie in a triangle (centreline.h). This triangle gives an upper bound for the distance along n between the
 * curve and its straight line. */
#ifndef CST_COLLIDE_CURVE_APART_H
#define CST_COLLIDE_CURVE_APART_H

#include "collide/curve_pair.h"
#include "collide/distance_segment.h"

/* Computes, for each end of the two segments, the limit pair->past for phi at which a point lies past this end. */
void cst_pair_find_past(cst_curve_pair *pair);

/* Returns true if the point y of segment 1 - i is past an end of segment i: y then has no contact with segment i. */
bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y);

/* Returns true if one of the two quick tests shows that the two segments have no contact. `nearest`: nearest points of the
 * straight lines of the two segments (cst_segment.line). */
bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest);

#endif
