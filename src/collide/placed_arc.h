/* An arc with the quantities that distance computations need.
 *
 * Points of an arc are complex numbers in the frame at its start, with the tangent as real axis and the left normal as
 * imaginary axis. Formulas, accurate for every curvature:
 *     `p(s) = s*sinc(k*s/2)*e^(i*k*s/2)`.
 *     `t(s) = e^(i*k*s)`.
 *     `s0 = atan2(k*a,1-k*b)/k` (`a` if `k=0`).
 *
 * Symbols of an arc:
 *     `k`: curvature, positive to the left (1/m).
 *     `p(s)`, `t(s)`: point and tangent at the arc length s of the arc.
 *     `s0`: arc length of the point of the full circle that is nearest to the point a + i b.
 *
 * Source: docs/maths_rods.md, section 2. */
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
    double cosine, sine;       /* cos(k*l), sin(k*l)/k */
    bool small_turn;           /* turning angle |k l| < 1 */
    double before[2];          /* end tangent of the previous arc */
    double before_k, before_l; /* curvature and length of the previous arc of the same rod */
    double slack;              /* gap (m) after the previous arc */
    /* position error (m) of the arc: the sum of the distances between the joined ends at its two joints. A smooth joint also adds
     * the angle between its two tangents times the sum of its two arc lengths to the position error. */
    double open;
    /* arc lengths (m) of the rod before the start of this arc, and from the start of this arc to the end of the rod; infinite if
     * the rod is closed */
    double from_start, to_end;
    double turned;                      /* sum of the absolute changes of direction of the rod from its start to this arc (rad) */
    double center[2], axis[2], half[2]; /* bounding box; `axis`: long side */
    int32_t prev, next;                 /* indices of joined arcs, or -1 */
    bool point;                         /* length 0 */
    bool solid, hollow;
    bool usable; /* all numbers are finite, and length and radius are not negative */
} cst_placed_arc;

/* Computes the ends and the bounding box of an arc, and sets prev = next = -1 (the arc is not joined to other arcs). */
void cst_place_arc(const cst_arc *arc, cst_placed_arc *out);

/* Records that the arc a precedes the arc b; in a closed rod of a single arc, a and b are the same arc. */
void cst_join_arcs(cst_placed_arc *a, int32_t a_index, cst_placed_arc *b, int32_t b_index);

/* Returns true if the arcs a and b of one rod have a length greater than 0, and b begins at the arc length of the rod at which a
 * ends. `wrap`: true if a is the last arc and b the first arc of a closed rod. */
bool cst_arcs_meet(const cst_arc *a, const cst_arc *b, bool wrap);

/* Computes the point x and the tangent t of an arc at the arc length s; NULL is allowed for x and t. */
void cst_arc_at(const cst_placed_arc *arc, double s, double *x, double *t);

/* Returns atan2(k y, x) / k, accurate for every curvature k, or +-infinity if k = 0 and x <= 0. */
double cst_arc_length_of(double y, double x, double k);

/* Computes the arc length s = atan2(k y, x) / k (k: curvature of the arc), and adds a full turn of the circle if s is before the
 * start of the arc by more than `slack` (m). Returns false if the resulting arc length is beyond an end of the arc by more than
 * `slack`. */
bool cst_arc_locate(const cst_placed_arc *arc, double y, double x, double slack, double *s);

/* Adds a full turn of the circle to the arc length s if s < -slack. Returns true if the resulting arc length is in [-slack, l +
 * slack], where l is the length of the arc. */
bool cst_arc_wrap(const cst_placed_arc *arc, double slack, double *s);

/* Computes the arc length s of the point of the full circle that is nearest to the point x. Returns false if this nearest point
 * is beyond an end of the arc by more than `slack` (m), or if x is the centre of the circle. */
bool cst_arc_foot(const cst_placed_arc *arc, const double *x, double slack, double *s);

/* Computes the arc length s of the point of the full circle that is farthest from the point x. Returns false if this farthest
 * point is not on the arc, or if x is the centre of the circle. */
bool cst_arc_far_point(const cst_placed_arc *arc, const double *x, double *s);

/* Returns the distance from the point x to the full circle of the arc, positive on the left of the arc. */
double cst_arc_side(const cst_placed_arc *arc, const double *x);

double cst_arc_distance(const cst_placed_arc *arc, const double *x);

/* Returns a lower bound for the distance of two arcs, from their bounding boxes. */
double cst_arcs_apart(const cst_placed_arc *a, const cst_placed_arc *b);

/* Returns the difference of arc lengths (m) below which two contacts of the arcs a and b are merged. `b`: NULL for a
 * half-plane. */
double cst_arcs_blur(const cst_placed_arc *a, const cst_placed_arc *b);

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
