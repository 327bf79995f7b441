/* An arc with the quantities that distance computations need: both ends, the directions of the neighbouring arcs there, and an
 * oriented bounding box.
 *
 * Points of an arc are complex numbers in the frame at its start, with the tangent as real axis and the left normal as imaginary
 * axis. The point of an arc with the curvature k at the arc length s is p(s) = s sinc(k s / 2) e^{i k s / 2}, with the tangent
 * e^{i k s}. The formula p(s) for the points of an arc has no cancellation for any curvature k, 0 included. In the frame of the
 * arc's start, the point of the full circle of curvature k that is nearest to a point (a, b) is at the arc length s = atan2(k a,
 * 1 - k b) / k, or s = a on a straight line (k = 0). Source: docs/maths_rods.md, section 2. */
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
    double cosine, sine;       /* cos(phi), sin(phi) / k */
    bool small_turn;           /* turning angle |phi| < 1 */
    double before[2];          /* tangent at the end of the previous arc */
    double before_k, before_l; /* curvature and length of the arc that precedes this arc on the same rod or boundary */
    double slack;              /* distance between the start of the arc and the end of the previous arc (m) */
    /* error of the joints at both ends of the arc (m): the openings between the joined arcs plus, at smooth joints, the angle
     * between their tangents times the sum of their lengths */
    double open;
    /* arc lengths from the start of this arc to the free ends of the rod (m); infinite if the rod is closed */
    double from_start, to_end;
    double turned;                      /* sum of the absolute changes of direction of the rod from its start to this arc (rad) */
    double center[2], axis[2], half[2]; /* oriented bounding box of the arc; `axis` is the direction of its long side */
    int32_t prev, next;                 /* arcs joined to it, or -1 */
    bool point;                         /* length 0 */
    bool solid, hollow;
    bool usable; /* all numbers are finite */
} cst_placed_arc;

/* Computes the ends, the directions and the oriented box of an arc, without its neighbours (prev = next = -1). */
void cst_place_arc(const cst_arc *arc, cst_placed_arc *out);

/* Records that the arc a precedes the arc b (with the indices a_index, b_index). If a closed rod or boundary consists of a single
 * element, its arc precedes itself, so a and b are the same arc. */
void cst_join_arcs(cst_placed_arc *a, int32_t a_index, cst_placed_arc *b, int32_t b_index);

/* Returns true if two consecutive arcs of one rod or boundary are joined, which means that one ends at the arc length at which
 * the other begins. `wrap` is true if a is the last arc of a closed curve and b is the first. */
bool cst_arcs_meet(const cst_arc *a, const cst_arc *b, bool wrap);

/* Computes the point x of an arc and its tangent t at the arc length s; either output may be NULL. */
void cst_arc_at(const cst_placed_arc *arc, double s, double *x, double *t);

/* Returns the arc length atan2(k y, x) / k on a circle of curvature k, accurate for every k; +-infinity if k = 0 and x <= 0. */
double cst_arc_length_of(double y, double x, double k);

/* Computes the arc length s = atan2(k y, x) / k on the circle of an arc with the curvature k, and adds full turns so that s is on
 * the arc. Returns false if the arc length s is beyond an end of the arc by more than the tolerance `slack`. */
bool cst_arc_locate(const cst_placed_arc *arc, double y, double x, double slack, double *s);

/* Moves the arc length s by full turns of the circle into [-slack, l + slack], where l is the length of the arc and `slack` a
 * tolerance. Returns false if the arc length s is not on the arc. */
bool cst_arc_wrap(const cst_placed_arc *arc, double slack, double *s);

/* Computes the arc length s of the point of the full circle that is nearest to the point x. Returns false if the point of the
 * circle nearest to x is beyond an end of the arc by more than the tolerance `slack`, or if x is the centre of the circle. */
bool cst_arc_foot(const cst_placed_arc *arc, const double *x, double slack, double *s);

/* Computes the arc length s of the point of the full circle that is farthest from the point x. Returns false if the point of the
 * circle farthest from x is not on the arc. */
bool cst_arc_far_point(const cst_placed_arc *arc, const double *x, double *s);

/* Returns the signed distance from x to the full circle, positive on the left. */
double cst_arc_side(const cst_placed_arc *arc, const double *x);

/* Distance from x to the arc. */
double cst_arc_distance(const cst_placed_arc *arc, const double *x);

/* Returns a lower bound for the distance of two arcs, computed from their oriented bounding boxes. */
double cst_arcs_apart(const cst_placed_arc *a, const cst_placed_arc *b);

/* Returns the distance in arc length below which two contacts of the arcs a and b are merged. If b is NULL, the other shape is a
 * half-plane instead of an arc. */
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
