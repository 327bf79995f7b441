/* Simple polygons: area, centroid and polar moment, and a test whether a polygon is simple. */
#ifndef CST_RIGID_POLYGON_H
#define CST_RIGID_POLYGON_H

#include <stdbool.h>

typedef struct cst_polygon_measure {
    double area; /* positive if counter-clockwise */
    double centroid[2];
    double gyration2; /* polar moment about the centroid divided by the area; the inertia is mass * gyration2 */
} cst_polygon_measure;

/* `corner`: (corners x 2). The sums over triangles (Green's theorem) are taken relative to the first corner, so that a polygon
 * far from the origin loses no accuracy. The area of a polygon may be zero; its centroid and its polar moment are then
 * meaningless. */
cst_polygon_measure cst_polygon_measure_of(const double *corner, int corners);

/* Returns false if two edges cross, or touch at a point that is not a shared corner; *first and *second are then the indices
 * of the two edges (edge i goes from corner i to the next corner). All pairs of edges are tested, so the cost is proportional
 * to the square of the number of corners. */
bool cst_polygon_is_simple(const double *corner, int corners, int *first, int *second);

#endif
