/* Finds capsules that may meet each other, or a box, during the step. One search of the capsule tree finds the partners of the
 * eight leaves below a tree node. The search visits the nodes of the same level, from this node on, whose bounding capsules may
 * meet the bounding capsule of this node. If two nodes of the capsule tree may meet, their leaves are tested against each
 * other, and then the capsules of leaves that may meet (capsule_tree.h).
 *
 * For n capsules and p pairs that may meet and that the caller's rule accepts, the work is O(n log n + p) and the memory O(n +
 * p). The pairs found, and their order, do not depend on the number of threads. */
#ifndef CST_COLLIDE_CAPSULE_PAIRS_H
#define CST_COLLIDE_CAPSULE_PAIRS_H

#include "collide/capsule_tree.h"
#include "collide/pair_rows.h"

/* A box with its displacement `way` in the step; the displacement is known up to the uncertainty `spread`. No box if `low >
 * high`. */
typedef struct cst_moving_box {
    cst_box box;
    double way[3], spread;
} cst_moving_box;

typedef struct cst_capsule_scene {
    int capsules;
    const cst_capsule *capsule;
    int boxes;
    /* in the resulting rows of pairs, box i has the index (number of capsules) + i; pairs of two boxes are not searched */
    const cst_moving_box *box;
    cst_pair_rule rule;
    const void *user;
    int threads;
} cst_capsule_scene;

/* Returns the limit on the number of pairs in a search among capsules: CST_PAIRS_EACH times the number of capsules, but at
 * least CST_PAIRS_LEAST. A search finds more pairs than allowed only if the capsules move so far in the step that nearly all of
 * them may meet. Dense hair has at most 16 pairs of near capsules for each capsule (scenes/hair/free_a.json). Without a limit,
 * the pairs of 1,920 curled hairs at 12 m/s took 20 GB of memory. */
#define CST_PAIRS_EACH 50
#define CST_PAIRS_LEAST 1000000
static inline int64_t cst_pairs_most(int capsules)
{
    const int64_t most = (int64_t)CST_PAIRS_EACH * capsules;
    return most > CST_PAIRS_LEAST ? most : CST_PAIRS_LEAST;
}

/* Row a of the result lists the capsules b > a that may meet capsule a, and then the boxes that may meet capsule a. Returns
 * false if memory ran out, or if there are too many pairs (cst_pairs_most); *crowded is true in the second case. If the
 * argument `crowded` is NULL, there is no limit on the number of pairs. */
bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out, bool *crowded);

/* Finds pairs as cst_near_capsules does, but with a tree of the capsules that the caller has built. */
bool cst_near_capsules_in(const cst_capsule_scene *scene, const cst_capsule_tree *tree, cst_arena *arena, cst_pair_list *out,
                          bool *crowded);

#endif
