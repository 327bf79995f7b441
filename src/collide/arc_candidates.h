/* Computes the pairs of points at which two circular arcs a and b may touch; every local minimum of their distance is among them.
 *
 * A candidate for a contact of two arcs is a pair of ends, an end and the nearest point of the other arc, a pair of points on a
 * common normal, or a crossing of the arcs. Points are complex numbers in the frame of arc a, whose real axis is the tangent at
 * the start of arc a. The formulas have these symbols:
 *     `k_a`, `k_b`: curvatures (1/m).
 *     `p`: start point of arc b.
 *     `t`, `n`: tangent and left normal at the start of arc b.
 *     `s`: arc length along b (m).
 *     `F = 0`: equation of the circle of arc a.
 *     `G`: gradient of F.
 *     `F(w) = k_a*|w|^2/2 - Im(w)`.
 *     `G(w) = k_a*w - i`.
 *
 * Arc b crosses the circle of arc a at the arc lengths s that satisfy:
 *     `c0+c1*W+c2*W^2 = 0`.
 *     `W = (2/k_b)*tan(k_b*s/2)`.
 *     `c0 = F(p)`.
 *     `c1 = G(p).t`.
 *     `c2 = (k_b*G(p).n+k_a+k_b^2*F(p)/2)/2`.
 *
 * The common normal of the two circles meets the circle of arc b at two points, whose arc lengths s follow from the upper and
 * from the lower signs:
 *     `s = atan2(-+k_b*X, +-Y)/k_b`.
 *     `X = G(p).t`.
 *     `Y = k_a + k_b*G(p).n`.
 *
 * The formulas for crossings and common normals also hold for straight lines. Source: docs/maths_rods.md, section 2. The program
 * validate/detection/arcs.c compares the contacts of random arcs with a brute-force search.
 *
 * The end of an arc is not a candidate if a second arc of the same rod or boundary begins there: the start of the second arc is
 * tested instead. */
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

/* Writes to `out` the candidate pairs of points of two arcs, and returns their number. The first pairs contain an end of an arc:
 * pairs of two ends, and pairs of an end and the nearest point of the other arc, if the two points are at most `reach` (m) apart.
 * The crossings, and the pairs of points on a common normal, are written next, whatever the distance of the two points. */
int cst_arc_candidates(const cst_placed_arc *a, const cst_placed_arc *b, double reach, cst_arc_candidate *out);

/* Two points x_a and x_b at which the arcs a and b may touch, with the tangents t_a and t_b and the unit vector u from x_b to
 * x_a. If one of the two points is not an end of its arc, u is computed as the normal of this arc at the point, so that u is
 * accurate even if x_a and x_b nearly coincide. */
typedef struct cst_arc_meeting {
    double x_a[2], t_a[2], x_b[2], t_b[2];
    double between[2]; /* x_a - x_b */
    double distance;
    double u[2];
} cst_arc_meeting;

void cst_arc_meet(const cst_placed_arc *a, const cst_placed_arc *b, const cst_arc_candidate *at, cst_arc_meeting *out);

/* Returns a length (m): if the computed distance of the two arcs is smaller, it is only a rounding error. */
double cst_arcs_rounding(const cst_placed_arc *a, const cst_placed_arc *b);

#endif
