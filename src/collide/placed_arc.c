#include "collide/placed_arc.h"

/* Computes cos(h) and sin(h) / h of half a turning angle h (rad). Most angles |h| are below 0.5 rad; for these angles, the
 * function uses a series, which is as accurate as sin and cos, and faster. */
static void half_angle(double h, double *c, double *sinc)
{
    if (fabs(h) < 0.5) {
        const double z = h * h;
        *sinc = 1.0 + z * (-1.0 / 6.0 +
                           z * (1.0 / 120.0 +
                                z * (-1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0))))));
        *c = 1.0 +
             z * (-1.0 / 2.0 +
                  z * (1.0 / 24.0 +
                       z * (-1.0 / 720.0 + z * (1.0 / 40320.0 +
                                                z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0)))))));
    } else {
        *sinc = sin(h) / h;
        *c = cos(h);
    }
}

void cst_arc_at(const cst_placed_arc *arc, double s, double *x, double *t)
{
    const double h = 0.5 * arc->k * s;
    double c, sinc;
    half_angle(h, &c, &sinc);
    const double chord = s * sinc, sn = h * sinc;
    const double cx = arc->t[0] * c - arc->t[1] * sn, cy = arc->t[1] * c + arc->t[0] * sn; /* direction of the chord */
    if (x) {
        x[0] = arc->x[0] + chord * cx;
        x[1] = arc->x[1] + chord * cy;
    }
    if (t) {
        t[0] = cx * c - cy * sn;
        t[1] = cy * c + cx * sn;
    }
}

static bool finite_arc(const cst_arc *arc)
{
    /* finite only if all terms are */
    const double sum = fabs(arc->x[0]) + fabs(arc->x[1]) + fabs(arc->angle) + fabs(arc->k) + arc->l + arc->radius;
    return isfinite(sum) && isfinite(arc->k * arc->l) && arc->l >= 0.0 && arc->radius >= 0.0;
}

static void oriented_box(cst_placed_arc *arc)
{
    const double turn = arc->k * arc->l;
    if (fabs(turn) > CST_PI) { /* the box of the full circle */
        const double r = 1.0 / arc->k;
        arc->center[0] = arc->x[0] - r * arc->t[1];
        arc->center[1] = arc->x[1] + r * arc->t[0];
        arc->axis[0] = 1.0;
        arc->axis[1] = 0.0;
        arc->half[0] = arc->half[1] = fabs(r);
        return;
    }
    double c, sinc;
    half_angle(0.5 * turn, &c, &sinc);
    const double sn = 0.5 * turn * sinc, chord = arc->l * sinc;
    /* the sagitta of the arc (largest distance from its chord) is half the chord times tan(turn / 4); if the curvature is
     * positive, the arc lies on the right of its chord */
    const double sagitta = 0.5 * chord * sn / (1.0 + c);
    arc->axis[0] = arc->t[0] * c - arc->t[1] * sn;
    arc->axis[1] = arc->t[1] * c + arc->t[0] * sn;
    arc->center[0] = arc->x[0] + 0.5 * (chord * arc->axis[0] + sagitta * arc->axis[1]);
    arc->center[1] = arc->x[1] + 0.5 * (chord * arc->axis[1] - sagitta * arc->axis[0]);
    arc->half[0] = 0.5 * chord;
    arc->half[1] = 0.5 * fabs(sagitta);
}

void cst_place_arc(const cst_arc *arc, cst_placed_arc *out)
{
    *out = (cst_placed_arc){.prev = -1, .next = -1, .solid = arc->solid && !arc->hollow && arc->l > 0.0};
    out->usable = finite_arc(arc);
    if (!out->usable)
        return;
    out->x[0] = arc->x[0];
    out->x[1] = arc->x[1];
    out->t[0] = cos(arc->angle);
    out->t[1] = sin(arc->angle);
    out->k = arc->k;
    out->l = arc->l;
    out->radius = arc->radius;
    out->point = arc->l == 0.0;
    out->hollow = arc->hollow && out->point;
    out->from_start = arc->owner_closed ? INFINITY : arc->s;
    out->to_end = arc->owner_closed ? INFINITY : arc->owner_length - arc->s;
    cst_arc_at(out, out->l, out->end, out->end_t);
    /* sin(phi) / k = l cos(phi / 2) sinc(phi / 2) for an arc of curvature k and length l, which turns by the angle phi = k l */
    double c, sinc;
    half_angle(0.5 * out->k * out->l, &c, &sinc);
    out->cosine = cst_dot2(out->t, out->end_t);
    out->sine = out->l * c * sinc;
    out->small_turn = fabs(out->k * out->l) < 1.0;
    oriented_box(out);
}

bool cst_arcs_meet(const cst_arc *a, const cst_arc *b, bool wrap)
{
    if (a->owner != b->owner || a->l <= 0.0 || b->l <= 0.0)
        return false;
    const double there = wrap ? a->owner_length + b->s : b->s;
    return fabs(a->s + a->l - there) <= 1e-9 * (fabs(a->owner_length) + a->l + b->l);
}

void cst_join_arcs(cst_placed_arc *a, int32_t a_index, cst_placed_arc *b, int32_t b_index)
{
    if (!a->usable || !b->usable)
        return;
    a->next = b_index;
    b->prev = a_index;
    b->before[0] = a->end_t[0];
    b->before[1] = a->end_t[1];
    b->before_k = a->k;
    b->before_l = a->l;
    b->slack = hypot(a->end[0] - b->x[0], a->end[1] - b->x[1]);
    /* The code treats a joint of two arcs as smooth if their tangents differ by less than 1e-3 rad, and as a real corner
     * otherwise. At a smooth joint, the angle between the tangents times the sum of the two arc lengths is added to the position
     * error `open` of both arcs. */
    const double corner = fabs(cst_cross2(a->end_t, b->t));
    const double open = b->slack + (corner < 1e-3 ? corner * (a->l + b->l) : 0.0);
    a->open += open;
    b->open += open;
}

double cst_arc_length_of(double y, double x, double k)
{
    const double ky = k * y;
    if (x > 0.0 && fabs(ky) < 0.1 * x) { /* atan(t) / t by its series */
        const double t = ky / x, z = t * t;
        const double series =
            1.0 -
            z * (1.0 / 3.0 -
                 z * (1.0 / 5.0 -
                      z * (1.0 / 7.0 - z * (1.0 / 9.0 - z * (1.0 / 11.0 - z * (1.0 / 13.0 - z * (1.0 / 15.0 - z / 17.0)))))));
        return y / x * series;
    }
    if (k == 0.0)
        return copysign(INFINITY, y);
    return atan2(ky, x) / k;
}

bool cst_arc_wrap(const cst_placed_arc *arc, double slack, double *s)
{
    if (*s < -slack && arc->k != 0.0)
        *s += 2.0 * CST_PI / fabs(arc->k);
    return *s >= -slack && *s <= arc->l + slack; /* false for not a number */
}

bool cst_arc_locate(const cst_placed_arc *arc, double y, double x, double slack, double *s)
{
    /* For an arc that turns by less than 1 rad, the code does not need atan2 to see that a point is beyond an end: it compares
     * tan of the point's angle with tan of the arc's turning angle. */
    const double rounding = 1e-14 * arc->l;
    if (arc->small_turn &&
        !(x > 0.0 && y >= -4.0 * (slack + rounding) * x && y * arc->cosine <= x * (arc->sine + 4.0 * (slack + rounding))))
        return false;
    *s = cst_arc_length_of(y, x, arc->k);
    return cst_arc_wrap(arc, slack, s);
}

/* Computes the arguments with which cst_arc_length_of returns the arc length of the point of the arc's circle that is nearest to
 * the point x. `along`: argument y of cst_arc_length_of. `near`: argument x of cst_arc_length_of. */
static bool foot_arguments(const cst_placed_arc *arc, const double *x, double *along, double *near)
{
    const double w[2] = {x[0] - arc->x[0], x[1] - arc->x[1]};
    *along = cst_dot2(arc->t, w);
    *near = 1.0 - arc->k * cst_cross2(arc->t, w);
    return fabs(*near) + fabs(arc->k * *along) >= 1e-14;
}

bool cst_arc_foot(const cst_placed_arc *arc, const double *x, double slack, double *s)
{
    double along, near;
    return foot_arguments(arc, x, &along, &near) && cst_arc_locate(arc, along, near, slack, s);
}

bool cst_arc_far_point(const cst_placed_arc *arc, const double *x, double *s)
{
    double along, near;
    return foot_arguments(arc, x, &along, &near) && cst_arc_locate(arc, -along, -near, 0.0, s);
}

/* The distance of the point x from the full circle of the arc follows from the complex number w of this point (placed_arc.h) and
 * the curvature k of the arc:
 *     `F = k*|w|^2/2 - Im(w)`.
 *     `distance = -2*F/(1+sqrt(1+2*k*F))`. */
double cst_arc_side(const cst_placed_arc *arc, const double *x)
{
    const double w[2] = {x[0] - arc->x[0], x[1] - arc->x[1]};
    const double f = 0.5 * arc->k * (w[0] * w[0] + w[1] * w[1]) - cst_cross2(arc->t, w);
    return -2.0 * f / (1.0 + sqrt(fmax(0.0, 1.0 + 2.0 * arc->k * f)));
}

double cst_arc_distance(const cst_placed_arc *arc, const double *x)
{
    double s;
    if (!arc->point && cst_arc_foot(arc, x, 0.0, &s))
        return fabs(cst_arc_side(arc, x));
    return fmin(hypot(x[0] - arc->x[0], x[1] - arc->x[1]), hypot(x[0] - arc->end[0], x[1] - arc->end[1]));
}

double cst_arcs_apart(const cst_placed_arc *a, const cst_placed_arc *b)
{
    const double between[2] = {b->center[0] - a->center[0], b->center[1] - a->center[1]};
    const double c = fabs(cst_dot2(a->axis, b->axis)), s = fabs(cst_cross2(a->axis, b->axis));
    const double on_a = fabs(cst_dot2(a->axis, between)) - a->half[0] - c * b->half[0] - s * b->half[1];
    const double off_a = fabs(cst_cross2(a->axis, between)) - a->half[1] - s * b->half[0] - c * b->half[1];
    const double on_b = fabs(cst_dot2(b->axis, between)) - b->half[0] - c * a->half[0] - s * a->half[1];
    const double off_b = fabs(cst_cross2(b->axis, between)) - b->half[1] - s * a->half[0] - c * a->half[1];
    return fmax(fmax(on_a, off_a), fmax(on_b, off_b));
}

double cst_arcs_blur(const cst_placed_arc *a, const cst_placed_arc *b)
{
    double shortest = a->point ? INFINITY : a->l;
    if (b && !b->point)
        shortest = fmin(shortest, b->l);
    return (isfinite(shortest) ? 1e-6 * shortest : 0.0) + 4.0 * (a->open + (b ? b->open : 0.0));
}
