#include "collide/kept_pairs.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/capsule_meet.h"
#include "math/vector3.h"

/* Constants of the neighbour list:
 *     `STEPS_LEAST`, `STEPS_MOST`: least and largest number of time steps for which a neighbour list is made; a list that would
 *         have too many pairs is made for one step instead.
 *     `SKIN`, `SKIN_STEP`: for a list made for n steps, the radius of a capsule is increased by a skin, which is the radius times
 *         (SKIN + SKIN_STEP * n).
 *     `SPREAD`: for a list made for n steps, the radius of a capsule is increased by its skin and by (1 + SPREAD * (n - 1)) times
 *         the uncertainty of its displacement.
 *
 * The first neighbour list is made for few steps, because making a list for many steps takes up to three times as long as a
 * search (measured with 1000 parallel fibers). In the scenes wavy_hair and overhand_knot_paper, the number of executed
 * instructions differs by less than 2 % between neighbour lists for at most 8, 11 and 16 steps. In a scene of 1,000 hairs, packed
 * as densely as 100,000 hairs on a head, neighbour lists for at most 16 steps cost 12 % more instructions than lists for at most
 * 11 steps. */
static const double STEPS_LEAST = 2.0, STEPS_MOST = 11.0, SKIN = 1.0 / 3.0, SKIN_STEP = 1.0 / 16.0, SPREAD = 0.1;
/* AHEAD_MOST: the predicted displacement is at most AHEAD_MOST times the displacement of a uniform motion in the same number of
 * steps */
static const double AHEAD_MOST = 2.0;
enum { CAPSULES_A_PAIR = 4 };
/* BLOCK: the neighbour list is tested in blocks of BLOCK centreline pieces; the test ends after a block if pairs of too many
 * pieces may be missing */
enum { BLOCK = 8192 };

void cst_kept_pairs_begin(cst_kept_pairs *kept, const cst_allocator *allocator)
{
    memset(kept, 0, sizeof *kept);
    cst_arena_begin(&kept->arena, allocator);
}

void cst_kept_pairs_end(cst_kept_pairs *kept)
{
    cst_arena_end(&kept->arena);
}

/* ------------------------------------------------------------------------------------------------------------------ covers */

/* Computes the age of the neighbour list and the length of the present step, both in units of the time for which the list was
 * made. The age of the list and the length of the step result from a least-squares fit of the predicted motion to the actual
 * motion of the ends of at most SAMPLES centreline pieces. The age and the step length need not be exact, because the conditions
 * for a valid neighbour list (kept_pairs.h) are sufficient for any values of both. */
static cst_list_since fit(const cst_kept_pairs *kept, const cst_capsule_groups *now)
{
    enum { SAMPLES = 256 };
    /* If there are more than SAMPLES centreline pieces, the sampled pieces have the indices i * 2^32 / golden ratio, modulo the
     * number of pieces, for i = 0, 1, 2, ...: these indices are spread evenly over all pieces. */
    static const uint64_t GOLDEN = 2654435769;
    double moved = 0.0, goes = 0.0, square = 0.0;
    const int samples = now->groups < SAMPLES ? now->groups : SAMPLES;
    for (int i = 0; i < samples; ++i) {
        const int g = samples < now->groups ? (int)((uint64_t)i * GOLDEN % (uint64_t)now->groups) : i;
        const cst_group_was *was = kept->was + g;
        cst_group_course is;
        now->course(now->user, g, &is);
        if (!(is.reach >= 0.0) || !(kept->room[g] >= 0.0))
            continue;
        for (int k = 0; k < 6; ++k) {
            const double way = was->way[k / 3 * CST_QUARTERS][k % 3];
            moved += (is.at[k / 3 * CST_QUARTERS][k % 3] - was->at[k / 3 * CST_QUARTERS][k % 3]) * way;
            goes += is.way->way[k / 3][k % 3] * way;
            square += way * way;
        }
    }
    if (!(square > 0.0) || !isfinite(moved) || !isfinite(goes))
        return (cst_list_since){0.0, 0.0, 0.0};
    const double time = fmax(-1.0, fmin(1.0, moved / square)), pace = goes / square;
    return (cst_list_since){time, fmax(0.0, fmin(1.0 - fabs(time), pace)), pace};
}

static bool covers_group(const cst_kept_pairs *kept, const cst_capsule_groups *now, int g, const cst_list_since *past)
{
    cst_group_course is;
    now->course(now->user, g, &is);
    kept->need[g] = (cst_list_need){0.0, 0.0};
    if (!(is.reach >= 0.0))
        return true;
    const double drift = now->drift(now->user, g, kept->was[g].pose);
    kept->need[g] = cst_list_need_of(&is, kept->was + g, drift, past);
    if (!(kept->need[g].step <= kept->room[g]))
        kept->need[g] = cst_list_need_exactly(&is, kept->was + g, drift, past);
    return kept->need[g].step <= kept->room[g];
}

static bool covers_box(const cst_moving_box *is, const cst_moving_box *was, const cst_list_since *past)
{
    double other[3], off = 0.0;
    if (!(is->box.low[0] <= is->box.high[0]))
        return true;
    if (!(was->box.low[0] <= was->box.high[0]))
        return false;
    for (int k = 0; k < 3; ++k) {
        const double gone = past->time * was->way[k];
        off = fmax(off, fmax(was->box.low[k] + gone - is->box.low[k], is->box.high[k] - was->box.high[k] - gone));
        other[k] = is->way[k] - past->step * was->way[k];
    }
    return off + sqrt(cst_dot3(other, other)) + is->spread <= was->spread;
}

bool cst_kept_pairs_cover(cst_kept_pairs *kept, const cst_capsule_groups *now)
{
    kept->lacking = -1;
    if (!kept->there || kept->key != now->key || kept->groups != now->groups)
        return false;
    if (now->boxes > 0 && (kept->box_key != now->box_key || kept->boxes != now->boxes))
        return false;
    const cst_list_since past = fit(kept, now);
    for (int i = 0; i < now->boxes; ++i)
        if (!covers_box(now->box + i, kept->box + i, &past))
            return false;
    const int most = cst_kept_pairs_lack_most(kept), threads = cst_group_threads(now);
    int lacking = 0;
    for (int from = 0; from < now->groups && lacking <= most; from += BLOCK) {
        const int to = now->groups - from < BLOCK ? now->groups : from + BLOCK;
        CST_PARALLEL_FOR(threads, schedule(static) reduction(+ : lacking), (int g = from; g < to; ++g),
                         { lacking += !covers_group(kept, now, g, &past); });
    }
    kept->past = past;
    kept->lacking = lacking <= most ? lacking : -1;
    return lacking == 0;
}

/* ---------------------------------------------------------------------------------------------------------------- distances */

/* Returns the largest float that is not above the number x, faster than with nextafterf. */
static inline float round_down(double x)
{
    float f = (float)x;
    if ((double)f > x) {
        int32_t bits;
        memcpy(&bits, &f, sizeof bits);
        bits = f > 0.0f ? bits - 1 : f < 0.0f ? bits + 1 : INT32_MIN + 1;
        memcpy(&f, &bits, sizeof bits);
    }
    return f;
}

/* ------------------------------------------------------------------------------------------------------------------- makes */

typedef struct thick_search {
    const cst_capsule_groups *groups;
    int capsules;
    const int32_t *group_of;
} thick_search;

static int32_t group_of(const thick_search *search, int32_t capsule)
{
    return capsule < search->capsules ? search->group_of[capsule] : search->groups->groups + capsule - search->capsules;
}

static bool may_touch(const void *user, int32_t a, int32_t b)
{
    const thick_search *search = user;
    const int32_t p = group_of(search, a), q = group_of(search, b);
    return p != q && search->groups->groups_touch(search->groups->user, p, q);
}

/* Computes the capsules of centreline piece g with which the neighbour list is made: enlarged by their skin, with their predicted
 * displacements. Returns the least skin (m). */
static double thicken_group(const cst_capsule_groups *groups, int32_t g, int32_t *group_of, cst_kept_pairs *kept,
                            cst_capsule *capsule)
{
    const double skin = SKIN + SKIN_STEP * kept->steps, spreads = 1.0 + SPREAD * (kept->steps - 1.0);
    const cst_group_was *was = kept->was + g;
    double least = INFINITY;
    for (int32_t i = groups->first[g]; i < groups->first[g + 1]; ++i) {
        cst_capsule *to = capsule + i;
        *to = groups->capsule[i];
        group_of[i] = g;
        cst_group_way_at(was, (i - groups->first[g] + 0.5) / was->count, to->way);
        if (to->radius >= 0.0) {
            least = fmin(least, skin * to->radius);
            to->radius += skin * to->radius + spreads * to->spread;
        }
        to->spread = 0.0;
        kept->room[g] = fmin(kept->room[g], to->radius - groups->wide[i]);
    }
    return least;
}

static void thicken(const cst_capsule_groups *groups, int32_t *group_of, cst_kept_pairs *kept, cst_capsule *capsule)
{
    const int threads = cst_group_threads(groups);
    double least = INFINITY;
    CST_PARALLEL_FOR(threads,
                     schedule(static) reduction(min
                                                : least),
                     (int32_t g = 0; g < groups->groups; ++g),
                     { least = fmin(least, thicken_group(groups, g, group_of, kept, capsule)); });
    for (int i = 0; i < groups->boxes; ++i) {
        cst_moving_box *to = kept->box + i;
        *to = groups->box[i];
        to->spread = kept->steps * to->spread + (isfinite(least) ? least : 0.0);
        for (int k = 0; k < 3; ++k)
            to->way[k] *= kept->ahead;
    }
}

static void remember_group(cst_kept_pairs *kept, const cst_capsule_groups *groups, int g)
{
    cst_group_was *was = kept->was + g;
    cst_group_course is;
    double bow[CST_QUARTERS + 1][3] = {{0.0}}, steepest = 0.0;
    groups->course(groups->user, g, &is);
    if (groups->bow)
        groups->bow(groups->user, g, bow + 1);
    for (int i = 0; i <= CST_QUARTERS; ++i) {
        const double part = (double)i / CST_QUARTERS;
        double turn[3];
        memcpy(was->at[i], is.at[i], sizeof was->at[i]);
        for (int k = 0; k < 3; ++k)
            was->way[i][k] = kept->ahead * (is.way->way[0][k] + part * (is.way->way[1][k] - is.way->way[0][k]) + bow[i][k]);
        cst_subtract3(was->way[i], was->way[i > 0 ? i - 1 : 0], turn);
        steepest = fmax(steepest, cst_dot3(turn, turn));
    }
    was->count = groups->first[g + 1] - groups->first[g];
    was->half = 0.5 * CST_QUARTERS * sqrt(steepest) / was->count;
    was->grown = 0.0;
    kept->room[g] = is.reach >= 0.0 ? INFINITY : -1.0;
    groups->pose(groups->user, g, was->pose);
}

/* Computes, for each centreline piece, upper bounds for the sums rho' + m and rho' + m + e of rod radius, margin and prediction
 * errors (kept_pairs.h). */
static void find_need(cst_kept_pairs *kept, const cst_capsule_groups *groups)
{
    const cst_list_since now = {.time = 0.0, .step = 1.0 / kept->ahead, .pace = 1.0 / kept->ahead};
    const int threads = cst_group_threads(groups);
    kept->past = now;
    CST_PARALLEL_FOR(threads, schedule(static), (int g = 0; g < groups->groups; ++g), {
        cst_group_course is;
        groups->course(groups->user, g, &is);
        kept->need[g] = is.reach >= 0.0 ? cst_list_need_of(&is, kept->was + g, 0.0, &now) : (cst_list_need){0.0, 0.0};
    });
}

/* Converts the list of pairs of capsules to the list of pairs of centreline pieces, each pair once. */
static bool join_rows(cst_kept_pairs *kept, const thick_search *search, const cst_pair_list *rows, cst_arena *scratch)
{
    const cst_capsule_groups *groups = search->groups;
    int32_t *seen = CST_TAKE_RAW(scratch, int32_t, (size_t)groups->groups + (size_t)groups->boxes);
    cst_pair_pool pool;
    kept->pairs.row_start = CST_TAKE(&kept->arena, int64_t, (size_t)groups->groups + 1);
    if (scratch->failed || kept->arena.failed)
        return false;
    for (int i = 0; i < groups->groups + groups->boxes; ++i)
        seen[i] = -1;
    cst_pair_pool_begin(&pool, rows->row_start[search->capsules] / CAPSULES_A_PAIR + groups->groups, 0, scratch);
    cst_pair_buffer found = {.pool = &pool};
    for (int32_t g = 0; g < groups->groups; ++g) {
        if (groups->groups_touch(groups->user, g, g))
            cst_pair_put(&found, g, g);
        for (int64_t i = rows->row_start[groups->first[g]]; i < rows->row_start[groups->first[g + 1]]; ++i) {
            const int32_t other = group_of(search, rows->partner[i]);
            if (seen[other] != g)
                cst_pair_put(&found, g, other);
            seen[other] = g;
        }
    }
    cst_pair_flush(&found);
    return cst_pair_rows(&pool, groups->groups, cst_group_threads(groups), &kept->arena, &kept->pairs);
}

void cst_pair_apart_add(const cst_capsule *a, const cst_capsule *b, double wide, cst_pair_apart *out)
{
    double d[3], w[3];
    cst_subtract3(b->center, a->center, d);
    cst_subtract3(b->way, a->way, w);
    const cst_lines_apart lines = cst_lines_apart_of(a, b, d, cst_dot3(a->half, a->half), cst_dot3(b->half, b->half));
    const double way = sqrt(cst_dot3(w, w)), sure = CST_MEET_ROUNDING * (sqrt(lines.dd) + way);
    const bool known = lines.along > 0.0;
    const double r = known ? sqrt(lines.rr) : 1.0, apart = (known ? lines.along / r : 0.0) - sure - wide;
    const float now = round_down(apart), later = round_down(known ? apart + cst_dot3(lines.r, w) / r : apart);
    const float goes = -round_down(-(way + sure));
    out->now = now < out->now ? now : out->now;
    out->later = later < out->later ? later : out->later;
    out->way = goes > out->way ? goes : out->way;
}

bool cst_kept_pairs_take(cst_kept_pairs *kept, int64_t count)
{
    const size_t room = cst_roomy(count);
    kept->apart = CST_TAKE_RAW(&kept->arena, cst_pair_apart, room);
    kept->gap = CST_TAKE_RAW(&kept->arena, float, room);
    kept->look = CST_TAKE_RAW(&kept->arena, uint8_t, room);
    return !kept->arena.failed;
}

/* Computes bounds for the distance of each pair of centreline pieces (kept->apart) from all pairs of capsules that the broad
 * phase found. For a centreline piece paired with itself or with a solid, the bounds for the distance are unknown. */
static bool measure_pairs(cst_kept_pairs *kept, const thick_search *search, const cst_capsule *capsule, const cst_pair_list *rows)
{
    const cst_capsule_groups *groups = search->groups;
    const int threads = cst_group_threads(groups);
    (void)threads; /* unused in a build without OpenMP */
    if (!cst_kept_pairs_take(kept, kept->pairs.row_start[groups->groups]))
        return false;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int32_t g = 0; g < groups->groups; ++g) {
        for (int64_t p = kept->pairs.row_start[g]; p < kept->pairs.row_start[g + 1]; ++p) {
            const int32_t other = kept->pairs.partner[p];
            const bool unknown = other == g || other >= groups->groups;
            kept->apart[p] = unknown ? CST_APART_UNKNOWN : CST_APART_NONE;
        }
        for (int32_t a = groups->first[g]; a < groups->first[g + 1]; ++a) {
            int64_t p = kept->pairs.row_start[g]; /* partners increase in both rows */
            for (int64_t i = rows->row_start[a]; i < rows->row_start[a + 1] && rows->partner[i] < search->capsules; ++i) {
                const int32_t b = rows->partner[i], other = group_of(search, b);
                while (kept->pairs.partner[p] < other)
                    ++p;
                cst_pair_apart_add(capsule + a, capsule + b, groups->wide[a] + groups->wide[b], kept->apart + p);
            }
        }
    }
    return true;
}

/* Returns the number of steps for which the next neighbour list is made: more if many searches used the present list, fewer if
 * none did. */
static double steps_of_next(const cst_kept_pairs *kept)
{
    const double served = kept->there ? kept->served : 0.0, steps = kept->there ? kept->steps : STEPS_LEAST;
    const double factor = served >= steps ? 4.0 : served >= 0.5 * steps ? 2.0 : served > 0.0 ? 1.0 : 0.5;
    return fmax(STEPS_LEAST, fmin(STEPS_MOST, factor * steps));
}

/* Returns the displacement that is predicted for the next `steps` steps, divided by the displacement in the present step. The
 * prediction assumes uniform acceleration. Its formulas have these symbols:
 *     `q`: displacement in the last step for which the present neighbour list was tested, divided by the displacement in the step
 *         in which this list was made.
 *     `k`: number of searches that used the present neighbour list.
 *     `n`: number of steps to predict.
 *     `a`: growth of the displacement per step, divided by the displacement in the present step.
 *
 * The predicted displacement, divided by the displacement in the present step, is the following sum:
 *     `a = (q-1)/(k*q)`.
 *     `sum_{j<n}(1+a*j) = n+a*n*(n-1)/2`.
 *
 * A motion that becomes slower is predicted as uniform. If the prediction continued the deceleration, the predicted displacement
 * would be too small for a motion that becomes uniform. */
static double ahead_of_next(const cst_kept_pairs *kept, double steps)
{
    const double quotient = kept->there ? kept->past.pace * kept->ahead : 1.0;
    if (!(quotient > 1.0) || kept->served < 1)
        return steps;
    const double growth = (1.0 - 1.0 / quotient) / kept->served;
    return fmin(AHEAD_MOST * steps, steps + 0.5 * growth * steps * (steps - 1.0));
}

/* Stores, for adding missing pairs later (kept_mend.c), the index of the first capsule of each centreline piece, and for each
 * capsule the largest distance of the curve from its axis. Returns false if memory ran out. */
static bool keep_cuts(cst_kept_pairs *kept, const cst_capsule_groups *groups)
{
    const size_t capsules = (size_t)groups->first[groups->groups], count = (size_t)groups->groups + 1;
    if (!kept->list.capsule)
        return true;
    kept->list.first = CST_TAKE_RAW(&kept->arena, int32_t, count);
    kept->list.wide = CST_TAKE_RAW(&kept->arena, double, cst_roomy((int64_t)capsules));
    if (kept->arena.failed)
        return false;
    memcpy(kept->list.first, groups->first, count * sizeof *groups->first);
    memcpy(kept->list.wide, groups->wide, capsules * sizeof *groups->wide);
    return true;
}

/* Makes a neighbour list for the given number of steps. `ahead`: predicted displacement, divided by the displacement in the
 * present step. Returns false if memory ran out or if there are too many pairs (cst_pairs_most). */
static bool make_for(cst_kept_pairs *kept, const cst_capsule_groups *groups, double steps, double ahead, cst_arena *scratch)
{
    const int capsules = groups->first[groups->groups], threads = cst_group_threads(groups);
    const size_t size = cst_roomy(capsules);
    cst_arena *arena = &kept->arena;
    cst_arena_release(arena, (cst_arena_mark){0});
    kept->steps = steps;
    kept->ahead = ahead;
    kept->served = 0;
    arena->failed = kept->there = kept->crowded = false;
    kept->was = CST_TAKE_RAW(arena, cst_group_was, groups->groups);
    kept->box = CST_TAKE_RAW(arena, cst_moving_box, groups->boxes);
    kept->need = CST_TAKE_RAW(arena, cst_list_need, groups->groups);
    kept->room = CST_TAKE_RAW(arena, double, groups->groups);
    cst_arena *lasting = kept->mendable ? arena : scratch;
    int32_t *of = CST_TAKE_RAW(lasting, int32_t, size);
    cst_capsule *capsule = CST_TAKE_RAW(lasting, cst_capsule, size);
    if (arena->failed || scratch->failed)
        return false;
    CST_PARALLEL_FOR(threads, schedule(static), (int g = 0; g < groups->groups; ++g), { remember_group(kept, groups, g); });
    thicken(groups, of, kept, capsule);
    const thick_search search = {.groups = groups, .capsules = capsules, .group_of = of};
    const cst_capsule_scene near = {.capsules = capsules,
                                    .capsule = capsule,
                                    .boxes = groups->boxes,
                                    .box = kept->box,
                                    .rule = may_touch,
                                    .user = &search,
                                    .threads = groups->threads};
    cst_pair_list rows;
    kept->list = (cst_list_capsules){.group_of = of, .capsule = kept->mendable ? capsule : NULL};
    if (!cst_capsule_tree_build(capsule, capsules, lasting, &kept->list.tree) || !keep_cuts(kept, groups))
        return false;
    kept->pairs_from = cst_arena_mark_now(arena);
    if (!cst_near_capsules_in(&near, &kept->list.tree, scratch, &rows, &kept->crowded) ||
        !join_rows(kept, &search, &rows, scratch) || !measure_pairs(kept, &search, capsule, &rows))
        return false;
    find_need(kept, groups);
    kept->there = true;
    kept->key = groups->key;
    kept->box_key = groups->box_key;
    kept->groups = groups->groups;
    kept->boxes = groups->boxes;
    ++kept->made;
    return true;
}

bool cst_kept_pairs_make(cst_kept_pairs *kept, const cst_capsule_groups *groups, cst_arena *scratch)
{
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    kept->mendable = kept->lacking > 0 || kept->list.mended > 0;
    const double steps = steps_of_next(kept);
    bool made = make_for(kept, groups, steps, ahead_of_next(kept, steps), scratch);
    if (!made && kept->crowded) {
        cst_arena_release(scratch, mark);
        made = make_for(kept, groups, 1.0, 1.0, scratch);
    }
    if (made)
        cst_arena_release(scratch, mark);
    return made;
}

/* -------------------------------------------------------------------------------------------------------------------- wants */

/* Returns a lower bound for the distance of two centreline pieces at a given age of the neighbour list. `time`: age of the list,
 * divided by the time for which the list was made. */
static double distance_after(const cst_pair_apart *apart, double time)
{
    return time >= 0.0 ? (1.0 - time) * (double)apart->now + time * (double)apart->later
                       : (double)apart->now + time * (double)apart->way;
}

typedef struct known_apart {
    /* lower bound (m) for the gap of the two centreline pieces minus the sum of their contact margins; the bound also holds for
     * capsules of the two pieces that the broad phase did not find as a pair */
    double gap;
    bool near; /* true: the pieces can touch */
} known_apart;

static inline known_apart known_of(const cst_kept_pairs *kept, int64_t pair, int32_t g, int32_t other)
{
    const cst_pair_apart *apart = kept->apart + pair;
    const double distance = distance_after(apart, kept->past.time), room = kept->room[g] + kept->room[other];
    const cst_list_need *one = kept->need + g, *two = kept->need + other;
    return (known_apart){.gap = (distance < room ? distance : room) - one->here - two->here,
                         .near = !(distance - kept->past.step * (double)apart->way > one->step + two->step)};
}

/* Returns one capsule around a whole centreline piece; its axis is the chord of the piece. */
static cst_capsule whole_group(const cst_capsule_groups *now, int32_t g)
{
    cst_group_course is;
    cst_capsule out;
    double turn = 0.0;
    now->course(now->user, g, &is);
    out.radius = is.reach >= 0.0 ? is.reach + is.sag : -1.0;
    for (int k = 0; k < 3; ++k) {
        const double half = 0.5 * (is.way->way[1][k] - is.way->way[0][k]);
        out.center[k] = 0.5 * (is.at[0][k] + is.at[CST_QUARTERS][k]);
        out.half[k] = 0.5 * (is.at[CST_QUARTERS][k] - is.at[0][k]);
        out.way[k] = is.way->way[0][k] + half;
        turn += half * half;
    }
    out.spread = is.way->spread + sqrt(turn);
    return out;
}

static bool group_meets_box(const cst_capsule_groups *now, int32_t g, int32_t box)
{
    const cst_capsule whole = whole_group(now, g);
    return box < now->boxes && cst_capsule_meets_box(&whole, now->box + box);
}

/* Finds the partners of a centreline piece in the neighbour list that can touch the piece in the step. Marks in the array
 * `wanted` the pieces whose capsules have to be tested one by one. */
static void want_group(cst_kept_pairs *kept, const cst_capsule_groups *now, int32_t g, uint8_t *wanted)
{
    bool look = false;
    for (int64_t p = kept->pairs.row_start[g]; p < kept->pairs.row_start[g + 1]; ++p) {
        const int32_t other = kept->pairs.partner[p];
        kept->look[p] = 0;
        if (other >= now->groups) {
            kept->gap[p] = -INFINITY;
            look = look || group_meets_box(now, g, other - now->groups);
            continue;
        }
        const known_apart known = known_of(kept, p, g, other);
        kept->gap[p] = known.gap > 0.0 ? round_down(known.gap) : 0.0f;
        if (!known.near)
            continue;
        if (!(known.gap > 0.0))
            kept->gap[p] = -INFINITY;
        if (!now->groups_now(now->user, g, other))
            continue;
        look = true;
        kept->look[p] = 1;
#pragma omp atomic write
        wanted[other] = 1;
    }
    if (look) {
#pragma omp atomic write
        wanted[g] = 1;
    }
}

void cst_kept_pairs_want(cst_kept_pairs *kept, const cst_capsule_groups *now, uint8_t *wanted)
{
    const int threads = cst_group_threads(now);
    CST_PARALLEL_FOR(threads, schedule(dynamic, 64), (int g = 0; g < now->groups; ++g), { want_group(kept, now, g, wanted); });
}
