/* Where along a straight line the distance to a triangle begins to rise.
 *
 * The distance phi of x0 + u d to a convex set is a convex function of u, so that its slope phi' / |d| only grows. Planes part the places that
 * are nearest to the face, to an edge and to a corner: across each edge through it and the normal, and across each edge at its ends. Between two
 * of them the slope is
 *
 *     over the face       constant, but that it turns round where the line pierces the triangle
 *     beside an edge      m y / (l sqrt(h^2 + m y^2)),   y = u - u0,   m = |e|^2,   l = |d|
 *     beside a corner     the same
 *
 * with e the part of d across the edge (d itself for a corner), h the least distance, at u0. So that it is t where
 *
 *     y = t l h / sqrt(m (m - t^2 l^2)).
 *
 * Bisection over the planes that the line crosses, at most ten, finds between which two that is. */
#ifndef CST_COLLIDE_SLOPE_TRIANGLE_H
#define CST_COLLIDE_SLOPE_TRIANGLE_H

#include "collide/distance_triangle.h"

/* u in [low, high] where the slope passes `target`: at low it is below, at high not. */
double cst_triangle_slope_passes(const cst_laid_triangle *triangle, const double *x0, const double *d, double low, double high,
                                 double target);

#endif
