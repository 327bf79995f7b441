/* Keeps the pairs that the broad phase found from one search to the next, as in a Verlet list.
 *
 * Capsules come in groups. A group is the chain of capsules along one piece of a centreline; its capsules cover equal lengths of
 * the piece. The distance of the centreline from the axes of its capsules is at most `wide`. To make a pair list, a broad phase
 * with the displacements of several steps, and with capsules enlarged by a skin, finds the pairs of groups that may meet. As long
 * as the pair list covers a later query, the query tests only the pairs in the list. A centreline piece is not even cut into
 * capsules if the pair list knows that it stays apart from all others.
 *
 * The following symbols describe the pair list. A capsule in the pair list has the radius rho + delta, where rho contains the
 * margin and delta is the skin. For each group of capsules, the pair list stores the predicted displacement w of its points over
 * all steps that the list reaches ahead. The vector w_i is the predicted displacement in the middle of capsule i.
 *
 * The following symbols describe a query. For each group of capsules, a query gives five points at equal distances along the
 * curve and their displacement w' in the step, with the uncertainty sigma'. A query also gives the reach rho' of each group of
 * capsules, which is the radius plus the margin of the centreline piece. For the other points of a group of capsules, `drift`
 * bounds how much their motion since the pair list was made differs from linear interpolation between the five points of the
 * query.
 *
 * Two numbers f and g >= 0 with |f| + g <= 1, common to all groups of capsules, are fitted by least squares. The number f is the
 * time since the pair list was made, and g is the length of the step; the unit of both is the time that the list reaches ahead.
 * The position of capsule i is predicted with the error m = max |x' - x - f w_i| + drift, where x and x' are the positions of a
 * point of the capsule when the list was made and now. The displacement of capsule i in the step is predicted with the error e =
 * max |w' - g w_i| + sigma', where w' is the displacement of a point of the capsule, sigma' its uncertainty and g w_i the
 * prediction.
 *
 * If two points of the capsules a and b touch in a query, the axes of a and b in the pair list are nearer than the sum, over both
 * capsules, of the reach rho', the deviation `wide` and the errors m and e, plus the predicted relative displacement (|f| + g)
 * |w_a - w_b|. The pair list therefore contains every pair that may touch if, for all groups, the reach rho' plus the prediction
 * errors m + e is at most the radius rho + delta of the capsules in the list, less `wide`. The prediction has no error for shapes
 * that keep their velocity, so that they use nothing of the skin. A velocity common to all shapes does not change which pairs the
 * list contains. The pair list treats boxes of solids in the same way as groups of capsules, axis by axis.
 *
 * The predicted displacement w of a group of capsules is the displacement in the current step, interpolated linearly between the
 * ends of the group, plus the bending displacement `bow` at its inner points, all times the number of steps. Hairs that fall side
 * by side bend alike. Without `bow`, the common bending of hairs would use up 1.1 of the 3.4 hair radii of the skin (measured
 * with 100,000 hairs on one head and 8 steps).
 *
 * The pair list also bounds the distance of two groups of capsules. Let d be a lower bound for the distance of the curves of the
 * capsules a and b when the pair list is made, along the unit vector r from a to b. After the predicted displacements f w_a and f
 * w_b, the curves of the capsules a and b are at least d + f r.(w_b - w_a) apart, where d is their distance before and r the unit
 * vector from a to b. For every pair of groups, the pair list stores three numbers over all pairs of their capsules: the distance
 * D = min d when the list is made, the distance G = min (d + r.(w_b - w_a)) after all its steps, and the relative displacement W
 * = max |w_a - w_b|. Let n = rho' + m + e be the sum of the reach and the prediction errors of a group of capsules. Two groups of
 * capsules a and b do not touch if the bound (1 - f) D + f G - g W for their distance exceeds n_a + n_b. This bound holds because
 * the minimum of several linear functions of f lies above its chord. If f < 0, the lower bound for the distance of two groups of
 * capsules is D - (|f| + g) W, where D is their distance when the list was made and W their relative displacement.
 *
 * In dense hair the bound on the distance of two groups of capsules excludes nearly all pairs: with 100,000 hairs on one head,
 * each hair has 10 pairs, and each pair needs one test instead of 64. Without the terms g W and e, which belong to the step, the
 * same inequality bounds the present distance of two groups of capsules, which the check for centrelines that passed through each
 * other uses (strand_room.h). Pairs of capsules that are not in the pair list are farther apart than the sum of their enlarged
 * radii. The test allows a displacement of the step in any direction, because kept contacts also answer queries with other
 * displacements of the same length (kept_touches.h).
 *
 * The result contains the pairs of capsules that may meet in the step, except some whose curves cannot touch. The omitted pairs
 * of capsules do not change the contacts that are found. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a group of capsules; `drift` later compares these numbers with
     * the shape at that time */
    void (*pose)(const void *user, int32_t group, double *out);
    double (*drift)(const void *user, int32_t group, const double *was); /* m: drift since then; inf: unknown */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* m: bending part of the group's displacement in a step; NULL: none */
    const int32_t *first;                         /* (groups + 1) index of the first capsule of each group */
    const cst_capsule *capsule;
    const double *wide; /* (capsules) m: largest distance of the curve from the axis of each capsule */
    int boxes;
    /* box i has the number capsules + i among the capsules and groups + i among the groups; two boxes never meet */
    const cst_moving_box *box;
    cst_pair_rule rule; /* rule for capsules and boxes */
    /* rule that accepts all pairs of groups whose capsules `rule` may accept, as long as `key` and `box_key` stay the same */
    cst_pair_rule groups_touch;
    /* rule like groups_touch, but valid for the current state of the groups of capsules only, and never called for boxes */
    cst_pair_rule groups_now;
    const void *user;
    /* hash keys of everything that groups_touch depends on, for the groups of capsules and for the boxes: the pair list is valid
     * as long as both keys stay the same */
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

/* Bounds for the distance of two groups of capsules when the pair list is made and after all its steps, and for their relative
 * displacement (D, G and W at the head of this file). */
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
    cst_pair_list pairs;   /* pairs of groups of capsules: row a lists groups b >= a, then boxes */
    cst_pair_apart *apart; /* (pairs) */
    cst_list_need *need;   /* (groups) needs of the last query */
    cst_list_since past;   /* of the last query */
    /* (pairs) m: lower bound, at the last query, for the distance of the two groups of capsules minus the reaches (radius plus
     * margin) of both; -inf: unknown */
    float *gap;
    /* (pairs) result of the last cst_kept_pairs_want: 1 if the pair list cannot exclude a contact of the two groups of capsules
     * and they may touch now */
    uint8_t *look;
    double steps; /* number of steps that the pair list reaches ahead */
    /* number of queries that the pair list has answered, except those of the check for centrelines that passed through each
     * other */
    int served;
    int64_t made; /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the pair list covers these groups of capsules. Capsules are not needed. A query without boxes may use a pair
 * list with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new pair list for these groups, whose capsules must be given. Returns false, and leaves no pair list, if memory ran
 * out. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Sets wanted[g] (groups) to 1 for each group g whose capsules cst_kept_pairs_list will test. The pair list must cover these
 * groups of capsules, or have just been made for them. Call cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* The row of a capsule a lists all capsules b > a, and after them all boxes, that may meet the capsule a. A group with wanted[g]
 * = 0 may have no capsules. Returns false if memory ran out. */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
