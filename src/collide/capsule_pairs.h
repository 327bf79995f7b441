/* Finds capsules that may meet each other, or a box, during the step. One search of the capsule tree finds, for the eight leaves
 * below a node together, all later nodes of the same level that these leaves may meet. The leaves below two nodes that may meet
 * are tested against each other, then the capsules of two leaves that may meet (capsule_tree.h).
 *
 * For n capsules and p pairs that may meet and that the caller's rule accepts, the work is O(n log n + p) and the memory O(n +
 * p). The result does not depend on the number of threads. */
#ifndef CST_COLLIDE_CAPSULE_PAIRS_H
#define CST_COLLIDE_CAPSULE_PAIRS_H

#include "collide/capsule_tree.h"
#include "collide/pair_rows.h"

/* A box that moves by the displacement `way` in the step, known up to the uncertainty `spread`. No box if `low > high`. */
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

/* The row of a capsule a lists all capsules b > a and all boxes that may meet the capsule a. Returns false if memory ran out. */
bool cst_near_capsules(const cst_capsule_scene *scene, cst_arena *arena, cst_pair_list *out);

#endif
