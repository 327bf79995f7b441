/* CORDE rods: golden vectors of the implicit form, and the explicit step: its limit, its budget, what it converges to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "math/quaternion.h"
#include "math/vector3.h"
#include "rod/corde_explicit.h"
#include "tests/nodal_fixture.h"

enum { EDGES = 4, DOFS = 27 };

static void read_numbers(const json *object, const char *key, double *out, size_t count)
{
    assert_int_equal(json_numbers(json_get(object, key), out, count), count);
}

/* Golden frames have columns (d1, d2, t), ours (t, d1, d2). */
static void our_frame(const double *golden, double *out)
{
    const double cycle[4] = {0.5, -0.5, -0.5, -0.5}; /* x to z, y to x, z to y */
    cst_quaternion_product(golden, cycle, out);
}

/* Golden turning rates are in the golden frame, ours in space: T = diag(I, R, I, R, ...). out = T a T^T or T a. */
static void turn_blocks(const double *quaternion, const double *a, int columns, double *out)
{
    for (int i = 0; i < DOFS; ++i) {
        const int block = i / 3, row = i % 3;
        double R[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        if (block % 2)
            cst_quaternion_matrix(quaternion + 4 * (block / 2), R);
        for (int j = 0; j < columns; ++j) {
            out[i * columns + j] = 0.0;
            for (int k = 0; k < 3; ++k)
                out[i * columns + j] += R[3 * row + k] * a[(3 * block + k) * columns + j];
        }
    }
}

static void transpose(double *a)
{
    for (int i = 0; i < DOFS; ++i) {
        for (int j = 0; j < i; ++j) {
            const double kept = a[i * DOFS + j];
            a[i * DOFS + j] = a[j * DOFS + i];
            a[j * DOFS + i] = kept;
        }
    }
}

/* The golden matrix leaves out what tension adds across an edge. */
static void add_tension(const cst_nodal_rod *rod, double *H)
{
    for (int i = 0; i < EDGES; ++i) {
        double t[3];
        const double length = cst_nodal_direction(rod, &rod->now, i, t);
        const double across = rod->stretching * fmax(1.0 / rod->rest[i] - 1.0 / length, 0.0);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                const double entry = across * ((r == c) - t[r] * t[c]);
                const int a = 6 * i + r, b = 6 * i + c;
                H[a * DOFS + b] += entry;
                H[(a + 6) * DOFS + b + 6] += entry;
                H[(a + 6) * DOFS + b] -= entry;
                H[a * DOFS + b + 6] -= entry;
            }
        }
    }
}

static void golden_energy_gradient_and_matrix(void **state)
{
    (void)state;
    json *file = json_read_data("rods/nodal.json");
    const json *data = json_get(file, "Corde");
    double natural[3 * (EDGES + 1)], node[3 * (EDGES + 1)], rest[4 * EDGES], now[4 * EDGES], K[3], length[EDGES];
    double golden[DOFS], gradient[DOFS], H[DOFS * DOFS], half[DOFS * DOFS];
    read_numbers(file, "X_rest", natural, 3 * (EDGES + 1));
    read_numbers(data, "X", node, 3 * (EDGES + 1));
    read_numbers(data, "Q_rest", rest, 4 * EDGES);
    read_numbers(data, "Q", now, 4 * EDGES);
    read_numbers(data, "K", K, 3);
    read_numbers(data, "grad", golden, DOFS);
    read_numbers(data, "H_GN", H, DOFS * DOFS);
    turn_blocks(now, golden, 1, gradient);
    turn_blocks(now, H, DOFS, half);
    transpose(half);
    turn_blocks(now, half, DOFS, H);

    const cst_fiber_def def = fiber_definition(CST_FIBER_CORDE, EDGES);
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);
    rod->stretching = json_number(data, "Ks");
    for (int i = 0; i < EDGES; ++i) {
        double e[3];
        cst_subtract3(natural + 3 * (i + 1), natural + 3 * i, e);
        rod->rest[i] = length[i] = sqrt(cst_dot3(e, e));
        our_frame(now + 4 * i, rod->now.frame + 4 * i);
        for (int k = 0; k < 3; ++k)
            rod->edge_stiffness[3 * i + k] = json_number(data, "kp") * length[i];
        if (i == 0)
            continue;
        const double joint = 0.5 * (length[i - 1] + length[i]);
        double a[4], b[4], p[4];
        our_frame(rest + 4 * (i - 1), a);
        our_frame(rest + 4 * i, b);
        cst_quaternion_between(a, b, p);
        assert_true(p[0] > 0.0);
        for (int k = 0; k < 3; ++k) {
            rod->joint_natural[3 * (i - 1) + k] = 2.0 * p[1 + k];
            rod->joint_stiffness[3 * (i - 1) + k] = K[(k + 2) % 3] / joint; /* golden order d1, d2, t */
        }
    }
    for (int i = 0; i <= EDGES; ++i)
        memcpy(rod->now.q + 6 * i, node + 3 * i, 3 * sizeof *node);
    cst_nodal_settle(rod);
    add_tension(rod, H);

    /* With dt = theta = 1, from rest, A = M + H and rhs = -grad. */
    cst_step_frame frame = space_frame(1.0, 1.0, 0.0);
    char message[256] = "";
    const double energy = json_number(data, "energy");
    assert_true(fabs(fiber_energy(&body, &frame) - energy) <= 1e-13 * energy);
    assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    double worst = 0.0, worst_entry = 0.0, largest = 0.0, largest_entry = 0.0;
    for (int i = 0; i < DOFS; ++i) {
        worst = fmax(worst, fabs(rod->full_rhs[i] + gradient[i]));
        largest = fmax(largest, fabs(gradient[i]));
        largest_entry = fmax(largest_entry, H[i * DOFS + i]);
        for (int j = 0; j <= i; ++j) {
            const bool stored = j >= rod->whole.first[i];
            const double entry = stored ? cst_envelope_row(&rod->whole, i)[j] - (i == j ? rod->mass[i] : 0.0) : 0.0;
            worst_entry = fmax(worst_entry, fabs(entry - H[i * DOFS + j]));
        }
    }
    print_message("golden: gradient %.2g of %.2g, matrix %.2g of %.2g\n", worst, largest, worst_entry, largest_entry);
    assert_true(worst <= 1e-13 * largest);
    assert_true(worst_entry <= 1e-13 * largest_entry);
    rod_destroy(&body);
    json_free(file);
}

/* Cooked spaghetti of 16 edges, 25 cm (docs/maths_rods.md, 6), bent and twisted at first, straight by nature. */
static cst_fiber_def spaghetti(bool explicit_step, double *curvature)
{
    cst_fiber_def def = fiber_definition(CST_FIBER_CORDE, 16);
    def.length = 0.25;
    def.radius = 1e-3;
    def.mass_per_length = 3.5e-3;
    def.bending_stiffness[0] = def.bending_stiffness[1] = 1.6e-7;
    def.twisting_stiffness = 1.07e-7;
    def.explicit_step = explicit_step;
    for (int i = 0; i < def.elements; ++i) {
        curvature[3 * i] = 2.0;
        curvature[3 * i + 1] = 3.0;
        curvature[3 * i + 2] = 6.0;
    }
    def.curvature = curvature;
    return def;
}

static cst_corde_explicit *explicit_of(const cst_body_model *body)
{
    return body->self;
}

/* Largest energy in a run of 0.4 s without gravity, relative to the energy at first. */
static double growth(const cst_fiber_def *def, double dt)
{
    cst_body_model body = fiber_create(def);
    explicit_of(&body)->longest_step = INFINITY;
    cst_step_frame frame = space_frame(dt, 1.0, 0.0);
    const double start = fiber_energy(&body, &frame);
    double most = start;
    for (int step = 0; step < (int)(0.4 / dt) && most < 1e3 * start; ++step) {
        rod_step(&body, &frame, 1, NULL);
        most = fmax(most, fiber_energy(&body, &frame));
    }
    rod_destroy(&body);
    return most / start;
}

/* The limit that is told is the limit: just below energies stay, just above they burst. */
static void stable_step_is_known(void **state)
{
    (void)state;
    const double viscosity[3] = {0.0, 1e-3, 1e-2};
    for (int i = 0; i < 3; ++i) {
        double curvature[48];
        cst_fiber_def def = spaghetti(true, curvature);
        def.viscosity = viscosity[i];
        cst_body_model body = fiber_create(&def);
        const double told = explicit_of(&body)->longest_step;
        rod_destroy(&body);
        double low = told, high = 4.0 * told;
        for (int k = 0; k < 8; ++k) {
            const double middle = sqrt(low * high);
            *(growth(&def, middle) < 10.0 ? &low : &high) = middle;
        }
        print_message("viscosity %g s: stable steps to %.3g ms, in fact to %.3g ms\n", def.viscosity, 1e3 * told, 1e3 * low);
        assert_true(growth(&def, told) < 1.1); /* semi-implicit energies swing near the limit */
        assert_true(low < 1.6 * told);
        if (i == 0)
            assert_true(low < 1.15 * told);
    }
}

static void too_long_a_step_is_refused(void **state)
{
    (void)state;
    double curvature[48];
    const cst_fiber_def def = spaghetti(true, curvature);
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(1e-3, 1.0, 9.81);
    char message[256] = "";
    assert_false(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    assert_non_null(strstr(message, "stable in steps of"));
    frame.dt = 1e-4;
    assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    frame.theta = 0.5;
    assert_false(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    assert_non_null(strstr(message, "theta = 1 only"));
    rod_destroy(&body);
}

/* A as it is described is what `solve` solves with: its diagonal. */
static void explicit_matrix_is_diagonal(void **state)
{
    (void)state;
    double curvature[48], x[6 * 16 + 3];
    cst_fiber_def def = spaghetti(true, curvature);
    def.drag = 1e-3;
    def.clamped = true;
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(1e-4, 1.0, 9.81);
    cst_body described;
    char message[256] = "";
    assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    body.class->dynamics->describe(body.self, &described);
    assert_int_equal(described.kind, CST_BODY_BAND);
    assert_int_equal(described.bandwidth, 0);
    assert_int_equal(described.size, body.class->dynamics->dofs(body.self));
    const cst_nodal_rod *rod = nodal_of(&body);
    for (int i = 0; i < described.size; ++i)
        x[i] = 1.0;
    assert_true(body.class->dynamics->solve(body.self, x));
    for (int i = 0; i < described.size; ++i) {
        const double m = rod->mass[i + 9], factor = (i + 9) % 6 < 3 ? 1.0 + 1e-4 * def.drag / def.mass_per_length : 1.0;
        assert_true(fabs(x[i] * described.matrix[i] - 1.0) < 1e-15);
        assert_true(fabs(described.matrix[i] - factor * m) < 1e-15 * m);
    }
    rod_destroy(&body);
}

static void explicit_momentum_and_energy_are_kept(void **state)
{
    (void)state;
    double curvature[48], p0[3], L0[3], p1[3], L1[3], off = 0.0, spin = 0.0;
    cst_fiber_def def = spaghetti(true, curvature);
    def.velocity[0] = 0.2;
    def.angular_velocity[1] = 3.0;
    def.angular_velocity[2] = 5.0;
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(1e-4, 1.0, 0.0);
    const double start = fiber_energy(&body, &frame);
    double worst = 0.0;
    fiber_momentum(nodal_of(&body), p0, L0);
    for (int step = 0; step < 10000; ++step) {
        rod_step(&body, &frame, 1, NULL);
        worst = fmax(worst, fabs(fiber_energy(&body, &frame) / start - 1.0));
    }
    fiber_momentum(nodal_of(&body), p1, L1);
    for (int k = 0; k < 3; ++k) {
        off = fmax(off, fabs(p1[k] - p0[k]));
        spin = fmax(spin, fabs(L1[k] - L0[k]));
    }
    print_message("1 s in 10000 steps: momentum off by %.2g of %.2g, angular by %.2g of %.2g, energy by %.2g of itself\n", off,
                  sqrt(cst_dot3(p0, p0)), spin, sqrt(cst_dot3(L0, L0)), worst);
    assert_true(off < 1e-12 * sqrt(cst_dot3(p0, p0)));
    assert_true(spin < 1e-12 * sqrt(cst_dot3(L0, L0))); /* of semi-implicit Euler too: forces and arms are of one time */
    assert_true(worst < 0.02);
    rod_destroy(&body);
}

/* Keys of a clamp that rises and turns. */
static const cst_key keys[2] = {{.time = 0.0}, {.time = 0.2, .translation = {0.02, 0.0, 0.1}, .rotation = {1.5, -0.4, 0.6}}};

static void explicit_budget_closes(void **state)
{
    (void)state;
    double curvature[48], left[2], given = 0.0;
    for (int k = 0; k < 2; ++k) {
        cst_fiber_def def = spaghetti(true, curvature);
        def.clamped = true;
        def.root_motion = (cst_motion){.key = keys, .keys = 2, .smooth = true};
        def.viscosity = 1e-3;
        def.drag = 1e-3;
        cst_body_model body = fiber_create(&def);
        cst_step_frame frame = space_frame(1e-4 / (1 << k), 1.0, 9.81);
        const double start = fiber_energy(&body, &frame);
        double works = 0.0;
        given = 0.0;
        while (frame.time < 0.3) {
            cst_body_work work;
            rod_step(&body, &frame, 1, NULL);
            body.class->dynamics->work(body.self, &work);
            works += work.constraint + work.viscosity + work.drag + work.scheme;
            given += fabs(work.constraint);
            assert_true(work.viscosity <= 0.0 && work.drag <= 0.0);
        }
        left[k] = fabs(fiber_energy(&body, &frame) - start - works);
        rod_destroy(&body);
    }
    print_message("%.2g, %.2g J unexplained of %.2g J that the clamp gave, 0.1 and 0.05 ms\n", left[0], left[1], given);
    assert_true(left[0] < 1e-10 * given);
}

/* Explicit and implicit rods of one stretch go to the same motion as steps become shorter. */
static void explicit_and_implicit_agree(void **state)
{
    (void)state;
    double off[2];
    for (int k = 0; k < 2; ++k) {
        double curvature[48], tip[2][3];
        for (int m = 0; m < 2; ++m) {
            cst_fiber_def def = spaghetti(m == 1, curvature);
            def.clamped = true;
            def.drag = 5e-3;
            def.stretching_stiffness = 8.0;
            cst_body_model body = fiber_create(&def);
            cst_step_frame frame = space_frame(1e-4 / (1 << k), 1.0, 9.81);
            for (int step = 0; step < (2000 << k); ++step)
                rod_step(&body, &frame, m == 0 ? 3 : 1, NULL);
            fiber_tip(&body, tip[m]);
            rod_destroy(&body);
        }
        cst_add3(-1.0, tip[0], tip[1]);
        off[k] = sqrt(cst_dot3(tip[1], tip[1])) / 0.25;
    }
    print_message("tips after 0.2 s apart by %.2g, %.2g of the length, steps of 0.1 and 0.05 ms\n", off[0], off[1]);
    assert_true(off[0] < 1e-2);
    assert_true(off[1] < 0.6 * off[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_energy_gradient_and_matrix),
                                       cmocka_unit_test(stable_step_is_known),
                                       cmocka_unit_test(too_long_a_step_is_refused),
                                       cmocka_unit_test(explicit_matrix_is_diagonal),
                                       cmocka_unit_test(explicit_momentum_and_energy_are_kept),
                                       cmocka_unit_test(explicit_budget_closes),
                                       cmocka_unit_test(explicit_and_implicit_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
