/* Finds the contacts of a segment of a centreline with a surface that has a signed distance: a solid or a triangle.
 *
 * Along the segment, the signed distance has the slope n . t, where n is the unit normal of the surface and t the tangent of the
 * segment. A contact is a point of the segment where the slope of the signed distance from the surface changes from negative to
 * positive. An end of a centreline piece is a contact if the signed distance increases from this end along the piece.
 *
 * If the surface is convex and the segment is straight, the signed distance along the segment has one minimum, or an interval in
 * which its slope is zero up to a tolerance. An interval of nearly constant distance has a contact at each end if it is longer
 * than half the radius, or longer than a twentieth of the length, of the centreline piece. For example, a rod that lies on a
 * table has contacts at both its ends, or at one end and at the edge of the table.
 *
 * A bent centreline piece has contacts at the minima of its distance to the surface. An end of a bent centreline piece is also a
 * contact if the distance decreases from this end with a slope of at most the tolerance `flat` (m) divided by the length of the
 * piece. A minimum is shallow, and not a contact, if the piece is parallel to the surface at both its ends, and the distances
 * there differ from the minimum by at most a thousandth of the radius of the piece. On a single triangle of a mesh, no minimum
 * counts as shallow. On a nearly straight centreline piece, a contact at a shallow minimum would change its position from one
 * time step to the next.
 *
 * If an edge of a solid passes below an edge of a box, the slope of the distance along the edge of the solid jumps from s_1 < 0
 * to s_2 > 0. The contact normal n is perpendicular to the edge of the solid and to the edge of the box:
 *     `n = (s_2*n_1 - s_1*n_2)/c`.
 *     `c = |s_2*n_1 - s_1*n_2|`.
 *     `penetration = depth*(s_2 - s_1)/c`.
 *     `s_1`, `s_2`: slopes of the distance along the edge of the solid, before and after it passes below the edge of the box.
 *     `n_1`, `n_2`: normals of the two faces of the box that meet at its edge.
 *     `depth`: depth (m) of the edge of the solid below both faces of the box, where it passes below the edge of the box. */
#ifndef CST_COLLIDE_TOUCH_SURFACE_H
#define CST_COLLIDE_TOUCH_SURFACE_H

#include "collide/distance_curve.h"

typedef struct cst_surface_shape {
    /* Returns the signed distance (m) of the point x from the surface, and the unit gradient of the signed distance. */
    double (*distance)(const void *user, const double *x, double *normal);
    /* Optional. Returns true only if no point of the line from x0 to x1 can be a contact, whatever its distance from the surface.
     * The function is allowed to return false in every case, because the result true only saves computing time. To test a single
     * point, the caller passes this point as both ends x0 and x1 of the line. */
    bool (*nothing_rests)(const void *user, const double *x0, const double *x1);
    /* Optional. Returns the parameter u between `low` and `high` at which the slope of the distance from the surface, along the
     * line x0 + u*d, crosses the value `target`. */
    double (*slope_passes)(const void *user, const double *x0, const double *d, double low, double high, double target);
    const void *user;
    double rounding; /* rounding radius of the surface, included in the distance (m) */
    bool convex;
    /* true: the surface is one triangle of a larger surface; both ends of every interval of constant distance are contacts */
    bool facet;
} cst_surface_shape;

/* Writes at most CST_SPACE_TOUCHES_MAX contacts and returns their number. The fields a, b, part and s_b of the contacts stay
 * 0. */
int cst_touch_surface(const cst_curve_side *a, const cst_surface_shape *b, const cst_space_rules *rules, cst_touch_space *out);

#endif
