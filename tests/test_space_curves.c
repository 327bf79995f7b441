/* Contacts of centrelines in space against brute force: helices, chains with corners, smooth chains, self contact, degenerate
 * cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/space_fixture.h"

static const double PI = 3.14159265358979323846;
static space_fixture f;

static int setup(void **state)
{
    (void)state;
    fixture_begin(&f);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cst_detector_end(&f.detector);
    return 0;
}

static double along(const cst_touch_space *touch, bool of_b)
{
    return of_b ? f.piece[touch->b].s + touch->s_b : f.piece[touch->a].s + touch->s_a;
}

/* Each minimum of the oracle is among the touches. */
static void check_found(const oracle_curve *a, const oracle_curve *b, double reach, double radii)
{
    oracle_minimum m[ORACLE_MINIMA];
    const int minima = oracle_minima(a, b, reach, m);
    for (int j = 0; j < minima; ++j) {
        bool found = m[j].distance > reach - 1e-9;
        for (int t = 0; t < f.touches && !found; ++t)
            found = fabs(f.touch[t].gap + radii - m[j].distance) < 1e-8 &&
                    fabs(along(&f.touch[t], false) - m[j].s) + fabs(along(&f.touch[t], true) - m[j].t) < 2e-2;
        assert_true(found);
    }
}

/* The touches of the first two owners, of `pieces` each, are the minima of the oracle: all of them, each once, nothing else. */
static void check_pair(int pieces_a, int pieces_b, double reach, double radii)
{
    const oracle_curve a = oracle_of(f.element, pieces_a), b = oracle_of(f.element + pieces_a, pieces_b);
    assert_true(fixture_detect(&f) >= 0);
    for (int t = 0; t < f.touches; ++t) {
        const cst_touch_space *touch = &f.touch[t];
        double s = along(touch, false), u = along(touch, true), x[3];
        const double d = touch->gap + radii;
        assert_true(fabs(d - oracle_distance(&a, s, &b, u)) < 1e-12);
        cst_subtract3(touch->x_a, touch->x_b, x);
        for (int k = 0; k < 3 && d > 1e-6; ++k)
            assert_true(fabs(x[k] - d * touch->normal[k]) < 1e-12);
        assert_true(oracle_descend(&a, &b, &s, &u, 1e-5) > d - 1e-10);
        for (int other = 0; other < t; ++other)
            assert_true(fabs(along(&f.touch[other], false) - along(touch, false)) +
                            fabs(along(&f.touch[other], true) - along(touch, true)) >
                        1e-6);
    }
    check_found(&a, &b, reach, radii);
}

/* Moves all pieces of the second owner so that a point of it is near a point of the first. */
static void bring_near(cst_rng *rng, int pieces_a, int pieces_b, double reach)
{
    const oracle_curve a = oracle_of(f.element, pieces_a), b = oracle_of(f.element + pieces_a, pieces_b);
    double p[3], q[3], off[3];
    oracle_at(&a, cst_rng_uniform(rng) * a.length, p);
    oracle_at(&b, cst_rng_uniform(rng) * b.length, q);
    cst_rng_direction(rng, 3, off);
    const double away = cst_rng_uniform(rng) * reach;
    for (int i = pieces_a; i < pieces_a + pieces_b; ++i)
        for (int k = 0; k < 3; ++k)
            f.element[i].x[k] += p[k] - q[k] + away * off[k];
}

static void helices(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 71, 0);
    long touches = 0;
    for (int round = 0; round < 600; ++round) {
        fixture_clear(&f);
        const double margin = cst_rng_log_range(&rng, 0.01, 0.1), bend = round % 3 * 3.0, twist = round % 5 * 2.0;
        double radii = 0.0;
        for (int side = 0; side < 2; ++side) {
            fixture_element e;
            const double length = cst_rng_log_range(&rng, 0.2, 1.0);
            const double turn = side && round % 2 ? 0.0 : cst_rng_uniform(&rng) * bend / length;
            fixture_random_element(&rng, length, turn, twist / length, &e);
            fixture_owner(&f);
            const double radius = cst_rng_log_range(&rng, 0.001, 0.05);
            fixture_add(&f, &e, radius, margin);
            radii += radius;
        }
        bring_near(&rng, 1, 1, radii + 2.0 * margin);
        check_pair(1, 1, radii + 2.0 * margin, radii);
        touches += f.touches;
    }
    assert_true(touches > 600);
}

/* The distance does not fall from a touch of two single elements along either of them. (The oracle's steps are too coarse for this
 * where the distance hardly changes.) */
static void check_slopes(const cst_touch_space *touch)
{
    for (int side = 0; side < 2; ++side) {
        const fixture_element *e = &f.element[side];
        const double s = side ? touch->s_b : touch->s_a;
        double x[3], t[3];
        fixture_element_at(e, s, x, t);
        const double slope = (side ? -1.0 : 1.0) * cst_dot3(touch->normal, t);
        assert_true(s > e->length - 1e-12 || slope > -1e-7);
        assert_true(s < 1e-12 || slope < 1e-7);
    }
}

/* Two helices side by side: the slope of the distance is small everywhere. */
static void side_by_side(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 79, 0);
    long touches = 0;
    for (int round = 0; round < 3000; ++round) {
        fixture_clear(&f);
        const double margin = cst_rng_log_range(&rng, 0.01, 0.1), radius = cst_rng_log_range(&rng, 0.001, 0.01);
        const double length = cst_rng_log_range(&rng, 0.2, 1.0), reach = 2.0 * (radius + margin);
        fixture_element e;
        fixture_random_element(&rng, length, cst_rng_uniform(&rng) / length, 0.3 / length, &e);
        for (int side = 0; side < 2; ++side) {
            fixture_owner(&f);
            fixture_add(&f, &e, radius, margin);
        }
        fixture_lay_beside(&f, &rng, reach);
        const oracle_curve a = oracle_of(f.element, 1), b = oracle_of(f.element + 1, 1);
        assert_true(fixture_detect(&f) >= 0);
        for (int t = 0; t < f.touches; ++t)
            check_slopes(f.touch + t);
        check_found(&a, &b, reach, 2.0 * radius);
        touches += f.touches;
    }
    assert_true(touches > 3000);
}

static void add_chain(cst_rng *rng, int pieces, double bend, double corner, double radius, double margin)
{
    fixture_element e;
    const double length = cst_rng_log_range(rng, 0.05, 0.2);
    fixture_random_element(rng, length, 0.0, 0.0, &e);
    fixture_owner(&f);
    for (int i = 0; i < pieces; ++i) {
        double side[3], x[3], t[3];
        cst_rng_direction(rng, 3, side);
        cst_cross3(e.t, side, e.turn);
        cst_normalise3(e.turn);
        for (int k = 0; k < 3; ++k)
            e.turn[k] *= bend / length;
        fixture_add(&f, &e, radius, margin);
        fixture_element_at(&e, length, x, t);
        memcpy(e.x, x, sizeof x);
        memcpy(e.t, t, sizeof t);
        cst_rng_direction(rng, 3, side);
        cst_add3(corner, side, e.t);
        cst_normalise3(e.t);
    }
}

/* Corners of nodal rods, smooth joints of helices: a contact at a joint or beside it once. */
static void chains(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 72, 0);
    long touches = 0;
    for (int round = 0; round < 300; ++round) {
        fixture_clear(&f);
        const bool bent = round % 3 == 0;
        const int pieces = 1 + round % 6;
        add_chain(&rng, pieces, bent ? 0.8 : 0.0, bent ? 0.0 : 0.4, 0.01, 0.02);
        add_chain(&rng, 4, bent && round % 2 ? 0.5 : 0.0, bent ? 0.0 : 0.4, 0.01, 0.02);
        bring_near(&rng, pieces, 4, 0.06);
        check_pair(pieces, 4, 0.06, 0.02);
        touches += f.touches;
    }
    assert_true(touches > 300);
}

/* The nearest places are within a hundredth of an element of a joint of both: the quartics of two elements that meet there may each say that the minimum is on
 * the other one, and the touch has to be found all the same. */
static void near_joints(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 73, 0);
    for (int round = 0; round < 3000; ++round) {
        fixture_clear(&f);
        for (int side = 0; side < 2; ++side)
            add_chain(&rng, 2, cst_rng_log_range(&rng, 0.01, 0.8), 0.0, 0.01, 0.005);
        const oracle_curve a = oracle_of(f.element, 2), b = oracle_of(f.element + 2, 2);
        double p[3], q[3], t[2][3], off[3];
        oracle_at(&a, (0.5 + 0.01 * (cst_rng_uniform(&rng) - 0.5)) * a.length, p);
        oracle_at(&b, (0.5 + 0.01 * (cst_rng_uniform(&rng) - 0.5)) * b.length, q);
        for (int side = 0; side < 2; ++side)
            memcpy(t[side], f.element[1 + 2 * side].t, sizeof t[side]);
        cst_cross3(t[0], t[1], off);
        cst_normalise3(off);
        for (int i = 2; i < 4; ++i)
            for (int k = 0; k < 3; ++k)
                f.element[i].x[k] += p[k] - q[k] + 0.019 * off[k];
        check_pair(2, 2, 0.03, 0.02);
        assert_true(f.touches > 0);
    }
}

/* One helix of one piece or cut into several: the same contacts. Its turns touch each other, neighbours do not. */
static void coil(void **state)
{
    (void)state;
    const double R = 0.05, pitch = 0.012, radius = 0.004, turns = 3.25;
    const double c = pitch / (2.0 * PI), w = 1.0 / sqrt(R * R + c * c), length = 2.0 * PI * turns / w;
    const fixture_element whole = {.x = {R, 0.0, 0.0}, .t = {0.0, R * w, c * w}, .turn = {0.0, 0.0, w}, .length = length};
    for (int pieces = 1; pieces <= 40; pieces += 13) {
        fixture_clear(&f);
        fixture_owner(&f);
        f.flags[0] = CST_OWNER_SELF_CONTACT;
        for (int i = 0; i < pieces; ++i) {
            fixture_element e = whole;
            fixture_element_at(&whole, i * length / pieces, e.x, e.t);
            e.length = length / pieces;
            fixture_add(&f, &e, radius, 0.003);
        }
        fixture_detect(&f);
        /* Successive turns have one distance all along: at each joint of either turn, ends included. */
        assert_true(f.touches >= (pieces == 1 ? 1 : 2));
        const double apart = 2.0 * PI / w; /* about: the nearest point of the next turn is a little before */
        double first = length, last = 0.0;
        for (int t = 0; t < f.touches; ++t) {
            const double s = along(&f.touch[t], false), u = along(&f.touch[t], true);
            assert_true(fabs(u - s - apart) < 0.02 * apart);
            assert_true(f.touch[t].gap + 2.0 * radius < pitch && f.touch[t].gap + 2.0 * radius > 0.95 * pitch);
            first = fmin(first, s);
            last = fmax(last, u);
        }
        if (pieces > 1) {
            assert_true(first < length / pieces);
            assert_true(last > length * (1.0 - 1.0 / pieces));
            assert_true(f.touches >= pieces * 2 / 3);
        }
        f.flags[0] = 0;
        assert_int_equal(fixture_detect(&f), 0);
    }
}

/* Legs of a bent wire touch, however short the bend; a gentle bend of a thick wire does not touch itself. */
static void hairpin(void **state)
{
    (void)state;
    for (int closed_up = 0; closed_up < 2; ++closed_up)
        for (int edges = 2; edges <= 12; ++edges) {
            fixture_clear(&f);
            const double R = 0.004, radius = 0.003;
            double x[3 * 15];
            int points = 0;
            const double turn = closed_up ? PI * 1.05 : 0.9 * PI;
            double at[3] = {-0.03, -R, 0.0};
            memcpy(x, at, sizeof at);
            for (int i = 0; i <= edges; ++i) {
                const double angle = -0.5 * PI + turn * i / edges;
                const double on[3] = {R * cos(angle), R * sin(angle), 0.0};
                memcpy(x + 3 * ++points, on, sizeof on);
            }
            const double out = -0.5 * PI + turn + 0.5 * PI;
            const double end[3] = {x[3 * points] + 0.03 * cos(out), x[3 * points + 1] + 0.03 * sin(out), 0.0};
            memcpy(x + 3 * ++points, end, sizeof end);
            f.flags[fixture_chain(&f, x, points + 1, radius, 0.0, false)] = CST_OWNER_SELF_CONTACT;
            fixture_detect(&f);
            if (!closed_up)
                assert_int_equal(f.touches, 0);
            else
                assert_true(f.touches >= 1);
        }
}

/* Three edges, folded at the first node until the second lies beside the first edge. Along the edge between the distance falls as far as the
 * fold, so that no place is a minimum; the second node touches all the same, whatever way the last edge goes on. An edge between that is
 * short beside its radius does not count: what is near there is its neighbour. */
static void fold(void **state)
{
    (void)state;
    const double radius = 0.0025;
    for (int k = 0; k < 24; ++k) {
        const double length = 0.06, beside = 1.8 * radius, way = PI / 12.0 * k;
        const bool back = k % 2; /* the other way round: the last two edges fold, and the end of the first touches */
        double x[4][3] = {{-0.01, 0.0, 0.0}, {0.07, 0.0, 0.0}, {0.07 - length, 0.0, beside}, {0.07 - length, 0.0, beside}};
        x[3][0] -= 0.07 * cos(way);
        x[3][1] += 0.07 * sin(way);
        x[3][2] += 0.01;
        if (back)
            for (int i = 0; i < 2; ++i)
                for (int c = 0; c < 3; ++c) {
                    const double swap = x[i][c];
                    x[i][c] = x[3 - i][c];
                    x[3 - i][c] = swap;
                }
        fixture_clear(&f);
        f.flags[fixture_chain(&f, x[0], 4, radius, 0.0, false)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&f), 1);
        assert_true(fabs(f.touch[0].gap - (beside - 2.0 * radius)) < 1e-12);
        assert_true(fabs(along(&f.touch[0], !back) - (back ? f.piece[1].s : f.piece[2].s)) < 1e-12);
        cst_touch_space held = f.touch[0]; /* followed, it stays where it is */
        assert_true(cst_touch_space_hold(&f.scene, &held));
        assert_true(fabs(held.gap - f.touch[0].gap) < 1e-12);
    }
    for (int k = 0; k < 2; ++k) { /* where the fiber ends */
        const double beside = 1.8 * radius;
        double x[3][3] = {{0.02, 0.0, 0.0}, {0.07, 0.0, 0.0}, {k ? 0.03 : 0.0, 0.0, k ? beside : 1.4 * beside}};
        fixture_clear(&f);
        f.flags[fixture_chain(&f, x[0], 3, radius, 0.0, false)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&f), 1);
        assert_true(f.touch[0].gap < 0.0 && f.touch[0].gap > -0.3 * radius);
        assert_true(k ? f.touch[0].s_b == f.piece[1].length : f.touch[0].s_a == 0.0);
        cst_touch_space held = f.touch[0];
        assert_true(cst_touch_space_hold(&f.scene, &held));
        assert_true(fabs(held.gap - f.touch[0].gap) < 0.02 * radius); /* its foot on the other, which is not parallel */
    }
    const double near[4][3] = {{-0.01, 0.0, 0.0}, {0.009, 0.0, 0.0}, {0.0, 0.0, 1.8 * radius}, {0.0, 0.07, 1.8 * radius}};
    fixture_clear(&f);
    f.flags[fixture_chain(&f, near[0], 4, 1.8 * radius, 0.0, false)] = CST_OWNER_SELF_CONTACT;
    assert_int_equal(fixture_detect(&f), 0);
}

/* A hairpin whose bottom is an edge that is shorter than the radii together: its sides do not turn by half a turn, and the far end of one touches the other. */
static void fold_over_two_edges(void **state)
{
    (void)state;
    const double radius = 0.0174;
    for (int k = 0; k < 12; ++k) {
        const double way = PI / 6.0 * k, x[5][3] = {{0.0, 0.0, 0.0},
                                                    {0.041, 0.0, 0.0},
                                                    {0.0594, 0.0, 0.0194},
                                                    {0.008, 0.0, 0.0264},
                                                    {0.008 - 0.05 * cos(way), 0.05 * sin(way), 0.07}};
        double back[5][3];
        for (int i = 0; i < 5; ++i)
            memcpy(back[i], x[4 - i], sizeof back[i]);
        fixture_clear(&f);
        f.flags[fixture_chain(&f, k % 2 ? back[0] : x[0], 5, radius, 0.0, false)] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(fixture_detect(&f), 1);
        assert_true(fabs(f.touch[0].gap - (0.0264 - 2.0 * radius)) < 1e-12);
    }
}

/* A fold as above, where a bent piece goes on from the second node, and where one leads to the first. */
static void fold_beside_a_curve(void **state)
{
    (void)state;
    const double radius = 0.0025, beside = 1.8 * radius, bend = 2.0;
    for (int k = 0; k < 24; ++k) {
        const double way = PI / 12.0 * k, x[3][3] = {{-0.01, 0.0, 0.0}, {0.07, 0.0, 0.0}, {0.01, 0.0, beside}};
        const double t[3] = {-cos(way) * cos(0.15), sin(way) * cos(0.15), sin(0.15)};
        const bool back = k % 2; /* from its end to its start */
        fixture_element e[3] = {{.x = {0.0}}};
        for (int i = 0; i < 2; ++i) {
            const int from = back ? 2 - i : i, to = back ? 1 - i : i + 1;
            memcpy(e[back ? i + 1 : i].x, x[from], sizeof x[0]);
            cst_subtract3(x[to], x[from], e[back ? i + 1 : i].t);
            e[back ? i + 1 : i].length = cst_normalise3(e[back ? i + 1 : i].t);
        }
        fixture_element curve = {.x = {x[2][0], x[2][1], x[2][2]}, .t = {t[0], t[1], t[2]}, .length = 0.07};
        const double up[3] = {0.0, 0.0, 1.0};
        cst_cross3(t, up, curve.turn); /* away from the edge */
        cst_normalise3(curve.turn);
        for (int c = 0; c < 3; ++c)
            curve.turn[c] *= bend;
        e[back ? 0 : 2] = curve;
        if (back) { /* the same curve, begun at its other end */
            fixture_element_at(&curve, curve.length, e[0].x, e[0].t);
            for (int c = 0; c < 3; ++c) {
                e[0].t[c] = -e[0].t[c];
                e[0].turn[c] = -curve.turn[c];
            }
        }
        fixture_clear(&f);
        f.flags[fixture_owner(&f)] = CST_OWNER_SELF_CONTACT;
        for (int i = 0; i < 3; ++i)
            fixture_add(&f, &e[i], radius, 0.0);
        for (int i = 0; i < 3; ++i)
            f.piece[i].owner_length = f.piece[2].s + f.piece[2].length;
        assert_int_equal(fixture_detect(&f), 1);
        assert_true(fabs(f.touch[0].gap - (beside - 2.0 * radius)) < 1e-12);
        assert_true(fabs(along(&f.touch[0], !back) - (back ? f.piece[1].s : f.piece[2].s)) < 1e-12);
    }
}

/* A closed square of thin wire folded to an eight: its middle touches once, its joints do not. */
static void closed_eight(void **state)
{
    (void)state;
    fixture_clear(&f);
    const double x[12] = {0.0, 0.0, 0.0, 1.0, 1.0, 0.03, 1.0, 0.0, 0.03, 0.0, 1.0, 0.0};
    f.flags[fixture_chain(&f, x, 4, 0.01, 0.02, true)] = CST_OWNER_SELF_CONTACT;
    fixture_detect(&f);
    assert_int_equal(f.touches, 1);
    assert_int_equal(f.touch[0].a, 0);
    assert_int_equal(f.touch[0].b, 2);
    assert_true(fabs(f.touch[0].x_a[0] - 0.5) < 0.01);
    /* The corner between the last edge and the first touches another wire once. */
    f.flags[0] = 0;
    const double p[3] = {-0.03, -0.03, -1.0}, q[3] = {-0.03, -0.03, 1.0};
    fixture_straight(&f, p, q, 0.01, 0.02);
    fixture_detect(&f);
    assert_int_equal(f.touches, 1);
    assert_int_equal(f.touch[0].a, 0);
    assert_true(f.touch[0].s_a == 0.0);
}

/* Parallel rods: both ends of the overlap, at joints of either once; nearly parallel with `flat` too. */
static void parallel(void **state)
{
    (void)state;
    fixture_clear(&f);
    const double p[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, q[6] = {0.3, 0.0, 0.1, 1.4, 0.0, 0.1};
    fixture_straight(&f, p, p + 3, 0.04, 0.05);
    fixture_straight(&f, q, q + 3, 0.04, 0.05);
    fixture_detect(&f);
    assert_int_equal(f.touches, 2);
    assert_true(fabs(f.touch[0].s_a - 0.3) < 1e-12 && fabs(f.touch[0].s_b) < 1e-12);
    assert_true(fabs(f.touch[1].s_a - 1.0) < 1e-12 && fabs(f.touch[1].s_b - 0.7) < 1e-12);
    assert_true(fabs(f.touch[0].gap - 0.02) < 1e-15 && f.touch[0].normal[2] == -1.0);
    assert_true(f.touch[0].branch == 0 && f.touch[1].branch == 1);
    f.element[1].t[2] = 1e-4; /* a hair's breadth: one end, two with flat */
    cst_normalise3(f.element[1].t);
    fixture_detect(&f);
    assert_int_equal(f.touches, 1);
    f.scene.flat = 2e-4;
    fixture_detect(&f);
    assert_int_equal(f.touches, 2);

    fixture_clear(&f);
    const double a[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0}, b[9] = {0.3, 0.0, 0.1, 1.3, 0.0, 0.1, 2.3, 0.0, 0.1};
    fixture_chain(&f, a, 3, 0.04, 0.05, false);
    fixture_chain(&f, b, 3, 0.04, 0.05, false);
    fixture_detect(&f);
    const double s[4] = {0.3, 1.0, 1.3, 2.0};
    assert_int_equal(f.touches, 4);
    for (int t = 0; t < 4; ++t)
        assert_true(fabs(along(&f.touch[t], false) - s[t]) < 1e-12);
}

/* Centrelines that cross, and beyond: the side of before is kept. Balls, ends that meet, one place for both. */
static void degenerate(void **state)
{
    (void)state;
    const double previous[3] = {0.0, 0.0, 1.0};
    for (int i = -2; i <= 2; ++i) {
        fixture_clear(&f);
        const double h = 0.002 * i, p[6] = {-1.0, 0.0, h, 1.0, 0.2, h}, q[6] = {0.1, -1.0, 0.0, 0.0, 1.0, 0.0};
        fixture_straight(&f, p, p + 3, 0.01, 0.0);
        fixture_straight(&f, q, q + 3, 0.01, 0.0);
        fixture_detect(&f);
        assert_int_equal(f.touches, 1);
        cst_touch_space touch = f.touch[0];
        const bool turned = cst_touch_space_keep_side(&f.scene, previous, &touch);
        assert_true(i == 0 || turned == (i < 0));
        assert_true(fabs(touch.normal[2] - 1.0) < 1e-12);
        assert_true(fabs(touch.gap - (h - 0.02)) < 1e-12);
    }
    fixture_clear(&f);
    const double x[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 0.03, 0.0}, z[3] = {1.0, 0.0, 0.0};
    fixture_straight(&f, x, x, 0.01, 0.0); /* balls */
    fixture_straight(&f, y, y, 0.01, 0.02);
    fixture_straight(&f, x, x, 0.02, 0.0); /* at the place of the first */
    fixture_straight(&f, x, z, 0.01, 0.0); /* an end there */
    fixture_detect(&f);
    assert_int_equal(f.touches, 6);
    assert_true(fabs(f.touch[0].gap - 0.01) < 1e-15 && f.touch[0].normal[1] == -1.0);
    for (int t = 0; t < f.touches; ++t)
        assert_true(fabs(cst_dot3(f.touch[t].normal, f.touch[t].normal) - 1.0) < 1e-12);
    f.element[0].x[0] = NAN;
    fixture_detect(&f);
    assert_int_equal(f.touches, 3);
    assert_int_equal(f.detector.ignored, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helices),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(chains),
        cmocka_unit_test(near_joints),
        cmocka_unit_test(coil),
        cmocka_unit_test(hairpin),
        cmocka_unit_test(closed_eight),
        cmocka_unit_test(parallel),
        cmocka_unit_test(degenerate),
        cmocka_unit_test(fold),
        cmocka_unit_test(fold_beside_a_curve),
        cmocka_unit_test(fold_over_two_edges),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
