#include "collide/joint_merge.h"

#include "collide/touch_list.h"

/* Positions on one arc that count as the same position as a given contact point: an interval of arc length. Two contacts are
 * merged if the positions of their contact points count as the same on both shapes. */
typedef struct place {
    int32_t arc;
    double low, high; /* ends of the interval (m) */
} place;

/* Computes the intervals of arc length in which a position counts as the same as the contact point at the arc length s of the arc
 * `index`: one interval on this arc and, near a joint, one on the neighbouring arc. `blur`: largest difference of arc length (m)
 * at which two positions count as the same. */
static int places_of(const cst_placed_arc *arc, int arcs, int32_t index, double s, double blur, place *out)
{
    if (index >= arcs) {
        out[0] = (place){.arc = index, .low = -INFINITY, .high = INFINITY};
        return 1;
    }
    const cst_placed_arc *at = &arc[index];
    int count = 0;
    out[count++] = (place){.arc = index, .low = s - blur, .high = s + blur};
    if (at->prev >= 0 && at->prev != index && s <= blur)
        out[count++] = (place){.arc = at->prev, .low = arc[at->prev].l - blur, .high = INFINITY};
    if (at->next >= 0 && at->next != index && s >= at->l - blur)
        out[count++] = (place){.arc = at->next, .low = -INFINITY, .high = blur};
    return count;
}

static bool within(const place *range, double s)
{
    return s >= range->low && s <= range->high;
}

typedef struct merger {
    cst_touch *touch;
    const int32_t *row; /* array (arcs + 1): for each arc, index of the first contact that has this arc as its shape `a` */
    uint8_t *dropped;
} merger;

static void drop_double(const merger *m, int32_t mine, const place *on_a, const place *on_b)
{
    const bool swap = on_a->arc > on_b->arc;
    const place *first = swap ? on_b : on_a, *second = swap ? on_a : on_b;
    for (int32_t other = m->row[first->arc]; other < m->row[first->arc + 1]; ++other) {
        const cst_touch *t = &m->touch[other];
        if (other == mine || m->dropped[other] || t->b != second->arc || !within(first, t->s_a) || !within(second, t->s_b))
            continue;
        const int difference = cst_ends_touched(t) - cst_ends_touched(&m->touch[mine]);
        if (difference < 0 || (difference == 0 && other < mine)) {
            m->dropped[mine] = 1;
            return;
        }
        m->dropped[other] = 1;
    }
}

int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int32_t *row = CST_TAKE_RAW(arena, int32_t, (size_t)arcs + 1);
    uint8_t *dropped = CST_TAKE(arena, uint8_t, touches);
    if (arena->failed)
        return -1;
    for (int i = 0, t = 0; i <= arcs; ++i) {
        while (t < touches && touch[t].a < i)
            ++t;
        row[i] = t;
    }
    const merger m = {.touch = touch, .row = row, .dropped = dropped};
    for (int t = 0; t < touches; ++t) {
        place on_a[3], on_b[3];
        const int32_t a = touch[t].a, b = touch[t].b;
        const double blur = cst_arcs_blur(&arc[a], b < arcs ? &arc[b] : NULL);
        const int count_a = places_of(arc, arcs, a, touch[t].s_a, blur, on_a);
        const int count_b = places_of(arc, arcs, b, touch[t].s_b, blur, on_b);
        for (int i = 0; i < count_a; ++i)
            for (int j = 0; j < count_b && !dropped[t]; ++j)
                if (i || j) /* duplicates on the same two arcs (i = j = 0) are removed earlier (touch_list.h) */
                    drop_double(&m, t, &on_a[i], &on_b[j]);
    }
    int left = 0;
    for (int t = 0; t < touches; ++t)
        if (!dropped[t])
            touch[left++] = touch[t];
    cst_arena_release(arena, mark);
    return left;
}
