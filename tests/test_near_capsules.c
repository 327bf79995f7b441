/* The tree of capsules that move: nothing that may meet is left out, whatever their sizes, and little else is listed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/capsule_pairs.h"
#include "collide/distance_segment.h"
#include "math/vector3.h"

enum { MOST = 1500, BOXES = 20 };

static cst_capsule capsule[MOST];
static cst_moving_box box[BOXES];

static bool any_pair(const void *user, int32_t a, int32_t b)
{
    (void)user;
    return a < b;
}

static void random_capsule(cst_rng *rng, double length, double radius, double speed, cst_capsule *out)
{
    *out = (cst_capsule){.radius = cst_rng_log_range(rng, 0.01, 1.0) * radius, .spread = 0.1 * speed * cst_rng_uniform(rng)};
    cst_rng_direction(rng, 3, out->half);
    cst_rng_direction(rng, 3, out->way);
    const double half = 0.5 * length * cst_rng_uniform(rng);
    for (int k = 0; k < 3; ++k) {
        out->center[k] = cst_rng_range(rng, 5.0, 6.0); /* away from the origin: single precision is worse there */
        out->half[k] *= half;
        out->way[k] *= speed;
    }
}

/* Line distance minus what the two may come nearer: what the contract says, in double precision. */
static double apart(const cst_capsule *a, const cst_capsule *b)
{
    double end[4][3], way[3];
    for (int k = 0; k < 3; ++k) {
        end[0][k] = a->center[k] - a->half[k];
        end[1][k] = a->center[k] + a->half[k];
        end[2][k] = b->center[k] - b->half[k];
        end[3][k] = b->center[k] + b->half[k];
    }
    cst_subtract3(a->way, b->way, way);
    return cst_segment_segment(end[0], end[1], end[2], end[3]).distance - a->radius - b->radius - sqrt(cst_dot3(way, way)) -
           a->spread - b->spread;
}

static bool listed(const cst_pair_list *list, int32_t a, int32_t b)
{
    for (int64_t i = list->row_start[a]; i < list->row_start[a + 1]; ++i)
        if (list->partner[i] == b)
            return true;
    return false;
}

static void find(int count, int boxes, int threads, cst_arena *arena, cst_pair_list *out)
{
    const cst_capsule_scene scene = {
        .capsules = count, .capsule = capsule, .boxes = boxes, .box = box, .rule = any_pair, .threads = threads};
    assert_true(cst_near_capsules(&scene, arena, out, NULL));
}

static void check_all(int count, double slack)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_pair_list list;
    find(count, 0, 1, &arena, &list);
    for (int32_t a = 0; a < count; ++a) {
        for (int64_t i = list.row_start[a]; i + 1 < list.row_start[a + 1]; ++i)
            assert_true(list.partner[i] < list.partner[i + 1]);
        for (int32_t b = a + 1; b < count; ++b) {
            const double gap = apart(&capsule[a], &capsule[b]);
            const bool is = listed(&list, a, b), there = capsule[a].radius >= 0.0 && capsule[b].radius >= 0.0;
            if (there && gap < 0.0)
                assert_true(is);
            if (!there || gap > slack)
                assert_false(is);
        }
    }
    cst_arena_end(&arena);
}

static void finds_all_and_no_more(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    static const struct {
        int count;
        double length, radius, speed;
    } of[] = {{1, 0.1, 0.1, 0.0},    {7, 0.3, 0.1, 0.1},      {8, 0.3, 0.1, 0.1},    {9, 0.5, 0.1, 0.1},
              {700, 0.2, 0.01, 0.0}, {1000, 0.3, 0.003, 0.1}, {600, 0.0, 0.05, 0.3}, {65, 1.0, 1e-6, 1e-6}};
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        for (int j = 0; j < of[i].count; ++j)
            random_capsule(&rng, of[i].length, of[i].radius, of[i].speed, &capsule[j]);
        check_all(of[i].count, 1e-3);
    }
}

/* Bundles of parallel lines side by side, and lines end to end. */
static void finds_all_of_bundles(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        for (int i = 0; i < 512; ++i) {
            const double x = i % 8 * 0.01, y = i / 8 % 8 * 0.01, z = i / 64 * 0.1, sign = i % 2 ? -1.0 : 1.0;
            capsule[i] = (cst_capsule){.center = {x, y, z}, .half = {0.0, 0.0, 0.05 * sign}, .radius = 0.00501};
            if (turned) /* along a diagonal: boxes say nothing */
                capsule[i] = (cst_capsule){
                    .center = {x + z, z - x + y, z - y}, .half = {0.05 * sign, 0.05 * sign, 0.05 * sign}, .radius = 0.00501};
        }
        check_all(512, 1e-6);
    }
}

/* A common velocity changes nothing; a relative one does. */
static void common_motion_counts_for_nothing(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    cst_arena arena;
    int64_t pairs[3];
    for (int i = 0; i < 1000; ++i)
        random_capsule(&rng, 0.1, 0.005, 0.0, &capsule[i]);
    for (int speed = 0; speed < 3; ++speed) {
        cst_arena_begin(&arena, NULL);
        for (int i = 0; i < 1000; ++i) {
            capsule[i].spread = 0.0;
            capsule[i].way[0] = speed == 1 ? 100.0 : speed == 2 ? 0.01 * (i % 2) : 0.0;
        }
        cst_pair_list list;
        find(1000, 0, 1, &arena, &list);
        pairs[speed] = list.row_start[1000];
        cst_arena_end(&arena);
    }
    /* single precision rounds a way of 100 to 1e-5: that much wider is the search then */
    assert_true(pairs[0] > 0 && pairs[1] >= pairs[0] && pairs[1] <= pairs[0] + pairs[0] / 4);
    assert_true(pairs[2] > pairs[0]);
}

static void leaves_out_what_is_not_there(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 300; ++i)
        random_capsule(&rng, 0.3, 0.1, 0.0, &capsule[i]);
    for (int i = 0; i < 300; i += 7)
        capsule[i].radius = i % 2 ? NAN : -1.0;
    check_all(300, 1e-3);
    for (int i = 0; i < 300; ++i)
        capsule[i].radius = -1.0;
    check_all(300, 1e-3);
}

static void finds_boxes(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 8, 0);
    const int count = 500;
    for (int i = 0; i < count; ++i)
        random_capsule(&rng, 0.2, 0.02, 0.05, &capsule[i]);
    for (int i = 0; i < BOXES; ++i) {
        box[i] = (cst_moving_box){.spread = 0.01 * cst_rng_uniform(&rng), .way = {0.1 * (i % 3)}};
        for (int k = 0; k < 3; ++k) {
            box[i].box.low[k] = cst_rng_range(&rng, 5.0, 6.0);
            box[i].box.high[k] = box[i].box.low[k] + cst_rng_range(&rng, 0.0, 0.3);
        }
    }
    box[3].box = (cst_box){.low = {1.0}, .high = {0.0}};
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_pair_list list;
    find(count, BOXES, 2, &arena, &list);
    int found = 0;
    for (int i = 0; i < BOXES; ++i)
        for (int j = 0; j < count; ++j) {
            double way[3];
            cst_subtract3(capsule[j].way, box[i].way, way);
            const double about = capsule[j].radius + sqrt(cst_dot3(way, way)) + capsule[j].spread + box[i].spread;
            double open = -INFINITY;
            for (int k = 0; k < 3; ++k) {
                const double half = fabs(capsule[j].half[k]) + about;
                open = fmax(open, fmax(box[i].box.low[k] - capsule[j].center[k] - half,
                                       capsule[j].center[k] - half - box[i].box.high[k]));
            }
            const bool is = listed(&list, j, count + i);
            if (i != 3 && open < 0.0)
                assert_true(is);
            if (i == 3 || open > 1e-3)
                assert_false(is);
            found += is;
        }
    assert_true(found > 20);
    cst_arena_end(&arena);
}

static void memory_is_linear_in_what_is_near(void **state)
{
    (void)state;
    /* Parallel lines of length 1 along a diagonal, 0.02 apart: the box of each holds most others; nothing is near. */
    size_t peak[2];
    for (int half = 0; half < 2; ++half) {
        const int side = half ? 16 : 32;
        for (int i = 0; i < side * side; ++i) {
            const double x = 0.02 * (i % side), y = 0.02 * (i / side);
            capsule[i] = (cst_capsule){.center = {x, y - x, -y}, .half = {0.5, 0.5, 0.5}, .radius = 0.005};
        }
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_pair_list list;
        find(side * side, 0, 1, &arena, &list);
        assert_int_equal(list.row_start[side * side], 0);
        peak[half] = arena.peak;
        cst_arena_end(&arena);
    }
    assert_true(peak[0] < 5 * peak[1]);
}

/* Capsules that all may meet have too many pairs: the search stops and says so, with one thread and with two. A limit that is not
 * wanted does not stop it. */
static void too_many_pairs_stop_the_search(void **state)
{
    (void)state;
    enum { COUNT = MOST }; /* 1,124,250 pairs */
    assert_int_equal(cst_pairs_most(COUNT), CST_PAIRS_LEAST);
    assert_int_equal(cst_pairs_most(100000), 100000 * CST_PAIRS_EACH);
    for (int i = 0; i < COUNT; ++i)
        capsule[i] = (cst_capsule){.center = {1e-6 * i, 0.0, 0.0}, .half = {0.0, 0.0, 0.1}, .radius = 0.01};
    for (int threads = 1; threads <= 2; ++threads)
        for (int limited = 0; limited < 2; ++limited) {
            const cst_capsule_scene scene = {.capsules = COUNT, .capsule = capsule, .rule = any_pair, .threads = threads};
            bool crowded = false;
            cst_arena arena;
            cst_arena_begin(&arena, NULL);
            cst_pair_list list;
            assert_int_equal(cst_near_capsules(&scene, &arena, &list, limited ? &crowded : NULL), !limited);
            assert_int_equal(crowded, limited);
            assert_false(arena.failed);
            cst_arena_end(&arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_and_no_more),
        cmocka_unit_test(finds_all_of_bundles),
        cmocka_unit_test(common_motion_counts_for_nothing),
        cmocka_unit_test(leaves_out_what_is_not_there),
        cmocka_unit_test(finds_boxes),
        cmocka_unit_test(memory_is_linear_in_what_is_near),
        cmocka_unit_test(too_many_pairs_stop_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
