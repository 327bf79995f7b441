/* Finds where, along a straight line, the slope of the distance to a triangle reaches a given value.
 *
 * The distance phi between a triangle and the point x0 + u d of the line is a convex function of u, so its slope phi'/|d| never
 * decreases. The nearest part of the triangle (the face, an edge or a corner) changes where the line crosses one of nine planes.
 * Three planes belong to each edge: the plane that contains the edge and the triangle's normal, and the two planes perpendicular
 * to the edge at its ends.
 *
 * Where the nearest part of the triangle is the face, the slope of the distance is constant, except that its sign changes where
 * the line pierces the triangle. Where the nearest part of the triangle is an edge or a corner, the formulas for the distance
 * have these symbols:
 *     `h`: least distance of the line from the edge or corner.
 *     `u0`: position u of this distance.
 *     `y = u-u0`, `l = |d|`.
 *     `m`: squared length of the part of the line's direction d that is perpendicular to the edge.
 *     `m = l^2` at a corner.
 *     `t`: given slope.
 *
 * The distance phi of a point of the line from the edge or corner, and the slope phi'/l of this distance along the line, are:
 *     `phi = sqrt(h^2 + m*y^2)`.
 *     `phi'/l = m*y/(l*phi)`.
 *
 * The slope of the distance has the given value t at the position:
 *     `y = t*l*h/sqrt(m*(m - t^2*l^2))`.
 *
 * Bisection over the points where the line crosses the nine planes or the plane of the triangle finds the interval in which the
 * slope of the distance reaches the given value. */
#ifndef CST_COLLIDE_SLOPE_TRIANGLE_H
#define CST_COLLIDE_SLOPE_TRIANGLE_H

#include "collide/distance_triangle.h"

/* Returns the position u in [low, high] where the slope, along the line, of the distance to the triangle passes `target`. The
 * slope of the distance must be below `target` at low and at least `target` at high. */
double cst_triangle_slope_passes(const cst_laid_triangle *triangle, const double *x0, const double *d, double low, double high,
                                 double target);

#endif
