/* Cuts centrelines into nearly straight segments, each with a quartic that follows the true curve.
 *
 * Let L be the length of a centreline piece, r the radius of the rod, and kappa the largest curvature. The centreline piece is
 * cut into equal segments of the length h:
 *     `h = min(L, max(0.1/kappa, h1))`.
 *     `h1 = min(1/(2*kappa), sqrt(4*r/kappa))`.
 *
 * The direction of the centreline changes by at most half a radian along a segment. The distance between the chord of a segment
 * of the length h and a curve of curvature kappa is at most kappa h^2 / 8. The length of the segments is chosen such that the
 * distance between chord and curve is at most half the radius of the rod. Segments of very thin rods are an exception: they have
 * the least length 0.1 / kappa (kappa: curvature), and their chords may be farther from the curve. The Hermite cubic through
 * both ends of a segment, with the tangents there, deviates from an arc of curvature kappa by at most kappa^3 h^4 / 384, where h
 * is the length of the segment. For segments of the chosen length, the cubic deviates from an arc by at most 0.3 % of the radius
 * of the rod, except for very thin rods. A twisted centreline piece, such as a helix, winds faster than its curvature suggests,
 * so that the error of the cubic is larger. Segments of twisted centreline pieces are halved until the distance between the
 * cubic and the curve, in the middle of the first segment, is at most 1 % of the radius of the rod. Source: docs/maths_rods.md,
 * section 5.
 *
 * Let x0 and x1 be the ends of a segment, h its length, c its chord, and m0 and m1 its tangents at the ends, times h. Let o0 and
 * o1 be the offsets of the cubic's inner Bezier points from the chord, and u in [0, 1] the position on the segment. The Hermite
 * cubic is:
 *     `x0+u*c+3*u*v^2*o0+3*u^2*v*o1`.
 *     `v = 1 - u`.
 *     `c = x1 - x0`.
 *     `o0 = (m0 - c)/3`.
 *     `o1 = (c - m1)/3`.
 *
 * The deviation of the cubic from the chord lies in the triangle with the corners 0, 3/4 o0 and 3/4 o1, because the Bernstein
 * weights of the offsets o0 and o1 add up to at most 3/4. The offsets o0 and o1 of the inner Bezier points also define a line
 * beside the curve: the chord, shifted by (3/16) (o0 + o1). For an arc, the curve's largest distance from this line is half its
 * largest distance from the chord.
 *
 * At the position u in [0, 1] of a segment, the leading error of the approximating cubic is proportional to u^2 (1 - u)^2.
 * Adding 16 u^2 (1 - u)^2 times the error in the middle of the segment to the cubic gives a quartic whose second derivative is
 * accurate to 1 %. The search for nearest points evaluates the quartics of the segments; only its last step evaluates the curve
 * itself. */
#ifndef CST_COLLIDE_CENTRELINE_H
#define CST_COLLIDE_CENTRELINE_H

#include "collide/box_tree.h"
#include "collide/shape_space.h"

typedef struct cst_segment {
    double x[2][3]; /* ends */
    double m[2][3]; /* tangents at the ends, times h */
    double h;       /* arc length */
    double sag;     /* largest distance from the chord */
    /* ends of a line parallel to the chord: the curve's largest distance from this line is about half its largest distance from
     * the chord */
    double line[2][3];
    double wide; /* largest distance from `line` (m) */
    int32_t piece;
    int32_t rank; /* in the piece */
} cst_segment;

/* A centreline piece with the quantities that distance computations need. */
typedef struct cst_placed_piece {
    const cst_piece *piece;
    const cst_curve_view *view;
    /* index of the first segment of the centreline piece, and number of its segments; both are 0 before the piece is cut into
     * segments */
    int32_t first, count;
    int32_t prev, next;                 /* joined pieces, or -1 */
    double end[2][3];                   /* start and end */
    double inside[CST_QUARTERS - 1][3]; /* points between the ends, equally spaced */
    double t[2][3];                     /* directions there */
    double before[3];                   /* tangent at the end of the previous centreline piece */
    /* rad: upper bound for the sum of the absolute changes of direction of the centreline from its start to the start of this
     * piece */
    double turned;
    bool straight;
    bool point;  /* length 0 */
    bool usable; /* all numbers are finite */
    /* The following fields of the structure are set when the centreline piece is cut into segments. */
    double off; /* distance (m) between the curve and the approximating cubic in the middle of a segment */
    /* distance (m) between the curve and the approximating quartic at a quarter of a segment, where it is largest */
    double astray;
    /* first segment of a bent centreline piece: its two ends, the tangents there times its length, and its bulge, the quartic
     * correction of its cubic (cst_segment_bulge) */
    double begin[5][3];
    bool even; /* true if all segments have the same shape, as those of a helix have */
    /* if all segments have the same shape: ratio of the quartic correction of a segment (its bulge, cst_segment_bulge) to m0 -
     * m1, the difference of its end tangents */
    double bulge;
} cst_placed_piece;

/* Computes ends and directions. The resulting centreline piece `out` has no neighbours yet (prev = next = -1) and is not yet cut
 * into segments (first = count = 0). */
void cst_place_piece(const cst_piece *piece, const cst_piece_shape *shape, const cst_curve_view *view, cst_placed_piece *out);

/* Computes the number of segments of the centreline piece and stores it in `count`. */
void cst_count_segments(cst_placed_piece *piece);

/* Fills the `count` segments of a centreline piece. The centreline piece becomes unusable if the curve is not finite. */
void cst_cut_piece(cst_placed_piece *piece, int32_t index, cst_segment *out);

/* Records that the centreline piece a precedes the piece b. If a ring consists of a single centreline piece, the arguments a and
 * b are this piece: it precedes itself. */
void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index);

/* Returns true if two consecutive pieces of a centreline are joined, which means that one ends at the arc length at which the
 * other begins; edges of solids are never joined. The argument `wrap` is true if a is the last piece and b the first piece of a
 * closed centreline. */
bool cst_pieces_meet(const cst_piece *a, const cst_piece *b, bool wrap);

/* Returns the angle by which the centreline turns at the joint at the start of a piece. */
double cst_joint_turn(const cst_placed_piece *piece);

/* Computes the bounding box of a segment, enlarged on all sides by the distance `about`. */
cst_box cst_segment_box(const cst_segment *segment, double about);

/* Returns the arc length from the start of the centreline piece to the position u in [0, 1] of a segment. */
static inline double cst_segment_s(const cst_segment *segment, double u)
{
    return ((double)segment->rank + u) * segment->h;
}

/* Computes the bulge of a segment, which is the vector b for which the quartic is the cubic plus u^2 (1 - u)^2 b. The function
 * cst_segment_bulge, which computes the quartic correction of a segment's cubic, is called only for the few segments that are
 * near another segment. */
void cst_segment_bulge(const cst_placed_piece *piece, const cst_segment *segment, double *bulge);

/* Computes the point of a segment's approximating cubic at the position u in [0, 1], and its first two derivatives with respect
 * to u. */
void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd);

#endif
