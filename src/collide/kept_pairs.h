/* Keeps the pairs that the broad phase found from one search to the next, as in a Verlet list.
 *
 * Capsules come in groups. A group is the chain of capsules along one piece of a centreline; its capsules cover equal lengths of
 * the piece. To make a pair list, a broad phase with the displacements of several steps, and with capsules enlarged by a skin,
 * finds the pairs of groups that can meet. As long as the pair list contains all pairs that can touch in a later query, the query
 * tests only the pairs in the list. A centreline piece is not even cut into capsules if the pair list shows that it stays apart
 * from all others.
 *
 * Symbols of the pair list:
 *     `rho`: capsule radius with the margin.
 *     `delta`: skin of a capsule.
 *     `wide`: distance of curve and axis.
 *     `w_i`: predicted displacement of capsule i.
 *
 * Symbols of a query:
 *     `x`, `x'`: position then and now.
 *     `w'`: displacement in the step.
 *     `sigma'`: uncertainty of `w'`.
 *     `rho'`: reach (radius plus margin).
 *     `f`: age of the list.
 *     `g`: length of the step.
 *     `m`: error of the predicted position.
 *     `e`: error of the predicted displacement.
 *
 * The age f of the pair list and the length g of the step are fitted to the motion of all groups of capsules by least squares,
 * with g >= 0 and |f| + g <= 1; their unit is the time that the list reaches ahead. A query gives the positions and displacements
 * of five points at equal distances along the curve of each group of capsules. Between the five points that a query gives on the
 * curve, the motion of the curve since the pair list was made differs from linear interpolation by at most the value of the
 * function `drift`:
 *     `m = max|x'-x-f*w_i| + drift`.
 *     `e = max|w'-g*w_i| + sigma'`.
 *
 * If two capsules a and b touch in a query, the distance d of their axes when the pair list was made is bounded by a sum over
 * both capsules plus a term for their relative displacement:
 *     `d < sum(rho'+wide+m+e) + (|f|+g)*|w_a-w_b|`.
 *
 * The pair list contains every pair that can touch if each group of capsules satisfies one inequality:
 *     `rho'+m+e <= rho+delta-wide`.
 *
 * Shapes that keep their velocity have no prediction error, so that the pair list stays valid for them. A velocity common to all
 * shapes does not change which pairs the list contains. For the bounding box of a solid, the error of the predicted position is
 * the largest error of its six faces.
 *
 * The predicted displacement of a group of capsules is the displacement in the current step, interpolated linearly between the
 * ends of the group, plus the bending displacement (`bow`) at its inner points, all times the number of steps. Hairs that fall
 * side by side bend alike. If the prediction did not include bending, the common bending of hairs would use up a third of the
 * skin (1.1 of 3.4 hair radii, measured with 100,000 hairs on one head and 8 steps).
 *
 * The pair list also gives a lower bound for the distance of two groups of capsules. Let d be a lower bound for the distance of
 * the curves of two capsules a and b when the list is made, and r the unit vector from a to b along which d is measured. For
 * every pair of groups, the list stores, over all pairs of their capsules, the least distance D when the list is made, the least
 * distance G after the predicted displacements of all steps, and the largest relative displacement W:
 *     `D = min d`.
 *     `G = min(d+r.(w_b-w_a))`.
 *     `W = max|w_a-w_b|`.
 *
 * The lower bound B for the distance of two groups at the age f of the list, in a step of the length g:
 *     If `f >= 0`: `B = (1-f)*D+f*G-g*W`.
 *     If `f < 0`: `B = D-(|f|+g)*W`.
 *
 * Reason, if the age f of the pair list is not negative: the bound for the distance of two capsules is a linear function of f,
 * and a minimum of linear functions is concave, so that this minimum lies above its chord. Two groups of capsules do not touch
 * if the lower bound for their distance exceeds the sum, over both groups, of the reach rho' (radius plus margin) and of the
 * errors m and e of the predicted position and displacement.
 *
 * In dense hair the lower bound for the distance of two groups of capsules excludes nearly all pairs: with 100,000 hairs on one
 * head, each hair has 10 pairs, and each pair needs one test instead of 64. The check for centrelines that passed through each
 * other (strand_room.h) uses the lower bound for the distance of two groups of capsules with the step length g set to 0, which
 * bounds their present distance. Pairs of capsules that are not in the pair list are farther apart than the sum of their enlarged
 * radii. The test of two groups of capsules allows a displacement in any direction during the step, because kept contacts also
 * answer queries with other displacements of the same length (kept_touches.h).
 *
 * The result of a query contains all pairs of capsules whose curves can touch in the step. The result of a query may lack pairs
 * of capsules that meet although their curves cannot touch; such pairs have no contacts. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a group of capsules, for a later call of `drift` */
    void (*pose)(const void *user, int32_t group, double *out);
    double (*drift)(const void *user, int32_t group, const double *was); /* m: drift since `was`; inf: unknown */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* m: bending part of the group's displacement in a step; NULL: none */
    const int32_t *first;                         /* (groups + 1) index of the first capsule of each group */
    const cst_capsule *capsule;
    const double *wide; /* (capsules) m: largest distance of the curve from the axis of each capsule */
    int boxes;
    /* box i has the number capsules + i among the capsules and groups + i among the groups; two boxes never meet */
    const cst_moving_box *box;
    cst_pair_rule rule; /* rule for capsules and boxes */
    /* rule for two groups of capsules, or a group and a box: false only if `rule` rejects all pairs of their capsules as long
     * as the hash keys `key` and `box_key` stay the same */
    cst_pair_rule groups_touch;
    /* rule for two groups of capsules: false only if `rule` rejects all pairs of their capsules in the current step */
    cst_pair_rule groups_now;
    const void *user;
    /* hash keys of all data on which the rule groups_touch depends, for the groups of capsules and for the boxes: the pair list
     * is valid as long as both keys stay the same */
    uint64_t key, box_key;
    int threads;
} cst_capsule_groups;

/* Returns the number of threads that work on the groups of capsules: if there are few groups, starting threads takes longer than
 * the work. */
static inline int cst_group_threads(const cst_capsule_groups *groups)
{
    enum { PARALLEL_GROUPS = 512 };
    return groups->threads > 1 && groups->groups >= PARALLEL_GROUPS ? groups->threads : 1;
}

/* Lower bounds for the distance of two groups of capsules when the pair list is made and after all its steps, and an upper bound
 * for their relative displacement. */
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
    /* pairs that can meet: row a lists the partners of the group a of capsules, first groups b >= a, then boxes */
    cst_pair_list pairs;
    cst_pair_apart *apart; /* (pairs) */
    cst_list_need *need;   /* (groups) needs of the last query */
    cst_list_since past;   /* of the last query */
    /* (pairs) m: lower bound, at the last query, for the distance of the two groups of capsules minus the reaches (radius plus
     * margin) of both; -inf: unknown */
    float *gap;
    /* (pairs) result of the last cst_kept_pairs_want: 1 if the pair list cannot exclude a contact of the two groups of capsules
     * and the rule groups_now accepts them */
    uint8_t *look;
    double steps; /* number of steps that the pair list reaches ahead */
    /* number of queries that the pair list has answered, without queries of the check for centrelines that passed through each
     * other */
    int served;
    int64_t made; /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the pair list contains all pairs of groups of capsules that can touch. Capsules are not needed. A query without
 * boxes may use a pair list with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new pair list for `groups`, whose capsules must be given. Returns false, and leaves no pair list, if memory ran out. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Sets wanted[g] (groups) to 1 for each group g whose capsules cst_kept_pairs_list will test. Before the call,
 * cst_kept_pairs_cover must have returned true for the groups, or cst_kept_pairs_make must have made the list. Call
 * cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* The row of a capsule a lists all capsules b > a, and after them all boxes, that can meet the capsule a. The caller need not
 * provide capsules for groups that cst_kept_pairs_want did not mark. Returns false if memory ran out. */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
