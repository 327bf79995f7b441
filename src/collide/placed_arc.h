/* An arc with the quantities that distance computations need: both ends, the directions of its neighbours there, and an oriented
 * box.
 *
 * In the frame of its start (tangent, left normal) the arc is, as a complex number,
 *
 *     p(s) = s sinc(k s / 2) e^{i k s / 2},      tangent e^{i k s}
 *
 * (a chord at half the angle, without cancellation for any k, 0 included). The point of the full circle that is nearest to the
 * point (a, b) of this frame is at the arc length s = atan2(k a, 1 - k b) / k, which tends to a as k tends to 0. Source:
 * docs/maths_rods.md, section 2. */
#ifndef CST_COLLIDE_PLACED_ARC_H
#define CST_COLLIDE_PLACED_ARC_H

#include <math.h>
#include <stddef.h>

#include "collide/shape.h"

#define CST_PI 3.14159265358979323846

typedef struct cst_placed_arc {
    double x[2], t[2];       /* start point and tangent there */
    double end[2], end_t[2]; /* end point and tangent there */
    double k, l, radius;
    double cosine, sine;       /* for the turn phi of the arc: cos(phi), sin(phi) / k */
    bool small_turn;           /* |phi| < 1 */
    double before[2];          /* tangent at the end of the previous arc */
    double before_k, before_l; /* curvature and length of the previous arc */
    double slack;              /* gap by which the joint at the start fails to close */
    double open;               /* sum over both joints of the arc: error in position, plus error in direction times length */
    /* arc lengths from the start of this arc to the owner's free ends; infinite if the owner is closed */
    double from_start, to_end;
    double turned;                      /* absolute turning of the owner from its start to the start of this arc */
    double center[2], axis[2], half[2]; /* oriented box of the centreline; `axis` is its long direction */
    int32_t prev, next;                 /* arcs joined to it, or -1 */
    bool point;                         /* length 0 */
    bool solid, hollow;
    bool usable; /* all numbers are finite */
} cst_placed_arc;

/* Places an arc without neighbours: prev = next = -1. */
void cst_place_arc(const cst_arc *arc, cst_placed_arc *out);

/* Records that a precedes b (with the indices a_index, b_index). Both arguments may be the same arc, in a ring of one element. */
void cst_join_arcs(cst_placed_arc *a, int32_t a_index, cst_placed_arc *b, int32_t b_index);

/* Returns true if two consecutive arcs of an owner are joined, judged by their arc lengths. `wrap`: a is the last and b the first
 * arc of a closed owner. */
bool cst_arcs_meet(const cst_arc *a, const cst_arc *b, bool wrap);

/* Computes the point x and the tangent t at s; either output may be NULL. */
void cst_arc_at(const cst_placed_arc *arc, double s, double *x, double *t);

/* Returns atan2(k y, x) / k, accurate for every k; +-infinity if k = 0 and x <= 0. */
double cst_arc_length_of(double y, double x, double k);

/* Computes s = atan2(k y, x) / k, moved onto the arc by full turns. Returns false if s is not on the arc, within `slack`. */
bool cst_arc_locate(const cst_placed_arc *arc, double y, double x, double slack, double *s);

/* Moves s by full turns of the circle into [-slack, l + slack]. Returns false if s is not on the arc. */
bool cst_arc_wrap(const cst_placed_arc *arc, double slack, double *s);

/* Computes s of the point nearest to x. Returns false if the point is beyond an end by more than `slack`, or if x is the centre
 * of the circle. */
bool cst_arc_foot(const cst_placed_arc *arc, const double *x, double slack, double *s);

/* Computes s of the point of the full circle farthest from x. Returns false if the point is not on the arc. */
bool cst_arc_far_point(const cst_placed_arc *arc, const double *x, double *s);

/* Returns the signed distance from x to the full circle, positive on the left. */
double cst_arc_side(const cst_placed_arc *arc, const double *x);

/* Distance from x to the arc. */
double cst_arc_distance(const cst_placed_arc *arc, const double *x);

/* Returns a lower bound for the distance between the two centrelines, from their oriented boxes. */
double cst_arcs_apart(const cst_placed_arc *a, const cst_placed_arc *b);

/* Returns the distance in arc length below which two touches of a and b are one. If b is NULL, the other shape is a half-plane. */
double cst_arcs_blur(const cst_placed_arc *a, const cst_placed_arc *b);

/* Small vectors. */
static inline double cst_dot2(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static inline double cst_cross2(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

/* n . left normal of t */
static inline double cst_left_dot(const double *t, const double *n)
{
    return cst_cross2(t, n);
}

#endif
