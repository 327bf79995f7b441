/* Adds missing pairs to a neighbour list (kept_pairs.h) instead of making a new list. The code calls the capsules along one
 * centreline piece a group.
 *
 * The neighbour list contains all pairs of centreline pieces that can touch, as long as the capsules of every piece are thick
 * enough for the errors of its predicted motion (inequality in kept_pairs.h). If the capsules of a few centreline pieces are too
 * thin, their radius is increased, and a search in the stored tree of capsules finds the missing pairs. The search for missing
 * pairs uses the positions that the capsules had when the neighbour list was made. The stored lower bound for the distance of two
 * centreline pieces therefore stays valid, unless the capsules of one of them become thicker. */
#include <math.h>
#include <string.h>

#include "collide/capsule_meet.h"
#include "collide/kept_pairs.h"

enum { FAN = CST_BOX_FAN, PARTNERS = 64 };

/* Limits for adding pairs to a neighbour list:
 *     LACKING: a new neighbour list is made if more than the fraction LACKING of all centreline pieces have capsules too thin for
 *         the errors of the predicted motion.
 *     MENDED: a new neighbour list is made if the capsules of more than the fraction MENDED of all centreline pieces would have
 *         become thicker since the present list was made; a piece whose capsules became thicker twice counts twice.
 *     MORE: capsules that are too thin get a larger radius R, until R-h (list_need.h) of their centreline piece is MORE times its
 *         lower limit.
 *     FAR: a new neighbour list is made if the lower limit of R-h for a centreline piece is more than FAR times its present
 *         value. */
static const double LACKING = 1.0 / 8.0, MENDED = 1.0 / 2.0, MORE = 1.25, FAR = 8.0;

int cst_kept_pairs_lack_most(const cst_kept_pairs *kept)
{
    return (int)fmin(LACKING * kept->groups, MENDED * kept->groups - kept->list.mended);
}

typedef struct mend_search {
    const cst_kept_pairs *kept;
    const cst_capsule_groups *now;
    int32_t group;
    const cst_capsule_row *row; /* up to eight capsules of the centreline piece `group` */
    /* array (partners): centreline pieces and solids (at most PARTNERS) found near the centreline piece `group`, which are not
     * added to `found` again */
    int32_t partner[PARTNERS];
    int partners;
    cst_pair_buffer found;
} mend_search;

static void take_partner(mend_search *d, int32_t other)
{
    const int32_t a = d->group < other ? d->group : other, b = d->group < other ? other : d->group;
    for (int i = 0; i < d->partners; ++i)
        if (d->partner[i] == other)
            return;
    if (d->partners < PARTNERS)
        d->partner[d->partners++] = other;
    if (d->now->groups_touch(d->now->user, a, b))
        cst_pair_put(&d->found, a, b);
}

static void take_leaf(void *user, int leaf)
{
    mend_search *d = user;
    const cst_list_capsules *list = &d->kept->list;
    const cst_capsule_tree *tree = &list->tree;
    const int32_t *index = tree->index + (size_t)leaf * FAN;
    uint32_t near = (1u << FAN) - 1;
    if (tree->levels > 1)
        near = cst_capsule_row_near(d->row, &tree->row[1][leaf / FAN], leaf % FAN);
    for (; near; near &= near - 1) {
        const int i = __builtin_ctz(near);
        if (!(d->row->radius[i] >= 0.0f))
            continue;
        for (uint32_t hit = cst_capsule_row_near(&tree->row[0][leaf], d->row, i); hit; hit &= hit - 1) {
            const int32_t capsule = index[__builtin_ctz(hit)];
            if (capsule >= 0 && list->group_of[capsule] != d->group)
                take_partner(d, list->group_of[capsule]);
        }
    }
}

/* Finds the centreline pieces and the bounding boxes of solids near the centreline piece g, whose capsules became thicker. The
 * tree contains all capsules with their original radii; to find also capsules that became thicker, the search adds the largest
 * increase of any capsule radius (list->grown) to the radii of the capsules of piece g. */
static void search_group(mend_search *d, int32_t g)
{
    const cst_kept_pairs *kept = d->kept;
    const cst_list_capsules *list = &kept->list;
    const double grown = kept->was[g].grown;
    d->group = g;
    d->partners = 0;
    for (int32_t i = list->first[g]; i < list->first[g + 1]; i += FAN) {
        const int count = list->first[g + 1] - i < FAN ? list->first[g + 1] - i : FAN;
        cst_capsule_row row, around;
        cst_capsule_row_fill(list->capsule + i, count, grown + list->grown, &row);
        cst_capsule_row_bound(&row, &around);
        d->row = &row;
        if (around.radius[0] >= 0.0f)
            cst_capsule_tree_visit(&list->tree, 0, 0, &around, 0, take_leaf, d);
    }
    for (int32_t i = list->first[g]; i < list->first[g + 1]; ++i) {
        cst_capsule wide = list->capsule[i];
        wide.radius += grown;
        for (int b = 0; b < kept->boxes; ++b)
            if (cst_capsule_meets_box(&wide, kept->box + b))
                take_partner(d, kept->groups + b);
    }
}

/* Computes the bounds for the distance of two centreline pieces, from those pairs of their capsules whose bounding balls can
 * meet. */
static cst_pair_apart measure_groups(const cst_kept_pairs *kept, int32_t p, int32_t q)
{
    const cst_list_capsules *list = &kept->list;
    const double grown = kept->was[p].grown + kept->was[q].grown;
    cst_pair_apart out = CST_APART_NONE;
    for (int32_t a = list->first[p]; a < list->first[p + 1]; ++a) {
        const double ball = cst_capsule_ball(list->capsule + a) + grown;
        for (int32_t b = list->first[q]; b < list->first[q + 1]; ++b)
            if (cst_capsule_balls_meet(list->capsule + a, ball, list->capsule + b, cst_capsule_ball(list->capsule + b)))
                cst_pair_apart_add(list->capsule + a, list->capsule + b, list->wide[a] + list->wide[b], &out);
    }
    return out;
}

/* Sets wider[g] to 1 for each centreline piece g whose capsules are too thin for the neighbour list, and to 0 for all other
 * pieces. Returns false if a new neighbour list must be made: a piece with too thin capsules has no capsules in the present list,
 * or its capsules are much too thin (constant FAR). */
static bool mark_lacking(const cst_kept_pairs *kept, uint8_t *wider)
{
    for (int g = 0; g < kept->groups; ++g) {
        const double need = kept->need[g].step, room = kept->room[g];
        wider[g] = !(need <= room);
        if (wider[g] && !(room >= 0.0 && need <= FAR * room))
            return false;
    }
    return true;
}

static void enlarge(cst_kept_pairs *kept, const uint8_t *wider)
{
    for (int g = 0; g < kept->groups; ++g) {
        cst_group_was *was = kept->was + g;
        if (!wider[g])
            continue;
        was->grown += MORE * kept->need[g].step - kept->room[g];
        kept->room[g] = MORE * kept->need[g].step;
        kept->list.grown = fmax(kept->list.grown, was->grown);
    }
}

static bool search_groups(cst_kept_pairs *kept, const cst_capsule_groups *now, const uint8_t *wider, cst_arena *scratch,
                          cst_pair_list *more)
{
    const int threads = cst_group_threads(now);
    cst_pair_pool pool;
    more->row_start = CST_TAKE(scratch, int64_t, (size_t)kept->groups + 1);
    if (scratch->failed)
        return false;
    cst_pair_pool_begin(&pool, FAN * (int64_t)kept->lacking, 0, scratch);
#pragma omp parallel num_threads(threads)
    {
        mend_search d = {.kept = kept, .now = now};
        d.found.pool = &pool;
        d.found.count = 0;
#pragma omp for schedule(dynamic, 64)
        for (int g = 0; g < kept->groups; ++g)
            if (wider[g])
                search_group(&d, g);
        cst_pair_flush(&d.found);
    }
    return cst_pair_rows(&pool, kept->groups, threads, scratch, more);
}

/* Merges the rows of the neighbour list with the rows of new pairs (`more`). If one of two centreline pieces got thicker
 * capsules, the bounds for the distance of the two pieces are computed anew. A pair of centreline pieces is left out if no
 * capsules of the two pieces are near each other. Returns the number of pairs. */
static int64_t merge_rows(const cst_kept_pairs *kept, const uint8_t *wider, const cst_pair_list *more, cst_pair_list *out,
                          cst_pair_apart *apart)
{
    const cst_pair_list *had = &kept->pairs;
    int64_t to = 0;
    for (int32_t g = 0; g < kept->groups; ++g) {
        int64_t i = had->row_start[g], j = more->row_start[g];
        out->row_start[g] = to;
        while (i < had->row_start[g + 1] || j < more->row_start[g + 1]) {
            const int32_t one = i < had->row_start[g + 1] ? had->partner[i] : INT32_MAX;
            const int32_t two = j < more->row_start[g + 1] ? more->partner[j] : INT32_MAX, other = one < two ? one : two;
            if (other >= kept->groups || other == g)
                apart[to] = CST_APART_UNKNOWN;
            else
                apart[to] = wider[g] || wider[other] ? measure_groups(kept, g, other) : kept->apart[i];
            i += one == other;
            while (j < more->row_start[g + 1] && more->partner[j] == other)
                ++j;
            out->partner[to] = other;
            to += isfinite(apart[to].now);
        }
    }
    out->row_start[kept->groups] = to;
    return to;
}

bool cst_kept_pairs_mend(cst_kept_pairs *kept, const cst_capsule_groups *now, cst_arena *scratch)
{
    const int groups = kept->groups;
    if (kept->lacking <= 0 || !kept->list.capsule || now->boxes != kept->boxes)
        return false;
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_pair_list more, all;
    uint8_t *wider = CST_TAKE_RAW(scratch, uint8_t, groups);
    if (scratch->failed || !mark_lacking(kept, wider))
        return false;
    kept->there = false; /* until the missing pairs have been added, the neighbour list is not valid */
    enlarge(kept, wider);
    if (!search_groups(kept, now, wider, scratch, &more))
        return false;
    const size_t room = cst_roomy(kept->pairs.row_start[groups] + more.row_start[groups]);
    all.row_start = CST_TAKE_RAW(scratch, int64_t, (size_t)groups + 1);
    all.partner = CST_TAKE_RAW(scratch, int32_t, room);
    cst_pair_apart *apart = CST_TAKE_RAW(scratch, cst_pair_apart, room);
    if (scratch->failed)
        return false;
    const int64_t count = merge_rows(kept, wider, &more, &all, apart);
    cst_arena_release(&kept->arena, kept->pairs_from);
    kept->pairs.row_start = CST_TAKE_RAW(&kept->arena, int64_t, (size_t)groups + 1);
    kept->pairs.partner = CST_TAKE_RAW(&kept->arena, int32_t, cst_roomy(count));
    kept->there = cst_kept_pairs_take(kept, count);
    if (!kept->there)
        return false;
    memcpy(kept->pairs.row_start, all.row_start, ((size_t)groups + 1) * sizeof *all.row_start);
    memcpy(kept->pairs.partner, all.partner, (size_t)count * sizeof *all.partner);
    memcpy(kept->apart, apart, (size_t)count * sizeof *apart);
    kept->list.mended += kept->lacking;
    ++kept->mended;
    cst_arena_release(scratch, mark);
    return true;
}
