/* Contacts that slide along rods: seen exactly once wherever they are, joints included; flat ones; sides kept after tunnelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "tests/collide_fixture.h"

static const double PI = 3.14159265358979323846;
enum { ELEMENTS = 12 };
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

/* Places nearer than this are one: where the joint touches to rounding, it is given instead. */
static const double SAME = 1e-6;

/* Curvatures of either sign and very different size, total turning small enough for the rod not to come back. */
static void wavy(cst_rng *rng, double *k, double length)
{
    for (int e = 0; e < ELEMENTS; ++e) {
        const double turn = cst_rng_integer(rng, 3) ? cst_rng_range(rng, -0.4, 0.4) : cst_rng_log_range(rng, 1e-15, 1e-3);
        k[e] = (e > 0 && k[e - 1] > 0.0 ? -turn : turn) / length;
    }
}

/* Places along the rod: anywhere, on joints, and beside joints by any small amount. */
static double somewhere(cst_rng *rng, double length)
{
    const double s_any = cst_rng_range(rng, 0.02, ELEMENTS - 0.02) * length;
    const int joint = 1 + cst_rng_integer(rng, ELEMENTS - 1);
    const double off = cst_rng_log_range(rng, 1e-17, 1e-3);
    switch (cst_rng_integer(rng, 4)) {
    case 0:
        return s_any;
    case 1:
        return joint * length;
    case 2:
        return joint * length + off;
    default:
        return joint * length - off;
    }
}

static oracle_point rod_at(const cst_arc *first, double at, double length)
{
    int e = (int)(at / length);
    e = e < 0 ? 0 : e >= ELEMENTS ? ELEMENTS - 1 : e;
    return oracle_at(&first[e], at - e * length);
}

static void disk_slides(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 31, 0);
    for (int i = 0; i < SERIES(20000); ++i) {
        const double length = 0.3, radius = 0.01, disk = 0.05;
        double k[ELEMENTS], x[2] = {0.1, -0.2};
        wavy(&rng, k, length);
        const double angle = cst_rng_range(&rng, -3.0, 3.0), at = somewhere(&rng, length);
        const double side = cst_rng_integer(&rng, 2) ? 1.0 : -1.0;
        /* Some with the centre of the disk all but on the centreline. */
        const double gap = i % 4 ? cst_rng_range(&rng, -0.05, 0.02) : cst_rng_log_range(&rng, 1e-13, 1e-3) - 0.06;
        fixture_clear(&s);
        fixture_rod(&s, x, angle, k, ELEMENTS, length, radius, 0.02, false);
        const oracle_point p = rod_at(s.arc, at, length);
        const double d = side * (radius + disk + gap);
        const double c[2] = {(double)p.x[0] - d * (double)p.t[1], (double)p.x[1] + d * (double)p.t[0]};
        fixture_disk(&s, c[0], c[1], disk, 0.005);
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(fixture_s_a(&s, s.touch) - at) < SAME);
        assert_true(fabs(s.touch->gap - gap) < 1e-13);
        const double certain = 1e-8 + 1e-14 / (gap + 0.06);
        assert_true(fabs(s.touch->normal[0] - side * (double)p.t[1]) < certain);
        assert_true(fabs(s.touch->normal[1] + side * (double)p.t[0]) < certain);
    }
}

static void plane_slides(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 32, 0);
    for (int i = 0; i < SERIES(10000); ++i) { /* a rod that bends one way, tangent to the ground */
        const double length = 0.2, radius = 0.01;
        double k[ELEMENTS], x[2] = {0.0, 0.0};
        for (int e = 0; e < ELEMENTS; ++e)
            k[e] = cst_rng_range(&rng, 0.05, 1.2);
        const double at = somewhere(&rng, length), gap = cst_rng_range(&rng, -0.02, 0.02);
        fixture_clear(&s);
        fixture_rod(&s, x, cst_rng_range(&rng, -3.0, 3.0), k, ELEMENTS, length, radius, 0.03, false);
        const oracle_point p = rod_at(s.arc, at, length);
        const double n[2] = {(double)-p.t[1], (double)p.t[0]};
        fixture_plane(&s, n[0], n[1], (double)(n[0] * p.x[0] + n[1] * p.x[1]) - radius - gap);
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(fixture_s_a(&s, s.touch) - at) < SAME && fabs(s.touch->gap - gap) < 1e-13);
        assert_int_equal(s.touch->b, ELEMENTS);
    }
}

/* Two rods that bend away from each other, each touched at a place of its own: joint against joint as well. */
static void rods_slide(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 33, 0);
    for (int i = 0; i < SERIES(20000); ++i) {
        const double length = 0.2, radius = 0.01;
        double k[ELEMENTS], h[ELEMENTS], x[2] = {0.0, 0.0};
        for (int e = 0; e < ELEMENTS; ++e) {
            k[e] = -cst_rng_range(&rng, 0.02, 1.0);
            h[e] = cst_rng_range(&rng, 0.02, 1.0);
        }
        const double at = somewhere(&rng, length), on = somewhere(&rng, length), gap = cst_rng_range(&rng, -0.015, 0.02);
        fixture_clear(&s);
        fixture_rod(&s, x, 0.4, k, ELEMENTS, length, radius, 0.02, false);
        fixture_rod(&s, x, 0.0, h, ELEMENTS, length, radius, 0.02, false);
        /* Turn and shift the second so that its place is above that of the first, tangents alike. */
        const oracle_point p = rod_at(s.arc, at, length), q = rod_at(s.arc + ELEMENTS, on, length);
        const double turn = atan2((double)(q.t[0] * p.t[1] - q.t[1] * p.t[0]), (double)(q.t[0] * p.t[0] + q.t[1] * p.t[1]));
        const double d = 2.0 * radius + gap;
        const double c = cos(turn), sn = sin(turn);
        const double start[2] = {(double)(p.x[0] - d * p.t[1] - c * q.x[0] + sn * q.x[1]),
                                 (double)(p.x[1] + d * p.t[0] - sn * q.x[0] - c * q.x[1])};
        s.scene.arcs = ELEMENTS;
        s.scene.owners = 1;
        fixture_rod(&s, start, turn, h, ELEMENTS, length, radius, 0.02, false);
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(fixture_s_a(&s, s.touch) - at) < SAME && fabs(fixture_s_b(&s, s.touch) - on) < SAME);
        assert_true(fabs(s.touch->gap - gap) < 1e-13);
        assert_true(s.touch->normal[0] * (double)-p.t[1] + s.touch->normal[1] * (double)p.t[0] < -1.0 + 1e-9);
    }
}

/* The two arcs of a joint do not quite meet: nothing is lost, nothing double. */
static void open_joints(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 34, 0);
    for (int i = 0; i < SERIES(10000); ++i) {
        const double length = 0.3, x[2] = {0.0, 0.0};
        double k[ELEMENTS];
        for (int e = 0; e < ELEMENTS; ++e)
            k[e] = cst_rng_range(&rng, -0.5, 0.5);
        fixture_clear(&s);
        fixture_rod(&s, x, 0.3, k, ELEMENTS, length, 0.01, 0.02, false);
        const double at = somewhere(&rng, length), error = cst_rng_log_range(&rng, 1e-12, 1e-6);
        const oracle_point p = rod_at(s.arc, at, length);
        for (int e = 1; e < ELEMENTS; ++e) {
            s.arc[e].x[0] += error * cst_rng_range(&rng, -1.0, 1.0);
            s.arc[e].x[1] += error * cst_rng_range(&rng, -1.0, 1.0);
            s.arc[e].angle += error * cst_rng_range(&rng, -1.0, 1.0);
        }
        fixture_disk(&s, (double)(p.x[0] - 0.07 * p.t[1]), (double)(p.x[1] + 0.07 * p.t[0]), 0.05, 0.0);
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(fixture_s_a(&s, s.touch) - at) < SAME + 10.0 * error && fabs(s.touch->gap - 0.01) < 4.0 * error + 1e-12);
    }
}

static void ring_rolls(void **state)
{
    (void)state;
    for (int elements = 1; elements <= 9; elements += 2)
        for (int i = 0; i < SERIES(2000); ++i) { /* every angle, joints among them */
            const double r = 0.5, turn = 2.0 * PI / elements * (i % 50 ? i / 997.0 : round(i / 50.0));
            double k[9];
            for (int e = 0; e < elements; ++e)
                k[e] = 1.0 / r;
            const double x[2] = {r * sin(turn), r + 0.06 - r * cos(turn)};
            fixture_clear(&s);
            fixture_rod(&s, x, turn, k, elements, 2.0 * PI * r / elements, 0.05, 0.02, true);
            fixture_plane(&s, 0.0, 1.0, 0.0);
            assert_int_equal(fixture_detect(&s), 1);
            assert_true(fabs(s.touch->gap - 0.01) < 1e-13);
            const double from = fmod(2.0 * PI * r + fixture_s_a(&s, s.touch) + turn * r, 2.0 * PI * r);
            assert_true(fabs(sin(from / r)) < 1e-6);
        }
}

static void rod_lies_flat(void **state)
{
    (void)state;
    const double x[2] = {0.0, 0.011};
    fixture_clear(&s);
    fixture_rod(&s, x, 0.0, NULL, ELEMENTS, 0.1, 0.01, 0.01, false);
    fixture_plane(&s, 0.0, 1.0, 0.0);
    assert_int_equal(fixture_detect(&s), ELEMENTS + 1); /* each joint once, and the ends */
    for (int i = 0; i <= ELEMENTS; ++i)
        assert_true(fabs(fixture_s_a(&s, &s.touch[i]) - 0.1 * i) < 1e-12 && fabs(s.touch[i].gap - 0.001) < 1e-14);
    /* On another rod whose joints are elsewhere: the joints of both. */
    const double y[2] = {0.05, 0.04};
    fixture_rod(&s, y, 0.0, NULL, ELEMENTS, 0.1, 0.01, 0.01, false);
    s.scene.half_planes = 0;
    assert_int_equal(fixture_detect(&s), 2 * ELEMENTS);
    /* And where the joints of both coincide, once. */
    s.scene.arcs = ELEMENTS;
    s.scene.owners = 2;
    const double z[2] = {0.0, 0.04};
    fixture_rod(&s, z, 0.0, NULL, ELEMENTS, 0.1, 0.01, 0.01, false);
    assert_int_equal(fixture_detect(&s), ELEMENTS + 1);
}

/* An arch with a joint at its top, all within the margin: its feet touch, the top does not, however level it is there. */
static void top_of_an_arch(void **state)
{
    (void)state;
    for (int half = 1; half <= ELEMENTS / 2; ++half) {
        double k[ELEMENTS];
        for (int e = 0; e < ELEMENTS; ++e)
            k[e] = -0.5;
        const double length = 0.6 / half, turn = 0.5 * length * half, x[2] = {-sin(turn) / 0.5, 0.02};
        fixture_clear(&s);
        fixture_rod(&s, x, turn, k, 2 * half, length, 0.01, 0.5, false);
        for (int e = half; e < 2 * half; ++e) { /* the right half begins level, and is the mirror image of the left */
            s.arc[e].angle = -0.5 * length * (e - half);
            s.arc[e].x[0] = sin(-s.arc[e].angle) / 0.5;
        }
        fixture_plane(&s, 0.0, 1.0, 0.0);
        assert_int_equal(fixture_detect(&s), 2);
        assert_true(s.touch[0].s_a == 0.0 && fabs(fixture_s_a(&s, &s.touch[1]) - 1.2) < 1e-12);
    }
}

/* A contact moves on along a wavy rod in small steps: gap, normal and place never jump. */
static void continuous(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 35, 0);
    double k[ELEMENTS], x[2] = {0.0, 0.0};
    for (int e = 0; e < ELEMENTS; ++e)
        k[e] = cst_rng_range(&rng, -0.8, 0.8);
    cst_touch last = {.a = -1};
    double last_s = 0.0;
    const double step = 1e-4;
    for (int i = 0; i < SERIES(30000); ++i) {
        fixture_clear(&s);
        fixture_rod(&s, x, 0.0, k, ELEMENTS, 0.3, 0.01, 0.3, false);
        const oracle_point p = rod_at(s.arc, 0.3 + i * step, 0.3);
        fixture_disk(&s, (double)p.x[0] + 0.01 * sin(40.0 * i * step), (double)p.x[1] + 0.1, 0.05, 0.0);
        if (0.3 + i * step > 3.3)
            break;
        assert_int_equal(fixture_detect(&s), 1);
        if (last.a >= 0) {
            assert_true(fabs(fixture_s_a(&s, s.touch) - last_s) < 4.0 * step);
            assert_true(fabs(s.touch->gap - last.gap) < 2.0 * step);
            assert_true(hypot(s.touch->normal[0] - last.normal[0], s.touch->normal[1] - last.normal[1]) < 10.0 * step);
        }
        last = *s.touch;
        last_s = fixture_s_a(&s, s.touch);
    }
}

/* Rods that cross where both have joints, exactly or by a hair: once. */
static void crossing_at_joints(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 36, 0);
    for (int i = 0; i < SERIES(20000); ++i) {
        const double length = 0.2;
        double k[ELEMENTS], x[2] = {0.3, -0.7};
        for (int e = 0; e < ELEMENTS; ++e)
            k[e] = cst_rng_range(&rng, -0.3, 0.3);
        const double at = somewhere(&rng, length), on = somewhere(&rng, length), across = cst_rng_range(&rng, 0.4, 2.7);
        fixture_clear(&s);
        fixture_rod(&s, x, cst_rng_range(&rng, -3.0, 3.0), k, ELEMENTS, length, 0.01, 0.01, false);
        fixture_rod(&s, x, 0.0, NULL, ELEMENTS, length, 0.01, 0.01, false);
        const oracle_point p = rod_at(s.arc, at, length);
        const double angle = atan2((double)p.t[1], (double)p.t[0]) + across;
        const double start[2] = {(double)p.x[0] - on * cos(angle), (double)p.x[1] - on * sin(angle)};
        s.scene.arcs = ELEMENTS;
        s.scene.owners = 1;
        fixture_rod(&s, start, angle, NULL, ELEMENTS, length, 0.01, 0.01, false);
        const double error = i % 3 ? 0.0 : cst_rng_log_range(&rng, 1e-12, 1e-6); /* and joints that do not quite close */
        for (int e = 1; e < ELEMENTS && error > 0.0; ++e) {
            s.arc[e].x[0] += error * cst_rng_range(&rng, -1.0, 1.0);
            s.arc[e].x[1] += error * cst_rng_range(&rng, -1.0, 1.0);
        }
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(s.touch->gap + 0.02) < 1e-9 + 10.0 * error);
        assert_true(fabs(fixture_s_a(&s, s.touch) - at) < SAME + 10.0 * error);
        assert_true(fabs(fixture_s_b(&s, s.touch) - on) < SAME + 10.0 * error);
    }
}

/* Large elements that do not quite meet at their joints are not in contact with their neighbours. */
static void neighbours_do_not_touch(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 37, 0);
    for (int i = 0; i < SERIES(5000); ++i) {
        const double x[2] = {0.0, 0.0}, side = i % 2 ? 1.0 : -1.0, k[3] = {side * 2.1, side * 1.6, -side * 2.0};
        const double error = cst_rng_log_range(&rng, 1e-12, 1e-5);
        fixture_clear(&s);
        const int owner = fixture_rod(&s, x, 0.3, k, 3, 1.0, 0.01, 0.01, false);
        s.flags[owner] = CST_OWNER_SELF_CONTACT;
        for (int e = 1; e < 3; ++e) {
            s.arc[e].x[0] += error * cst_rng_range(&rng, -1.0, 1.0);
            s.arc[e].x[1] += error * cst_rng_range(&rng, -1.0, 1.0);
            s.arc[e].angle += error * cst_rng_range(&rng, -1.0, 1.0);
        }
        assert_int_equal(fixture_detect(&s), 0);
    }
}

static void side_is_kept(void **state)
{
    (void)state;
    const double x[2] = {-0.5, 0.0};
    const double above[2] = {0.0, 1.0};
    for (int step = 0; step < 40; ++step) { /* a bar falls through another one that lies across it, end first, then flat */
        const double y = 0.05 - 0.004 * step, tip[2] = {0.03, y}, low[2] = {-0.2, y};
        fixture_clear(&s);
        fixture_rod(&s, tip, 1.4, NULL, 4, 0.1, 0.01, 0.05, false);
        fixture_rod(&s, x, 0.0, NULL, 4, 0.25, 0.01, 0.05, false);
        assert_int_equal(fixture_detect(&s), 1);
        cst_touch touch = *s.touch;
        cst_touch_keep_side(&s.scene, above, &touch);
        assert_true(touch.normal[1] > 0.9);
        if (y > 0.0)
            assert_true(fabs(touch.gap - (y - 0.02)) < 1e-12);
        else
            assert_true(touch.gap <= -0.02 + 1e-12);
        fixture_clear(&s);
        fixture_rod(&s, low, 1e-3, NULL, 2, 0.1, 0.01, 0.05, false);
        fixture_rod(&s, x, 0.0, NULL, 4, 0.25, 0.01, 0.05, false);
        assert_true(fixture_detect(&s) >= (y > -0.12 ? 1 : 0));
        for (int i = 0; i < s.touches; ++i) {
            touch = s.touch[i];
            const bool turned = cst_touch_keep_side(&s.scene, above, &touch);
            if (touch.gap < 0.0)
                assert_true(touch.normal[1] > 0.9);
            if (turned) /* the way back: through both radii, and what the centreline is beyond */
                assert_true(fabs(touch.gap - (-0.04 - s.touch[i].gap)) < 1e-15 && touch.gap <= -0.02);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disk_slides),
        cmocka_unit_test(plane_slides),
        cmocka_unit_test(rods_slide),
        cmocka_unit_test(open_joints),
        cmocka_unit_test(ring_rolls),
        cmocka_unit_test(rod_lies_flat),
        cmocka_unit_test(top_of_an_arch),
        cmocka_unit_test(continuous),
        cmocka_unit_test(side_is_kept),
        cmocka_unit_test(crossing_at_joints),
        cmocka_unit_test(neighbours_do_not_touch),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
