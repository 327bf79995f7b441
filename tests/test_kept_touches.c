/* What is kept of a detection answers the next question in the bits that a search of its own would give (collide/kept_touches.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/space_fixture.h"

enum { FIBERS = 40, PIECES_EACH = 4, PIECES = FIBERS * PIECES_EACH };

typedef struct crowd {
    fixture_element element[PIECES];
    cst_piece piece[PIECES];
    cst_piece_shape shape[PIECES];
    cst_piece_way way[PIECES], next[PIECES];
    double margin[PIECES];
    cst_curve_view curve[FIBERS + 1];
    cst_solid solid[1];
    double solid_margin[1];
    cst_solid_way solid_way[1], solid_next[1];
    cst_space_scene scene;
} crowd;

static const double RADIUS = 0.02;

/* Curved fibers in a box, over a sphere; each moves with a velocity of its own times `speed`, and with all the others. */
static void gather(crowd *c, uint64_t seed, double speed)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    memset(c, 0, sizeof *c);
    for (int f = 0; f < FIBERS; ++f) {
        fixture_element e;
        fixture_random_element(&rng, 0.3, 1.5, 2.0, &e);
        double v[3];
        cst_rng_direction(&rng, 3, v);
        for (int k = 0; k < 3; ++k)
            e.x[k] = 0.8 * cst_rng_uniform(&rng);
        c->curve[f] =
            (cst_curve_view){.at = fixture_curve_at, .drift = fixture_curve_drift, .user = c->element + f * PIECES_EACH};
        for (int i = 0; i < PIECES_EACH; ++i) {
            const int index = f * PIECES_EACH + i;
            double at[3], along[3];
            c->element[index] = e;
            c->margin[index] = 0.25 * RADIUS;
            c->piece[index] = (cst_piece){.owner = f,
                                          .feature = i,
                                          .length = e.length,
                                          .radius = RADIUS,
                                          .curvature = fixture_curvature(&e),
                                          .s = i * e.length,
                                          .owner_length = PIECES_EACH * e.length};
            for (int end = 0; end < 2; ++end)
                for (int k = 0; k < 3; ++k)
                    c->next[index].way[end][k] = speed * RADIUS * (v[k] + 0.2 * (i + end)) + 0.7 * (k == 0);
            c->next[index].spread = 0.05 * speed * RADIUS;
            fixture_element_at(&e, e.length, at, along);
            memcpy(e.x, at, sizeof at);
            memcpy(e.t, along, sizeof along);
        }
    }
    c->solid[0] = (cst_solid){.owner = FIBERS,
                              .kind = CST_SOLID_SPHERE,
                              .size = {0.2},
                              .position = {0.4, 0.4, 0.4},
                              .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    c->solid_next[0].way[0] = 0.7;
    c->scene = (cst_space_scene){.pieces = PIECES,
                                 .piece = c->piece,
                                 .shape = c->shape,
                                 .margin = c->margin,
                                 .solids = 1,
                                 .solid = c->solid,
                                 .solid_margin = c->solid_margin,
                                 .owners = FIBERS + 1,
                                 .curve = c->curve,
                                 .flat = 0.25 * RADIUS,
                                 .threads = 1};
}

/* The ways of the step: `share` of those expected, and off them by `off` radii at most. */
static void move(crowd *c, uint64_t seed, double share, double off)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 1);
    for (int i = 0; i < PIECES; ++i) {
        c->way[i].spread = share * c->next[i].spread;
        for (int end = 0; end < 2; ++end)
            for (int k = 0; k < 3; ++k)
                c->way[i].way[end][k] = share * c->next[i].way[end][k] + off * RADIUS * cst_rng_range(&rng, -0.57, 0.57);
    }
    for (int k = 0; k < 3; ++k)
        c->solid_way[0].way[k] = share * c->solid_next[0].way[k];
}

static void expect_next(crowd *c, bool next)
{
    c->scene.way = next ? NULL : c->way;
    c->scene.solid_way = next ? NULL : c->solid_way;
    c->scene.next_way = next ? c->next : NULL;
    c->scene.next_solid_way = next ? c->solid_next : NULL;
}

static int search(crowd *c, cst_detector *detector, const cst_touch_space **touch)
{
    fixture_take_shapes(c->element, PIECES, c->shape);
    return cst_detect_space(detector, &c->scene, touch);
}

static int64_t pairs_asked,
    pairs_of_own; /* jobs of searches after the end of a step had been looked at, and of searches of their own */

/* Searches that the question took after the end of a step had been looked at. */
static int64_t ask(crowd *c, uint64_t seed, double share, double off, int *touches)
{
    cst_detector kept, own;
    const cst_touch_space *touch, *expected;
    cst_detector_begin(&kept, NULL);
    cst_detector_begin(&own, NULL);
    expect_next(c, true);
    assert_true(search(c, &kept, &touch) >= 0);
    move(c, seed, share, off);
    expect_next(c, false);
    const int count = search(c, &kept, &touch), truth = search(c, &own, &expected);
    assert_int_equal(count, truth);
    for (int i = 0; i < count; ++i)
        assert_memory_equal(touch + i, expected + i, sizeof *touch);
    *touches = count;
    const int64_t searches = kept.searches - 1;
    pairs_asked += searches * kept.pairs;
    pairs_of_own += own.pairs;
    cst_detector_end(&kept);
    cst_detector_end(&own);
    return searches;
}

static crowd c;

static void test_same_bits(void **state)
{
    (void)state;
    static const double SPEED[] = {0.0, 0.1, 0.5, 1.0, 4.0};
    int touches, all = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed)
        for (int i = 0; i < 5; ++i) {
            gather(&c, seed, SPEED[i]);
            assert_int_equal(ask(&c, seed, 1.0, 0.0, &touches), 0); /* as expected */
            all += touches;
            assert_int_equal(ask(&c, seed, 1.0, 0.045, &touches), 0); /* within the slack: 2 x 0.045 < 0.4 x 0.25 */
            all += touches;
            assert_int_equal(ask(&c, seed, 0.5, 0.0, &touches), 0); /* a step that was halved */
            all += touches;
            ask(&c, seed, 0.5, 0.04, &touches);
            all += touches;
            assert_int_equal(ask(&c, seed, 1.0, 2.0, &touches), 1); /* nothing like it */
            all += touches;
            assert_int_equal(ask(&c, seed, 0.0, 0.2, &touches), 1); /* less far, elsewhere: most pairs are known */
            all += touches;
        }
    assert_true(all > 3000);
}

/* Ways that are not covered as a whole: only pairs of which that is so are searched. */
static void test_some_pairs_are_covered(void **state)
{
    (void)state;
    static const double SPEED[] = {0.1, 0.5, 2.0}, SHARE[] = {2.0, 1.0, 1.0, 0.5, 0.0, 0.0},
                        OFF[] = {0.0, 0.1, 0.3, 0.15, 0.1, 0.5};
    int touches, all = 0;
    pairs_asked = pairs_of_own = 0;
    for (uint64_t seed = 11; seed <= 14; ++seed)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 6; ++j) {
                gather(&c, seed, SPEED[i]);
                if (seed % 2) { /* a sphere that turns beside its middle */
                    c.solid_next[0].turn[2] = c.solid_way[0].turn[2] = 0.3;
                    c.solid_way[0].turn[1] = 0.01 * j;
                }
                ask(&c, seed, SHARE[j], OFF[j], &touches);
                all += touches;
            }
    assert_true(all > 2000);
    assert_true(pairs_asked > 0 && pairs_asked < pairs_of_own);
}

/* Any shape that is another makes it another question. */
static void test_changed_shapes(void **state)
{
    (void)state;
    for (int change = 0; change < 8; ++change) {
        cst_detector kept;
        const cst_touch_space *touch;
        const cst_owner_pair apart[1] = {{.low = 0, .high = 1}};
        const uint8_t flags[FIBERS + 1] = {1};
        gather(&c, 3, 0.1);
        cst_detector_begin(&kept, NULL);
        expect_next(&c, true);
        assert_true(search(&c, &kept, &touch) >= 0);
        move(&c, 3, 1.0, 0.0);
        expect_next(&c, false);
        if (change == 1)
            c.element[7].x[1] += 1e-12;
        else if (change == 2)
            c.piece[5].radius *= 1.0 + 1e-12;
        else if (change == 3)
            c.solid[0].position[2] += 1e-12;
        else if (change == 4) {
            c.scene.apart = apart;
            c.scene.aparts = 1;
        } else if (change == 5)
            c.scene.owner_flags = flags;
        else if (change == 6)
            c.solid[0].size[0] *= 1.0 + 1e-12;
        else if (change == 7)
            c.margin[9] *= 1.0 + 1e-12;
        assert_true(search(&c, &kept, &touch) >= 0);
        assert_int_equal(kept.searches, change ? 2 : 1);
        cst_detector_end(&kept);
    }
}

/* The start of a step is still known when its end has been looked at: a step that is begun again need not search. */
static void test_both_ends_are_kept(void **state)
{
    (void)state;
    cst_detector kept;
    const cst_touch_space *touch;
    gather(&c, 4, 0.2);
    cst_detector_begin(&kept, NULL);
    expect_next(&c, true);
    assert_true(search(&c, &kept, &touch) >= 0);
    move(&c, 4, 1.0, 0.0);
    const fixture_element start = c.element[0];
    for (int attempt = 0; attempt < 3; ++attempt) {
        c.element[0] = start;
        expect_next(&c, false);
        assert_true(search(&c, &kept, &touch) >= 0);
        assert_int_equal(kept.searches, 1 + attempt);
        c.element[0].x[0] += 1e-3 * (1 + attempt);
        expect_next(&c, true);
        assert_true(search(&c, &kept, &touch) >= 0);
    }
    cst_detector_end(&kept);
}

/* Fibers that move on, bend and are cut anew: the detector that keeps its pairs finds the touches of one that has none, and makes few
 * lists of pairs. */
static void test_kept_pairs_have_the_same_bits(void **state)
{
    (void)state;
    static const double SPEED[] = {0.0, 0.3, 2.0};
    int touches = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed)
        for (int i = 0; i < 3; ++i) {
            cst_detector kept;
            cst_detector_begin(&kept, NULL);
            gather(&c, seed, SPEED[i]);
            for (int step = 0; step < 12; ++step) {
                const cst_touch_space *touch, *expected;
                cst_detector own;
                cst_detector_begin(&own, NULL);
                c.scene.threads = 1 + step % 2;
                expect_next(&c, step % 3 == 2);
                move(&c, seed, 1.0, 0.0);
                const int count = search(&c, &kept, &touch), truth = search(&c, &own, &expected);
                assert_int_equal(count, truth);
                for (int k = 0; k < count; ++k)
                    assert_memory_equal(touch + k, expected + k, sizeof *touch);
                touches += count;
                cst_detector_end(&own);
                for (int k = 0; k < PIECES; ++k) {
                    for (int x = 0; x < 3; ++x)
                        c.element[k].x[x] += 0.5 * (c.next[k].way[0][x] + c.next[k].way[1][x]);
                    for (int x = 0; x < 3; ++x)
                        c.element[k].turn[x] *= 1.0 + 0.01 * ((k + step) % 3);
                    c.piece[k].curvature = fixture_curvature(c.element + k);
                }
                c.solid[0].position[0] += c.solid_next[0].way[0];
            }
            assert_int_equal(kept.searches, 12);
            assert_true(kept.pairs_kept.made <= 6);
            cst_detector_end(&kept);
        }
    assert_true(touches > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits), cmocka_unit_test(test_some_pairs_are_covered),
                                       cmocka_unit_test(test_changed_shapes), cmocka_unit_test(test_both_ends_are_kept),
                                       cmocka_unit_test(test_kept_pairs_have_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
