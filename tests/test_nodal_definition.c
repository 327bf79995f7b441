/* Nodal rods as defined: what is refused and why, shapes through points, arc lengths and centreline. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector3.h"
#include "tests/failing_allocator.h"
#include "tests/nodal_fixture.h"

static const cst_fiber_model models[3] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_SPRINGS, CST_FIBER_CORDE};

static void refused(const cst_fiber_def *def, const char *says)
{
    char message[256] = "";
    cst_body_model body;
    assert_false(fiber_try(def, NULL, &body, message, sizeof message));
    assert_null(body.self);
    if (!strstr(message, says))
        fail_msg("\"%s\" does not say \"%s\"", message, says);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const double values[3 * 9] = {0.0, 0.0, 0.0, NAN};
    double points[3 * 9] = {0.0};
    for (int i = 0; i < 9; ++i)
        points[3 * i] = i / 8.0 + (i == 4 ? 0.03 : 0.0);
    for (int m = 0; m < 3; ++m) {
        const cst_fiber_def good = fiber_definition(models[m], 8);
        cst_fiber_def def = good;
        def.elements = 1;
        refused(&def, "elements must be from 2");
        def = good;
        def.length = 0.0;
        refused(&def, "length must be positive");
        def = good;
        def.mass_per_length = -1.0;
        refused(&def, "mass_per_length must be positive");
        def = good;
        def.bending_stiffness[0] = def.bending_stiffness[1] = INFINITY;
        refused(&def, "bending_stiffness");
        def = good;
        def.viscosity = -1.0;
        refused(&def, "viscosity must be zero or more");
        def = good;
        def.frame[0] = 1.1;
        refused(&def, "frame");
        def = good;
        def.frame[8] = -1.0;
        refused(&def, "t x d1 = d2");
        def = good;
        def.curvature = values;
        refused(&def, "curvature of element 1 must be finite");
        def = good;
        def.point = points;
        refused(&def, "points must be equally far apart");
        def.curvature = points;
        refused(&def, "give either curvature or point, not both");
        def = good;
        def.closed = true;
        refused(&def, "leaves a gap of 1 m");
        def.clamped = true;
        refused(&def, "closed fiber has no start");
        def = good;
        def.clamped = true;
        def.velocity[1] = 1.0;
        refused(&def, "velocity");
        def = good;
        def.root_motion = (cst_motion){.key = &(cst_key){.time = 0.0}, .keys = 1};
        refused(&def, "the start is free");
    }
    cst_fiber_def def = fiber_definition(CST_FIBER_SPRINGS, 8);
    def.bending_stiffness[1] *= 2.0;
    refused(&def, "alike in all directions");
    def = fiber_definition(CST_FIBER_DISCRETE_ROD, 8);
    def.twisting_stiffness = 0.0;
    refused(&def, "twisting_stiffness must be positive");
}

/* A trefoil, closed: the rod goes through its points, is not stretched and, with no twist of its own, has no energy but of bending. */
static void closed_knots_go_through_their_points(void **state)
{
    (void)state;
    enum { EDGES = 120 };
    double point[3 * (EDGES + 1)], length = 0.0;
    /* Equally far apart: by stepping through the parameter with the speed of the curve. */
    double along[4001];
    const double turn = 2.0 * acos(-1.0);
    for (int pass = 0; pass < 2; ++pass) {
        double before[3] = {0}, sum = 0.0;
        int next = 0;
        for (int k = 0; k <= 4000; ++k) {
            const double s = turn * k / 4000.0;
            const double x[3] = {sin(s) + 2.0 * sin(2.0 * s), cos(s) - 2.0 * cos(2.0 * s), -sin(3.0 * s)};
            double step[3];
            cst_subtract3(x, before, step);
            sum += k > 0 ? sqrt(cst_dot3(step, step)) : 0.0;
            along[k] = sum;
            memcpy(before, x, sizeof x);
            if (pass == 1 && next <= EDGES && (sum >= length * next / EDGES - 1e-12 || k == 4000)) {
                memcpy(point + 3 * next, x, sizeof x);
                ++next;
            }
        }
        length = along[4000];
    }
    memcpy(point + 3 * EDGES, point, 3 * sizeof *point);
    cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, EDGES);
    def.length = length;
    def.point = point;
    def.closed = true;
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);
    double x[3], strain[3], twist = 0.0, bend = 0.0;
    for (int i = 0; i < EDGES; ++i) {
        body.class->surface->curve(body.self, i, 0.0, x, NULL);
        assert_memory_equal(x, point + 3 * i, sizeof x);
        rod->model->joint.find(rod, &rod->now, i, strain, NULL);
        twist = fmax(twist, fabs(strain[2]));
        bend = fmax(bend, hypot(strain[0], strain[1]));
    }
    assert_true(twist < 1e-12);
    assert_true(bend > 0.01);
    assert_true(cst_nodal_length_error(rod, &rod->now) < 1e-15);

    cst_step_frame frame = space_frame(1e-3, 1.0, 0.0);
    double p[3], L[3];
    for (int step = 0; step < 50; ++step)
        rod_step(&body, &frame, 1, NULL);
    fiber_momentum(rod, p, L);
    assert_true(sqrt(cst_dot3(p, p)) < 1e-12);
    assert_true(cst_nodal_length_error(rod, &rod->now) < 1e-4);
    rod_destroy(&body);
}

/* Clamped on an arc given by points: the clamp is at the first point, the end at the last one. */
static void clamped_rods_go_through_their_points(void **state)
{
    (void)state;
    double off[2];
    for (int k = 0; k < 2; ++k) {
        const int n = 12 << k;
        double point[3 * 25], x[3];
        for (int i = 0; i <= n; ++i) {
            const double s = 1.5 * i / n;
            point[3 * i] = sin(s) / 1.5;
            point[3 * i + 1] = (1.0 - cos(s)) / 1.5;
            point[3 * i + 2] = 0.1;
        }
        cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, n);
        def.point = point;
        def.clamped = true;
        cst_body_model body = fiber_create(&def);
        const cst_nodal_rod *rod = nodal_of(&body);
        body.class->places->position(body.self, &(cst_material_point){0}, x);
        assert_true(fabs(x[0]) < 1e-14 && fabs(x[1]) < 1e-14 && fabs(x[2] - 0.1) < 1e-14);
        fiber_tip(&body, x);
        assert_memory_equal(x, point + 3 * n, sizeof x);
        off[k] = 0.0; /* nodes from the circle */
        for (int i = 1; i <= n; ++i) {
            const double *q = rod->now.q + cst_nodal_node(rod, i);
            off[k] = fmax(off[k], fabs(hypot(q[0], q[1] - 1.0 / 1.5) - 1.0 / 1.5));
        }
        rod_destroy(&body);
    }
    assert_true(off[0] < 1e-3);
    assert_true(off[1] < 0.2 * off[0]);
}

static void places_along_the_rod(void **state)
{
    (void)state;
    for (int clamped = 0; clamped < 2; ++clamped) {
        cst_fiber_def def = fiber_definition(CST_FIBER_SPRINGS, 5);
        const double radius[5] = {1e-3, 2e-3, 3e-3, 4e-3, 5e-3};
        def.element_radius = radius;
        def.clamped = clamped;
        cst_body_model body = fiber_create(&def);
        double covered = 0.0, mass = 0.0, x[3], t[3];
        for (int i = 0; i < body.class->surface->pieces(body.self); ++i) {
            cst_curve_piece piece;
            body.class->surface->piece(body.self, i, &piece);
            assert_true(fabs(piece.s - covered) < 1e-14);
            assert_true(piece.radius == radius[i] && piece.curvature == 0.0 && piece.owner_length == def.length);
            body.class->surface->curve(body.self, i, piece.length, x, t);
            covered += piece.length;
            assert_true(fabs(x[0] - covered) < 1e-14 && t[0] == 1.0);
        }
        assert_true(fabs(covered - def.length) < 1e-14);
        for (int k = 0; k <= 40; ++k) {
            const double s = k / 40.0;
            cst_material_point at;
            assert_true(body.class->places->locate(body.self, &(cst_place){.s = s}, &at));
            body.class->places->position(body.self, &at, x);
            assert_true(fabs(x[0] - s) < 1e-14);
        }
        cst_material_point at;
        assert_false(body.class->places->locate(body.self, &(cst_place){.s = -1e-9}, &at));
        assert_false(body.class->places->locate(body.self, &(cst_place){.s = 1.0 + 1e-9}, &at));
        const cst_nodal_rod *rod = nodal_of(&body);
        for (int i = 0; i < rod->nodes; ++i)
            mass += rod->mass[i * rod->stride];
        assert_true(fabs(mass - def.length * def.mass_per_length) < 1e-16);

        double position[3 * 16], width[16], curvature[16];
        const cst_drawing drawing = body.class->look->draw(body.self, 3, position, width, curvature);
        assert_int_equal(drawing.vertices, 16);
        assert_true(fabs(position[0]) < 1e-15 && fabs(position[45] - 1.0) < 1e-15 && width[15] == 5e-3 && curvature[7] == 0.0);
        rod_destroy(&body);
    }
}

static void scarce_memory_is_told(void **state)
{
    (void)state;
    for (int m = 0; m < 4; ++m) { /* the last one: explicit */
        cst_fiber_def def = fiber_definition(models[m < 3 ? m : 2], 200);
        def.explicit_step = m == 3;
        def.natural_curvature[1] = 1.0;
        bool built = false;
        int takes = 0;
        for (; !built && takes < 1000; ++takes) {
            int left = takes;
            const cst_allocator allocator = fixture_failing_allocator(&left);
            cst_body_model body;
            char message[256] = "";
            built = fiber_try(&def, &allocator, &body, message, sizeof message);
            if (built)
                body.class->destroy(body.self);
            else
                assert_non_null(strstr(message, "out of memory"));
        }
        assert_true(built && takes > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_makes_no_sense_is_refused),
                                       cmocka_unit_test(closed_knots_go_through_their_points),
                                       cmocka_unit_test(clamped_rods_go_through_their_points),
                                       cmocka_unit_test(places_along_the_rod), cmocka_unit_test(scarce_memory_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
