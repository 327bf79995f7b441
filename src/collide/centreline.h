/* Cuts centreline pieces (elements of the centreline of a rod, or edges of a solid) into nearly straight segments, and
 * approximates the curve of each segment by a quartic polynomial.
 *
 * The segments of a centreline piece have equal length h, with the following upper limit, unless the piece would need more than
 * 4,096 segments:
 *     `h <= min(L, max(0.1/kappa, h1))`.
 *     `h1 = min(1/(2*kappa), sqrt(4*r/kappa))`.
 *     `L`: length of the piece (m).
 *     `kappa`: its largest curvature (1/m).
 *     `r`: radius of the rod (m).
 *
 * The direction of the centreline changes by at most half a radian along a segment. The distance between the curve and the chord
 * of a segment is at most kappa h^2/8 (curvature kappa, length h). Except in very thin rods, the distance between the curve and
 * the chord is also at most half the radius of the rod. A rod is very thin if sqrt(4 r/kappa) is less than 0.1/kappa (radius r,
 * curvature kappa); its segments are up to 0.1/kappa long. Source: docs/maths_rods.md, section 5.
 *
 * The curve of a segment is approximated by the Hermite cubic with the same ends and end tangents:
 *     `x0+u*c+3*u*v^2*o0+3*u^2*v*o1`.
 *     `v = 1 - u`.
 *     `c = x1 - x0`.
 *     `o0 = (m0 - c)/3`.
 *     `o1 = (c - m1)/3`.
 *     `u`: position, from 0 to 1.
 *     `x0`, `x1`: ends of the segment.
 *     `m0`, `m1`: unit tangents at the ends of the segment, times its length h.
 *
 * If a segment is an arc of length h and curvature kappa, its Hermite cubic deviates from the arc by at most kappa^3 h^4/384.
 * Except in very thin rods, the Hermite cubic deviates from an arc by at most 0.3 % of the radius of the rod. On a curve with
 * torsion, such as a helix, the Hermite cubic is less accurate. The segments of a piece are halved, at most eight times, until
 * the cubic of the first segment is near enough to the curve. The cubic must deviate from the curve, in the middle of the first
 * segment, by at most 1 % of the radius of the rod or 1e-5 of the length of the piece, whichever is larger.
 *
 * At every position u, the vector from the chord's point to the cubic's point lies in the triangle with the corners 0, (3/4) o0
 * and (3/4) o1 (o0, o1: offsets of the cubic's inner Bezier points from the chord). If the curve is an arc, a shift of the chord
 * by 3/16 (o0 + o1) halves the largest distance between the chord and the curve (o0, o1: offsets of the cubic's inner Bezier
 * points).
 *
 * The quartic of a segment, at the position u in [0, 1], is the Hermite cubic plus 16 u^2 (1 - u)^2 times the error of the cubic
 * at u = 1/2. The leading error of the cubic at the position u is proportional to u^2 (1 - u)^2; the quartic does not have this
 * error, so its second derivative is accurate to 1 %. */
#ifndef CST_COLLIDE_CENTRELINE_H
#define CST_COLLIDE_CENTRELINE_H

#include "collide/box_tree.h"
#include "collide/shape_space.h"

typedef struct cst_segment {
    double x[2][3]; /* ends */
    double m[2][3]; /* unit tangents at the ends of the segment, times its length h */
    double h;       /* arc length (m) */
    double sag;     /* upper bound (m) for the distance of the segment's curve from its chord */
    /* ends of the segment's chord, shifted towards the curve to halve its distance from the curve */
    double line[2][3];
    double wide; /* upper bound (m) for the distance of the segment's curve from the shifted chord `line` */
    int32_t piece;
    int32_t rank; /* index of the segment in its centreline piece, from 0 */
} cst_segment;

/* A centreline piece (an element of the centreline of a rod, or an edge of a solid) in its current position. */
typedef struct cst_placed_piece {
    const cst_piece *piece;
    const cst_curve_view *view;
    /* `first`: index of the piece's first segment in the array of all segments; `count`: number of the piece's segments, or 0
     * before cst_count_segments has computed it */
    int32_t first, count;
    int32_t prev, next;                 /* joined pieces, or -1 */
    double end[2][3];                   /* start and end */
    double inside[CST_QUARTERS - 1][3]; /* points between the ends, equally spaced */
    double t[2][3];                     /* unit tangents at start and end */
    double before[3];                   /* end tangent of the previous piece */
    /* upper bound (rad) for the sum of the absolute changes of direction of the centreline before the start of the piece */
    double turned;
    bool straight;
    bool point;  /* length 0 */
    bool usable; /* all numbers are finite, and length, radius and curvature are not negative */
    /* The following fields are set by cst_count_segments; from `begin` on, only in a bent piece. */
    double off; /* distance (m) between the curve and the Hermite cubic of the piece's first segment, in its middle */
    /* distance (m) between the curve and the quartic of the piece's first segment, at a quarter of the segment, where this
     * distance is nearly largest */
    double astray;
    /* first segment of a bent centreline piece: ends, tangents times the segment length h, and bulge (cst_segment_bulge) */
    double begin[5][3];
    bool even; /* true if all segments of the piece have the same shape, as on a helix */
    /* if all segments have the same shape (`even`): the bulge of a segment (cst_segment_bulge) is this factor times the
     * difference m0 - m1 of its end tangents */
    double bulge;
} cst_placed_piece;

/* Computes the ends and tangents of a centreline piece, before its neighbours and segments are known. */
void cst_place_piece(const cst_piece *piece, const cst_piece_shape *shape, const cst_curve_view *view, cst_placed_piece *out);

/* Sets the field `count` of the piece to the number of segments into which the piece is to be cut. */
void cst_count_segments(cst_placed_piece *piece);

/* Computes the segments of a centreline piece. If a coordinate is not finite, the field `usable` of the piece becomes false. */
void cst_cut_piece(cst_placed_piece *piece, int32_t index, cst_segment *out);

/* Records in both pieces that the centreline piece b continues the piece a. In a ring of a single piece, a and b are the same
 * piece. */
void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index);

/* Returns true if the pieces a and b of one centreline have a length greater than 0, and b begins at the arc length at which a
 * ends. Edges of solids are never joined. `wrap`: true if a is the last piece and b the first piece of a closed centreline. */
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

/* Computes the bulge of a segment: the vector b for which the segment's quartic, at the position u in [0, 1], is its Hermite
 * cubic plus u^2 (1 - u)^2 b. */
void cst_segment_bulge(const cst_placed_piece *piece, const cst_segment *segment, double *bulge);

/* Computes the point x of a segment's Hermite cubic at the position u in [0, 1], and its first derivative d and second derivative
 * dd with respect to u. */
void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd);

#endif
