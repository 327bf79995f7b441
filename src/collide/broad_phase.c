#include "collide/broad_phase.h"

#include "base/simd.h"

/* ROOM_EACH: memory for ROOM_EACH overlapping pairs per box is reserved at first; if there are more pairs, more memory is
 * allocated (pair_rows.h). */
enum { FAN = CST_BOX_FAN, ROOM_EACH = 16 };

typedef struct pair_search {
    /* `mine` and `theirs` are the same tree if the search is for overlaps within one array of boxes */
    const cst_box_tree *mine, *theirs;
    cst_pair_rule rule;
    const void *user;
    cst_pair_pool pool;
} pair_search;

typedef struct leaf_search {
    const pair_search *search;
    int leaf;
    cst_pair_buffer found;
} leaf_search;

static void take_pair(leaf_search *from, int32_t one, int32_t two)
{
    const pair_search *search = from->search;
    const bool turned = search->mine == search->theirs && one > two;
    const int32_t a = turned ? two : one, b = turned ? one : two;
    if (!search->rule || search->rule(search->user, a, b))
        cst_pair_put(&from->found, a, b);
}

/* Finds the overlaps between the boxes of leaf from->leaf of the tree `mine` and the boxes of leaf `other` of the tree
 * `theirs`. */
CST_MULTIVERSION static void leaf_pairs(void *user, int other)
{
    leaf_search *from = user;
    const pair_search *search = from->search;
    const cst_box_tree *tree = search->theirs;
    const cst_box_row *mine = &search->mine->row[0][from->leaf], *theirs = &tree->row[0][other];
    const int32_t *my_index = search->mine->index + from->leaf * FAN, *their_index = tree->index + other * FAN;
    const bool same = search->mine == search->theirs && other == from->leaf;
    uint32_t near = (1u << FAN) - 1; /* bit mask: bit i is set if box i of `mine` may overlap a box of `theirs` */
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
        for (int j = same ? i + 1 : 0; hit >> j; ++j)
            if (hit >> j & 1u && their_index[j] >= 0)
                take_pair(from, my_index[i], their_index[j]);
    }
}

static void search_leaves(pair_search *search, int threads)
{
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel num_threads(threads > 1 ? threads : 1)
    {
        leaf_search from;
        from.search = search;
        from.found.pool = &search->pool;
        from.found.count = 0;
#pragma omp for schedule(dynamic, 64)
        for (int leaf = 0; leaf < search->mine->rows[0]; ++leaf) {
            float low[3], high[3];
            cst_box_row_around(&search->mine->row[0][leaf], low, high);
            from.leaf = leaf;
            cst_box_tree_visit(search->theirs, search->mine == search->theirs ? leaf : 0, low, high, leaf_pairs, &from);
        }
        cst_pair_flush(&from.found);
    }
}

static bool search_trees(pair_search *search, int boxes, int threads, cst_arena *arena, cst_pair_list *out)
{
    cst_pair_pool_begin(&search->pool, (int64_t)boxes * ROOM_EACH, 0, arena);
    search_leaves(search, threads);
    return cst_pair_rows(&search->pool, boxes, threads, arena, out);
}

bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_pair_list *out)
{
    out->row_start = CST_TAKE(arena, int64_t, (size_t)boxes + 1);
    cst_box_tree tree;
    if (!cst_box_tree_build(box, boxes, arena, &tree))
        return false;
    pair_search search = {.mine = &tree, .theirs = &tree, .rule = rule, .user = user};
    return search_trees(&search, boxes, threads, arena, out);
}

bool cst_overlapping_lists(const cst_box *first, int firsts, const cst_box *second, int seconds, cst_pair_rule rule,
                           const void *user, int threads, cst_arena *arena, cst_pair_list *out)
{
    out->row_start = CST_TAKE(arena, int64_t, (size_t)firsts + 1);
    cst_box_tree mine, theirs;
    if (!cst_box_tree_build(first, firsts, arena, &mine) || !cst_box_tree_build(second, seconds, arena, &theirs))
        return false;
    pair_search search = {.mine = &mine, .theirs = &theirs, .rule = rule, .user = user};
    return search_trees(&search, firsts, threads, arena, out);
}
