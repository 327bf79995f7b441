/* Broad phase against all pairs, detection against all pairs, self contact, rules of who touches whom, memory, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/broad_phase.h"
#include "collide/distance_arc.h"
#include "tests/collide_fixture.h"

static const double PI = 3.14159265358979323846;
static collide_scene s;

static int setup(void **state)
{
    (void)state;
    fixture_begin(&s);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cst_detector_end(&s.detector);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- broad phase */

static bool odd_sum(const void *user, int32_t a, int32_t b)
{
    (void)user;
    return (a + b) % 2 == 1;
}

static void boxes_against_all_pairs(void **state)
{
    (void)state;
    enum { MOST = 1500 };
    static cst_box box[MOST];
    cst_rng rng;
    cst_rng_seed(&rng, 51, 0);
    for (int round = 0; round < 40; ++round) {
        const int boxes = round < 12 ? round : 1 + cst_rng_integer(&rng, MOST);
        const double spread = cst_rng_log_range(&rng, 0.1, 100.0);
        for (int i = 0; i < boxes; ++i) { /* sizes over many decades, some infinite, some empty, some not numbers */
            const double size = cst_rng_log_range(&rng, 1e-3, round % 4 ? 1.0 : 30.0);
            for (int k = 0; k < 2; ++k) {
                box[i].low[k] = cst_rng_range(&rng, -spread, spread);
                box[i].high[k] = box[i].low[k] + size * cst_rng_uniform(&rng);
            }
            const int kind = cst_rng_integer(&rng, 200);
            if (kind == 0)
                box[i] = (cst_box){.low = {-INFINITY, -INFINITY}, .high = {INFINITY, INFINITY}};
            else if (kind == 1)
                box[i].low[0] = box[i].high[0] + 1.0;
            else if (kind == 2)
                box[i].high[1] = NAN;
            else if (kind < 10 && i > 0)
                box[i] = box[i - 1];
        }
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_pair_list pairs;
        assert_true(cst_overlapping_boxes(box, boxes, round % 2 ? odd_sum : NULL, NULL, 1, &arena, &pairs));
        for (int a = 0; a < boxes; ++a) {
            int64_t at = pairs.row_start[a];
            for (int b = a + 1; b < boxes; ++b) {
                const bool overlap = box[a].low[0] <= box[b].high[0] && box[b].low[0] <= box[a].high[0] &&
                                     box[a].low[1] <= box[b].high[1] && box[b].low[1] <= box[a].high[1] &&
                                     box[a].low[0] <= box[a].high[0] && box[b].low[0] <= box[b].high[0];
                const bool listed = at < pairs.row_start[a + 1] && pairs.partner[at] == b;
                if (overlap && !(round % 2 && !odd_sum(NULL, a, b)))
                    assert_true(listed);
                at += listed;
            }
            assert_true(at == pairs.row_start[a + 1]); /* in order, none twice, none else */
        }
        cst_arena_end(&arena);
    }
}

/* -------------------------------------------------------------------------------------------------------- against all pairs */

static void random_rods(cst_rng *rng, int rods, int elements, double bend)
{
    for (int r = 0; r < rods; ++r) {
        double x[2], k[64];
        x[0] = cst_rng_range(rng, -1.0, 1.0);
        x[1] = cst_rng_range(rng, -1.0, 1.0);
        const double length = cst_rng_log_range(rng, 0.01, 0.2);
        for (int e = 0; e < elements; ++e)
            k[e] = bend * cst_rng_range(rng, -0.3, 1.0) / length;
        const double angle = cst_rng_range(rng, -3.0, 3.0), radius = cst_rng_log_range(rng, 1e-3, 2e-2);
        const int owner = fixture_rod(&s, x, angle, k, elements, length, radius, radius, false);
        s.flags[owner] = r % 2 ? CST_OWNER_SELF_CONTACT : 0;
    }
}

/* Every pair of different owners, each on its own, without neighbours: a local minimum that is not at an end must be in the list, and
 * so must the least gap of two owners. */
static void detection_against_all_pairs(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 52, 0);
    long checked = 0;
    for (int round = 0; round < 30; ++round) {
        fixture_clear(&s);
        random_rods(&rng, 25, 8, 0.5);
        for (int i = 0; i < 20; ++i) {
            const double x = cst_rng_range(&rng, -1.0, 1.0), y = cst_rng_range(&rng, -1.0, 1.0);
            fixture_disk(&s, x, y, cst_rng_log_range(&rng, 1e-3, 0.3), 0.01);
        }
        fixture_detect(&s);
        static double least[64][64], found[64][64];
        for (int i = 0; i < 64; ++i)
            for (int j = 0; j < 64; ++j)
                least[i][j] = found[i][j] = INFINITY;
        for (int t = 0; t < s.touches; ++t) {
            const cst_touch *touch = &s.touch[t];
            double *at = &found[s.arc[touch->a].owner][s.arc[touch->b].owner];
            *at = fmin(*at, touch->gap);
            assert_true(touch->a < touch->b && touch->gap < s.margin[touch->a] + s.margin[touch->b]);
            if (t > 0)
                assert_true(touch[-1].a < touch->a ||
                            (touch[-1].a == touch->a &&
                             (touch[-1].b < touch->b || (touch[-1].b == touch->b && touch[-1].branch < touch->branch))));
        }
        for (int a = 0; a < s.scene.arcs; ++a)
            for (int b = a + 1; b < s.scene.arcs; ++b) {
                if (s.arc[a].owner == s.arc[b].owner)
                    continue;
                cst_placed_arc p, q;
                cst_place_arc(&s.arc[a], &p);
                cst_place_arc(&s.arc[b], &q);
                cst_touch touch[CST_TOUCHES_MAX];
                const cst_touch_rules rules = {.margin = s.margin[a] + s.margin[b]};
                const int count = cst_touch_arcs(&p, &q, &rules, touch);
                double *at = &least[s.arc[a].owner][s.arc[b].owner];
                for (int i = 0; i < count; ++i) {
                    *at = fmin(*at, touch[i].gap);
                    bool inside = touch[i].s_a > 1e-5 * p.l && touch[i].s_a < (1.0 - 1e-5) * p.l && touch[i].s_b > 1e-5 * q.l &&
                                  touch[i].s_b < (1.0 - 1e-5) * q.l;
                    for (int t = 0; inside && t < s.touches; ++t)
                        if (s.touch[t].a == a && s.touch[t].b == b && fabs(s.touch[t].s_a - touch[i].s_a) < 1e-9 &&
                            fabs(s.touch[t].s_b - touch[i].s_b) < 1e-9)
                            inside = false;
                    assert_false(inside);
                }
            }
        for (int i = 0; i < s.scene.owners; ++i)
            for (int j = 0; j < s.scene.owners; ++j) {
                assert_true(least[i][j] == found[i][j] || fabs(least[i][j] - found[i][j]) < 1e-12);
                checked += isfinite(least[i][j]);
            }
    }
    assert_true(checked > 500);
}

/* ----------------------------------------------------------------------------------------------------------- self contact */

/* The least distance of a rod to itself over points with half a turn between them, by sampling. */
static double self_distance(const cst_arc *first, int elements, int samples)
{
    static double x[20000][3];
    int count = 0;
    double turned = 0.0;
    for (int e = 0; e < elements; ++e) {
        for (int i = 0; i < samples; ++i) {
            const double at = first[e].l * i / samples;
            const oracle_point p = oracle_at(&first[e], at);
            x[count][0] = (double)p.x[0];
            x[count][1] = (double)p.x[1];
            x[count++][2] = turned + fabs(first[e].k) * at;
        }
        turned += fabs(first[e].k) * first[e].l;
    }
    double least = INFINITY;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            if (x[j][2] - x[i][2] > 0.9 * PI)
                least = fmin(least, hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]));
    return least;
}

static void spirals(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 53, 0);
    for (int i = 0; i < 60; ++i) {
        enum { ELEMENTS = 40 };
        const double x[2] = {0.3, 0.1}, length = 0.05, grow = cst_rng_range(&rng, 0.05, 0.3), radius = 0.005;
        double k[ELEMENTS];
        for (int e = 0; e < ELEMENTS; ++e) /* tighter and tighter */
            k[e] = 4.0 + grow * e;
        fixture_clear(&s);
        const int owner = fixture_rod(&s, x, 0.0, k, ELEMENTS, length, radius, 0.1, false);
        assert_int_equal(fixture_detect(&s), 0); /* not allowed */
        s.flags[owner] = CST_OWNER_SELF_CONTACT;
        assert_true(fixture_detect(&s) >= 1);
        double least = INFINITY;
        for (int t = 0; t < s.touches; ++t)
            least = fmin(least, s.touch[t].gap + 2.0 * radius);
        const double sampled = self_distance(s.arc, ELEMENTS, 40);
        assert_true(least <= sampled + 1e-12 && least > sampled - 2e-3);
    }
}

static void rods_and_rings_with_themselves(void **state)
{
    (void)state;
    const double x[2] = {0.0, 0.0}, none[2] = {0.0, 0.0};
    /* A circle, of any number of elements and any thickness, does not touch itself; nor does a bow. */
    for (int elements = 1; elements <= 32; elements *= 2) {
        double k[32];
        for (int e = 0; e < elements; ++e)
            k[e] = 2.0;
        fixture_clear(&s);
        s.flags[fixture_rod(&s, x, 0.3, k, elements, PI / elements, 0.3, 0.05, true)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&s), 0);
        fixture_clear(&s);
        s.flags[fixture_rod(&s, x, 0.3, k, elements, 0.45 * PI / elements, 0.3, 0.3, false)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&s), 0);
    }
    /* Nearly closed: the ends face each other, whether it is one element or many. */
    for (int elements = 1; elements <= 32; elements *= 2) {
        double k[32];
        for (int e = 0; e < elements; ++e)
            k[e] = 2.0;
        fixture_clear(&s);
        s.flags[fixture_rod(&s, x, 0.3, k, elements, 0.97 * PI / elements, 0.01, 0.05, false)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(s.touch->gap - (sin(0.03 * PI) - 0.02)) < 1e-12);
    }
    /* A ring pressed flat: two straight sides h apart, joined by half circles; touches along the sides. */
    enum { STRAIGHT = 5, ROUND = 4 };
    double k[2 * (STRAIGHT + ROUND)];
    const double h = 0.2, length = PI * 0.5 * h / ROUND;
    for (int e = 0; e < 2 * (STRAIGHT + ROUND); ++e)
        k[e] = e % (STRAIGHT + ROUND) < STRAIGHT ? 0.0 : 2.0 / h;
    fixture_clear(&s);
    s.flags[fixture_rod(&s, none, 0.0, k, 2 * (STRAIGHT + ROUND), length, 0.09, 0.05, true)] = CST_OWNER_SELF_CONTACT;
    fixture_detect(&s);
    assert_int_equal(s.touches, STRAIGHT + 1); /* the joints of one side face those of the other */
    for (int t = 0; t < s.touches; ++t)
        assert_true(fabs(s.touch[t].gap - (h - 0.18)) < 1e-12 && fabs(fabs(s.touch[t].normal[1]) - 1.0) < 1e-9);
}

/* ----------------------------------------------------------------------------------------------------------------- rules */

static void who_touches_whom(void **state)
{
    (void)state;
    fixture_clear(&s);
    fixture_plane(&s, 0.0, 1.0, 0.0); /* owner 0 */
    for (int i = 0; i < 4; ++i)
        fixture_disk(&s, 0.15 * i, 0.09, 0.1, 0.0); /* owners 1 to 4, each overlaps the next and the ground */
    assert_int_equal(fixture_detect(&s), 3 + 4);
    s.flags[1] = s.flags[2] = CST_OWNER_FIXED; /* not each other, not the ground */
    assert_int_equal(fixture_detect(&s), 2 + 2);
    s.flags[3] = CST_OWNER_GHOST;
    assert_int_equal(fixture_detect(&s), 0 + 1);
    s.flags[1] = s.flags[2] = s.flags[3] = 0;
    const cst_owner_pair apart[] = {{0, 4}, {1, 2}, {2, 3}};
    s.scene.apart = apart;
    s.scene.aparts = 3;
    assert_int_equal(fixture_detect(&s), 1 + 3);
    for (int t = 0; t < s.touches; ++t)
        assert_true(s.touch[t].b == 4 || (s.touch[t].a == 2 && s.touch[t].b == 3));
    s.scene.aparts = 0;
    s.scene.apart = NULL;
    /* Within a drum, before or after it in the list. */
    fixture_clear(&s);
    fixture_disk(&s, 0.7, 0.0, 0.25, 0.1);
    fixture_disk(&s, 0.0, 0.0, 1.0, 0.0);
    s.arc[1].hollow = true;
    fixture_disk(&s, 0.0, 5.0, 0.2, 0.0); /* far outside: still brought back */
    assert_int_equal(fixture_detect(&s), 2);
    assert_true(fabs(s.touch[0].gap - 0.05) < 1e-12 && s.touch[0].normal[0] < -0.99);
    assert_true(fabs(s.touch[1].gap + 4.2) < 1e-12 && s.touch[1].a == 1 && s.touch[1].normal[1] > 0.99); /* from 2 to the drum */
}

static void nothing_and_nonsense(void **state)
{
    (void)state;
    fixture_clear(&s);
    assert_int_equal(fixture_detect(&s), 0);
    assert_int_equal(s.detector.ignored, 0);
    fixture_plane(&s, 0.0, 1.0, 0.0);
    assert_int_equal(fixture_detect(&s), 0);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i)
        for (int field = 0; field < 7; ++field) {
            const double x[2] = {0.0, 0.005};
            fixture_clear(&s);
            fixture_plane(&s, 0.0, 1.0, 0.0);
            fixture_rod(&s, x, 0.0, NULL, 5, 0.1, 0.01, 0.01, false);
            fixture_disk(&s, 0.25, 0.03, 0.02, 0.01);
            double *const at[7] = {&s.arc[2].x[0], &s.arc[2].x[1],   &s.arc[2].angle, &s.arc[2].k,
                                   &s.arc[2].l,    &s.arc[2].radius, &s.margin[2]};
            *at[field] = bad[i];
            fixture_detect(&s);
            assert_int_equal(s.detector.ignored, 1);
            assert_true(s.touches >= 5);
            for (int t = 0; t < s.touches; ++t)
                assert_true(s.touch[t].a != 2 && s.touch[t].b != 2 && isfinite(s.touch[t].gap));
        }
    fixture_clear(&s);
    fixture_plane(&s, NAN, 1.0, 0.0);
    fixture_disk(&s, 0.0, 0.0, 1.0, 0.0);
    assert_int_equal(fixture_detect(&s), 0);
    assert_int_equal(s.detector.ignored, 1);
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

typedef struct counting {
    long acquired, allowed; /* allowed < 0: no limit */
} counting;

static void *count_acquire(void *user, size_t bytes)
{
    counting *c = user;
    if (c->allowed >= 0 && c->acquired >= c->allowed)
        return NULL;
    ++c->acquired;
    return malloc(bytes);
}

static void count_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void memory(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 54, 0);
    fixture_clear(&s);
    random_rods(&rng, 100, 40, 0.3);
    fixture_plane(&s, 0.0, 1.0, 0.0);
    const int expected = fixture_detect(&s);
    assert_true(expected > 1000);
    counting count = {.allowed = -1};
    const cst_allocator allocator = {.acquire = count_acquire, .release = count_release, .user = &count};
    cst_detector detector;
    cst_detector_begin(&detector, &allocator);
    const cst_touch *touch;
    for (int turn = 0; turn < 3; ++turn)
        assert_int_equal(cst_detect_plane(&detector, &s.scene, &touch), expected);
    const long warm = count.acquired;
    for (int turn = 0; turn < 10; ++turn)
        assert_int_equal(cst_detect_plane(&detector, &s.scene, &touch), expected);
    assert_int_equal(count.acquired, warm);
    cst_detector_end(&detector);
    for (long allowed = 0;; ++allowed) { /* each allocation failed in turn; the next call, with memory, is right again */
        count = (counting){.allowed = allowed};
        cst_detector_begin(&detector, &allocator);
        const int got = cst_detect_plane(&detector, &s.scene, &touch);
        count.allowed = -1;
        if (got < 0) {
            assert_null(touch);
            assert_int_equal(cst_detect_plane(&detector, &s.scene, &touch), expected);
        }
        cst_detector_end(&detector);
        if (got >= 0) {
            assert_int_equal(got, expected);
            assert_true(allowed > 3);
            break;
        }
    }
}

/* A hundred thousand arcs: done, and the same as in four quarters far apart. */
static void many(void **state)
{
    (void)state;
    enum { RODS = 3125, ELEMENTS = 32, ARCS = RODS * ELEMENTS };
    cst_arc *arc = calloc(ARCS, sizeof *arc);
    double *margin = calloc(ARCS, sizeof *margin);
    assert_non_null(arc);
    assert_non_null(margin);
    cst_rng rng;
    cst_rng_seed(&rng, 55, 0);
    for (int r = 0; r < RODS; ++r) {
        cst_arc next = {.l = 0.05, .radius = 0.005, .owner = r, .owner_length = 0.05 * ELEMENTS};
        next.x[0] = cst_rng_range(&rng, 0.0, 12.0) + 1000.0 * (r % 2);
        next.x[1] = cst_rng_range(&rng, 0.0, 12.0) - 1000.0 * (r / 2 % 2);
        next.angle = cst_rng_range(&rng, -3.0, 3.0);
        for (int e = 0; e < ELEMENTS; ++e) {
            next.k = cst_rng_range(&rng, -4.0, 4.0);
            next.feature = e;
            next.s = 0.05 * e;
            margin[r * ELEMENTS + e] = 0.002;
            arc[r * ELEMENTS + e] = next;
            const oracle_point end = oracle_at(&next, next.l);
            next.x[0] = (double)end.x[0];
            next.x[1] = (double)end.x[1];
            next.angle += next.k * next.l;
        }
    }
    cst_plane_scene scene = {.arcs = ARCS, .arc = arc, .margin = margin, .owners = RODS};
    cst_detector detector;
    cst_detector_begin(&detector, NULL);
    const cst_touch *touch;
    const int touches = cst_detect_plane(&detector, &scene, &touch);
    assert_true(touches > 10000);
    cst_touch *kept = malloc((size_t)touches * sizeof *kept);
    assert_non_null(kept);
    memcpy(kept, touch, (size_t)touches * sizeof *kept);
    /* The same with owners in one quarter only. */
    uint8_t *flags = calloc(RODS, 1);
    assert_non_null(flags);
    scene.owner_flags = flags;
    int sum = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (int r = 0; r < RODS; ++r)
            flags[r] = r % 4 == quarter ? 0 : CST_OWNER_GHOST;
        const int part = cst_detect_plane(&detector, &scene, &touch);
        int next = 0;
        for (int t = 0; t < part; ++t) {
            while (next < touches && !fixture_same(&kept[next], &touch[t]))
                ++next;
            assert_true(next < touches);
        }
        sum += part;
    }
    assert_int_equal(sum, touches);
    free(flags);
    free(kept);
    free(margin);
    free(arc);
    cst_detector_end(&detector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_against_all_pairs),
        cmocka_unit_test(detection_against_all_pairs),
        cmocka_unit_test(spirals),
        cmocka_unit_test(rods_and_rings_with_themselves),
        cmocka_unit_test(who_touches_whom),
        cmocka_unit_test(nothing_and_nonsense),
        cmocka_unit_test(memory),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
