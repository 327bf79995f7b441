#include "collide/touch_list.h"

void cst_touch_list_begin(cst_touch_list *list, const cst_placed_arc *a, const cst_placed_arc *b, cst_touch *item)
{
    *list = (cst_touch_list){.a = a, .b = b, .item = item};
}

static bool same_place(const cst_placed_arc *arc, double s, double other, double blur)
{
    const double apart = fabs(s - other);
    /* one turn of the circle later */
    return apart <= blur || (arc->k != 0.0 && fabs(apart - 2.0 * CST_PI / fabs(arc->k)) <= blur);
}

/* Returns the contact of the list that is at the same place as `touch` (same arc lengths on both arcs, up to rounding errors).
 * Returns NULL if there is none. */
static cst_touch *same_touch(const cst_touch_list *list, const cst_touch *touch)
{
    const double blur = cst_arcs_blur(list->a, list->b);
    for (int i = 0; i < list->count; ++i) {
        cst_touch *item = &list->item[i];
        if (same_place(list->a, item->s_a, touch->s_a, blur) && (!list->b || same_place(list->b, item->s_b, touch->s_b, blur)))
            return item;
    }
    return NULL;
}

static cst_touch touch_at(const cst_arc_candidate *at, const double *n, double gap)
{
    return (cst_touch){
        .s_a = at->s_a, .s_b = at->s_b, .normal = {n[0], n[1]}, .gap = gap, .branch = cst_branch(at->at_a, at->at_b)};
}

void cst_touch_list_add(cst_touch_list *list, cst_rest rest, const cst_arc_candidate *at, const double *n, double gap)
{
    const cst_touch touch = touch_at(at, n, gap);
    if (rest == CST_REST_PERHAPS && (!list->has_fallback || gap < list->fallback.gap)) {
        list->fallback = touch;
        list->has_fallback = true;
    } else if (rest == CST_REST_YES) {
        cst_touch *same = same_touch(list, &touch);
        if (same && cst_ends_touched(&touch) < cst_ends_touched(same))
            *same = touch;
        else if (!same && list->count < CST_TOUCHES_MAX)
            list->item[list->count++] = touch;
    }
}

int cst_touch_list_end(cst_touch_list *list)
{
    if (!list->count && list->has_fallback)
        list->item[list->count++] = list->fallback;
    for (int i = 1; i < list->count; ++i) { /* sorted by `branch`, then along a */
        const cst_touch moved = list->item[i];
        int j = i;
        for (; j > 0 && (list->item[j - 1].branch > moved.branch ||
                         (list->item[j - 1].branch == moved.branch && list->item[j - 1].s_a > moved.s_a));
             --j)
            list->item[j] = list->item[j - 1];
        list->item[j] = moved;
    }
    int rank = 0;
    for (int i = 1; i < list->count; ++i) {
        rank = list->item[i].branch == list->item[i - 1].branch - rank ? rank + 1 : 0;
        list->item[i].branch = (uint8_t)(list->item[i].branch + rank);
    }
    return list->count;
}

double cst_touch_level(const cst_placed_arc *a, const cst_placed_arc *b, double flat)
{
    double shortest = a->point ? INFINITY : a->l;
    if (b && !b->point)
        shortest = fmin(shortest, b->l);
    return fmax(CST_LEVEL, flat / shortest);
}

/* largest slope of the distance along an arc that counts as a rounding error */
static const double NO_SLOPE = 1e-13;

/* Tests if the signed distance between an arc and another shape increases from one end of the arc towards its other end. A slight
 * decrease is accepted if both the slope of the distance at the tested end and the mean slope along the arc are at least -level.
 *     `slope`: slope of the signed distance at the tested end of the arc.
 *     `bend`: change of the slope of the signed distance from the tested end to the other end of the arc, if the second
 *         derivative is taken as constant.
 *     `level`: tolerance for the slope. */
static cst_rest rises(double slope, double bend, double level)
{
    if (slope > NO_SLOPE || (slope >= -level && slope + 0.5 * bend >= -level))
        return CST_REST_YES;
    return slope >= -NO_SLOPE ? CST_REST_PERHAPS : CST_REST_NO;
}

cst_rest cst_arc_rests(const cst_placed_arc *arc, cst_on_arc at, const double *n, double target, double level)
{
    if (arc->point)
        return CST_REST_YES;
    if (at == CST_AT_END)
        return rises(-cst_dot2(n, arc->end_t), (arc->k * cst_left_dot(arc->end_t, n) + target) * arc->l, level);
    const cst_rest on = rises(cst_dot2(n, arc->t), (arc->k * cst_left_dot(arc->t, n) + target) * arc->l, level);
    if (arc->prev < 0 || on == CST_REST_NO)
        return on;
    const cst_rest back =
        rises(-cst_dot2(n, arc->before), (arc->before_k * cst_left_dot(arc->before, n) + target) * arc->before_l, level);
    return on < back ? on : back;
}

double cst_arc_target(const cst_placed_arc *arc, cst_on_arc at, const double *t, const double *n, double sigma)
{
    if (at != CST_INSIDE)
        return sigma != 0.0 ? 1.0 / sigma : INFINITY;
    const double kappa = arc->k * cst_left_dot(t, n), near = 1.0 - kappa * sigma;
    /* kappa is the curvature of the arc, positive towards the other shape, and sigma the distance of the two contact points. If
     * kappa*sigma >= 1, the other contact point lies at or beyond the centre of the arc's circle, so that the given point of the
     * arc is not the nearest point of the circle. */
    return near > 0.0 ? -kappa / near : -INFINITY;
}
