/* Finds the pairs of centreline pieces that can touch, with a neighbour list (Verlet list) that is used for several time steps.
 *
 * Each segment of a centreline piece lies in a capsule. The code calls the capsules of one centreline piece a group. A broad
 * phase with capsules that are enlarged by a skin makes the neighbour list: the pairs of centreline pieces that can touch within
 * several steps. Later searches test only the pairs in the neighbour list, as long as the list is certain to contain every pair
 * that can touch. The capsules of a centreline piece that can touch nothing in a step are not computed.
 *
 * Symbols for the neighbour list:
 *     `wide`: upper bound for the distance of the curve from the axis of its capsule.
 *     `rho`: radius of a capsule without skin, equal to rod radius + contact margin + `wide`.
 *     `delta`: skin of a capsule.
 *     `w_i`: predicted displacement of capsule i.
 *     `x`: position of a point.
 *
 * Symbols for a later search:
 *     `x'`: position of the same point.
 *     `w'`: displacement in the step.
 *     `sigma'`: uncertainty of `w'`.
 *     `rho'`: rod radius + margin.
 *     `f`: age of the list.
 *     `g`: length of the step.
 *     `m`: error of the predicted positions.
 *     `e`: error of the predicted displacements.
 *
 * The neighbour list is made for several steps, whose total duration is the unit of time. The displacement w_i of a capsule is
 * predicted for the total duration of the steps for which the list is made. A later search fits the age f of the neighbour list
 * by least squares, such that f times the predicted displacement w_i is near the displacement x' - x since the list was made. A
 * later search also fits the length g of the step, such that g times the predicted displacement w_i is near the displacement w'
 * in the step. The fit has the limits g >= 0 and |f| + g <= 1 for the age f of the list and the length g of the step. Each
 * centreline piece provides the positions of five points at equal distances along the piece. Between the five points of a
 * centreline piece, the displacement since the list was made differs from linear interpolation by at most `drift`. The errors m
 * and e of the predicted positions and displacements are:
 *     `m = max|x'-x-f*w_i| + drift`.
 *     `e = max|w'-g*w_i| + sigma'`.
 *
 * If the rods in two capsules a and b touch in the present step, the distance d of the two axes at the time when the neighbour
 * list was made satisfies the following inequality, with a sum over the two capsules:
 *     `d < sum(rho'+wide+m+e) + (|f|+g)*|w_a-w_b|`.
 *
 * The broad phase found all pairs of capsules whose axes had a distance d less than the sum of their radii rho + delta (delta:
 * skin) plus their predicted relative displacement: `d < sum(rho+delta) + |w_a-w_b|`. The neighbour list therefore contains every
 * pair that can touch if each capsule satisfies the following inequality:
 *     `rho'+m+e <= rho+delta-wide`.
 *
 * A rod that keeps its velocity has no prediction error, so the neighbour list stays valid for this rod. A velocity common to all
 * shapes does not change the pairs of the neighbour list. The motion of the bounding box of a solid is predicted, too; the
 * position error of the box is the largest error of the positions of its six faces.
 *
 * If the capsules of a few centreline pieces are too thin for the errors of the predicted motion, these capsules are enlarged
 * further and the missing pairs are added to the neighbour list (kept_mend.c). In each search of the first steps of
 * scenes/hair/free_a.json, 1 % to 10 % of the centreline pieces move so far from their predicted positions that pairs are
 * missing. Adding the missing pairs reduces the number of neighbour lists made in 57 searches from 44 to 5.
 *
 * The predicted displacement of a centreline piece is its displacement in the present step times the number of steps for which
 * the neighbour list is made. If the motion became faster since the last neighbour list was made, uniform acceleration is
 * assumed. The predicted displacement is linear between the two ends of a centreline piece, plus a displacement of the inner
 * points by bending (function `bow`). Without the displacement by bending, the error of the predicted displacement would be as
 * large as a third of the skin (measured with 100,000 hairs on one head and lists for 8 steps).
 *
 * The neighbour list also gives a lower bound B for the distance of two centreline pieces at later times. Let d be a lower bound
 * for the distance of the curves in two capsules a and b when the neighbour list is made, and r the unit vector from a to b along
 * which d is measured. For each pair of centreline pieces, the neighbour list stores three numbers D, G and W, which are taken
 * over those pairs of their capsules that the broad phase found. Other pairs of capsules cannot touch while the neighbour list is
 * valid. D is the least distance of the two centreline pieces when the neighbour list is made (age f = 0). G is their least
 * predicted distance at the age f = 1. W is their largest predicted relative displacement.
 *     `D = min d`.
 *     `G = min(d+r.(w_b-w_a))`.
 *     `W = max|w_a-w_b|`.
 *
 * The lower bound B for the distance of two centreline pieces is computed from the age f of the neighbour list, the length g of
 * the step, the least distances D and G, and the relative displacement W:
 *     If `f>=0`: `B = (1-f)*D+f*G-g*W`.
 *     If `f<0`: `B = D-(|f|+g)*W`.
 *
 * At the age f of the neighbour list, the distance of the curves in two capsules a and b is at least d + f r.(w_b - w_a). This is
 * the bound d when the list was made, plus the relative displacement predicted along the unit vector r. For a pair of capsules,
 * the lower bound for the distance of their curves is therefore a linear function of the age f of the list. The lower bound for
 * the distance of two centreline pieces is the minimum of linear functions of the age f, one for each pair of their capsules. A
 * minimum of linear functions is concave, so the lower bound, as a function of the age f, is nowhere below its chord from the
 * least distance D at f = 0 to the least distance G at f = 1. A step of the length g brings two centreline pieces nearer to each
 * other by at most g W, where W is their largest relative displacement. Two centreline pieces do not touch in the step if the
 * lower bound B for their distance exceeds the sum of rho' + m + e (rod radius, margin and prediction errors) over the two
 * pieces.
 *
 * In dense hair, the lower bound for the distance excludes nearly all pairs of the neighbour list, with one test instead of a
 * test for each pair of capsules (64 pairs if each piece has 8 segments). The check for centrelines that passed through each
 * other (strand_room.h) uses the lower bound B for the distance of two centreline pieces with the step length g = 0. The contacts
 * found in a step may be used again for displacements of the same length in another direction (kept_touches.h). The lower bound
 * for the distance therefore allows for displacements in any direction. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a centreline piece */
    void (*pose)(const void *user, int32_t group, double *out);
    /* returns an upper bound (m) for the error that arises if the displacements of a centreline piece are interpolated linearly
     * between five equally spaced points; infinity: unknown. The displacements lead from the earlier shape `was` to the current
     * shape. */
    double (*drift)(const void *user, int32_t group, const double *was);
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* displacements of the inner points of a piece by bending (m); NULL: none */
    /* array (groups + 1): index of the first capsule of each centreline piece; the last entry is the number of all capsules */
    const int32_t *first;
    const cst_capsule *capsule;
    const double *wide; /* array (capsules): largest distance (m) of the segment's curve from the capsule's axis */
    int boxes;
    /* array (boxes): bounding boxes of solids. Box i has the index (number of capsules) + i in a pair with a capsule, and (number
     * of pieces) + i in a pair with a centreline piece. */
    const cst_moving_box *box;
    cst_pair_rule rule; /* for capsules and boxes */
    /* callback that decides which pairs of centreline pieces, or of a piece and a box, are entered in the neighbour list. The
     * callback groups_touch is allowed to reject a pair of pieces only if `rule` rejects all their pairs of capsules in every
     * step with the same hash keys (`key`, `box_key`). */
    cst_pair_rule groups_touch;
    /* callback that decides which pairs of centreline pieces are searched in the current step; it rejects a pair only if `rule`
     * rejects all pairs of their capsules in this step */
    cst_pair_rule groups_now;
    const void *user;
    /* hash keys of the data that decide the results of the callback groups_touch; if a key changes, the neighbour list is
     * invalid */
    uint64_t key, box_key;
    int threads;
} cst_capsule_groups;

/* Returns the number of threads for a loop over all centreline pieces: one for few pieces, because starting more threads would
 * take longer than the loop. */
static inline int cst_group_threads(const cst_capsule_groups *groups)
{
    enum { PARALLEL_GROUPS = 512 };
    return groups->threads > 1 && groups->groups >= PARALLEL_GROUPS ? groups->threads : 1;
}

/* Bounds for the distance of two centreline pieces: the least distances D (field `now`) and G (`later`), and the largest relative
 * displacement W (`way`), in m, as defined at the top of kept_pairs.h. */
typedef struct cst_pair_apart {
    float now, later, way;
} cst_pair_apart;

/* The capsules with which the neighbour list was made. The capsules are stored only if missing pairs may be added to the
 * neighbour list later (kept_mend.c). */
typedef struct cst_list_capsules {
    int32_t *first, *group_of; /* arrays (groups + 1), (capsules) */
    cst_capsule *capsule;      /* array (capsules): capsules enlarged by their skin; NULL: not stored */
    double *wide;              /* array (capsules): as in cst_capsule_groups */
    cst_capsule_tree tree;
    double grown; /* largest increase of a radius (m) */
    int mended;   /* number of enlarged pieces so far */
} cst_list_capsules;

typedef struct cst_kept_pairs {
    cst_arena arena;
    bool there;
    uint64_t key, box_key;
    int groups, boxes;
    cst_group_was *was; /* array (groups) */
    cst_moving_box *box;
    /* neighbour list: row a contains the centreline pieces b >= a that piece a can touch, followed by the boxes that piece a can
     * touch */
    cst_pair_list pairs;
    cst_pair_apart *apart; /* array (pairs) */
    /* array (groups): limits (m) that R - h must reach in a valid neighbour list, computed in the last search. R: radius of the
     * piece's capsules in the list; h: largest distance of the curve from their axes. */
    cst_list_need *need;
    /* array (groups): smallest value (m) of R - h over the capsules of each centreline piece; negative: the piece has no
     * capsules. R: radius of a capsule in the neighbour list; h: largest distance of the curve from the capsule's axis. */
    double *room;
    cst_list_since past; /* in the last search */
    /* array (pairs): lower bound (m), from the last search, for the gap of the two centreline pieces minus the sum of their
     * contact margins; -infinity: unknown */
    float *gap;
    /* array (pairs): 1 if the two centreline pieces can touch in the step and the callback groups_now accepts the pair */
    uint8_t *look;
    double steps; /* number of time steps for which the neighbour list was made */
    /* displacement predicted for all steps of the neighbour list, divided by the displacement in the step in which the list was
     * made */
    double ahead;
    /* number of searches that used the neighbour list, not counting the search that made it */
    int served;
    int64_t made;   /* lists so far */
    int64_t mended; /* number of times that missing pairs were added to a neighbour list */
    /* number of centreline pieces with missing pairs in the last search; -1: the missing pairs cannot be added */
    int lacking;
    bool mendable; /* true: the list stores its capsules */
    cst_list_capsules list;
    cst_arena_mark pairs_from; /* memory before that of the pairs */
    bool crowded;              /* true: the last search failed because it found too many pairs (cst_pairs_most) */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the neighbour list is certain to contain all pairs of centreline pieces that can touch. The fields of `groups`
 * for capsules (`first`, `capsule`, `wide`) need not be set. A search without bounding boxes of solids is allowed to use a
 * neighbour list that was made with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new neighbour list from the capsules of all centreline pieces. If a neighbour list for several steps would have too
 * many pairs (cst_pairs_most), the list is made for one step. Returns false, and leaves no neighbour list, if memory ran out or
 * if there are too many pairs. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Adds the missing pairs to the neighbour list after cst_kept_pairs_cover returned false. Returns false if a new list must be
 * made: the neighbour list lacks pairs of too many centreline pieces, belongs to other hash keys, or does not store its capsules.
 * A new list must also be made if a piece that lacks pairs has no capsules in the list, if capsules would have to become much
 * thicker (kept_mend.c), if the number of boxes has changed, or if memory ran out. */
bool cst_kept_pairs_mend(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Takes memory for `count` pairs of centreline pieces (arrays `apart`, `gap` and `look`). Returns false if memory ran out. */
bool cst_kept_pairs_take(cst_kept_pairs *kept, int64_t count);

/* Updates the bounds `apart` for the distance of two centreline pieces with one pair of their capsules, a and b. `wide`: largest
 * distance (m) of the curve from the capsule's axis, summed over the two capsules. */
void cst_pair_apart_add(const cst_capsule *a, const cst_capsule *b, double wide, cst_pair_apart *apart);

/* Bounds for two centreline pieces whose distance is unknown. The bounds in CST_APART_UNKNOWN are finite numbers, because
 * infinity times the age 0 of a neighbour list would be NaN. */
#define CST_APART_UNKNOWN ((cst_pair_apart){-1e30f, -1e30f, 0.0f})
/* Bounds for the distance of two centreline pieces before the first call of cst_pair_apart_add. */
#define CST_APART_NONE ((cst_pair_apart){INFINITY, INFINITY, 0.0f})

/* Returns the largest number of centreline pieces whose missing pairs are added to the neighbour list; if pairs of more pieces
 * are missing, a new list is made. */
int cst_kept_pairs_lack_most(const cst_kept_pairs *kept);

/* Sets wanted[g] to 1 for each centreline piece g whose capsules have to be tested one by one. The neighbour list must be valid:
 * cst_kept_pairs_cover returned true, or cst_kept_pairs_make or cst_kept_pairs_mend succeeded. Call cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* Lists the pairs of capsules whose curves can touch in the step: row a contains the capsules b > a that can touch capsule a,
 * followed by the boxes that can touch capsule a. Centreline pieces that cst_kept_pairs_want did not mark need no capsules.
 * Returns false if memory ran out or if there are too many pairs (cst_pairs_most). */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
