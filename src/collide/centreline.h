/* Cuts centreline pieces into nearly straight segments, and approximates the curve of each segment by a quartic polynomial.
 *
 * A centreline piece is cut into segments of equal length:
 *     `h = min(L, max(0.1/kappa, h1))`.
 *     `h1 = min(1/(2*kappa), sqrt(4*r/kappa))`.
 *     `h`: arc length of a segment (m).
 *     `L`: arc length of the centreline piece (m).
 *     `kappa`: largest curvature of the centreline piece (1/m).
 *     `r`: radius of the rod (m).
 *
 * With h <= 1/(2 kappa), the direction of the centreline changes by at most half a radian along a segment. With h <= sqrt(4
 * r/kappa), the curve is at most half the rod's radius r away from the chord, because the distance is at most kappa h^2/8. The
 * lower limit 0.1/kappa keeps the number of segments of a very thin rod small; its curve may be farther from the chord. Source:
 * docs/maths_rods.md, section 5.
 *
 * The Hermite cubic of a segment has the points and tangents of the curve at the two ends of the segment:
 *     `x0+u*c+3*u*v^2*o0+3*u^2*v*o1`.
 *     `v = 1 - u`.
 *     `c = x1 - x0`.
 *     `o0 = (m0 - c)/3`.
 *     `o1 = (c - m1)/3`.
 *     `u`: position on the segment, from 0 to 1.
 *     `x0`, `x1`: start and end of the segment.
 *     `m0`, `m1`: unit tangents at the start and the end, times h.
 *     `c`: chord of the segment.
 *     `o0`, `o1`: offsets of the cubic's two inner Bezier points from the chord.
 *
 * The Hermite cubic deviates from an arc of curvature kappa by at most kappa^3 h^4/384. For a segment with h <= h1, the deviation
 * of the cubic from an arc is at most 0.3 % of the rod's radius. For a twisted curve, such as a helix, the cubic is less
 * accurate. The segments are then halved until the cubic deviates by at most 1 % of the larger of r and L/1000, measured in the
 * middle of the first segment.
 *
 * The vector from the chord to the cubic lies in the triangle with the corners 0, (3/4) o0 and (3/4) o1. Shifting the chord by
 * (3/16) (o0 + o1) halves the largest distance between the chord and an arc.
 *
 * The quartic of a segment is the Hermite cubic plus a correction:
 *     `16*u^2*(1-u)^2*w`.
 *     `w`: vector from the cubic to the curve in the middle of the segment.
 *
 * The leading error of the cubic is proportional to u^2 (1 - u)^2, so the second derivative of the quartic is accurate to 1 %.
 * The search for nearest points uses the quartics; only its last step evaluates the curve itself. */
#ifndef CST_COLLIDE_CENTRELINE_H
#define CST_COLLIDE_CENTRELINE_H

#include "collide/box_tree.h"
#include "collide/shape_space.h"

typedef struct cst_segment {
    double x[2][3]; /* ends */
    double m[2][3]; /* unit tangents at the ends, times h */
    double h;       /* arc length (m) */
    double sag;     /* upper bound (m) for the distance of the curve from the chord */
    /* ends of the chord after a shift towards the curve, which halves the largest distance between the chord and an arc */
    double line[2][3];
    double wide; /* upper bound (m) for the distance of the curve from `line` */
    int32_t piece;
    int32_t rank; /* number of the segment in its piece, from 0 */
} cst_segment;

/* A centreline piece in its current position, with its segments. */
typedef struct cst_placed_piece {
    const cst_piece *piece;
    const cst_curve_view *view;
    /* index of the first segment of the centreline piece, and number of its segments; 0 and 0 before the piece is cut */
    int32_t first, count;
    int32_t prev, next;                 /* joined pieces, or -1 */
    double end[2][3];                   /* start and end */
    double inside[CST_QUARTERS - 1][3]; /* points between the ends, equally spaced */
    double t[2][3];                     /* unit tangents at start and end */
    double before[3];                   /* unit tangent at the end of the previous piece */
    /* upper bound (rad) for the sum of the absolute changes of direction of the centreline before the start of the piece */
    double turned;
    bool straight;
    bool point;  /* length 0 */
    bool usable; /* all numbers are finite */
    /* The following fields are set when the centreline piece is cut into segments. */
    double off; /* distance (m) between curve and cubic in the middle of the first segment */
    /* distance (m) between curve and quartic at a quarter of the first segment, near the position where the distance is
     * largest */
    double astray;
    /* first segment of a bent centreline piece: its two ends, its two tangents times h, and its bulge (cst_segment_bulge) */
    double begin[5][3];
    bool even; /* true if all segments have the same shape, as on a helix */
    /* if `even` is true: ratio of the bulge of a segment (cst_segment_bulge) to the difference m0 - m1 of its tangents */
    double bulge;
} cst_placed_piece;

/* Computes the ends and tangents of a centreline piece. The piece `out` has no neighbours yet (prev = next = -1) and no segments
 * (first = count = 0). */
void cst_place_piece(const cst_piece *piece, const cst_piece_shape *shape, const cst_curve_view *view, cst_placed_piece *out);

/* Computes the number of segments of the centreline piece and stores it in `count`. */
void cst_count_segments(cst_placed_piece *piece);

/* Computes the segments of a centreline piece, whose index in the scene is `index`. If a computed coordinate is not finite, the
 * field `usable` of the piece becomes false. */
void cst_cut_piece(cst_placed_piece *piece, int32_t index, cst_segment *out);

/* Joins the end of the centreline piece a to the start of the centreline piece b. In a ring of a single piece, a and b are the
 * same piece. */
void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index);

/* Returns true if the centreline piece b begins at the arc length at which the piece a ends. Edges of solids and pieces of length
 * 0 are never joined. `wrap`: true if a is the last piece and b the first piece of a closed centreline. */
bool cst_pieces_meet(const cst_piece *a, const cst_piece *b, bool wrap);

/* Returns the angle (rad) between the tangents before and after the joint at the start of a centreline piece. */
double cst_joint_turn(const cst_placed_piece *piece);

/* Computes the bounding box of a segment, enlarged by the distance `about` (m) on all sides. */
cst_box cst_segment_box(const cst_segment *segment, double about);

/* Returns the arc length (m) from the start of the centreline piece to the position u in [0, 1] of a segment. */
static inline double cst_segment_s(const cst_segment *segment, double u)
{
    return ((double)segment->rank + u) * segment->h;
}

/* Computes the bulge of a segment: the vector b for which the quartic is the cubic plus u^2 (1 - u)^2 b. The bulge is computed
 * only for segments near another segment, because it may need an evaluation of the curve. */
void cst_segment_bulge(const cst_placed_piece *piece, const cst_segment *segment, double *bulge);

/* Computes the point x of a segment's Hermite cubic at the position u in [0, 1], its first derivative d and its second derivative
 * dd. */
void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd);

#endif
