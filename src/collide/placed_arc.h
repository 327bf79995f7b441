/* An arc with what every distance needs of it: both ends, its neighbours' directions there, and an oriented box.
 *
 * In the frame of its start (tangent, left normal) the arc is, as a complex number,
 *
 *     p(s) = s sinc(k s / 2) e^{i k s / 2},      tangent e^{i k s}
 *
 * (a chord at half the angle: no cancellation for any k, 0 included). The point of the full circle nearest to (a, b) in that
 * frame is at s = atan2(k a, 1 - k b) / k, which tends to a as k tends to 0. Source: docs/maths_rods.md, section 2. */
#ifndef CST_COLLIDE_PLACED_ARC_H
#define CST_COLLIDE_PLACED_ARC_H

#include <math.h>
#include <stddef.h>

#include "collide/shape.h"

#define CST_PI 3.14159265358979323846

typedef struct cst_placed_arc {
    double x[2], t[2];       /* start and direction there */
    double end[2], end_t[2]; /* end and direction there */
    double k, l, radius;
    double cosine, sine;                /* of its turn phi: cos(phi), sin(phi) / k */
    bool small_turn;                    /* |phi| < 1 */
    double before[2];                   /* direction in which the arc before arrives at the start */
    double before_k, before_l;          /* its curvature and length */
    double slack;                       /* by how much the joint at the start fails to close */
    double open;                        /* by how much its two joints fail to close, in place or (times length) in direction */
    double from_start, to_end;          /* arc length from the owner's free ends to the start of this arc; infinite if closed */
    double turned;                      /* absolute turning of the owner from its start to the start of this arc */
    double center[2], axis[2], half[2]; /* oriented box of the centreline; `axis` is its long direction */
    int32_t prev, next;                 /* arcs joined to it, or -1 */
    bool point;                         /* length 0 */
    bool solid, hollow;
    bool usable; /* all numbers are finite */
} cst_placed_arc;

/* Without neighbours: prev = next = -1. */
void cst_place_arc(const cst_arc *arc, cst_placed_arc *out);

/* Tells b that a comes before it (their indices: a_index, b_index). May be the same arc: a ring of one element. */
void cst_join_arcs(cst_placed_arc *a, int32_t a_index, cst_placed_arc *b, int32_t b_index);

/* Are two arcs that follow each other in an owner joined? By arc length; wrap: from the last to the first of a closed one. */
bool cst_arcs_meet(const cst_arc *a, const cst_arc *b, bool wrap);

/* Point and tangent at s; either may be NULL. */
void cst_arc_at(const cst_placed_arc *arc, double s, double *x, double *t);

/* atan2(k y, x) / k, accurate for every k; +-infinity if k = 0 and x <= 0. */
double cst_arc_length_of(double y, double x, double k);

/* s = atan2(k y, x) / k brought onto the arc, give or take slack. False if it is not on it. */
bool cst_arc_locate(const cst_placed_arc *arc, double y, double x, double slack, double *s);

/* Brings s, which a full circle repeats, into [-slack, l + slack]. False if it is not on the arc. */
bool cst_arc_wrap(const cst_placed_arc *arc, double slack, double *s);

/* The point nearest to x, if that is not beyond the ends (give or take slack); false also at the centre of the circle. */
bool cst_arc_foot(const cst_placed_arc *arc, const double *x, double slack, double *s);

/* The point of the full circle farthest from x, if it is on the arc. */
bool cst_arc_far_point(const cst_placed_arc *arc, const double *x, double *s);

/* Signed distance from x to the full circle, positive on the left. */
double cst_arc_side(const cst_placed_arc *arc, const double *x);

/* Distance from x to the arc. */
double cst_arc_distance(const cst_placed_arc *arc, const double *x);

/* A number that no distance between the two centrelines is below: of their oriented boxes. */
double cst_arcs_apart(const cst_placed_arc *a, const cst_placed_arc *b);

/* Two touches of a and b whose places differ by less than this are one. b NULL: of a with a half-plane. */
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
