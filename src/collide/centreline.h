/* Cuts centrelines into nearly straight segments, each with a quartic that follows the true curve.
 *
 * A piece of length L with a curvature of at most kappa is cut into equal segments of
 *
 *     h = min(L, max(0.1 / kappa, min(1 / (2 kappa), sqrt(4 r / kappa))))
 *
 * so that each segment turns by at most half a radian and its chord is within kappa h^2 / 8 <= r / 2 of the curve. The cubic
 * through both ends with the tangents at the ends is within kappa^3 h^4 / 384 <= 0.3 % of r of an arc. Twisted pieces wind faster
 * than their curvature suggests: they are halved until the cubic of the first segment is within 1 % of r in its middle. Source:
 * docs/maths_rods.md, section 5.
 *
 * With c = x1 - x0, o0 = (m0 - c) / 3, o1 = (c - m1) / 3 (m: tangents times h) the cubic is x0 + u c + 3 u v^2 o0 + 3 u^2 v o1,
 * and 3 u v^2 + 3 u^2 v <= 3 / 4. The deviation of the cubic from the chord therefore lies in the triangle 0, 3/4 o0, 3/4 o1, and
 * the line parallel to the chord at the offset (3/16) (o0 + o1) is twice as near to the curve as the chord.
 *
 * The leading term of the cubic's error is proportional to u^2 v^2. Adding u^2 v^2 times 16 times the error in the middle gives a
 * quartic whose second derivative is accurate to 1 %. Nearest points are searched on the quartic, and only the last step
 * evaluates the curve itself. */
#ifndef CST_COLLIDE_CENTRELINE_H
#define CST_COLLIDE_CENTRELINE_H

#include "collide/box_tree.h"
#include "collide/shape_space.h"

typedef struct cst_segment {
    double x[2][3];    /* ends */
    double m[2][3];    /* tangents at the ends, times h */
    double h;          /* arc length */
    double sag;        /* largest distance of the curve from the chord */
    double line[2][3]; /* ends of the line parallel to the chord, offset by (3/16) (o0 + o1) */
    double wide;       /* largest distance of the curve from the line `line` */
    int32_t piece;
    int32_t rank; /* in the piece */
} cst_segment;

/* A piece with the quantities that distance computations need. */
typedef struct cst_placed_piece {
    const cst_piece *piece;
    const cst_curve_view *view;
    int32_t first, count;               /* range of the piece's segments; empty before the piece is cut */
    int32_t prev, next;                 /* pieces joined to it, or -1 */
    double end[2][3];                   /* start and end */
    double inside[CST_QUARTERS - 1][3]; /* points between the ends, equally spaced */
    double t[2][3];                     /* directions there */
    double before[3];                   /* tangent at the end of the previous piece */
    double turned; /* upper bound for the absolute turning of the owner from its start to the start of this piece */
    bool straight;
    bool point;  /* length 0 */
    bool usable; /* all numbers are finite */
    /* The following fields are set when the piece is cut. */
    double off;         /* distance between curve and cubic in the middle of a segment */
    double astray;      /* distance between curve and quartic at a quarter of a segment, where the distance is largest */
    double begin[5][3]; /* first segment of a bent piece: ends, tangents times h, bulge */
} cst_placed_piece;

/* Computes ends and directions. After this call, the piece has no neighbours (prev = next = -1) and is not cut (first = count =
 * 0). */
void cst_place_piece(const cst_piece *piece, const cst_curve_view *view, cst_placed_piece *out);

/* Computes the number of segments of the piece and stores it in `count`. */
void cst_count_segments(cst_placed_piece *piece);

/* Fills the `count` segments of a piece. The piece becomes unusable if the curve is not finite. */
void cst_cut_piece(cst_placed_piece *piece, int32_t index, cst_segment *out);

/* Records that a precedes b. Both arguments may be the same piece, in a ring of one piece. */
void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index);

/* Returns true if two consecutive pieces of an owner are joined, judged by their arc lengths; edges of solids never are. `wrap`:
 * a is the last and b the first piece of a closed owner. */
bool cst_pieces_meet(const cst_piece *a, const cst_piece *b, bool wrap);

/* Returns the angle by which the owner turns at the joint at the start of a piece. */
double cst_joint_turn(const cst_placed_piece *piece);

/* Computes the bounding box of a segment, wider than its centreline by `about`. */
cst_box cst_segment_box(const cst_segment *segment, double about);

/* Returns the arc length from the start of the piece to u in [0, 1]. */
static inline double cst_segment_s(const cst_segment *segment, double u)
{
    return ((double)segment->rank + u) * segment->h;
}

/* Computes the bulge of a segment: its quartic is its cubic + u^2 v^2 bulge. The function is called only for the few segments
 * that are near another segment. */
void cst_segment_bulge(const cst_placed_piece *piece, const cst_segment *segment, double *bulge);

/* Computes the point of the cubic at u and its first two derivatives with respect to u. */
void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd);

#endif
