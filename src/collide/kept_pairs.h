/* Stores the pairs that the broad phase found and uses them in later searches, as in a Verlet list.
 *
 * Capsules come in groups. A group is the chain of capsules along one piece of a centreline; its capsules cover equal lengths of
 * the piece. The pair list contains the pairs of groups that can meet within several steps. A broad phase with capsules that are
 * enlarged by a skin finds the pairs of the list. A later search (a query) tests only the pairs in the list, as long as the list
 * is certain to contain all pairs that can touch. If the pair list shows that a centreline piece touches no other piece in the
 * step, the capsules of this piece are not computed.
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
 * A query finds the age f of the pair list and the length g of the current step by a least-squares fit to the motion of all
 * groups of capsules, with g >= 0 and |f| + g <= 1. The displacement since the list was made is fitted by f times the predicted
 * displacement, and the displacement in the step by g times the predicted displacement. The unit of the age f and the step length
 * g is the time for which the pair list was made. A query gives the positions and displacements of five points at equal distances
 * along the curve of each group of capsules. Between the five points of a group's curve, the displacement since the pair list was
 * made differs from linear interpolation by at most the value of the function `drift`. The errors m and e of the predicted
 * position and displacement are:
 *     `m = max|x'-x-f*w_i| + drift`.
 *     `e = max|w'-g*w_i| + sigma'`.
 *
 * Let d be the distance of the axes of two capsules a and b when the pair list was made. If the capsules a and b touch in a
 * query, their distance d when the list was made satisfies an inequality, in which `sum` is the sum over both capsules:
 *     `d < sum(rho'+wide+m+e) + (|f|+g)*|w_a-w_b|`.
 *
 * The pair list contains every pair that can touch if each group of capsules satisfies the following inequality:
 *     `rho'+m+e <= rho+delta-wide`.
 *
 * Shapes that keep their velocity have no prediction error, so that the pair list stays valid for them. A velocity common to all
 * shapes does not change which pairs the list contains. For the bounding box of a solid, the error of the predicted position is
 * the largest error of its six faces.
 *
 * If a few groups of capsules do not satisfy `rho'+m+e <= rho+delta-wide`, the pair list is mended (kept_mend.c): the skins of
 * these groups are enlarged, and the pairs of the larger capsules are added to the list. In the first steps of
 * scenes/hair/free_a.json, 1 % to 10 % of the groups of capsules leave their predicted motion in each search; with mending, 5
 * pair lists are made in 57 searches, and without mending 44.
 *
 * The predicted displacement of a group of capsules is its displacement in the current step times the number of steps for which
 * the pair list is made. If the motion became faster since the last pair list was made, the displacement of a group is predicted
 * for uniformly accelerated motion. The predicted displacement is interpolated linearly between the ends of the group, and a
 * displacement by bending (`bow`) is added at the inner points. If the prediction did not include bending, its error would be as
 * large as a third of the skin, the length by which capsules are enlarged (measured with 100,000 hairs on one head and lists for
 * 8 steps).
 *
 * The pair list also gives a lower bound for the distance of two groups of capsules. Let d be a lower bound for the distance of
 * the curves of two capsules a and b when the list is made, and r the unit vector from a to b along which d is measured. Let w_a
 * and w_b be the predicted displacements of the capsules a and b over all steps of the list. For every pair of groups, the list
 * stores three numbers, taken over all pairs of their capsules: the least distance D when the list is made, the least distance G
 * after all steps, and the largest relative displacement W:
 *     `D = min d`.
 *     `G = min(d+r.(w_b-w_a))`.
 *     `W = max|w_a-w_b|`.
 *
 * The lower bound B for the distance of two groups at the age f of the list, in a step of the length g, is:
 *     If `f >= 0`: `B = (1-f)*D+f*G-g*W`.
 *     If `f < 0`: `B = D-(|f|+g)*W`.
 *
 * For f >= 0, the proof that B is a lower bound is as follows. For two capsules, the lower bound d + f r.(w_b - w_a) for their
 * distance is a linear function of the age f of the list. The least lower bound over all pairs of capsules of two groups is a
 * minimum of linear functions of the age f, and thus a concave function of f. As a concave function, the least lower bound over
 * all pairs of capsules is nowhere below its chord, which goes from D at the age f = 0 to G at f = 1. Two groups of capsules do
 * not touch if the lower bound B for their distance exceeds the sum of rho' + m + e over both groups: the reach rho' (radius
 * plus margin), and the errors m and e of the predicted position and displacement.
 *
 * In dense hair the lower bound for the distance of two groups of capsules excludes nearly all pairs of groups in the list. A
 * pair of groups that the lower bound for the distance excludes needs one test instead of a test for each pair of capsules (64
 * pairs for groups of 8 capsules). With the step length g = 0, B is a lower bound for the present distance of two groups of
 * capsules. The check for centrelines that passed through each other (strand_room.h) uses the lower bound for the present
 * distance of two groups of capsules. Pairs of capsules that are not in the pair list are farther apart than the sum of their
 * enlarged radii. The test of two groups of capsules allows for displacements in any direction during the step, because the
 * contacts that are found may be used again for other displacements of the same length (kept_touches.h).
 *
 * The result of a query contains all pairs of capsules whose curves can touch in the step. Two capsules may overlap although
 * their curves cannot touch; such pairs have no contacts, and the result of a query may lack them. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a group of capsules, for a later call of `drift` */
    void (*pose)(const void *user, int32_t group, double *out);
    double (*drift)(const void *user, int32_t group, const double *was); /* drift since `was` (m); inf: unknown */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* bending part of the group's displacement in a step (m); NULL: none */
    /* index of the first capsule of each group, and the number of all capsules as last entry */
    const int32_t *first;
    const cst_capsule *capsule;
    const double *wide; /* for each capsule, the largest distance (m) of the curve from the capsule's axis */
    int boxes;
    /* In pairs of capsules, box i has the index (number of capsules) + i; in pairs of groups, the index (number of groups) + i.
     * Pairs of two boxes are not searched. */
    const cst_moving_box *box;
    cst_pair_rule rule; /* rule for capsules and boxes */
    /* Rule that decides whether pairs of capsules of two groups, or of a group and a box, are searched at all. The rule
     * groups_touch may return false only if `rule` rejects all pairs of capsules of the two groups in every step in which the
     * hash keys `key` and `box_key` are the same. */
    cst_pair_rule groups_touch;
    /* Like groups_touch, but for the current step only: the rule groups_now may return false only if `rule` rejects, in the
     * current step, all pairs of capsules of the two groups. */
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

/* The capsules with which a pair list was made, and their tree. The capsules and their tree are stored only if the list is to be
 * mended (kept_mend.c). */
typedef struct cst_list_capsules {
    int32_t *first, *group_of; /* arrays (groups + 1), (capsules) */
    cst_capsule *capsule;      /* capsules of the pair list, enlarged by their skin; NULL: not stored */
    double *wide;              /* for each capsule, the largest distance (m) of the curve from the capsule's axis */
    cst_capsule_tree tree;
    double grown; /* largest enlargement of a group of capsules since the pair list was made (m) */
    int mended;   /* number of enlargements of groups since the pair list was made */
} cst_list_capsules;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    cst_group_was *was; /* (groups) */
    cst_moving_box *box;
    /* pairs of groups that can meet: row a lists first the groups b >= a, then the boxes that the group a of capsules can meet */
    cst_pair_list pairs;
    cst_pair_apart *apart; /* (pairs) */
    cst_list_need *need;   /* array (groups): capsule radius that the list needed at the last query to contain all pairs */
    cst_list_since past;   /* of the last query */
    /* m: for each pair of groups of capsules, a lower bound at the last query for the distance of their curves, minus the radii
     * and margins of both; -infinity: unknown */
    float *gap;
    /* for each pair of groups, the result of the last call of cst_kept_pairs_want: 1 if a contact of the two groups of capsules
     * is possible and the rule groups_now accepts the pair */
    uint8_t *look;
    double steps; /* number of time steps for which the pair list was made */
    double ahead; /* predicted displacement over `steps` steps, divided by that in the step in which the list was made */
    /* number of searches that used the pair list; the check for centrelines that passed through each other is not counted */
    int served;
    int64_t made;   /* lists so far */
    int64_t mended; /* number of times a pair list was mended (kept_mend.c) */
    /* number of groups of capsules of which the pair list lacked pairs at the last query; -1: the list cannot be mended */
    int lacking;
    bool mendable; /* true: the pair list stores its capsules, so that it can be mended */
    cst_list_capsules list;
    cst_arena_mark pairs_from; /* state of the arena before memory for the pairs was taken */
    bool crowded;              /* true: the last call failed because there are too many pairs (cst_pairs_most) */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the pair list contains all pairs of groups of capsules that can touch. Capsules are not needed. A query that
 * has no bounding boxes of solids may use a pair list that was made with bounding boxes of solids. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new pair list for the groups of capsules `groups`; the capsules of all groups must be given. If the motion of several
 * steps gives too many pairs (cst_pairs_most), the pair list is made for one step. Returns false, and leaves no pair list, if
 * memory ran out or if there are too many pairs. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Adds pairs to the pair list after cst_kept_pairs_cover has found that the list lacks pairs of a few groups of capsules. After a
 * successful call of cst_kept_pairs_mend, the list contains all pairs of groups of capsules that can touch. Returns false if the
 * list lacks pairs of too many groups, if the capsules of the list are not stored, or if memory ran out; then the list still
 * lacks pairs, or there is no list. */
bool cst_kept_pairs_mend(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Takes memory for the data of `count` pairs of groups of capsules: the arrays `apart`, `gap` and `look`. Returns false if memory
 * ran out. */
bool cst_kept_pairs_take(cst_kept_pairs *kept, int64_t count);

/* Includes the pair of capsules a and b, one of each group, in the bounds `apart` for the distance of two groups of capsules.
 * `wide`: sum of the distances of both curves from the axes of their capsules (m). */
void cst_pair_apart_add(const cst_capsule *a, const cst_capsule *b, double wide, cst_pair_apart *apart);

/* Bounds for an unknown distance of two groups of capsules. The bounds for an unknown distance are finite, because the product of
 * an infinite bound and an age of 0 would be NaN. */
#define CST_APART_UNKNOWN ((cst_pair_apart){-1e30f, -1e30f, 0.0f})
/* Initial bounds for the distance of two groups of capsules, before the first call of cst_pair_apart_add. */
#define CST_APART_NONE ((cst_pair_apart){INFINITY, INFINITY, 0.0f})

/* Returns the largest number of groups of capsules of which the pair list may lack pairs if it is to be mended, not made anew. */
int cst_kept_pairs_lack_most(const cst_kept_pairs *kept);

/* Sets wanted[g] to 1 for each group g whose capsules the function cst_kept_pairs_list will test. Before the call of
 * cst_kept_pairs_want, cst_kept_pairs_cover must have returned true for the groups, or cst_kept_pairs_make or
 * cst_kept_pairs_mend must have succeeded. Call cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* Lists the pairs of capsules that can meet: the row of a capsule a contains all capsules b > a, and after them all boxes, that
 * can meet a. The caller need not provide capsules for groups that cst_kept_pairs_want did not mark. Returns false if memory ran
 * out or if there are too many pairs (cst_pairs_most). */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
