/* Finds the contacts of an arc with a half-plane and of two arcs: all local minima of the gap that are below a margin.
 *
 * Let n be the unit normal from shape b to arc a, and sigma the signed distance of the centrelines along n. The signed distance
 * sigma is negative if the arc a lies inside a solid that the shape b bounds. Let t, k_a and n_a be the unit tangent, the
 * curvature and the left normal of the arc a, and k_b and n_b the curvature and the left normal of the arc b. The first
 * derivative of the signed distance sigma along the arc a, and the second derivative where the first vanishes, are:
 *     `sigma' = n.t`.
 *     `sigma'' = k_a*(n.n_a) + target`.
 *
 * The second derivative of the signed distance has a term `target`, which depends on the kind of the shape b; rho is the
 * distance of the point of the arc a from the centre of a hollow disk b:
 *     Half-plane: `target = 0`.
 *     Inside an arc: `target = -kappa/(1 - kappa*sigma)`.
 *     Curvature: `kappa = k_b*(n.n_b)`.
 *     End, corner, disk: `target = 1/sigma`.
 *     Hollow disk: `target = -1/rho`.
 *
 * A pair of points is a contact if the signed distance of the shapes increases away from the pair along each arc; at a joint,
 * this is tested along both joined arcs. At a smooth joint, testing both joined arcs gives the same contacts as on a curve
 * without joints. At a corner between two joined arcs, a contact is accepted for every normal between the normals of the two
 * arcs. If the distance is constant along an interval, the two ends of the interval are contacts, and the points between them are
 * not. An end of an arc is also a contact if the gap decreases from this end by at most the tolerance `flat` (m) over the length
 * of the arc. */
#ifndef CST_COLLIDE_DISTANCE_ARC_H
#define CST_COLLIDE_DISTANCE_ARC_H

#include "collide/arc_candidates.h"

enum { CST_TOUCHES_MAX = 12 }; /* of one pair */

typedef struct cst_touch_rules {
    double margin;      /* contacts have gap < margin */
    double flat;        /* m */
    double solid_depth; /* contacts inside a solid are found down to the depth radii + margin + solid_depth (m) */
    /* If the arc a (or b) bounds a solid: all arcs of the boundary of this solid, so that a point inside the solid is paired
     * with the nearest point of the whole boundary. If boundary_a (or boundary_b) is NULL, the nearest point is searched only on
     * the arc a (or b) itself. */
    const cst_placed_arc *boundary_a, *boundary_b;
    int boundary_a_count, boundary_b_count;
} cst_touch_rules;

/* Each of the following functions writes at most CST_TOUCHES_MAX contacts, ordered by the number `branch` that identifies a
 * contact of the two shapes, and returns the number of contacts. The indices of the two shapes (fields a and b of the contacts)
 * stay 0. */
int cst_touch_half_plane(const cst_placed_arc *a, const cst_half_plane *b, const cst_touch_rules *rules, cst_touch *out);
int cst_touch_arcs(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

/* Finds the contacts of an arc with itself, if it turns by half a turn or more; each contact has s_a < s_b. */
int cst_touch_itself(const cst_placed_arc *arc, const cst_touch_rules *rules, cst_touch *out);

#endif
