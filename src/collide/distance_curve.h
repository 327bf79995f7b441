/* Touches of two segments of centrelines: every local minimum of the distance of the true curves below a margin.
 *
 * With r = x_a(s) - x_b(t), f = r.r / 2 has the slopes (r.x_a', -r.x_b') and the second derivatives
 *
 *     [ 1 + r.x_a''    -x_a'.x_b'  ]
 *     [ -x_a'.x_b'     1 - r.x_b'' ].
 *
 * Newton's method, kept within the segments (and a little of their neighbours within the piece, which find a minimum there too:
 * doubles are merged later), on the quartics first (centreline.h) and then on the true curves. It starts at the nearest points
 * of the chords; where f may be other than convex, that is unless
 *
 *     (1 - |r| kappa_a) (1 - |r| kappa_b) > cos^2(least angle between the tangents),
 *
 * also at the ends of either segment with their feet on the other. Straight segments need none of this.
 *
 * A pair of points touches if f rises from it along each curve, on both sides where the owner goes on. An end where another
 * piece of the owner begins is not proposed: that piece proposes it as its start. Where the distance is the same along an
 * interval, its ends touch; a point inside of it is marked as one that touches only if nothing else of the two pieces does.
 * `flat` adds ends that are not quite minima: those from which the gap falls by no more than that over the length of a piece.
 * Source: docs/maths_rods.md, section 5.
 * Where edges fold: fold.h. */
#ifndef CST_COLLIDE_DISTANCE_CURVE_H
#define CST_COLLIDE_DISTANCE_CURVE_H

#include "collide/centreline.h"

typedef struct cst_curve_side {
    const cst_segment *segment;
    const cst_placed_piece *piece;
} cst_curve_side;

typedef struct cst_space_rules {
    double margin; /* touches have gap < margin */
    double effort; /* not below the margin: how hard two segments are searched, as if touches up to this gap were wanted */
    double flat;   /* m */
} cst_space_rules;

enum { CST_SPACE_TOUCHES_MAX = 12 }; /* of one pair of segments */

/* `branch` of a touch that is found is 0, or this: inside a level interval. */
#define CST_TOUCH_INSIDE_LEVEL 1u

/* Slopes below this are rounding. */
#define CST_SPACE_LEVEL 1e-9

/* Writes at most CST_SPACE_TOUCHES_MAX and returns how many. The fields a and b are left 0. */
int cst_touch_segments(const cst_curve_side *a, const cst_curve_side *b, const cst_space_rules *rules, cst_touch_space *out);

/* Point and unit tangent of the true curve at u of the segment; s gets the arc length on the piece. */
void cst_side_at(const cst_curve_side *side, double u, double *s, double *x, double *t);

/* Where a point of a segment is on its piece. */
typedef enum cst_on_piece { CST_PIECE_INSIDE = 0, CST_PIECE_START, CST_PIECE_END } cst_on_piece;

cst_on_piece cst_side_place(const cst_curve_side *side, double u);

/* Does the distance rise from this end of a piece, by no less than -level per length, on both sides of a joint? n points from the
 * other shape to it. The end of a piece that goes on: no, the next one's start is asked. */
bool cst_piece_rests(const cst_placed_piece *piece, cst_on_piece at, const double *n, double level);

#endif
