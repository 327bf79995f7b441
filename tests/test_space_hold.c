/* Contacts that stay at their point of shape a while shape b moves: against the nearest point found by brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static double away(const double *x, const double *y)
{
    double r[3];
    cst_subtract3(x, y, r);
    return sqrt(cst_dot3(r, r));
}

/* Downhill from s along a curve, in steps that shrink. */
static double descend(const oracle_curve *c, const double *x, double *s, double step)
{
    double y[3];
    oracle_at(c, *s, y);
    double least = away(x, y);
    while (step > 1e-11 * c->length) {
        bool better = false;
        for (int side = -1; side <= 1; side += 2) {
            const double there = fmax(0.0, fmin(c->length, *s + side * step));
            oracle_at(c, there, y);
            if (away(x, y) < least) {
                least = away(x, y);
                *s = there;
                better = true;
            }
        }
        if (!better)
            step *= 0.5;
    }
    return least;
}

/* A chain of `elements` smooth helices, or straight edges with corners, as the next owner. */
static void add_chain(cst_rng *rng, int elements, double bend)
{
    fixture_element e;
    fixture_owner(&f);
    fixture_random_element(rng, 0.3, bend / 0.3, 0.3 * bend / 0.3, &e);
    for (int i = 0; i < elements; ++i) {
        fixture_add(&f, &e, 0.02, 0.05);
        double x[3], t[3], side[3];
        fixture_element_at(&e, e.length, x, t);
        memcpy(e.x, x, sizeof x);
        memcpy(e.t, t, sizeof t);
        if (bend == 0.0) {
            cst_rng_direction(rng, 3, side);
            cst_add3(0.2, side, e.t);
            cst_normalise3(e.t);
        }
    }
}

static void check_foot(const oracle_curve *b, int first_b, const cst_touch_space *before, int *inside)
{
    cst_touch_space touch = *before;
    const bool held = cst_touch_space_hold(&f.scene, &touch);
    double x[3], y[3], s = f.piece[before->b].s + before->s_b;
    fixture_element_at(&f.element[before->a], before->s_a, x, NULL);
    /* A corner that is bent in has a foot on either side: there, what was found is least around. */
    const bool corners = f.piece[before->b].curvature == 0.0;
    if (corners)
        s = f.piece[touch.b].s + touch.s_b;
    const double least = descend(b, x, &s, corners ? 1e-6 : 1e-3);
    assert_int_equal(touch.a, before->a);
    assert_true(touch.s_a == before->s_a && away(touch.x_a, x) == 0.0);
    fixture_element_at(&f.element[touch.b], touch.s_b, y, NULL);
    assert_true(away(touch.x_b, y) == 0.0);
    assert_true(touch.b >= first_b && fabs(away(x, y) - least) < 1e-12);
    assert_true(fabs(f.piece[touch.b].s + touch.s_b - s) < 1e-5);
    assert_true(fabs(cst_dot3(touch.normal, touch.normal) - 1.0) < 1e-12);
    assert_true(fabs(touch.gap - (least - 0.04)) < 1e-12);
    const bool on = s > 1e-7 && s < b->length - 1e-7;
    const bool end = s == 0.0 || s == b->length;
    assert_true(!on || held);
    assert_true(!end || !held || touch.s_b == 0.0 || touch.s_b == f.piece[touch.b].length);
    *inside += held;
}

static void pieces_keep_their_point(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 31, 0);
    int held = 0, all = 0;
    for (int i = 0; i < 3000; ++i) {
        fixture_clear(&f);
        const double bend = i % 3 == 0 ? 0.0 : 0.6;
        add_chain(&rng, 4, bend);
        add_chain(&rng, 4, bend);
        double p[3], q[3], off[3];
        const oracle_curve a = oracle_of(f.element, 4), b = oracle_of(f.element + 4, 4);
        oracle_at(&a, cst_rng_uniform(&rng) * a.length, p);
        oracle_at(&b, cst_rng_uniform(&rng) * b.length, q);
        cst_rng_direction(&rng, 3, off);
        for (int j = 4; j < 8; ++j)
            for (int k = 0; k < 3; ++k)
                f.element[j].x[k] += p[k] - q[k] + 0.05 * off[k];
        assert_true(fixture_detect(&f) >= 0);
        cst_touch_space before[8];
        const int touches = f.touches < 8 ? f.touches : 8;
        memcpy(before, f.touch, (size_t)touches * sizeof *before);
        cst_rng_direction(&rng, 3, off);
        for (int j = 4; j < 8; ++j)
            cst_add3(0.01, off, f.element[j].x);
        for (int t = 0; t < touches; ++t)
            if (before[t].gap > -0.02) { /* deep ones may go through */
                check_foot(&b, 4, &before[t], &held);
                ++all;
            }
    }
    assert_true(all > 2000 && held > all / 2 && held < all);
}

static void normals_keep_their_side(void **state)
{
    (void)state;
    fixture_clear(&f);
    const double p[3] = {-1.0, 0.0, 0.005}, q[3] = {1.0, 0.0, 0.005}, u[3] = {0.0, -1.0, 0.0}, v[3] = {0.0, 1.0, 0.0};
    fixture_straight(&f, p, q, 0.01, 0.0);
    fixture_straight(&f, u, v, 0.02, 0.0);
    assert_int_equal(fixture_detect(&f), 1);
    cst_touch_space touch = f.touch[0];
    assert_true(fabs(touch.normal[2] - 1.0) < 1e-12);
    f.element[0].x[2] = -0.004;
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_true(fabs(touch.normal[2] - 1.0) < 1e-12 && fabs(touch.gap + 0.034) < 1e-12);
    f.element[0].x[2] = 0.0; /* in each other */
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_true(fabs(touch.normal[2] - 1.0) < 1e-12 && fabs(touch.gap + 0.03) < 1e-12);
    f.element[1].x[1] = 0.1; /* has gone on beyond its own start */
    f.element[0].x[2] = 0.05;
    assert_false(cst_touch_space_hold(&f.scene, &touch));
    assert_true(touch.s_b == 0.0 && fabs(touch.x_b[1] - 0.1) < 1e-12);
}

static void rings_go_on_at_their_start(void **state)
{
    (void)state;
    fixture_clear(&f);
    enum { POINTS = 12 };
    double ring[3 * POINTS];
    for (int i = 0; i < POINTS; ++i) {
        ring[3 * i] = cos(0.5235987755982988 * i);
        ring[3 * i + 1] = sin(0.5235987755982988 * i);
        ring[3 * i + 2] = 0.0;
    }
    fixture_owner(&f);
    fixture_add(&f, &(fixture_element){.x = {0.95, 0.05, 0.1}}, 0.06, 0.0);
    fixture_chain(&f, ring, POINTS, 0.06, 0.0, true);
    cst_touch_space touch = {.a = 0, .b = 1, .s_b = 0.1, .normal = {0.0, 0.0, 1.0}};
    f.element[0].x[1] = -0.05;
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_int_equal(touch.b, POINTS);
    touch = (cst_touch_space){.a = 0, .b = POINTS, .s_b = 0.5, .normal = {0.0, 0.0, 1.0}};
    f.element[0].x[1] = 0.05;
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_int_equal(touch.b, 1);
    f.element[0].x[0] = 1.1; /* outside of the corner: the foot is the corner */
    f.element[0].x[1] = 0.0;
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_true(away(touch.x_b, ring) < 1e-15);
}

/* What is outside has its foot at the signed distance. Moved through the middle to the other side, it still goes out where it was:
 * what comes is a point of the surface, and no nearer one in the direction of the normal. */
static void solids_have_no_ends(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 32, 0);
    static const cst_solid_kind kind[] = {CST_SOLID_SPHERE, CST_SOLID_CAPSULE, CST_SOLID_BOX, CST_SOLID_CYLINDER};
    for (int i = 0; i < 2000; ++i) {
        fixture_clear(&f);
        fixture_owner(&f);
        fixture_add(&f, &(fixture_element){.x = {0.0, 0.0, 0.0}}, 0.02, 0.0);
        cst_solid *solid = fixture_solid(&f, kind[i % 4], 0.3, 0.25, 0.2);
        solid->rounding = i % 8 < 4 ? 0.0 : 0.05;
        fixture_rotation(&rng, solid->frame);
        double out[3], n[3];
        cst_rng_direction(&rng, 3, out);
        for (int k = 0; k < 3; ++k) {
            solid->position[k] = cst_rng_range(&rng, -1.0, 1.0);
            f.element[0].x[k] = solid->position[k] + 0.6 * out[k];
        }
        const double phi = cst_solid_distance(solid, f.element[0].x, n);
        cst_touch_space touch = {.a = 0, .b = 1, .s_b = 1.0};
        memcpy(touch.normal, n, sizeof n);
        assert_true(cst_touch_space_hold(&f.scene, &touch));
        assert_true(touch.s_b == 0.0 && fabs(touch.gap - (phi - 0.02)) < 1e-15 && cst_dot3(touch.normal, n) > 1.0 - 1e-12);
        assert_true(fabs(away(touch.x_a, touch.x_b) - fabs(phi)) < 1e-12);
        memcpy(f.element[0].x, solid->position, sizeof solid->position);
        cst_add3(-0.1, touch.normal, f.element[0].x);
        assert_true(cst_touch_space_hold(&f.scene, &touch));
        assert_true(fabs(cst_solid_distance(solid, touch.x_b, n)) < 1e-9);
        double way[3];
        cst_subtract3(touch.x_b, touch.x_a, way);
        assert_true(cst_dot3(way, touch.normal) > 0.1 && fabs(touch.gap + 0.02 + cst_dot3(way, touch.normal)) < 1e-12);
        assert_true(cst_dot3(n, touch.normal) > 1.0 - 1e-6);
    }
}

static void plates_push_back_to_their_side(void **state)
{
    (void)state;
    fixture_clear(&f);
    fixture_owner(&f);
    fixture_add(&f, &(fixture_element){.x = {0.1, 0.2, -0.008}}, 0.02, 0.0);
    fixture_solid(&f, CST_SOLID_BOX, 1.0, 1.0, 0.01);
    cst_touch_space touch = {.a = 0, .b = 1, .normal = {0.0, 0.0, 1.0}};
    assert_true(cst_touch_space_hold(&f.scene, &touch));
    assert_true(touch.normal[2] == 1.0 && fabs(touch.gap + 0.038) < 1e-14 && fabs(touch.x_b[2] - 0.01) < 1e-14);
}

/* Over a bumpy sheet, and through it. */
static void meshes_are_followed(void **state)
{
    (void)state;
    enum { N = 12 };
    static double vertex[3 * (N + 1) * (N + 1)];
    static int32_t triangle[6 * N * N];
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= N; ++j) {
            double *v = vertex + 3 * (i * (N + 1) + j);
            v[0] = (double)i / N;
            v[1] = (double)j / N;
            v[2] = 0.05 * sin(5.0 * v[0]) * cos(4.0 * v[1]);
        }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const int32_t p = i * (N + 1) + j, q = p + N + 1;
            const int32_t corner[6] = {p, q, q + 1, p, q + 1, p + 1};
            memcpy(triangle + 6 * (i * N + j), corner, sizeof corner);
        }
    cst_mesh_space *mesh = cst_mesh_space_create(vertex, (N + 1) * (N + 1), triangle, 2 * N * N, false, NULL);
    assert_non_null(mesh);
    cst_rng rng;
    cst_rng_seed(&rng, 33, 0);
    fixture_clear(&f);
    fixture_owner(&f);
    fixture_add(&f, &(fixture_element){.x = {0.5, 0.5, 0.1}}, 0.01, 0.0);
    cst_solid *solid = fixture_solid(&f, CST_SOLID_MESH, 0.0, 0.0, 0.0);
    solid->mesh = mesh;
    solid->rounding = 0.003;
    fixture_rotation(&rng, solid->frame);
    solid->position[1] = 0.3;
    const double up[3] = {solid->frame[2], solid->frame[5], solid->frame[8]};
    cst_touch_space touch = {.a = 0, .b = 1, .part = 0};
    memcpy(touch.normal, up, sizeof up);
    for (int i = 0; i < 3000; ++i) { /* a walk: above, then just below */
        const double t = 0.01 * i, side = i % 3 == 2 ? -1.0 : 1.0;
        const double local[3] = {0.5 + 0.4 * sin(t), 0.5 + 0.4 * cos(0.7 * t), 0.0};
        double p[3], least = INFINITY;
        memcpy(p, local, sizeof p);
        p[2] = 0.05 * sin(5.0 * p[0]) * cos(4.0 * p[1]) + side * 0.02;
        cst_apply3(solid->frame, p, f.element[0].x);
        cst_add3(1.0, solid->position, f.element[0].x);
        assert_true(cst_touch_space_hold(&f.scene, &touch));
        for (int j = 0; j < 2 * N * N; ++j) {
            double corner[9];
            for (int k = 0; k < 9; ++k)
                corner[k] = vertex[3 * triangle[3 * j + k / 3] + k % 3];
            least = fmin(least, cst_point_triangle(p, corner).distance);
        }
        assert_true(fabs(touch.gap - (side * least - 0.013)) < 1e-12 && cst_dot3(touch.normal, up) > 0.5);
        double foot[3];
        cst_subtract3(touch.x_a, touch.x_b, foot);
        assert_true(fabs(cst_dot3(foot, touch.normal) - (touch.gap + 0.01)) < 1e-12);
    }
    cst_mesh_space_destroy(mesh);
}

static void what_is_not_finite_is_not_held(void **state)
{
    (void)state;
    fixture_clear(&f);
    fixture_owner(&f);
    fixture_add(&f, &(fixture_element){.x = {NAN, 0.0, 0.0}}, 0.01, 0.0);
    fixture_solid(&f, CST_SOLID_SPHERE, 1.0, 0.0, 0.0);
    cst_touch_space touch = {.a = 0, .b = 1, .normal = {0.0, 0.0, 1.0}};
    assert_false(cst_touch_space_hold(&f.scene, &touch));
    f.element[0].x[0] = 0.0;
    f.solid[0].position[1] = INFINITY;
    assert_false(cst_touch_space_hold(&f.scene, &touch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces_keep_their_point, setup, teardown),
        cmocka_unit_test_setup_teardown(normals_keep_their_side, setup, teardown),
        cmocka_unit_test_setup_teardown(rings_go_on_at_their_start, setup, teardown),
        cmocka_unit_test_setup_teardown(solids_have_no_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(plates_push_back_to_their_side, setup, teardown),
        cmocka_unit_test_setup_teardown(meshes_are_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_finite_is_not_held, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
