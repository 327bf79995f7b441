/* Touches of an arc with a half-plane and of two arcs: all local minima of the gap that are below a margin.
 *
 * Let n be the unit normal from b to a, and sigma the signed distance of the centrelines along n (negative: a lies on the wrong
 * side of a boundary). Along the arc a with the unit tangent t, sigma has the slope n . t. Where that slope vanishes, sigma has
 * the curvature k_a (n . n_a) + target, where target depends on b:
 *
 *     0                                   for a half-plane,
 *     -kappa / (1 - kappa sigma)          inside an arc, kappa = k_b (n . n_b),
 *     1 / sigma                           for an end, a corner, a disk,
 *     -1 / rho                            for a hollow disk, rho is the distance from its centre.
 *
 * A pair of points touches if sigma increases away from it along each arc, on both sides of a joint. At a smooth joint, this
 * condition gives the same touches as on a curve without joints. At a corner, this condition accepts all normals n between the
 * normals of the two arcs. If the distance is constant along an interval, the two ends of the interval touch and its inside does
 * not. `flat` (m) adds ends that are nearly minima: from such an end, the gap may decrease by at most `flat` over the length of
 * an arc. */
#ifndef CST_COLLIDE_DISTANCE_ARC_H
#define CST_COLLIDE_DISTANCE_ARC_H

#include "collide/arc_candidates.h"

enum { CST_TOUCHES_MAX = 12 }; /* of one pair */

typedef struct cst_touch_rules {
    double margin;      /* touches have gap < margin */
    double flat;        /* m */
    double solid_depth; /* m: below a solid boundary, centrelines are found this much deeper than radii plus margin */
    /* If the arc a or b is the boundary of a solid: all arcs of its owner, so that a point inside the solid is matched with its
     * nearest boundary. If the pointer is NULL, only the arc itself is used. */
    const cst_placed_arc *boundary_a, *boundary_b;
    int boundary_a_count, boundary_b_count;
} cst_touch_rules;

/* Each function writes at most CST_TOUCHES_MAX touches, ordered by branch, and returns their number. The fields a and b of the
 * touches stay 0. */
int cst_touch_half_plane(const cst_placed_arc *a, const cst_half_plane *b, const cst_touch_rules *rules, cst_touch *out);
int cst_touch_arcs(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

/* Finds touches of an arc with itself, if it turns by half a turn or more: s_a < s_b. */
int cst_touch_itself(const cst_placed_arc *arc, const cst_touch_rules *rules, cst_touch *out);

#endif
