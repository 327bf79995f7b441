/* Pairs of the broad phase, kept from search to search.
 *
 * Capsules come in groups, each a chain of capsules that follows one piece of a centreline in equal shares of its length. A search with
 * several steps times the ways and with capsules that are thicker by a skin finds the pairs of groups that may meet; they are kept. A later
 * question looks at the capsules of these pairs alone, as long as the list covers it.
 *
 * Covered: let the capsule i of the list have radius rho, way w and skin delta, and that of the question rho', w' and spread sigma'
 * over a part of the same length. With two numbers f and g >= 0 of all capsules, |f| + g <= steps, every point of the line of the question
 * is within m of where the line of the list is after f w, and e = |w' - g w|. For two capsules a, b that may meet in the question, the
 * lines of the list are nearer than
 *
 *     sum over a, b of (rho' + sigma' + m + e)   +   (|f| + g) |w_a - w_b|,
 *
 * so that the list has them if rho' + sigma' + m + e <= rho + delta for all. f and g are those of least squares: f is the time since the
 * list was made in steps, g the length of the step. What moves on at its velocity uses nothing of the skin, and a common velocity counts
 * for nothing. Boxes of solids likewise, axis by axis.
 *
 * Apart: of every pair of groups the list knows D and G, the least of d and of d - steps |w_a - w_b| over its pairs of capsules, whose lines
 * are d apart. With n the most that a capsule of a group needs, rho' + sigma' + m + e, and phi = (|f| + g) / steps, no capsules of the two
 * groups may meet if
 *
 *     (1 - phi) D + phi G  >  n_a + n_b,
 *
 * for the least of functions that are linear in phi lies above its chord. In dense hair that is nearly all of them, and their capsules
 * are not looked at (100,000 hairs on one head: 10 pairs a hair, one test each in place of 64). Likewise with phi = |f| / steps and
 * rho' + m, which say how far two groups are apart now: the gap on which the strand check counts (strand_room.h). Pairs of capsules that are
 * not in the list are apart by the radii of the list.
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
    const cst_moving_box *box;  /* numbered on from the capsules and from the groups; they do not meet each other */
    cst_pair_rule rule;         /* of capsules and boxes */
    cst_pair_rule groups_touch; /* lets all groups through of which `rule` may let capsules through as long as the keys last */
    cst_pair_rule groups_now;   /* the same, now; two that are boxes are not asked for */
    const void *user;
    uint64_t key,
        box_key; /* of all that groups_touch knows of the groups, and of the boxes: as long as they last the list does */
    int threads;
} cst_capsule_groups;

/* Of two groups: D and G of the header. */
typedef struct cst_pair_apart {
    float now, later;
} cst_pair_apart;

/* The most that a capsule of a group needs of the radius of the list, of a question: where it is, rho' + m; in its step, n of the header. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    int32_t *first;       /* (groups + 1) */
    cst_capsule *capsule; /* as they were, with steps ways; thicker by the skin */
    cst_moving_box *box;
    cst_pair_list pairs;   /* of groups: row a has b >= a, then boxes */
    cst_pair_apart *apart; /* (pairs) */
    double *thick;         /* (groups) least radius of a capsule of the list */
    cst_list_need *need;   /* (groups) of the last question */
    double since, share;   /* of the last question: |f| / steps, and phi */
    float *gap;            /* (pairs) of the last answer: all capsules are apart by so much beyond their radii; -inf: not known */
    double steps;          /* that the list reaches ahead */
    int served;            /* questions that it answered, but for those of the strand check */
    int64_t made;          /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Does the list answer for these? If so, it is theirs that cst_kept_pairs_list gives next. Those without boxes may ask a list with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* A new list, for these. False: memory ran out, and there is none. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Row a of a capsule: all b > a, then boxes, that may meet it. The list was just made for them, or covers them. False: memory ran out. */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
