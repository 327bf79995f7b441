/* Boundaries of matter: signed distances of polygons outside and inside, corners, penetration, obstacles of several kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
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

/* Clockwise: matter within. */
static const double SQUARE[4][2] = {{-1.0, -1.0}, {-1.0, 1.0}, {1.0, 1.0}, {1.0, -1.0}};
/* An L: the corner (0, 0) is reflex. */
static const double ELL[6][2] = {{-1.0, -1.0}, {-1.0, 1.0}, {0.0, 1.0}, {0.0, 0.0}, {1.0, 0.0}, {1.0, -1.0}};

/* Signed distance by definition: to the nearest of the edges, inside by counting crossings of a ray. */
static double signed_distance(const double (*corner)[2], int corners, const double *x, double *gradient)
{
    double best = INFINITY;
    bool inside = false;
    for (int i = 0; i < corners; ++i) {
        const double *p = corner[i], *q = corner[(i + 1) % corners];
        const double e[2] = {q[0] - p[0], q[1] - p[1]}, w[2] = {x[0] - p[0], x[1] - p[1]};
        const double t = fmin(1.0, fmax(0.0, (w[0] * e[0] + w[1] * e[1]) / (e[0] * e[0] + e[1] * e[1])));
        const double r[2] = {w[0] - t * e[0], w[1] - t * e[1]}, d = hypot(r[0], r[1]);
        if (d < best) {
            best = d;
            gradient[0] = r[0] / d;
            gradient[1] = r[1] / d;
        }
        if ((p[1] > x[1]) != (q[1] > x[1]) && x[0] < p[0] + e[0] * (x[1] - p[1]) / e[1])
            inside = !inside;
    }
    if (inside) {
        gradient[0] = -gradient[0];
        gradient[1] = -gradient[1];
    }
    return inside ? -best : best;
}

static void disk_and_polygon(const double (*corner)[2], int corners, bool convex, bool polygon_first)
{
    cst_rng rng;
    cst_rng_seed(&rng, 41, (uint64_t)corners);
    int outside = 0, inside = 0;
    for (int i = 0; i < SERIES(20000); ++i) {
        double x[2], g[2] = {0.0, 0.0};
        x[0] = cst_rng_range(&rng, -1.6, 1.6);
        x[1] = cst_rng_range(&rng, -1.6, 1.6);
        fixture_clear(&s);
        if (polygon_first)
            fixture_polygon(&s, corner, corners, 0.0, 0.0);
        fixture_disk(&s, x[0], x[1], 0.25, 0.15);
        if (!polygon_first)
            fixture_polygon(&s, corner, corners, 0.0, 0.0);
        const double d = signed_distance(corner, corners, x, g), gap = d - 0.25;
        fixture_detect(&s);
        if (gap >= 0.15 || d < -0.4) { /* beyond the margin, or the depth that is asked for */
            assert_int_equal(s.touches, 0);
            continue;
        }
        ++*(d < 0.0 ? &inside : &outside);
        /* Nearest, and from outside a reflex corner both edges. */
        assert_true(s.touches == 1 || (!convex && s.touches == 2));
        const cst_touch *nearest = s.touches == 2 && s.touch[1].gap < s.touch[0].gap ? &s.touch[1] : s.touch;
        const double sign = polygon_first ? -1.0 : 1.0;
        assert_true(fabs(nearest->gap - gap) < 1e-12);
        assert_true(fabs(sign * nearest->normal[0] - g[0]) + fabs(sign * nearest->normal[1] - g[1]) < 1e-9);
    }
    assert_true(outside > SERIES(1000) && inside > SERIES(1000));
}

static void disk_and_square(void **state)
{
    (void)state;
    disk_and_polygon(SQUARE, 4, true, false);
    disk_and_polygon(SQUARE, 4, true, true);
}

static void disk_and_ell(void **state)
{
    (void)state;
    disk_and_polygon(ELL, 6, false, false);
    disk_and_polygon(ELL, 6, false, true);
    /* In the notch, touching both sides. */
    fixture_clear(&s);
    fixture_disk(&s, 0.24, 0.23, 0.25, 0.01);
    fixture_polygon(&s, ELL, 6, 0.0, 0.0);
    assert_int_equal(fixture_detect(&s), 2);
    /* Led out of the matter to the reflex corner. */
    fixture_clear(&s);
    fixture_disk(&s, -0.1, -0.1, 0.25, 0.01);
    fixture_polygon(&s, ELL, 6, 0.0, 0.0);
    assert_int_equal(fixture_detect(&s), 1);
    assert_true(s.touch->normal[0] > 0.7 && s.touch->normal[1] > 0.7);
}

/* A disk sinks into an edge and goes over a corner: gap and normal never jump. */
static void continuous(void **state)
{
    (void)state;
    double last_gap = 0.0, last[2] = {0.0, 0.0};
    for (int i = 0; i <= 4000; ++i) {
        const double t = i / 4000.0, x = 0.5 + 0.9 * t, y = 1.0 + (t < 0.3 ? 0.2 - t : -0.1 + 0.35 * (t - 0.3));
        fixture_clear(&s);
        fixture_disk(&s, x, y, 0.3, 0.5);
        fixture_polygon(&s, SQUARE, 4, 0.05, 0.0);
        fixture_detect(&s);
        assert_int_equal(s.touches, 1);
        if (i > 0) {
            assert_true(fabs(s.touch->gap - last_gap) < 1e-3);
            if (s.touch->gap > -0.35) /* outside: the normal turns round the corner, inside it changes from edge to edge */
                assert_true(hypot(s.touch->normal[0] - last[0], s.touch->normal[1] - last[1]) < 0.05);
        }
        last_gap = s.touch->gap;
        last[0] = s.touch->normal[0];
        last[1] = s.touch->normal[1];
    }
}

static void rod_and_square(void **state)
{
    (void)state;
    /* Along the top edge, at any height: both ends, pushed up. Longer than the edge: the corners. */
    for (int i = 0; i < 100; ++i) {
        const double y = 1.05 - 0.001 * i, x[2] = {-0.4, y}, far[2] = {-1.5, y};
        fixture_clear(&s);
        fixture_rod(&s, x, 0.0, NULL, 1, 0.8, 0.02, 0.1, false);
        fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
        assert_int_equal(fixture_detect(&s), 2);
        for (int j = 0; j < 2; ++j)
            assert_true(fabs(s.touch[j].gap - (y - 1.02)) < 1e-12 && fabs(s.touch[j].normal[1] - 1.0) < 1e-12);
        fixture_clear(&s);
        fixture_rod(&s, far, 0.0, NULL, 1, 3.0, 0.02, 0.1, false);
        fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
        assert_int_equal(fixture_detect(&s), 2);
        for (int j = 0; j < 2; ++j) {
            assert_true(fabs(fabs(s.touch[j].s_a - 1.5) - 1.0) < 1e-9);
            assert_true(fabs(s.touch[j].gap - (y - 1.02)) < 1e-12 && fabs(s.touch[j].normal[1] - 1.0) < 1e-12);
        }
    }
    /* Its end pokes in: out again the way of the edge. */
    const double end[2] = {0.2, 0.95};
    fixture_clear(&s);
    fixture_rod(&s, end, 1.2, NULL, 4, 0.2, 0.02, 0.1, false);
    fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
    assert_int_equal(fixture_detect(&s), 1);
    assert_true(s.touch->s_a == 0.0 && fabs(s.touch->gap + 0.07) < 1e-12 && fabs(s.touch->normal[1] - 1.0) < 1e-12);
    /* Across a corner, outside and cut into it: pushed out across itself, from the corner. */
    for (int i = 0; i < 100; ++i) {
        const double off = 0.05 - 0.0011 * i, c = sqrt(0.5);
        const double x[2] = {1.0 + off * c + 0.9 * c, 1.0 + off * c - 0.9 * c};
        fixture_clear(&s);
        fixture_rod(&s, x, 0.75 * PI, NULL, 3, 0.6, 0.02, 0.1, false);
        fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
        assert_int_equal(fixture_detect(&s), 1);
        assert_true(fabs(s.touch->gap - (off - 0.02)) < 1e-12);
        assert_true(fabs(s.touch->normal[0] - c) < 1e-9 && fabs(s.touch->normal[1] - c) < 1e-9);
        assert_true(fabs(fixture_s_a(&s, s.touch) - 0.9) < 1e-9);
    }
}

/* A small square on the large one, at any height: its two lower corners. On its corner: that corner. */
static void square_on_square(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order)
        for (int i = 0; i < 60; ++i) {
            const double y = 1.02 - 0.001 * i;
            const double box[4][2] = {{-0.2, y}, {-0.2, y + 0.4}, {0.2, y + 0.4}, {0.2, y}};
            fixture_clear(&s);
            if (order)
                fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
            fixture_polygon(&s, box, 4, 0.0, 0.05);
            if (!order)
                fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
            assert_int_equal(fixture_detect(&s), 2);
            for (int j = 0; j < 2; ++j)
                assert_true(fabs(s.touch[j].gap - (y - 1.0)) < 1e-12 &&
                            fabs(s.touch[j].normal[1] - (order ? -1.0 : 1.0)) < 1e-12);
            const double diamond[4][2] = {{0.3, y}, {0.0, y + 0.3}, {0.3, y + 0.6}, {0.6, y + 0.3}};
            fixture_clear(&s);
            fixture_polygon(&s, diamond, 4, 0.0, 0.05);
            fixture_polygon(&s, SQUARE, 4, 0.0, 0.0);
            assert_int_equal(fixture_detect(&s), 1);
            assert_true(fabs(s.touch->gap - (y - 1.0)) < 1e-12 && fabs(s.touch->normal[1] - 1.0) < 1e-12);
        }
}

static void square_on_plane(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 42, 0);
    for (int i = 0; i < SERIES(2000); ++i) { /* its lowest corner, whatever the angle; flat: two */
        const double turn = i % 8 ? cst_rng_range(&rng, -3.0, 3.0) : 0.5 * PI * (i / 8 % 4);
        double corner[4][2], lowest = INFINITY;
        for (int j = 0; j < 4; ++j) {
            corner[j][0] = cos(turn) * SQUARE[j][0] - sin(turn) * SQUARE[j][1];
            corner[j][1] = sin(turn) * SQUARE[j][0] + cos(turn) * SQUARE[j][1];
            lowest = fmin(lowest, corner[j][1]);
        }
        fixture_clear(&s);
        fixture_polygon(&s, corner, 4, 0.1, 0.05);
        fixture_plane(&s, 0.0, 1.0, -1.3);
        const double gap = lowest + 1.3 - 0.1;
        assert_int_equal(fixture_detect(&s), gap >= 0.05 ? 0 : i % 8 ? 1 : 2);
        for (int j = 0; j < s.touches; ++j)
            assert_true(fabs(s.touch[j].gap - gap) < 1e-12);
    }
}

/* A chain of smooth hills: a disk that rolls over it, or has sunk in, always has the signed distance of the hills. */
static void terrain(void **state)
{
    (void)state;
    enum { HILLS = 6 };
    for (int i = 0; i < 3000; ++i) {
        const double x0[2] = {0.0, 0.0};
        double k[HILLS];
        for (int e = 0; e < HILLS; ++e) /* waves of quarter turns; matter below, on the right */
            k[e] = (e / 2 % 2 == 0 ? 1.0 : -1.0) * 0.8;
        fixture_clear(&s);
        const int ground = fixture_rod(&s, x0, -0.8, k, HILLS, 1.0, 0.0, 0.0, false);
        s.flags[ground] = CST_OWNER_FIXED;
        for (int e = 0; e < HILLS; ++e)
            s.arc[e].solid = true;
        const double at = 0.3 + i / 3000.0 * (HILLS - 0.6), height = 0.25 * sin(0.01 * i);
        int e = (int)at;
        const oracle_point p = oracle_at(&s.arc[e], at - e);
        fixture_disk(&s, (double)(p.x[0] - height * p.t[1]), (double)(p.x[1] + height * p.t[0]), 0.2, 0.3);
        assert_true(fixture_detect(&s) >= 1);
        bool found = false;
        for (int j = 0; j < s.touches; ++j)
            found |= fabs(s.touch[j].gap - (height - 0.2)) < 1e-12 && fabs(fixture_s_a(&s, &s.touch[j]) - at) < 2e-6 &&
                     s.touch[j].normal[0] * (double)p.t[1] - s.touch[j].normal[1] * (double)p.t[0] > 1.0 - 1e-9;
        assert_true(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disk_and_square), cmocka_unit_test(disk_and_ell),     cmocka_unit_test(continuous),
        cmocka_unit_test(rod_and_square),  cmocka_unit_test(square_on_square), cmocka_unit_test(square_on_plane),
        cmocka_unit_test(terrain),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
