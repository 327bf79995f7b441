#include "collide/arc_candidates.h"

#include <float.h>

/* Returns a tolerance (m) for intersections near the ends of an arc: an intersection that lies beyond an end by at most this
 * tolerance counts as an intersection at the end. Without a tolerance, rounding errors or a small gap at the joint of two arcs
 * could hide a crossing. */
static double beyond(const cst_placed_arc *arc)
{
    return 1e-9 * arc->l + 2.0 * arc->open;
}

static int ends_of(const cst_placed_arc *arc)
{
    return arc->point || arc->next >= 0 ? 1 : 2;
}

/* Finds the point of the arc `to` that is nearest to the point `end`, an end of the other arc; `s`: arc length of the point
 * found. Returns false if the nearest point is an end of the arc `to`, or is farther than `reach` (m) from `end`. */
static bool foot_of_end(const cst_placed_arc *to, const double *end, double reach, double *s)
{
    return !to->point && fabs(cst_arc_side(to, end)) <= reach && cst_arc_foot(to, end, 0.0, s) && *s > 0.0 && *s < to->l;
}

static int end_candidates(const cst_placed_arc *a, const cst_placed_arc *b, double reach, cst_arc_candidate *out)
{
    int count = 0;
    const double *const end_a[2] = {a->x, a->end}, *const end_b[2] = {b->x, b->end};
    for (int i = 0; i < ends_of(a); ++i)
        for (int j = 0; j < ends_of(b); ++j) {
            const double w[2] = {end_a[i][0] - end_b[j][0], end_a[i][1] - end_b[j][1]};
            if (w[0] * w[0] + w[1] * w[1] <= reach * reach)
                out[count++] = (cst_arc_candidate){.s_a = i ? a->l : 0.0,
                                                   .s_b = j ? b->l : 0.0,
                                                   .at_a = i ? CST_AT_END : CST_AT_START,
                                                   .at_b = j ? CST_AT_END : CST_AT_START};
        }
    double s;
    for (int i = 0; i < ends_of(a); ++i)
        if (foot_of_end(b, end_a[i], reach, &s))
            out[count++] =
                (cst_arc_candidate){.s_a = i ? a->l : 0.0, .s_b = s, .at_a = i ? CST_AT_END : CST_AT_START, .at_b = CST_INSIDE};
    for (int j = 0; j < ends_of(b); ++j)
        if (foot_of_end(a, end_b[j], reach, &s))
            out[count++] =
                (cst_arc_candidate){.s_a = s, .s_b = j ? b->l : 0.0, .at_a = CST_INSIDE, .at_b = j ? CST_AT_END : CST_AT_START};
    return count;
}

/* Clamps the arc length s of a point to the range from 0 to the length of the arc; `at` tells if the point is at the start,
 * inside or at the end of the arc. Returns false for a point at the end of the arc if another arc of the same curve begins there,
 * because the point is then tested as the start of that arc. */
static bool settle(const cst_placed_arc *arc, double *s, cst_on_arc *at)
{
    *at = CST_INSIDE;
    if (*s <= 0.0) {
        *s = 0.0;
        *at = CST_AT_START;
    } else if (*s >= arc->l) {
        if (arc->next >= 0)
            return false;
        *s = arc->l;
        *at = CST_AT_END;
    }
    return true;
}

/* Finds the point of arc a that is nearest to the point of arc b at the arc length s_b, and writes the pair of the two points to
 * `out`. Returns the number of pairs written: 1 or 0. No pair is written if the nearest point lies on the circle of arc a, but
 * not on arc a itself. `crossing`: true if the point of arc b is an intersection of arc b with the circle of arc a; false if it
 * is on a common normal of the two arcs. */
static int with_foot(const cst_placed_arc *a, const cst_placed_arc *b, double s_b, bool crossing, cst_arc_candidate *out)
{
    double x[2], s_a;
    cst_arc_at(b, s_b, x, NULL);
    if (!cst_arc_foot(a, x, crossing ? beyond(a) : 0.0, &s_a))
        return 0;
    *out = (cst_arc_candidate){.s_a = s_a, .s_b = s_b, .crossing = crossing};
    if (!settle(a, &out->s_a, &out->at_a) || !settle(b, &out->s_b, &out->at_b))
        return 0;
    /* a pair on a common normal in which one point is an end of an arc is not written, because the function end_candidates has
     * already written it */
    return crossing || (out->at_a == CST_INSIDE && out->at_b == CST_INSIDE) ? 1 : 0;
}

static int crossings(const cst_placed_arc *a, const cst_placed_arc *b, const double *c, cst_arc_candidate *out)
{
    const double discriminant = c[1] * c[1] - 4.0 * c[0] * c[2];
    if (!(discriminant >= 0.0))
        return 0;
    const double q = -0.5 * (c[1] + copysign(sqrt(discriminant), c[1]));
    const double near = beyond(b);
    int count = 0;
    const double root[2][2] = {{q, c[2]}, {c[0], q}}; /* W = first / second */
    for (int i = 0; i < 2; ++i) {
        const double sign = root[i][1] < 0.0 ? -1.0 : 1.0;
        const double over = sign * root[i][0], under = sign * root[i][1];
        if (over == 0.0 && under == 0.0)
            continue;
        /* beyond an end of arc b */
        if (b->small_turn && !(over >= -4.0 * near * under && over <= (2.0 * b->l + 4.0 * near) * under))
            continue;
        double s_b = 2.0 * cst_arc_length_of(0.5 * over, under, b->k);
        if (cst_arc_wrap(b, near, &s_b))
            count += with_foot(a, b, s_b, true, out + count);
    }
    return count;
}

int cst_arc_candidates(const cst_placed_arc *a, const cst_placed_arc *b, double reach, cst_arc_candidate *out)
{
    int count = end_candidates(a, b, reach, out);
    if (a->point || b->point)
        return count;
    const double w[2] = {b->x[0] - a->x[0], b->x[1] - a->x[1]};
    const double p[2] = {cst_dot2(a->t, w), cst_cross2(a->t, w)};
    const double t[2] = {cst_dot2(a->t, b->t), cst_cross2(a->t, b->t)}; /* the left normal is (-t[1], t[0]) */
    const double g[2] = {a->k * p[0], a->k * p[1] - 1.0};
    const double f = 0.5 * a->k * (p[0] * p[0] + p[1] * p[1]) - p[1];
    const double along = cst_dot2(g, t), across = cst_cross2(t, g);
    const double c[3] = {f, along, 0.5 * (b->k * across + a->k + 0.5 * b->k * b->k * f)};
    count += crossings(a, b, c, out + count);
    const double y = a->k + b->k * across;
    for (int side = 1; side >= -1 && (along != 0.0 || y != 0.0); side -= 2) {
        double s_b;
        if (cst_arc_locate(b, -side * along, side * y, 0.0, &s_b))
            count += with_foot(a, b, s_b, false, out + count);
    }
    return count;
}

static void place_of(const cst_placed_arc *arc, double s, cst_on_arc at, double *x, double *t)
{
    if (at == CST_INSIDE) {
        cst_arc_at(arc, s, x, t);
        return;
    }
    const double *x_end = at == CST_AT_START ? arc->x : arc->end, *t_end = at == CST_AT_START ? arc->t : arc->end_t;
    x[0] = x_end[0];
    x[1] = x_end[1];
    t[0] = t_end[0];
    t[1] = t_end[1];
}

void cst_arc_meet(const cst_placed_arc *a, const cst_placed_arc *b, const cst_arc_candidate *at, cst_arc_meeting *out)
{
    place_of(a, at->s_a, at->at_a, out->x_a, out->t_a);
    place_of(b, at->s_b, at->at_b, out->x_b, out->t_b);
    out->between[0] = out->x_a[0] - out->x_b[0];
    out->between[1] = out->x_a[1] - out->x_b[1];
    out->distance = sqrt(cst_dot2(out->between, out->between));
    if (at->at_a == CST_INSIDE || at->at_b == CST_INSIDE) {
        const double *t = at->at_b == CST_INSIDE ? out->t_b : out->t_a;
        const double sign = cst_left_dot(t, out->between) < 0.0 ? -1.0 : 1.0;
        out->u[0] = -sign * t[1];
        out->u[1] = sign * t[0];
    } else if (out->distance > 0.0) {
        out->u[0] = out->between[0] / out->distance;
        out->u[1] = out->between[1] / out->distance;
    } else {
        out->u[0] = -out->t_b[1];
        out->u[1] = out->t_b[0];
    }
}

double cst_arcs_rounding(const cst_placed_arc *a, const cst_placed_arc *b)
{
    return 8.0 * DBL_EPSILON * (a->l + b->l + fabs(a->x[0]) + fabs(a->x[1]) + fabs(b->x[0]) + fabs(b->x[1]));
}
