/* Which capsules may meet each other, or a box, in the step: eight leaves under one node of their tree ask for all such nodes
 * behind theirs that they may meet, then leaves against leaves and capsules against capsules (capsule_tree.h).
 *
 * Work O(n log n + pairs), memory O(n + pairs) where pairs are those whose capsules may meet and that the caller's rule lets
 * through. The rows of the result do not depend on the number of threads. */
#ifndef CST_COLLIDE_CAPSULE_PAIRS_H
#define CST_COLLIDE_CAPSULE_PAIRS_H

#include "collide/capsule_tree.h"
#include "collide/pair_rows.h"

/* A box that goes by `way`, give or take `spread`. low > high: there is none. */
typedef struct cst_moving_box {
    cst_box box;
    double way[3], spread;
} cst_moving_box;

typedef struct cst_capsule_scene {
    int capsules;
    const cst_capsule *capsule;
    int boxes;
    const cst_moving_box *box; /* numbered on from the capsules; they do not meet each other */
    cst_pair_rule rule;
    const void *user;
    int threads;
} cst_capsule_scene;

/* Row a of a capsule: all b > a. False: memory ran out. */
bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out);

#endif
