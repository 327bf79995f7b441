/* Pairs of the broad phase that are kept from search to search, as in a Verlet list.
 *
 * Capsules come in groups. Each group is a chain of capsules along one piece of a centreline, in equal shares of its length; the
 * curve deviates from its capsules by at most `wide`. To make a list, a search with several times the displacements of a step,
 * and with capsules enlarged by a skin, finds the pairs of groups that may meet. These pairs are kept. As long as the list covers
 * a later query, the query tests only these pairs, and only the capsules of groups that the list does not know to be apart: the
 * other groups need not be cut.
 *
 * When a list covers a query: a capsule of the list has the radius rho + delta, where delta is its skin. For each group, the list
 * stores the displacement w along the group over all steps of the list. For a group in the query, the following are known: five
 * points in equal parts of its length, the displacement w' of the step with the uncertainty sigma', and the reach rho' < rho from
 * its curve within which it touches. For each group in the query, `drift` is known as well: by how much the motion of its points
 * since the list was made differs from linear interpolation between the five points. With two numbers f and g >= 0 common to all
 * groups, |f| + g <= 1, and w_i the value of w in the middle of capsule i of the list,
 *
 *     m = max over points of i |x' - x - f w_i| + drift,        e = max over points of i |w' - g w_i| + sigma'.
 *
 * If two points touch in the query, on the capsules a and b of the list, the lines of a and b in the list are nearer than
 *
 *     sum over a, b of (rho' + wide + m + e)   +   (|f| + g) |w_a - w_b|.
 *
 * The list therefore contains the pair if rho' + m + e <= rho + delta - wide for all groups. The numbers f and g are fitted by
 * least squares: f is the time since the list was made, in units of its steps, and g is the length of the step. Shapes that keep
 * their velocity use nothing of the skin, and a common velocity has no effect. Boxes of solids are treated in the same way as
 * groups, axis by axis.
 *
 * The displacement w is a guess: the displacements of the step, linear along a group, plus the bending displacement `bow` at the
 * inner points. Hairs that fall side by side bend alike: without `bow` their common bending would use up the skin (100,000 hairs
 * on one head, 8 steps: 1.1 radii of 3.4).
 *
 * When two groups are apart: let d be a lower bound for the distance of the curves of two capsules when the list is made, along
 * the unit vector r from a to b. After the displacements f w_a and f w_b, the distance of the two curves is at least d + f r.(w_b
 * - w_a). For every pair of groups the list stores D and G, the least d and the least d + r.(w_b - w_a) over its pairs of
 * capsules, and W, the largest |w_a - w_b|. With n = rho' + m + e, the two groups do not touch if
 *
 *     (1 - f) D + f G - g W  >  n_a + n_b,
 *
 * because the minimum of functions that are linear in f lies above its chord. If f < 0, the left side is replaced by D - (|f| +
 * g) W. In dense hair this inequality excludes nearly all pairs (100,000 hairs on one head: 10 pairs per hair, one test each
 * instead of 64). The same inequality without g W and e bounds the present distance of two groups: it gives the gap that the
 * strand check uses (strand_room.h). Pairs of capsules that are not in the list are apart by the radii of the list. The
 * displacement of the step counts in any direction, because kept touches also answer queries with other displacements of the same
 * length (kept_touches.h).
 *
 * The result contains the pairs of capsules that may meet now, except some whose curves cannot touch. The omitted pairs of
 * capsules do not change the touches that are found. */
#ifndef CST_COLLIDE_KEPT_PAIRS_H
#define CST_COLLIDE_KEPT_PAIRS_H

#include "collide/capsule_pairs.h"
#include "collide/list_need.h"

typedef struct cst_capsule_groups {
    int groups;
    void (*course)(const void *user, int32_t group, cst_group_course *out);
    /* writes CST_POSE numbers that describe the current shape of a group; `drift` compares them with its later shape */
    void (*pose)(const void *user, int32_t group, double *out);
    double (*drift)(const void *user, int32_t group, const double *was); /* m: drift since then; inf: unknown */
    void (*bow)(const void *user, int32_t group,
                double out[CST_QUARTERS - 1][3]); /* m: bending part of the displacement in a step; NULL: none */
    const int32_t *first;                         /* (groups + 1) index of each group's first capsule */
    const cst_capsule *capsule;
    const double *wide; /* (capsules) m: largest distance of the curve from the line of its capsule */
    int boxes;
    const cst_moving_box *box; /* boxes are numbered after the capsules, and after the groups; boxes do not meet each other */
    cst_pair_rule rule;        /* rule for capsules and boxes */
    /* accepts all pairs of groups whose capsules `rule` may accept as long as the keys do not change */
    cst_pair_rule groups_touch;
    cst_pair_rule groups_now; /* like groups_touch, for the current state only, and for groups that are not boxes */
    const void *user;
    /* keys of everything that groups_touch depends on, for the groups and for the boxes: the list is valid as long as these keys
     * do not change */
    uint64_t key, box_key;
    int threads;
} cst_capsule_groups;

/* Returns the number of threads for the groups: if there are few groups, starting threads takes longer than the work. */
static inline int cst_group_threads(const cst_capsule_groups *groups)
{
    enum { PARALLEL_GROUPS = 512 };
    return groups->threads > 1 && groups->groups >= PARALLEL_GROUPS ? groups->threads : 1;
}

/* Bounds D, G and W for the distance of two groups and their relative displacement, defined at the head of this file. */
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
    cst_pair_list pairs;   /* pairs of groups: row a has b >= a, then boxes */
    cst_pair_apart *apart; /* (pairs) */
    cst_list_need *need;   /* (groups) needs of the last query */
    cst_list_since past;   /* f and g of the last query */
    float *gap; /* (pairs) lower bound, at the last query, for the distance of the groups minus their reaches; -inf: unknown */
    /* (pairs) result of the last cst_kept_pairs_want: the list does not know that the two groups stay apart, and they may touch
     * now */
    uint8_t *look;
    double steps; /* number of steps that the list reaches ahead */
    int served;   /* number of queries that the list has served, except those of the strand check */
    int64_t made; /* lists so far */
} cst_kept_pairs;

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator);
void cst_kept_pairs_end(cst_kept_pairs *kept);

/* Returns true if the list covers these groups. Capsules are not needed. A query without boxes may use a list with boxes. */
bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *groups);

/* Makes a new list for these groups, whose capsules must be given. Returns false if memory ran out; then there is no list. */
bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch);

/* Sets wanted[g] (groups) to 1 for the groups whose capsules cst_kept_pairs_list will test. The list must have just been made for
 * these groups, or cover them. Call cst_kept_pairs_list next. */
void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *groups, uint8_t *wanted);

/* Lists, in the row of a capsule a, all capsules b > a and after them all boxes that may meet the capsule a. Groups that are not
 * wanted may have no capsules. Returns false if memory ran out. */
bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *arena, cst_pair_list *out);

#endif
