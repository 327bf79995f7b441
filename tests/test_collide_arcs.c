/* Nearest points of one pair of shapes: golden vectors, brute force, half-planes, hollow disks, flat contact, degenerate numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/distance_arc.h"
#include "sanitized.h"
#include "tests/arc_oracle.h"
#include "tests/json.h"

static const double PI = 3.14159265358979323846;

static cst_arc arc_of(const json *value)
{
    double x[2];
    assert_int_equal(json_numbers(json_get(value, "x0"), x, 2), 2);
    return (cst_arc){.x = {x[0], x[1]},
                     .angle = json_number(value, "theta"),
                     .k = json_number(value, "kappa"),
                     .l = json_number(value, "l"),
                     .owner_length = json_number(value, "l")};
}

static int touch_arcs(const cst_arc *a, const cst_arc *b, double margin, cst_touch *out)
{
    cst_placed_arc p, q;
    cst_place_arc(a, &p);
    cst_place_arc(b, &q);
    const cst_touch_rules rules = {.margin = margin};
    return cst_touch_arcs(&p, &q, &rules, out);
}

static int touch_plane(const cst_arc *a, const double *normal, double height, double margin, double flat, cst_touch *out)
{
    cst_placed_arc p;
    cst_place_arc(a, &p);
    const cst_half_plane plane = {.normal = {normal[0], normal[1]}, .height = height};
    const cst_touch_rules rules = {.margin = margin, .flat = flat};
    return cst_touch_half_plane(&p, &plane, &rules, out);
}

static double least_gap(const cst_touch *touch, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i)
        least = fmin(least, touch[i].gap);
    return least;
}

/* A normal is a unit vector from b to a. */
static void assert_normal(const cst_arc *a, const cst_arc *b, const cst_touch *touch)
{
    assert_true(fabs(hypot(touch->normal[0], touch->normal[1]) - 1.0) < 1e-12);
    const oracle_point p = oracle_at(a, touch->s_a), q = oracle_at(b, touch->s_b);
    const double d = touch->gap + a->radius + b->radius;
    assert_true(fabs((double)(p.x[0] - q.x[0]) - d * touch->normal[0]) < 1e-12);
    assert_true(fabs((double)(p.x[1] - q.x[1]) - d * touch->normal[1]) < 1e-12);
}

static void golden_arcs(void **state)
{
    (void)state;
    json *data = json_read_data("rods/arc_contacts.json");
    const json *cases = json_get(data, "arc_arc");
    assert_int_equal(cases->count, 40);
    for (size_t i = 0; i < cases->count; ++i) {
        const json *at = cases->item[i];
        const cst_arc a = arc_of(json_get(at, "A")), b = arc_of(json_get(at, "B"));
        cst_touch touch[CST_TOUCHES_MAX];
        const int count = touch_arcs(&a, &b, 10.0, touch);
        assert_true(fabs(least_gap(touch, count) - json_number(at, "dist")) < 1e-12);
        const json *minima = json_get(at, "local_minima");
        for (size_t j = 0; j < minima->count; ++j) {
            double m[3];
            assert_int_equal(json_numbers(minima->item[j], m, 3), 3);
            bool found = false;
            for (int k = 0; k < count; ++k)
                found |= fabs(touch[k].gap - m[2]) < 1e-10 && fabs(touch[k].s_a - m[0]) + fabs(touch[k].s_b - m[1]) < 1e-6;
            assert_true(found);
        }
        for (int k = 0; k < count; ++k)
            if (touch[k].gap > 1e-9)
                assert_normal(&a, &b, &touch[k]);
    }
    json_free(data);
}

static void golden_points_and_planes(void **state)
{
    (void)state;
    json *data = json_read_data("rods/arc_contacts.json");
    const json *points = json_get(data, "arc_point"), *planes = json_get(data, "arc_plane");
    assert_int_equal(points->count, 24);
    assert_int_equal(planes->count, 24);
    for (size_t i = 0; i < points->count; ++i) {
        const cst_arc a = arc_of(json_get(points->item[i], "A"));
        cst_arc disk = {.radius = 0.01};
        assert_int_equal(json_numbers(json_get(points->item[i], "c"), disk.x, 2), 2);
        cst_touch touch[CST_TOUCHES_MAX];
        const int count = touch_arcs(&a, &disk, 10.0, touch);
        assert_true(fabs(least_gap(touch, count) - (json_number(points->item[i], "dist") - 0.01)) < 1e-12);
        const int back = touch_arcs(&disk, &a, 10.0, touch); /* the other way round */
        assert_int_equal(back, count);
        assert_normal(&disk, &a, &touch[0]);
    }
    for (size_t i = 0; i < planes->count; ++i) {
        const cst_arc a = arc_of(json_get(planes->item[i], "A"));
        double n[2];
        assert_int_equal(json_numbers(json_get(planes->item[i], "n"), n, 2), 2);
        cst_touch touch[CST_TOUCHES_MAX];
        const int count = touch_plane(&a, n, 0.0, 10.0, 0.0, touch);
        assert_true(fabs(least_gap(touch, count) - json_number(planes->item[i], "height")) < 1e-12);
    }
    json_free(data);
}

/* ------------------------------------------------------------------------------------------------------------ brute force */

static void check_pair(const cst_arc *a, const cst_arc *b, double margin)
{
    cst_touch touch[CST_TOUCHES_MAX];
    const int count = touch_arcs(a, b, margin, touch);
    const double radii = a->radius + b->radius, scale = a->l + b->l + 1.0;
    for (int i = 0; i < count; ++i) {
        const double d = touch[i].gap + radii;
        assert_true(touch[i].gap < margin);
        assert_true(touch[i].s_a >= 0.0 && touch[i].s_a <= a->l && touch[i].s_b >= 0.0 && touch[i].s_b <= b->l);
        assert_true(fabs(d - (double)oracle_distance(a, touch[i].s_a, b, touch[i].s_b)) < 1e-12 * scale);
        assert_true(oracle_around(a, b, touch[i].s_a, touch[i].s_b, 1e-6) > d - 1e-13 * scale); /* some minima are that narrow */
        assert_true(i == 0 || touch[i - 1].branch < touch[i].branch);
        if (d > 1e-9)
            assert_normal(a, b, &touch[i]);
    }
    oracle_minimum minimum[ORACLE_MINIMA];
    const int minima = oracle_minima(a, b, margin + radii, minimum);
    for (int j = 0; j < minima; ++j) {
        bool found = minimum[j].distance >= (margin + radii) * (1.0 - 1e-9);
        for (int i = 0; i < count && !found; ++i) {
            const double apart = fabs(touch[i].s_a - minimum[j].s) + fabs(touch[i].s_b - minimum[j].t);
            /* On a closed circle the two ends are one point. */
            const bool closed = a->l * fabs(a->k) > 6.283 || b->l * fabs(b->k) > 6.283;
            found = fabs(touch[i].gap + radii - minimum[j].distance) < 1e-9 * scale &&
                    (minimum[j].flat || closed || apart < 1e-3 * scale);
        }
        assert_true(found);
    }
}

static void brute_force(void **state)
{
    (void)state;
    enum { PAIRS = SERIES(2800) }; /* x 8 families = 22400; capstan-bench arcs does a million */
    for (int family = 0; family < ORACLE_FAMILIES; ++family) {
        cst_rng rng;
        cst_rng_seed(&rng, 21, (uint64_t)family);
        for (int i = 0; i < PAIRS; ++i) {
            cst_arc a, b;
            oracle_pair(&rng, (oracle_family)family, &a, &b);
            check_pair(&a, &b, 0.4);
        }
    }
}

/* The order of the two does not matter. */
static void symmetric(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 22, 0);
    for (int i = 0; i < SERIES(4000); ++i) {
        cst_arc a, b;
        oracle_pair(&rng, (oracle_family)(i % ORACLE_FAMILIES), &a, &b);
        cst_touch there[CST_TOUCHES_MAX], back[CST_TOUCHES_MAX];
        const int count = touch_arcs(&a, &b, 0.4, there);
        if (least_gap(there, count) < -(a.radius + b.radius) + 1e-9) /* crossing: the side is a choice */
            continue;
        assert_int_equal(touch_arcs(&b, &a, 0.4, back), count);
        const double same = 2e-6 * (a.l + b.l); /* places nearer than a millionth of the lengths are one, either may be given */
        for (int j = 0; j < count; ++j) {
            bool found = false;
            for (int k = 0; k < count; ++k)
                found |= oracle_distance(&a, there[j].s_a, &a, back[k].s_b) + oracle_distance(&b, there[j].s_b, &b, back[k].s_a) <
                             same &&
                         fabs(there[j].gap - back[k].gap) < 1e-12 && fabs(there[j].normal[0] + back[k].normal[0]) < 1e-4 &&
                         fabs(there[j].normal[1] + back[k].normal[1]) < 1e-4;
            assert_true(found);
        }
    }
}

/* Least of a function of s by a grid and golden section, long double. */
typedef long double (*height_of)(const cst_arc *arc, long double s, const double *with);

static double brute_least(const cst_arc *arc, height_of height, const double *with)
{
    enum { GRID = 400 };
    long double best = INFINITY, at = 0.0L;
    for (int i = 0; i <= GRID; ++i) {
        const long double s = arc->l * (long double)i / GRID, h = height(arc, s, with);
        if (h < best) {
            best = h;
            at = s;
        }
    }
    long double step = arc->l / (long double)GRID;
    while (step > 1e-13L * arc->l && step > 0.0L) {
        for (int side = -1; side <= 1; side += 2) {
            const long double s = at + side * step, h = s < 0.0L || s > arc->l ? best : height(arc, s, with);
            if (h < best) {
                best = h;
                at = s;
            }
        }
        step *= 0.7L;
    }
    return (double)best;
}

static long double above_plane(const cst_arc *arc, long double s, const double *n)
{
    const oracle_point p = oracle_at(arc, s);
    return n[0] * p.x[0] + n[1] * p.x[1];
}

static long double within_circle(const cst_arc *arc, long double s, const double *c)
{
    const oracle_point p = oracle_at(arc, s);
    return c[2] - hypotl(p.x[0] - c[0], p.x[1] - c[1]);
}

static void planes_and_hollows(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 23, 0);
    for (int i = 0; i < SERIES(1500); ++i) {
        const double turn = i % 10 ? oracle_turn(&rng) : 2.0 * PI;
        const cst_arc arc = oracle_arc(&rng, turn);
        double n[2];
        cst_rng_direction(&rng, 2, n);
        cst_touch touch[CST_TOUCHES_MAX];
        int count = touch_plane(&arc, n, -0.3, 10.0, 0.0, touch);
        assert_true(count >= 1 && count <= 3);
        const double height = brute_least(&arc, above_plane, n) + 0.3 - arc.radius;
        assert_true(fabs(least_gap(touch, count) - height) < 1e-12);

        cst_arc drum = {.hollow = true, .radius = cst_rng_range(&rng, 0.5, 3.0)};
        drum.x[0] = cst_rng_range(&rng, -0.5, 0.5);
        drum.x[1] = cst_rng_range(&rng, -0.5, 0.5);
        count = touch_arcs(&arc, &drum, 10.0, touch);
        assert_true(count >= 1 && count <= 3);
        const double c[3] = {drum.x[0], drum.x[1], drum.radius};
        assert_true(fabs(least_gap(touch, count) - (brute_least(&arc, within_circle, c) - arc.radius)) < 1e-12);
        for (int j = 0; j < count; ++j) { /* inwards */
            const oracle_point p = oracle_at(&arc, touch[j].s_a);
            assert_true((drum.x[0] - (double)p.x[0]) * touch[j].normal[0] + (drum.x[1] - (double)p.x[1]) * touch[j].normal[1] >
                        0.0);
        }
        cst_touch back[CST_TOUCHES_MAX];
        assert_int_equal(touch_arcs(&drum, &arc, 10.0, back), count);
        assert_true(back[0].normal[0] == -touch[0].normal[0] && back[0].s_b == touch[0].s_a);
    }
}

/* ---------------------------------------------------------------------------------------------------------- flat contact */

static void flat_contact(void **state)
{
    (void)state;
    const double up[2] = {0.0, 1.0};
    cst_touch touch[CST_TOUCHES_MAX];
    for (int i = 0; i < 5; ++i) { /* a bar on the ground, straight to rounding, rests on its two ends */
        const double k[5] = {0.0, 1e-14, -1e-14, 1e-11, -1e-11};
        const cst_arc bar = {
            .x = {0.3, 0.11}, .angle = i == 2 ? 1e-13 : 0.0, .k = k[i], .l = 1.0, .radius = 0.1, .owner_length = 1.0};
        assert_int_equal(touch_plane(&bar, up, 0.0, 0.05, 0.0, touch), 2);
        assert_true(touch[0].s_a == 0.0 && touch[1].s_a == 1.0);
        assert_true(fabs(touch[0].gap - 0.01) < 1e-10 && fabs(touch[1].gap - 0.01) < 1e-10);
    }
    /* Tilted: one end, both if that little counts as flat. Bulging down: its middle, and both ends if that little counts. */
    const cst_arc tilted = {.x = {0.0, 0.1}, .angle = 1e-4, .l = 1.0, .radius = 0.1, .owner_length = 1.0};
    assert_int_equal(touch_plane(&tilted, up, 0.0, 0.05, 0.0, touch), 1);
    assert_int_equal(touch_plane(&tilted, up, 0.0, 0.05, 2e-4, touch), 2);
    const cst_arc bulging = {.x = {0.0, 0.1}, .angle = -0.5e-3, .k = 1e-3, .l = 1.0, .radius = 0.1, .owner_length = 1.0};
    assert_int_equal(touch_plane(&bulging, up, 0.0, 0.05, 0.0, touch), 1);
    assert_true(fabs(touch[0].s_a - 0.5) < 1e-9);
    assert_int_equal(touch_plane(&bulging, up, 0.0, 0.05, 1e-3, touch), 3);

    /* Parallel bars: the two ends of what they share. */
    const cst_arc low = {.l = 1.0, .radius = 0.05, .owner_length = 1.0};
    const cst_arc high = {.x = {1.4, 0.2}, .angle = PI, .l = 0.8, .radius = 0.05, .owner_length = 0.8};
    assert_int_equal(touch_arcs(&high, &low, 0.2, touch), 2);
    for (int i = 0; i < 2; ++i) {
        const double x = 1.4 - touch[i].s_a;
        assert_true(fabs(x - touch[i].s_b) < 1e-12 && (fabs(x - 0.6) < 1e-12 || fabs(x - 1.0) < 1e-12));
        assert_true(fabs(touch[i].gap - 0.1) < 1e-12 && fabs(touch[i].normal[1] - 1.0) < 1e-12);
    }
    /* Concentric arcs likewise, and an arc around a disk. */
    const cst_arc inner = {.x = {1.0, 0.0}, .angle = 0.5 * PI, .k = 1.0, .l = 1.0, .radius = 0.05, .owner_length = 1.0};
    const double r = 1.2, from = 0.4;
    const cst_arc outer = {.x = {r * cos(from), r * sin(from)},
                           .angle = from + 0.5 * PI,
                           .k = 1.0 / r,
                           .l = 1.0 * r,
                           .radius = 0.05,
                           .owner_length = r};
    assert_int_equal(touch_arcs(&outer, &inner, 0.2, touch), 2);
    assert_true(fabs(touch[0].gap - 0.1) < 1e-12 && fabs(touch[1].gap - 0.1) < 1e-12);
    assert_true(fmin(touch[0].s_b, touch[1].s_b) - 0.4 < 1e-9 && fmax(touch[0].s_b, touch[1].s_b) == 1.0);
    const cst_arc disk = {.radius = 0.9};
    assert_int_equal(touch_arcs(&inner, &disk, 0.2, touch), 2);
}

/* Very different sizes: what is small against the large one is not for the small one. */
static void sizes(void **state)
{
    (void)state;
    const cst_arc ground = {.x = {-4000.0, 0.0}, .l = 10000.0, .owner_length = 10000.0};
    cst_touch touch[CST_TOUCHES_MAX];
    for (int halvings = 0; halvings < 20; ++halvings) {
        const double l = ldexp(1.0, -halvings);
        const cst_arc bar = {.x = {1.0, 0.1 * l}, .l = l, .radius = 0.05 * l, .owner_length = l};
        assert_int_equal(touch_arcs(&bar, &ground, 0.2 * l, touch), 2);
        assert_int_equal(touch_arcs(&ground, &bar, 0.2 * l, touch), 2);
        assert_true(fabs(touch[0].gap - 0.05 * l) < 1e-9 * l + 1e-12);
    }
}

/* Several touches of one pair: a horseshoe over a disk chain; an arc whose two ends reach down to a bar. */
static void several(void **state)
{
    (void)state;
    const cst_arc bridge = {.x = {1.0, 0.1}, .angle = 0.5 * PI, .k = 1.0, .l = PI, .radius = 0.02, .owner_length = PI};
    const cst_arc ground = {.x = {-2.0, 0.0}, .l = 4.0, .radius = 0.02, .owner_length = 4.0};
    cst_touch touch[CST_TOUCHES_MAX];
    assert_int_equal(touch_arcs(&bridge, &ground, 0.2, touch), 2);
    assert_true(fabs(touch[0].gap - 0.06) < 1e-12 && fabs(touch[1].gap - 0.06) < 1e-12);
    /* Sunk: two crossings. */
    const cst_arc sunk = {.x = {1.0, -0.3}, .angle = 0.5 * PI, .k = 1.0, .l = PI, .radius = 0.02, .owner_length = PI};
    assert_int_equal(touch_arcs(&sunk, &ground, 0.2, touch), 2);
    for (int i = 0; i < 2; ++i) /* pushed back up: the legs have gone through, and come out the way they went in */
        assert_true(fabs(touch[i].gap + 0.04) < 1e-12 && touch[i].normal[1] > 0.99);
}

static void bad_numbers(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, 1e-308, 0.0, -1.0};
    const cst_arc good = {.x = {0.1, 0.2}, .angle = 0.3, .k = 0.4, .l = 0.5, .radius = 0.1, .owner_length = 0.5};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        for (int field = 0; field < 6; ++field) {
            cst_arc arc = good;
            double *const at[6] = {&arc.x[0], &arc.x[1], &arc.angle, &arc.k, &arc.l, &arc.radius};
            *at[field] = bad[i];
            cst_placed_arc p, q;
            cst_place_arc(&arc, &p);
            cst_place_arc(&good, &q);
            if (!isfinite(bad[i]) || (field >= 4 && bad[i] < 0.0))
                assert_false(p.usable);
            if (!p.usable)
                continue;
            cst_touch touch[CST_TOUCHES_MAX];
            const cst_touch_rules rules = {.margin = 1.0};
            const int count = cst_touch_arcs(&p, &q, &rules, touch); /* comes back */
            assert_true(count >= 0 && count <= CST_TOUCHES_MAX);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_arcs),
        cmocka_unit_test(golden_points_and_planes),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(symmetric),
        cmocka_unit_test(planes_and_hollows),
        cmocka_unit_test(flat_contact),
        cmocka_unit_test(sizes),
        cmocka_unit_test(several),
        cmocka_unit_test(bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
