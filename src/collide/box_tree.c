#include "collide/box_tree.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "collide/code_order.h"

enum {
    FAN = CST_BOX_FAN,
    /* CODE_BITS: number of bits of a Morton code; with two more bits for the size class, a sort key has 44 bits, which are four
     * digits of the radix sort */
    CODE_BITS = 42,
    PLANE_BITS = CODE_BITS / 2,
    SPACE_BITS = CODE_BITS / 3
};

/* Clamps a coordinate of a box to the range of finite floats. Unused entries of the tree have low = +infinity and high =
 * -infinity; a box with infinite coordinates would overlap them. */
static float within_range(double x)
{
    return (float)fmax(fmin(x, FLT_MAX), -FLT_MAX);
}

static float round_down(double x)
{
    const float f = within_range(x);
    return (double)f > x && f > -FLT_MAX ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double x)
{
    const float f = within_range(x);
    return (double)f < x && f < FLT_MAX ? nextafterf(f, INFINITY) : f;
}

static bool proper(const cst_box *box)
{
    return box->low[0] <= box->high[0] && box->low[1] <= box->high[1] && box->low[2] <= box->high[2];
}

/* ----------------------------------------------------------------------------------------------------------------- order */

/* Returns the bits of x with `gap` zeros after each bit. */
static uint64_t spread_bits(uint64_t x, int gap)
{
    if (gap == 1) {
        x = (x | x << 16) & 0x0000ffff0000ffff;
        x = (x | x << 8) & 0x00ff00ff00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
        x = (x | x << 2) & 0x3333333333333333;
        return (x | x << 1) & 0x5555555555555555;
    }
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

typedef struct extent {
    int axes; /* number of dimensions: 2 if all centres of boxes have the same third coordinate, otherwise 3 */
    /* least coordinates of the centres of the boxes, and factors that scale the coordinates to the range 0 .. 2^bits - 1 */
    double low[3], scale[3];
    double most;    /* 2^bits - 1 */
    double largest; /* size of the largest box */
} extent;

static double size_of(const cst_box *box)
{
    return fmax(fmax(box->high[0] - box->low[0], box->high[1] - box->low[1]), box->high[2] - box->low[2]);
}

static double center_of(const cst_box *box, int axis)
{
    /* any finite centre for infinite boxes */
    return fmax(-DBL_MAX, fmin(DBL_MAX, 0.5 * box->low[axis] + 0.5 * box->high[axis]));
}

static extent extent_of(const cst_box *box, int boxes)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    extent out = {.largest = 0.0};
    for (int i = 0; i < boxes; ++i) {
        const double size = size_of(&box[i]);
        if (!proper(&box[i]) || !isfinite(size))
            continue;
        out.largest = fmax(out.largest, size);
        for (int k = 0; k < 3; ++k) {
            const double c = center_of(&box[i], k);
            low[k] = fmin(low[k], c);
            high[k] = fmax(high[k], c);
        }
    }
    out.axes = high[2] > low[2] ? 3 : 2;
    out.most = (double)((1 << (out.axes == 3 ? SPACE_BITS : PLANE_BITS)) - 1);
    for (int k = 0; k < out.axes; ++k) {
        out.low[k] = low[k];
        out.scale[k] = high[k] > low[k] ? out.most / (high[k] - low[k]) : 0.0;
    }
    return out;
}

static uint64_t code_of(const extent *e, const cst_box *box)
{
    const double size = size_of(box);
    if (!isfinite(size))
        return 0;
    /* size class of a box: 0 if it is infinite; 1 if its size is at least 1/4 of that of the largest finite box; 2 if at least
     * 1/16; otherwise 3 */
    int class = 1;
    for (double larger = 0.25 * e->largest; class < 3 && size < larger; larger *= 0.25)
        ++class;
    uint64_t code = (uint64_t) class << CODE_BITS;
    for (int k = 0; k < e->axes; ++k) {
        const double c = (center_of(box, k) - e->low[k]) * e->scale[k];
        code |= spread_bits(c > 0.0 ? (uint64_t)fmin(c, e->most) : 0, e->axes - 1) << k;
    }
    return code;
}

/* ------------------------------------------------------------------------------------------------------------------ tree */

static void clear_row(cst_box_row *row)
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < FAN; ++i) {
            row->low[k][i] = INFINITY;
            row->high[k][i] = -INFINITY;
        }
}

void cst_box_row_around(const cst_box_row *row, float *low, float *high)
{
    for (int k = 0; k < 3; ++k) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (int i = 0; i < FAN; ++i) {
            low[k] = fminf(low[k], row->low[k][i]);
            high[k] = fmaxf(high[k], row->high[k][i]);
        }
    }
}

static void join_rows(const cst_box_row *from, int rows, cst_box_row *to)
{
    for (int r = 0; r < rows; ++r) {
        float low[3], high[3];
        cst_box_row_around(&from[r], low, high);
        for (int k = 0; k < 3; ++k) {
            to[r / FAN].low[k][r % FAN] = low[k];
            to[r / FAN].high[k][r % FAN] = high[k];
        }
    }
}

bool cst_box_tree_build(const cst_box *box, int boxes, cst_arena *arena, cst_box_tree *tree)
{
    *tree = (cst_box_tree){.levels = 0};
    const int leaves = boxes / FAN + 1;
    tree->index = CST_TAKE_RAW(arena, int32_t, (size_t)leaves * FAN);
    tree->levels = cst_box_levels(leaves, tree->rows);
    for (int l = 0; l < tree->levels; ++l)
        tree->row[l] = CST_TAKE_RAW(arena, cst_box_row, tree->rows[l]);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_coded *code = CST_TAKE_RAW(arena, cst_coded, boxes), *other = CST_TAKE_RAW(arena, cst_coded, boxes);
    if (arena->failed)
        return false;

    const extent e = extent_of(box, boxes);
    int count = 0;
    for (int i = 0; i < boxes; ++i)
        if (proper(&box[i]))
            code[count++] = (cst_coded){.code = code_of(&e, &box[i]), .index = i};
    const cst_coded *sorted = cst_sort_by_code(code, other, count, CODE_BITS + 2, arena);
    if (!sorted)
        return false;
    for (int l = 0; l < tree->levels; ++l)
        for (int r = 0; r < tree->rows[l]; ++r)
            clear_row(&tree->row[l][r]);
    for (int i = 0; i < leaves * FAN; ++i)
        tree->index[i] = i < count ? sorted[i].index : -1;
    for (int i = 0; i < count; ++i) {
        const cst_box *from = &box[sorted[i].index];
        cst_box_row *row = &tree->row[0][i / FAN];
        for (int k = 0; k < 3; ++k) {
            row->low[k][i % FAN] = round_down(from->low[k]);
            row->high[k][i % FAN] = round_up(from->high[k]);
        }
    }
    for (int l = 1; l < tree->levels; ++l)
        join_rows(tree->row[l - 1], tree->rows[l - 1], tree->row[l]);
    cst_arena_release(arena, mark);
    return true;
}

static CST_LANES_INLINE void descend(const cst_box_tree *tree, int first, const float *low, const float *high,
                                     cst_leaf_visit visit, void *user)
{
    struct {
        int level, row;
    } stack[CST_BOX_LEVELS * FAN];
    int depth = 0, leaves[CST_BOX_LEVELS]; /* array (levels): leaves below one node */
    for (int l = 0; l < tree->levels; ++l)
        leaves[l] = l ? leaves[l - 1] * FAN : 1;
    stack[depth].level = tree->levels - 1;
    stack[depth++].row = 0;
    while (depth) {
        --depth;
        const int level = stack[depth].level, row = stack[depth].row;
        if (level == 0) {
            visit(user, row);
            continue;
        }
        uint32_t hit = cst_box_row_overlap(&tree->row[level][row], low, high);
        /* number of children of this tree node that the search skips, because all their leaves have numbers below `first` */
        const int skip = first > 0 ? first / leaves[level - 1] - row * FAN : 0;
        if (skip > 0)
            hit = skip < FAN ? hit >> skip << skip : 0;
        for (; hit; hit &= hit - 1) {
            stack[depth].level = level - 1;
            stack[depth++].row = row * FAN + __builtin_ctz(hit);
        }
    }
}

CST_MULTIVERSION void cst_box_tree_visit(const cst_box_tree *tree, int first, const float *low, const float *high,
                                         cst_leaf_visit visit, void *user)
{
    descend(tree, first, low, high, visit, user);
}

typedef struct box_query {
    const cst_box_tree *tree;
    const float *low, *high;
    int32_t *out;
    int limit, count;
} box_query;

static CST_LANES_INLINE void list_leaf(void *user, int leaf)
{
    box_query *query = user;
    uint32_t hit = cst_box_row_overlap(&query->tree->row[0][leaf], query->low, query->high);
    for (; hit; hit &= hit - 1) {
        if (query->count < query->limit)
            query->out[query->count] = query->tree->index[leaf * FAN + __builtin_ctz(hit)];
        ++query->count;
    }
}

CST_MULTIVERSION static void list_boxes(box_query *query)
{
    descend(query->tree, 0, query->low, query->high, list_leaf, query);
}

int cst_box_tree_query(const cst_box_tree *tree, const cst_box *box, int32_t *out, int limit)
{
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = round_down(box->low[k]);
        high[k] = round_up(box->high[k]);
    }
    box_query query = {.tree = tree, .low = low, .high = high, .out = out, .limit = limit};
    if (proper(box))
        list_boxes(&query);
    return query.count;
}
