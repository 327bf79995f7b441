#include "collide/capsule_pairs.h"

/* CAPSULES_A_PAIR: a search among n capsules first reserves memory for n / CAPSULES_A_PAIR pairs */
enum { FAN = CST_BOX_FAN, CAPSULES_A_PAIR = 4 };

static const uint32_t ALL = (1u << FAN) - 1;

typedef struct near_search {
    const cst_capsule_scene *scene;
    const cst_capsule_tree *tree;
    cst_pair_pool pool;
} near_search;

/* The search of one thread. */
typedef struct family_search {
    const near_search *search;
    /* index of a tree node; the search tests the eight leaves of this node against each other, and against the leaves of all
     * nodes with higher indices */
    int family;
    const cst_capsule_row *box; /* set by search_box */
    int32_t box_number;
    cst_pair_buffer found;
} family_search;

static void take_pair(family_search *from, int32_t one, int32_t two)
{
    const cst_capsule_scene *scene = from->search->scene;
    const int32_t a = one < two ? one : two, b = one < two ? two : one;
    if (scene->rule(scene->user, a, b))
        cst_pair_put(&from->found, a, b);
}

/* Tests the capsules of one leaf against the capsules of the same leaf or of a later leaf. */
static void leaf_pairs(family_search *from, int leaf, int other)
{
    const cst_capsule_tree *tree = from->search->tree;
    const cst_capsule_row *mine = &tree->row[0][leaf], *theirs = &tree->row[0][other];
    const int32_t *my_index = tree->index + leaf * FAN, *their_index = tree->index + other * FAN;
    uint32_t near = ALL; /* capsules near the leaf `other` */
    if (other != leaf)
        near = cst_capsule_row_near(mine, &tree->row[1][other / FAN], other % FAN);
    for (; near; near &= near - 1) {
        const int i = __builtin_ctz(near);
        if (my_index[i] < 0)
            continue;
        uint32_t hit = cst_capsule_row_near(theirs, mine, i);
        if (other == leaf)
            hit &= ALL << i << 1;
        for (; hit; hit &= hit - 1)
            if (their_index[__builtin_ctz(hit)] >= 0)
                take_pair(from, my_index[i], their_index[__builtin_ctz(hit)]);
    }
}

/* Tests the eight leaves below one tree node against the eight leaves below the same node or a later node of the same level. */
static void family_pairs(void *user, int other)
{
    family_search *from = user;
    const cst_capsule_tree *tree = from->search->tree;
    const cst_capsule_row *mine = &tree->row[1][from->family], *theirs = &tree->row[1][other];
    uint32_t near = ALL; /* leaves near the node `other` */
    if (other != from->family)
        near = cst_capsule_row_near(mine, &tree->row[2][other / FAN], other % FAN);
    for (; near; near &= near - 1) {
        const int i = __builtin_ctz(near);
        if (!(mine->radius[i] >= 0.0f))
            continue;
        uint32_t hit = cst_capsule_row_near(theirs, mine, i);
        if (other == from->family)
            hit &= ALL << i;
        for (; hit; hit &= hit - 1)
            leaf_pairs(from, from->family * FAN + i, other * FAN + __builtin_ctz(hit));
    }
}

static void box_pairs(void *user, int leaf)
{
    family_search *from = user;
    const cst_capsule_tree *tree = from->search->tree;
    const uint32_t hit = cst_capsule_row_near_box(&tree->row[0][leaf], from->box);
    for (int i = 0; hit >> i; ++i)
        if (hit >> i & 1u && tree->index[leaf * FAN + i] >= 0)
            take_pair(from, tree->index[leaf * FAN + i], from->box_number);
}

/* Finds, in one descent of the tree, the leaves that may meet one of the eight leaves below the node `family`. Nodes with a lower
 * index than `family` are left out, because their own searches test the same pairs of leaves. */
static void search_family(family_search *from, int family)
{
    const cst_capsule_tree *tree = from->search->tree;
    from->family = family;
    if (tree->levels == 1)
        leaf_pairs(from, 0, 0);
    else if (tree->levels == 2)
        family_pairs(from, 0);
    else if (tree->row[2][family / FAN].radius[family % FAN] >= 0.0f)
        cst_capsule_tree_visit(tree, 1, family, &tree->row[2][family / FAN], family % FAN, family_pairs, from);
}

static void search_box(family_search *from, int index)
{
    const cst_capsule_scene *scene = from->search->scene;
    const cst_moving_box *moving = scene->box + index;
    if (!(moving->box.low[0] <= moving->box.high[0]))
        return;
    cst_capsule_row row;
    cst_capsule_row_set_box(&moving->box, moving->way, moving->spread, &row);
    from->box = &row;
    from->box_number = scene->capsules + index;
    cst_capsule_tree_visit_box(from->search->tree, &row, box_pairs, from);
}

static void search_all(near_search *search)
{
    const cst_capsule_scene *scene = search->scene;
    const int families = (search->tree->rows[0] + FAN - 1) / FAN;
#pragma omp parallel num_threads(scene->threads > 1 ? scene->threads : 1)
    {
        family_search from;
        from.search = search;
        from.found.pool = &search->pool;
        from.found.count = 0;
#pragma omp for schedule(dynamic, 4) nowait
        for (int family = 0; family < families; ++family)
            if (!cst_pair_pool_failed(&search->pool))
                search_family(&from, family);
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < scene->boxes; ++i)
            if (!cst_pair_pool_failed(&search->pool))
                search_box(&from, i);
        cst_pair_flush(&from.found);
    }
}

bool cst_near_capsules_in(const cst_capsule_scene *scene, const cst_capsule_tree *tree, cst_arena *arena, cst_pair_list *out,
                          bool *crowded)
{
    near_search search = {.scene = scene, .tree = tree};
    out->row_start = CST_TAKE(arena, int64_t, (size_t)scene->capsules + 1);
    if (arena->failed)
        return false;
    cst_pair_pool_begin(&search.pool, scene->capsules / CAPSULES_A_PAIR, crowded ? cst_pairs_most(scene->capsules) : 0, arena);
    search_all(&search);
    if (crowded)
        *crowded = search.pool.crowded;
    return cst_pair_rows(&search.pool, scene->capsules, scene->threads, arena, out);
}

bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out, bool *crowded)
{
    cst_capsule_tree tree;
    return cst_capsule_tree_build(scene->capsule, scene->capsules, arena, &tree) &&
           cst_near_capsules_in(scene, &tree, arena, out, crowded);
}
