/* Start points for the search of all local minima of the distance of two curved segments.
 *
 * Symbols of the distance:
 *     `f(s, t)`: half the squared distance of the point s of the first segment and the point t of the second segment.
 *     `t(s)`: the point of the second segment that is nearest to the point s of the first segment.
 *     `g(s)`: slope of half the squared distance f(s, t(s)) along the first segment.
 *
 * At a nearest point t(s), the derivative of half the squared distance f(s, t) with respect to t is zero, so the slope g along
 * the first segment is:
 *     `g(s) = f_s(s, t(s))`.
 *
 * A local minimum of the distance lies where the slope g of half the squared distance changes from negative to positive, or at
 * an end of a segment. The shorter one of the two segments is called the first segment. The slope g of half the squared
 * distance is sampled at equally spaced points of the first segment. The nearest point t(s) is found by Newton's method, which
 * starts at the nearest one of equally spaced samples of the second segment.
 *
 * A start point is placed between two neighbouring samples of the first segment if the slope g of half the squared distance is
 * clearly negative at one of them and clearly positive at the next. One or both of two neighbouring samples are start points if
 * the slope g of half the squared distance is so near zero that it may have two zeros between them. The slope g of half the
 * squared distance counts as near zero if |g| is below a limit, which depends on the second differences of the sampled slopes and
 * on the error of the quartics that approximate the curves.
 *
 * Along two segments that lie side by side, the distance hardly changes, so the slope g is near zero everywhere. If the samples
 * give many start points, the slopes g are computed again from the true curves in double precision, which are exact enough to
 * show where the slope changes its sign.
 *
 * If several samples of the second segment are locally nearest to a sample of the first segment, each of them gives a start
 * point. A range of s in which t(s) is continuous is called a branch of nearest points. The first or the last sample of a branch
 * is a start point if the slope g may have a zero between this sample and the adjacent end of the branch. If the two segments are
 * farther apart than the radius of curvature of the second segment, the points t(s) of the second segment that are nearest to the
 * points s of the first may form several continuous branches. A branch of nearest points may end at an inner point of the first
 * segment, or where the nearest point t(s) reaches an end of the second segment. */
#ifndef CST_COLLIDE_CURVE_VALLEY_H
#define CST_COLLIDE_CURVE_VALLEY_H

#include "collide/curve_meeting.h"

/* CST_VALLEY_BEYOND: length by which the quartic of a segment is extended beyond an end at which the curve continues, as a
 * share of the segment's length. */
#define CST_VALLEY_BEYOND 0.3

enum { CST_VALLEY_STARTS = 16 };

typedef struct cst_valley {
    const cst_quartics *quartic;
    const cst_curve_side *side; /* array (2): the two segments; NULL: the true curves are unknown */
    const double *low, *high;   /* search interval on each curve */
    double h[2];                /* arc length of each segment (m) */
    /* bound (m2) for the error of the slope g of half the squared distance that is due to approximating the curves by quartics */
    double slack;
    double reach; /* local minima of the distance above this value (m) are not searched */
} cst_valley;

/* Writes at most CST_VALLEY_STARTS start points (pairs of positions, one on each curve) and returns their number. Start points at
 * which the two curves are farther apart than valley->reach plus about the spacing of the samples are left out. */
int cst_valley_starts(const cst_valley *valley, double start[][2]);

enum { CST_VALLEY_NEAREST = 4 };

/* Finds start points for the search of those points of curve i (0 or 1) in [low, high] that are locally nearest to the point x.
 * Points of curve i that are farther than `reach` (m) from the point x are left out. If the squared distance of the curve from
 * the point x varies by less than `level` (m2) in [low, high], one start point is written even without a local minimum of the
 * distance. Returns the number of start points. */
int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high, double reach, double level,
                       double *start);

#endif
