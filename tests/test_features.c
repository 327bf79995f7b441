/* Contacts on features: boxes, cards, meshes, planes and cylinders against brute force (distances of triangles, separating axes, poses
 * on the way). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/detect_features.h"
#include "collide/distance_triangle.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "tests/failing_allocator.h"

enum { BODIES = 4 };

static cst_feature_detector detector;
static cst_feature_body body[BODIES];
static cst_feature_mesh *made[BODIES];
static uint8_t flags[8];
static cst_feature_scene scene;
static const cst_feature_touch *touch;
static int touches;

static int setup(void **state)
{
    (void)state;
    cst_feature_detector_begin(&detector, NULL);
    scene = (cst_feature_scene){.body = body, .owner_flags = flags, .threads = 1};
    return 0;
}

static void clear(void)
{
    for (int i = 0; i < BODIES; ++i) {
        cst_feature_mesh_destroy(made[i]);
        made[i] = NULL;
    }
    scene = (cst_feature_scene){.body = body, .owner_flags = flags, .threads = 1};
}

static int teardown(void **state)
{
    (void)state;
    clear();
    cst_feature_detector_end(&detector);
    return 0;
}

static const int32_t BOX[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static cst_feature_body *add_mesh(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed)
{
    const int index = scene.bodies++;
    made[index] = cst_feature_mesh_create(vertex, vertices, triangle, triangles, closed, NULL);
    assert_non_null(made[index]);
    body[index] = (cst_feature_body){.owner = 2 * index, .mesh = made[index]};
    for (int pose = 0; pose < 2; ++pose)
        body[index].R[pose][0] = body[index].R[pose][4] = body[index].R[pose][8] = 1.0;
    return body + index;
}

static cst_feature_body *add_box(double a, double b, double c, double x, double y, double z)
{
    double vertex[24];
    for (int i = 0; i < 8; ++i) {
        vertex[3 * i] = i & 1 ? a : -a;
        vertex[3 * i + 1] = i & 2 ? b : -b;
        vertex[3 * i + 2] = i & 4 ? c : -c;
    }
    cst_feature_body *box = add_mesh(vertex, 8, BOX, 12, true);
    for (int pose = 0; pose < 2; ++pose)
        memcpy(box->x[pose], (const double[3]){x, y, z}, sizeof box->x[pose]);
    return box;
}

static void turn(cst_feature_body *box, int pose, double x, double y, double z)
{
    double R[9], before[9];
    memcpy(before, box->R[pose], sizeof before);
    cst_rotation_vector_exp((const double[3]){x, y, z}, R);
    cst_product3(R, before, box->R[pose]);
}

static void turn_both(cst_feature_body *box, double x, double y, double z)
{
    turn(box, 0, x, y, z);
    turn(box, 1, x, y, z);
}

static void detect(void)
{
    touches = cst_detect_features(&detector, &scene, &touch);
    assert_true(touches >= 0);
    for (int i = 0; i < touches; ++i) {
        double apart[3];
        cst_subtract3(touch[i].x_a, touch[i].x_b, apart);
        assert_true(fabs(cst_dot3(touch[i].normal, touch[i].normal) - 1.0) < 1e-12);
        const double rounding = touch[i].b.kind == CST_FEATURE_BODY
                                    ? touch[i].gap - cst_dot3(apart, touch[i].normal)
                                    : -body[touch[i].a.owner / 2].rounding - body[touch[i].b.owner / 2].rounding;
        assert_true(fabs(cst_dot3(apart, touch[i].normal) + rounding - touch[i].gap) < 1e-12);
        assert_true(touch[i].a.owner < touch[i].b.owner);
    }
}

/* ------------------------------------------------------------------------------------------------------------------- rest */

static void boxes_lie_on_boxes(void **state)
{
    (void)state;
    static const struct {
        double half, x, y;
    } way[] = {{0.1, 0.05, 0.03}, {0.3, 0.0, 0.0}, {0.3, 1e-9, -1e-9}, {0.3, 0.1, 0.0}, {0.3, 0.1, 0.2}, {0.5, 0.0, 0.0}};
    static const double gaps[] = {1e-6, 0.0, -1e-6};
    for (size_t i = 0; i < sizeof way / sizeof *way; ++i)
        for (int j = 0; j < 3; ++j) {
            clear();
            add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.0);
            add_box(way[i].half, way[i].half, 0.1, way[i].x, way[i].y, 0.2 + gaps[j]);
            detect();
            assert_int_equal(touches, 4);
            double middle[2] = {0.0, 0.0};
            for (int t = 0; t < touches; ++t) {
                assert_true(touch[t].normal[2] < -1.0 + 1e-9 && fabs(touch[t].gap - gaps[j]) < 1e-12);
                middle[0] += 0.25 * touch[t].x_b[0];
                middle[1] += 0.25 * touch[t].x_b[1];
            }
            const double low[2] = {fmax(-0.3, way[i].x - way[i].half), fmax(-0.3, way[i].y - way[i].half)};
            const double high[2] = {fmin(0.3, way[i].x + way[i].half), fmin(0.3, way[i].y + way[i].half)};
            for (int k = 0; k < 2; ++k)
                assert_true(fabs(middle[k] - 0.5 * (low[k] + high[k])) < 1e-5);
        }
}

/* Turned about the vertical they share a polygon of eight corners, or a square: no more, with one normal. */
static void turned_boxes_share_a_polygon(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 300; ++i) {
        clear();
        add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.0);
        cst_feature_body *above = add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.2 + cst_rng_range(&rng, -1e-4, 1e-4));
        const double angle = cst_rng_range(&rng, 0.05, 1.5);
        turn_both(above, 0.0, 0.0, angle);
        turn_both(above, cst_rng_range(&rng, -1e-5, 1e-5), cst_rng_range(&rng, -1e-5, 1e-5), 0.0);
        detect();
        assert_int_equal(touches, 8);
        for (int t = 0; t < touches; ++t)
            assert_true(touch[t].normal[2] < -0.999);
    }
}

/* A thin card within another by a part of its thickness is pushed to where its matter is; its upper corners say nothing. */
static void thin_cards_know_their_side(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    const double thick = 3e-4;
    for (int i = 0; i < 500; ++i) {
        clear();
        add_box(0.0315, 0.044, 0.5 * thick, 0.0, 0.0, 0.0);
        const double depth = cst_rng_range(&rng, -0.05, 0.2) * thick;
        cst_feature_body *above = add_box(0.0315, 0.044, 0.5 * thick, cst_rng_range(&rng, -0.03, 0.03),
                                          cst_rng_range(&rng, -0.04, 0.04), thick - depth);
        turn_both(above, 0.0, 0.0, cst_rng_range(&rng, 0.0, 3.0));
        detect();
        assert_true(touches >= 3 && touches <= 8);
        for (int t = 0; t < touches; ++t)
            assert_true(touch[t].normal[2] < -0.999 && fabs(touch[t].gap + depth) < 1e-9);
    }
}

/* A level sheet of many triangles is one face: a box has four corners on it, whatever lies below. */
static void level_meshes_have_no_inner_edges(void **state)
{
    (void)state;
    enum { N = 12 };
    double vertex[3 * (N + 1) * (N + 1)];
    int32_t triangle[6 * N * N];
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= N; ++j)
            memcpy(vertex + 3 * (i * (N + 1) + j), (const double[3]){i - 0.5 * N, j - 0.5 * N, 0.0}, 3 * sizeof *vertex);
    for (int32_t i = 0; i < N; ++i)
        for (int32_t j = 0; j < N; ++j) {
            const int32_t a = i * (N + 1) + j, b = a + N + 1;
            memcpy(triangle + 6 * (i * N + j), (const int32_t[6]){a, b, b + 1, a, b + 1, a + 1}, 6 * sizeof *triangle);
        }
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 200; ++i) {
        clear();
        cst_feature_body *box = add_box(1.3, 0.7, 0.5, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), 0.0);
        box->x[0][2] = box->x[1][2] = (i % 2 ? -1.0 : 1.0) * (0.5 + cst_rng_range(&rng, -1e-3, 1e-3));
        turn_both(box, 0.0, 0.0, i < 20 ? 0.0 : cst_rng_range(&rng, 0.0, 6.0));
        add_mesh(vertex, (N + 1) * (N + 1), triangle, 2 * N * N, false)->owner = 3;
        detect();
        assert_int_equal(touches, 4);
        for (int t = 0; t < touches; ++t) {
            assert_true(touch[t].a.kind == CST_FEATURE_VERTEX && touch[t].b.kind == CST_FEATURE_FACE);
            assert_true((i % 2 ? -1.0 : 1.0) * touch[t].normal[2] == 1.0);
        }
    }
}

static void planes_take_the_lower_corners(void **state)
{
    (void)state;
    cst_moving_plane plane = {.owner = 1, .n = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}};
    clear();
    scene.planes = 1;
    scene.plane = &plane;
    cst_feature_body *box = add_box(0.3, 0.2, 0.1, 0.0, 0.0, 0.101);
    turn_both(box, 1e-3, 2e-3, 0.7);
    detect();
    assert_int_equal(touches, 4);
    for (int t = 0; t < touches; ++t)
        assert_true(touch[t].a.index < 4 && touch[t].gap > 0.0 && touch[t].b.kind == CST_FEATURE_BODY);
    box->x[0][2] = 3.0; /* falls from far above to far below in one motion */
    box->x[1][2] = -3.0;
    detect();
    assert_int_equal(touches, 8);
}

/* -------------------------------------------------------------------------------------------------------- against oracles */

static void corner_at(const cst_feature_body *of, int pose, int32_t vertex, double *out)
{
    cst_apply3(of->R[pose], of->mesh->vertex + 3 * vertex, out);
    cst_add3(1.0, of->x[pose], out);
}

static double edges_to_faces(const cst_feature_body *a, const cst_feature_body *b)
{
    double least = HUGE_VAL;
    for (int e = 0; e < a->mesh->edges; ++e)
        for (int f = 0; f < b->mesh->faces; ++f) {
            double p[3], q[3], corner[9], s;
            corner_at(a, 0, a->mesh->edge[e].from, p);
            corner_at(a, 0, a->mesh->edge[e].to, q);
            for (int k = 0; k < 3; ++k)
                corner_at(b, 0, b->mesh->face[3 * f + k], corner + 3 * k);
            least = fmin(least, cst_segment_triangle(p, q, corner, &s));
        }
    return least;
}

/* Rounded boxes: the least gap is the distance, whichever features are nearest, and the motion makes it so where it is larger. */
static void nearest_features_are_found(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 8, 0);
    int near = 0;
    for (int i = 0; i < 4000; ++i) {
        clear();
        cst_feature_body *a = add_box(0.3, 0.2, 0.1, 0.0, 0.0, 0.0);
        cst_feature_body *b = add_box(0.25, 0.15, 0.2, cst_rng_range(&rng, -0.7, 0.7), cst_rng_range(&rng, -0.7, 0.7),
                                      cst_rng_range(&rng, -0.7, 0.7));
        a->rounding = b->rounding = 0.05;
        turn_both(a, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        turn_both(b, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        scene.margin = 0.2;
        const double distance = fmin(edges_to_faces(a, b), edges_to_faces(b, a));
        if (!(distance > 1e-3)) /* cores within each other, or nearly */
            continue;
        detect();
        double least = HUGE_VAL;
        for (int t = 0; t < touches; ++t)
            least = fmin(least, touch[t].gap);
        if (distance - 0.1 < 0.2 - 1e-6) {
            near++;
            assert_true(fabs(least - (distance - 0.1)) < 1e-9);
        } else {
            assert_int_equal(touches, 0);
        }
    }
    assert_true(near > 500);
}

/* Do two placed boxes overlap by more than `slack`? Separating axes. */
static double overlap(const cst_feature_body *a, const double *xa, const cst_feature_body *b, const double *xb)
{
    double axis[15][3], d[3], least = HUGE_VAL;
    int axes = 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            axis[i][k] = a->R[0][3 * k + i];
            axis[3 + i][k] = b->R[0][3 * k + i];
        }
    for (axes = 6; axes < 15; ++axes)
        cst_cross3(axis[(axes - 6) / 3], axis[3 + (axes - 6) % 3], axis[axes]);
    cst_subtract3(xa, xb, d);
    for (int i = 0; i < 15; ++i) {
        if (cst_normalise3(axis[i]) < 1e-9)
            continue;
        double reach = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double e[3] = {a->R[0][k], a->R[0][3 + k], a->R[0][6 + k]}, f[3] = {b->R[0][k], b->R[0][3 + k], b->R[0][6 + k]};
            reach += fabs(a->mesh->vertex[k] * cst_dot3(axis[i], e)) + fabs(b->mesh->vertex[k] * cst_dot3(axis[i], f));
        }
        least = fmin(least, reach - fabs(cst_dot3(d, axis[i])));
    }
    return least;
}

/* Sharp thin boxes that fly through each other: if they overlap anywhere on the way, and do not at its start, they are seen, with normals
 * that oppose the motion; one of the gaps is that of the start along its normal. */
static void nothing_flies_through(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 9, 0);
    int through = 0, missed = 0, ghosts = 0;
    for (int i = 0; i < 3000; ++i) {
        clear();
        cst_feature_body *a = add_box(0.3, 0.2, 0.005, 0.0, 0.0, 0.0);
        cst_feature_body *b = add_box(0.25, 0.15, 0.003, cst_rng_range(&rng, -0.5, 0.5), cst_rng_range(&rng, -0.5, 0.5),
                                      cst_rng_range(&rng, -0.7, 0.7));
        turn_both(a, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        turn_both(b, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        for (int k = 0; k < 3; ++k)
            b->x[1][k] = -b->x[0][k] + cst_rng_range(&rng, -0.1, 0.1);
        if (overlap(a, a->x[0], b, b->x[0]) > -2e-3)
            continue;
        double deepest = -HUGE_VAL;
        for (int k = 0; k <= 400; ++k) {
            double x[3];
            for (int c = 0; c < 3; ++c)
                x[c] = b->x[0][c] + k / 400.0 * (b->x[1][c] - b->x[0][c]);
            deepest = fmax(deepest, overlap(a, a->x[0], b, x));
        }
        detect();
        if (deepest > 0.0) {
            through++;
            double blocked = 0.0; /* along the motion, of all of it */
            for (int t = 0; t < touches; ++t) {
                double way[3];
                cst_subtract3(b->x[1], b->x[0], way);
                blocked = fmax(blocked, cst_dot3(touch[t].normal, way)); /* normal from b to a */
            }
            missed += !(blocked > 0.0);
        }
        ghosts += deepest < -5e-3 && touches > 0;
    }
    assert_true(through > 500);
    assert_int_equal(missed, 0);
    assert_int_equal(ghosts, 0);
}

/* Turning boxes: the first contact of the linear motion of vertices is seen (checked at the end: they overlap). */
static void turning_boxes_are_seen(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 10, 0);
    int hits = 0;
    for (int i = 0; i < 3000; ++i) {
        clear();
        cst_feature_body *a = add_box(0.3, 0.2, 0.02, 0.0, 0.0, 0.0);
        cst_feature_body *b = add_box(0.25, 0.15, 0.01, cst_rng_range(&rng, -0.4, 0.4), cst_rng_range(&rng, -0.4, 0.4),
                                      cst_rng_range(&rng, -0.4, 0.4));
        turn_both(a, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        turn_both(b, cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0), cst_rng_range(&rng, -2.0, 2.0));
        if (overlap(a, a->x[0], b, b->x[0]) > -4e-3)
            continue;
        turn(b, 1, cst_rng_range(&rng, -0.3, 0.3), cst_rng_range(&rng, -0.3, 0.3), cst_rng_range(&rng, -0.3, 0.3));
        for (int k = 0; k < 3; ++k)
            b->x[1][k] += cst_rng_range(&rng, -0.2, 0.2);
        cst_feature_body last = *b;
        memcpy(last.R[0], b->R[1], sizeof last.R[0]);
        const double depth = overlap(a, a->x[1], &last, b->x[1]);
        detect();
        if (depth > 1e-4) {
            hits++;
            assert_true(touches > 0);
        }
    }
    assert_true(hits > 300);
}

/* ---------------------------------------------------------------------------------------------------------------- cylinder */

static void boxes_lie_on_cylinders(void **state)
{
    (void)state;
    cst_moving_cylinder cylinder = {.owner = 1, .radius = 0.2, .half = 0.5};
    for (int pose = 0; pose < 2; ++pose) /* its axis along x */
        memcpy(cylinder.R[pose], (const double[9]){0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0}, sizeof cylinder.R[pose]);
    for (int longer = 0; longer < 2; ++longer) {
        clear();
        scene.cylinders = 1;
        scene.cylinder = &cylinder;
        cst_feature_body *box = add_box(longer ? 0.7 : 0.3, 0.15, 0.1, 0.0, 0.0, 0.3 - 1e-6);
        turn_both(box, 1e-3, 0.0, 0.0);
        detect();
        assert_int_equal(touches, 2);
        for (int t = 0; t < 2; ++t) {
            assert_true(touch[t].normal[2] > 0.999 && fabs(touch[t].gap) < 1e-5);
            assert_true(fabs(fabs(touch[t].x_a[0]) - (longer ? 0.5 : 0.3)) < 1e-9);
        }
        box->x[0][2] = 3.0; /* through it in one motion */
        box->x[1][2] = -3.0;
        detect();
        assert_true(touches > 0);
        for (int t = 0; t < touches; ++t)
            assert_true(touch[t].normal[2] > 0.0);
    }
    for (int pose = 0; pose < 2; ++pose) { /* upright */
        memset(cylinder.R[pose], 0, sizeof cylinder.R[pose]);
        cylinder.R[pose][0] = cylinder.R[pose][4] = cylinder.R[pose][8] = 1.0;
    }
    static const struct {
        double half, x;
        int touches;
    } way[] = {{0.5, 0.0, 8}, {0.1, 0.0, 4}, {0.1, 0.2, 4}};
    for (int i = 0; i < 3; ++i) {
        clear();
        scene.cylinders = 1;
        scene.cylinder = &cylinder;
        cst_feature_body *box = add_box(way[i].half, way[i].half, 0.1, way[i].x, 0.0, 0.6 - 1e-6);
        turn_both(box, 0.0, 0.0, 0.1);
        detect();
        assert_true(touches >= way[i].touches);
        for (int t = 0; t < touches; ++t)
            assert_true(touch[t].normal[2] > 0.999 && fabs(touch[t].gap + 1e-6) < 1e-9);
    }
}

/* The contact margin of a thin card and a rounded cylinder is mostly a share of the cylinder's rounding radius: the contact is
 * found at every gap below the margin. */
static void margins_of_rounded_cylinders_count(void **state)
{
    (void)state;
    static const double MARGIN = 0.1 * 0.02 + 0.25 * 0.1;
    cst_moving_cylinder cylinder = {.owner = 1, .radius = 0.2, .half = 0.5, .rounding = 0.1};
    for (int pose = 0; pose < 2; ++pose) /* its axis along x */
        memcpy(cylinder.R[pose], (const double[9]){0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0}, sizeof cylinder.R[pose]);
    for (int i = 1; i < 20; ++i) {
        clear();
        scene.cylinders = 1;
        scene.cylinder = &cylinder;
        const double gap = 0.1 * (i - 0.5) * MARGIN;
        add_box(0.3, 0.15, 0.01, 0.0, 0.0, 0.3 + 0.01 + gap);
        detect();
        assert_true(gap < MARGIN ? touches > 0 : touches == 0);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ memory */

static void memory_runs_out(void **state)
{
    (void)state;
    clear();
    add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.0);
    add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.2);
    for (int left = 0;; ++left) {
        int f = left;
        const cst_allocator allocator = fixture_failing_allocator(&f);
        cst_feature_detector own;
        cst_feature_detector_begin(&own, &allocator);
        const int count = cst_detect_features(&own, &scene, &touch);
        assert_true(count == -1 || count == 4);
        if (count == 4) { /* warm: nothing more is asked for */
            f = 0;
            assert_int_equal(cst_detect_features(&own, &scene, &touch), 4);
        }
        cst_feature_detector_end(&own);
        if (count == 4)
            break;
        f = left;
        assert_true(left < 50);
    }
    for (int left = 0;; ++left) {
        int f = left;
        const cst_allocator allocator = fixture_failing_allocator(&f);
        cst_feature_mesh *mesh = cst_feature_mesh_create(made[0]->vertex, 8, BOX, 12, true, &allocator);
        if (mesh) {
            assert_true(fabs(mesh->thickness - 0.2) < 1e-12);
            cst_feature_mesh_destroy(mesh);
            break;
        }
        assert_true(left < 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(boxes_lie_on_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(turned_boxes_share_a_polygon, setup, teardown),
        cmocka_unit_test_setup_teardown(thin_cards_know_their_side, setup, teardown),
        cmocka_unit_test_setup_teardown(level_meshes_have_no_inner_edges, setup, teardown),
        cmocka_unit_test_setup_teardown(planes_take_the_lower_corners, setup, teardown),
        cmocka_unit_test_setup_teardown(nearest_features_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_flies_through, setup, teardown),
        cmocka_unit_test_setup_teardown(turning_boxes_are_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(boxes_lie_on_cylinders, setup, teardown),
        cmocka_unit_test_setup_teardown(margins_of_rounded_cylinders_count, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_runs_out, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
