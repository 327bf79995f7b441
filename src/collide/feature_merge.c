#include "collide/feature_merge.h"

#include <math.h>

#include "math/vector3.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const cst_material_place *a, const cst_material_place *b)
{
    const int order = compare(a->kind, b->kind);
    return order ? order : compare(a->index, b->index);
}

int cst_feature_touch_compare(const void *one, const void *two)
{
    const cst_feature_touch *p = one, *q = two;
    int order = compare(p->a.owner, q->a.owner);
    order = order ? order : compare(p->b.owner, q->b.owner);
    order = order ? order : compare_places(&p->a, &q->a);
    return order ? order : compare_places(&p->b, &q->b);
}

static double distance_squared(const cst_feature_touch *p, const cst_feature_touch *q)
{
    double apart[3];
    for (int k = 0; k < 3; ++k)
        apart[k] = 0.5 * (p->x_a[k] + p->x_b[k] - q->x_a[k] - q->x_b[k]);
    return cst_dot3(apart, apart);
}

static bool of_edges(const cst_feature_touch *touch)
{
    return touch->a.kind == CST_FEATURE_EDGE && touch->b.kind == CST_FEATURE_EDGE;
}

/* Returns true if the contact `deep` of two crossing edges is dropped because the contact `shallow` already pushes the two bodies
 * apart. The contact `deep` is dropped if three conditions hold: its normal differs from that of `shallow`; it penetrates more
 * than four times as deep as `shallow`; the distance of the two contacts is at most twice the penetration of `deep`. For example,
 * if a card lies on another card, a short upright edge of one card may cross a long edge of the other; a contact at this crossing
 * would push the upper card sideways. */
static bool is_behind(const cst_feature_touch *deep, const cst_feature_touch *shallow, double same)
{
    static const double DEEPER = 4.0, SAME_SIDE = 0.9;
    const double near = 2.0 * deep->gap;
    return of_edges(deep) && deep->gap < -1e-3 * same && deep->gap < DEEPER * fmin(shallow->gap, 0.0) &&
           cst_dot3(deep->normal, shallow->normal) < SAME_SIDE && distance_squared(deep, shallow) <= near * near;
}

static bool is_double(const cst_feature_touch *one, const cst_feature_touch *two, double same)
{
    static const double SAME_SIDE = 0.95;
    return cst_dot3(one->normal, two->normal) > SAME_SIDE && distance_squared(one, two) <= same * same;
}

/* Returns true if the first of two contacts at the same point is dropped, and false if the second is dropped. The shallower
 * contact is dropped; at equal depth, a contact of two edges is dropped rather than a contact of a vertex. */
static bool first_goes(const cst_feature_touch *first, const cst_feature_touch *second, double same)
{
    static const double EQUAL = 1e-3; /* share of `same` */
    if (fabs(first->gap - second->gap) > EQUAL * same)
        return first->gap > second->gap;
    return of_edges(first) && !of_edges(second);
}

static void sort(cst_feature_touch *touch, int touches)
{
    for (int i = 1; i < touches; ++i) { /* insertion sort: short, nearly sorted list */
        const cst_feature_touch item = touch[i];
        int j = i;
        for (; j > 0 && cst_feature_touch_compare(touch + j - 1, &item) > 0; --j)
            touch[j] = touch[j - 1];
        touch[j] = item;
    }
}

int cst_feature_merge(cst_feature_touch *touch, int touches, double same, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    bool *covered = CST_TAKE(arena, bool, touches);
    if (!covered)
        return -1;
    sort(touch, touches);
    for (int i = 0; i < touches; ++i)
        for (int j = 0; j < touches && !covered[i]; ++j)
            covered[i] = j != i && is_behind(touch + i, touch + j, same);
    for (int i = 0; i < touches; ++i)
        for (int j = i + 1; j < touches && !covered[i]; ++j)
            if (!covered[j] && is_double(touch + i, touch + j, same))
                covered[first_goes(touch + i, touch + j, same) ? i : j] = true;
    const int left = cst_feature_touches_left(touch, touches, covered);
    cst_arena_release(arena, mark);
    return left;
}
