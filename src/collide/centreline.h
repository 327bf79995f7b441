/* Centrelines cut into segments that are nearly straight, each with a quartic that follows the true curve.
 *
 * A piece of length L that is nowhere bent more than kappa is cut into equal segments of
 *
 *     h = min(L, max(0.1 / kappa, min(1 / (2 kappa), sqrt(4 r / kappa))))
 *
 * so that each turns by at most half a radian and its chord is within kappa h^2 / 8 <= r / 2 of it. The cubic through both ends
 * with the tangents there is within kappa^3 h^4 / 384 <= 0.3 % of r of an arc; twisted pieces wind faster than their curvature
 * says, and are cut again in two until the cubic of the first segment is within 1 % of r in its middle. Source:
 * docs/maths_rods.md, section 5.
 *
 * With c = x1 - x0, o0 = (m0 - c) / 3, o1 = (c - m1) / 3 (m: tangents times h) the cubic is x0 + u c + 3 u v^2 o0 + 3 u^2 v o1,
 * and 3 u v^2 + 3 u^2 v <= 3 / 4: what it is off the chord lies in the triangle 0, 3/4 o0, 3/4 o1. So the line beside the chord
 * by (3/16) (o0 + o1) is twice as near to the curve as the chord is.
 *
 * What the cubic is off the curve begins with u^2 v^2: with 16 times what it is in the middle added there, it is a quartic whose
 * second derivative is good to a hundredth, so that nearest points are sought on it, and the curve itself is asked at last. */
#ifndef CST_COLLIDE_CENTRELINE_H
#define CST_COLLIDE_CENTRELINE_H

#include "collide/box_tree.h"
#include "collide/shape_space.h"

typedef struct cst_segment {
    double x[2][3];    /* ends */
    double m[2][3];    /* tangents there, times h */
    double h;          /* arc length */
    double sag;        /* the curve is no farther from the chord */
    double line[2][3]; /* ends of a line beside the chord, */
    double wide;       /* from which the curve is no farther */
    int32_t piece;
    int32_t rank; /* in the piece */
} cst_segment;

/* A piece with what every distance needs of it. */
typedef struct cst_placed_piece {
    const cst_piece *piece;
    const cst_curve_view *view;
    int32_t first, count;               /* segments; none as long as it is not cut */
    int32_t prev, next;                 /* pieces joined to it, or -1 */
    double end[2][3];                   /* start and end */
    double inside[CST_QUARTERS - 1][3]; /* points between them, in equal parts */
    double t[2][3];                     /* directions there */
    double before[3];                   /* direction in which the piece before arrives at the start */
    double turned;                      /* absolute turning of the owner from its start to the start of this piece, at most */
    bool straight;
    bool point;  /* length 0 */
    bool usable; /* all numbers are finite */
    /* From here on if it is cut. */
    double off;         /* distance between curve and cubic in the middle of a segment */
    double astray;      /* distance between curve and quartic at its quarter, where it is largest */
    double begin[5][3]; /* of a bent piece, from its first segment: ends, tangents times h, bulge */
} cst_placed_piece;

/* Ends and directions; no neighbours yet (prev = next = -1), not cut: first = count = 0. */
void cst_place_piece(const cst_piece *piece, const cst_curve_view *view, cst_placed_piece *out);

/* How many segments the piece is cut into: its `count`. */
void cst_count_segments(cst_placed_piece *piece);

/* Fills the `count` segments of a piece. The piece is no longer usable if the curve is not finite. */
void cst_cut_piece(cst_placed_piece *piece, int32_t index, cst_segment *out);

/* Tells b that a comes before it. May be the same piece: a ring of one. */
void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index);

/* Are two pieces that follow each other in an owner joined? By arc length, edges of solids never; wrap: from the last to the
 * first of a closed one. */
bool cst_pieces_meet(const cst_piece *a, const cst_piece *b, bool wrap);

/* Angle by which the owner turns at the joint at the start of a piece. */
double cst_joint_turn(const cst_placed_piece *piece);

/* Box of a segment, `about` wider than its centreline. */
cst_box cst_segment_box(const cst_segment *segment, double about);

/* Arc length of u in [0, 1] from the start of the piece. */
static inline double cst_segment_s(const cst_segment *segment, double u)
{
    return ((double)segment->rank + u) * segment->h;
}

/* The quartic of a segment is its cubic + u^2 v^2 bulge. Asked of segments that are near another: few of those that are cut. */
void cst_segment_bulge(const cst_placed_piece *piece, const cst_segment *segment, double *bulge);

/* Point of the cubic at u and its first two derivatives by u. */
void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd);

#endif
