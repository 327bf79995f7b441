/* Finds the contacts of a segment of a centreline with a surface that has a signed distance: a solid or a triangle.
 *
 * Along the segment, the signed distance phi has the slope n . t, where n is the unit normal of the surface and t is the tangent
 * of the segment. A contact is a point of the segment where the slope of the distance along the segment changes from negative to
 * positive, or an end of a centreline piece from which the distance increases along the piece. If the surface is convex and the
 * segment is straight, the distance is a convex function along the segment. A convex distance has one minimum along the segment,
 * or an interval in which its slope along the segment is at most the tolerance `level` in absolute value. An interval of nearly
 * constant distance has a contact at each end if it is longer than half the radius or a twentieth of the length of the
 * centreline piece, whichever is smaller. For example, a rod that lies on a table has contacts at both its ends, or at one end
 * and at the edge of the table.
 *
 * A bent centreline piece has contacts at the minima of its distance to the surface. An end of a bent centreline piece is a
 * contact too if, from this end along the piece, the distance to the surface decreases by less than `flat`. An inner minimum of
 * the distance is not used as a contact if it differs from the distances at both ends of the centreline piece by less than a
 * thousandth of the radius. On a nearly straight centreline piece, the position of an inner minimum of the distance is
 * ill-defined and changes from step to step.
 *
 * Where an edge of a solid passes below an edge of a box, two quantities jump along the edge of the solid: the slope of its
 * distance to the box jumps from s1 < 0 to s2 > 0, and the surface normal of the box from the normal n1 of one face to the
 * normal n2 of the next face. The contact normal n is perpendicular to both edges (of the solid and of the box), and `depth` is
 * the depth of the solid's edge below both faces of the box:
 *     `c = |s2*n1 - s1*n2|`.
 *     `n = (s2*n1 - s1*n2)/c`.
 *     `penetration = depth*(s2 - s1)/c`. */
#ifndef CST_COLLIDE_TOUCH_SURFACE_H
#define CST_COLLIDE_TOUCH_SURFACE_H

#include "collide/distance_curve.h"

typedef struct cst_surface_shape {
    /* Returns the signed distance of the point x from the surface and its unit gradient. */
    double (*distance)(const void *user, const double *x, double *normal);
    /* Optional function that returns true if no point of the line from x0 to x1 can be a contact, whatever its distance. To test
     * a single point, the caller passes this point as both ends x0 and x1 of the line. It may return false if unsure. */
    bool (*nothing_rests)(const void *user, const double *x0, const double *x1);
    /* Optional function that returns where, between x0 + low d and x0 + high d, the slope of the distance along d crosses
     * `target`. */
    double (*slope_passes)(const void *user, const double *x0, const double *d, double low, double high, double target);
    const void *user;
    double rounding; /* included in the distance (m) */
    bool convex;
    /* true: the surface is one triangle of a larger surface, so that both ends of every interval of constant distance are
     * contacts */
    bool facet;
} cst_surface_shape;

/* Writes at most CST_SPACE_TOUCHES_MAX contacts and returns their number. The fields of a contact that identify the shapes and
 * the point on b (a, b, part and s_b) stay 0. */
int cst_touch_surface(const cst_curve_side *a, const cst_surface_shape *b, const cst_space_rules *rules, cst_touch_space *out);

#endif
