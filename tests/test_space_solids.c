/* Contacts of centrelines with solids and meshes against brute force; rules of who touches whom, memory, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/distance_solid_space.h"
#include "collide/distance_triangle.h"
#include "collide/mesh_space.h"
#include "tests/space_fixture.h"

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

/* Distance of a point to the only obstacle of the scene. */
typedef double (*obstacle_distance)(const double *x);

static double to_solid(const double *x)
{
    double n[3];
    return cst_solid_distance(&f.solid[0], x, n);
}

/* The curve of the first owner: each strict local minimum along it that fine sampling finds is a touch, each touch is a
 * minimum. */
static void check_along(int pieces, double reach, obstacle_distance distance, long *minima)
{
    enum { SAMPLES = 1500 };
    static double phi[SAMPLES + 1];
    const oracle_curve curve = oracle_of(f.element, pieces);
    const double radius = f.piece[0].radius, step = curve.length / SAMPLES;
    for (int i = 0; i <= SAMPLES; ++i) {
        double x[3];
        oracle_at(&curve, i * step, x);
        phi[i] = distance(x);
    }
    for (int i = 0; i <= SAMPLES; ++i) {
        const double before = i ? phi[i - 1] : INFINITY, after = i < SAMPLES ? phi[i + 1] : INFINITY;
        if (!(phi[i] < before - 1e-9 && phi[i] < after - 1e-9 && phi[i] < reach - 1e-9))
            continue;
        double low = fmax(0.0, (i - 1) * step), high = fmin(curve.length, (i + 1) * step);
        for (int j = 0; j < 100; ++j) { /* thirds */
            const double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
            double x[3], y[3];
            oracle_at(&curve, p, x);
            oracle_at(&curve, q, y);
            if (distance(x) < distance(y))
                high = q;
            else
                low = p;
        }
        double x[3];
        oracle_at(&curve, 0.5 * (low + high), x);
        const double least = distance(x);
        bool found = least > reach - 1e-9;
        for (int t = 0; t < f.touches && !found; ++t)
            found = fabs(f.piece[f.touch[t].a].s + f.touch[t].s_a - 0.5 * (low + high)) < 2.0 * step &&
                    fabs(f.touch[t].gap + radius - least) < 1e-8;
        assert_true(found);
        ++*minima;
    }
    for (int t = 0; t < f.touches; ++t) {
        const cst_touch_space *touch = &f.touch[t];
        const double s = f.piece[touch->a].s + touch->s_a;
        double x[3], off[3];
        oracle_at(&curve, s, x);
        assert_true(fabs(distance(x) - touch->gap - radius) < 1e-10);
        cst_subtract3(touch->x_a, touch->x_b, off);
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(off[k] - (touch->gap + radius) * touch->normal[k]) < 1e-10);
        for (int side = -1; side <= 1; side += 2) {
            oracle_at(&curve, fmax(0.0, fmin(curve.length, s + side * 1e-5)), x);
            assert_true(distance(x) > touch->gap + radius - 1e-10);
        }
        for (int other = 0; other < t; ++other)
            assert_true(fabs(f.piece[f.touch[other].a].s + f.touch[other].s_a - s) > 1e-6);
    }
}

/* A chain of bent or straight elements near the origin. */
static void add_wire(cst_rng *rng, int pieces, double length, double bend, double radius, double margin)
{
    fixture_element e;
    fixture_random_element(rng, length, bend / length, 0.4 * bend / length, &e);
    double middle[3];
    fixture_element_at(&e, 0.5 * length, middle, NULL);
    for (int k = 0; k < 3; ++k) {
        e.x[k] -= middle[k];
        e.x[k] += cst_rng_range(rng, -0.6, 0.6);
    }
    fixture_owner(&f);
    for (int i = 0; i < pieces; ++i) {
        fixture_add(&f, &e, radius, margin);
        double x[3], t[3];
        fixture_element_at(&e, length, x, t);
        memcpy(e.x, x, sizeof x);
        memcpy(e.t, t, sizeof t);
    }
}

static void solids_along_wires(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 81, 0);
    long minima = 0;
    for (int round = 0; round < 1500; ++round) {
        fixture_clear(&f);
        const int pieces = 1 + round % 3;
        add_wire(&rng, pieces, 0.8 / pieces, round % 2 ? 0.0 : cst_rng_range(&rng, 0.2, 3.0), 0.02, 0.03);
        cst_solid *solid = fixture_solid(&f, (cst_solid_kind)(round % 5), 0.3, 0.2, 0.25);
        fixture_rotation(&rng, solid->frame);
        f.solid_margin[0] = 0.02;
        fixture_detect(&f);
        check_along(pieces, 0.07, to_solid, &minima);
    }
    assert_true(minima > 500);
}

/* A rod lies on a table with both ends; beyond the edge, with one end and the edge; a chain with each joint. */
static void lying(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        fixture_clear(&f);
        const double p[6] = {-0.4, 0.0, 0.011, 0.8, 0.0, 0.011};
        fixture_straight(&f, p, p + 3, 0.01, 0.01);
        cst_solid *solid = fixture_solid(&f, kind ? CST_SOLID_BOX : CST_SOLID_PLANE, 0.5, 0.5, 0.1);
        solid->position[2] = kind ? -0.1 : 0.0;
        fixture_detect(&f);
        assert_int_equal(f.touches, 2);
        assert_true(fabs(f.touch[0].s_a) < 1e-12);
        assert_true(fabs(f.touch[1].s_a - (kind ? 0.9 : 1.2)) < 1e-8);
        for (int t = 0; t < 2; ++t)
            assert_true(fabs(f.touch[t].gap - 0.001) < 1e-12 && fabs(f.touch[t].normal[2] - 1.0) < 1e-12);
        /* On its end it stands with one. */
        f.element[0].t[2] = 1.0;
        f.element[0].t[0] = 0.0;
        fixture_detect(&f);
        assert_int_equal(f.touches, 1);
        assert_true(f.touch[0].s_a == 0.0);
    }
    fixture_clear(&f);
    const double x[12] = {-0.3, 0.0, 0.01, -0.1, 0.0, 0.01, 0.1, 0.1, 0.01, 0.3, 0.0, 0.01};
    fixture_chain(&f, x, 4, 0.01, 0.01, false);
    fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0);
    fixture_detect(&f);
    assert_int_equal(f.touches, 4);
    /* Nearly flat: lower at one end by less than flat. */
    f.element[2].t[2] -= 1e-5;
    fixture_detect(&f);
    assert_int_equal(f.touches, 3);
    f.scene.flat = 1e-5;
    fixture_detect(&f);
    assert_int_equal(f.touches, 4);
}

/* ---------------------------------------------------------------------------------------------------------------- meshes */

enum { SIDE = 14 };
static double vertex[(SIDE + 1) * (SIDE + 1) * 3];
static int32_t triangle[SIDE * SIDE * 2 * 3];
static int triangles;

static void hills(cst_rng *rng, double height)
{
    triangles = 0;
    for (int i = 0; i <= SIDE; ++i)
        for (int j = 0; j <= SIDE; ++j) {
            double *v = vertex + 3 * (i * (SIDE + 1) + j);
            v[0] = (i - 0.5 * SIDE) / SIDE;
            v[1] = (j - 0.5 * SIDE) / SIDE;
            v[2] = cst_rng_range(rng, -height, height);
        }
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            const int32_t a = i * (SIDE + 1) + j, b = a + 1, c = a + SIDE + 1, d = c + 1;
            const int32_t two[6] = {a, c, d, a, d, b};
            memcpy(triangle + 3 * triangles, two, sizeof two);
            triangles += 2;
        }
}

static double to_mesh(const double *x)
{
    double from[3], p[3], least = INFINITY;
    cst_subtract3(x, f.solid[0].position, from);
    cst_apply_transposed3(f.solid[0].frame, from, p);
    for (int i = 0; i < triangles; ++i) {
        double corner[9];
        for (int k = 0; k < 9; ++k)
            corner[k] = vertex[3 * triangle[3 * i + k / 3] + k % 3];
        least = fmin(least, cst_point_triangle(p, corner).distance);
    }
    return least - f.solid[0].rounding;
}

static cst_solid *add_mesh(bool closed, double rounding)
{
    cst_solid *solid = fixture_solid(&f, CST_SOLID_MESH, 0.0, 0.0, 0.0);
    solid->mesh = cst_mesh_space_create(vertex, (SIDE + 1) * (SIDE + 1), triangle, triangles, closed, NULL);
    assert_non_null(solid->mesh);
    solid->rounding = rounding;
    return solid;
}

/* Wires above hills: the minima of the distance to all triangles. Touches may be more: minima that another part of the mesh
 * hides. */
static void hills_under_wires(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 82, 0);
    long minima = 0;
    for (int round = 0; round < 40; ++round) {
        hills(&rng, round % 4 ? 0.02 : 0.0);
        fixture_clear(&f);
        add_wire(&rng, 1, 0.7, round % 2 ? 0.0 : 1.0, 0.02, 0.05);
        for (int k = 0; k < 2; ++k)
            f.element[0].x[k] = cst_rng_range(&rng, -0.3, 0.0);
        f.element[0].x[2] = 0.05;
        f.element[0].t[2] *= 0.05;
        cst_normalise3(f.element[0].t);
        f.piece[0].curvature = fixture_curvature(&f.element[0]);
        add_mesh(false, 0.005);
        fixture_detect(&f);
        const oracle_curve curve = oracle_of(f.element, 1);
        enum { SAMPLES = 400 };
        double phi[SAMPLES + 1];
        for (int i = 0; i <= SAMPLES; ++i) {
            double x[3];
            oracle_at(&curve, i * curve.length / SAMPLES, x);
            phi[i] = to_mesh(x);
        }
        for (int i = 0; i <= SAMPLES; ++i) {
            const double before = i ? phi[i - 1] : INFINITY, after = i < SAMPLES ? phi[i + 1] : INFINITY;
            if (!(phi[i] < before - 1e-7 && phi[i] < after - 1e-7 && phi[i] < 0.069))
                continue;
            bool found = false;
            for (int t = 0; t < f.touches && !found; ++t)
                found = fabs(f.touch[t].s_a - i * curve.length / SAMPLES) < 3.0 * curve.length / SAMPLES &&
                        f.touch[t].gap + 0.02 < phi[i] + 1e-9;
            assert_true(found);
            ++minima;
        }
        for (int t = 0; t < f.touches; ++t) {
            double n[3];
            cst_subtract3(f.touch[t].x_a, f.touch[t].x_b, n);
            assert_true(fabs(cst_dot3(n, f.touch[t].normal) - f.touch[t].gap - 0.02) < 1e-10);
            assert_true(to_mesh(f.touch[t].x_a) < f.touch[t].gap + 0.02 + 1e-10);
            assert_true(f.touch[t].part >= 0 && f.touch[t].part < triangles);
        }
        cst_mesh_space_destroy((cst_mesh_space *)f.solid[0].mesh);
    }
    assert_true(minima > 40);
}

/* Is a place at the share t of the line below the face of a triangle with the normal n by less than `most`? */
static bool dips_below(const double line[2][3], double t, const double *corner, const double *n, double most)
{
    const double *p = line[0], *q = line[1];
    const double x[3] = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])};
    const cst_on_triangle at = cst_point_triangle(x, corner);
    return at.part == CST_TRIANGLE_FACE && cst_dot3(x, n) <= cst_dot3(corner, n) && at.distance < most;
}

/* No triangle that is near enough, or that the line dips below, is left out before its distance is asked for, be it a sliver; most that are far are. */
static void triangles_near_a_line(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 87, 0);
    long near = 0, dipped = 0, left_in = 0, all = 0;
    for (int round = 0; round < 200; ++round) {
        hills(&rng, 0.05);
        for (int k = 0; k < 3 && round % 2; ++k) { /* two vertices next to each other in one place, or nearly */
            const double apart = round % 4 == 1 ? 0.0 : 1e-15;
            vertex[3 * 100 + k] = vertex[3 * 101 + k] + apart;
            vertex[3 * 40 + k] = 0.5 * (vertex[3 * 39 + k] + vertex[3 * 41 + k]) + apart;
        }
        cst_mesh_space *mesh = cst_mesh_space_create(vertex, (SIDE + 1) * (SIDE + 1), triangle, triangles, false, NULL);
        assert_non_null(mesh);
        double line[2][3];
        const double reach = cst_rng_range(&rng, 0.01, 0.1), depth = round % 3 ? 0.0 : 0.2;
        for (int k = 0; k < 3; ++k) {
            line[0][k] = cst_rng_range(&rng, -0.5, 0.5) * (k < 2 ? 1.0 : 0.2);
            line[1][k] = line[0][k] + cst_rng_range(&rng, -0.2, 0.2) * (k < 2 ? 1.0 : 0.2);
        }
        int32_t list[SIDE * SIDE * 2];
        for (int i = 0; i < triangles; ++i)
            list[i] = i;
        const int count = cst_mesh_space_thin_out(mesh, line, reach, depth, list, triangles);
        for (int i = 0, at = 0; i < triangles; ++i) {
            double corner[9], s, n[3];
            for (int k = 0; k < 9; ++k)
                corner[k] = vertex[3 * triangle[3 * i + k / 3] + k % 3];
            const bool listed = at < count && list[at] == i, is_near = cst_segment_triangle(line[0], line[1], corner, &s) < reach;
            at += listed;
            bool dips = false;
            cst_mesh_space_normal(mesh, i, n);
            for (int k = 0; k <= 20 && depth > 0.0 && !is_near; ++k)
                dips = dips || dips_below(line, 0.05 * k, corner, n, reach + depth);
            assert_true(listed || !(is_near || dips));
            dipped += dips, near += is_near && depth == 0.0;
        }
        left_in += (depth == 0.0) * count, all += (depth == 0.0) * triangles;
        cst_mesh_space_destroy(mesh);
    }
    assert_true(near > 1000 && dipped > 50 && left_in < 3 * near && left_in < all / 5);
}

/* On a flat mesh a rod lies as on a table: both ends, or the edge; the triangles do not show. Turned and moved too. */
static void flat_mesh(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 83, 0);
    for (int round = 0; round < 200; ++round) {
        hills(&rng, 0.0);
        fixture_clear(&f);
        double R[9], p[2][3], at[2][3];
        fixture_rotation(&rng, R);
        const double local[2][3] = {{cst_rng_range(&rng, -0.4, 0.4), cst_rng_range(&rng, -0.4, 0.4), 0.02},
                                    {cst_rng_range(&rng, -0.4, 0.4), cst_rng_range(&rng, -0.4, 0.4), 0.02}};
        const double moved[3] = {1.0, 2.0, 3.0};
        for (int i = 0; i < 2; ++i) {
            cst_apply3(R, local[i], p[i]);
            cst_add3(1.0, moved, p[i]);
            memcpy(at[i], p[i], sizeof p[i]);
        }
        fixture_straight(&f, p[0], p[1], 0.01, 0.02);
        cst_solid *solid = add_mesh(round % 2, 0.005);
        memcpy(solid->frame, R, sizeof R);
        memcpy(solid->position, moved, sizeof moved);
        fixture_detect(&f);
        assert_int_equal(f.touches, 2);
        for (int t = 0; t < 2; ++t) {
            double off[3];
            cst_subtract3(f.touch[t].x_a, at[t], off);
            assert_true(sqrt(cst_dot3(off, off)) < 1e-9);
            assert_true(fabs(f.touch[t].gap - 0.005) < 1e-9);
            assert_true(fabs(f.touch[t].normal[0] - R[2]) < 1e-6);
        }
        /* A deformed mesh: raised by a hundredth. */
        for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
            vertex[3 * i + 2] += 0.01;
        assert_true(cst_mesh_space_move((cst_mesh_space *)solid->mesh, vertex));
        fixture_detect(&f);
        assert_int_equal(f.touches, 2);
        assert_true(fabs(f.touch[0].gap + 0.005) < 1e-9);
        cst_mesh_space_destroy((cst_mesh_space *)solid->mesh);
    }
}

/* A rod that is level along a flat mesh, or rises by less than `flat`, touches at both ends as on a plane and nowhere between, however many
 * triangles are below. */
static void hardly_tilted_on_a_flat_mesh(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 88, 0);
    for (int round = 0; round < 200; ++round) {
        hills(&rng, 0.0);
        fixture_clear(&f);
        f.scene.flat = 0.002;
        double p[2][3];
        for (int i = 0; i < 2; ++i) {
            p[i][0] = cst_rng_range(&rng, -0.45, 0.45);
            p[i][1] = cst_rng_range(&rng, -0.45, 0.45);
            p[i][2] = 0.015 + (round % 3 ? i * cst_rng_range(&rng, 0.0, 0.001) : 0.0);
        }
        fixture_straight(&f, p[0], p[1], 0.01, 0.02);
        add_mesh(round % 2, 0.005);
        fixture_detect(&f);
        assert_int_equal(f.touches, 2);
        for (int t = 0; t < 2; ++t)
            assert_true(fabs(f.touch[t].s_a - t * f.piece[0].length) < 1e-12 && fabs(f.touch[t].gap - p[t][2] + 0.015) < 1e-12);
        cst_mesh_space_destroy((cst_mesh_space *)f.solid[0].mesh);
    }
}

/* A ball that has gone through: an open sheet keeps its side by the normal of before, a closed mesh by its own. */
static void through_a_mesh(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 84, 0);
    hills(&rng, 0.0);
    for (int closed = 0; closed < 2; ++closed)
        for (int i = -3; i <= 3; ++i) {
            fixture_clear(&f);
            const double x[3] = {0.013, 0.021, 0.003 * i};
            fixture_straight(&f, x, x, 0.01, 0.01);
            add_mesh(closed, 0.002);
            const double up[3] = {0.0, 0.0, 1.0};
            fixture_detect(&f);
            assert_int_equal(f.touches, 1);
            cst_touch_space touch = f.touch[0];
            const bool turned = cst_touch_space_keep_side(&f.scene, up, &touch);
            assert_true(turned == (!closed && i < 0));
            assert_true(fabs(touch.gap - (0.003 * i - 0.012)) < 1e-12);
            assert_true(fabs(touch.normal[2] - 1.0) < 1e-12);
            assert_true(fabs(touch.x_b[2] - 0.002) < 1e-12);
            cst_mesh_space_destroy((cst_mesh_space *)f.solid[0].mesh);
        }
}

/* ----------------------------------------------------------------------------------------------------- rules and memory */

static void tangle(cst_rng *rng, int wires)
{
    for (int i = 0; i < wires; ++i) {
        fixture_element e;
        const double length = cst_rng_log_range(rng, 0.02, 0.1);
        fixture_random_element(rng, length, i % 2 ? 1.0 / length : 0.0, 0.0, &e);
        fixture_owner(&f);
        f.flags[f.scene.owners - 1] = CST_OWNER_SELF_CONTACT;
        for (int j = 0; j < 8; ++j) {
            double x[3], t[3];
            fixture_add(&f, &e, 0.004, 0.004);
            fixture_element_at(&e, length, x, t);
            memcpy(e.x, x, sizeof x);
            memcpy(e.t, t, sizeof t);
        }
    }
}

static void rules(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 85, 0);
    fixture_clear(&f);
    tangle(&rng, 40);
    fixture_detect(&f);
    assert_true(f.touches > 50);
    bool pair = false, itself = false;
    cst_owner_pair apart = {0, 0};
    for (int t = 0; t < f.touches; ++t) {
        const cst_touch_space *touch = &f.touch[t];
        if (t) {
            const cst_touch_space *last = touch - 1;
            assert_true(touch->a > last->a || (touch->a == last->a && touch->b > last->b) ||
                        (touch->a == last->a && touch->b == last->b && touch->branch == last->branch + 1));
        }
        const int32_t one = f.piece[touch->a].owner, two = f.piece[touch->b].owner;
        itself = itself || one == two;
        if (one != two) {
            pair = true;
            apart = (cst_owner_pair){one, two};
        }
    }
    assert_true(pair && itself);
    f.scene.aparts = 1;
    f.scene.apart = &apart;
    const int all = f.touches;
    fixture_detect(&f);
    assert_true(f.touches < all);
    for (int t = 0; t < f.touches; ++t)
        assert_false(f.piece[f.touch[t].a].owner == apart.low && f.piece[f.touch[t].b].owner == apart.high);
    f.scene.aparts = 0;
    for (int i = 0; i < f.scene.owners; ++i)
        f.flags[i] = CST_OWNER_FIXED;
    assert_int_equal(fixture_detect(&f), 0);
    f.flags[apart.low] = 0;
    assert_true(fixture_detect(&f) > 0);
    f.flags[apart.low] = CST_OWNER_GHOST;
    assert_int_equal(fixture_detect(&f), 0);
}

typedef struct counter {
    int calls, limit;
} counter;

static void *count_allocate(void *user, size_t size)
{
    counter *c = user;
    return c->calls++ < c->limit ? malloc(size) : NULL;
}

static void count_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void memory_and_threads(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 86, 0);
    fixture_clear(&f);
    tangle(&rng, 300);
    hills(&rng, 0.05);
    add_mesh(false, 0.001);
    fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0)->position[2] = -0.4;
    fixture_solid(&f, CST_SOLID_SPHERE, 0.2, 0.0, 0.0);
    fixture_detect(&f);
    assert_true(f.touches > 1000);
    static cst_touch_space kept[20000];
    const int touches = f.touches;
    assert_true(touches <= 20000);
    memcpy(kept, f.touch, (size_t)touches * sizeof *kept);
    for (int threads = 2; threads <= 5; ++threads) {
        f.scene.threads = threads;
        assert_int_equal(fixture_detect(&f), touches);
        for (int t = 0; t < touches; ++t)
            assert_memory_equal(&f.touch[t].normal, &kept[t].normal, sizeof kept[t].normal);
        for (int t = 0; t < touches; ++t)
            assert_true(f.touch[t].a == kept[t].a && f.touch[t].b == kept[t].b && f.touch[t].gap == kept[t].gap &&
                        f.touch[t].s_a == kept[t].s_a && f.touch[t].s_b == kept[t].s_b && f.touch[t].branch == kept[t].branch);
    }
    f.scene.threads = 1;
    counter c = {.limit = 1000};
    const cst_allocator allocator = {.acquire = count_allocate, .release = count_release, .user = &c};
    cst_detector detector;
    const cst_touch_space *touch;
    cst_detector_begin(&detector, &allocator);
    assert_int_equal(cst_detect_space(&detector, &f.scene, &touch), touches);
    const int cold = c.calls;
    assert_int_equal(cst_detect_space(&detector, &f.scene, &touch), touches);
    const int second = c.calls;
    assert_int_equal(cst_detect_space(&detector, &f.scene, &touch), touches);
    assert_int_equal(c.calls, second); /* warm */
    cst_detector_end(&detector);
    for (int limit = 0; limit < cold; ++limit) { /* memory runs out at each of them */
        c = (counter){.limit = limit};
        cst_detector_begin(&detector, &allocator);
        assert_int_equal(cst_detect_space(&detector, &f.scene, &touch), -1);
        assert_null(touch);
        c.limit = 1000;
        assert_int_equal(cst_detect_space(&detector, &f.scene, &touch), touches);
        cst_detector_end(&detector);
    }
    cst_mesh_space_destroy((cst_mesh_space *)f.solid[0].mesh);
}

/* An arc that lies on a plane with its middle, `sag` below its ends: touches at the ends, and in between if that is deeper. */
static int touches_of_arc(double sag)
{
    static const double LENGTH = 0.025, RADIUS = 0.005;
    const double curvature = 8.0 * sag / (LENGTH * LENGTH), half = 0.5 * curvature * LENGTH;
    const fixture_element arc = {.x = {0.0, 0.0, RADIUS + (1.0 - cos(half)) / curvature},
                                 .t = {cos(half), 0.0, -sin(half)},
                                 .turn = {0.0, -curvature, 0.0},
                                 .length = LENGTH};
    fixture_clear(&f);
    fixture_owner(&f);
    fixture_add(&f, &arc, RADIUS, 0.25 * RADIUS);
    fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0);
    f.scene.flat = 0.25 * RADIUS;
    assert_true(fixture_detect(&f) >= 2);
    assert_true(fabs(f.touch[0].s_a) < 1e-12 && fabs(f.touch[f.touches - 1].s_a - LENGTH) < 1e-12);
    for (int i = 0; i < f.touches; ++i)
        assert_true(f.touch[i].gap > -1e-12 && f.touch[i].gap < 1.01 * sag);
    return f.touches;
}

static void arcs_that_lie_flat_touch_at_their_ends(void **state)
{
    (void)state;
    assert_int_equal(touches_of_arc(0.9e-3 * 0.005), 2);
    assert_int_equal(touches_of_arc(1e-6 * 0.005), 2);
    assert_int_equal(touches_of_arc(1.1e-3 * 0.005), 3);
    assert_int_equal(touches_of_arc(0.05 * 0.005), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_that_lie_flat_touch_at_their_ends),
        cmocka_unit_test(solids_along_wires),
        cmocka_unit_test(lying),
        cmocka_unit_test(hills_under_wires),
        cmocka_unit_test(flat_mesh),
        cmocka_unit_test(through_a_mesh),
        cmocka_unit_test(rules),
        cmocka_unit_test(memory_and_threads),
        cmocka_unit_test(triangles_near_a_line),
        cmocka_unit_test(hardly_tilted_on_a_flat_mesh),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
