#include "collide/broad_phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FAN = 8, LEVELS_MAX = 12, CODE_BITS = 21, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Eight boxes side by side, so that one comparison serves all. */
typedef struct box_row {
    float low_x[FAN], low_y[FAN], high_x[FAN], high_y[FAN];
} box_row;

typedef struct box_tree {
    int levels;
    box_row *row[LEVELS_MAX]; /* row[0]: the boxes; row[l]: unions of the rows of l - 1 */
    int rows[LEVELS_MAX];
    int32_t *index; /* (8 rows[0]) box in each place, -1: none */
} box_tree;

static const box_row EMPTY_ROW = {
    {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
    {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
};

/* A box without bounds (a hollow disk) ends at the largest number: lanes without a box lie at infinity, and must not meet it. */
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
    return box->low[0] <= box->high[0] && box->low[1] <= box->high[1];
}

/* ----------------------------------------------------------------------------------------------------------------- order */

static uint64_t spread_bits(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

typedef struct extent {
    double low[2], scale[2]; /* of centres; 2^21 / width */
    double largest;          /* size of a box */
} extent;

static double size_of(const cst_box *box)
{
    return fmax(box->high[0] - box->low[0], box->high[1] - box->low[1]);
}

static double center_of(const cst_box *box, int axis)
{
    return fmax(-DBL_MAX, fmin(DBL_MAX, 0.5 * box->low[axis] + 0.5 * box->high[axis])); /* infinite boxes: somewhere */
}

static extent extent_of(const cst_box *box, int boxes)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    extent out = {.largest = 0.0};
    for (int i = 0; i < boxes; ++i) {
        const double size = size_of(&box[i]);
        if (!proper(&box[i]) || !isfinite(size))
            continue;
        out.largest = fmax(out.largest, size);
        for (int k = 0; k < 2; ++k) {
            const double c = center_of(&box[i], k);
            low[k] = fmin(low[k], c);
            high[k] = fmax(high[k], c);
        }
    }
    for (int k = 0; k < 2; ++k) {
        out.low[k] = low[k];
        out.scale[k] = high[k] > low[k] ? (double)((1 << CODE_BITS) - 1) / (high[k] - low[k]) : 0.0;
    }
    return out;
}

static uint64_t code_of(const extent *e, const cst_box *box)
{
    const double size = size_of(box);
    if (!isfinite(size))
        return 0;
    uint64_t cell[2];
    for (int k = 0; k < 2; ++k) {
        const double c = (center_of(box, k) - e->low[k]) * e->scale[k];
        cell[k] = c > 0.0 ? (uint64_t)fmin(c, (double)((1 << CODE_BITS) - 1)) : 0;
    }
    int class = 1; /* 0: infinite; then within a factor of four of the largest, of the rest, and all others */
    for (double larger = 0.25 * e->largest; class < 3 && size < larger; larger *= 0.25)
        ++class;
    return (uint64_t) class << (2 * CODE_BITS) | spread_bits(cell[0]) | spread_bits(cell[1]) << 1;
}

typedef struct coded {
    uint64_t code;
    int32_t index;
} coded;

/* Stable, by digits from the lowest. `to` is as long; the result is in the array returned. */
static coded *sort_by_code(coded *from, coded *to, int count, int32_t *places)
{
    for (int shift = 0; shift < 2 * CODE_BITS + 2; shift += DIGIT_BITS) {
        memset(places, 0, DIGITS * sizeof *places);
        for (int i = 0; i < count; ++i)
            ++places[from[i].code >> shift & (DIGITS - 1)];
        int32_t sum = 0;
        for (int d = 0; d < DIGITS; ++d) {
            const int32_t here = places[d];
            places[d] = sum;
            sum += here;
        }
        for (int i = 0; i < count; ++i)
            to[places[from[i].code >> shift & (DIGITS - 1)]++] = from[i];
        coded *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* ------------------------------------------------------------------------------------------------------------------ tree */

static void join_rows(const box_row *from, int rows, box_row *to)
{
    for (int r = 0; r < rows; ++r) {
        box_row *up = &to[r / FAN];
        const int lane = r % FAN;
        for (int i = 0; i < FAN; ++i) {
            up->low_x[lane] = fminf(up->low_x[lane], from[r].low_x[i]);
            up->low_y[lane] = fminf(up->low_y[lane], from[r].low_y[i]);
            up->high_x[lane] = fmaxf(up->high_x[lane], from[r].high_x[i]);
            up->high_y[lane] = fmaxf(up->high_y[lane], from[r].high_y[i]);
        }
    }
}

static bool build_tree(const cst_box *box, int boxes, cst_arena *arena, box_tree *tree)
{
    coded *code = CST_TAKE_RAW(arena, coded, boxes), *other = CST_TAKE_RAW(arena, coded, boxes);
    int32_t *places = CST_TAKE_RAW(arena, int32_t, DIGITS);
    const int leaves = boxes / FAN + 1;
    tree->index = CST_TAKE_RAW(arena, int32_t, (size_t)leaves * FAN);
    for (int rows = leaves;; rows = (rows + FAN - 1) / FAN) {
        tree->rows[tree->levels] = rows;
        tree->row[tree->levels++] = CST_TAKE_RAW(arena, box_row, rows);
        if (rows == 1)
            break;
    }
    if (arena->failed)
        return false;

    const extent e = extent_of(box, boxes);
    int count = 0;
    for (int i = 0; i < boxes; ++i)
        if (proper(&box[i]))
            code[count++] = (coded){.code = code_of(&e, &box[i]), .index = i};
    const coded *sorted = sort_by_code(code, other, count, places);
    for (int l = 0; l < tree->levels; ++l)
        for (int r = 0; r < tree->rows[l]; ++r)
            tree->row[l][r] = EMPTY_ROW;
    for (int i = 0; i < leaves * FAN; ++i)
        tree->index[i] = i < count ? sorted[i].index : -1;
    for (int i = 0; i < count; ++i) {
        const cst_box *from = &box[sorted[i].index];
        box_row *row = &tree->row[0][i / FAN];
        row->low_x[i % FAN] = round_down(from->low[0]);
        row->low_y[i % FAN] = round_down(from->low[1]);
        row->high_x[i % FAN] = round_up(from->high[0]);
        row->high_y[i % FAN] = round_up(from->high[1]);
    }
    for (int l = 1; l < tree->levels; ++l)
        join_rows(tree->row[l - 1], tree->rows[l - 1], tree->row[l]);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- pairs */

typedef struct pair_search {
    const box_tree *tree;
    cst_pair_rule rule;
    const void *user;
    int64_t *count;     /* first pass: (boxes) to fill */
    int64_t *row_start; /* second pass */
    int32_t *partner;
} pair_search;

/* Which of eight boxes overlap one: a bit each. Comparisons as wide as the numbers, without branches: they run side by side. */
static unsigned overlap(const box_row *row, float low_x, float low_y, float high_x, float high_y)
{
    int32_t hit[FAN];
    for (int i = 0; i < FAN; ++i)
        hit[i] = (row->low_x[i] <= high_x) & (row->high_x[i] >= low_x) & (row->low_y[i] <= high_y) & (row->high_y[i] >= low_y);
    unsigned bits = 0;
    for (int i = 0; i < FAN; ++i)
        bits |= (unsigned)hit[i] << i;
    return bits;
}

/* Boxes of one leaf against those of another. Each box looks for partners of higher index only, so a row is filled by one leaf. */
static void leaf_pairs(const pair_search *search, int leaf, int other)
{
    const box_row *mine = &search->tree->row[0][leaf], *theirs = &search->tree->row[0][other];
    unsigned near = (1u << FAN) - 1; /* mine that meet the box around all of theirs */
    if (search->tree->levels > 1) {
        const box_row *around = &search->tree->row[1][other / FAN];
        const int lane = other % FAN;
        near = overlap(mine, around->low_x[lane], around->low_y[lane], around->high_x[lane], around->high_y[lane]);
    }
    for (int i = 0; near >> i; ++i) {
        const int32_t a = search->tree->index[leaf * FAN + i];
        if (!(near >> i & 1u) || a < 0)
            continue;
        const unsigned hit = overlap(theirs, mine->low_x[i], mine->low_y[i], mine->high_x[i], mine->high_y[i]);
        for (int j = 0; hit >> j; ++j) {
            const int32_t b = search->tree->index[other * FAN + j];
            if (!(hit >> j & 1u) || b <= a || (search->rule && !search->rule(search->user, a, b)))
                continue;
            if (search->partner)
                search->partner[search->row_start[a]++] = b;
            else
                ++search->count[a];
        }
    }
}

static void search_leaf(const pair_search *search, int leaf)
{
    const box_tree *tree = search->tree;
    const box_row *mine = &tree->row[0][leaf];
    float low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < FAN; ++i) {
        low_x = fminf(low_x, mine->low_x[i]);
        low_y = fminf(low_y, mine->low_y[i]);
        high_x = fmaxf(high_x, mine->high_x[i]);
        high_y = fmaxf(high_y, mine->high_y[i]);
    }
    struct {
        int level, row;
    } stack[LEVELS_MAX * FAN];
    int depth = 0;
    stack[depth].level = tree->levels - 1;
    stack[depth++].row = 0;
    while (depth) {
        --depth;
        const int level = stack[depth].level, row = stack[depth].row;
        if (level == 0) {
            leaf_pairs(search, leaf, row);
            continue;
        }
        const unsigned hit = overlap(&tree->row[level][row], low_x, low_y, high_x, high_y);
        for (int i = 0; hit >> i; ++i)
            if (hit >> i & 1u) {
                stack[depth].level = level - 1;
                stack[depth++].row = row * FAN + i;
            }
    }
}

/* Heap sort: rows are short as a rule, but one large box may have a partner in every other. */
static void sift(int32_t *value, int64_t root, int64_t count)
{
    const int32_t moved = value[root];
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && value[child + 1] > value[child])
            ++child;
        if (value[child] <= moved)
            break;
        value[root] = value[child];
    }
    value[root] = moved;
}

static void sort_row(int32_t *value, int64_t count)
{
    if (count <= 16) {
        for (int64_t i = 1; i < count; ++i) {
            const int32_t moved = value[i];
            int64_t j = i;
            for (; j > 0 && value[j - 1] > moved; --j)
                value[j] = value[j - 1];
            value[j] = moved;
        }
        return;
    }
    for (int64_t i = count / 2; i-- > 0;)
        sift(value, i, count);
    for (int64_t last = count - 1; last > 0; --last) {
        const int32_t top = value[0];
        value[0] = value[last];
        value[last] = top;
        sift(value, 0, last);
    }
}

size_t cst_roomy(int64_t count)
{
    size_t room = 1024;
    while (room < (size_t)count)
        room *= 2;
    return room;
}

bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_box_pairs *out)
{
    (void)threads; /* nobody reads it in a build without OpenMP */
    out->row_start = CST_TAKE(arena, int64_t, (size_t)boxes + 1);
    box_tree tree = {.levels = 0};
    if (!build_tree(box, boxes, arena, &tree))
        return false;
    /* Counted in place: the count of row a goes to row_start[a], becomes its start, and is moved to its end by filling. */
    pair_search search = {.tree = &tree, .rule = rule, .user = user, .count = out->row_start, .row_start = out->row_start};
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads > 1 ? threads : 1)
    for (int leaf = 0; leaf < tree.rows[0]; ++leaf)
        search_leaf(&search, leaf);
    int64_t sum = 0;
    for (int i = 0; i <= boxes; ++i) {
        const int64_t here = out->row_start[i];
        out->row_start[i] = sum;
        sum += here;
    }
    out->partner = search.partner = CST_TAKE_RAW(arena, int32_t, cst_roomy(sum));
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads > 1 ? threads : 1)
    for (int leaf = 0; leaf < tree.rows[0]; ++leaf)
        search_leaf(&search, leaf);
    for (int i = boxes; i > 0; --i)
        out->row_start[i] = out->row_start[i - 1];
    out->row_start[0] = 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads > 1 ? threads : 1)
    for (int i = 0; i < boxes; ++i)
        sort_row(out->partner + out->row_start[i], out->row_start[i + 1] - out->row_start[i]);
    return true;
}
