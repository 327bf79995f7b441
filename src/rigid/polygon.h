/* Simple polygons: area, centroid and polar moment, and whether they are simple at all. */
#ifndef CST_RIGID_POLYGON_H
#define CST_RIGID_POLYGON_H

#include <stdbool.h>

typedef struct cst_polygon_measure {
    double area; /* positive: counter-clockwise */
    double centroid[2];
    double gyration2; /* polar moment about the centroid / area: inertia = mass * gyration2 */
} cst_polygon_measure;

/* corner: (corners x 2). Sums of triangles (Green's theorem), taken from the first corner so that a polygon far from the origin
 * loses nothing. The area may come out zero; the rest is then not meaningful. */
cst_polygon_measure cst_polygon_measure_of(const double *corner, int corners);

/* False if two edges cross or touch other than at the corner they share; *first and *second are then their numbers (edge i goes
 * from corner i to the next). Every pair is tried: corners^2. */
bool cst_polygon_is_simple(const double *corner, int corners, int *first, int *second);

#endif
