/* Start points for the search of all local minima of the distance of two curved segments.
 *
 * Symbols of the distance:
 *     `f(s, t)`: half the squared distance of the point s of the first segment and the point t of the second segment.
 *     `t(s)`: the point of the second segment that is nearest to the point s of the first segment.
 *     `g(s)`: slope of half the squared distance f(s, t(s)) along the first segment.
 *
 * The derivative of f with respect to t is zero at a nearest point t(s). The slope g of half the squared distance is therefore:
 *     `g(s) = f_s(s, t(s))`.
 *
 * A local minimum of the distance lies where the slope g of half the squared distance changes from negative to positive, or at
 * an end of a segment. The shorter one of the two segments is the first one. The slope g is sampled at equally spaced points of
 * the first segment, in vector registers. For each sample of the first segment, the nearest one of equally spaced samples of
 * the second segment is the start of Newton's method for the nearest point t(s).
 *
 * Start points are written:
 *     - between two neighbouring samples of the first segment, if the slope g may change from negative to positive there;
 *     - at two neighbouring samples of the first segment, if the slope g is so near zero that it may have two zeros between
 *       them;
 *     - at each sample of the second segment that is locally nearest to a sample of the first segment, if there are
 *       several;
 *     - at the last sample of a branch of nearest points, if the slope g may have a zero between this sample and the end of
 *       the branch.
 *
 * The slope g of half the squared distance counts as near zero if |g| is below the sum of two bounds. The first bound is a
 * multiple of the second difference of the samples of g. The second bound is the error of g that results from the quartics that
 * approximate the curves.
 *
 * The nearest points t(s) may form several branches if the two segments are farther apart than the radius of curvature of the
 * second segment. A branch of nearest points may end at an inner point of the first segment, or where t(s) reaches an end of
 * the second segment. */
#ifndef CST_COLLIDE_CURVE_VALLEY_H
#define CST_COLLIDE_CURVE_VALLEY_H

#include "collide/curve_meeting.h"

/* CST_VALLEY_BEYOND: length by which the quartic of a segment is extended beyond an end of the segment at which the curve
 * continues, in units of the length of the segment. */
#define CST_VALLEY_BEYOND 0.3

enum { CST_VALLEY_STARTS = 16 };

typedef struct cst_valley {
    const cst_quartics *quartic;
    const double *low, *high; /* search interval on each curve */
    double h[2];              /* arc length of each segment (m) */
    /* bound (m2) for the error of the slope g of half the squared distance that is due to approximating the curves by quartics */
    double slack;
    double reach; /* largest distance (m) of needed minima */
} cst_valley;

/* Writes at most CST_VALLEY_STARTS start points (pairs of positions, one on each curve) and returns their number. At a start
 * point, the distance of the two curves exceeds valley->reach by at most about the distance of two neighbouring samples. */
int cst_valley_starts(const cst_valley *valley, double start[][2]);

enum { CST_VALLEY_NEAREST = 4 };

/* Finds start points for the search of those points of curve i (0 or 1) in [low, high] that are locally nearest to the point x.
 * Points of curve i that are farther than `reach` (m) from the point x are left out. If the squared distance from x varies by
 * less than `level` (m2) in [low, high], one start point is written even without a local minimum of the distance. Writes at
 * most CST_VALLEY_NEAREST start points and returns their number. */
int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high, double reach, double level,
                       double *start);

#endif
