/* Finds the contacts of an arc with a half-plane and of two arcs: all local minima of the gap that are below a margin.
 *
 * Along arc a, the signed distance sigma to shape b has the following derivatives; the formula for the second derivative holds
 * where the first derivative is zero:
 *     `sigma' = n.t`.
 *     `sigma'' = k_a*(n.n_a) + target`.
 *     `n`: unit normal from shape b to arc a.
 *     `t`, `k_a`, `n_a`: unit tangent, curvature and left normal of arc a.
 *
 * The term `target`, a part of the second derivative of the signed distance sigma along arc a, depends on the kind of shape b:
 *     Half-plane: `target = 0`.
 *     If the point of shape b is an inner point of an arc: `target = -kappa/(1 - kappa*sigma)`, with the arc's signed curvature
 *         kappa and the signed distance sigma.
 *     End, corner, disk: `target = 1/sigma`.
 *     Hollow disk: `target = -1/rho`.
 *     `kappa = k_b*(n.n_b)`.
 *     `k_b`, `n_b`: curvature and left normal of arc b.
 *     `rho`: distance of the point of arc a from the centre of the hollow disk.
 *
 * A pair of points is a contact if the signed distance increases away from the pair along each arc. At a joint of two arcs, the
 * signed distance must increase along both. At a corner between two arcs, a contact is therefore accepted for every normal
 * between the normals of the two arcs. If the distance is constant along an interval, only the two ends of the interval are
 * contacts. An end of an arc is also a contact if the gap decreases from this end by at most the tolerance `flat` (m) over the
 * length of the shorter of the two arcs. */
#ifndef CST_COLLIDE_DISTANCE_ARC_H
#define CST_COLLIDE_DISTANCE_ARC_H

#include "collide/arc_candidates.h"

enum { CST_TOUCHES_MAX = 12 }; /* of one pair */

typedef struct cst_touch_rules {
    double margin;      /* contacts have gap < margin */
    double flat;        /* m */
    double solid_depth; /* m (detect_plane.h) */
    /* `boundary_a`: if arc a bounds a solid, all arcs of the boundary of this solid; NULL: arc a is the whole boundary.
     * `boundary_b`: the same for arc b. A point inside a solid is paired with the nearest point of the whole boundary. */
    const cst_placed_arc *boundary_a, *boundary_b;
    int boundary_a_count, boundary_b_count;
} cst_touch_rules;

/* Each of the following functions writes at most CST_TOUCHES_MAX contacts, ordered by `branch`, and returns their number. The
 * caller sets the fields a and b of the contacts. */
int cst_touch_half_plane(const cst_placed_arc *a, const cst_half_plane *b, const cst_touch_rules *rules, cst_touch *out);
int cst_touch_arcs(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

/* Finds the contacts of an arc with itself, if it turns by at least half a turn; each contact has s_a < s_b. */
int cst_touch_itself(const cst_placed_arc *arc, const cst_touch_rules *rules, cst_touch *out);

#endif
