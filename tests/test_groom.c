/* Heads and hair: meshes that are closed, even and the right size; roots that are apart; strands that are what their tangents say; hairs outside
 * of the head and of each other, by a look that shares nothing with what laid them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/distance_segment.h"
#include "groom/lay.h"
#include "math/vector3.h"
#include "mesh/human_shape.h"
#include "mesh/mesh_edges.h"
#include "sanitized.h"

static const double pi = 3.14159265358979323846;

static int begin(void **state)
{
    static cst_arena arena;
    cst_arena_begin(&arena, NULL);
    *state = &arena;
    return 0;
}

static int end(void **state)
{
    cst_arena_end(*state);
    return 0;
}

static double ball_of_two(const double x[3])
{
    return sqrt(cst_dot3(x, x)) - 2.0;
}

static double even(const double x[3])
{
    (void)x;
    return 1.0;
}

static double volume_of(const cst_star_mesh *m)
{
    double six = 0.0;
    for (int i = 0; i < m->triangles; i++) {
        double across[3];
        const int32_t *v = m->triangle + 3 * i;
        cst_cross3(m->vertex + 3 * v[1], m->vertex + 3 * v[2], across);
        six += cst_dot3(m->vertex + 3 * v[0], across);
    }
    return six / 6.0;
}

static double least_angle(const cst_star_mesh *m)
{
    double least = pi;
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++) {
            double u[3], v[3];
            const int32_t *t = m->triangle + 3 * i;
            cst_subtract3(m->vertex + 3 * t[(k + 1) % 3], m->vertex + 3 * t[k], u);
            cst_subtract3(m->vertex + 3 * t[(k + 2) % 3], m->vertex + 3 * t[k], v);
            least = fmin(least, acos(cst_dot3(u, v) / sqrt(cst_dot3(u, u) * cst_dot3(v, v))));
        }
    return least;
}

static void assert_closed(const cst_star_mesh *m, cst_arena *arena)
{
    cst_mesh_edge *edge;
    const int edges = cst_mesh_edges(m->triangle, m->triangles, arena, &edge);
    assert_int_equal(edges, 3 * m->triangles / 2);
    assert_int_equal(cst_mesh_open_edge(edge, edges), -1);
    assert_int_equal(m->vertices - edges + m->triangles, 2); /* one sphere, by Euler */
}

/* A ball comes out as a geodesic sphere: vertices on it, and the volume of the polyhedron falls short of the ball's in proportion to the square of
 * the edges. */
static void test_star_ball(void **state)
{
    const cst_star_body body = {.distance = ball_of_two, .weight = even, .center = {0.3, 0.1, -0.2}, .reach = 4.0};
    double missing[2];
    for (int k = 0; k < 2; k++) {
        cst_star_mesh m;
        const int detail = 5 << k;
        assert_true(cst_star_mesh_make(&body, detail, *state, &m));
        assert_int_equal(m.triangles, 20 * detail * detail);
        assert_closed(&m, *state);
        for (int i = 0; i < m.vertices; i++)
            assert_true(fabs(ball_of_two(m.vertex + 3 * i)) < 1e-9);
        missing[k] = 1.0 - volume_of(&m) / (4.0 / 3.0 * pi * 8.0);
        assert_true(least_angle(&m) > 35.0 * pi / 180.0);
    }
    assert_true(missing[0] > 0.0 && missing[0] < 0.05);
    assert_true(missing[0] / missing[1] > 3.5 && missing[0] / missing[1] < 4.5);
}

static void test_human(void **state)
{
    for (int part = 0; part < 2; part++)
        for (int detail = 8; detail <= (SANITIZED ? 8 : 16); detail += 4) {
            cst_star_mesh m;
            const cst_star_body *body = cst_human_body((cst_human_part)part);
            assert_true(cst_star_mesh_make(body, detail, *state, &m));
            assert_closed(&m, *state);
            double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
            for (int i = 0; i < m.vertices; i++) {
                assert_true(fabs(body->distance(m.vertex + 3 * i)) < 2e-4);
                for (int k = 0; k < 3; k++) {
                    low[k] = fmin(low[k], m.vertex[3 * i + k]);
                    high[k] = fmax(high[k], m.vertex[3 * i + k]);
                }
            }
            assert_true(least_angle(&m) > 12.0 * pi / 180.0); /* no slivers, ears included */
            const double volume = volume_of(&m);
            if (part == CST_HUMAN_HEAD) { /* a head with its neck: some 5 litres; as wide, long and high as heads are */
                assert_true(volume > 0.004 && volume < 0.006);
                assert_true(high[1] - low[1] > 0.15 && high[1] - low[1] < 0.19);
                assert_true(high[0] - low[0] > 0.19 && high[0] - low[0] < 0.24);
                assert_true(high[2] > 0.1 && low[2] < -0.19);
            } else {
                assert_true(high[1] - low[1] > 0.4 && high[1] - low[1] < 0.52);
            }
        }
}

/* An arc of a circle, by two tangents; and joints that are moved go there. */
static void test_strand(void **state)
{
    (void)state;
    double curvature[15], point[3 * 21], tangent[18];
    const cst_strand_curl straight = {.radius = 0.0};
    cst_strand arc = {.position = {1.0, 2.0, 3.0}, .length = 0.5, .curvature = curvature};
    for (int i = 0; i <= 5; i++) {
        const double angle = 0.2 * i;
        memcpy(tangent + 3 * i, (const double[]){cos(angle), 0.0, sin(angle)}, 3 * sizeof *tangent);
    }
    cst_strand_from_tangents(&arc, 5, tangent, &straight);
    cst_strand_points(&arc, 5, 4, point);
    for (int i = 0; i <= 20; i++) { /* radius 0.5: 1 rad over 0.5 m */
        const double angle = 0.05 * i;
        assert_true(fabs(point[3 * i] - 1.0 - 0.5 * sin(angle)) < 1e-12);
        assert_true(fabs(point[3 * i + 1] - 2.0) < 1e-12);
        assert_true(fabs(point[3 * i + 2] - 3.0 - 0.5 * (1.0 - cos(angle))) < 1e-12);
    }
    double move[18] = {0}, moved[18];
    for (int i = 0; i <= 5; i++)
        move[3 * i + 1] = 1e-5 * i * i;
    for (int round = 0; round < 4; round++) {
        cst_strand_move_joints(tangent, 5, 0.1, move);
        cst_strand_from_tangents(&arc, 5, tangent, &straight);
        cst_strand_points(&arc, 5, 1, moved);
        for (int i = 0; i <= 5; i++)
            move[3 * i + 1] = 1e-5 * i * i - (moved[3 * i + 1] - 2.0);
    }
    for (int i = 1; i <= 5; i++)
        assert_true(fabs(move[3 * i + 1]) < 0.1 * 1e-5 * i * i);
}

/* A straight axis: a helix of the radius and pitch asked for, all of it on the outer side of where it begins. A bent one: each element goes along the
 * direction between its tangents, by the same share of its length. */
static void test_curl(void **state)
{
    (void)state;
    enum { PIECES = 40 };
    double curvature[15], point[3 * (5 * PIECES + 1)], tangent[18];
    for (int left = 0; left < 2; left++) {
        const cst_strand_curl curl = {.radius = 0.006, .pitch = left ? -0.04 : 0.04, .outward = {0.0, 0.0, 1.0}};
        cst_strand strand = {.length = 0.3, .curvature = curvature};
        const double reach = 0.04 / sqrt(0.04 * 0.04 + 4.0 * pi * pi * 0.006 * 0.006);
        assert_true(fabs(cst_strand_curl_reach(&curl) - reach) < 1e-14);
        for (int i = 0; i <= 5; i++)
            memcpy(tangent + 3 * i, (const double[]){1.0, 0.0, 0.0}, 3 * sizeof *tangent);
        cst_strand_from_tangents(&strand, 5, tangent, &curl);
        cst_strand_points(&strand, 5, PIECES, point);
        for (int i = 0; i <= 5 * PIECES; i++) { /* around the axis through (0, 0, radius) */
            const double x = point[3 * i], phase = 2.0 * pi * x / curl.pitch;
            assert_true(fabs(x - reach * 0.3 * i / (5.0 * PIECES)) < 1e-12);
            assert_true(fabs(point[3 * i + 2] - 0.006 * (1.0 - cos(phase))) < 1e-12);
            assert_true(fabs(point[3 * i + 1] - 0.006 * sin(phase)) < 1e-12);
        }
        for (int i = 0; i <= 5; i++)
            memcpy(tangent + 3 * i, (const double[]){cos(0.25 * i), 0.0, -sin(0.25 * i)}, 3 * sizeof *tangent);
        cst_strand_from_tangents(&strand, 5, tangent, &curl);
        cst_strand_points(&strand, 5, PIECES, point);
        for (int i = 0; i < 5; i++) {
            const double along[3] = {cos(0.25 * i + 0.125), 0.0, -sin(0.25 * i + 0.125)};
            double chord[3];
            cst_subtract3(point + 3 * PIECES * (i + 1), point + 3 * PIECES * i, chord);
            assert_true(fabs(cst_dot3(chord, along) - reach * 0.06) < 1e-9);
        }
    }
}

static bool upper(const void *user, const double x[3])
{
    (void)user;
    return x[2] > 0.0;
}

static void test_roots(void **state)
{
    const cst_star_body body = {.distance = ball_of_two, .weight = even, .reach = 4.0};
    enum { COUNT = 500 };
    cst_star_mesh m;
    assert_true(cst_star_mesh_make(&body, 8, *state, &m));
    const cst_groom_mesh mesh = {m.vertex, m.triangle, m.vertices, m.triangles, 0.0};
    const cst_scalp scalp = {.mesh = &mesh, .grows = upper};
    static cst_root root[COUNT], again[COUNT];
    double separation, same;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    assert_true(cst_roots_spread(&scalp, COUNT, &rng, *state, root, &separation));
    double least = INFINITY, low = 0.0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(root[i].x[2] > 0.0);
        double n[3];
        memcpy(n, root[i].x, sizeof n);
        cst_normalise3(n);
        assert_true(cst_dot3(n, root[i].normal) > 0.99);
        low += root[i].x[2] < 1.0;
        for (int k = 0; k < i; k++) {
            double apart[3];
            cst_subtract3(root[i].x, root[k].x, apart);
            least = fmin(least, sqrt(cst_dot3(apart, apart)));
        }
    }
    assert_true(least >= separation);
    const double densest = sqrt(2.0 * 2.0 * pi * 4.0 / (sqrt(3.0) * COUNT)); /* of disks on the half sphere */
    assert_true(separation > 0.6 * densest && separation < 0.87 * densest);
    assert_true(fabs(low - 0.5 * COUNT) < 30.0); /* half the area of the half sphere is below half its height */
    cst_rng_seed(&rng, 3, 0);
    assert_true(cst_roots_spread(&scalp, COUNT, &rng, *state, again, &same));
    assert_memory_equal(root, again, sizeof root);
}

static bool on_head(const void *user, const double x[3])
{
    (void)user;
    return cst_human_scalp(x);
}

/* The distance off the grid is that of the surface, and both know inside from outside. */
static void test_field(void **state)
{
    const cst_star_body body = {.distance = ball_of_two, .weight = even, .reach = 4.0};
    cst_star_mesh m;
    assert_true(cst_star_mesh_make(&body, 8, *state, &m));
    for (int i = 0; i < 3 * m.vertices; i++)
        m.vertex[i] *= 0.05; /* a ball of 0.1 m */
    const cst_groom_mesh mesh = {m.vertex, m.triangle, m.vertices, m.triangles, 0.0};
    cst_groom_field *field = cst_groom_field_new(&mesh, 1, NULL, 0, 0.05, *state);
    assert_non_null(field);
    cst_rng rng;
    cst_rng_seed(&rng, 4, 0);
    for (int i = 0; i < 400; i++) {
        double x[3], gradient[3];
        cst_rng_direction(&rng, 3, x);
        const double r = cst_rng_range(&rng, 0.06, 0.17);
        for (int k = 0; k < 3; k++)
            x[k] *= r;
        const double d = cst_groom_distance(field, x, INFINITY, gradient), about = cst_groom_distance_about(field, x, NULL);
        const double expected = fmin(r - 0.1, 0.05);
        assert_true(fabs(d - expected) < 1.2e-3); /* the mesh of a ball: its faces lie up to 1.1 mm inside */
        if (d < 0.045)
            assert_true(fabs(about - d) < 4e-4);
        if (d < 0.05)
            assert_true(cst_dot3(gradient, x) > 0.97 * r);
    }
}

static double segments_apart(const double *p, const double *q)
{
    double least = INFINITY;
    for (int i = 0; i <= 8; i++)
        for (int k = 0; k <= 8; k++) {
            double d = 0.0;
            for (int c = 0; c < 3; c++) {
                const double off = p[c] + i / 8.0 * (p[3 + c] - p[c]) - q[c] - k / 8.0 * (q[3 + c] - q[c]);
                d += off * off;
            }
            least = fmin(least, sqrt(d));
        }
    return least;
}

/* The root points along the part of the growth in the tangent plane, and rises above this plane with the slope `rise`. */
static void look_at_root(const cst_strand *s, const cst_root *root, const double growth[3], double rise)
{
    double along[3] = {growth[0], growth[1], growth[2]};
    const double t[3] = {s->frame[0], s->frame[3], s->frame[6]}, up = cst_dot3(t, root->normal);
    cst_add3(-cst_dot3(growth, root->normal), root->normal, along);
    cst_normalise3(along);
    assert_true(fabs(up - rise / sqrt(1.0 + rise * rise)) < 1e-12);
    assert_true(fabs(cst_dot3(t, along) - 1.0 / sqrt(1.0 + rise * rise)) < 1e-12);
}

/* Hairs on a head, parted: outside of it and of each other, from their roots on, as long as was asked for, and twice the same. */
static void lay_and_look(void **state, double radius, int bundle, const double *growth)
{
    enum { COUNT = 120, PIECES = 24, POINTS = 5 * PIECES + 1 };
    const int each = bundle > 1 ? bundle : 1, roots = cst_groom_roots(COUNT, each);
    cst_star_mesh m;
    assert_true(cst_star_mesh_make(cst_human_body(CST_HUMAN_HEAD), 8, *state, &m));
    const cst_groom_mesh mesh = {m.vertex, m.triangle, m.vertices, m.triangles, 0.0};
    const cst_scalp scalp = {.mesh = &mesh, .grows = on_head};
    static cst_root root[COUNT];
    static cst_strand strand[2][COUNT];
    static double point[COUNT][3 * POINTS];
    cst_groom_field *field = cst_groom_field_new(&mesh, 1, NULL, 0, 0.08, *state);
    for (int pass = 0; pass < 2; pass++) {
        cst_rng rng;
        double separation;
        cst_rng_seed(&rng, 7, 0);
        assert_true(cst_roots_spread(&scalp, roots, &rng, *state, root, &separation));
        cst_groom_def def = {
            .comb =
                {.frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .down = {0, 0, -1}, .parted = true, .side = 1, .back = 0.4, .rise = 0.25},
            .root = root,
            .count = COUNT,
            .elements = 5,
            .length = 0.25,
            .length_variation = 0.1,
            .radius = radius,
            .gap = 0.1 * radius,
            .bundle = bundle,
            .wisps = 20,
            .tightness = 0.5};
        if (growth) {
            def.comb.grown = true;
            memcpy(def.comb.growth, growth, sizeof def.comb.growth);
        }
        cst_groom_outcome outcome;
        assert_true(cst_groom_lay(&def, field, &rng, *state, strand[pass], &outcome));
        assert_int_equal(outcome.crowded, 0);
        assert_true(outcome.shortened <= 1);
    }
    for (int i = 0; i < COUNT; i++) {
        const cst_strand *s = &strand[0][i];
        if (growth)
            look_at_root(s, root + i, growth, 0.25);
        assert_true(s->length > 0.22 && s->length < 0.28);
        assert_memory_equal(s->curvature, strand[1][i].curvature, 15 * sizeof(double));
        cst_strand_points(s, 5, PIECES, point[i]);
        for (int k = 0; k < POINTS; k++)
            assert_true(cst_groom_distance(field, point[i] + 3 * k, INFINITY, NULL) > radius);
        assert_true(point[i][3 * POINTS - 1] < point[i][2]); /* it hangs */
        /* On the side of the parting that it grows on. */
        const double side = root[i / each].x[1];
        if (fabs(side) > 0.02)
            assert_true(point[i][3 * POINTS - 2] * side > 0.0);
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++)
            for (int a = 0; a + 1 < POINTS; a++)
                for (int b = 0; b + 1 < POINTS; b++) {
                    double off[3];
                    cst_subtract3(point[i] + 3 * a, point[k] + 3 * b, off);
                    if (cst_dot3(off, off) < 5e-5) /* 7 mm: two pieces and a diameter */
                        assert_true(segments_apart(point[i] + 3 * a, point[k] + 3 * b) > 2.0 * radius);
                }
}

static void test_lay(void **state)
{
    lay_and_look(state, 0.0015, 0, NULL);
}

/* All roots point backwards and to the right; the hair is combed to both sides. */
static void test_lay_against_growth(void **state)
{
    lay_and_look(state, 0.001, 0, (const double[]){-1.0, -1.0, 0.0});
}

/* The same seven by seven, and as many as no ring is filled by. */
static void test_lay_bundles(void **state)
{
    lay_and_look(state, 0.0005, 7, NULL);
    lay_and_look(state, 0.0005, 10, NULL);
}

/* Pieces of two generators with radii of their own, against all pairs of points; what is kept for a hair is not in its own way, and in nobody's once
 * it is laid. */
static void test_taken(void **state)
{
    enum { PIECES = 300 };
    const double radius[2] = {0.001, 0.003}, limit = 0.004;
    static double piece[2][PIECES][6];
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    cst_taken *first = cst_taken_new(PIECES, 0.005, 0.004, radius[0], NULL, *state),
              *taken = cst_taken_new(PIECES, 0.005, 0.004, radius[1], first, *state);
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < PIECES; i++) {
            for (int k = 0; k < 3; k++) {
                piece[g][i][k] = cst_rng_range(&rng, -0.05, 0.05);
                piece[g][i][3 + k] = piece[g][i][k] + cst_rng_range(&rng, -0.005, 0.005);
            }
            assert_true(cst_taken_add(g == 0 ? first : taken, piece[g][i], piece[g][i] + 3, -1));
        }
    int found = 0;
    for (int i = 0; i < PIECES; i++) {
        double least = limit, away[3];
        double p[6];
        for (int k = 0; k < 6; k++)
            p[k] = piece[1][i][k] + 0.003 * (k % 3 + 1);
        for (int g = 0; g < 2; g++)
            for (int n = 0; n < PIECES; n++)
                least = fmin(least, cst_segment_segment(p, p + 3, piece[g][n], piece[g][n] + 3).distance - 0.002 - radius[g]);
        const double room = cst_taken_room(taken, 0, 0.002, p, p + 3, limit, away);
        assert_true(fabs(room - least) < 1e-7);
        found += least < limit;
    }
    assert_true(found > PIECES / 4 && found < PIECES);
    const double a[3] = {1.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.001};
    double away[3];
    assert_true(cst_taken_reserve(taken, 2) && cst_taken_add(taken, a, b, 1));
    assert_true(cst_taken_room(taken, 1, 0.002, a, b, limit, away) == limit);
    assert_true(cst_taken_room(taken, 0, 0.002, a, b, limit, away) < 0.0);
    cst_taken_release(taken, 1);
    assert_true(cst_taken_room(taken, 0, 0.002, a, b, limit, away) == limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_star_ball, begin, end),
        cmocka_unit_test_setup_teardown(test_human, begin, end),
        cmocka_unit_test(test_curl),
        cmocka_unit_test_setup_teardown(test_strand, begin, end),
        cmocka_unit_test_setup_teardown(test_roots, begin, end),
        cmocka_unit_test_setup_teardown(test_field, begin, end),
        cmocka_unit_test_setup_teardown(test_taken, begin, end),
        cmocka_unit_test_setup_teardown(test_lay, begin, end),
        cmocka_unit_test_setup_teardown(test_lay_against_growth, begin, end),
        cmocka_unit_test_setup_teardown(test_lay_bundles, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
