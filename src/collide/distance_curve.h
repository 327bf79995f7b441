/* Finds the contacts of two segments of centrelines: all local minima of the distance of the true curves that are below a margin.
 *
 * Let x_a(s) and x_b(t) be the points of two curves, r the vector between them, and f half their squared distance. The
 * derivatives of half the squared distance f with respect to the arc lengths s and t are:
 *     `r = x_a(s) - x_b(t)`.
 *     `f = r.r/2`.
 *     `f_s = r.x_a'`.
 *     `f_t = -r.x_b'`.
 *     `f_ss = 1 + r.x_a''`.
 *     `f_tt = 1 - r.x_b''`.
 *     `f_st = -x_a'.x_b'`.
 *
 * Newton's method is applied first to the quartics that approximate the segments (centreline.h) and then to the true curves.
 * Newton's iteration is restricted to the two segments and a small part of their neighbours in the same centreline piece; minima
 * that are found twice are merged later.
 *
 * For two curved segments, the function cst_valley_starts (curve_valley.h) provides the start points of Newton's iteration.
 * Newton's iteration also starts at the pairs that consist of an end of a centreline piece and a point of the other segment
 * that is locally nearest to this end; the end then stays fixed. Straight segments need no iteration.
 *
 * A pair of points is a contact if the distance increases away from the pair along each curve; at a joint, this is tested along
 * both joined centreline pieces. If another piece of the same centreline begins at the end of a piece, this end is not proposed
 * as a contact, because the start of the other piece is the same point. If the distance is constant along an interval, the ends
 * of the interval are contacts; a point inside the interval is a contact only if the two centreline pieces have no other contact.
 * An end of a centreline piece is also a contact if the gap decreases from this end by at most the tolerance `flat` (m) over the
 * length of the piece. Source: docs/maths_rods.md, section 5. For folds of edges, see fold.h. */
#ifndef CST_COLLIDE_DISTANCE_CURVE_H
#define CST_COLLIDE_DISTANCE_CURVE_H

#include "collide/centreline.h"

typedef struct cst_curve_side {
    const cst_segment *segment;
    const cst_placed_piece *piece;
} cst_curve_side;

typedef struct cst_space_rules {
    double margin; /* contacts have gap < margin */
    /* gap (m), at least `margin`, up to which the start points of Newton's method are dense enough to find all contacts */
    double effort;
    double flat; /* m */
} cst_space_rules;

enum { CST_SPACE_TOUCHES_MAX = 12 }; /* of one pair of segments */

/* The field `branch` of a contact is CST_TOUCH_INSIDE_LEVEL if the contact lies inside an interval along which the distance of
 * the two curves is constant, and 0 otherwise. */
#define CST_TOUCH_INSIDE_LEVEL 1u

/* Smaller slopes are rounding errors. */
#define CST_SPACE_LEVEL 1e-9

/* Writes at most CST_SPACE_TOUCHES_MAX contacts and returns their number. The indices of the two shapes (fields a and b of the
 * contacts) stay 0. */
int cst_touch_segments(const cst_curve_side *a, const cst_curve_side *b, const cst_space_rules *rules, cst_touch_space *out);

/* Returns the arc length, from the start of the centreline piece, at the position u of the segment; it is clamped to the length
 * of the piece. */
double cst_side_s(const cst_curve_side *side, double u);

/* Computes the point and the unit tangent of the true curve at the position u in [0, 1] of the segment; `s`: arc length from the
 * start of the centreline piece. */
void cst_side_at(const cst_curve_side *side, double u, double *s, double *x, double *t);

/* Tells whether a point is inside its centreline piece, at its start or at its end. */
typedef enum cst_on_piece { CST_PIECE_INSIDE = 0, CST_PIECE_START, CST_PIECE_END } cst_on_piece;

cst_on_piece cst_side_place(const cst_curve_side *side, double u);

/* Returns true if, away from the end `at` of a centreline piece, the distance increases, or decreases by at most the tolerance
 * `level` per unit of length; at a joint, both joined pieces are tested. `n`: unit vector from the other shape to the end of the
 * centreline piece. Returns false at the end of a piece if the next piece of the centreline begins there, because the start of
 * the next piece is tested instead. */
bool cst_piece_rests(const cst_placed_piece *piece, cst_on_piece at, const double *n, double level);

#endif
