#include "collide/capsule_order.h"

#include <math.h>

#include "collide/code_order.h"

enum { FAN = CST_BOX_FAN, AXIS_BITS = 10, CODE_BITS = 6 * AXIS_BITS };

static bool proper(const cst_capsule *of)
{
    return of->radius >= 0.0;
}

/* ------------------------------------------------------------------------------------------------------------------ codes */

/* Returns the lowest five bits of x, with five zero bits after each of them. The product of a five-bit number and 0x108421
 * consists of five copies of the number side by side; the mask 0x1041041 keeps bit i of copy i, for i from 0 to 4. */
static uint64_t spread_five(uint32_t x)
{
    return (x & 31u) * 0x108421u & 0x1041041u;
}

static uint64_t spread_bits(uint32_t x)
{
    return spread_five(x) | spread_five(x >> 5) << 30;
}

/* Computes the six coordinates of a capsule: its centre and its half axis. The sign of the half axis is chosen such that its
 * longest component is positive. */
static void place_of(const cst_capsule *of, double *place)
{
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        longest = fabs(of->half[k]) > fabs(of->half[longest]) ? k : longest;
    const double sign = of->half[longest] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; ++k) {
        place[k] = of->center[k];
        place[3 + k] = sign * of->half[k];
    }
}

typedef struct extent {
    /* `low`: least value of each of the six coordinates over all capsules (m). `scale`: number of cells of the space-filling
     * curve per metre, the same for all six coordinates of a capsule */
    double low[6], scale;
    double largest;
} extent;

static double size_of(const cst_capsule *of)
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k)
        longest = fabs(of->half[k]) > longest ? fabs(of->half[k]) : longest;
    return longest + of->radius;
}

static extent extent_of(const cst_capsule *capsule, int capsules)
{
    extent out = {.largest = 0.0};
    double high[6], widest = 0.0;
    for (int k = 0; k < 6; ++k) {
        out.low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < capsules; ++i) {
        const double size = size_of(capsule + i);
        if (!proper(capsule + i) || !isfinite(size))
            continue;
        double place[6];
        place_of(capsule + i, place);
        out.largest = size > out.largest ? size : out.largest;
        for (int k = 0; k < 6; ++k) {
            out.low[k] = place[k] < out.low[k] ? place[k] : out.low[k];
            high[k] = place[k] > high[k] ? place[k] : high[k];
        }
    }
    for (int k = 0; k < 6; ++k)
        widest = fmax(widest, high[k] - out.low[k]);
    out.scale = widest > 0.0 ? ((1 << AXIS_BITS) - 1) / widest : 0.0;
    return out;
}

/* Returns the code by which a capsule is sorted along the space-filling curve. The highest bits of the sorting code are the size
 * class of the capsule, so that most leaves of the tree contain capsules of similar size. */
static uint64_t code_of(const extent *e, const cst_capsule *of)
{
    const double size = size_of(of), most = (1 << AXIS_BITS) - 1;
    if (!isfinite(size))
        return 0;
    uint64_t class = 1;
    for (double larger = 0.25 * e->largest; class < 3 && size < larger; larger *= 0.25)
        ++class;
    uint64_t code = class << CODE_BITS;
    double place[6];
    place_of(of, place);
    for (int k = 0; k < 6; ++k) {
        const double c = (place[k] - e->low[k]) * e->scale;
        code |= spread_bits(c > 0.0 ? (uint32_t)(c < most ? c : most) : 0) << k;
    }
    return code;
}

/* ------------------------------------------------------------------------------------------------------------------ leaves */

typedef struct spot {
    float place[6];
    int32_t index;
} spot;

/* Returns the number (0 to 5) of the coordinate with the largest range over the given capsules. */
static int longest_axis(const spot *of, int count)
{
    float low[6], high[6];
    int axis = 0;
    for (int k = 0; k < 6; ++k)
        low[k] = high[k] = of->place[k];
    for (int i = 1; i < count; ++i)
        for (int k = 0; k < 6; ++k) {
            const float x = of[i].place[k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    for (int k = 1; k < 6; ++k)
        axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
    return axis;
}

/* Sorts the array partly (quickselect): the `few` capsules whose coordinate number `axis` is smallest move to the front. */
static void part(spot *of, int count, int few, int axis)
{
    int from = 0, to = count - 1;
    while (from < to) {
        const float pivot = of[from + (to - from) / 2].place[axis];
        int i = from, j = to;
        while (i <= j) {
            while (of[i].place[axis] < pivot)
                ++i;
            while (of[j].place[axis] > pivot)
                --j;
            if (i <= j) {
                const spot swap = of[i];
                of[i++] = of[j];
                of[j--] = swap;
            }
        }
        from = few >= i ? i : from;
        to = few <= j ? j : few >= i ? to : from;
    }
}

static void part_leaves(spot *of, int count)
{
    if (count <= FAN)
        return;
    const int few = (count + FAN - 1) / FAN / 2 * FAN;
    part(of, count, few, longest_axis(of, count));
    part_leaves(of, few);
    part_leaves(of + few, count - few);
}

void cst_capsule_order_block(const cst_capsule *capsule, int32_t *index, int count)
{
    spot of[CST_CAPSULE_BLOCK];
    bool finite = true;
    for (int i = 0; i < count; ++i) {
        double place[6], sum = 0.0;
        place_of(capsule + index[i], place);
        for (int k = 0; k < 6; ++k) {
            of[i].place[k] = (float)place[k];
            sum += (double)of[i].place[k];
        }
        of[i].index = index[i];
        finite = finite && isfinite(sum);
    }
    if (!finite)
        return;
    part_leaves(of, count);
    for (int i = 0; i < count; ++i)
        index[i] = of[i].index;
}

int cst_capsule_order(const cst_capsule *capsule, int capsules, cst_arena *arena, int32_t *index)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_coded *code = CST_TAKE_RAW(arena, cst_coded, capsules), *other = CST_TAKE_RAW(arena, cst_coded, capsules);
    if (arena->failed)
        return -1;
    const extent e = extent_of(capsule, capsules);
    int count = 0;
    for (int i = 0; i < capsules; ++i)
        if (proper(capsule + i))
            code[count++] = (cst_coded){.code = code_of(&e, capsule + i), .index = i};
    const cst_coded *sorted = cst_sort_by_code(code, other, count, CODE_BITS + 2, arena);
    if (!sorted)
        return -1;
    for (int i = 0; i < count; ++i)
        index[i] = sorted[i].index;
    cst_arena_release(arena, mark);
    return count;
}
