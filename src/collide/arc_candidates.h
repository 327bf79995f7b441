/* Computes a finite set of pairs of points that contains every local minimum of the distance of two circular arcs.
 *
 * The pairs of points at which two arcs may touch are of four kinds: two ends of arcs, an end with the nearest point of the other
 * arc, the two points of a common normal, and crossings. The formulas use complex numbers in the frame of arc a, which is given
 * by its start, its tangent there and its left normal. Let p be the start of arc b, and t and n the tangent and the left normal
 * of arc b at its start, all in the frame of arc a; k_a and k_b are the curvatures of both arcs. Let F be a function that is zero
 * on the circle of arc a, and G its gradient:
 *     `F(w) = k_a*|w|^2/2 - Im(w)`.
 *     `G(w) = k_a*w - i`.
 *
 * A crossing of arc b with the circle of arc a is at the arc length s of arc b for which W(s) is a root of a quadratic:
 *     `c0+c1*W+c2*W^2 = 0`.
 *     `W = (2/k_b)*tan(k_b*s/2)`.
 *     `c0 = F(p)`.
 *     `c1 = G(p).t`.
 *     `c2 = (k_b*G(p).n+k_a+k_b^2*F(p)/2)/2`.
 *
 * Common normals of arc b and the circle of arc a are at two arc lengths s of arc b, one for the upper and one for the lower
 * signs of the formula:
 *     `s = atan2(-+k_b*X, +-Y)/k_b`.
 *     `X = G(p).t`.
 *     `Y = k_a + k_b*G(p).n`.
 *
 * The formulas for crossings and common normals are exact for every curvature, 0 included. Source: docs/maths_rods.md, section 2;
 * the program validate/detection/arcs.c compares the computed pairs of points with a brute-force search.
 *
 * The end of an arc is not a candidate for contact if another arc of the same rod or boundary begins there, because the start of
 * the other arc is the same point. */
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

/* Writes the candidate pairs of contact points of two arcs, except pairs whose two points are clearly more than `reach` (m)
 * apart. Pairs of points that contain an end of an arc are written before all other pairs. Returns the number of pairs. */
int cst_arc_candidates(const cst_placed_arc *a, const cst_placed_arc *b, double reach, cst_arc_candidate *out);

/* Two points, of the arcs a and b, at which the arcs may touch, and the unit vector u from the point of b to the point of a. If
 * one of the two points is not an end of its arc, the unit vector u is the normal of this arc, which is accurate even if the two
 * points nearly coincide. */
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
