/* Rigid bodies in space: inertia in closed form, free tumbling, falling, the budget of the theta scheme, points, states, shapes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "rigid/rigid_space.h"
#include "rigid/solid_drawing.h"
#include "rigid/solid_measure.h"
#include "rigid_fixture.h"

static const double PI = 3.141592653589793;

static cst_rigid_def solid(cst_rigid_shape shape)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = shape;
    def.mass = 1.7;
    def.radius = shape == CST_RIGID_BOX || shape == CST_RIGID_MESH ? 0.0 : 0.2;
    memcpy(def.size, (const double[3]){0.3, 0.1, 0.5}, sizeof def.size);
    memcpy(def.position, (const double[3]){0.4, -0.3, 1.0}, sizeof def.position);
    cst_rotation_vector_exp((const double[3]){0.4, -0.8, 0.3}, def.frame);
    return def;
}

/* A box as a mesh, somewhere in its frame. */
static double box_vertex[3 * CST_BOX_VERTICES];
static int32_t box_triangle[3 * CST_BOX_TRIANGLES];

static cst_rigid_def mesh_box(void)
{
    cst_rigid_def def = solid(CST_RIGID_MESH);
    cst_box_vertices(def.size, box_vertex);
    cst_box_triangles(box_triangle);
    for (int i = 0; i < CST_BOX_VERTICES; i++)
        cst_add3(1.0, (const double[3]){10.0, -7.0, 3.0}, box_vertex + 3 * i);
    def.mesh = (cst_mesh){.vertex = box_vertex,
                          .triangle = box_triangle,
                          .vertices = CST_BOX_VERTICES,
                          .triangles = CST_BOX_TRIANGLES,
                          .closed = true};
    return def;
}

static double kinetic(const cst_body_model *body)
{
    cst_body_energy energy;
    body->class->dynamics->energy(body->self, (const double[3]){0}, &energy);
    return energy.kinetic;
}

enum { AT_R = 3, AT_V = 12, AT_L = 15, STATE = 18 };

static void state_of(const cst_body_model *body, double *state)
{
    assert_int_equal(body->class->state->size(body->self), STATE);
    body->class->state->save(body->self, state);
}

/* A step with the impulse (6) on the body; v+ into v. */
static void step_with(cst_body_model *body, const cst_step_frame *frame, const double *impulse, double *v)
{
    char message[256];
    assert_true(body->class->dynamics->place(body->self, frame, NULL));
    assert_true(body->class->dynamics->assemble(body->self, frame, NULL, message, sizeof message));
    for (int k = 0; k < 6; k++)
        v[k] = body->class->dynamics->rhs(body->self)[k] + (impulse ? impulse[k] : 0.0);
    assert_true(body->class->dynamics->solve(body->self, v));
    body->class->dynamics->finish(body->self, frame, v);
}

static cst_step_frame frame_of(double dt, double theta)
{
    return (cst_step_frame){.dim = 3, .dt = dt, .theta = theta};
}

/* --------------------------------------------------------------------------------------------------------------- inertia */

/* Inertia about an axis of the body: kinetic energy of a unit turn. */
static double inertia_about(cst_rigid_def def, const double *own_axis)
{
    cst_apply3(def.frame, own_axis, def.spin);
    cst_body_model body = made(&def);
    const double out = 2.0 * kinetic(&body);
    body.class->destroy(body.self);
    return out;
}

static void inertia_of_homogeneous_solids(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, m = 1.7;
    near(inertia_about(solid(CST_RIGID_SPHERE), x), 0.4 * m * 0.04, 1e-16);
    near(inertia_about(solid(CST_RIGID_BOX), x), m * (0.01 + 0.25) / 3.0, 1e-15);
    near(inertia_about(solid(CST_RIGID_BOX), y), m * (0.09 + 0.25) / 3.0, 1e-15);
    near(inertia_about(solid(CST_RIGID_BOX), z), m * (0.01 + 0.09) / 3.0, 1e-15);

    /* The capsule by slices: disks of radius rho(z) have rho^4 / 4 across and rho^4 / 2 along, times pi. */
    double volume = 0.0, across = 0.0, along = 0.0;
    const int slices = 200000;
    const double h = 0.3, r = 0.2, width = 2.0 * (h + r) / slices;
    for (int i = 0; i < slices; i++) {
        const double at = -h - r + width * (i + 0.5), beyond = fmax(fabs(at) - h, 0.0), rho2 = r * r - beyond * beyond;
        volume += width * PI * rho2;
        across += width * PI * (0.25 * rho2 * rho2 + rho2 * at * at);
        along += width * PI * 0.5 * rho2 * rho2;
    }
    near(inertia_about(solid(CST_RIGID_CAPSULE), x), m * across / volume, 1e-10);
    near(inertia_about(solid(CST_RIGID_CAPSULE), z), m * along / volume, 1e-10);
    near(cst_measure_capsule(r, h).volume, volume, 1e-10);

    cst_rigid_def given = solid(CST_RIGID_SPHERE);
    memcpy(given.inertia_matrix, (const double[9]){2.0, 0.1, 0.0, 0.1, 2.5, -0.2, 0.0, -0.2, 3.0}, sizeof given.inertia_matrix);
    near(inertia_about(given, (const double[3]){1, 1, 0}), 2.0 + 2.5 + 0.2, 1e-14);
}

static void inertia_of_meshes(void **state)
{
    (void)state;
    /* The corner of a cube: centroid 1/4, second moments about the corner V/10 on the diagonal and V/20 beside it. */
    const double corner[12] = {5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6};
    const int32_t sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const cst_mesh tetrahedron = {.vertex = corner, .triangle = sides, .vertices = 4, .triangles = 4, .closed = true};
    cst_solid_measure measure = cst_measure_mesh(&tetrahedron);
    near(measure.volume, 1.0 / 6.0, 1e-16);
    near3(measure.centre, (const double[3]){5.25, 5.25, 5.25}, 1e-15);
    const double square = 0.1 - 1.0 / 16.0, mixed = 0.05 - 1.0 / 16.0;
    for (int k = 0; k < 9; k++)
        near(measure.gyration[k], k % 4 == 0 ? 2.0 * square : -mixed, 1e-16);

    const cst_rigid_def def = mesh_box();
    measure = cst_measure_mesh(&def.mesh);
    near3(measure.centre, (const double[3]){10.0, -7.0, 3.0}, 1e-14);
    const cst_solid_measure box = cst_measure_box(def.size);
    near(measure.volume, box.volume, 1e-15);
    for (int k = 0; k < 9; k++)
        near(measure.gyration[k], box.gyration[k], 1e-15);
}

static void mesh_box_moves_as_a_box(void **state)
{
    (void)state;
    cst_rigid_def one = solid(CST_RIGID_BOX), two = mesh_box();
    one.radius = two.radius = 0.01;
    memcpy(one.spin, (const double[3]){1.0, -2.0, 0.5}, sizeof one.spin);
    memcpy(two.spin, one.spin, sizeof one.spin);
    cst_body_model a = made(&one), b = made(&two);
    const cst_step_frame frame = frame_of(0.01, 1.0);
    const double impulse[6] = {0.1, -0.05, 0.02, 0.003, 0.001, -0.002};
    double v[6], of_a[STATE], of_b[STATE];
    for (int i = 0; i < 100; i++) {
        step_with(&a, &frame, impulse, v);
        step_with(&b, &frame, impulse, v);
    }
    state_of(&a, of_a);
    state_of(&b, of_b);
    for (int i = 0; i < STATE; i++)
        near(of_a[i], of_b[i], 1e-13);
    cst_feature_body p, q;
    assert_true(a.class->surface->features(a.self, &frame, v, &p) && b.class->surface->features(b.self, &frame, v, &q));
    near(p.rounding, 0.01, 0.0);
    int edges[2] = {0, 0};
    for (int i = 0; i < 18; i++) { /* diagonals of faces do not touch */
        edges[0] += p.mesh->edge[i].touches;
        edges[1] += q.mesh->edge[i].touches;
    }
    assert_true(edges[0] == 12 && edges[1] == 12);
    for (int pose = 0; pose < 2; pose++) /* now, and where v takes them */
        for (int i = 0; i < 8; i++) {
            double x[3], y[3];
            cst_apply3(p.R[pose], p.mesh->vertex + 3 * i, x);
            cst_apply3(q.R[pose], q.mesh->vertex + 3 * i, y);
            near3(x, y, 1e-12);
            near3(p.x[pose], q.x[pose], 1e-12);
        }
    near3(p.x[0], of_a, 0.0);
    for (int k = 0; k < 3; k++)
        near(p.x[1][k], of_a[k] + frame.dt * v[k], 1e-15);
    a.class->destroy(a.self);
    b.class->destroy(b.self);
}

/* -------------------------------------------------------------------------------------------------------------- tumbling */

/* About the intermediate axis, a little off it: the body turns over again and again. Energy and angular momentum for 10 s, with
 * either theta; and it does turn over. */
static void tumbles_about_the_intermediate_axis(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cst_rigid_def def = solid(CST_RIGID_BOX); /* moments: x middle, y largest, z least */
        cst_apply3(def.frame, (const double[3]){10.0, 1e-3, 1e-3}, def.spin);
        cst_body_model body = made(&def);
        const cst_step_frame frame = frame_of(1e-3, i == 0 ? 1.0 : 0.5);
        double first[STATE], now[STATE], v[6], least = 1.0, worst_energy = 0.0, worst_momentum = 0.0;
        state_of(&body, first);
        const double energy = kinetic(&body), momentum = sqrt(cst_dot3(first + AT_L, first + AT_L));
        const double axis[3] = {first[AT_R], first[AT_R + 3], first[AT_R + 6]};
        for (int step = 0; step < 10000; step++) {
            step_with(&body, &frame, NULL, v);
            state_of(&body, now);
            double change[3], from_body[3], own[3], moments[3];
            cst_subtract3(now + AT_L, first + AT_L, change);
            worst_momentum = fmax(worst_momentum, sqrt(cst_dot3(change, change)) / momentum);
            worst_energy = fmax(worst_energy, fabs(kinetic(&body) / energy - 1.0));
            least = fmin(least, axis[0] * now[AT_R] + axis[1] * now[AT_R + 3] + axis[2] * now[AT_R + 6]);
            /* the momentum of the state is the one that its turning has */
            if (step % 1000 == 0) {
                cst_apply_transposed3(now + AT_R, v + 3, own);
                for (int k = 0; k < 3; k++)
                    moments[k] = 1.7 / 3.0 * (0.35 - def.size[k] * def.size[k]) * own[k];
                cst_apply3(now + AT_R, moments, from_body);
                cst_subtract3(from_body, first + AT_L, change);
                assert_true(sqrt(cst_dot3(change, change)) < 1e-11 * momentum);
            }
        }
        print_message("theta %g: energy %.1e, angular momentum %.1e, axis down to %.3f\n", frame.theta, worst_energy,
                      worst_momentum, least);
        assert_true(worst_energy < 1e-11);
        assert_true(worst_momentum < 1e-11);
        assert_true(least < -0.9);
        cst_body_work work;
        body.class->dynamics->work(body.self, &work);
        near(work.scheme, 0.0, 1e-20);
        body.class->destroy(body.self);
    }
}

/* A symmetric top: the axis goes round L at |L| / I across, the exact solution; order two in dt. */
static void precession_is_of_second_order(void **state)
{
    (void)state;
    double error[3];
    for (int i = 0; i < 3; i++) {
        cst_rigid_def def = solid(CST_RIGID_CAPSULE);
        cst_apply3(def.frame, (const double[3]){3.0, 0.0, 5.0}, def.spin);
        cst_body_model body = made(&def);
        const cst_solid_measure measure = cst_measure_capsule(def.radius, def.size[0]);
        double now[STATE], v[6], turn[9], rate[3], expected[3], axis[3] = {def.frame[2], def.frame[5], def.frame[8]};
        state_of(&body, now);
        for (int k = 0; k < 3; k++)
            rate[k] = 2.0 * now[AT_L + k] / (1.7 * measure.gyration[0]);
        cst_rotation_vector_exp(rate, turn);
        cst_apply3(turn, axis, expected);
        const int steps = 250 << i; /* none is cut */
        const cst_step_frame frame = frame_of(2.0 / steps, 1.0);
        for (int k = 0; k < steps; k++)
            step_with(&body, &frame, NULL, v);
        state_of(&body, now);
        double off[3] = {now[AT_R + 2] - expected[0], now[AT_R + 5] - expected[1], now[AT_R + 8] - expected[2]};
        error[i] = sqrt(cst_dot3(off, off));
        body.class->destroy(body.self);
    }
    print_message("error of the axis %.2e %.2e %.2e\n", error[0], error[1], error[2]);
    for (int i = 0; i < 2; i++)
        assert_true(error[i] / error[i + 1] > 3.7 && error[i] / error[i + 1] < 4.3);
}

/* Steps in which a body turns round several times. */
static void fast_spin_is_followed(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_BOX);
    cst_apply3(def.frame, (const double[3]){0.0, 1000.0, 0.0}, def.spin); /* largest moment: stable */
    cst_body_model body = made(&def);
    const cst_step_frame frame = frame_of(0.01, 1.0);
    double v[6], now[STATE], own[9], expected[9];
    for (int i = 0; i < 100; i++)
        step_with(&body, &frame, NULL, v);
    state_of(&body, now);
    cst_transposed_product3(def.frame, now + AT_R, own);
    cst_rotation_vector_exp((const double[3]){0.0, 1000.0, 0.0}, expected);
    for (int k = 0; k < 9; k++)
        near(own[k], expected[k], 1e-9);
    body.class->destroy(body.self);
}

/* -------------------------------------------------------------------------------------------------------------- dynamics */

static void falls(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_CAPSULE);
    memcpy(def.velocity, (const double[3]){1.0, 2.0, 3.0}, sizeof def.velocity);
    cst_body_model body = made(&def);
    cst_step_frame frame = frame_of(0.01, 0.5);
    frame.gravity[2] = -9.81;
    double v[6], now[STATE];
    cst_body_energy before, after;
    body.class->dynamics->energy(body.self, frame.gravity, &before);
    for (int i = 0; i < 100; i++)
        step_with(&body, &frame, NULL, v);
    body.class->dynamics->energy(body.self, frame.gravity, &after);
    state_of(&body, now);
    near3(now, (const double[3]){1.4, 1.7, 1.0 + 3.0 - 0.5 * 9.81}, 1e-12); /* theta 1/2: the parabola itself */
    near3(now + AT_V, (const double[3]){1.0, 2.0, 3.0 - 9.81}, 1e-12);
    near(after.kinetic + after.gravity, before.kinetic + before.gravity, 1e-11);
    body.class->destroy(body.self);
}

static void drag_slows_down(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_SPHERE);
    def.drag = 0.5;
    def.angular_drag = 0.03;
    def.velocity[0] = 2.0;
    def.spin[1] = 4.0;
    cst_body_model body = made(&def);
    const cst_step_frame frame = frame_of(0.001, 0.5);
    double v[6], given = 0.0;
    const double before = kinetic(&body);
    for (int i = 0; i < 1000; i++) {
        cst_body_work work;
        step_with(&body, &frame, NULL, v);
        body.class->dynamics->work(body.self, &work);
        given += work.drag;
    }
    near(v[0], 2.0 * exp(-0.5 / 1.7), 1e-7);
    near(v[4], 4.0 * exp(-0.03 / (0.4 * 1.7 * 0.04)), 1e-6);
    near(kinetic(&body) - before, given, 1e-12);
    body.class->destroy(body.self);
}

/* What the kinetic energy gains beyond the work of an impulse, along theta v+ + (1 - theta) v, and of the scheme. */
static double unexplained(cst_rigid_shape shape, double dt, double theta)
{
    const double impulse[6] = {0.3, -0.2, 0.5, 0.01, 0.02, -0.015};
    cst_rigid_def def = solid(shape);
    memcpy(def.spin, (const double[3]){1.0, -3.0, 2.0}, sizeof def.spin);
    memcpy(def.velocity, (const double[3]){0.2, 0.1, -0.4}, sizeof def.velocity);
    const cst_step_frame frame = frame_of(dt, theta);
    cst_body_model body = made(&def);
    double before[6], v[6], first[STATE], now[STATE], given = 0.0;
    cst_body_work work;
    state_of(&body, first);
    body.class->dynamics->velocities(body.self, before);
    const double energy = kinetic(&body);
    step_with(&body, &frame, impulse, v);
    body.class->dynamics->work(body.self, &work);
    for (int k = 0; k < 6; k++)
        given += impulse[k] * (theta * v[k] + (1.0 - theta) * before[k]);
    assert_true(theta > 0.5 ? work.scheme < 0.0 : work.scheme == 0.0);
    state_of(&body, now);
    for (int k = 0; k < 3; k++) /* the momentum is exact, whatever the shape */
        near(now[AT_L + k], first[AT_L + k] + impulse[3 + k], 1e-15);
    const double out = kinetic(&body) - energy - given - work.scheme;
    body.class->destroy(body.self);
    return out;
}

/* Nothing for a sphere; for a box what its inertia turns by in the step. */
static void impulses_work(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double theta = 0.5 + 0.25 * i;
        near(unexplained(CST_RIGID_SPHERE, 1e-2, theta), 0.0, 1e-14);
        const double coarse = unexplained(CST_RIGID_BOX, 1e-4, theta), fine = unexplained(CST_RIGID_BOX, 1e-5, theta);
        near(coarse, 0.0, 2e-5);
        near(coarse / fine, 10.0, 0.1);
    }
}

/* A steady couple on a box that tumbles, theta 1/2: second order, against the finest. */
static void couples_are_of_second_order(void **state)
{
    (void)state;
    double found[4][9];
    for (int i = 0; i < 4; i++) {
        cst_rigid_def def = solid(CST_RIGID_BOX);
        memcpy(def.spin, (const double[3]){2.0, -1.0, 3.0}, sizeof def.spin);
        cst_body_model body = made(&def);
        const int steps = i == 3 ? 6400 : 100 << i;
        const cst_step_frame frame = frame_of(1.0 / steps, 0.5);
        const double couple[6] = {0.0, 0.0, 0.0, 0.8 / steps, 0.5 / steps, -0.4 / steps};
        double v[6], now[STATE];
        for (int k = 0; k < steps; k++)
            step_with(&body, &frame, couple, v);
        state_of(&body, now);
        memcpy(found[i], now + AT_R, sizeof found[i]);
        body.class->destroy(body.self);
    }
    double error[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 9; k++)
            error[i] = fmax(error[i], fabs(found[i][k] - found[3][k]));
    print_message("error of the rotation %.2e %.2e %.2e\n", error[0], error[1], error[2]);
    for (int i = 0; i < 2; i++)
        assert_true(error[i] / error[i + 1] > 3.5 && error[i] / error[i + 1] < 4.5);
}

static void quasi_static_steps_forget(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_BOX);
    def.velocity[0] = 1.0;
    def.spin[2] = 2.0;
    cst_body_model body = made(&def);
    cst_step_frame frame = frame_of(0.01, 1.0);
    frame.quasi_static = true;
    double v[6], first[STATE], now[STATE];
    cst_body_work work;
    const double energy = kinetic(&body);
    state_of(&body, first);
    step_with(&body, &frame, NULL, v);
    body.class->dynamics->work(body.self, &work);
    state_of(&body, now);
    near(work.forgotten, -energy, 1e-15);
    near(kinetic(&body), 0.0, 0.0);
    for (int k = 0; k < AT_V; k++)
        near(now[k], first[k], 1e-15);
    body.class->destroy(body.self);
}

/* ---------------------------------------------------------------------------------------------------------------- points */

static void points_move_as_their_rows_say(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_BOX);
    memcpy(def.spin, (const double[3]){1.0, -3.0, 2.0}, sizeof def.spin);
    memcpy(def.velocity, (const double[3]){0.2, 0.1, -0.4}, sizeof def.velocity);
    cst_body_model body = made(&def);
    cst_material_point at;
    const cst_place place = {.point = {0.3, -0.1, 0.2}};
    assert_true(body.class->places->locate(body.self, &place, &at));
    int32_t dof[6];
    double j[18], j_turn[18], v[6], velocity[3], turn[3], x[3], expected[3] = {0}, turning[3] = {0};
    cst_point_motion out = {.dof = dof, .j = j, .j_turn = j_turn};
    body.class->places->point(body.self, &at, &out);
    body.class->dynamics->velocities(body.self, v);
    body.class->places->velocity(body.self, &at, velocity, turn);
    body.class->places->position(body.self, &at, x);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++) {
            expected[i] += j[6 * i + k] * v[k];
            turning[i] += j_turn[6 * i + k] * v[k];
        }
    near3(velocity, expected, 1e-15);
    near3(turn, turning, 1e-15);
    near3(turn, def.spin, 1e-15);
    near3(out.position, x, 0.0);

    /* Velocity is the rate of where the body is placed; and placing is where finish takes it. */
    const double small = 1e-6;
    const cst_step_frame frame = frame_of(small, 0.5);
    body.class->dynamics->place(body.self, &frame, v);
    body.class->places->point(body.self, &at, &out);
    for (int k = 0; k < 3; k++)
        near((out.position[k] - x[k]) / small, velocity[k], 1e-5);
    const cst_step_frame step = frame_of(0.01, 0.75);
    const double impulse[6] = {0.3, -0.2, 0.5, 0.01, 0.02, -0.015};
    cst_body_model twin = made(&def);
    step_with(&twin, &step, impulse, v);
    body.class->dynamics->place(body.self, &step, v);
    body.class->places->point(body.self, &at, &out);
    twin.class->places->position(twin.self, &at, x);
    near3(out.position, x, 0.0);
    double now[STATE];
    state_of(&twin, now);
    for (int k = 0; k < 9; k++)
        near(out.frame[k], now[AT_R + k], 0.0);

    /* Between: theta of the way, to second order of the step. */
    double from[3], middle[3];
    body.class->places->position(body.self, &at, from);
    body.class->places->point_between(body.self, &step, v, &at, &out);
    for (int k = 0; k < 3; k++)
        middle[k] = 0.25 * from[k] + 0.75 * x[k];
    near3(out.position, middle, 2e-4);
    body.class->destroy(body.self);
    twin.class->destroy(twin.self);
}

static void states_come_back(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_BOX);
    memcpy(def.spin, (const double[3]){1.0, -3.0, 2.0}, sizeof def.spin);
    cst_body_model one = made(&def), two = made(&def);
    const cst_step_frame frame = frame_of(0.01, 1.0);
    const double impulse[6] = {0.3, -0.2, 0.5, 0.01, 0.02, -0.015};
    double v[6], saved[STATE], a[STATE], b[STATE];
    for (int i = 0; i < 10; i++)
        step_with(&one, &frame, impulse, v);
    state_of(&one, saved);
    two.class->state->load(two.self, saved);
    for (int i = 0; i < 10; i++) {
        step_with(&one, &frame, impulse, v);
        step_with(&two, &frame, impulse, v);
    }
    state_of(&one, a);
    state_of(&two, b);
    assert_memory_equal(a, b, sizeof a);
    one.class->destroy(one.self);
    two.class->destroy(two.self);
}

/* The matrix that the friction solver sees is the one that solve undoes. */
static void description_and_solution_agree(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_BOX);
    def.angular_drag = 0.3;
    def.drag = 2.0;
    def.spin[0] = 3.0;
    cst_body_model body = made(&def);
    const cst_step_frame frame = frame_of(0.1, 0.75);
    char message[256];
    assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    cst_body seen;
    body.class->dynamics->describe(body.self, &seen);
    assert_int_equal(seen.size, 6);
    const double b[6] = {1, -2, 3, 0.4, 0.5, -0.6};
    double x[6];
    memcpy(x, b, sizeof x);
    assert_true(body.class->dynamics->solve(body.self, x));
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        for (int k = 0; k < 6; k++) {
            near(seen.matrix[6 * i + k], seen.matrix[6 * k + i], 0.0);
            sum += seen.matrix[6 * i + k] * x[k];
        }
        near(sum, b[i], 1e-13);
    }
    body.class->destroy(body.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_of_homogeneous_solids),
        cmocka_unit_test(inertia_of_meshes),
        cmocka_unit_test(mesh_box_moves_as_a_box),
        cmocka_unit_test(tumbles_about_the_intermediate_axis),
        cmocka_unit_test(precession_is_of_second_order),
        cmocka_unit_test(fast_spin_is_followed),
        cmocka_unit_test(falls),
        cmocka_unit_test(drag_slows_down),
        cmocka_unit_test(impulses_work),
        cmocka_unit_test(couples_are_of_second_order),
        cmocka_unit_test(quasi_static_steps_forget),
        cmocka_unit_test(points_move_as_their_rows_say),
        cmocka_unit_test(states_come_back),
        cmocka_unit_test(description_and_solution_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
