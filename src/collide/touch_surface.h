/* Touches of a segment of a centreline with a surface that has a signed distance: a solid or a triangle.
 *
 * Along the segment, the distance phi has the slope n . t. The segment touches where the slope changes from negative to positive,
 * and at ends of pieces from which phi increases. If the surface is convex and the segment straight, phi is convex and the slope
 * never decreases: there is one minimum, or an interval [u1, u2] where |slope| <= level. If that interval is long enough to rest
 * on (more than half a radius, or a twentieth of the piece), both its ends touch: a rod lies on a table with both ends, or with
 * one end and the edge of the table.
 *
 * A bent piece touches where phi has a minimum, and at its ends if they are level enough (`flat`). An inner minimum whose depth
 * differs from both ends by less than a thousandth of the radius is left out: on a nearly straight piece its position is
 * ill-defined and changes from step to step.
 *
 * For an edge below an edge of a box, the slope jumps at the minimum from s1 < 0 to s2 > 0 and the normal jumps from n1 to n2,
 * from one face to the next. At this minimum, the edge of the box pushes along the common perpendicular of the segment and the
 * edge,
 *
 *     n = (s2 n1 - s1 n2) / c,   c = |s2 n1 - s1 n2|,   with the depth (s2 - s1) / c times the depth below either face. */
#ifndef CST_COLLIDE_TOUCH_SURFACE_H
#define CST_COLLIDE_TOUCH_SURFACE_H

#include "collide/distance_curve.h"

typedef struct cst_surface_shape {
    /* Returns the signed distance of x and its unit gradient. */
    double (*distance)(const void *user, const double *x, double *normal);
    /* Optional function that returns true if no point of the line from x0 to x1 (or the single point x0 = x1) touches, whatever
     * its distance. The function may return false when unsure. */
    bool (*nothing_rests)(const void *user, const double *x0, const double *x1);
    /* Optional function that returns where between x0 + low d and x0 + high d the slope along d crosses `target`. */
    double (*slope_passes)(const void *user, const double *x0, const double *d, double low, double high, double target);
    const void *user;
    double rounding; /* m: thickness around sharp edges, included in the distance */
    bool convex;
    bool facet; /* the surface is one facet of a larger surface, so both ends of every level interval are needed */
} cst_surface_shape;

/* Writes at most CST_SPACE_TOUCHES_MAX touches and returns their number. The fields a, b, part and s_b stay 0. */
int cst_touch_surface(const cst_curve_side *a, const cst_surface_shape *b, const cst_space_rules *rules, cst_touch_space *out);

#endif
