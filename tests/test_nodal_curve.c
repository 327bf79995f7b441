/* The centreline of closed nodal rods: a smooth curve through the nodes (rod/nodal_curve.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector3.h"
#include "rod/nodal_curve.h"
#include "tests/nodal_fixture.h"

static const double PI = 3.14159265358979323846;

static double distance(const double *a, const double *b)
{
    double from[3];
    cst_subtract3(a, b, from);
    return sqrt(cst_dot3(from, from));
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

static cst_fiber_def ring_definition(int elements)
{
    cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, elements);
    def.natural_curvature[1] = 2.0 * PI / def.length;
    def.closed = true;
    return def;
}

/* A ring, its nodes out of place. */
static cst_body_model bent_rod(int which)
{
    cst_fiber_def def = ring_definition(9);
    def.radius = which < 6 ? 0.005 : 0.5; /* so thick that bends are hardly off the chord: it fades */
    cst_body_model body = fiber_create(&def);
    disturb(nodal_of(&body), which % 2 ? 0.15 : 0.05, 90u + (unsigned)which);
    return body;
}

enum { RODS = 12 };

/* By R phi^4 / 43 between nodes, phi the angle of an edge, where edges are off by R phi^2 / 8. */
static void ring_is_round(void **state)
{
    (void)state;
    double before = 0.0;
    for (int n = 8; n <= 64; n *= 2) {
        const cst_fiber_def def = ring_definition(n);
        cst_body_model body = fiber_create(&def);
        const cst_nodal_rod *rod = nodal_of(&body);
        double centre[3] = {0.0, 0.0, 0.0}, worst = 0.0, R = 0.0;
        for (int i = 0; i < n; ++i)
            cst_add3(1.0 / n, rod->now.q + i * rod->stride, centre);
        R = distance(rod->now.q, centre);
        for (int k = 0; k < 10 * n; ++k) {
            cst_material_point at;
            double x[3];
            assert_true(body.class->places->locate(body.self, &(cst_place){.s = (k + 0.5) * def.length / (10 * n)}, &at));
            body.class->places->position(body.self, &at, x);
            worst = largest(worst, fabs(distance(x, centre) / R - 1.0));
        }
        print_message("%d nodes: off a circle by %.2g R, edges by %.2g R\n", n, worst, 1.0 - cos(PI / n));
        assert_true(worst < pow(2.0 * PI / n, 4) / 40.0);
        assert_true(n == 8 || worst < before / 12.0);
        before = worst;
        rod_destroy(&body);
    }
}

/* Point and derivative by arc length, where the rod is now. */
static void curve_at(const cst_body_model *body, int feature, double s, double *x, double *tangent)
{
    body->class->surface->curve(body->self, feature, s, x, tangent);
}

static double length_of(const cst_body_model *body, int feature)
{
    cst_curve_piece piece;
    body->class->surface->piece(body->self, feature, &piece);
    return piece.length;
}

static void curves_join_at_nodes(void **state)
{
    (void)state;
    int bent = 0;
    for (int which = 0; which < RODS; ++which) {
        cst_body_model body = bent_rod(which);
        const cst_nodal_rod *rod = nodal_of(&body);
        for (int i = 0; i < rod->joints; ++i) {
            const int next = cst_nodal_next(rod, i);
            double x[2][3], t[2][3];
            curve_at(&body, i, length_of(&body, i), x[0], t[0]);
            curve_at(&body, next, 0.0, x[1], t[1]);
            assert_true(distance(x[0], rod->now.q + cst_nodal_node(rod, i + 1)) < 1e-14);
            assert_true(distance(x[1], x[0]) < 1e-14);
            if (rod->now.bend[i].share == 1.0 && rod->now.bend[next].share == 1.0) {
                assert_true(distance(t[0], t[1]) < 1e-13);
                bent++;
            }
        }
        rod_destroy(&body);
    }
    print_message("%d nodes between two curves\n", bent);
    assert_true(bent >= 20);
}

/* What the detector is told: a tangent that is the derivative, a bend that is nowhere larger. */
static void bends_are_bounded(void **state)
{
    (void)state;
    enum { SAMPLES = 40 };
    int fading = 0;
    for (int which = 0; which < RODS; ++which) {
        cst_body_model body = bent_rod(which);
        const cst_nodal_rod *rod = nodal_of(&body);
        for (int i = 0; i < rod->edges; ++i) {
            const double l = length_of(&body, i), h = 1e-4 * l;
            cst_curve_piece piece;
            body.class->surface->piece(body.self, i, &piece);
            fading += rod->now.bend[i].share > 0.0 && rod->now.bend[i].share < 1.0;
            for (int k = 0; k < SAMPLES && piece.curvature > 0.0; ++k) {
                const double s = h + (l - 2.0 * h) * k / (SAMPLES - 1);
                double x[3][3], t[3], d[3], dd[3], across[3];
                for (int side = 0; side < 3; ++side)
                    curve_at(&body, i, s + (side - 1) * h, x[side], t);
                curve_at(&body, i, s, x[1], t);
                for (int c = 0; c < 3; ++c) {
                    d[c] = (x[2][c] - x[0][c]) / (2.0 * h);
                    dd[c] = (x[2][c] - 2.0 * x[1][c] + x[0][c]) / (h * h);
                }
                assert_true(distance(d, t) < 1e-6);
                cst_cross3(d, dd, across);
                const double bend = sqrt(cst_dot3(across, across)) / pow(cst_dot3(d, d), 1.5);
                assert_true(bend <= piece.curvature * (1.0 + 1e-6) + 1e-5);
            }
        }
        rod_destroy(&body);
    }
    assert_true(fading > 3);
}

/* A limp ring that is struck: its edges are pressed together here and stretched there. Nowhere is a curve round a corner, or one that turns back; what the
 * detector is told of its bend holds; a point moves with its nodes as its weights say. */
static void edges_of_any_length(void **state)
{
    (void)state;
    enum { RINGS = 200, SAMPLES = 20, EDGES = 9 };
    int corners = 0, fading = 0, stretched = 0;
    for (int which = 0; which < RINGS; ++which) {
        const cst_fiber_def def = ring_definition(EDGES);
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        disturb(rod, 0.2 + 0.7 * which / RINGS, 500u + (unsigned)which);
        for (int i = 0; i < EDGES; ++i) {
            const double *x[4];
            double edge[3][3], square[3];
            for (int k = 0; k < 4; ++k)
                x[k] = rod->now.q + (i - 1 + k + EDGES) % EDGES * rod->stride;
            for (int k = 0; k < 3; ++k) {
                cst_subtract3(x[k + 1], x[k], edge[k]);
                square[k] = cst_dot3(edge[k], edge[k]);
            }
            const double share = rod->now.bend[i].share;
            if (cst_dot3(edge[0], edge[1]) <= 0.0 || cst_dot3(edge[1], edge[2]) <= 0.0) {
                assert_true(share == 0.0);
                corners++;
            }
            if (share == 0.0)
                continue;
            fading += share < 1.0;
            stretched += square[1] > 6.0 * square[0] || square[1] * 6.0 < square[0];
            const double most = cst_nodal_most_bent(rod, &rod->now, i);
            for (int k = 0; k < SAMPLES; ++k) {
                const cst_material_point at = {.feature = i, .s = rod->edge_length * k / (SAMPLES - 1)};
                double place[3], t[3], dd[3], across[3], bent[3], moved[2][3];
                cst_nodal_curve_at(rod, &rod->now, &at, place, t, dd);
                assert_true(cst_dot3(t, edge[1]) * rod->edge_length > 0.5 * square[1]);
                cst_cross3(t, dd, across);
                const double bend = sqrt(cst_dot3(across, across)) / pow(cst_dot3(t, t), 1.5);
                assert_true(bend <= most * (1.0 + 1e-12));
                assert_true(sqrt(cst_dot3(dd, dd)) <= most * (1.0 + 1e-12)); /* turn and sag per length of s */
                cst_nodal_weights weights;
                cst_nodal_find_weights(rod, &rod->now, &at, &weights);
                const double h = 1e-6 * rod->edge_length;
                double *node = rod->now.q + (i + 2) % EDGES * rod->stride + k % 3;
                for (int side = 0; side < 2; ++side) {
                    const double was = *node;
                    *node += side ? h : -h;
                    cst_nodal_find_bends(rod, &rod->now);
                    cst_nodal_curve_at(rod, &rod->now, &at, moved[side], NULL, NULL);
                    *node = was;
                }
                cst_nodal_find_bends(rod, &rod->now);
                for (int c = 0; c < 3; ++c) {
                    bent[c] = (c == k % 3 ? weights.weight[3] : 0.0) - weights.off[c] * weights.fades[3][k % 3];
                    bent[c] -= (moved[1][c] - moved[0][c]) / (2.0 * h);
                }
                assert_true(sqrt(cst_dot3(bent, bent)) < 1e-5);
            }
        }
        rod_destroy(&body);
    }
    print_message("%d edges at corners; %d curves fade, %d beside an edge of another length\n", corners, fading, stretched);
    assert_true(corners > 100 && fading > 100 && stretched > 10);
}

/* Where pieces go in a step, and how much their tangents turn, is no more than what the check for strands is told. */
static void moves_are_bounded(void **state)
{
    (void)state;
    enum { SAMPLES = 9, EDGES = 9 };
    for (int which = 0; which < RODS; ++which) {
        cst_body_model body = bent_rod(which);
        cst_nodal_rod *rod = nodal_of(&body);
        const cst_step_frame frame = space_frame(1e-2, 1.0, 0.0);
        double x[EDGES][SAMPLES][3], t[EDGES][SAMPLES][3], v[CST_NODAL_STRIDE * (EDGES + 1)];
        assert_int_equal(rod->edges, EDGES);
        assert_true(body.class->dynamics->place(body.self, &frame, NULL));
        for (int i = 0; i < EDGES; ++i)
            for (int k = 0; k < SAMPLES; ++k)
                curve_at(&body, i, length_of(&body, i) * k / (SAMPLES - 1), x[i][k], t[i][k]);
        for (int k = 0; k < rod->total - rod->held; ++k)
            v[k] = 2.0 * cos(1.0 + 7.0 * k);
        cst_piece_move move[EDGES];
        cst_piece_way way[EDGES];
        body.class->surface->piece_ways(body.self, &frame, v, way);
        assert_true(body.class->dynamics->place(body.self, &frame, v));
        body.class->surface->moved(body.self, move);
        for (int i = 0; i < EDGES; ++i)
            for (int k = 0; k < SAMPLES; ++k) {
                const double part = (double)k / (SAMPLES - 1), straight = rod->now.bend[i].share == rod->placed.bend[i].share;
                double y[3], direction[3], went[3], expected[3], foreseen[3];
                curve_at(&body, i, length_of(&body, i) * part, y, direction);
                cst_subtract3(y, x[i][k], went);
                for (int c = 0; c < 3; ++c) {
                    expected[c] = (1.0 - part) * move[i].went.way[0][c] + part * move[i].went.way[1][c];
                    foreseen[c] = (1.0 - part) * way[i].way[0][c] + part * way[i].way[1][c];
                }
                assert_true(distance(went, expected) <= move[i].went.spread + 1e-13);
                assert_true(!straight || distance(went, foreseen) <= way[i].spread + 1e-13);
                if (rod->now.bend[i].share > 0.0 && rod->placed.bend[i].share > 0.0) /* of chords the tangent is a unit vector */
                    assert_true(distance(direction, t[i][k]) <= move[i].turned + 1e-12);
            }
        rod_destroy(&body);
    }
}

/* Rods that are straight by nature keep straight edges, which are cheap, however they are bent. A clamp does not move. */
static void straight_rods_stay_straight(void **state)
{
    (void)state;
    cst_fiber_def def = fiber_definition(CST_FIBER_CORDE, 9);
    cst_body_model body = fiber_create(&def);
    disturb(nodal_of(&body), 0.3, 5u);
    for (int i = 0; i < 9; ++i) {
        cst_curve_piece piece;
        cst_point_motion motion;
        int32_t dof[CST_NODAL_POINT_DOFS];
        double j[3 * CST_NODAL_POINT_DOFS], turn[3 * CST_NODAL_POINT_DOFS];
        body.class->surface->piece(body.self, i, &piece);
        assert_true(piece.curvature == 0.0);
        motion = (cst_point_motion){.dof = dof, .j = j, .j_turn = turn};
        body.class->places->point(body.self, &(cst_material_point){.feature = i, .s = 0.3 * piece.length}, &motion);
        assert_int_equal(motion.dofs, nodal_of(&body)->stride + 3);
    }
    rod_destroy(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_is_round),     cmocka_unit_test(curves_join_at_nodes),
        cmocka_unit_test(bends_are_bounded), cmocka_unit_test(edges_of_any_length),
        cmocka_unit_test(moves_are_bounded), cmocka_unit_test(straight_rods_stay_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
