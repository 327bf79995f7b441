/* Boxes and meshes that touch each other by their edges: corners and crossings, each once, against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/distance_solid_space.h"
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

static void corner_of(const cst_solid *box, int corner, double *x)
{
    const double local[3] = {corner & 1 ? box->size[0] : -box->size[0], corner & 2 ? box->size[1] : -box->size[1],
                             corner & 4 ? box->size[2] : -box->size[2]};
    cst_apply3(box->frame, local, x);
    cst_add3(1.0, box->position, x);
}

/* The twelve edges of a box as pieces of its owner, as thick as it is rounded. */
static void add_edges(const cst_solid *box, double margin)
{
    f.curve[box->owner] =
        (cst_curve_view){.at = fixture_curve_at, .drift = fixture_curve_drift, .user = f.element + f.scene.pieces};
    int feature = 0;
    for (int corner = 0; corner < 8; ++corner)
        for (int axis = 0; axis < 3; ++axis) {
            if (corner >> axis & 1)
                continue;
            fixture_element e = {.length = 0.0};
            double to[3];
            corner_of(box, corner, e.x);
            corner_of(box, corner | 1 << axis, to);
            cst_subtract3(to, e.x, e.t);
            e.length = cst_normalise3(e.t);
            const int index = f.scene.pieces++;
            f.element[index] = e;
            f.margin[index] = margin;
            f.piece[index] =
                (cst_piece){.owner = box->owner, .feature = feature++, .length = e.length, .radius = box->rounding, .edge = true};
        }
}

static cst_solid *add_box(double a, double b, double c, double x, double y, double z)
{
    cst_solid *box = fixture_solid(&f, CST_SOLID_BOX, a, b, c);
    f.flags[box->owner] = 0;
    box->position[0] = x;
    box->position[1] = y;
    box->position[2] = z;
    return box;
}

/* About an axis (0, 1, 2) by an angle, after what is there. */
static void turn_box(cst_solid *box, int axis, double angle)
{
    double R[9] = {0.0}, before[9];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    R[4 * axis] = 1.0;
    R[4 * u] = R[4 * v] = cos(angle);
    R[3 * v + u] = sin(angle);
    R[3 * u + v] = -sin(angle);
    memcpy(before, box->frame, sizeof before);
    cst_product3(R, before, box->frame);
}

static void boxes_lie_on_their_corners(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 41, 0);
    for (int i = 0; i < 500; ++i) {
        fixture_clear(&f);
        cst_solid *box = add_box(0.3, 0.2, 0.1, 0.4, -0.2, 0.1);
        const double rounding = i % 2 ? 0.01 : 0.0;
        box->rounding = rounding;
        turn_box(box, 2, cst_rng_range(&rng, 0.0, 6.0));
        /* Tilted by less than the margin, down to rounding; the name of each corner stays. */
        const double tilt = i < 10 ? 0.0 : cst_rng_log_range(&rng, 1e-16, 1e-3);
        turn_box(box, 0, tilt);
        box->position[2] += rounding - 1e-4 * cst_rng_uniform(&rng);
        fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0);
        add_edges(box, 2e-3);
        assert_int_equal(fixture_detect(&f), 4);
        static const struct {
            int a, end;
        } name[4] = {{0, 0}, {0, 1}, {1, 1}, {3, 1}}; /* corners 0, 1, 2, 3 end these edges first */
        for (int t = 0; t < 4; ++t) {
            const cst_touch_space *touch = &f.touch[t];
            int corner = -1;
            for (int k = 0; k < 4; ++k)
                if (touch->a == name[k].a && touch->s_a == (name[k].end ? f.piece[touch->a].length : 0.0))
                    corner = k;
            assert_true(corner >= 0);
            double x[3];
            corner_of(box, corner, x);
            cst_subtract3(x, touch->x_a, x);
            assert_true(cst_dot3(x, x) < 1e-28 && fabs(touch->gap - (touch->x_a[2] - rounding)) < 1e-15);
            assert_true(touch->normal[2] == 1.0);
        }
    }
}

static void boxes_lie_on_boxes(void **state)
{
    (void)state;
    /* Smaller on larger, equal on equal, hanging over an edge: a gap of a millionth, none, and a millionth deep. */
    static const struct {
        double half, x, y;
        int touches;
    } way[] = {{0.1, 0.05, 0.03, 4}, {0.3, 0.0, 0.0, 4}, {0.3, 1e-9, -1e-9, 4},
               {0.3, 0.1, 0.0, 4},   {0.3, 0.1, 0.2, 4}, {0.5, 0.0, 0.0, 4}};
    static const double gaps[] = {1e-6, 0.0, -1e-6};
    for (size_t i = 0; i < sizeof way / sizeof *way; ++i)
        for (int j = 0; j < 3; ++j) {
            fixture_clear(&f);
            cst_solid *below = add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.0);
            cst_solid *above = add_box(way[i].half, way[i].half, 0.1, way[i].x, way[i].y, 0.2 + gaps[j]);
            add_edges(below, 1e-4);
            add_edges(above, 1e-4);
            assert_int_equal(fixture_detect(&f), way[i].touches);
            double middle[2] = {0.0, 0.0};
            for (int t = 0; t < f.touches; ++t) {
                assert_true(fabs(f.touch[t].normal[2]) > 1.0 - 1e-9 && fabs(f.touch[t].gap - gaps[j]) < 1e-12);
                assert_true((f.touch[t].normal[2] > 0.0) == (f.piece[f.touch[t].a].owner == above->owner));
                middle[0] += 0.25 * f.touch[t].x_b[0];
                middle[1] += 0.25 * f.touch[t].x_b[1];
            }
            /* Four corners of the rectangle in which both lie. */
            const double low[2] = {fmax(-0.3, way[i].x - way[i].half), fmax(-0.3, way[i].y - way[i].half)};
            const double high[2] = {fmin(0.3, way[i].x + way[i].half), fmin(0.3, way[i].y + way[i].half)};
            for (int k = 0; k < 2; ++k)
                assert_true(fabs(middle[k] - 0.5 * (low[k] + high[k])) < 1e-5);
        }
}

static void crossing_edges_touch_once(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 42, 0);
    for (int i = 0; i < 300; ++i) {
        fixture_clear(&f);
        const double half = 0.2, rounding = i % 2 ? 0.02 : 0.0, gap = (i % 3 - 1) * 1e-4;
        cst_solid *below = add_box(half, half, half, 0.0, 0.0, 0.0), *above = add_box(half, half, half, 0.0, 0.0, 0.0);
        /* One edge of each up or down, crosswise, neither in its middle. */
        turn_box(below, 0, 0.7853981633974483 + cst_rng_range(&rng, -0.3, 0.3));
        turn_box(above, 1, 0.7853981633974483 + cst_rng_range(&rng, -0.3, 0.3));
        turn_box(above, 2, cst_rng_range(&rng, -0.5, 0.5));
        double top = -INFINITY, bottom = INFINITY, x[3];
        for (int k = 0; k < 8; ++k) {
            corner_of(below, k, x);
            top = fmax(top, x[2]);
            corner_of(above, k, x);
            bottom = fmin(bottom, x[2]);
        }
        above->position[2] = top - bottom + 2.0 * rounding + gap;
        below->rounding = above->rounding = rounding;
        double p[3] = {0.0, 0.0, 0.0}, q[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 8; ++k) { /* middles of the upper edge of one and the lower edge of the other */
            corner_of(below, k, x);
            if (x[2] > top - 1e-9)
                cst_add3(0.5, x, p);
            corner_of(above, k, x);
            if (x[2] < bottom + above->position[2] + 1e-9)
                cst_add3(0.5, x, q);
        }
        above->position[0] += p[0] - q[0] + cst_rng_range(&rng, -0.1, 0.1);
        above->position[1] += p[1] - q[1] + cst_rng_range(&rng, -0.05, 0.05);
        add_edges(below, 5e-3);
        add_edges(above, 5e-3);
        assert_int_equal(fixture_detect(&f), 1);
        assert_true(fabs(fabs(f.touch[0].normal[2]) - 1.0) < 1e-7 && fabs(f.touch[0].gap - gap) < 1e-9);
        assert_true((f.touch[0].normal[2] > 0.0) == (f.piece[f.touch[0].a].owner == above->owner));
    }
}

/* Least distance of two boxes apart from each other: from points of one, by turns to the nearest of the other. */
static double distance_of(const cst_solid *a, const cst_solid *b)
{
    double least = INFINITY;
    for (int start = 0; start < 8; ++start) {
        double x[3], y[3], from[3], p[3];
        corner_of(a, start, x);
        for (int i = 0; i < 4000; ++i) {
            const cst_solid *to = i % 2 ? a : b;
            cst_subtract3(x, to->position, from);
            cst_apply_transposed3(to->frame, from, p);
            for (int k = 0; k < 3; ++k)
                p[k] = fmax(-to->size[k], fmin(to->size[k], p[k]));
            cst_apply3(to->frame, p, y);
            cst_add3(1.0, to->position, y);
            cst_subtract3(x, y, from);
            memcpy(x, y, sizeof x);
        }
        least = fmin(least, sqrt(cst_dot3(from, from)));
    }
    return least;
}

static void nearest_of_two_boxes_is_found(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 43, 0);
    int apart = 0;
    for (int i = 0; i < 400; ++i) {
        fixture_clear(&f);
        cst_solid *box[2];
        for (int j = 0; j < 2; ++j) {
            box[j] = add_box(cst_rng_log_range(&rng, 0.05, 0.4), cst_rng_log_range(&rng, 0.05, 0.4),
                             cst_rng_log_range(&rng, 0.05, 0.4), cst_rng_range(&rng, -0.5, 0.5), cst_rng_range(&rng, -0.5, 0.5),
                             cst_rng_range(&rng, -0.5, 0.5));
            fixture_rotation(&rng, box[j]->frame);
        }
        const double least = distance_of(box[0], box[1]);
        if (least < 1e-3)
            continue;
        add_edges(box[0], 0.2);
        add_edges(box[1], 0.2);
        assert_true(fixture_detect(&f) >= 0);
        double found = INFINITY;
        for (int t = 0; t < f.touches; ++t) {
            found = fmin(found, f.touch[t].gap);
            for (int j = 0; j < t; ++j) {
                double between[3];
                cst_subtract3(f.touch[j].x_a, f.touch[t].x_a, between);
                assert_true(cst_dot3(between, between) > 1e-16);
            }
        }
        assert_true(least >= 0.2 - 1e-6 ? f.touches == 0 || found > least - 1e-6 : fabs(found - least) < 1e-5);
        ++apart;
    }
    assert_true(apart > 150);
}

static void edges_touch_no_pieces(void **state)
{
    (void)state;
    fixture_clear(&f);
    cst_solid *box = add_box(0.3, 0.2, 0.1, 0.0, 0.0, 0.0);
    add_edges(box, 0.01);
    const double p[3] = {-0.5, -0.5, 0.105}, q[3] = {0.5, 0.5, 0.105};
    fixture_straight(&f, p, q, 0.01, 0.0);
    assert_true(fixture_detect(&f) > 0);
    for (int t = 0; t < f.touches; ++t)
        assert_true(f.touch[t].a == 12 && f.touch[t].b == 13); /* the rod with the box: its own edges touch neither */
}

/* A box as a mesh, on a box: as boxes do. */
static void meshes_touch_boxes(void **state)
{
    (void)state;
    fixture_clear(&f);
    cst_solid *below = add_box(0.3, 0.3, 0.1, 0.0, 0.0, 0.0), *above = add_box(0.1, 0.2, 0.1, 0.05, 0.03, 0.2 + 1e-5);
    static const int32_t triangle[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    cst_mesh_space *mesh[2];
    for (int which = 0; which < 2; ++which) {
        double vertex[24];
        cst_solid plain = *(which ? above : below);
        plain.position[0] = plain.position[1] = plain.position[2] = 0.0;
        for (int k = 0; k < 8; ++k)
            corner_of(&plain, k, vertex + 3 * k);
        mesh[which] = cst_mesh_space_create(vertex, 8, triangle, 12, true, NULL);
        assert_non_null(mesh[which]);
    }
    add_edges(below, 1e-4);
    add_edges(above, 1e-4);
    f.scene.solid_depth = 0.01;
    for (int which = 0; which < 3; ++which) { /* the lower, the upper, both */
        below->kind = which != 1 ? CST_SOLID_MESH : CST_SOLID_BOX;
        above->kind = which != 0 ? CST_SOLID_MESH : CST_SOLID_BOX;
        below->mesh = mesh[0];
        above->mesh = mesh[1];
        assert_int_equal(fixture_detect(&f), 4);
        for (int t = 0; t < 4; ++t)
            assert_true(fabs(f.touch[t].gap - 1e-5) < 1e-12 && f.touch[t].normal[2] > 1.0 - 1e-9);
    }
    cst_mesh_space_destroy(mesh[0]);
    cst_mesh_space_destroy(mesh[1]);
}

/* Bent pieces that are left out are so with all their segments, before a plane too. */
static void bent_pieces_left_out(void **state)
{
    (void)state;
    fixture_clear(&f);
    for (int i = 0; i < 3; ++i) {
        fixture_owner(&f);
        fixture_add(&f, &(fixture_element){.t = {1.0, 0.0, 0.0}, .turn = {0.0, 0.0, 9.0}, .length = 0.6}, 0.01,
                    i == 1 ? NAN : 0.0);
        f.element[i].x[2] = 0.3 * i;
    }
    fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0)->position[2] = 0.3;
    assert_true(fixture_detect(&f) > 0);
    assert_int_equal(f.detector.ignored, 1);
    for (int t = 0; t < f.touches; ++t)
        assert_true(f.touch[t].a == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(boxes_lie_on_their_corners, setup, teardown),
        cmocka_unit_test_setup_teardown(boxes_lie_on_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(crossing_edges_touch_once, setup, teardown),
        cmocka_unit_test_setup_teardown(nearest_of_two_boxes_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(edges_touch_no_pieces, setup, teardown),
        cmocka_unit_test_setup_teardown(meshes_touch_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(bent_pieces_left_out, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
