#include "collide/distance_arc.h"

#include "collide/touch_list.h"

/* ------------------------------------------------------------------------------------------------------------- half-plane */

typedef struct plane_view {
    const cst_half_plane *plane;
    const cst_touch_rules *rules;
    double level;
    cst_touch_list list;
} plane_view;

static void try_on_plane(plane_view *view, const cst_placed_arc *a, cst_arc_candidate at)
{
    double x[2], t[2];
    cst_arc_at(a, at.s_a, x, t);
    const double *n = view->plane->normal;
    const double gap = cst_dot2(n, x) - view->plane->height - a->radius;
    if (!(gap < view->rules->margin))
        return;
    at.s_b = cst_cross2(n, x);
    const cst_rest rest = at.at_a == CST_INSIDE ? cst_rest_inside(a->k * cst_left_dot(t, n) * a->l)
                                                : cst_arc_rests(a, at.at_a, n, 0.0, view->level);
    /* an end of the arc is a contact only if the distance from the half-plane does not decrease from this end along the arc by
     * more than a tolerance */
    if (at.at_a == CST_INSIDE || rest == CST_REST_YES)
        cst_touch_list_add(&view->list, rest, &at, n, gap);
}

int cst_touch_half_plane(const cst_placed_arc *a, const cst_half_plane *b, const cst_touch_rules *rules, cst_touch *out)
{
    if (a->hollow)
        return 0;
    plane_view view = {.plane = b, .rules = rules, .level = cst_touch_level(a, NULL, rules->flat)};
    cst_touch_list_begin(&view.list, a, NULL, out);
    try_on_plane(&view, a, (cst_arc_candidate){.at_a = CST_AT_START});
    if (!a->point && a->next < 0)
        try_on_plane(&view, a, (cst_arc_candidate){.s_a = a->l, .at_a = CST_AT_END});
    /* At the point of an arc nearest to a half-plane, the component of the tangent along the half-plane's normal changes from
     * negative to positive. */
    double s;
    if (!a->point && cst_arc_locate(a, -cst_dot2(b->normal, a->t), a->k * cst_left_dot(a->t, b->normal), 0.0, &s))
        try_on_plane(&view, a, (cst_arc_candidate){.s_a = s});
    return cst_touch_list_end(&view.list);
}

/* ------------------------------------------------------------------------------------------------------------ hollow disk */

static void try_in_hollow(cst_touch_list *list, cst_arc_candidate at, const cst_touch_rules *rules, double level)
{
    const cst_placed_arc *a = list->a, *b = list->b;
    double x[2], t[2];
    cst_arc_at(a, at.s_a, x, t);
    const double in[2] = {b->x[0] - x[0], b->x[1] - x[1]};
    const double rho = sqrt(cst_dot2(in, in));
    const double gap = b->radius - rho - a->radius;
    if (!(gap < rules->margin))
        return;
    const double n[2] = {rho > 0.0 ? in[0] / rho : 0.0, rho > 0.0 ? in[1] / rho : 1.0};
    const double target = -1.0 / rho;
    const cst_rest rest = at.at_a == CST_INSIDE ? cst_rest_inside((a->k * cst_left_dot(t, n) + target) * a->l)
                                                : cst_arc_rests(a, at.at_a, n, target, level);
    if (at.at_a == CST_INSIDE || rest == CST_REST_YES)
        cst_touch_list_add(list, rest, &at, n, gap);
}

/* Finds the contacts of an arc with a hollow disk: points of the arc where the distance from the centre of the disk has a local
 * maximum. */
static int touch_hollow(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out)
{
    if (a->hollow)
        return 0;
    cst_touch_list list;
    cst_touch_list_begin(&list, a, b, out);
    const double level = cst_touch_level(a, NULL, rules->flat);
    try_in_hollow(&list, (cst_arc_candidate){.at_a = CST_AT_START, .at_b = CST_AT_START}, rules, level);
    if (!a->point && a->next < 0)
        try_in_hollow(&list, (cst_arc_candidate){.s_a = a->l, .at_a = CST_AT_END, .at_b = CST_AT_START}, rules, level);
    double s;
    if (!a->point && a->k != 0.0 && cst_arc_far_point(a, b->x, &s))
        try_in_hollow(&list, (cst_arc_candidate){.s_a = s, .at_b = CST_AT_START}, rules, level);
    return cst_touch_list_end(&list);
}

/* ------------------------------------------------------------------------------------------------------- arcs, two-sided */

/* Returns the arc length (m) from the position s of an arc to the nearer free end of its rod. Sets *ahead to true if the nearer
 * free end is the end of the rod, and to false if the start of the rod is nearer. */
static double to_free_end(const cst_placed_arc *arc, double s, bool *ahead)
{
    const double back = arc->from_start + s, on = arc->to_end - s;
    *ahead = on < back;
    return fmin(back, on);
}

/* Computes the contact normal where two rods cross. Of two rods that cross, the rod whose free end is nearer to the crossing is
 * pushed back, and the contact normal is perpendicular to the other rod. If neither of the two rods has a free end, the contact
 * normal is perpendicular to arc a and points from the middle of arc b towards the middle of arc a. */
static void crossing_normal(const cst_placed_arc *a, const cst_placed_arc *b, const cst_arc_candidate *at,
                            const cst_arc_meeting *m, double *n)
{
    bool ahead_a, ahead_b;
    const double end_a = to_free_end(a, at->s_a, &ahead_a), end_b = to_free_end(b, at->s_b, &ahead_b);
    const bool b_leaves = end_b <= end_a;
    const double *t = b_leaves && !a->point ? m->t_a : m->t_b; /* tangent, at the crossing, of the rod that is not pushed back */
    n[0] = -t[1];
    n[1] = t[0];
    double out = 0.0;
    if (b_leaves && isfinite(end_b) && !b->point)
        out = (ahead_b ? 1.0 : -1.0) * cst_dot2(n, m->t_b);
    else if (!b_leaves && !a->point)
        out = (ahead_a ? -1.0 : 1.0) * cst_dot2(n, m->t_a);
    if (fabs(out) < 1e-9)
        out = n[0] * (a->center[0] - b->center[0]) + n[1] * (a->center[1] - b->center[1]);
    if (out < 0.0) {
        n[0] = -n[0];
        n[1] = -n[1];
    }
}

/* Adds a pair of inner points of two arcs with a common normal as a contact, if the distance has a local minimum there. */
static void try_common_normal(cst_touch_list *list, const cst_arc_candidate *at, cst_arc_meeting *m, double gap, double rounding)
{
    const cst_placed_arc *a = list->a, *b = list->b;
    if (fabs(cst_dot2(m->u, m->t_a)) > 1e-6) /* drop an ill-conditioned false root */
        return;
    const double length = fmin(a->l, b->l);
    double bend = a->k * cst_left_dot(m->t_a, m->u) + cst_arc_target(b, CST_INSIDE, m->t_b, m->u, m->distance);
    /* if two arcs touch at a common tangent, the normal is reversed if necessary, so that the signed distance increases away from
     * the contact */
    if (bend < 0.0 && m->distance <= rounding) {
        m->u[0] = -m->u[0];
        m->u[1] = -m->u[1];
        bend = a->k * cst_left_dot(m->t_a, m->u) + cst_arc_target(b, CST_INSIDE, m->t_b, m->u, 0.0);
    }
    cst_touch_list_add(list, cst_rest_inside(bend * length), at, m->u, gap);
}

/* Adds a pair of points, at least one of which is an end of its arc, as a contact, if the distance has a local minimum there. */
static void try_ends(cst_touch_list *list, const cst_arc_candidate *at, const cst_arc_meeting *m, double gap, double level,
                     double rounding)
{
    const cst_placed_arc *a = list->a, *b = list->b;
    const double back[2] = {-m->u[0], -m->u[1]};
    if (at->at_a != CST_INSIDE && at->at_b != CST_INSIDE) {
        /* Errors of the positions of two ends, at most `doubt` (m), make the direction from end to end uncertain, so the
         * tolerance `level` for the slope of the distance is increased. At a joint, the bound `doubt` includes the distance
         * `slack` (m) between the ends of the two joined arcs. */
        const double doubt = rounding + (at->at_a == CST_AT_START ? a->slack : 0.0) + (at->at_b == CST_AT_START ? b->slack : 0.0);
        level += 2.0 * doubt / (m->distance + doubt);
    }
    const double target_a = cst_arc_target(a, at->at_a, m->t_a, back, m->distance);
    const double target_b = cst_arc_target(b, at->at_b, m->t_b, m->u, m->distance);
    /* If an end of one arc is the centre of the circle of the second arc, the distance is constant along the second arc, and the
     * two ends of the second arc are the contacts. */
    const cst_rest rest_a = at->at_a != CST_INSIDE ? cst_arc_rests(a, at->at_a, m->u, target_b, level)
                                                   : cst_rest_inside((a->k * cst_left_dot(m->t_a, m->u) + target_b) * a->l);
    if (rest_a == CST_REST_NO)
        return;
    const cst_rest rest_b = at->at_b != CST_INSIDE ? cst_arc_rests(b, at->at_b, back, target_a, level)
                                                   : cst_rest_inside((b->k * cst_left_dot(m->t_b, back) + target_a) * b->l);
    cst_touch_list_add(list, rest_a < rest_b ? rest_a : rest_b, at, m->u, gap);
}

static int touch_two_sided(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out)
{
    cst_arc_candidate at[CST_ARC_CANDIDATES];
    const double radii = a->radius + b->radius;
    const int count = cst_arc_candidates(a, b, radii + fmax(rules->margin, 0.0), at);
    const double level = cst_touch_level(a, b, rules->flat), rounding = cst_arcs_rounding(a, b);
    cst_touch_list list;
    cst_touch_list_begin(&list, a, b, out);
    for (int i = 0; i < count; ++i) {
        cst_arc_meeting m;
        cst_arc_meet(a, b, &at[i], &m);
        const double gap = m.distance - radii;
        if (!(gap < rules->margin))
            continue;
        const bool inside = at[i].at_a == CST_INSIDE && at[i].at_b == CST_INSIDE;
        if (inside && !at[i].crossing) {
            try_common_normal(&list, &at[i], &m, gap, rounding);
        } else if (at[i].crossing || m.distance <= rounding) {
            /* Arcs that cross at a common tangent are left to try_common_normal, which computes a more accurate normal. */
            if (inside && fabs(cst_cross2(m.t_a, m.t_b)) < 1e-9)
                continue;
            if (m.distance > 1e-7 * (a->l + b->l) + 4.0 * (a->open + b->open)) /* drop an ill-conditioned false root */
                continue;
            crossing_normal(a, b, &at[i], &m, m.u);
            cst_touch_list_add(&list, CST_REST_YES, &at[i], m.u, gap);
        } else {
            try_ends(&list, &at[i], &m, gap, level, rounding);
        }
    }
    return cst_touch_list_end(&list);
}

int cst_touch_arcs(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out)
{
    if (b->hollow)
        return touch_hollow(a, b, rules, out);
    if (a->hollow) {
        const int count = touch_hollow(b, a, rules, out);
        for (int i = 0; i < count; ++i) { /* swap the two sides */
            const double s = out[i].s_a;
            out[i].s_a = out[i].s_b;
            out[i].s_b = s;
            out[i].normal[0] = -out[i].normal[0];
            out[i].normal[1] = -out[i].normal[1];
            out[i].branch = (uint8_t)(cst_branch(CST_AT_START, (cst_on_arc)(out[i].branch / 8 % 3)) + out[i].branch % 8);
        }
        return count;
    }
    return a->solid || b->solid ? cst_touch_solid(a, b, rules, out) : touch_two_sided(a, b, rules, out);
}

int cst_touch_itself(const cst_placed_arc *arc, const cst_touch_rules *rules, cst_touch *out)
{
    const double turn = fabs(arc->k) * arc->l;
    if (turn < CST_PI || arc->next >= 0) /* the next arc tests this end */
        return 0;
    cst_touch_list list;
    cst_touch_list_begin(&list, arc, arc, out);
    const double level = cst_touch_level(arc, arc, rules->flat);
    const double period = 2.0 * CST_PI / fabs(arc->k);
    if (turn >= 2.0 * CST_PI) { /* the arc overlaps itself */
        const double n[2] = {-arc->t[1], arc->t[0]}, end_n[2] = {-arc->end_t[1], arc->end_t[0]};
        if (-2.0 * arc->radius < rules->margin) {
            const cst_arc_candidate first = {.s_b = period, .at_a = CST_AT_START};
            const cst_arc_candidate last = {.s_a = arc->l - period, .s_b = arc->l, .at_b = CST_AT_END};
            cst_touch_list_add(&list, CST_REST_YES, &first, n, -2.0 * arc->radius);
            cst_touch_list_add(&list, CST_REST_YES, &last, end_n, -2.0 * arc->radius);
        }
        return cst_touch_list_end(&list);
    }
    const cst_arc_candidate ends = {.s_b = arc->l, .at_a = CST_AT_START, .at_b = CST_AT_END};
    cst_arc_meeting m;
    cst_arc_meet(arc, arc, &ends, &m);
    const double gap = m.distance - 2.0 * arc->radius;
    const double back[2] = {-m.u[0], -m.u[1]}, target = 1.0 / m.distance;
    /* CST_REST_PERHAPS is enough at both ends, because the arc has no other contact with itself */
    if (gap < rules->margin && cst_arc_rests(arc, CST_AT_START, m.u, target, level) &&
        cst_arc_rests(arc, CST_AT_END, back, target, level))
        cst_touch_list_add(&list, CST_REST_YES, &ends, m.u, gap);
    return cst_touch_list_end(&list);
}
