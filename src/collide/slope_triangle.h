/* Finds where, along a straight line, the slope of the distance to a triangle reaches a given value.
 *
 * The distance phi of the point x0 + u d of a line to a convex set is a convex function of u, so its slope phi' / |d| never
 * decreases. The nearest part of the triangle (face, edge or corner) changes where the line crosses one of nine planes. The nine
 * planes are, for each edge, the plane that contains the edge and the triangle's normal, and the two planes perpendicular to the
 * edge at its ends.
 *
 * Where the face is the nearest part of the triangle, the slope of the distance between the point of the line and the triangle is
 * constant along the line, except that its sign changes where the line pierces the triangle. Where an edge or a corner is the
 * nearest part of the triangle, the following symbols are used:
 *     `h`: distance, line to edge.
 *     `u0`: position u of this distance.
 *     `y = u-u0`, `l = |d|`.
 *     `m`: squared d across edge.
 *     `m = l^2` at a corner.
 *
 * Beside an edge or a corner of the triangle, the distance phi, its slope phi'/l, and the position y at which the slope has the
 * given value t, are:
 *     `phi = sqrt(h^2 + m*y^2)`.
 *     `phi'/l = m*y/(l*phi)`.
 *     `y = t*l*h/sqrt(m*(m - t^2*l^2))`.
 *
 * Bisection over all points where the nearest part of the triangle changes, or where the line pierces the triangle, finds the
 * interval of the line in which the slope of the distance reaches the given value. */
#ifndef CST_COLLIDE_SLOPE_TRIANGLE_H
#define CST_COLLIDE_SLOPE_TRIANGLE_H

#include "collide/distance_triangle.h"

/* Returns the position u in [low, high] on the line where the slope, along the line, of the distance to the triangle crosses
 * `target`: the slope is below `target` at low and not below it at high. */
double cst_triangle_slope_passes(const cst_laid_triangle *triangle, const double *x0, const double *d, double low, double high,
                                 double target);

#endif
