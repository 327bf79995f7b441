/* Nearest points of two straight segments p0 p1 and q0 q1.
 *
 * With p(s) = p0 + s d1, q(t) = q0 + t d2, s and t in [0, 1], w = p0 - q0, |p(s) - q(t)|^2 is a convex quadratic:
 *
 *     s = (b e - c d2.d2 ) / (d1.d1 d2.d2 - b^2),   b = d1.d2, c = d1.w, e = d2.w,      t = (b s + e) / d2.d2,
 *
 * brought into the square: t first, then s for that t. Source: docs/maths_rods.md, section 5; checked there and here against
 * vectors. The least of the interior point and of the four edges of the square is taken, so that nearly parallel segments lose
 * no digits. */
#ifndef CST_COLLIDE_DISTANCE_SEGMENT_H
#define CST_COLLIDE_DISTANCE_SEGMENT_H

#include <stdbool.h>

typedef struct cst_segments {
    double s, t; /* nearest points; parallel: the middle of the overlap */
    double distance;
    bool parallel;         /* the distance is the same (to rounding) along an overlap of more than a point: */
    double from[2], to[2]; /* (s, t) at both of its ends */
} cst_segments;

cst_segments cst_segment_segment(const double *p0, const double *p1, const double *q0, const double *q1);

/* s in [0, 1] of the point of p0 p1 nearest to x. */
double cst_point_segment(const double *x, const double *p0, const double *p1);

#endif
