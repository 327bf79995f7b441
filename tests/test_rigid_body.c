/* Planar rigid bodies: inertia in closed form, motion, the budget of the theta scheme, shapes, states, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid/polygon.h"
#include "rigid/rigid_body.h"
#include "tests/failing_allocator.h"

static const double PI = 3.141592653589793;

static cst_rigid_def disk(void)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.radius = 0.2;
    def.mass = 1.7;
    def.position[0] = 0.4;
    def.position[1] = -0.3;
    def.angle = 0.6;
    def.velocity[0] = 1.1;
    def.velocity[1] = 0.7;
    def.angular_velocity = -2.3;
    return def;
}

static const double HOUSE[10] = {0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.8, 0.0, 1.0};

static cst_rigid_def house(void)
{
    cst_rigid_def def = disk();
    def.shape = CST_RIGID_POLYGON;
    def.radius = 0.05;
    def.corner = HOUSE;
    def.corners = 5;
    return def;
}

static cst_body_model made(const cst_rigid_def *def)
{
    cst_body_model body;
    char message[256] = "";
    if (!cst_rigid_create(def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return body;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, not %.17g", found, expected);
}

/* The inertia that the body has: kinetic energy of a unit turn. */
static double inertia_of(cst_rigid_def def)
{
    def.velocity[0] = def.velocity[1] = 0.0;
    def.angular_velocity = 1.0;
    cst_body_model body = made(&def);
    cst_body_energy energy;
    body.class->dynamics->energy(body.self, (const double[3]){0}, &energy);
    body.class->destroy(body.self);
    return 2.0 * energy.kinetic;
}

static void inertia_is_that_of_homogeneous_shapes(void **state)
{
    (void)state;
    cst_rigid_def def = disk();
    assert_near(inertia_of(def), 0.5 * 1.7 * 0.2 * 0.2, 1e-16);
    def.inertia = 0.9;
    assert_near(inertia_of(def), 0.9, 1e-15);

    /* A rectangle far from the origin of its frame: m (a^2 + b^2) / 12. */
    const double box[8] = {1e4, 5.0, 1e4 + 3.0, 5.0, 1e4 + 3.0, 5.5, 1e4, 5.5};
    def = house();
    def.corner = box;
    def.corners = 4;
    assert_near(inertia_of(def), 1.7 * (9.0 + 0.25) / 12.0, 1e-12);

    /* A regular polygon of circumradius R: m R^2 / 6 (2 + cos(2 pi / n)). */
    double regular[14];
    for (int i = 0; i < 7; i++) {
        regular[2 * i] = 0.8 * cos(2.0 * PI * i / 7.0) - 3.0;
        regular[2 * i + 1] = 0.8 * sin(2.0 * PI * i / 7.0) + 1.0;
    }
    def.corner = regular;
    def.corners = 7;
    assert_near(inertia_of(def), 1.7 * 0.64 / 6.0 * (2.0 + cos(2.0 * PI / 7.0)), 1e-14);

    /* An L of two rectangles, by the parallel axis theorem: not convex. */
    const double corner_piece[12] = {0.0, 0.0, 3.0, 0.0, 3.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, 4.0};
    def.corner = corner_piece;
    def.corners = 6;
    const double area[2] = {3.0, 3.0}, cx[2] = {1.5, 0.5}, cy[2] = {0.5, 2.5};
    double x = 0.0, y = 0.0, sum = 0.0;
    for (int i = 0; i < 2; i++) {
        x += area[i] * cx[i] / 6.0;
        y += area[i] * cy[i] / 6.0;
    }
    for (int i = 0; i < 2; i++)
        sum += area[i] * ((9.0 + 1.0) / 12.0 + (cx[i] - x) * (cx[i] - x) + (cy[i] - y) * (cy[i] - y));
    assert_near(inertia_of(def), 1.7 * sum / 6.0, 1e-14);
    const cst_polygon_measure measure = cst_polygon_measure_of(corner_piece, 6);
    assert_near(measure.area, 6.0, 1e-15);
    assert_near(measure.centroid[0], x, 1e-15);
    assert_near(measure.centroid[1], y, 1e-15);
}

static void step(const cst_body_model *body, const cst_step_frame *frame, double *v)
{
    char message[256];
    assert_true(body->class->dynamics->place(body->self, frame, NULL));
    assert_true(body->class->dynamics->assemble(body->self, frame, NULL, message, sizeof message));
    memcpy(v, body->class->dynamics->rhs(body->self), sizeof(double[3]));
    assert_true(body->class->dynamics->solve(body->self, v));
    body->class->dynamics->finish(body->self, frame, v);
}

/* The midpoint rule is exact for a parabola. */
static void flight_is_a_parabola(void **state)
{
    (void)state;
    const cst_rigid_def def = house();
    cst_body_model body = made(&def);
    const cst_step_frame frame = {.dim = 2, .dt = 0.01, .theta = 0.5, .gravity = {0.3, -9.81, 0.0}};
    double v[3], q[6];
    for (int i = 0; i < 100; i++)
        step(&body, &frame, v);
    body.class->state->save(body.self, q);
    assert_near(q[0], 0.4 + 1.1 + 0.5 * 0.3, 1e-12);
    assert_near(q[1], -0.3 + 0.7 - 0.5 * 9.81, 1e-12);
    assert_near(q[2], 0.6 - 2.3, 1e-12);
    assert_near(q[4], 0.7 - 9.81, 1e-12);
    body.class->destroy(body.self);
}

/* Linear drag: v = v_end + (v0 - v_end) e^(-c t / m), at second order for theta = 1/2 and first for 1. */
static double drag_error(double theta, int steps)
{
    cst_rigid_def def = disk();
    def.drag = 3.0;
    def.angular_drag = 0.2;
    cst_body_model body = made(&def);
    const cst_step_frame frame = {.dim = 2, .dt = 1.0 / steps, .theta = theta, .gravity = {0.0, -9.81, 0.0}};
    double v[3];
    for (int i = 0; i < steps; i++)
        step(&body, &frame, v);
    body.class->destroy(body.self);
    const double end = -1.7 * 9.81 / 3.0, inertia = 0.5 * 1.7 * 0.04;
    return fmax(fabs(v[1] - (end + (0.7 - end) * exp(-3.0 / 1.7))), fabs(v[2] + 2.3 * exp(-0.2 / inertia)));
}

static void drag_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    assert_near(drag_error(0.5, 200) / drag_error(0.5, 400), 4.0, 0.1);
    assert_near(drag_error(1.0, 200) / drag_error(1.0, 400), 2.0, 0.1);
}

/* kinetic + gravity changes by exactly what the works say, whatever theta, also if velocities are forgotten. */
static void budget_closes(void **state)
{
    (void)state;
    for (int which = 0; which < 6; which++) {
        cst_rigid_def def = house();
        def.drag = 2.0;
        def.angular_drag = 0.3;
        cst_body_model body = made(&def);
        const cst_step_frame frame = {
            .dim = 2, .dt = 0.02, .theta = 0.5 + 0.25 * (which % 3), .gravity = {1.0, -9.81, 0.0}, .quasi_static = which >= 3};
        double v[3];
        for (int i = 0; i < 20; i++) {
            cst_body_energy before, after;
            cst_body_work work;
            body.class->dynamics->energy(body.self, frame.gravity, &before);
            step(&body, &frame, v);
            body.class->dynamics->energy(body.self, frame.gravity, &after);
            body.class->dynamics->work(body.self, &work);
            const double change = after.kinetic + after.gravity - before.kinetic - before.gravity;
            assert_near(change, work.drag + work.scheme + work.forgotten, 1e-13 * (before.kinetic + fabs(before.gravity)));
            assert_true(work.drag < 0.0);
            assert_true(frame.theta == 0.5 ? work.scheme == 0.0 : work.scheme < 0.0);
        }
        body.class->destroy(body.self);
    }
}

/* J against differences of where `place` takes a point, and `velocity` against J v. */
static void points_move_as_their_jacobian_says(void **state)
{
    (void)state;
    const cst_rigid_def def = house();
    cst_body_model body = made(&def);
    const cst_step_frame frame = {.dim = 2, .dt = 1.0, .theta = 1.0};
    int32_t dof[3];
    double j[6], j_turn[3], j_after[6], j_turn_after[3];
    cst_point_motion at = {.dof = dof, .j = j, .j_turn = j_turn}, moved = {.dof = dof, .j = j_after, .j_turn = j_turn_after};
    cst_material_point point;
    assert_true(body.class->places->locate(body.self, &(cst_place){.body = 1, .point = {0.3, -0.7, 0.0}}, &point));
    body.class->dynamics->place(body.self, &frame, NULL);
    body.class->places->point(body.self, &point, &at);
    assert_near(at.position[0], 0.4 + 0.3 * cos(0.6) + 0.7 * sin(0.6), 1e-15);
    assert_near(at.position[1], -0.3 + 0.3 * sin(0.6) - 0.7 * cos(0.6), 1e-15);
    for (int k = 0; k < 3; k++) {
        double v[3] = {0};
        v[k] = 1e-6;
        assert_true(body.class->dynamics->place(body.self, &frame, v));
        body.class->places->point(body.self, &point, &moved);
        assert_near((moved.position[0] - at.position[0]) / 1e-6, j[k], 1e-6);
        assert_near((moved.position[1] - at.position[1]) / 1e-6, j[3 + k], 1e-6);
        assert_near((moved.frame_angle - at.frame_angle) / 1e-6, j_turn[k], 1e-9);
    }
    double v[3], velocity[3], turn[3];
    body.class->dynamics->velocities(body.self, v);
    body.class->places->velocity(body.self, &point, velocity, turn);
    for (int i = 0; i < 2; i++)
        assert_near(velocity[i], j[3 * i] * v[0] + j[3 * i + 1] * v[1] + j[3 * i + 2] * v[2], 1e-14);
    assert_near(turn[2], -2.3, 0.0);
    assert_near(
        body.class->dynamics->motion(body.self, &(cst_step_frame){.dt = 0.1, .theta = 1.0}, (const double[3]){3.0, 4.0, 0.0}),
        0.5, 1e-15);
    body.class->destroy(body.self);
}

/* Edges in order, each beginning where the last ended, with the matter on the right. */
static void shapes_go_round(void **state)
{
    (void)state;
    const cst_rigid_def def = house();
    cst_body_model body = made(&def);
    assert_int_equal(body.class->surface->arcs(body.self), 5);
    cst_arc first, arc, next;
    double position[15], radius[5], curvature[5];
    const cst_drawing drawing = body.class->look->draw(body.self, 1, position, radius, curvature);
    assert_int_equal(drawing.as, CST_DRAWN_OUTLINE);
    assert_int_equal(drawing.vertices, 5);
    assert_int_equal(body.class->look->draw(body.self, 1, NULL, NULL, NULL).vertices, 5);
    body.class->surface->arc(body.self, 0, &first);
    for (int i = 0; i < 5; i++) {
        body.class->surface->arc(body.self, i, &arc);
        body.class->surface->arc(body.self, (i + 1) % 5, &next);
        assert_near(arc.x[0] + arc.l * cos(arc.angle), next.x[0], 1e-14);
        assert_near(arc.x[1] + arc.l * sin(arc.angle), next.x[1], 1e-14);
        assert_near(i < 4 ? next.s : arc.owner_length, arc.s + arc.l, 1e-14);
        assert_true(arc.solid && arc.owner_closed && arc.k == 0.0 && arc.radius == 0.05 && arc.feature == i);
        /* The centre is on the right of every edge of a convex polygon. */
        assert_true(cos(arc.angle) * (def.position[1] - arc.x[1]) - sin(arc.angle) * (def.position[0] - arc.x[0]) < 0.0);
        assert_near(position[3 * i], arc.x[0], 1e-15);
        assert_near(position[3 * i + 1], arc.x[1], 1e-15);
        assert_near(radius[i], 0.05, 0.0);
    }
    /* The same polygon seen by its corners: the house turned by 0.6 about its centroid. */
    const cst_polygon_measure measure = cst_polygon_measure_of(HOUSE, 5);
    const double x = HOUSE[8] - measure.centroid[0], y = HOUSE[9] - measure.centroid[1];
    assert_near(first.x[0], 0.4 + x * cos(0.6) - y * sin(0.6), 1e-14);
    assert_near(first.x[1], -0.3 + x * sin(0.6) + y * cos(0.6), 1e-14);
    body.class->destroy(body.self);

    cst_rigid_def round = disk();
    body = made(&round);
    assert_int_equal(body.class->surface->arcs(body.self), 1);
    body.class->surface->arc(body.self, 0, &arc);
    assert_true(arc.l == 0.0 && arc.radius == 0.2 && arc.x[0] == 0.4 && !arc.solid && !arc.hollow);
    assert_int_equal(body.class->look->draw(body.self, 1, position, NULL, NULL).as, CST_DRAWN_DISK);
    assert_near(hypot(position[3] - 0.4, position[4] + 0.3), 0.2, 1e-15);
    body.class->destroy(body.self);

    round.collides = false;
    body = made(&round);
    assert_int_equal(body.class->surface->arcs(body.self), 0);
    body.class->destroy(body.self);
}

static void state_continues_with_the_same_bits(void **state)
{
    (void)state;
    const cst_rigid_def def = house();
    cst_body_model one = made(&def), other = made(&def);
    const cst_step_frame frame = {.dim = 2, .dt = 0.013, .theta = 0.7, .gravity = {0.1, -9.81, 0.0}};
    double v[3], saved[6], a[6], b[6];
    for (int i = 0; i < 7; i++)
        step(&one, &frame, v);
    assert_int_equal(one.class->state->size(one.self), 6);
    one.class->state->save(one.self, saved);
    other.class->state->load(other.self, saved);
    for (int i = 0; i < 7; i++) {
        step(&one, &frame, v);
        step(&other, &frame, v);
    }
    one.class->state->save(one.self, a);
    other.class->state->save(other.self, b);
    assert_memory_equal(a, b, sizeof a);
    one.class->destroy(one.self);
    other.class->destroy(other.self);
}

static void refused(cst_rigid_def def, const char *expected)
{
    cst_body_model body;
    char message[256] = "";
    if (cst_rigid_create(&def, NULL, &body, message, sizeof message))
        fail_msg("accepted, not refused with: %s", expected);
    if (!strstr(message, expected))
        fail_msg("\"%s\" does not say \"%s\"", message, expected);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    cst_rigid_def def = disk();
    def.radius = 0.0;
    refused(def, "radius must be positive");
    def = disk();
    def.mass = 0.0;
    refused(def, "mass must be positive");
    def = disk();
    def.inertia = -2.0;
    refused(def, "inertia must be positive");
    def = disk();
    def.drag = -1.0;
    refused(def, "drag must be 0 or more");
    def = disk();
    def.velocity[1] = NAN;
    refused(def, "not finite");
    def = disk();
    def.shape = (cst_rigid_shape)9;
    refused(def, "no such shape");
    def = house();
    def.corners = 2;
    refused(def, "at least 3 corners");
    def = house();
    def.corner = NULL;
    refused(def, "at least 3 corners");
    def = house();
    def.corner = (const double[8]){0, 0, 0, 1, 1, 1, 1, 0};
    def.corners = 4;
    refused(def, "counter-clockwise");
    def.corner = (const double[8]){0, 0, 1, 1, 1, 0, 0, 1};
    refused(def, "edges 0 and 2 meet");
    def.corner = (const double[8]){0, 0, 2, 0, 1, 0, 1, 1}; /* folds back on itself */
    refused(def, "edges 0 and 1 meet");
    def.corner = (const double[8]){0, 0, 1, 0, 1, 0, 0, 1}; /* an edge of no length */
    refused(def, "meet");
    def.corner = (const double[8]){0, 0, 1, 0, INFINITY, 0, 0, 1};
    refused(def, "not finite");
    def = house();
    def.radius = -0.1;
    refused(def, "0 or more");
}

static void lack_of_memory_is_said(void **state)
{
    (void)state;
    int left = 0;
    const cst_allocator allocator = fixture_failing_allocator(&left);
    const cst_rigid_def def = house();
    cst_body_model body;
    char message[256] = "";
    assert_false(cst_rigid_create(&def, &allocator, &body, message, sizeof message));
    assert_non_null(strstr(message, "out of memory"));
    left = 100;
    assert_true(cst_rigid_create(&def, &allocator, &body, message, sizeof message));
    body.class->destroy(body.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_is_that_of_homogeneous_shapes),
        cmocka_unit_test(flight_is_a_parabola),
        cmocka_unit_test(drag_has_the_order_of_the_scheme),
        cmocka_unit_test(budget_closes),
        cmocka_unit_test(points_move_as_their_jacobian_says),
        cmocka_unit_test(shapes_go_round),
        cmocka_unit_test(state_continues_with_the_same_bits),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(lack_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
