/* Nearest points of a triangle to a point and to a segment.
 *
 * A point is nearest to a corner, to an edge or to the face, told apart by the signs of dot products with the edges (the regions
 * of the plane of the triangle). A segment is nearest where it pierces the face, or at one of its ends, or at an edge of the
 * triangle: the least of these. Degenerate triangles (a segment, a point) are their edges. */
#ifndef CST_COLLIDE_DISTANCE_TRIANGLE_H
#define CST_COLLIDE_DISTANCE_TRIANGLE_H

/* Where on a triangle: the face, edge k from corner k to k + 1, or corner k. */
typedef enum cst_triangle_part {
    CST_TRIANGLE_FACE = 0,
    CST_TRIANGLE_EDGE, /* + k */
    CST_TRIANGLE_CORNER = CST_TRIANGLE_EDGE + 3
} cst_triangle_part;

typedef struct cst_on_triangle {
    double x[3]; /* nearest point of the triangle */
    double distance;
    int part; /* cst_triangle_part, + k */
} cst_on_triangle;

/* corner: (3 x 3) */
cst_on_triangle cst_point_triangle(const double *x, const double *corner);

/* Distance, and s in [0, 1] of the nearest point of p0 p1. */
double cst_segment_triangle(const double *p0, const double *p1, const double *corner, double *s);

#endif
