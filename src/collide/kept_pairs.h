/* Pairs of the broad phase, kept from search to search.
 *
 * Capsules come in groups, each a chain of capsules that follows one piece of a centreline in equal shares of its length. A search with
 * several steps times the ways and with capsules that are thicker by a skin finds the pairs of groups that may meet; they are kept. A later
 * question looks at the capsules of these pairs alone, as long as the list covers it.
 *
 * Covered: let the capsule i of the list have radius rho, way w, spread sigma and skin delta, and that of the question rho', w', sigma'
 * over a part of the same length. With two numbers f and g >= 0 of all capsules, |f| + g <= steps, every point of the line of the question
 * is within m of where the line of the list is after f w, and e = |w' - g w|. For two capsules a, b that may meet in the question, the
 * lines of the list are nearer than
 *
 *     sum over a, b of (rho' + sigma' + m + e)   +   (|f| + g) |w_a - w_b|,
 *
 * so that the list has them if rho' + sigma' + m + e <= rho + delta + steps sigma for all. f and g are those of least squares: f is the
 * time since the list was made in steps, g the length of the step. What moves on at its velocity uses nothing of the skin, and a common
 * velocity counts for nothing. Boxes of solids likewise, axis by axis.
 *
 * The pairs of an answer are those of capsules that may meet now, as those of a search of its own but for pairs at the very limit of the
 * reach: nobody who measures distances can tell them apart. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"

typedef struct cst_capsule_groups {
    int groups;
    const int32_t *first; /* (groups + 1) among the capsules; none is empty */
    const cst_capsule *capsule;
    int boxes;
    const cst_moving_box *box; /* numbered on from the capsules and from the groups; they do not meet each other */
    cst_pair_rule rule;         /* of capsules and boxes */
    cst_pair_rule groups_touch; /* lets all groups through of which `rule` may let capsules through as long as the keys last */
    cst_pair_rule groups_now;   /* the same, now; two that are boxes are not asked for */
    const void *user;
    uint64_t key, box_key; /* of all that groups_touch knows of the groups, and of the boxes: as long as they last the list does */
    int threads;
} cst_capsule_groups;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    int32_t *first;       /* (groups + 1) */
    cst_capsule *capsule; /* as they were, with steps ways; thicker by the skin and by steps spreads */
    cst_moving_box *box;
    cst_pair_list pairs; /* of groups: row a has b >= a, then boxes */
    double steps;        /* that the list reaches ahead */
    int served;          /* questions that it answered, but for those of the strand check */
    int64_t made;        /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Does the list answer for these? Those without boxes may ask a list with boxes. */
bool cst_kept_pairs_cover(const cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* A new list. False: memory ran out, and there is none. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Row a of a capsule: all b > a, then boxes, that may meet it. The list covers them. False: memory ran out. */
bool cst_kept_pairs_list(const cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
