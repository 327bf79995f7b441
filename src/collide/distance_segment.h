/* Computes the nearest points of two straight segments: the first from p0 to p1, the second from q0 to q1.
 *
 * The squared distance between the point p0 + s d1 of the first segment and the point q0 + t d2 of the second is a convex
 * quadratic function of s and t. For two infinite lines, the squared distance of the points p0 + s d1 and q0 + t d2 is least at
 * the following values of s and t:
 *     `s = (b*e-c*d2.d2)/(d1.d1*d2.d2-b^2)`.
 *     `t = (b*s + e)/d2.d2`.
 *     `d1 = p1 - p0`.
 *     `d2 = q1 - q0`.
 *     `b = d1.d2`.
 *     `c = d1.(p0 - q0)`.
 *     `e = d2.(p0 - q0)`.
 *
 * The nearest points must lie on the two segments, so their positions are clamped to [0, 1] in three steps: first s; then t,
 * computed from the clamped s; then s again, computed from this t. Source: docs/maths_rods.md, section 5. The formulas for the
 * positions s and t are inaccurate for nearly parallel segments. For nearly parallel segments, the distance from each end of a
 * segment to the other segment is computed, too, and the smallest distance is taken. */
#ifndef CST_COLLIDE_DISTANCE_SEGMENT_H
#define CST_COLLIDE_DISTANCE_SEGMENT_H

#include <stdbool.h>

typedef struct cst_segments {
    /* positions (0 to 1) of the nearest points on the two segments; parallel segments: positions of the middle of the overlap */
    double s, t;
    double distance;
    bool parallel;         /* true: the segments are parallel and lie side by side along an overlap longer than a point */
    double from[2], to[2]; /* parallel segments: start and end of the overlap, as positions (s, t) on the two segments */
} cst_segments;

cst_segments cst_segment_segment(const double *p0, const double *p1, const double *q0, const double *q1);

/* Returns the position (0 to 1) on the segment from p0 to p1 of the point nearest to x. */
double cst_point_segment(const double *x, const double *p0, const double *p1);

#endif
