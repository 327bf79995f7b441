/* Named shapes of fibers: equal spacing, exact length, smooth, no strand in another; the knots are the knots they are called, by the
 * determinants of their diagrams. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector3.h"
#include "scene/fiber_shapes.h"

enum { MANY = 1600, CROSSINGS = 64 };
static const double pi = 3.14159265358979323846;

typedef struct named {
    cst_fiber_shape_def def;
    double length;
} named;

static named make(cst_fiber_shape_kind kind, double radius, double length)
{
    named made = {cst_fiber_shape_def_default(kind), length};
    made.def.radius = radius;
    return made;
}

/* All kinds, some of them twice: thin and loose, thick and tight. */
static int all_shapes(named *list)
{
    named *next = list;
    *next++ = make(CST_SHAPE_STRAIGHT, 1e-3, 0.3);
    *next++ = make(CST_SHAPE_ARC, 1e-3, 0.3);
    next[-1].def.angle = 5.0;
    *next++ = make(CST_SHAPE_WAVE, 1e-3, 0.3);
    next[-1].def.amplitude = 0.01, next[-1].def.wavelength = 0.05;
    *next++ = make(CST_SHAPE_HELIX, 1e-3, 0.6);
    next[-1].def.loop = 0.02, next[-1].def.pitch = 0.03;
    *next++ = make(CST_SHAPE_COIL, 1e-3, 0.6);
    next[-1].def.loop = 0.02;
    *next++ = make(CST_SHAPE_COIL, 1e-3, 0.8);
    next[-1].def.loop = 0.02, next[-1].def.tail = 0.06;
    *next++ = make(CST_SHAPE_SLACK, 1e-3, 0.3);
    next[-1].def.distance = 0.27;
    *next++ = make(CST_SHAPE_CAPSTAN, 1e-3, 0.6);
    next[-1].def.post = 0.02, next[-1].def.angle = 4.0 * pi;
    *next++ = make(CST_SHAPE_CAPSTAN, 3e-3, 0.4);
    next[-1].def.post = 0.01, next[-1].def.angle = 1.0, next[-1].def.clearance = 1e-4, next[-1].def.tail = 0.1;
    *next++ = make(CST_SHAPE_CLOVE_HITCH, 1e-3, 0.25);
    next[-1].def.post = 0.008;
    *next++ = make(CST_SHAPE_CLOVE_HITCH, 2e-3, 0.5);
    next[-1].def.post = 0.01, next[-1].def.clearance = 2e-4;
    *next++ = make(CST_SHAPE_CLOVE_HITCH, 5e-4, 0.5);
    next[-1].def.post = 0.02;
    *next++ = make(CST_SHAPE_OVERHAND_KNOT, 1e-3, 0.3);
    next[-1].def.loop = 0.02;
    *next++ = make(CST_SHAPE_OVERHAND_KNOT, 1e-3, 0.3);
    next[-1].def.loop = 0.014;
    *next++ = make(CST_SHAPE_OVERHAND_KNOT, 1e-4, 0.4);
    next[-1].def.loop = 0.03, next[-1].def.crossings = 5, next[-1].def.mirrored = true;
    *next++ = make(CST_SHAPE_FIGURE_OF_EIGHT_KNOT, 1e-3, 0.4);
    next[-1].def.loop = 0.012;
    *next++ = make(CST_SHAPE_FIGURE_OF_EIGHT_KNOT, 2e-3, 0.6);
    next[-1].def.loop = 0.012;
    return (int)(next - list);
}

static void shape(const named *what, int elements, double *point)
{
    char message[300] = "";
    const bool made = cst_fiber_shape(&what->def, elements, what->length, point, message, sizeof message);
    if (!made)
        fail_msg("%s: %s", cst_fiber_shape_names[what->def.kind], message);
}

static double distance(const double *a, const double *b)
{
    double d[3];
    cst_subtract3(a, b, d);
    return sqrt(cst_dot3(d, d));
}

static double chords(const double *point, int elements)
{
    double sum = 0.0;
    for (int i = 0; i < elements; ++i)
        sum += distance(point + 3 * i, point + 3 * i + 3);
    return sum;
}

static void test_equal_chords(void **state)
{
    (void)state;
    named list[32];
    static double point[3 * (MANY + 1)];
    const int count = all_shapes(list), elements[3] = {400, 801, MANY};
    for (int i = 0; i < 3 * count; ++i) {
        named *what = &list[i / 3];
        const int n = elements[i % 3];
        what->def.equal_chords = true;
        shape(what, n, point);
        for (int j = 0; j < n; ++j)
            assert_true(fabs(distance(point + 3 * j, point + 3 * j + 3) * n / what->length - 1.0) < 1e-11);
    }
}

/* Sums of chords converge to the length, with the square of their number, and finer points contain the coarser ones. */
static void test_equal_arcs(void **state)
{
    (void)state;
    named list[32];
    static double coarse[3 * (2 * MANY + 1)], fine[3 * (4 * MANY + 1)];
    const int count = all_shapes(list), n = 2 * MANY;
    for (int i = 0; i < count; ++i) {
        shape(&list[i], n, coarse);
        shape(&list[i], 2 * n, fine);
        const double few = chords(coarse, n), twice = chords(fine, 2 * n), length = list[i].length;
        assert_true(fabs((4.0 * twice - few) / 3.0 / length - 1.0) < 1e-8);
        for (int j = 0; j <= n; ++j)
            assert_true(distance(coarse + 3 * j, fine + 6 * j) < 1e-12 * length);
    }
}

/* Of two chords, by bisection of neither: the squared distance is convex, so alternate projections onto both find its least. */
static double chord_distance(const double *a, const double *b)
{
    double u[3], v[3], w[3], s = 0.5, t = 0.5;
    cst_subtract3(a + 3, a, u);
    cst_subtract3(b + 3, b, v);
    cst_subtract3(a, b, w);
    const double uu = cst_dot3(u, u), vv = cst_dot3(v, v), uv = cst_dot3(u, v), uw = cst_dot3(u, w), vw = cst_dot3(v, w);
    for (int round = 0; round < 20; ++round) {
        t = fmin(fmax((uv * s + vw) / vv, 0.0), 1.0);
        s = fmin(fmax((uv * t - uw) / uu, 0.0), 1.0);
    }
    cst_add3(s, u, w);
    cst_add3(-t, v, w);
    return sqrt(cst_dot3(w, w));
}

static void test_strands_are_apart(void **state)
{
    (void)state;
    named list[32];
    static double point[3 * (MANY / 4 + 1)];
    const int count = all_shapes(list), n = MANY / 4;
    for (int i = 0; i < 2 * count; ++i) {
        const named *what = &list[i / 2];
        list[i / 2].def.equal_chords = i % 2;
        shape(what, n, point);
        const double radius = what->def.radius, chord = what->length / n;
        const int neighbours = (int)ceil(4.5 * radius / chord) + 1;
        for (int a = 0; a < n; ++a) {
            for (int b = a + neighbours; b < n; ++b) {
                const double apart = distance(point + 3 * a, point + 3 * b);
                if (apart < 2.1 * radius + 2.0 * chord)
                    assert_true(chord_distance(point + 3 * a, point + 3 * b) > 2.0 * 1.045 * radius);
            }
        }
    }
}

/* No corner: the turn of the tangent from chord to chord halves with the chords, to the bending of at least 2 radii. */
static void test_smooth(void **state)
{
    (void)state;
    named list[32];
    static double point[3 * (MANY + 1)];
    const int count = all_shapes(list);
    for (int i = 0; i < count; ++i) {
        shape(&list[i], MANY, point);
        for (int j = 1; j < MANY; ++j) {
            double before[3], after[3], turned[3];
            cst_subtract3(point + 3 * j, point + 3 * j - 3, before);
            cst_subtract3(point + 3 * j + 3, point + 3 * j, after);
            const double chord = cst_normalise3(before);
            cst_normalise3(after);
            cst_subtract3(after, before, turned);
            assert_true(sqrt(cst_dot3(turned, turned)) < chord / (2.0 * list[i].def.radius));
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------ knots */

typedef struct crossing {
    double over, under; /* places along the curve */
} crossing;

static int by_under(const void *a, const void *b)
{
    const double x = ((const crossing *)a)->under, y = ((const crossing *)b)->under;
    return (x > y) - (x < y);
}

/* Crossings of the projection along z after a turn that spoils all symmetries. */
static int find_crossings(const double *point, int n, crossing *found)
{
    static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};
    static double p[3 * (MANY + 1)];
    int count = 0;
    for (int i = 0; i <= n; ++i)
        cst_apply3(turn, point + 3 * i, p + 3 * i);
    for (int i = 0; i < n; ++i) {
        for (int j = i + 2; j < n; ++j) {
            const double *a = p + 3 * i, *b = p + 3 * j;
            const double u[2] = {a[3] - a[0], a[4] - a[1]}, v[2] = {b[3] - b[0], b[4] - b[1]}, w[2] = {b[0] - a[0], b[1] - a[1]};
            const double area = u[0] * v[1] - u[1] * v[0];
            const double s = (w[0] * v[1] - w[1] * v[0]) / area, t = (w[0] * u[1] - w[1] * u[0]) / area;
            if (!(s >= 0.0 && s < 1.0 && t >= 0.0 && t < 1.0))
                continue;
            assert_true(count < CROSSINGS);
            const bool first_over = a[2] + s * (a[5] - a[2]) > b[2] + t * (b[5] - b[2]);
            found[count++] = first_over ? (crossing){i + s, j + t} : (crossing){j + t, i + s};
        }
    }
    qsort(found, (size_t)count, sizeof *found, by_under);
    return count;
}

/* |det| of the matrix of Fox colourings, 2 over - before - after, without the last arc: ends of the curve are closed far away, where
 * nothing crosses, so its first and last arcs are one. */
static double determinant(const double *point, int n)
{
    crossing at[CROSSINGS];
    static double A[CROSSINGS][CROSSINGS];
    const int count = find_crossings(point, n, at);
    memset(A, 0, sizeof A);
    for (int row = 0; row < count; ++row) { /* arc k ends at crossing k; the last one goes on as arc 0 */
        int over = 0;
        while (over < count && at[over].under < at[row].over)
            ++over;
        A[row][over % count] += 2.0;
        A[row][row] -= 1.0;
        A[row][(row + 1) % count] -= 1.0;
    }
    double det = 1.0;
    for (int k = 0; k + 1 < count; ++k) {
        int best = k;
        for (int row = k; row + 1 < count; ++row)
            best = fabs(A[row][k]) > fabs(A[best][k]) ? row : best;
        for (int column = 0; column < count; ++column) {
            const double kept = A[k][column];
            A[k][column] = A[best][column];
            A[best][column] = kept;
        }
        det *= A[k][k];
        for (int row = k + 1; row + 1 < count && A[k][k] != 0.0; ++row) {
            const double share = A[row][k] / A[k][k];
            for (int column = k; column < count; ++column)
                A[row][column] -= share * A[k][column];
        }
    }
    return fabs(det);
}

static void test_knots(void **state)
{
    (void)state;
    static double point[3 * (MANY + 1)];
    named list[32];
    const int count = all_shapes(list), n = MANY / 4;
    for (int i = 0; i < count; ++i) {
        const cst_fiber_shape_def *def = &list[i].def;
        shape(&list[i], n, point);
        const double expected = def->kind == CST_SHAPE_OVERHAND_KNOT          ? def->crossings
                                : def->kind == CST_SHAPE_FIGURE_OF_EIGHT_KNOT ? 5.0
                                                                              : 1.0;
        assert_true(fabs(determinant(point, n) - expected) < 1e-9);
    }
}

/* Turns lie on their post, tails and ends are where they should be, and so is what is moved. */
static void test_places(void **state)
{
    (void)state;
    static double point[3 * (MANY + 1)], other[3 * (MANY + 1)];
    named capstan = make(CST_SHAPE_CAPSTAN, 1e-3, 0.6), hitch = make(CST_SHAPE_CLOVE_HITCH, 1e-3, 0.25);
    capstan.def.post = 0.02, capstan.def.angle = 4.0 * pi, capstan.def.clearance = 1e-5, capstan.def.tail = 0.05;
    hitch.def.post = 0.008, hitch.def.clearance = 1e-4;
    for (int which = 0; which < 2; ++which) {
        named *what = which ? &hitch : &capstan;
        const double outside = what->def.post + what->def.radius + what->def.clearance;
        double least = INFINITY, turned = 0.0;
        what->def.equal_chords = true; /* middles of chords are nearest */
        shape(what, 100, point);
        for (int i = 0; i < 100; ++i)
            least = fmin(least, 0.5 * hypot(point[3 * i] + point[3 * i + 3], point[3 * i + 1] + point[3 * i + 4]));
        assert_true(least > outside - 1e-12 && least < outside + 0.02 * what->def.radius);
        what->def.equal_chords = false;
        shape(what, MANY, point);
        for (int i = 0; i <= MANY; ++i)
            least = fmin(least, hypot(point[3 * i], point[3 * i + 1]));
        assert_true(fabs(least - outside) < 1e-12);
        for (int i = 0; i < MANY; ++i) {
            const double *p = point + 3 * i;
            turned += atan2(p[0] * p[4] - p[1] * p[3], p[0] * p[3] + p[1] * p[4]);
        }
        assert_true(turned > 4.0 * pi && turned < 5.0 * pi); /* straight tails add less than a quarter each */
    }
    /* the middle of the hitch is over what crosses it */
    assert_true(point[3 * MANY / 2] > hitch.def.post + 3.1 * hitch.def.radius && fabs(point[3 * MANY / 2 + 1]) < 1e-9);
    shape(&capstan, MANY, point);
    assert_true(fabs(hypot(point[0], point[1]) - hypot(0.02101, 0.05)) < 1e-5); /* the tail is as long as said */

    named slack = make(CST_SHAPE_SLACK, 1e-3, 0.3);
    slack.def.distance = 0.27;
    for (int chord = 0; chord < 2; ++chord) {
        slack.def.equal_chords = chord;
        shape(&slack, 100, point);
        assert_true(fabs(point[300] - 0.27) < 1e-11 && fabs(point[301]) < 1e-11);
    }
    named ring = make(CST_SHAPE_ARC, 1e-3, 0.3);
    ring.def.angle = 2.0 * pi;
    for (int chord = 0; chord < 2; ++chord) {
        ring.def.equal_chords = chord;
        shape(&ring, 40, point);
        assert_true(distance(point, point + 120) < 1e-13);
    }

    /* moved, turned, mirrored, reversed */
    named knot = make(CST_SHAPE_OVERHAND_KNOT, 1e-3, 0.3);
    knot.def.loop = 0.02;
    shape(&knot, 101, point);
    const double quarter[9] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0}, place[3] = {1.0, 2.0, 3.0};
    memcpy(knot.def.frame, quarter, sizeof quarter);
    memcpy(knot.def.position, place, sizeof place);
    knot.def.mirrored = knot.def.reversed = true;
    shape(&knot, 101, other);
    for (int i = 0; i <= 101; ++i) {
        const double *p = point + 3 * i, *q = other + 3 * (101 - i);
        assert_true(fabs(q[0] - 1.0 + p[1]) < 1e-15 && fabs(q[1] - 2.0 - p[0]) < 1e-15 && fabs(q[2] - 3.0 + p[2]) < 1e-15);
    }
}

static void refuses(const named *what, int elements, const char *part)
{
    static double point[3 * (MANY + 1)];
    char message[300] = "";
    if (cst_fiber_shape(&what->def, elements, what->length, point, message, sizeof message))
        fail_msg("nothing was said of \"%s\"", part);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void test_refusals(void **state)
{
    (void)state;
    named knot = make(CST_SHAPE_OVERHAND_KNOT, 1e-3, 0.3);
    refuses(&knot, 50, "\"loop\"");
    knot.def.loop = 0.02, knot.def.crossings = 4;
    refuses(&knot, 50, "3, 5, 7");
    knot.def.crossings = 3, knot.def.radius = 0.008, knot.length = 0.6; /* too thick for its loop */
    refuses(&knot, 50, "bends");
    knot.def.radius = 0.004;
    refuses(&knot, 50, "strands");
    knot.def.radius = 1e-3, knot.length = 0.15;
    refuses(&knot, 50, "0.15 m long");
    knot.length = 0.3, knot.def.tail = 0.2;
    refuses(&knot, 50, "first tail");
    named coil = make(CST_SHAPE_COIL, 1e-3, 0.6);
    coil.def.loop = 0.02, coil.def.pitch = 1.9e-3;
    refuses(&coil, 50, "strands");
    named wave = make(CST_SHAPE_WAVE, 1e-3, 0.6);
    wave.def.wavelength = 0.01, wave.def.amplitude = 0.02;
    refuses(&wave, 50, "bends");
    named slack = make(CST_SHAPE_SLACK, 1e-3, 0.6);
    slack.def.distance = 0.6;
    refuses(&slack, 50, "distance");
    named capstan = make(CST_SHAPE_CAPSTAN, 1e-3, 0.6);
    capstan.def.angle = NAN, capstan.def.post = 0.02;
    refuses(&capstan, 50, "\"angle\"");
    capstan.def.angle = 4.0 * pi;
    refuses(&capstan, 0, "elements");
    /* chords so long that those of the braid cut through each other */
    named thin = make(CST_SHAPE_OVERHAND_KNOT, 1e-4, 0.4);
    thin.def.loop = 0.03, thin.def.equal_chords = true;
    refuses(&thin, 60, "strands");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_chords), cmocka_unit_test(test_equal_arcs), cmocka_unit_test(test_strands_are_apart),
        cmocka_unit_test(test_smooth),       cmocka_unit_test(test_knots),      cmocka_unit_test(test_places),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
