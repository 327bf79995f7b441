/* Points, segments and triangles whose corners move straight from one place to another: did one go through the other? And how far are
 * segments apart now? Written for the check of random worlds alone: nothing here is shared with the detection that it checks.
 *
 *     point, triangle   the point in the affine frame of the triangle (two edges and the unit normal), before and after: its height changes
 *                       sign, and where it does the point is within the triangle
 *     point, segment    the same in the plane
 *     segment, segment  det(p1 - p0, q1 - q0, q0 - p0) is a cubic of time; at each root in [0, 1] the segments meet or pass by
 *
 * Points of a body move along curves, not straight lines; from one step to the next the difference is small beside a radius. */
#ifndef CST_VALIDATE_WORLDS_SWEPT_H
#define CST_VALIDATE_WORLDS_SWEPT_H

#include <stdbool.h>

/* before and after: places of the corners, 3 numbers each. */
typedef struct cst_moving {
    const double *before, *after;
} cst_moving;

bool cst_swept_point_triangle(cst_moving point, const cst_moving corner[3]);
bool cst_swept_point_segment(cst_moving point, const cst_moving end[2]); /* plane */
bool cst_swept_segments(const cst_moving p[2], const cst_moving q[2]);

/* Distances now. Segments may be points. */
double cst_apart_segments(const double *p0, const double *p1, const double *q0, const double *q1);
double cst_apart_point_triangle(const double *x, const double *a, const double *b, const double *c);

#endif
