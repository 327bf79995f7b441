#include "collide/touch_merge_space.h"

#include "base/merge_sort.h"
#include "collide/broad_phase.h"
#include "collide/distance_curve.h"
#include "math/vector3.h"

static int in_order(const void *one, const void *two)
{
    const cst_touch_space *p = one, *q = two;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    if (p->s_a != q->s_a)
        return p->s_a < q->s_a ? -1 : 1;
    if (p->s_b != q->s_b)
        return p->s_b < q->s_b ? -1 : 1;
    return (p->part > q->part) - (p->part < q->part);
}

/* Returns the difference of arc lengths (m) up to which two contacts count as the same contact. */
static double blur_of(const cst_piece *piece, int pieces, const cst_touch_space *touch)
{
    const cst_piece *a = &piece[touch->a], *b = touch->b < pieces ? &piece[touch->b] : a;
    const double radius = a->radius > 0.0 && b->radius > 0.0 ? fmin(a->radius, b->radius) : fmax(a->radius, b->radius);
    return fmax(1e-3 * radius, 1e-9 * (a->length + b->length));
}

/* The interval of arc length on a centreline piece (one element of a centreline) in which a second contact counts as a duplicate
 * of a given contact. A contact near a joint of two pieces can have duplicates on both pieces, so the search for duplicates uses
 * one interval on each piece. */
typedef struct place {
    int32_t piece;
    double low, high; /* ends of the interval (m) */
} place;

static int places_of(const cst_piece *piece, const cst_joint *joint, int pieces, int32_t index, double s, double blur, place *out)
{
    int count = 0;
    out[count++] = (place){.piece = index, .low = s - blur, .high = s + blur};
    if (index >= pieces)
        return count;
    const cst_joint *at = &joint[index];
    const double length = piece[index].length;
    if (at->prev >= 0 && at->prev != index && s <= blur)
        out[count++] = (place){.piece = at->prev, .low = piece[at->prev].length + s - blur, .high = INFINITY};
    if (at->next >= 0 && at->next != index && s >= length - blur)
        out[count++] = (place){.piece = at->next, .low = -INFINITY, .high = s - length + blur};
    return count;
}

static bool within(const place *range, double s)
{
    return s >= range->low && s <= range->high;
}

typedef struct merger {
    int pieces;
    const cst_touch_space *touch;
    const int32_t *row; /* array (pieces + 1): index of the first contact of each centreline piece */
    uint8_t *dropped;
} merger;

static bool same_foot(const merger *m, const cst_touch_space *one, const cst_touch_space *two, double blur)
{
    /* if shape b is a centreline piece, the function drop_double has already compared the arc lengths of the two contacts on b,
     * which is sufficient */
    if (one->b < m->pieces)
        return true;
    double apart[3];
    cst_subtract3(one->x_b, two->x_b, apart);
    /* Two contacts of a centreline with a solid count as the same if two conditions hold. Their points on the centreline are at
     * most `blur` (m) apart. Their points on the surface of the solid are at most 4 * blur apart. The limit on the surface is
     * larger, because near a concave surface, the nearest point of the surface can move farther than the centreline point. */
    return cst_dot3(apart, apart) <= 16.0 * blur * blur;
}

/* Returns the index of the first contact in the sorted list whose first shape is a, and whose second shape has an index of at
 * least b. */
static int32_t first_of(const merger *m, int32_t a, int32_t b)
{
    int32_t from = m->row[a], to = m->row[a + 1];
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (m->touch[middle].b < b)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void drop_double(const merger *m, int32_t mine, const place *on_a, const place *on_b, double blur)
{
    /* if a centreline touches itself, shape a of the contact is the centreline piece with the lower index */
    const bool swap = on_b->piece < m->pieces && on_a->piece > on_b->piece;
    const place *first = swap ? on_b : on_a, *second = swap ? on_a : on_b;
    const cst_touch_space *here = &m->touch[mine];
    for (int32_t i = first_of(m, first->piece, second->piece); i < m->row[first->piece + 1]; ++i) {
        const cst_touch_space *other = &m->touch[i];
        if (other->b != second->piece || other->s_a > first->high)
            return;
        if (i == mine || m->dropped[i] || !within(first, other->s_a) || !within(second, other->s_b) ||
            !same_foot(m, here, other, blur))
            continue;
        if (other->gap < here->gap || (other->gap == here->gap && i < mine)) {
            m->dropped[mine] = 1;
            return;
        }
        m->dropped[i] = 1;
    }
}

/* Drops the contacts inside intervals of constant distance, except the first one if the two shapes have no other contact. */
static void drop_inside_level(const cst_touch_space *touch, int touches, uint8_t *dropped)
{
    for (int from = 0, to; from < touches; from = to) {
        int kept = -1;
        bool other = false;
        for (to = from; to < touches && touch[to].a == touch[from].a && touch[to].b == touch[from].b; ++to)
            other = other || !(touch[to].branch & CST_TOUCH_INSIDE_LEVEL);
        for (int i = from; i < to; ++i)
            if (touch[i].branch & CST_TOUCH_INSIDE_LEVEL) {
                dropped[i] = other || kept >= 0;
                kept = i;
            }
    }
}

int cst_touches_kept(cst_touch_space *touch, int touches, const uint8_t *dropped)
{
    int left = 0;
    for (int t = 0; t < touches; ++t)
        if (!dropped[t]) {
            const bool same = left > 0 && touch[left - 1].a == touch[t].a && touch[left - 1].b == touch[t].b;
            const uint32_t branch = same ? touch[left - 1].branch + 1 : 0;
            touch[left] = touch[t];
            touch[left++].branch = branch;
        }
    return left;
}

int cst_merge_touches_space(const cst_piece *piece, const cst_joint *joint, int pieces, cst_touch_space *touch, int touches,
                            cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int32_t *row = CST_TAKE_RAW(arena, int32_t, (size_t)pieces + 1);
    uint8_t *dropped = CST_TAKE(arena, uint8_t, cst_roomy(touches));
    cst_touch_space *scratch = CST_TAKE_RAW(arena, cst_touch_space, cst_roomy(touches));
    if (arena->failed)
        return -1;
    cst_merge_sort(touch, scratch, (size_t)touches, sizeof *touch, in_order);
    for (int i = 0, t = 0; i <= pieces; ++i) {
        while (t < touches && touch[t].a < i)
            ++t;
        row[i] = t;
    }
    drop_inside_level(touch, touches, dropped);
    const merger m = {.pieces = pieces, .touch = touch, .row = row, .dropped = dropped};
    for (int t = 0; t < touches; ++t) {
        place on_a[3], on_b[3];
        const double blur = blur_of(piece, pieces, &touch[t]);
        const int count_a = places_of(piece, joint, pieces, touch[t].a, touch[t].s_a, blur, on_a);
        const int count_b = places_of(piece, joint, pieces, touch[t].b, touch[t].s_b, blur, on_b);
        for (int i = 0; i < count_a; ++i)
            for (int j = 0; j < count_b && !dropped[t]; ++j)
                drop_double(&m, t, &on_a[i], &on_b[j], blur);
    }
    const int left = cst_touches_kept(touch, touches, dropped);
    cst_arena_release(arena, mark);
    return left;
}
