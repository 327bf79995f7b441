/* Start points for the search of all local minima of the distance of two curved segments.
 *
 * Let f(s, t) be half the squared distance of the point s of the first segment and the point t of the second segment. For each
 * s, let t(s) be the nearest point of the second segment. The valley of f is the curve (s, t(s)). The distance along the valley
 * has the derivative
 *     `g(s) = f_s(s, t(s))`.
 *
 * A local minimum of f lies where g changes its sign from negative to positive, or at an end of the first segment. The function
 * cst_valley_starts computes g at four equally spaced points s, all four at once in vector registers, and returns one start
 * point for each interval in which the sign may change. The function g may have two zeros in an interval at whose ends it has
 * the same sign: an interval is also taken if g is smaller at its ends than the second differences of g, or than the error of
 * the quartics that approximate the curves.
 *
 * The nearest point t(s) is unique if the distance is smaller than the radius of curvature of the second segment. For larger
 * distances (CST_VALLEY_BEND) the valley may have branches, and its start points may miss minima. */
#ifndef CST_COLLIDE_CURVE_VALLEY_H
#define CST_COLLIDE_CURVE_VALLEY_H

#include "collide/curve_meeting.h"

/* Largest product of curvature and distance for which the start points find all minima. */
#define CST_VALLEY_BEND 0.25

/* Share of a segment by which the quartic of a curve that goes on is extended. */
#define CST_VALLEY_BEYOND 0.3

enum { CST_VALLEY_STARTS = 3 };

typedef struct cst_valley {
    const cst_quartics *quartic;
    const double *low, *high;   /* (2) search interval of each curve */
    const double (*line[2])[3]; /* (2) ends of a line beside each segment */
    double slack;               /* m2: bound for the error of g, because the quartics differ from the curves */
    double sag;                 /* distance of both segments from their chords, as a share of the first segment's length */
    double reach;               /* m: minima with a larger distance are not needed */
} cst_valley;

/* Writes the start points (s, t), at most CST_VALLEY_STARTS, and returns their number, or -1 if the second curve ends beside the
 * first segment: then g has a kink, and its samples do not show all zeros. */
int cst_valley_starts(const cst_valley *valley, double start[][2]);

#endif
