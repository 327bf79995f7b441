#include "collide/broad_phase.h"

#include <string.h>

#include "base/simd.h"

/* Pairs that a thread keeps to itself; room for so many pairs of each box: where it does not do, all is done again with more. */
enum { FAN = CST_BOX_FAN, FOUND_MOST = 128, ROOM_EACH = 16 };

typedef struct box_pair {
    int32_t a, b;
} box_pair;

typedef struct pair_search {
    const cst_box_tree *tree;
    cst_pair_rule rule;
    const void *user;
    box_pair *pair; /* (room) in any order */
    int64_t room;
    int64_t *pairs; /* how many there are, more than there is room for perhaps */
} pair_search;

/* What one thread found since it last put it to the others. */
typedef struct leaf_search {
    const pair_search *search;
    int leaf, found;
    box_pair pair[FOUND_MOST];
} leaf_search;

static void put_down(leaf_search *from)
{
    const pair_search *search = from->search;
    int64_t at;
#pragma omp atomic capture
    {
        at = *search->pairs;
        *search->pairs += from->found;
    }
    if (at + from->found <= search->room)
        memcpy(search->pair + at, from->pair, (size_t)from->found * sizeof *from->pair);
    from->found = 0;
}

static void take_pair(leaf_search *from, int32_t one, int32_t two)
{
    const pair_search *search = from->search;
    const int32_t a = one < two ? one : two, b = one < two ? two : one;
    if (search->rule && !search->rule(search->user, a, b))
        return;
    from->pair[from->found++] = (box_pair){.a = a, .b = b};
    if (from->found == FOUND_MOST)
        put_down(from);
}

/* Boxes of one leaf against those of another that is not before it. */
CST_MULTIVERSION static void leaf_pairs(void *user, int other)
{
    leaf_search *from = user;
    const pair_search *search = from->search;
    const cst_box_tree *tree = search->tree;
    const cst_box_row *mine = &tree->row[0][from->leaf], *theirs = &tree->row[0][other];
    const int32_t *my_index = tree->index + from->leaf * FAN, *their_index = tree->index + other * FAN;
    uint32_t near = (1u << FAN) - 1; /* mine that meet the box around all of theirs */
    if (tree->levels > 1) {
        const cst_box_row *around = &tree->row[1][other / FAN];
        const int lane = other % FAN;
        const float low[3] = {around->low[0][lane], around->low[1][lane], around->low[2][lane]};
        const float high[3] = {around->high[0][lane], around->high[1][lane], around->high[2][lane]};
        near = cst_box_row_overlap(mine, low, high);
    }
    for (int i = 0; near >> i; ++i) {
        if (!(near >> i & 1u) || my_index[i] < 0)
            continue;
        const float low[3] = {mine->low[0][i], mine->low[1][i], mine->low[2][i]};
        const float high[3] = {mine->high[0][i], mine->high[1][i], mine->high[2][i]};
        const uint32_t hit = cst_box_row_overlap(theirs, low, high);
        for (int j = other == from->leaf ? i + 1 : 0; hit >> j; ++j)
            if (hit >> j & 1u && their_index[j] >= 0)
                take_pair(from, my_index[i], their_index[j]);
    }
}

static void search_leaves(const pair_search *search, int threads)
{
    (void)threads; /* nobody reads it in a build without OpenMP */
    *search->pairs = 0;
#pragma omp parallel num_threads(threads > 1 ? threads : 1)
    {
        leaf_search from;
        from.search = search;
        from.found = 0;
#pragma omp for schedule(dynamic, 64)
        for (int leaf = 0; leaf < search->tree->rows[0]; ++leaf) {
            float low[3], high[3];
            cst_box_row_around(&search->tree->row[0][leaf], low, high);
            from.leaf = leaf;
            cst_box_tree_visit(search->tree, leaf, low, high, leaf_pairs, &from);
        }
        put_down(&from);
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
    out->row_start = CST_TAKE(arena, int64_t, (size_t)boxes + 1);
    cst_box_tree tree;
    if (!cst_box_tree_build(box, boxes, arena, &tree))
        return false;
    int64_t pairs = 0;
    pair_search search = {.tree = &tree, .rule = rule, .user = user, .pairs = &pairs};
    do {
        search.room = (int64_t)cst_roomy(pairs > 0 ? pairs : (int64_t)boxes * ROOM_EACH);
        search.pair = CST_TAKE_RAW(arena, box_pair, (size_t)search.room);
        if (arena->failed)
            return false;
        search_leaves(&search, threads);
    } while (pairs > search.room);
    out->partner = CST_TAKE_RAW(arena, int32_t, cst_roomy(pairs));
    if (arena->failed)
        return false;
    /* Counted in place: the count of row a goes to row_start[a], becomes its start, and is moved to its end by filling. */
    int64_t sum = 0;
    for (int64_t i = 0; i < pairs; ++i)
        ++out->row_start[search.pair[i].a];
    for (int i = 0; i <= boxes; ++i) {
        const int64_t here = out->row_start[i];
        out->row_start[i] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < pairs; ++i)
        out->partner[out->row_start[search.pair[i].a]++] = search.pair[i].b;
    for (int i = boxes; i > 0; --i)
        out->row_start[i] = out->row_start[i - 1];
    out->row_start[0] = 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads > 1 ? threads : 1)
    for (int i = 0; i < boxes; ++i)
        sort_row(out->partner + out->row_start[i], out->row_start[i + 1] - out->row_start[i]);
    return true;
}
