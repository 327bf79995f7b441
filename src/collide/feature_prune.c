#include "collide/feature_prune.h"

#include <math.h>

#include "base/merge_sort.h"
#include "base/order.h"
#include "collide/broad_phase.h"
#include "collide/feature_merge.h"
#include "math/vector3.h"

/* Midpoint x between the two points of a contact. `along`: coordinate of the midpoint by which the contacts are sorted (m). */
typedef struct place {
    double along, x[3];
    int32_t touch;
} place;

static int compare_places(const void *one, const void *two)
{
    const place *p = one, *q = two;
    return cst_order_numbers(p->along, q->along, p->touch, q->touch);
}

/* Returns the coordinate axis along which the contact points have the largest range. If contacts are sorted along the axis with
 * the largest range, each contact has few neighbours within the distance `same`. */
static int widest_axis(const place *at, int count)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k)
        low[k] = high[k] = at[0].x[k];
    for (int i = 1; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], at[i].x[k]);
            high[k] = fmax(high[k], at[i].x[k]);
        }
    int widest = 0;
    for (int k = 1; k < 3; ++k)
        widest = high[k] - low[k] > high[widest] - low[widest] ? k : widest;
    return widest;
}

static bool is_double(const cst_feature_touch *one, const cst_feature_touch *two, const double *x, const double *y, double same)
{
    static const double SAME_SIDE = 0.984807753012208; /* cosine of 10 degrees */
    double apart[3];
    cst_subtract3(x, y, apart);
    return cst_dot3(apart, apart) <= same * same && cst_dot3(one->normal, two->normal) > SAME_SIDE;
}

/* Chooses which of two contacts at the same point is removed: true for the contact `first`, false for the contact `second`. Gaps
 * that differ by at most EQUAL times the distance `same` count as equal, so that rounding errors do not change the choice from
 * step to step. */
static bool first_goes(const cst_feature_touch *first, const cst_feature_touch *second, double same)
{
    static const double EQUAL = 0.01; /* share of the distance `same` */
    if (fabs(first->gap - second->gap) > EQUAL * same)
        return first->gap > second->gap;
    return cst_feature_touch_compare(first, second) > 0;
}

static void find_doubles(const cst_feature_touch *touch, const place *at, int touches, double same, bool *goes)
{
    for (int i = 0; i < touches; ++i)
        for (int j = i + 1; j < touches && at[j].along - at[i].along <= same && !goes[at[i].touch]; ++j) {
            const cst_feature_touch *one = touch + at[i].touch, *two = touch + at[j].touch;
            if (!goes[at[j].touch] && is_double(one, two, at[i].x, at[j].x, same))
                goes[first_goes(one, two, same) ? at[i].touch : at[j].touch] = true;
        }
}

int cst_feature_prune(cst_feature_touch *touch, int touches, double same, cst_arena *scratch)
{
    if (touches < 2)
        return touches;
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    place *at = CST_TAKE_RAW(scratch, place, cst_roomy(touches)), *room = CST_TAKE_RAW(scratch, place, cst_roomy(touches));
    bool *goes = CST_TAKE(scratch, bool, cst_roomy(touches));
    if (scratch->failed)
        return -1;
    for (int i = 0; i < touches; ++i) {
        at[i].touch = i;
        for (int k = 0; k < 3; ++k)
            at[i].x[k] = 0.5 * (touch[i].x_a[k] + touch[i].x_b[k]);
    }
    const int axis = widest_axis(at, touches);
    for (int i = 0; i < touches; ++i)
        at[i].along = at[i].x[axis];
    cst_merge_sort(at, room, (size_t)touches, sizeof *at, compare_places);
    find_doubles(touch, at, touches, same, goes);
    const int left = cst_feature_touches_left(touch, touches, goes);
    cst_arena_release(scratch, mark);
    return left;
}
