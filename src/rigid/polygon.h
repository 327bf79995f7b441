/* Area, centroid and polar moment of a polygon, and a test whether it crosses or touches itself. */
#ifndef CST_RIGID_POLYGON_H
#define CST_RIGID_POLYGON_H

#include <stdbool.h>

typedef struct cst_polygon_measure {
    double area; /* positive if counter-clockwise */
    double centroid[2];
    double gyration2; /* polar moment about the centroid divided by the area (m^2); the inertia is mass * gyration2 */
} cst_polygon_measure;

/* `corner`: array (corners x 2). The moments are computed relative to the first corner, so that a polygon far from the origin
 * loses no accuracy. If the area of the polygon is zero, its centroid and its polar moment are meaningless. */
cst_polygon_measure cst_polygon_measure_of(const double *corner, int corners);

/* Returns false if two edges cross, or touch at a point that is not a shared corner. *first, *second: indices of the two edges
 * that cross or touch; edge i goes from corner i to the next corner. The time of cst_polygon_is_simple is proportional to
 * the square of the number of corners. */
bool cst_polygon_is_simple(const double *corner, int corners, int *first, int *second);

#endif
