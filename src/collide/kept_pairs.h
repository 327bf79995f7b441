/* Stores the pairs of the broad phase as a neighbour list (Verlet list) and uses this list in later searches.
 *
 * Capsules come in groups. A group is the chain of capsules along one piece of a centreline; its capsules cover equal lengths of
 * the piece. The neighbour list contains the pairs of groups of capsules that can meet within several time steps. The pairs of
 * the neighbour list are found by a broad phase with capsules whose radii are enlarged by a safety distance, the skin. A later
 * search (a query) tests only the pairs in the neighbour list, as long as this list is certain to contain all pairs that can
 * touch. If the neighbour list shows that a centreline piece touches no other piece in the step, the capsules of this piece are
 * not computed.
 *
 * Symbols of the neighbour list:
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
 * A later search (query) finds the age f of the neighbour list and the length g of the current step by a least-squares fit to the
 * motion of all groups of capsules, with g >= 0 and |f| + g <= 1. The age f of the neighbour list is fitted such that f times the
 * predicted displacement is near the displacement since the list was made. The step length g is fitted such that g times the
 * predicted displacement is near the displacement in the step. The age f of the neighbour list and the step length g are in units
 * of the time for which the list was made. A later search (query) is given the positions and displacements of five points at
 * equal distances along the curve of each group of capsules. Between two of the five given points of a curve, the displacement
 * since the neighbour list was made differs from linear interpolation by at most the bound that the function `drift` returns. The
 * neighbour list predicts the motion of each capsule; the error m of the predicted position and the error e of the predicted
 * displacement are:
 *     `m = max|x'-x-f*w_i| + drift`.
 *     `e = max|w'-g*w_i| + sigma'`.
 *
 * If two capsules a and b touch in a later search, the distance d of their axes when the neighbour list was made satisfies the
 * following inequality, in which `sum` is the sum over both capsules:
 *     `d < sum(rho'+wide+m+e) + (|f|+g)*|w_a-w_b|`.
 *
 * The neighbour list contains every pair that can touch if the capsule radius of each group in the list is large enough:
 *     `rho'+m+e <= rho+delta-wide`.
 *
 * A shape that keeps its velocity has no prediction error, so the neighbour list stays valid for it. A velocity common to all
 * shapes does not change which pairs the neighbour list contains. The neighbour list also predicts the motion of the bounding
 * boxes of solids; the position error of a box is the largest error of its six faces.
 *
 * If the neighbour list lacks pairs of a few groups whose capsules are too small, the radii of these capsules are enlarged, and
 * the missing pairs are added to the list (kept_mend.c). In each search of the first steps of scenes/hair/free_a.json, 1 % to
 * 10 % of the groups of capsules deviate so far from their predicted motion that the neighbour list lacks pairs of these
 * groups. In scenes/hair/free_a.json, adding missing pairs reduces the number of neighbour lists that are made in 57 searches
 * from 44 to 5.
 *
 * The predicted displacement of a group of capsules is its displacement in the current step times the number of steps for which
 * the neighbour list is made. If the motion became faster since the last neighbour list was made, the displacement of a group of
 * capsules is predicted for uniformly accelerated motion. The predicted displacement of a group of capsules is interpolated
 * linearly between both ends of the group's curve; at the inner points, a displacement by bending (function `bow`) is added. If
 * the prediction did not include bending, its error would be as large as a third of the skin, the length by which capsules are
 * enlarged (measured with 100,000 hairs on one head and lists for 8 steps).
 *
 * The neighbour list also gives a lower bound for the distance of two groups of capsules at later times. Let d be a lower bound
 * for the distance of the curves of two capsules a and b when the neighbour list is made, and r the unit vector from a to b along
 * which d is measured. Let w_a and w_b be the predicted displacements of the capsules a and b over all steps for which the
 * neighbour list is made. For every pair of groups of capsules, the neighbour list stores three numbers over all pairs of their
 * capsules: the least distance D when the list is made, the least distance G after all steps, and the largest relative
 * displacement W:
 *     `D = min d`.
 *     `G = min(d+r.(w_b-w_a))`.
 *     `W = max|w_a-w_b|`.
 *
 * The lower bound B for the distance of two groups of capsules, at the age f of the neighbour list and in a step of the length g,
 * is:
 *     If `f >= 0`: `B = (1-f)*D+f*G-g*W`.
 *     If `f < 0`: `B = D-(|f|+g)*W`.
 *
 * For two capsules, the lower bound d + f r.(w_b - w_a) for their distance is a linear function of the list's age f. A minimum
 * of linear functions is concave, so the least lower bound over all pairs of capsules of two groups is a concave function of f,
 * with the value D at f = 0 and G at f = 1. A concave function is nowhere below its chord, so for 0 <= f <= 1 the least lower
 * bound is at least (1 - f) D + f G. A step of the length g brings two groups of capsules nearer to each other by at most g W,
 * where W is their largest relative displacement over all steps of the neighbour list. Let rho' be the radius plus the margin
 * of a group of capsules, and m and e the errors of its predicted position and displacement. Two groups of capsules do not
 * touch if the lower bound B for their distance exceeds the sum of rho' + m + e (radius with margin, and both prediction
 * errors) over both groups.
 *
 * In dense hair, the lower bound for the distance excludes nearly all pairs of groups of capsules in the neighbour list from
 * further tests. A pair of groups that the lower bound for the distance excludes needs one test instead of a test for each pair
 * of capsules (64 pairs for groups of 8 capsules). The check for centrelines that passed through each other (strand_room.h)
 * uses the lower bound B with the step length g = 0 for the present distance of two groups of capsules. Two capsules that are
 * not a pair of the neighbour list are farther apart than the sum of their enlarged radii (radius plus skin). The test whether
 * two groups of capsules can touch allows for displacements in any direction during the step, because the contacts found may be
 * used again for other displacements of the same length (kept_touches.h).
 *
 * The result of a later search in the neighbour list contains all pairs of capsules whose curves can touch in the step. If the
 * curves of two capsules cannot touch, the two capsules have no contact, and a search need not find them even if the capsules
 * overlap. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a group of capsules; the function `drift` needs them later */
    void (*pose)(const void *user, int32_t group, double *out);
    double (*drift)(const void *user, int32_t group, const double *was); /* drift since `was` (m); inf: unknown */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* displacements of the curve's inner points by bending (m); NULL: none */
    /* index of the first capsule of each group, and the number of all capsules as last entry */
    const int32_t *first;
    const cst_capsule *capsule;
    const double *wide; /* for each capsule, the largest distance (m) of the curve from the capsule's axis */
    int boxes;
    /* In pairs of capsules, the bounding box i of a solid has the index (number of capsules) + i; in pairs of groups, the index
     * (number of groups) + i. Pairs of two bounding boxes of solids are not searched. */
    const cst_moving_box *box;
    cst_pair_rule rule; /* rule for capsules and boxes */
    /* Rule that decides whether the pairs of capsules of two groups, or of a group and a solid's bounding box, are searched at
     * all. The rule groups_touch may reject two groups only if the rule for capsules (`rule`) rejects all pairs of their
     * capsules, in every step with the same hash keys `key` and `box_key`. */
    cst_pair_rule groups_touch;
    /* The rule groups_now holds for the current step only: it may reject two groups of capsules only if the rule for capsules
     * (`rule`) rejects all pairs of their capsules in this step. */
    cst_pair_rule groups_now;
    const void *user;
    /* hash keys of the data that decide which groups of capsules and which bounding boxes may touch (rule groups_touch); the
     * neighbour list is valid as long as both keys stay the same */
    uint64_t key, box_key;
    int threads;
} cst_capsule_groups;

/* Returns the number of threads for a loop over the groups of capsules. For few groups it is one, because starting more threads
 * would take longer than the loop. */
static inline int cst_group_threads(const cst_capsule_groups *groups)
{
    enum { PARALLEL_GROUPS = 512 };
    return groups->threads > 1 && groups->groups >= PARALLEL_GROUPS ? groups->threads : 1;
}

/* Lower bounds for the distance of two groups of capsules when the neighbour list is made and after all steps for which it is
 * made, and an upper bound for their relative displacement. */
typedef struct cst_pair_apart {
    float now, later, way;
} cst_pair_apart;

/* The capsules with which the neighbour list was made, and their tree. The capsules of the neighbour list and their tree are
 * stored only if missing pairs may be added to the list later (kept_mend.c). */
typedef struct cst_list_capsules {
    int32_t *first, *group_of; /* arrays (groups + 1), (capsules) */
    cst_capsule *capsule;      /* capsules with which the neighbour list was made, enlarged by their skin; NULL: not stored */
    double *wide;              /* for each capsule, the largest distance (m) of the curve from the capsule's axis */
    cst_capsule_tree tree;
    double grown; /* largest increase of a capsule radius since the neighbour list was made (m) */
    int mended;   /* number of times that the capsules of a group were enlarged since the neighbour list was made */
} cst_list_capsules;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    cst_group_was *was; /* (groups) */
    cst_moving_box *box;
    /* pairs that can meet: row a lists the groups b >= a that the group a can meet, then the boxes that the group a can meet */
    cst_pair_list pairs;
    cst_pair_apart *apart; /* (pairs) */
    /* array (groups): radius that the capsules of a group must have so that the neighbour list contains all pairs; computed in
     * the last search */
    cst_list_need *need;
    cst_list_since past; /* of the last query */
    /* lower bound (m) for each pair of groups, from the last search: the distance between the curves of the two groups minus
     * the radii and margins of both groups; -infinity: unknown */
    float *gap;
    /* for each pair of groups, the result of the last call of cst_kept_pairs_want: 1 if a contact of the two groups of capsules
     * is possible and the rule groups_now accepts the pair */
    uint8_t *look;
    double steps; /* number of time steps for which the neighbour list was made */
    /* predicted displacement over all steps of the neighbour list, divided by the displacement in the step in which the list
     * was made */
    double ahead;
    /* number of searches that used the neighbour list; the check for centrelines that passed through each other is not counted */
    int served;
    int64_t made;   /* lists so far */
    int64_t mended; /* number of times that missing pairs were added to a neighbour list (kept_mend.c) */
    /* number of groups of capsules of which the neighbour list lacked pairs at the last search; -1: the missing pairs cannot be
     * added */
    int lacking;
    bool mendable; /* true: the neighbour list stores its capsules, so that missing pairs can be added later */
    cst_list_capsules list;
    cst_arena_mark pairs_from; /* state of the memory arena before memory for the pairs of the neighbour list was taken */
    bool crowded;              /* true: the last search failed because it found too many pairs (cst_pairs_most) */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the neighbour list contains all pairs of groups of capsules that can touch. Capsules are not needed. A search
 * without bounding boxes of solids may use a neighbour list that was made with such boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new neighbour list for the groups of capsules `groups`; the capsules of all groups must be given. If a neighbour list
 * for the motion of several steps would contain too many pairs (cst_pairs_most), the list is made for one step. Returns false,
 * and leaves no neighbour list, if memory ran out or if there are too many pairs. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Adds missing pairs to the neighbour list if cst_kept_pairs_cover has found that the list lacks pairs of a few groups of
 * capsules. After a successful call of cst_kept_pairs_mend, the neighbour list contains all pairs of groups of capsules that can
 * touch. Returns false if the neighbour list lacks pairs of too many groups of capsules, if the capsules of the list are not
 * stored, or if memory ran out. After a failure of cst_kept_pairs_mend, the neighbour list still lacks pairs, or there is no
 * list. */
bool cst_kept_pairs_mend(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Takes memory for the data of `count` pairs of groups of capsules: bounds for their distance, gaps and search flags (the arrays
 * `apart`, `gap` and `look`). Returns false if memory ran out. */
bool cst_kept_pairs_take(cst_kept_pairs *kept, int64_t count);

/* Updates the bounds `apart` for the distance of two groups of capsules with one pair of their capsules, a and b. `wide`: sum,
 * over both capsules, of the largest distance of the curve from the capsule's axis (m). */
void cst_pair_apart_add(const cst_capsule *a, const cst_capsule *b, double wide, cst_pair_apart *apart);

/* Bounds stored for two groups of capsules whose distance is unknown. Bounds for an unknown distance are finite, because they
 * are multiplied by the age of the neighbour list: infinity times an age of 0 would be NaN. */
#define CST_APART_UNKNOWN ((cst_pair_apart){-1e30f, -1e30f, 0.0f})
/* Bounds for two groups of capsules before cst_pair_apart_add has added the first pair of their capsules. */
#define CST_APART_NONE ((cst_pair_apart){INFINITY, INFINITY, 0.0f})

/* Returns the largest number of groups of capsules whose missing pairs are added to the neighbour list. If the list lacks pairs
 * of more groups, a new list is made. */
int cst_kept_pairs_lack_most(const cst_kept_pairs *kept);

/* Sets wanted[g] to 1 for each group g whose capsules the function cst_kept_pairs_list will test. Before the call of
 * cst_kept_pairs_want, the neighbour list must be valid: cst_kept_pairs_cover must have returned true, or cst_kept_pairs_make or
 * cst_kept_pairs_mend must have succeeded. Call cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* Lists the pairs that can meet: row a contains the capsules b > a that can meet capsule a, and then the boxes that can meet
 * capsule a. The caller of cst_kept_pairs_list need not compute the capsules of groups that cst_kept_pairs_want did not mark.
 * Returns false if memory ran out or if there are too many pairs (cst_pairs_most). */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
