/* Computes the nearest points of two straight segments p0 p1 and q0 q1.
 *
 * The points of the two segments are p(s) = p0 + s d1 and q(t) = q0 + t d2, with the parameters s and t in [0, 1]. The squared
 * distance |p(s) - q(t)|^2 of a point of one segment and a point of the other is a convex quadratic in s and t. Without the
 * bounds of the parameters s and t, the squared distance of the two straight lines is least at:
 *     `s = (b*e-c*d2.d2)/(d1.d1*d2.d2-b^2)`.
 *     `t = (b*s + e)/d2.d2`.
 *     `b = d1.d2`.
 *     `c = d1.(p0 - q0)`.
 *     `e = d2.(p0 - q0)`.
 *
 * The parameters of the nearest points are clamped to [0, 1]: first s, then t (computed from the clamped s), then s again
 * (computed from the clamped t). Source: docs/maths_rods.md, section 5. For nearly parallel segments, the formulas for s and t
 * are inaccurate, so the least distances with s = 0, s = 1, t = 0 and t = 1 are computed too, and the smallest distance of all
 * is taken. */
#ifndef CST_COLLIDE_DISTANCE_SEGMENT_H
#define CST_COLLIDE_DISTANCE_SEGMENT_H

#include <stdbool.h>

typedef struct cst_segments {
    double s, t; /* parameters of the nearest points; for parallel segments, the middle of the overlap */
    double distance;
    bool parallel;         /* true: the distance is constant (up to rounding) along an overlap longer than a point */
    double from[2], to[2]; /* parameters (s, t) of the two segments at both ends of the overlap of parallel segments */
} cst_segments;

cst_segments cst_segment_segment(const double *p0, const double *p1, const double *q0, const double *q1);

/* Returns the position s in [0, 1] of the point of the segment p0 p1 that is nearest to x. */
double cst_point_segment(const double *x, const double *p0, const double *p1);

#endif
