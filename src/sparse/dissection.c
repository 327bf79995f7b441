#include "sparse/dissection.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "base/order.h"
#include "sparse/ordering.h"

enum { SMALL = 50 }; /* sets with at most SMALL vertices are not divided, but get a minimum degree order (docs/constants.md) */

/* A vertex and its coordinate along the axis of the largest extent of the current set. */
typedef struct located {
    double along;
    int32_t vertex;
} located;

typedef enum side { NONE = 0, FIRST, SECOND } side;

typedef struct dissection {
    const int64_t *row_start;
    const int32_t *column;
    const double *place;
    int32_t *order; /* elimination order; each set of vertices is a part of this array, and is ordered in place */
    located *at, *room;
    uint8_t *of; /* array (n): half to which each vertex of the current set belongs; NONE: separator, or not in the set */
    int32_t *index;
    cst_arena *arena;
} dissection;

static int compare(const void *one, const void *two)
{
    const located *p = one, *q = two;
    return cst_order_numbers(p->along, q->along, p->vertex, q->vertex);
}

static bool order_small(dissection *d, int32_t *part, int count)
{
    const cst_arena_mark mark = cst_arena_mark_now(d->arena);
    int64_t entries = 0;
    for (int i = 0; i < count; i++) {
        d->index[part[i]] = i;
        entries += d->row_start[part[i] + 1] - d->row_start[part[i]];
    }
    int64_t *start = CST_TAKE(d->arena, int64_t, (size_t)count + 1);
    int32_t *column = CST_TAKE_RAW(d->arena, int32_t, (size_t)entries), *vertex = CST_TAKE_RAW(d->arena, int32_t, (size_t)count);
    int32_t *order = CST_TAKE_RAW(d->arena, int32_t, (size_t)count);
    if (d->arena->failed)
        return false;
    for (int i = 0; i < count; i++) {
        start[i + 1] = start[i];
        for (int64_t e = d->row_start[part[i]]; e < d->row_start[part[i] + 1]; e++)
            if (d->index[d->column[e]] >= 0)
                column[start[i + 1]++] = d->index[d->column[e]];
    }
    memcpy(vertex, part, sizeof *part * (size_t)count);
    for (int i = 0; i < count; i++)
        d->index[part[i]] = -1;
    if (!cst_order_minimum_degree(d->arena, count, start, column, order))
        return false;
    for (int i = 0; i < count; i++)
        part[i] = vertex[order[i]];
    cst_arena_release(d->arena, mark);
    return true;
}

/* Sorts a set of vertices along the axis of its largest extent. */
static void sort_along(dissection *d, const int32_t *part, int count)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], d->place[2 * (int64_t)part[i] + k]);
            high[k] = fmax(high[k], d->place[2 * (int64_t)part[i] + k]);
        }
    const int axis = high[1] - low[1] > high[0] - low[0];
    for (int i = 0; i < count; i++)
        d->at[i] = (located){d->place[2 * (int64_t)part[i] + axis], part[i]};
    cst_merge_sort(d->at, d->room, (size_t)count, sizeof *d->at, compare);
}

/* Returns the position at which the sorted list of vertices is cut in two: near the middle of the list, where the distance
 * between successive vertices along the axis is large. */
static int middle_of(const dissection *d, int count)
{
    /* OFF: largest distance of the dividing position from the middle of the sorted list of vertices, as a share of the length of
     * this list */
    static const double OFF = 0.1;
    const int reach = (int)(OFF * count), middle = count / 2;
    int best = middle;
    double widest = -1.0;
    for (int k = middle - reach; k <= middle + reach; k++) {
        const double wide = (d->at[k].along - d->at[k - 1].along) * (1.0 - 2.0 * fabs((double)(k - middle)) / count);
        if (wide > widest) {
            widest = wide;
            best = k;
        }
    }
    return best;
}

static bool meets(const dissection *d, int32_t vertex, side other)
{
    for (int64_t e = d->row_start[vertex]; e < d->row_start[vertex + 1]; e++)
        if (d->of[d->column[e]] == other)
            return true;
    return false;
}

/* Counts the vertices of one half of a set that have a neighbour in the half `other`; if `take` is true, the counted vertices
 * move to the separator. */
static int border_of(dissection *d, int first, int last, side other, bool take)
{
    int count = 0;
    for (int i = first; i < last; i++)
        count += meets(d, d->at[i].vertex, other);
    for (int i = first; take && i < last; i++)
        if (meets(d, d->at[i].vertex, other))
            d->of[d->at[i].vertex] = NONE;
    return count;
}

/* Divides a set of vertices into two halves and a separator, and stores it in the order: first half, second half, separator. */
static void cut(dissection *d, int32_t *part, int count, int *first, int *second)
{
    sort_along(d, part, count);
    const int middle = middle_of(d, count);
    for (int i = 0; i < count; i++)
        d->of[d->at[i].vertex] = i < middle ? FIRST : SECOND;
    const int left = border_of(d, 0, middle, SECOND, false), right = border_of(d, middle, count, FIRST, false);
    if (left <= right)
        border_of(d, 0, middle, SECOND, true);
    else
        border_of(d, middle, count, FIRST, true);
    *first = middle - (left <= right ? left : 0);
    *second = count - middle - (left <= right ? 0 : right);
    int32_t *to[] = {[NONE] = part + *first + *second, [FIRST] = part, [SECOND] = part + *first};
    for (int i = 0; i < count; i++)
        *to[d->of[d->at[i].vertex]]++ = d->at[i].vertex;
    for (int i = 0; i < count; i++)
        d->of[part[i]] = NONE;
}

static bool dissect(dissection *d, int32_t *part, int count)
{
    int first, second;
    if (count <= SMALL)
        return order_small(d, part, count);
    cut(d, part, count, &first, &second);
    if (first == 0 || second == 0)
        return order_small(d, part, count);
    return dissect(d, part, first) && dissect(d, part + first, second);
}

bool cst_order_dissection(cst_arena *arena, int n, const int64_t *row_start, const int32_t *column, const double *place,
                          int32_t *order)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t size = (size_t)n;
    dissection d = {.row_start = row_start,
                    .column = column,
                    .place = place,
                    .order = order,
                    .at = CST_TAKE_RAW(arena, located, size),
                    .room = CST_TAKE_RAW(arena, located, size),
                    .of = CST_TAKE(arena, uint8_t, size),
                    .index = CST_TAKE_RAW(arena, int32_t, size),
                    .arena = arena};
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        order[i] = i;
        d.index[i] = -1;
    }
    if (!dissect(&d, order, n))
        return false;
    cst_arena_release(arena, mark);
    return true;
}
