/* Start points for the search of all local minima of the distance of two curved segments.
 *
 * Let f(s, t) be half the squared distance of the point s of the first segment and the point t of the second segment. Let t(s) be
 * the point of the second segment that is nearest to the point s of the first segment. The valley of the distance is the curve of
 * all pairs (s, t(s)) of a point s and its nearest point t(s). The derivative of f(s, t) with respect to t is zero at t = t(s),
 * so f(s, t(s)) has the derivative
 *     `g(s) = f_s(s, t(s))`.
 *
 * A local minimum of the distance lies where the derivative g of half the squared distance along the first segment changes from
 * negative to positive, or at an end of one of the curves. The first segment is the shorter one of the two segments. The function
 * cst_valley_starts samples the derivative g of half the squared distance at equally spaced points of the first segment, called
 * rows, in vector registers. For each row, the nearest point t(s) is first searched among equally spaced points of the second
 * segment, called columns, and then by Newton's method.
 *
 * The function cst_valley_starts returns one start point between two neighbouring samples if the derivative g of half the squared
 * distance may change its sign between them. An interval between two samples also gets a start point if the derivative g of half
 * the squared distance is near zero at both samples, because g may then have two zeros in the interval. The derivative g counts
 * as near zero if |g| is below a limit, which is computed from the second differences of the samples of g and from the error of
 * the quartics that approximate the curves.
 *
 * A point of the first segment has only one locally nearest point on the second segment if it is nearer to the second segment
 * than that segment's radius of curvature. If the two segments are farther apart than the second segment's radius of curvature,
 * the curve t(s) of nearest points (the valley of the distance) may have several branches, and a branch may end at an inner
 * point of the first segment. A branch of nearest points t(s) also ends where t(s) reaches an end of the second segment. The
 * last sample of a branch of nearest points t(s) is a start point if the derivative g of half the squared distance may have a
 * zero between this sample and the end of the branch. If a point of the first segment (a row) has several locally nearest
 * sampled points on the second segment (columns), each of them is a start point. */
#ifndef CST_COLLIDE_CURVE_VALLEY_H
#define CST_COLLIDE_CURVE_VALLEY_H

#include "collide/curve_meeting.h"

/* If a curve continues beyond an end of its segment, the quartic of the segment is extended there by CST_VALLEY_BEYOND times the
 * length of the segment. */
#define CST_VALLEY_BEYOND 0.3

enum { CST_VALLEY_STARTS = 16 };

typedef struct cst_valley {
    const cst_quartics *quartic;
    const double *low, *high; /* array (2): search interval of each curve */
    double h[2];              /* arc length of each segment (m) */
    /* bound (m2) for the error of the derivative g that is due to approximating the curves by quartics */
    double slack;
    double reach; /* largest distance of the two curves (m) at which minima of the distance are needed */
} cst_valley;

/* Writes at most CST_VALLEY_STARTS start points for the search of local minima of the distance, and returns their number. A start
 * point is a pair of positions, one on each curve. The two points of a start point are nearer to each other than valley->reach
 * plus about the distance of two neighbouring sample points. */
int cst_valley_starts(const cst_valley *valley, double start[][2]);

enum { CST_VALLEY_NEAREST = 4 };

/* Finds start points for the search of the points of curve i (0 or 1) in [low, high] that are locally nearest to the point x.
 * Start points on the curve that are farther than `reach` (m) from the given point x are omitted. If the squared distance of the
 * point x from the curve varies by less than `level` (m2) along the search interval, one start point is written even if the
 * distance has no minimum inside the interval. Writes at most CST_VALLEY_NEAREST start points and returns their number. */
int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high, double reach, double level,
                       double *start);

#endif
