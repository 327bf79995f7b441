/* Pairs of the broad phase, kept from search to search.
 *
 * Capsules come in groups, each a chain of capsules that follows one piece of a centreline in equal shares of its length, from which its curve
 * is off by `wide` at most. A search with several steps times the ways and with capsules that are thicker by a skin finds the pairs of groups
 * that may meet; they are kept. A later question looks at these pairs alone, as long as the list covers it, and at the capsules of those
 * groups alone of which the list does not know that they are apart: the others need not be cut.
 *
 * When a list covers a question. A capsule of the list has the radius rho + delta, where delta is its skin; w is the displacement along its group over all steps
 * of the list. Of a
 * group that asks, five points are known in equal parts of its length, the way w' of the step, give or take sigma', the reach rho' < rho from
 * its curve within which it touches, and `drift`: by how much its points have gone elsewhere since the list was made than what is linear between these says. With two
 * numbers f and g >= 0 of all groups, |f| + g <= 1, and w_i the value of w in the middle of the capsule i of the list,
 *
 *     m = max over points of i |x' - x - f w_i| + drift,        e = max over points of i |w' - g w_i| + sigma',
 *
 * two that touch in the question, points of the capsules a and b of the list, have lines in the list that are nearer than
 *
 *     sum over a, b of (rho' + wide + m + e)   +   (|f| + g) |w_a - w_b|,
 *
 * so that the list has them if rho' + m + e <= rho + delta - wide for all. f and g are those of least squares: f is the time since the
 * list was made in its steps, g the length of the step. What moves on at its velocity uses nothing of the skin, and a common velocity counts
 * for nothing. Boxes of solids likewise, axis by axis.
 *
 * w is a guess: the ways of the step, linear along a group, and at the ends of the parts inside it what bends them, `bow`. Hairs that fall side by side
 * bend alike: without the bow what they have in common would use up the skin (100,000 hairs on one head, 8 steps: 1.1 radii of 3.4).
 *
 * Apart: let the curves of two capsules be d apart at least when the list is made, along the unit vector r from a to b. Moved on by f w_a and f w_b
 * they are d + f r.(w_b - w_a) apart at least. Of every pair of groups the list knows D and G, the least of d and of d + r.(w_b - w_a) over its pairs
 * of capsules, and W, the largest |w_a - w_b|. With n = rho' + m + e the two groups do not touch if
 *
 *     (1 - f) D + f G - g W  >  n_a + n_b        (f < 0: D - (|f| + g) W),
 *
 * for the least of functions that are linear in f lies above its chord. In dense hair that is nearly all of them (100,000 hairs on one head:
 * 10 pairs a hair, one test each in place of 64). Likewise without g W and e, which says how far two groups are apart now: the gap on
 * which the strand check counts (strand_room.h). Pairs of capsules that are not in the list are apart by the radii of the list. The way of the step
 * counts whatever its direction, for touches that are kept answer about other ways of the same length too (kept_touches.h).
 *
 * The pairs of an answer are those of capsules that may meet now, but for some whose curves cannot touch: nobody who measures distances
 * can tell them apart. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    void (*pose)(const void *user, int32_t group, double *out);          /* (CST_POSE) from which `drift` is told */
    double (*drift)(const void *user, int32_t group, const double *was); /* m: since then; inf: not known */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* m: what bends its way in a step; NULL: nothing */
    const int32_t *first;                         /* (groups + 1) among the capsules */
    const cst_capsule *capsule;
    const double *wide; /* (capsules) m: the curve is no farther from the line of its capsule */
    int boxes;
    const cst_moving_box *box;  /* numbered on from the capsules and from the groups; they do not meet each other */
    cst_pair_rule rule;         /* of capsules and boxes */
    cst_pair_rule groups_touch; /* lets all groups through of which `rule` may let capsules through as long as the keys last */
    cst_pair_rule groups_now;   /* the same, now: of groups that are not boxes */
    const void *user;
    uint64_t key,
        box_key; /* of all that groups_touch knows of the groups, and of the boxes: as long as they last the list does */
    int threads;
} cst_capsule_groups;

/* Threads that work on so many groups: for fewer waking one takes longer. */
static inline int cst_group_threads(const cst_capsule_groups *groups)
{
    enum { PARALLEL_GROUPS = 512 };
    return groups->threads > 1 && groups->groups >= PARALLEL_GROUPS ? groups->threads : 1;
}

/* Of two groups: D, G and W of the header. */
typedef struct cst_pair_apart {
    float now, later, way;
} cst_pair_apart;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    cst_group_was *was; /* (groups) */
    cst_moving_box *box;
    cst_pair_list pairs;   /* of groups: row a has b >= a, then boxes */
    cst_pair_apart *apart; /* (pairs) */
    cst_list_need *need;   /* (groups) of the last question */
    cst_list_since past;   /* of the last question: f and g */
    float *gap;            /* (pairs) of the last answer: the groups are apart by so much beyond their reaches; -inf: not known */
    uint8_t *look; /* (pairs) of the last cst_kept_pairs_want: it does not know that the two stay apart, and they may touch now */
    double steps;  /* that the list reaches ahead */
    int served;    /* questions that it answered, but for those of the strand check */
    int64_t made;  /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Does the list answer for these? Capsules are not asked for. Those without boxes may ask a list with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* A new list, for these: capsules of all groups. False: memory ran out, and there is none. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* wanted[g] (groups) becomes 1 for those whose capsules cst_kept_pairs_list will look at. The list was just made for them, or covers them; that
 * of capsules is next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* Row a of a capsule: all b > a, then boxes, that may meet it. Groups that are not wanted may have none. False: memory ran out. */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
