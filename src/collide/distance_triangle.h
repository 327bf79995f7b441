/* Nearest points of a triangle to a point and to a segment.
 *
 * The signs of dot products with the edges decide whether a corner, an edge or the face of a triangle is nearest to a point. The
 * distance between a segment and a triangle is 0 if the segment pierces the face. If the segment does not pierce the face, the
 * nearest point of the segment is one of its ends or the point nearest to an edge of the triangle. A degenerate triangle (a
 * segment, a point) is treated as its edges. */
#ifndef CST_COLLIDE_DISTANCE_TRIANGLE_H
#define CST_COLLIDE_DISTANCE_TRIANGLE_H

#include <stdbool.h>

/* Part of a triangle: the face, the edge from corner k to corner k + 1, or corner k. */
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

/* A triangle with precomputed quantities that every computation of a distance needs. */
typedef struct cst_laid_triangle {
    double corner[9];  /* (3 x 3) */
    double edge[3][3]; /* from corner k to the next */
    double square[3];  /* of their lengths */
    double area[3];    /* twice the area vector */
    double normal[3];  /* its direction */
    bool has_area;
    /* The three edges of the triangle in vectors of four entries, of which the fourth repeats the first edge: the coordinates of
     * the edge's start, the components of the vector along the edge, and its squared length. */
    double from[3][CST_EDGE_LANES], along[3][CST_EDGE_LANES], squares[CST_EDGE_LANES];
} cst_laid_triangle;

/* corner: (3 x 3) */
void cst_lay_triangle(const double *corner, cst_laid_triangle *out);
cst_on_triangle cst_point_laid_triangle(const double *x, const cst_laid_triangle *triangle);

/* Finds the point of a triangle nearest to x, for a triangle that is used only once. */
cst_on_triangle cst_point_triangle(const double *x, const double *corner);

/* Returns the distance between the triangle and the segment p0 p1, and sets `s` in [0, 1] to the position of the nearest point on
 * the segment. */
double cst_segment_laid_triangle(const double *p0, const double *p1, const cst_laid_triangle *triangle, double *s);
double cst_segment_triangle(const double *p0, const double *p1, const double *corner, double *s);

#endif
