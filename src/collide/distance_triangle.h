/* Nearest points of a triangle to a point and to a segment.
 *
 * If the projection of a point onto the plane of a triangle lies inside the triangle, the projection is the nearest point; if
 * not, the nearest point is on an edge. The distance between a segment and a triangle is 0 if the segment pierces the triangle.
 * If the segment does not pierce the triangle, the nearest point of the segment is one of its ends or the point nearest to an
 * edge of the triangle. A triangle without area is treated as its three edges. */
#ifndef CST_COLLIDE_DISTANCE_TRIANGLE_H
#define CST_COLLIDE_DISTANCE_TRIANGLE_H

#include <stdbool.h>

/* The face, the edge from corner k to corner k + 1, or the corner k of a triangle. */
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

enum { CST_EDGE_LANES = 4 };

/* A triangle prepared for many distance computations. */
typedef struct cst_laid_triangle {
    double corner[9];  /* (3 x 3) */
    double edge[3][3]; /* from corner k to the next */
    double square[3];  /* of their lengths */
    double area[3];    /* twice the area vector */
    double normal[3];  /* its direction */
    bool has_area;
    /* for each of the three edges, and for a copy of the first edge as fourth entry: start, vector along the edge, squared
     * length */
    double from[3][CST_EDGE_LANES], along[3][CST_EDGE_LANES], squares[CST_EDGE_LANES];
} cst_laid_triangle;

/* corner: (3 x 3) */
void cst_lay_triangle(const double *corner, cst_laid_triangle *out);
cst_on_triangle cst_point_laid_triangle(const double *x, const cst_laid_triangle *triangle);

cst_on_triangle cst_point_triangle(const double *x, const double *corner);

/* Returns the distance (m) between a triangle and the segment from p0 to p1; the nearest point of the segment is p0 + s (p1 -
 * p0). */
double cst_segment_laid_triangle(const double *p0, const double *p1, const cst_laid_triangle *triangle, double *s);
double cst_segment_triangle(const double *p0, const double *p1, const double *corner, double *s);

#endif
