/* Finds all pairs of capsules, and of a capsule and a box, that may meet during the step.
 *
 * The capsules are sorted into a tree (capsule_tree.h): eight capsules make a leaf, and eight leaves make a node. For each node,
 * one descent of the tree finds the nodes of the same level whose bounding capsules may meet the bounding capsule of that node.
 * If the bounding capsules of two tree nodes may meet, those leaves of one node that may meet the bounding capsule of the other
 * node are tested against each leaf of the other node. The capsules of two leaves whose bounding capsules may meet are tested in
 * the same way.
 *
 * The search takes O(n log n + p) time and O(n + p) memory for n capsules and p pairs. The pairs and their order do not depend
 * on the number of threads. */
#ifndef CST_COLLIDE_CAPSULE_PAIRS_H
#define CST_COLLIDE_CAPSULE_PAIRS_H

#include "collide/capsule_tree.h"
#include "collide/pair_rows.h"

/* A bounding box that moves. The displacement of each point of the box in the time step differs from the vector `way` (m) by at
 * most `spread` (m). A box with low[0] > high[0] is treated as empty and is in no pair. */
typedef struct cst_moving_box {
    cst_box box;
    double way[3], spread;
} cst_moving_box;

typedef struct cst_capsule_scene {
    int capsules;
    const cst_capsule *capsule;
    int boxes;
    /* array (boxes): moving boxes; box i has the index capsules + i in the list of pairs; boxes are not tested against each
     * other */
    const cst_moving_box *box;
    cst_pair_rule rule;
    const void *user;
    int threads;
} cst_capsule_scene;

/* Returns the largest number of pairs that a search is allowed to find. Dense hair has at most 16 pairs for each capsule
 * (scenes/hair/free_a.json). Without a limit, the pairs of 1,920 curled hairs at 12 m/s took 20 GB of memory. */
#define CST_PAIRS_EACH 50
#define CST_PAIRS_LEAST 1000000
static inline int64_t cst_pairs_most(int capsules)
{
    const int64_t most = (int64_t)CST_PAIRS_EACH * capsules;
    return most > CST_PAIRS_LEAST ? most : CST_PAIRS_LEAST;
}

/* Writes to row a of `out` all capsules b > a that may meet capsule a, followed by the boxes that may meet capsule a; pairs that
 * scene->rule rejects are left out. Returns false if memory ran out or if there are more pairs than cst_pairs_most allows;
 * *crowded is set to true if there are too many pairs. If `crowded` is NULL, the number of pairs is not limited. */
bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out, bool *crowded);

/* Finds pairs as cst_near_capsules does, in a tree that the caller has built from the capsules. */
bool cst_near_capsules_in(const cst_capsule_scene *scene, const cst_capsule_tree *tree, cst_arena *arena, cst_pair_list *out,
                          bool *crowded);

#endif
