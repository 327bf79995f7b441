/* Finds the contacts of a planar solid, given by the arcs of its boundary, with a second shape. Below the surface of the solid
 * the gap is negative.
 *
 * Let sigma be the signed distance of a point from the boundary: positive on the left of the boundary, and negative on its right,
 * inside the solid. The gradient n of the signed distance sigma from the boundary points out of the solid everywhere. A contact
 * is a point of the second shape at which the signed distance sigma has a local minimum along that shape: the nearest point above
 * the surface or the deepest point below. A contact pairs a point of the second shape with the nearest point of all arcs of the
 * boundary, so that a point inside the solid is never paired with the far side of the solid.
 *
 * At a convex corner, the boundary turns right; every direction between the left normals of the two arcs points outside. At a
 * reflex corner, the boundary turns left; all points whose nearest boundary point is this corner lie inside the solid. If a
 * convex corner pierces the centreline of a rod, no point of the centreline has a locally largest depth. The contact of a corner
 * that pierces a centreline pairs the corner with a point of the centreline. */
#include "collide/touch_list.h"

/* SMOOTH: a joint of two arcs counts as a corner if the sine of its turning angle exceeds SMOOTH */
static const double SMOOTH = 1e-9;

static double turn_at_start(const cst_placed_arc *arc)
{
    return arc->prev >= 0 ? cst_cross2(arc->before, arc->t) : 0.0;
}

/* Returns +1 if a point of the second shape is outside the solid, and -1 if it is inside. `at`: place of the nearest boundary
 * point on its arc: the start, the end or inside. `m`: the point of the second shape, and the nearest point of the solid's
 * boundary. */
static double side_of(const cst_placed_arc *boundary, cst_on_arc at, const cst_arc_meeting *m)
{
    if (at == CST_AT_END || (at == CST_AT_START && boundary->prev < 0))
        return 1.0; /* free end of an open boundary */
    if (at == CST_AT_START) {
        const double turn = turn_at_start(boundary);
        if (fabs(turn) > SMOOTH)
            return turn < 0.0 ? 1.0 : -1.0;
    }
    return cst_left_dot(m->t_b, m->between) < 0.0 ? -1.0 : 1.0;
}

/* Returns the arc of the boundary that is nearest to the point x, and the `distance` of x from this arc. */
static const cst_placed_arc *nearest(const cst_placed_arc *boundary, int count, const double *x, double *distance)
{
    const cst_placed_arc *best = NULL;
    *distance = INFINITY;
    for (int i = 0; i < count; ++i) {
        const cst_placed_arc *arc = &boundary[i];
        const double w[2] = {x[0] - arc->center[0], x[1] - arc->center[1]};
        const double at_least = fmax(fabs(cst_dot2(arc->axis, w)) - arc->half[0], fabs(cst_cross2(arc->axis, w)) - arc->half[1]);
        if (!arc->usable || at_least >= *distance)
            continue;
        const double d = cst_arc_distance(arc, x);
        if (d < *distance) {
            *distance = d;
            best = arc;
        }
    }
    return best;
}

/* Returns true if a contact with the normal n is possible at a given point of the arc a. At an inner point of an arc that bounds
 * a solid, a contact is possible only if the contact normal n points into this solid. At the start of an arc that bounds a solid,
 * a contact is possible only if this start is not a reflex corner. */
static bool faces(const cst_placed_arc *a, cst_on_arc at, const double *t, const double *n)
{
    if (!a->solid)
        return true;
    if (at == CST_INSIDE)
        return cst_left_dot(t, n) < 0.0;
    return turn_at_start(a) <= SMOOTH || at == CST_AT_END;
}

typedef struct solid_view {
    const cst_placed_arc *a, *b; /* b bounds a solid */
    const cst_placed_arc *boundary;
    int boundary_count;
    double margin, radii, depth, level, rounding;
    bool swapped; /* the list has b first */
    cst_touch_list *list;
} solid_view;

static void keep(const solid_view *view, cst_rest rest, const cst_arc_candidate *at, const double *n, double gap)
{
    cst_arc_candidate seen = *at;
    double normal[2] = {n[0], n[1]};
    if (view->swapped) {
        seen = (cst_arc_candidate){.s_a = at->s_b, .s_b = at->s_a, .at_a = at->at_b, .at_b = at->at_a};
        normal[0] = -n[0];
        normal[1] = -n[1];
    }
    cst_touch_list_add(view->list, rest, &seen, normal, gap);
}

/* Adds the contact of a point of the arc a with its nearest point on the boundary arc b. The contact is added only if its gap is
 * below the margin and the signed distance from the boundary has a local minimum along the arc a at the given point. */
static void try_point(const solid_view *view, const cst_arc_candidate *at, cst_arc_meeting *m)
{
    const cst_placed_arc *a = view->a, *b = view->b;
    if (at->at_b == CST_AT_START && at->at_a != CST_INSIDE && m->distance <= view->rounding && b->prev >= 0) {
        /* an end of the arc a lies on a corner of the boundary: the contact normal is the bisector of the normals of the two arcs
         * that meet at this corner */
        const double sum[2] = {-b->t[1] - b->before[1], b->t[0] + b->before[0]};
        const double size = fmax(hypot(sum[0], sum[1]), 1e-300);
        m->u[0] = sum[0] / size;
        m->u[1] = sum[1] / size;
    }
    const double side = side_of(b, at->at_b, m);
    const double n[2] = {side * m->u[0], side * m->u[1]}, back[2] = {-m->u[0], -m->u[1]};
    const double sigma = side * m->distance, gap = sigma - view->radii;
    if (!(gap < view->margin) || sigma < -view->depth || !faces(a, at->at_a, m->t_a, n))
        return;
    /* No contact: the boundary point is an end of the arc b, from which the distance decreases along the boundary. The result
     * CST_REST_PERHAPS needs a concave arc whose circle is smaller than the distance; it counts as yes. */
    if (at->at_b != CST_INSIDE && m->distance > view->rounding &&
        !cst_arc_rests(b, at->at_b, back, 1.0 / m->distance, view->level))
        return;
    const double target = cst_arc_target(b, at->at_b, m->t_b, n, sigma);
    if (at->at_a == CST_INSIDE && fabs(cst_dot2(n, m->t_a)) > 1e-6) /* ill-conditioned false root */
        return;
    const double length = at->at_b == CST_INSIDE ? fmin(a->l, b->l) : a->l;
    const cst_rest rest = at->at_a == CST_INSIDE ? cst_rest_inside((a->k * cst_left_dot(m->t_a, n) + target) * length)
                                                 : cst_arc_rests(a, at->at_a, n, target, view->level);
    if (rest == CST_REST_NO)
        return;
    if (sigma < -view->rounding && view->boundary) {
        double least;
        nearest(view->boundary, view->boundary_count, m->x_a, &least);
        if (least < m->distance * (1.0 - 1e-9) - view->rounding)
            return;
    }
    keep(view, rest, at, n, gap);
}

/* Adds the contact of a convex corner of the solid's boundary that pierces the centreline of the second shape. */
static void try_corner(const solid_view *view, const cst_arc_candidate *at, const cst_arc_meeting *m)
{
    const cst_placed_arc *b = view->b;
    if (at->at_a != CST_INSIDE || at->at_b != CST_AT_START || turn_at_start(b) >= -SMOOTH || m->distance <= view->rounding ||
        m->distance > view->depth)
        return;
    const double n[2] = {-m->u[0], -m->u[1]};
    /* outside the corner of b */
    if (cst_left_dot(b->t, m->between) > 0.0 || cst_left_dot(b->before, m->between) > 0.0)
        return;
    const double gap = -m->distance - view->radii;
    if (!(gap < view->margin) || !cst_arc_rests(b, CST_AT_START, m->u, 0.0, view->level))
        return;
    if (view->boundary) {
        double least;
        const cst_placed_arc *first = nearest(view->boundary, view->boundary_count, m->x_a, &least);
        /* not at the corner */
        if (first != b && first && hypot(first->end[0] - b->x[0], first->end[1] - b->x[1]) > view->rounding + b->slack)
            return;
    }
    keep(view, CST_REST_YES, at, n, gap);
}

static void try_all(const solid_view *view)
{
    cst_arc_candidate at[CST_ARC_CANDIDATES];
    const int count = cst_arc_candidates(view->a, view->b, fmax(view->depth, 0.0), at);
    for (int i = 0; i < count; ++i) {
        if (at[i].crossing) /* where two centrelines cross, the signed distance changes sign and has no minimum */
            continue;
        cst_arc_meeting m;
        cst_arc_meet(view->a, view->b, &at[i], &m);
        try_point(view, &at[i], &m);
        if (!view->a->solid)
            try_corner(view, &at[i], &m);
    }
}

int cst_touch_solid(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out)
{
    cst_touch_list list;
    cst_touch_list_begin(&list, a, b, out);
    solid_view view = {.margin = rules->margin,
                       .radii = a->radius + b->radius,
                       .depth = a->radius + b->radius + rules->margin + rules->solid_depth,
                       .level = cst_touch_level(a, b, rules->flat),
                       .rounding = cst_arcs_rounding(a, b),
                       .list = &list};
    if (b->solid) {
        view.a = a;
        view.b = b;
        view.boundary = rules->boundary_b;
        view.boundary_count = rules->boundary_b_count;
        try_all(&view);
    }
    if (a->solid) {
        view.a = b;
        view.b = a;
        view.boundary = rules->boundary_a;
        view.boundary_count = rules->boundary_a_count;
        view.swapped = true;
        try_all(&view);
    }
    return cst_touch_list_end(&list);
}
