#include "collide/capsule_pairs.h"

enum { FAN = CST_BOX_FAN, CAPSULES_A_PAIR = 4 }; /* first guess: where it does not do, more memory is taken */

typedef struct near_search {
    const cst_capsule_scene *scene;
    cst_capsule_tree tree;
    cst_pair_pool pool;
} near_search;

/* One thread's. */
typedef struct leaf_search {
    const near_search *search;
    int leaf;                 /* whose capsules ask, */
    const cst_box_probe *box; /* or a box */
    int32_t box_number;
    cst_pair_buffer found;
} leaf_search;

static void take_pair(leaf_search *from, int32_t one, int32_t two)
{
    const cst_capsule_scene *scene = from->search->scene;
    const int32_t a = one < two ? one : two, b = one < two ? two : one;
    if (scene->rule(scene->user, a, b))
        cst_pair_put(&from->found, a, b);
}

/* Capsules of one leaf against those of another that is not before it. */
static void leaf_pairs(void *user, int other)
{
    leaf_search *from = user;
    const cst_capsule_tree *tree = &from->search->tree;
    const cst_capsule_row *mine = &tree->row[0][from->leaf], *theirs = &tree->row[0][other];
    const int32_t *my_index = tree->index + from->leaf * FAN, *their_index = tree->index + other * FAN;
    uint32_t near = (1u << FAN) - 1; /* mine that may meet the capsule around all of theirs */
    if (tree->levels > 1 && other != from->leaf) {
        const cst_capsule_probe around = cst_capsule_row_probe(&tree->row[1][other / FAN], other % FAN);
        near = cst_capsule_row_near(mine, &around);
    }
    for (int i = 0; near >> i; ++i) {
        if (!(near >> i & 1u) || my_index[i] < 0)
            continue;
        const cst_capsule_probe probe = cst_capsule_row_probe(mine, i);
        const uint32_t hit = cst_capsule_row_near(theirs, &probe);
        for (int j = other == from->leaf ? i + 1 : 0; hit >> j; ++j)
            if (hit >> j & 1u && their_index[j] >= 0)
                take_pair(from, my_index[i], their_index[j]);
    }
}

static void box_pairs(void *user, int leaf)
{
    leaf_search *from = user;
    const cst_capsule_tree *tree = &from->search->tree;
    const uint32_t hit = cst_capsule_row_near_box(&tree->row[0][leaf], from->box);
    for (int i = 0; hit >> i; ++i)
        if (hit >> i & 1u && tree->index[leaf * FAN + i] >= 0)
            take_pair(from, tree->index[leaf * FAN + i], from->box_number);
}

static void search_leaf(leaf_search *from, int leaf)
{
    const cst_capsule_tree *tree = &from->search->tree;
    from->leaf = leaf;
    if (tree->levels == 1) {
        leaf_pairs(from, leaf);
        return;
    }
    const cst_capsule_probe around = cst_capsule_row_probe(&tree->row[1][leaf / FAN], leaf % FAN);
    if (around.radius >= 0.0f)
        cst_capsule_tree_visit(tree, leaf, &around, leaf_pairs, from);
}

static void search_box(leaf_search *from, int index)
{
    const cst_capsule_scene *scene = from->search->scene;
    const cst_moving_box *moving = scene->box + index;
    if (!(moving->box.low[0] <= moving->box.high[0]))
        return;
    const cst_box_probe probe = cst_box_probe_of(&moving->box, moving->way, moving->spread);
    from->box = &probe;
    from->box_number = scene->capsules + index;
    cst_capsule_tree_visit_box(&from->search->tree, &probe, box_pairs, from);
}

static void search_all(near_search *search)
{
    const cst_capsule_scene *scene = search->scene;
#pragma omp parallel num_threads(scene->threads > 1 ? scene->threads : 1)
    {
        leaf_search from = {.search = search};
        from.found.pool = &search->pool;
#pragma omp for schedule(dynamic, 16) nowait
        for (int leaf = 0; leaf < search->tree.rows[0]; ++leaf)
            search_leaf(&from, leaf);
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < scene->boxes; ++i)
            search_box(&from, i);
        cst_pair_flush(&from.found);
    }
}

bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out)
{
    near_search search = {.scene = scene};
    out->row_start = CST_TAKE(arena, int64_t, (size_t)scene->capsules + 1);
    if (!cst_capsule_tree_build(scene->capsule, scene->capsules, arena, &search.tree))
        return false;
    cst_pair_pool_begin(&search.pool, scene->capsules / CAPSULES_A_PAIR, arena);
    search_all(&search);
    return cst_pair_rows(&search.pool, scene->capsules, scene->threads, arena, out);
}
