/* Segments, triangles and solids in space against vectors and brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/box_tree.h"
#include "collide/broad_phase.h"
#include "collide/distance_segment.h"
#include "collide/distance_solid_space.h"
#include "collide/slope_triangle.h"
#include "tests/failing_allocator.h"
#include "tests/json.h"
#include "tests/space_fixture.h"

static void at_segment(const double *p0, const double *p1, double s, double *x)
{
    for (int k = 0; k < 3; ++k)
        x[k] = p0[k] + s * (p1[k] - p0[k]);
}

static double between(const double *x, const double *y)
{
    double r[3];
    cst_subtract3(x, y, r);
    return sqrt(cst_dot3(r, r));
}

static void segments_of_vectors(void **state)
{
    (void)state;
    json *file = json_read_data("rods/segseg.json");
    const json *cases = json_get(file, "cases");
    assert_true(cases->count > 20);
    int parallel = 0;
    for (size_t i = 0; i < cases->count; ++i) {
        double p0[3], p1[3], q0[3], q1[3], x[3], y[3];
        json_numbers(json_get(cases->item[i], "p0"), p0, 3);
        json_numbers(json_get(cases->item[i], "p1"), p1, 3);
        json_numbers(json_get(cases->item[i], "q0"), q0, 3);
        json_numbers(json_get(cases->item[i], "q1"), q1, 3);
        const cst_segments at = cst_segment_segment(p0, p1, q0, q1);
        assert_true(fabs(at.distance - json_number(cases->item[i], "dist")) < 1e-12);
        at_segment(p0, p1, at.s, x);
        at_segment(q0, q1, at.t, y);
        assert_true(fabs(between(x, y) - at.distance) < 1e-14);
        const double s = json_number(cases->item[i], "s"), t = json_number(cases->item[i], "t");
        if (at.parallel) { /* the vectors have some point of the overlap */
            assert_true(s > at.from[0] - 1e-9 && s < at.to[0] + 1e-9);
            assert_true(t > fmin(at.from[1], at.to[1]) - 1e-9 && t < fmax(at.from[1], at.to[1]) + 1e-9);
        } else {
            assert_true(fabs(at.s - s) < 1e-7);
            assert_true(fabs(at.t - t) < 1e-7);
        }
        parallel += at.parallel;
    }
    json_free(file);
    assert_true(parallel > 0);
}

/* No point of the square is nearer, nearly parallel and degenerate segments included. */
static void segments_against_search(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 61, 0);
    for (int round = 0; round < 20000; ++round) {
        double p0[3], p1[3], q0[3], q1[3];
        for (int k = 0; k < 3; ++k) {
            p0[k] = cst_rng_range(&rng, -1.0, 1.0);
            p1[k] = cst_rng_range(&rng, -1.0, 1.0);
            q0[k] = cst_rng_range(&rng, -1.0, 1.0);
            q1[k] = cst_rng_range(&rng, -1.0, 1.0);
        }
        const double tilt = round % 4 == 0 ? 0.0 : cst_rng_log_range(&rng, 1e-14, 1e-2);
        if (round % 2)
            for (int k = 0; k < 3; ++k) /* parallel but for the tilt */
                q1[k] = q0[k] + 0.7 * (p1[k] - p0[k]) + tilt * q1[k];
        if (round % 100 == 0)
            memcpy(p1, p0, sizeof p0);
        if (round % 200 == 0)
            memcpy(q1, q0, sizeof q0);
        const cst_segments at = cst_segment_segment(p0, p1, q0, q1);
        double least = INFINITY;
        for (int i = 0; i <= 64; ++i) {
            double x[3], foot[3];
            at_segment(p0, p1, i / 64.0, x);
            at_segment(q0, q1, cst_point_segment(x, q0, q1), foot);
            least = fmin(least, between(x, foot));
            at_segment(q0, q1, i / 64.0, x);
            at_segment(p0, p1, cst_point_segment(x, p0, p1), foot);
            least = fmin(least, between(x, foot));
        }
        assert_true(at.distance <= least + 1e-12);
        double x[3], y[3];
        at_segment(p0, p1, at.s, x);
        at_segment(q0, q1, at.t, y);
        assert_true(fabs(between(x, y) - at.distance) < 1e-14);
        if (at.parallel) {
            at_segment(p0, p1, at.from[0], x);
            at_segment(q0, q1, at.from[1], y);
            assert_true(fabs(between(x, y) - at.distance) < 1e-12);
            assert_true(at.to[0] > at.from[0]);
        }
    }
}

static void triangles_against_search(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 62, 0);
    for (int round = 0; round < 3000; ++round) {
        double corner[9], p[2][3], s;
        for (int k = 0; k < 9; ++k)
            corner[k] = cst_rng_range(&rng, -1.0, 1.0);
        if (round % 50 == 0) /* a segment */
            for (int k = 0; k < 3; ++k)
                corner[6 + k] = 0.3 * corner[k] + 0.7 * corner[3 + k];
        for (int k = 0; k < 6; ++k)
            p[k / 3][k % 3] = cst_rng_range(&rng, -1.0, 1.0);
        const double found = cst_segment_triangle(p[0], p[1], corner, &s);
        double x[3], least = INFINITY, grid = INFINITY;
        at_segment(p[0], p[1], s, x);
        assert_true(fabs(cst_point_triangle(x, corner).distance - found) < 1e-12);
        for (int i = 0; i <= 40; ++i) {
            at_segment(p[0], p[1], i / 40.0, x);
            const cst_on_triangle at = cst_point_triangle(x, corner);
            least = fmin(least, at.distance);
            assert_true(fabs(between(x, at.x) - at.distance) < 1e-12);
            if (i % 20)
                continue;
            grid = INFINITY;
            for (int j = 0; j <= 30; ++j)
                for (int l = 0; l <= 30 - j; ++l) {
                    double y[3];
                    for (int k = 0; k < 3; ++k)
                        y[k] = ((30 - j - l) * corner[k] + j * corner[3 + k] + l * corner[6 + k]) / 30.0;
                    grid = fmin(grid, between(x, y));
                }
            assert_true(at.distance <= grid + 1e-12);
            assert_true(at.distance > grid - 0.15);
        }
        assert_true(found <= least + 1e-12);
    }
}

static double slope_to_triangle(const double *x0, const double *d, double u, const double *corner)
{
    double x[3], n[3];
    for (int k = 0; k < 3; ++k)
        x[k] = x0[k] + u * d[k];
    const cst_on_triangle at = cst_point_triangle(x, corner);
    for (int k = 0; k < 3; ++k)
        n[k] = x[k] - at.x[k];
    cst_normalise3(n);
    return cst_dot3(n, d) / sqrt(cst_dot3(d, d));
}

/* Lines of all kinds past a triangle: the slope is below the target before the place that is found, and not below it after. */
static void slopes_along_lines(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 63, 0);
    int passes = 0;
    for (int round = 0; round < 60000; ++round) {
        double corner[9], x0[3], d[3];
        for (int k = 0; k < 9; ++k)
            corner[k] = cst_rng_range(&rng, -1.0, 1.0);
        for (int k = 0; k < 3; ++k) {
            if (round % 3 == 0) /* a flat one, and a line that hardly rises over it */
                corner[3 * k + 2] = 0.0;
            x0[k] = cst_rng_range(&rng, -2.0, 2.0);
            d[k] = cst_rng_range(&rng, -2.0, 2.0);
        }
        if (round % 3 == 0) {
            x0[2] = 0.01;
            d[2] = cst_rng_range(&rng, -1e-3, 1e-3);
        }
        if (round % 50 == 1) /* a segment */
            for (int k = 0; k < 3; ++k)
                corner[6 + k] = 0.3 * corner[k] + 0.7 * corner[3 + k];
        if (round % 50 == 2) /* through a point of the face */
            for (int k = 0; k < 3; ++k)
                d[k] = (corner[k] + corner[3 + k] + 2.0 * corner[6 + k]) / 2.0 - 2.0 * x0[k];
        if (round % 50 == 4) /* along an edge */
            for (int k = 0; k < 3; ++k)
                d[k] = corner[3 + k] - corner[k];
        const double target = round % 4 ? cst_rng_range(&rng, -0.5, 0.5) : 0.0, beside = 1e-9;
        if (!(slope_to_triangle(x0, d, 0.0, corner) < target) || slope_to_triangle(x0, d, 1.0, corner) < target)
            continue;
        cst_laid_triangle triangle_of;
        cst_lay_triangle(corner, &triangle_of);
        const double u = cst_triangle_slope_passes(&triangle_of, x0, d, 0.0, 1.0, target);
        assert_true(u >= 0.0 && u <= 1.0);
        assert_true(u < beside || slope_to_triangle(x0, d, u - beside, corner) < target + 1e-12);
        assert_true(u > 1.0 - beside || slope_to_triangle(x0, d, u + beside, corner) > target - 1e-12);
        ++passes;
    }
    assert_true(passes > 12000);
}

/* A solid as the points for which `inside` holds. */
static bool inside(const cst_solid *solid, const double *x)
{
    double from[3], p[3];
    cst_subtract3(x, solid->position, from);
    cst_apply_transposed3(solid->frame, from, p);
    const double rho = hypot(p[0], p[1]);
    switch (solid->kind) {
    case CST_SOLID_PLANE:
        return p[2] < 0.0;
    case CST_SOLID_SPHERE:
        return sqrt(cst_dot3(p, p)) < solid->size[0];
    case CST_SOLID_CAPSULE: {
        const double z = fmax(0.0, fabs(p[2]) - solid->size[1]);
        return hypot(rho, z) < solid->size[0];
    }
    case CST_SOLID_BOX:
        return fabs(p[0]) < solid->size[0] && fabs(p[1]) < solid->size[1] && fabs(p[2]) < solid->size[2];
    case CST_SOLID_CYLINDER:
        return rho < solid->size[0] && fabs(p[2]) < solid->size[1];
    case CST_SOLID_MESH:
        break;
    }
    return false;
}

/* The sign is right, the gradient is the normal, and the foot lies on the surface. */
static void solids(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 63, 0);
    for (int round = 0; round < 20000; ++round) {
        cst_solid solid = {.kind = (cst_solid_kind)(round % 5), .size = {0.5, 0.7, 0.3}, .position = {0.1, -0.2, 0.3}};
        fixture_rotation(&rng, solid.frame);
        double x[3], n[3], m[3];
        for (int k = 0; k < 3; ++k)
            x[k] = cst_rng_range(&rng, -1.5, 1.5);
        const double phi = cst_solid_distance(&solid, x, n);
        assert_true(fabs(cst_dot3(n, n) - 1.0) < 1e-12);
        assert_true((phi < 0.0) == inside(&solid, x));
        double foot[3], out[3], in[3];
        for (int k = 0; k < 3; ++k) {
            foot[k] = x[k] - phi * n[k];
            out[k] = foot[k] + 1e-7 * n[k];
            in[k] = foot[k] - 1e-7 * n[k];
        }
        assert_true(fabs(cst_solid_distance(&solid, foot, m)) < 1e-12);
        assert_true(!inside(&solid, out));
        if (phi < 0.0)
            assert_true(inside(&solid, in));
        /* Nothing of the solid (of the outside) is nearer. */
        for (int i = 0; i < 20; ++i) {
            double direction[3], probe[3];
            cst_rng_direction(&rng, 3, direction);
            for (int k = 0; k < 3; ++k)
                probe[k] = x[k] + 0.999999 * fabs(phi) * direction[k];
            assert_true(inside(&solid, probe) == (phi < 0.0));
        }
        solid.rounding = 0.05;
        if (solid.kind == CST_SOLID_BOX || solid.kind == CST_SOLID_CYLINDER)
            assert_true(fabs(cst_solid_distance(&solid, x, m) - (phi - 0.05)) < 1e-14);
    }
}

/* Two lists: the first third of the boxes and the others. They have the pairs of one list of all boxes whose boxes are of both. */
static void compare_lists(const cst_box *box, int boxes, const cst_pair_list *of_all, cst_arena *arena)
{
    const int firsts = boxes / 3;
    cst_pair_list pairs[2];
    assert_true(cst_overlapping_lists(box, firsts, box + firsts, boxes - firsts, NULL, NULL, 1, arena, &pairs[0]));
    assert_true(cst_overlapping_lists(box, firsts, box + firsts, boxes - firsts, NULL, NULL, 3, arena, &pairs[1]));
    for (int a = 0; a < firsts; ++a) {
        int64_t at = pairs[0].row_start[a];
        assert_true(pairs[1].row_start[a] == at);
        for (int64_t i = of_all->row_start[a]; i < of_all->row_start[a + 1]; ++i) {
            if (of_all->partner[i] < firsts)
                continue;
            assert_true(at < pairs[0].row_start[a + 1] && pairs[0].partner[at] == of_all->partner[i] - firsts);
            assert_true(pairs[1].partner[at++] == of_all->partner[i] - firsts);
        }
        assert_true(at == pairs[0].row_start[a + 1]);
    }
}

/* Boxes in space against all pairs, and queries of a tree. */
static void boxes_in_space(void **state)
{
    (void)state;
    enum { MOST = 1200 };
    static cst_box box[MOST];
    static int32_t found[MOST];
    cst_rng rng;
    cst_rng_seed(&rng, 64, 0);
    for (int round = 0; round < 30; ++round) {
        const int boxes = round < 10 ? round : 1 + cst_rng_integer(&rng, MOST);
        const double spread = cst_rng_log_range(&rng, 0.1, 10.0);
        for (int i = 0; i < boxes; ++i) {
            const double size = cst_rng_log_range(&rng, 1e-2, round % 4 ? 1.0 : 30.0);
            for (int k = 0; k < 3; ++k) {
                box[i].low[k] = cst_rng_range(&rng, -spread, spread);
                box[i].high[k] = box[i].low[k] + size * cst_rng_uniform(&rng);
            }
            const int kind = cst_rng_integer(&rng, 100);
            if (kind == 0)
                box[i].high[2] = box[i].low[2] - 1.0;
            else if (kind == 1)
                box[i].low[2] = NAN;
            else if (kind == 2)
                box[i].low[2] = -INFINITY;
        }
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_pair_list pairs[2];
        assert_true(cst_overlapping_boxes(box, boxes, NULL, NULL, 1, &arena, &pairs[0]));
        assert_true(cst_overlapping_boxes(box, boxes, NULL, NULL, 3, &arena, &pairs[1]));
        compare_lists(box, boxes, &pairs[0], &arena);
        cst_box_tree tree;
        assert_true(cst_box_tree_build(box, boxes, &arena, &tree));
        for (int a = 0; a < boxes; ++a) {
            int64_t at = pairs[0].row_start[a];
            assert_true(pairs[1].row_start[a] == at);
            const int near = cst_box_tree_query(&tree, &box[a], found, MOST);
            int all = 0;
            for (int b = 0; b < boxes; ++b) {
                bool overlap = true;
                for (int k = 0; k < 3; ++k)
                    overlap = overlap && box[a].low[k] <= box[b].high[k] && box[b].low[k] <= box[a].high[k] &&
                              box[a].low[k] <= box[a].high[k] && box[b].low[k] <= box[b].high[k];
                bool listed = false;
                for (int i = 0; i < near && !listed; ++i)
                    listed = found[i] == b;
                all += listed;
                if (overlap)
                    assert_true(listed);
                if (b <= a)
                    continue;
                const bool paired = at < pairs[0].row_start[a + 1] && pairs[0].partner[at] == b;
                assert_true(paired == listed);
                if (paired)
                    assert_true(pairs[1].partner[at++] == b);
            }
            assert_int_equal(all, near);
            assert_true(at == pairs[0].row_start[a + 1]);
        }
        cst_arena_end(&arena);
    }
}

/* A search in two lists of boxes: each allocation fails in turn. */
static void memory_runs_out(void **state)
{
    (void)state;
    enum { BOXES = 3000 };
    cst_box *box = calloc(BOXES, sizeof *box); /* all boxes are one point */
    assert_non_null(box);
    bool good = false;
    for (int allowed = 0; !good; ++allowed) {
        int left = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_pair_list pairs;
        cst_arena arena;
        assert_true(allowed < 50);
        cst_arena_begin(&arena, &allocator);
        good = cst_overlapping_lists(box, 40, box, BOXES, NULL, NULL, 1, &arena, &pairs);
        assert_true(good || left < 0);
        if (good)
            assert_true(allowed > 2 && pairs.row_start[40] == (int64_t)40 * BOXES);
        cst_arena_end(&arena);
    }
    free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_of_vectors),
        cmocka_unit_test(segments_against_search),
        cmocka_unit_test(triangles_against_search),
        cmocka_unit_test(slopes_along_lines),
        cmocka_unit_test(solids),
        cmocka_unit_test(boxes_in_space),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
