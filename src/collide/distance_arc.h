/* Touches of an arc with a half-plane and of two arcs: every local minimum of the gap below a margin.
 *
 * Let n be the unit normal from b to a and sigma the distance of the centrelines counted along it (negative: a lies on the wrong side
 * of a boundary). Along a, sigma has the slope n . t and, where that vanishes, the curvature
 *
 *     bend = k_a (n . n_a) + target,
 *     target = 0                                   half-plane
 *              -kappa / (1 - kappa sigma)          inside of an arc, kappa = k_b (n . n_b)
 *              1 / sigma                           an end, a corner, a disk
 *              -1 / rho                            hollow disk, rho the distance from its centre
 *
 * A pair of points touches if sigma rises from it along each arc, on both sides where the owner goes on. At a smooth joint this
 * leaves the same points as on a curve without joints, at a corner it leaves the directions between the two normals. If the
 * distance is the same along an interval, its two ends touch instead of its inside. `flat` adds ends that are not quite minima:
 * those from which the gap falls by no more than that over the length of an arc. */
#ifndef CST_COLLIDE_DISTANCE_ARC_H
#define CST_COLLIDE_DISTANCE_ARC_H

#include "collide/arc_candidates.h"

enum { CST_TOUCHES_MAX = 12 }; /* of one pair */

typedef struct cst_touch_rules {
    double margin;      /* touches have gap < margin */
    double flat;        /* m */
    double solid_depth; /* m: centrelines are found this far beyond radii and margin below a solid boundary */
    /* All arcs of the owner of a solid a or b, so that a point within matter is taken to the boundary nearest to it. NULL: only the
     * arc itself is known. */
    const cst_placed_arc *boundary_a, *boundary_b;
    int boundary_a_count, boundary_b_count;
} cst_touch_rules;

/* Each writes at most CST_TOUCHES_MAX touches, ordered by branch, and returns how many. The fields a and b are left 0. */
int cst_touch_half_plane(const cst_placed_arc *a, const cst_half_plane *b, const cst_touch_rules *rules, cst_touch *out);
int cst_touch_arcs(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

/* An arc that turns by half a turn or more, with itself: s_a < s_b. */
int cst_touch_itself(const cst_placed_arc *arc, const cst_touch_rules *rules, cst_touch *out);

#endif
