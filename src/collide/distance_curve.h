/* Touches of two segments of centrelines: all local minima of the distance of the true curves that are below a margin.
 *
 * With r = x_a(s) - x_b(t), f = r.r / 2 has the slopes (r.x_a', -r.x_b') and the second derivatives
 *
 *     [ 1 + r.x_a''    -x_a'.x_b'  ]
 *     [ -x_a'.x_b'     1 - r.x_b'' ].
 *
 * Newton's method is applied first to the quartics (centreline.h) and then to the true curves. Newton's iteration is restricted
 * to the segments and a small part of their neighbours in the same piece; minima that are found twice are merged later. Newton's
 * iteration starts at the nearest points of the two chords. If f may not be convex, that is unless
 *
 *     (1 - |r| kappa_a) (1 - |r| kappa_b) > cos^2(least angle between the tangents),
 *
 * the iteration also starts at the ends of either segment with their feet on the other. Straight segments need no iteration.
 *
 * A pair of points touches if f increases away from it along each curve, on both sides of a joint. An end where another piece of
 * the owner begins is not proposed, because that piece proposes the same point as its start. If the distance is constant along an
 * interval, the ends of the interval touch; a point inside it is marked as a touch that counts only if the two pieces have no
 * other touch. `flat` adds ends that are nearly minima: from such an end, the gap may decrease by at most `flat` over the length
 * of a piece. Source: docs/maths_rods.md, section 5. For folds of edges, see fold.h. */
#ifndef CST_COLLIDE_DISTANCE_CURVE_H
#define CST_COLLIDE_DISTANCE_CURVE_H

#include "collide/centreline.h"

typedef struct cst_curve_side {
    const cst_segment *segment;
    const cst_placed_piece *piece;
} cst_curve_side;

typedef struct cst_space_rules {
    double margin; /* touches have gap < margin */
    double effort; /* m, >= margin: the number of start points is chosen as if touches up to this gap were needed */
    double flat;   /* m */
} cst_space_rules;

enum { CST_SPACE_TOUCHES_MAX = 12 }; /* of one pair of segments */

/* `branch` of a touch is 0, or this value if the touch is inside an interval of constant distance. */
#define CST_TOUCH_INSIDE_LEVEL 1u

/* Smaller slopes are rounding errors. */
#define CST_SPACE_LEVEL 1e-9

/* Writes at most CST_SPACE_TOUCHES_MAX touches and returns their number. The fields a and b stay 0. */
int cst_touch_segments(const cst_curve_side *a, const cst_curve_side *b, const cst_space_rules *rules, cst_touch_space *out);

/* Computes point and unit tangent of the true curve at u of the segment; `s`: arc length on the piece. */
void cst_side_at(const cst_curve_side *side, double u, double *s, double *x, double *t);

/* Position of a segment's point on its piece. */
typedef enum cst_on_piece { CST_PIECE_INSIDE = 0, CST_PIECE_START, CST_PIECE_END } cst_on_piece;

cst_on_piece cst_side_place(const cst_curve_side *side, double u);

/* Returns true if the distance increases away from this end of a piece, or decreases by at most `level` per length, on both sides
 * of a joint. `n` points from the other shape to this end. Returns false at the end of a piece that another piece continues,
 * because the start of the next piece is tested instead. */
bool cst_piece_rests(const cst_placed_piece *piece, cst_on_piece at, const double *n, double level);

#endif
