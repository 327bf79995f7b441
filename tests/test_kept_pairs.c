/* Pairs of the broad phase that are kept: whatever the motion, a list that covers a question leaves out nothing that may touch
 * (collide/kept_pairs.h), neither a pair of capsules nor a chain that should be cut, and steady motion needs no new list. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/distance_segment.h"
#include "collide/kept_pairs.h"
#include "failing_allocator.h"
#include "math/vector3.h"

enum { CHAINS = 150, CUTS = 6, BOXES = 4, MOST = CHAINS * CUTS, SAMPLES = 13 };

static const double RADIUS = 0.01, LENGTH = 0.3, BULGE = 0.05;

/* Arcs of parabolas: x(u) = start + u LENGTH t + u (1 - u) bulge. */
typedef struct chain {
    double start[3], t[3], bulge[3], velocity[3];
} chain;

typedef struct world {
    chain chain[CHAINS];
    cst_capsule capsule[MOST];
    double wide[MOST];
    int32_t first[CHAINS + 1];
    uint8_t wanted[CHAINS];
    double step;
    int absent; /* chain that is not there, or -1 */
    double sample[CHAINS][SAMPLES][3];
    cst_moving_box box[BOXES];
    cst_capsule_groups groups;
} world;

static bool any_pair(const void *user, int32_t a, int32_t b)
{
    (void)user;
    return a <= b;
}

/* Now no chain may touch itself. */
static bool two_chains(const void *user, int32_t a, int32_t b)
{
    (void)user;
    return a < b;
}

static void point_of(const chain *of, double u, double *x)
{
    for (int k = 0; k < 3; ++k)
        x[k] = of->start[k] + u * LENGTH * of->t[k] + u * (1.0 - u) * of->bulge[k];
}

static double bulge_of(const chain *of)
{
    return sqrt(cst_dot3(of->bulge, of->bulge));
}

static void course_of(const void *user, int32_t i, cst_group_course *out)
{
    static double at[CHAINS][CST_QUARTERS + 1][3];
    static cst_piece_way way[CHAINS];
    const world *w = user;
    for (int j = 0; j <= CST_QUARTERS; ++j) {
        point_of(w->chain + i, (double)j / CST_QUARTERS, at[i][j]);
        out->at[j] = at[i][j];
    }
    for (int k = 0; k < 6; ++k)
        way[i].way[k / 3][k % 3] = w->step * w->chain[i].velocity[k % 3];
    way[i].spread = 0.01 * RADIUS;
    out->way = &way[i];
    out->reach = i == w->absent ? -1.0 : RADIUS;
    out->sag = 0.25 * bulge_of(w->chain + i);
}

static void pose_of(const void *user, int32_t i, double *out)
{
    memcpy(out, ((const world *)user)->chain[i].bulge, 3 * sizeof *out);
}

/* Off the line between the ends of a quarter: its share squared, at most a quarter of the change. */
static double drift_of(const void *user, int32_t i, const double *was)
{
    double change[3];
    cst_subtract3(((const world *)user)->chain[i].bulge, was, change);
    return 0.25 * sqrt(cst_dot3(change, change)) / (CST_QUARTERS * CST_QUARTERS);
}

/* A wrong guess, for their ways do not bend: it may cost room, but no pair. */
static void bow_of(const void *user, int32_t i, double out[CST_QUARTERS - 1][3])
{
    for (int k = 0; k < 3 * (CST_QUARTERS - 1); ++k)
        out[k / 3][k % 3] = 0.02 * RADIUS * ((const world *)user)->chain[i].t[k % 3];
}

static void begin(world *w, uint64_t seed, double speed, double common)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    memset(w, 0, sizeof *w);
    w->absent = -1;
    w->step = 1.0;
    for (int i = 0; i < CHAINS; ++i) {
        chain *c = w->chain + i;
        cst_rng_direction(&rng, 3, c->t);
        cst_rng_direction(&rng, 3, c->bulge);
        cst_rng_direction(&rng, 3, c->velocity);
        for (int k = 0; k < 3; ++k) {
            c->start[k] = cst_rng_range(&rng, 0.0, 0.6);
            c->bulge[k] *= BULGE;
            c->velocity[k] = speed * RADIUS * c->velocity[k] + common * (k == 0);
        }
    }
    for (int i = 0; i < BOXES; ++i)
        for (int k = 0; k < 3; ++k) {
            w->box[i].box.low[k] = 0.15 * i;
            w->box[i].box.high[k] = 0.15 * i + 0.1;
            w->box[i].way[k] = common * (k == 0);
        }
    w->groups = (cst_capsule_groups){.groups = CHAINS,
                                     .course = course_of,
                                     .pose = pose_of,
                                     .drift = drift_of,
                                     .bow = bow_of,
                                     .user = w,
                                     .first = w->first,
                                     .capsule = w->capsule,
                                     .wide = w->wide,
                                     .boxes = BOXES,
                                     .box = w->box,
                                     .rule = any_pair,
                                     .groups_touch = any_pair,
                                     .groups_now = two_chains,
                                     .threads = 1};
}

/* The chain i is cut into 3 to CUTS capsules, others at every turn; only those that are wanted, or all. */
static void cut(world *w, int turn, bool all)
{
    int at = 0;
    for (int i = 0; i < CHAINS; ++i) {
        const int count = all || w->wanted[i] ? 3 + (i * 7 + turn * (i % 3)) % (CUTS - 2) : 0;
        w->first[i] = at;
        for (int j = 0; j < count; ++j) {
            double from[3], to[3];
            cst_capsule *c = w->capsule + at;
            point_of(w->chain + i, (double)j / count, from);
            point_of(w->chain + i, (j + 1.0) / count, to);
            w->wide[at++] = 0.25 * bulge_of(w->chain + i) / (count * count);
            *c = (cst_capsule){.radius = i == w->absent ? -1.0 : RADIUS + w->wide[at - 1], .spread = 0.01 * RADIUS};
            for (int k = 0; k < 3; ++k) {
                c->center[k] = 0.5 * (from[k] + to[k]);
                c->half[k] = 0.5 * (to[k] - from[k]);
                c->way[k] = w->step * w->chain[i].velocity[k];
            }
        }
        for (int j = 0; j < SAMPLES; ++j)
            point_of(w->chain + i, j / (SAMPLES - 1.0), w->sample[i][j]);
    }
    w->first[CHAINS] = at;
}

/* All go on by their velocities, which change a little; chains bend a little. */
static void move(world *w, cst_rng *rng, double step, double jitter)
{
    for (int i = 0; i < CHAINS; ++i) {
        chain *c = w->chain + i;
        for (int k = 0; k < 3; ++k) {
            c->start[k] += step * c->velocity[k];
            c->velocity[k] += jitter * RADIUS * cst_rng_range(rng, -1.0, 1.0);
            c->bulge[k] += jitter * RADIUS * cst_rng_range(rng, -1.0, 1.0);
        }
    }
    for (int i = 0; i < BOXES; ++i)
        for (int k = 0; k < 3; ++k) {
            w->box[i].box.low[k] += step * w->box[i].way[k];
            w->box[i].box.high[k] += step * w->box[i].way[k];
        }
}

static double gap_between(const cst_capsule *a, const cst_capsule *b)
{
    double end[4][3];
    for (int k = 0; k < 3; ++k) {
        end[0][k] = a->center[k] - a->half[k];
        end[1][k] = a->center[k] + a->half[k];
        end[2][k] = b->center[k] - b->half[k];
        end[3][k] = b->center[k] + b->half[k];
    }
    return cst_segment_segment(end[0], end[1], end[2], end[3]).distance - a->radius - b->radius;
}

/* In the step, at least. */
static double apart(const cst_capsule *a, const cst_capsule *b)
{
    double way[3];
    cst_subtract3(a->way, b->way, way);
    return gap_between(a, b) - sqrt(cst_dot3(way, way)) - a->spread - b->spread;
}

static bool listed(const cst_pair_list *list, int32_t a, int32_t b)
{
    for (int64_t i = list->row_start[a]; i < list->row_start[a + 1]; ++i)
        if (list->partner[i] == b)
            return true;
    return false;
}

static bool inside(const double *x, const cst_box *box)
{
    for (int k = 0; k < 3; ++k)
        if (x[k] < box->low[k] || x[k] > box->high[k])
            return false;
    return true;
}

/* The capsule of a chain that has a sample; -1: it is not cut. */
static int32_t capsule_at(const world *w, int group, int sample)
{
    const int count = w->first[group + 1] - w->first[group];
    const int at = sample * count / (SAMPLES - 1);
    return count == 0 ? -1 : w->first[group] + (at < count ? at : count - 1);
}

/* Points of two chains, which come nearer than their radii in the step, belong to capsules that are listed. Returns how many there are. */
static int check_chains(const world *w, const cst_pair_list *list, int p, int q)
{
    double way[3];
    int pairs = 0;
    for (int k = 0; k < 3; ++k)
        way[k] = w->step * (w->chain[p].velocity[k] - w->chain[q].velocity[k]);
    const double reach = 2.0 * RADIUS + sqrt(cst_dot3(way, way)) + 0.02 * RADIUS;
    for (int i = 0; i < SAMPLES; ++i)
        for (int j = 0; j < SAMPLES; ++j) {
            double r[3];
            cst_subtract3(w->sample[p][i], w->sample[q][j], r);
            if (cst_dot3(r, r) > reach * reach - 1e-9)
                continue;
            const int32_t a = capsule_at(w, p, i), b = capsule_at(w, q, j);
            assert_true(a >= 0 && b >= 0 && listed(list, a, b));
            ++pairs;
        }
    return pairs;
}

/* Against all points of all chains; what is listed may meet. Returns how many pairs of points there are. */
static int check(const world *w, const cst_pair_list *list)
{
    const int count = w->first[CHAINS];
    int pairs = 0;
    for (int32_t a = 0; a < count; ++a)
        for (int64_t i = list->row_start[a]; i < list->row_start[a + 1]; ++i) {
            assert_true(i + 1 == list->row_start[a + 1] || list->partner[i] < list->partner[i + 1]);
            assert_true(list->partner[i] >= count || apart(w->capsule + a, w->capsule + list->partner[i]) < 1e-9);
        }
    for (int p = 0; p < CHAINS; ++p) {
        for (int q = p + 1; q < CHAINS; ++q)
            pairs += check_chains(w, list, p, q);
        for (int i = 0; i < SAMPLES; ++i)
            for (int32_t k = 0; k < BOXES; ++k)
                if (inside(w->sample[p][i], &w->box[k].box)) {
                    assert_true(capsule_at(w, p, i) >= 0);
                    assert_true(listed(list, capsule_at(w, p, i), count + k));
                }
    }
    return pairs;
}

/* What the list says of the distance of two groups, against all their points. Returns of how many it says that they are apart. */
static int check_gaps(const world *w, const cst_kept_pairs *kept)
{
    int apart_ones = 0;
    for (int32_t g = 0; g < CHAINS; ++g)
        for (int64_t p = kept->pairs.row_start[g]; p < kept->pairs.row_start[g + 1]; ++p) {
            const int32_t other = kept->pairs.partner[p];
            if (!(kept->gap[p] >= 0.0f))
                continue;
            assert_true(other != g && other < CHAINS);
            for (int i = 0; i < SAMPLES; ++i)
                for (int j = 0; j < SAMPLES; ++j) {
                    double r[3];
                    cst_subtract3(w->sample[g][i], w->sample[other][j], r);
                    assert_true(sqrt(cst_dot3(r, r)) - 2.0 * RADIUS >= (double)kept->gap[p] - 1e-9);
                }
            apart_ones += kept->gap[p] > 0.0f;
        }
    return apart_ones;
}

static world w;

/* In each step `jumps` other chains jump by up to six radii along each axis, and bend. */
static void jump(world *of, cst_rng *rng, int turn, int jumps)
{
    for (int i = 0; i < jumps; ++i) {
        chain *c = of->chain + (turn * 31 + i * 47) % CHAINS;
        for (int k = 0; k < 3; ++k) {
            c->start[k] += 6.0 * RADIUS * cst_rng_range(rng, -1.0, 1.0);
            c->bulge[k] += 3.0 * RADIUS * cst_rng_range(rng, -1.0, 1.0);
        }
    }
}

static int64_t lists_mended;

/* Lists made in `steps` steps of lengths that change; all pairs of all steps are right, for two threads too. */
static int64_t run_with_jumps(uint64_t seed, int steps, double speed, double common, double jitter, int jumps)
{
    cst_rng rng;
    cst_kept_pairs kept;
    cst_arena arena;
    int pairs = 0, apart_ones = 0, spared = 0;
    cst_rng_seed(&rng, seed, 1);
    begin(&w, seed, speed, common);
    cst_kept_pairs_begin(&kept, NULL);
    cst_arena_begin(&arena, NULL);
    for (int i = 0; i < steps; ++i) {
        const double step = i % 5 == 3 ? 0.5 : 1.0;
        const int turn = jitter > 0.0 ? i : 0;
        cst_pair_list list;
        cst_arena_release(&arena, (cst_arena_mark){0});
        w.step = step;
        w.groups.threads = 1 + i % 2;
        for (int k = 0; k < BOXES; ++k)
            w.box[k].way[0] = step * common;
        if (cst_kept_pairs_cover(&kept, &w.groups) || cst_kept_pairs_mend(&kept, &w.groups, &arena)) {
            ++kept.served;
        } else {
            cut(&w, turn, true);
            assert_true(cst_kept_pairs_make(&kept, &w.groups, &arena));
        }
        memset(w.wanted, 0, sizeof w.wanted);
        cst_kept_pairs_want(&kept, &w.groups, w.wanted);
        cut(&w, turn, false);
        for (int k = 0; k < CHAINS; ++k)
            spared += !w.wanted[k];
        assert_true(cst_kept_pairs_list(&kept, &w.groups, &arena, &list));
        pairs += check(&w, &list);
        apart_ones += check_gaps(&w, &kept);
        for (int k = 0; k < BOXES; ++k)
            w.box[k].way[0] = common;
        move(&w, &rng, step, jitter);
        jump(&w, &rng, i, jumps);
    }
    assert_true(pairs > 20 * steps);
    assert_true(apart_ones > 20 * steps);           /* these are told apart without a look at their capsules */
    assert_true(speed > 1.0 || spared > 2 * steps); /* and so are some chains altogether */
    const int64_t made = kept.made;
    lists_mended = kept.mended;
    cst_kept_pairs_end(&kept);
    cst_arena_end(&arena);
    return made;
}

static int64_t run(uint64_t seed, int steps, double speed, double common, double jitter)
{
    return run_with_jumps(seed, steps, speed, common, jitter, 0);
}

static void test_nothing_is_left_out(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        assert_true(run(seed, 12, 0.3, 0.0, 0.02) < 12);
        assert_true(run(seed, 12, 0.3, 2.0, 0.02) < 12);
        run(seed, 12, 0.1, 0.0, 0.4);
        run(seed, 12, 3.0, 0.3, 0.1);
    }
}

/* If a few chains jump, the list gets their pairs, and no new list is made. */
static void test_a_list_is_mended(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        assert_in_range(run_with_jumps(seed, 24, 0.02, 0.0, 0.0, 3), 1, 4);
        assert_in_range(lists_mended, 15, 24);
        assert_in_range(run_with_jumps(seed, 24, 0.1, 0.3, 0.01, 3), 1, 8);
        assert_in_range(lists_mended, 8, 24);
    }
    for (uint64_t seed = 4; seed <= 20; ++seed)
        run_with_jumps(seed, 16, 0.1, 0.0, 0.01, 12);
}

/* A list of which only a few chains lack pairs; it has stored its capsules, because the list before it also lacked a few. */
static void begin_lacking(const cst_allocator *allocator, cst_arena *arena, cst_kept_pairs *kept)
{
    cst_rng rng;
    cst_rng_seed(&rng, 8, 1);
    begin(&w, 8, 0.0, 0.0);
    cst_kept_pairs_begin(kept, allocator);
    cst_arena_begin(arena, allocator);
    for (int i = 0; i < 2; ++i) {
        cut(&w, 0, true);
        assert_true(cst_kept_pairs_make(kept, &w.groups, arena));
        assert_int_equal(kept->mendable, i);
        jump(&w, &rng, i, 6);
        assert_false(cst_kept_pairs_cover(kept, &w.groups));
        assert_in_range(kept->lacking, 1, 6);
    }
}

/* Whatever allocation fails, a list that lacks pairs is not used. */
static void test_mending_without_memory(void **state)
{
    (void)state;
    int tries = 0;
    for (bool mended = false; !mended; ++tries) {
        int left = 1000;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_kept_pairs kept;
        cst_arena arena;
        begin_lacking(&allocator, &arena, &kept);
        cst_arena_end(&arena); /* with the memory of the first list, the second one would need no more */
        cst_arena_begin(&arena, &allocator);
        left = tries;
        mended = cst_kept_pairs_mend(&kept, &w.groups, &arena);
        assert_true(mended == (left >= 0));
        left = 1000;
        arena.failed = kept.arena.failed = false;
        assert_true(cst_kept_pairs_cover(&kept, &w.groups) == mended);
        cst_kept_pairs_end(&kept);
        cst_arena_end(&arena);
    }
    assert_in_range(tries, 2, 50);
}

/* At rest, and in a common motion, one list does for ever; in steady motion, one in several steps. */
static void test_steady_motion(void **state)
{
    (void)state;
    assert_int_equal(run(4, 12, 0.0, 0.0, 0.0), 1);
    assert_in_range(run(5, 12, 0.5, 0.0, 0.0), 2, 4);
    assert_in_range(run(5, 12, 0.5, 3.0, 0.0), 2, 4);
}

/* Other rules, other groups, something that jumps. */
static void test_what_ends_a_list(void **state)
{
    (void)state;
    cst_kept_pairs kept;
    cst_arena arena;
    begin(&w, 6, 0.1, 0.0);
    cut(&w, 0, true);
    cst_kept_pairs_begin(&kept, NULL);
    cst_arena_begin(&arena, NULL);
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    assert_true(cst_kept_pairs_make(&kept, &w.groups, &arena));
    assert_true(cst_kept_pairs_cover(&kept, &w.groups));
    w.groups.key = 1;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.groups.key = 0;
    w.groups.box_key = 1;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.groups.boxes = 0; /* who does not ask for boxes need not mind them */
    assert_true(cst_kept_pairs_cover(&kept, &w.groups));
    w.chain[17].bulge[0] += 5.0 * RADIUS; /* its ends stay */
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.chain[17].bulge[0] -= 5.0 * RADIUS;
    assert_true(cst_kept_pairs_cover(&kept, &w.groups));
    w.chain[17].start[1] += 5.0 * RADIUS;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.chain[17].start[1] -= 5.0 * RADIUS;
    w.chain[17].velocity[2] += 5.0 * RADIUS;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.chain[17].velocity[2] = NAN;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    w.absent = 17; /* there is none */
    assert_true(cst_kept_pairs_cover(&kept, &w.groups));
    w.groups.groups = CHAINS - 1;
    assert_false(cst_kept_pairs_cover(&kept, &w.groups));
    cst_kept_pairs_end(&kept);
    cst_arena_end(&arena);
}

/* Of two chains that rest, one of them but for a capsule that comes from afar: its ends' ways are such that the other capsule rests. */
static void course_of_two(const void *user, int32_t i, cst_group_course *out)
{
    (void)user;
    static const double origin[3] = {0.0};
    static const cst_piece_way way[2] = {{.spread = 0.0}, {.way = {{0.0, 0.0, -0.075}, {0.0, 0.0, 0.025}}}};
    *out = (cst_group_course){.reach = RADIUS, .way = &way[i]};
    for (int j = 0; j <= CST_QUARTERS; ++j)
        out->at[j] = origin;
}

static void no_pose(const void *user, int32_t i, double *out)
{
    (void)user;
    (void)i;
    memset(out, 0, CST_POSE * sizeof *out);
}

/* Two chains are in the list for ends that come towards each other from afar; other capsules, which rest, are nearer but not in the
 * list. What is said of the distance of the chains must hold for them too. */
static void test_gap_of_capsules_that_rest(void **state)
{
    (void)state;
    static const double z[4] = {0.0, 0.0, 0.1, 0.03}, wide[4] = {0.0};
    cst_capsule capsule[4];
    const int32_t first[3] = {0, 2, 4};
    const cst_capsule_groups groups = {.groups = 2,
                                       .course = course_of_two,
                                       .pose = no_pose,
                                       .first = first,
                                       .capsule = capsule,
                                       .wide = wide,
                                       .rule = any_pair,
                                       .groups_touch = any_pair,
                                       .groups_now = any_pair,
                                       .threads = 1};
    cst_kept_pairs kept;
    cst_arena arena;
    cst_pair_list list;
    uint8_t wanted[2] = {0, 0};
    for (int i = 0; i < 4; ++i)
        capsule[i] = (cst_capsule){.center = {0.2 * (i % 2), 0.0, z[i]},
                                   .half = {0.1, 0.0, 0.0},
                                   .radius = RADIUS,
                                   .way = {0.0, 0.0, i == 2 ? -0.05 : 0.0}};
    cst_kept_pairs_begin(&kept, NULL);
    cst_arena_begin(&arena, NULL);
    assert_true(cst_kept_pairs_make(&kept, &groups, &arena));
    cst_kept_pairs_want(&kept, &groups, wanted);
    assert_true(wanted[0] && wanted[1]);
    assert_true(cst_kept_pairs_list(&kept, &groups, &arena, &list));
    const int64_t pair = kept.pairs.row_start[1] - 1; /* 0 with itself, then with 1 */
    assert_int_equal(kept.pairs.partner[pair], 1);
    assert_in_range((int64_t)(1e6 * (double)kept.gap[pair]), 1, 10000); /* 0.03 - 2 RADIUS, but that is not all known */
    cst_kept_pairs_end(&kept);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gap_of_capsules_that_rest),
                                       cmocka_unit_test(test_nothing_is_left_out),
                                       cmocka_unit_test(test_a_list_is_mended),
                                       cmocka_unit_test(test_mending_without_memory),
                                       cmocka_unit_test(test_steady_motion),
                                       cmocka_unit_test(test_what_ends_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
