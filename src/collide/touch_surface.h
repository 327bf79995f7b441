/* Touches of a segment of a centreline with a surface that knows its signed distance: a solid, a triangle.
 *
 * Along the segment the distance phi has the slope n . t; it touches where the slope changes from falling to rising, and at ends
 * of pieces from which it rises. If the surface is convex and the segment straight, phi is convex and the slope only grows: one
 * minimum, or a level interval [u1, u2] where |slope| <= level. If that is long enough to rest on (more than half a radius, or a
 * twentieth of the piece), both its ends touch: a rod lies on a table with both ends, or with one and the edge of the table.
 *
 * A bent piece touches at its minima, and at its ends if they are level enough (`flat`). A minimum inside that is within a thousandth
 * of the radius of both ends is left out: where in a nearly straight piece it is says little, and it differs from step to step.
 *
 * Of an edge below an edge of a box the slope leaps at the minimum from s1 < 0 to s2 > 0, the normal from n1 to n2: from one face to the
 * next. What pushes there is the edge, along what is across the segment and it,
 *
 *     n = (s2 n1 - s1 n2) / c,   c = |s2 n1 - s1 n2|,   deep by (s2 - s1) / c of the depth below either face. */
#ifndef CST_COLLIDE_TOUCH_SURFACE_H
#define CST_COLLIDE_TOUCH_SURFACE_H

#include "collide/distance_curve.h"

typedef struct cst_surface_shape {
    /* Signed distance from x, its unit gradient. */
    double (*distance)(const void *user, const double *x, double *normal);
    /* NULL, or: does no point of the line from x0 to x1 (the same: of that place) touch, whatever its distance? May answer no. */
    bool (*nothing_rests)(const void *user, const double *x0, const double *x1);
    /* NULL, or: where between x0 + low d and x0 + high d the slope along d passes `target`. */
    double (*slope_passes)(const void *user, const double *x0, const double *d, double low, double high, double target);
    const void *user;
    double rounding; /* m: of the distance, thickness around sharp edges */
    bool convex;
    bool facet; /* of a larger surface: both ends of every level interval are asked for */
} cst_surface_shape;

/* At most CST_SPACE_TOUCHES_MAX; a, b, part and s_b are left 0. */
int cst_touch_surface(const cst_curve_side *a, const cst_surface_shape *b, const cst_space_rules *rules, cst_touch_space *out);

#endif
