/* Finds the contacts of two segments of centrelines: the local minima of the distance of the two curves below a margin.
 *
 * Symbols of the distance:
 *     `x_a(s)`, `x_b(t)`: points of the two curves at the arc lengths s and t.
 *     `r = x_a(s) - x_b(t)`: vector between the two points.
 *     `f = r.r/2`: half the squared distance of the two points, where r is the vector between them.
 *
 * Derivatives of f:
 *     `f_s = r.x_a'`.
 *     `f_t = -r.x_b'`.
 *     `f_ss = 1 + r.x_a''`.
 *     `f_tt = 1 - r.x_b''`.
 *     `f_st = -x_a'.x_b'`.
 *
 * Newton's method minimises half the squared distance f, first on the quartics that approximate the segments (centreline.h), and
 * then on the true curves. The search is limited to the two segments, each with a short extension into the neighbouring segments
 * of the same centreline piece.
 *
 * For two curved segments, curve_valley.h provides the start points of Newton's method. Further searches keep one point fixed
 * at an end of a centreline piece, and move the other point along the other curve. Straight segments need no iteration.
 *
 * A pair of points is a contact if the distance increases away from the pair along each curve. At a joint of two centreline
 * pieces, the distance must increase along the earlier and along the later piece; the joint is tested only as the start of the
 * later piece. If the distance is constant along an interval, the ends of the interval are contacts. A point inside an interval
 * of constant distance is a contact only if the two centreline pieces have no other contact. An end of a centreline piece also
 * counts as a contact if the gap decreases from this end by at most the tolerance `flat` (m) over the length of the shorter of
 * the two pieces. Source: docs/maths_rods.md, section 5. Folds: fold.h. */
#ifndef CST_COLLIDE_DISTANCE_CURVE_H
#define CST_COLLIDE_DISTANCE_CURVE_H

#include "collide/centreline.h"

typedef struct cst_curve_side {
    const cst_segment *segment;
    const cst_placed_piece *piece;
} cst_curve_side;

typedef struct cst_space_rules {
    double margin; /* contacts have gap < margin (m) */
    /* gap (m), at least `margin`, up to which the search finds all local minima of the distance, because Newton's method has
     * enough start points */
    double effort;
    double flat; /* m (top of distance_curve.h) */
} cst_space_rules;

enum { CST_SPACE_TOUCHES_MAX = 12 }; /* of one pair of segments */

/* CST_TOUCH_INSIDE_LEVEL: before contacts are merged (touch_merge_space.h), the field `branch` has this value for a contact
 * inside an interval along which the distance of the two curves is constant, and the value 0 for all other contacts. */
#define CST_TOUCH_INSIDE_LEVEL 1u

/* CST_SPACE_LEVEL: slope of the distance along a curve, below which the distance counts as constant. */
#define CST_SPACE_LEVEL 1e-9

/* Writes the contacts of two segments and returns their number. The fields a and b of the contacts (indices of the shapes) stay
 * 0. */
int cst_touch_segments(const cst_curve_side *a, const cst_curve_side *b, const cst_space_rules *rules, cst_touch_space *out);

/* Returns the arc length from the start of the centreline piece to the position u of the segment, clamped to the length of the
 * piece. */
double cst_side_s(const cst_curve_side *side, double u);

/* Computes the point x, the unit tangent t and the arc length s on the centreline piece at the position u in [0, 1] of the
 * segment. */
void cst_side_at(const cst_curve_side *side, double u, double *s, double *x, double *t);

typedef enum cst_on_piece { CST_PIECE_INSIDE = 0, CST_PIECE_START, CST_PIECE_END } cst_on_piece;

cst_on_piece cst_side_place(const cst_curve_side *side, double u);

/* Returns true if, from the end `at` of a centreline piece, the distance to another shape increases, or decreases by at most
 * `level` per unit of length, along this piece and along an earlier piece joined to it. `n`: unit vector from the other shape to
 * the end of the piece. Returns false at the end of a piece that is joined to a later piece, because this joint is tested as the
 * start of the later piece. */
bool cst_piece_rests(const cst_placed_piece *piece, cst_on_piece at, const double *n, double level);

#endif
