/* The finite set of pairs of points that contains every local minimum of the distance of two arcs.
 *
 * The pairs are: end and end, end and its foot on the other arc, common normals, crossings. In the frame of a, let p, t, n be the
 * start of b, its tangent and its left normal there, and
 *
 *     F(w) = k_a |w|^2 / 2 - Im w  (zero on the circle of a),      G = grad F = k_a w - i.
 *
 * The arc b crosses the circle of a where, with W = (2 / k_b) tan(k_b s / 2),
 *
 *     F(p) + G(p).t W + (k_b G(p).n + k_a + k_b^2 F(p) / 2) / 2 W^2 = 0,
 *
 * and has a common normal with this circle at s = atan2(-+ k_b X, +- Y) / k_b, X = G(p).t, Y = k_a + k_b G(p).n. These formulas
 * are exact for every curvature, 0 included. Source: docs/maths_rods.md, section 2; validate/detection/arcs.c checks these
 * formulas against brute force.
 *
 * An end where another arc of the owner begins is not proposed, because that arc proposes the same point as its start. */
#ifndef CST_COLLIDE_ARC_CANDIDATES_H
#define CST_COLLIDE_ARC_CANDIDATES_H

#include "collide/placed_arc.h"

typedef enum cst_on_arc { CST_INSIDE = 0, CST_AT_START, CST_AT_END } cst_on_arc;

typedef struct cst_arc_candidate {
    double s_a, s_b;
    cst_on_arc at_a, at_b;
    bool crossing;
} cst_arc_candidate;

enum { CST_ARC_CANDIDATES = 12 };

/* Writes the pairs of points of the two centrelines that may be nearer to each other than `reach`; pairs with ends come first.
 * Returns their number. */
int cst_arc_candidates(const cst_placed_arc *a, const cst_placed_arc *b, double reach, cst_arc_candidate *out);

/* Both points of a candidate, and the unit vector u from the point of b to the point of a. If one of the points is not an end of
 * its arc, u is normal to that arc. u is exact at any distance. */
typedef struct cst_arc_meeting {
    double x_a[2], t_a[2], x_b[2], t_b[2];
    double between[2]; /* x_a - x_b */
    double distance;
    double u[2];
} cst_arc_meeting;

void cst_arc_meet(const cst_placed_arc *a, const cst_placed_arc *b, const cst_arc_candidate *at, cst_arc_meeting *out);

/* Returns the value below which the distance of two arcs is only rounding error. */
double cst_arcs_rounding(const cst_placed_arc *a, const cst_placed_arc *b);

#endif
