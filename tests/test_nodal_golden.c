/* Nodal rods against golden vectors (energy, gradient, Gauss-Newton matrix), their derivatives against differences, their matrix
 * against a dense one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector3.h"
#include "tests/nodal_fixture.h"

enum { EDGES = 4, DER_DOFS = 19, CHAIN_DOFS = 15 };

static void read_numbers(const json *object, const char *key, double *out, size_t count)
{
    assert_int_equal(json_numbers(json_get(object, key), out, count), count);
}

/* |e| of the natural shape, and the length of each joint. */
static void natural_lengths(const double *node, double *edge, double *joint)
{
    for (int i = 0; i < EDGES; ++i) {
        double e[3];
        cst_subtract3(node + 3 * (i + 1), node + 3 * i, e);
        edge[i] = sqrt(cst_dot3(e, e));
        if (i > 0)
            joint[i - 1] = 0.5 * (edge[i - 1] + edge[i]);
    }
}

/* Energy, gradient and matrix of a free rod without gravity: with dt = theta = 1, from rest, A = M + H and rhs = -grad. */
static void compare(cst_body_model *body, const json *expected, int dofs)
{
    cst_nodal_rod *rod = nodal_of(body);
    cst_step_frame frame = space_frame(1.0, 1.0, 0.0);
    double gradient[DER_DOFS], H[DER_DOFS * DER_DOFS], worst = 0.0, scale = 0.0, energy = json_number(expected, "energy");
    char message[256] = "";
    read_numbers(expected, "grad", gradient, (size_t)dofs);
    read_numbers(expected, "H_GN", H, (size_t)(dofs * dofs));
    memset(rod->v, 0, (size_t)rod->total * sizeof *rod->v);
    assert_true(fabs(fiber_energy(body, &frame) - energy) <= 1e-12 * energy);
    if (!body->class->dynamics->assemble(body->self, &frame, NULL, message, sizeof message))
        fail_msg("%s", message);
    double largest = 0.0;
    for (int i = 0; i < dofs; ++i)
        largest = fmax(largest, fabs(gradient[i]));
    for (int i = 0; i < dofs; ++i) {
        worst = fmax(worst, fabs(body->class->dynamics->rhs(body->self)[i] + gradient[i]) / largest);
        scale = fmax(scale, H[i * dofs + i]);
    }
    assert_true(worst <= 1e-11);
    double worst_entry = 0.0;
    for (int i = 0; i < dofs; ++i) {
        for (int j = 0; j <= i; ++j) {
            const bool stored = j >= rod->whole.first[i];
            const double entry = stored ? cst_envelope_row(&rod->whole, i)[j] - (i == j ? rod->mass[i] : 0.0) : 0.0;
            worst_entry = fmax(worst_entry, fabs(entry - H[i * dofs + j]) / scale);
        }
    }
    print_message("%s: gradient %.2g, matrix %.2g\n", body->class->name, worst, worst_entry);
    assert_true(worst_entry <= 1e-12);
}

static void golden_discrete_rod(void **state)
{
    (void)state;
    json *file = json_read_data("rods/nodal.json");
    const json *data = json_get(file, "DER"), *rest = json_get(data, "rest"), *strains = json_get(data, "strains");
    double node[3 * (EDGES + 1)], q[DER_DOFS], B[4], kappa[2 * (EDGES - 1)], m[EDGES - 1], d1[3 * EDGES], edge[EDGES],
        joint[EDGES - 1];
    read_numbers(file, "X_rest", node, 3 * (EDGES + 1));
    read_numbers(data, "q", q, DER_DOFS);
    read_numbers(data, "B", B, 4);
    read_numbers(rest, "kap0", kappa, 2 * (EDGES - 1));
    read_numbers(rest, "m0", m, EDGES - 1);
    read_numbers(rest, "d1", d1, 3 * EDGES);
    natural_lengths(node, edge, joint);
    const cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, EDGES);
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);

    /* B = [c -s; s c] diag(b) [c s; -s c]: all frames turned by this angle have a diagonal stiffness. */
    const double angle = 0.5 * atan2(2.0 * B[1], B[0] - B[3]), c = cos(angle), s = sin(angle);
    const double b[2] = {c * c * B[0] + 2.0 * c * s * B[1] + s * s * B[3], s * s * B[0] - 2.0 * c * s * B[1] + c * c * B[3]};
    rod->stretching = json_number(data, "EA");
    double *natural = rod->joint_natural;
    for (int i = 0; i < EDGES; ++i) {
        rod->rest[i] = edge[i];
        memcpy(rod->now.q + 4 * i, node + 3 * i, 3 * sizeof *node);
        rod->now.q[4 * i + 3] = 0.0;
        memcpy(rod->now.frame + 4 * i, d1 + 3 * i, 3 * sizeof *d1);
        if (i + 1 < EDGES) {
            rod->now.frame[4 * i + 3] = m[i];
            rod->joint_stiffness[3 * i] = b[0] / joint[i];
            rod->joint_stiffness[3 * i + 1] = b[1] / joint[i];
            rod->joint_stiffness[3 * i + 2] = json_number(data, "GJ") / joint[i];
            natural[3 * i] = c * kappa[2 * i] + s * kappa[2 * i + 1];
            natural[3 * i + 1] = c * kappa[2 * i + 1] - s * kappa[2 * i];
            natural[3 * i + 2] = m[i];
        }
    }
    memcpy(rod->now.q + 4 * EDGES, node + 3 * EDGES, 3 * sizeof *node);
    memcpy(rod->placed_buffer.q, q, sizeof q);
    rod->model->carry(rod, &rod->now, NULL, &rod->placed_buffer);
    memcpy(rod->now.q, q, sizeof q);
    memcpy(rod->now.frame, rod->placed_buffer.frame, 4 * EDGES * sizeof *d1);
    for (int i = 0; i < EDGES; ++i)
        rod->now.q[4 * i + 3] += angle;
    cst_nodal_settle(rod);

    double expected[2 * (EDGES - 1)], twist[EDGES - 1];
    read_numbers(strains, "kap", expected, 2 * (EDGES - 1));
    read_numbers(strains, "m", twist, EDGES - 1);
    for (int i = 0; i + 1 < EDGES; ++i) {
        double strain[3];
        rod->model->joint.find(rod, &rod->now, i, strain, NULL);
        const double turned[2] = {strain[0] + natural[3 * i], strain[1] + natural[3 * i + 1]};
        assert_true(fabs(c * turned[0] - s * turned[1] - expected[2 * i]) < 1e-13);
        assert_true(fabs(s * turned[0] + c * turned[1] - expected[2 * i + 1]) < 1e-13);
        assert_true(fabs(strain[2] + natural[3 * i + 2] - twist[i]) < 1e-13);
    }
    compare(&body, data, DER_DOFS);
    rod_destroy(&body);
    json_free(file);
}

static void golden_spring_chain(void **state)
{
    (void)state;
    json *file = json_read_data("rods/nodal.json");
    const json *data = json_get(file, "Spring");
    double node[3 * (EDGES + 1)], x[CHAIN_DOFS], edge[EDGES], joint[EDGES - 1];
    read_numbers(file, "X_rest", node, 3 * (EDGES + 1));
    read_numbers(data, "x", x, CHAIN_DOFS);
    natural_lengths(node, edge, joint);
    const cst_fiber_def def = fiber_definition(CST_FIBER_SPRINGS, EDGES);
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);
    rod->stretching = json_number(data, "EA");
    memcpy(rod->rest, edge, sizeof edge);
    for (int i = 0; i < 3 * (EDGES - 1); ++i)
        rod->joint_stiffness[i] = json_number(data, "EI") / (joint[i / 3] * joint[i / 3] * joint[i / 3]);
    memcpy(rod->now.q, x, sizeof x);
    cst_nodal_settle(rod);
    compare(&body, data, CHAIN_DOFS);
    rod_destroy(&body);
    json_free(file);
}

/* A curved and twisted fiber of each kind, out of its natural shape. */
static cst_fiber_def variant(int which)
{
    const cst_fiber_model model = which < 3 ? CST_FIBER_DISCRETE_ROD : which < 6 ? CST_FIBER_SPRINGS : CST_FIBER_CORDE;
    cst_fiber_def def = fiber_definition(model, 7);
    const bool curved = which != 3;
    const double natural[3] = {curved ? 2.0 : 0.0, curved ? 1.5 : 0.0, curved ? -0.8 : 0.0};
    memcpy(def.natural_curvature, natural, sizeof natural);
    if (model != CST_FIBER_SPRINGS)
        def.bending_stiffness[1] = 2.5e-3;
    def.stretching_stiffness = 5.0;
    def.clamped = which % 3 == 1;
    def.closed = which % 3 == 2;
    if (def.closed) { /* a circle, whatever its natural curvature is */
        static double circle[3 * 7];
        for (int i = 0; i < 7; ++i)
            circle[3 * i + 2] = 2.0 * acos(-1.0);
        def.curvature = circle;
    }
    return def;
}

enum { VARIANTS = 9 };

static void gradient_is_that_of_the_energy(void **state)
{
    (void)state;
    for (int which = 0; which < VARIANTS; ++which) {
        const cst_fiber_def def = variant(which);
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        cst_step_frame frame = space_frame(1.0, 1.0, 0.0);
        char message[256] = "";
        disturb(rod, 0.15, 7u + (unsigned)which);
        assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
        double worst = 0.0, largest = 0.0;
        cst_nodal_shape to = rod->placed_buffer;
        for (int i = rod->held; i < rod->total; ++i) {
            const double h = 1e-6;
            double energy[2];
            for (int side = 0; side < 2; ++side) {
                memcpy(to.q, rod->now.q, (size_t)rod->total * sizeof *to.q);
                to.q[i] += side ? h : -h;
                if (rod->model->carry)
                    rod->model->carry(rod, &rod->now, NULL, &to);
                energy[side] = cst_nodal_elastic_energy(rod, &to);
            }
            const double slope = (energy[1] - energy[0]) / (2.0 * h);
            worst = fmax(worst, fabs(slope + rod->full_rhs[i]));
            largest = fmax(largest, fabs(slope));
        }
        print_message("variant %d: gradient against differences %.2g of %.2g\n", which, worst, largest);
        assert_true(worst < 2e-8 * largest);
        rod_destroy(&body);
    }
}

/* x <- A^-1 b against the whole matrix, solved densely by elimination. */
static void banded_solution_is_the_dense_one(void **state)
{
    (void)state;
    for (int which = 0; which < VARIANTS; ++which) {
        const cst_fiber_def def = variant(which);
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        cst_step_frame frame = space_frame(0.02, 1.0, 9.81);
        char message[256] = "";
        disturb(rod, 0.1, 70u + (unsigned)which);
        assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
        const int n = body.class->dynamics->dofs(body.self), held = rod->held;
        double *A = test_malloc((size_t)(n * n) * sizeof *A), *x = test_malloc((size_t)n * sizeof *x),
               *y = test_malloc((size_t)n * sizeof *y);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                const bool stored = j + held >= rod->whole.first[i + held];
                A[i * n + j] = A[j * n + i] = stored ? cst_envelope_row(&rod->whole, i + held)[j + held] : 0.0;
            }
            x[i] = y[i] = sin(1.0 + 3.0 * i);
        }
        assert_true(body.class->dynamics->solve(body.self, x));
        for (int i = 0; i < n; ++i) { /* A is positive definite: no exchanges */
            for (int r = i + 1; r < n; ++r) {
                const double factor = A[r * n + i] / A[i * n + i];
                for (int c = i; c < n; ++c)
                    A[r * n + c] -= factor * A[i * n + c];
                y[r] -= factor * y[i];
            }
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int c = i + 1; c < n; ++c)
                y[i] -= A[i * n + c] * y[c];
            y[i] /= A[i * n + i];
        }
        double largest = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(y[i]));
        const double off = largest_difference(x, y, n) / largest;
        print_message("variant %d: banded against dense %.2g\n", which, off);
        assert_true(off < 1e-9);

        cst_body described;
        body.class->dynamics->describe(body.self, &described);
        assert_int_equal(described.kind, def.closed ? CST_BODY_SOLVE : CST_BODY_BAND);
        assert_int_equal(described.size, n);
        for (int i = 0; !def.closed && i < n; ++i) {
            for (int j = i > described.bandwidth ? i - described.bandwidth : 0; j <= i; ++j)
                assert_true(described.matrix[i * (described.bandwidth + 1) + described.bandwidth - (i - j)] ==
                            cst_envelope_row(&rod->whole, i + held)[j + held]);
        }
        test_free(A);
        test_free(x);
        test_free(y);
        rod_destroy(&body);
    }
}

/* Velocity and turning rate by J against where small motions take the point and its frame. */
static void points_move_as_their_jacobians_say(void **state)
{
    (void)state;
    for (int which = 0; which < VARIANTS; ++which) {
        const cst_fiber_def def = variant(which);
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        disturb(rod, 0.1, 30u + (unsigned)which);
        const int n = body.class->dynamics->dofs(body.self);
        double *v = test_malloc((size_t)n * sizeof *v), *back = test_malloc((size_t)n * sizeof *back);
        for (int i = 0; i < n; ++i) {
            v[i] = cos(2.0 + 5.0 * i);
            back[i] = -v[i];
        }
        cst_step_frame frame = space_frame(1e-6, 1.0, 0.0);
        char message[256] = "";
        assert_true(body.class->dynamics->place(body.self, &frame, NULL));
        assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
        double worst = 0.0, worst_drift = 0.0, worst_turn = 0.0;
        for (int feature = 0; feature < def.elements; ++feature) {
            double j[3 * CST_NODAL_POINT_DOFS], turning[3 * CST_NODAL_POINT_DOFS], x0[3], R0[9], speed[3], turn[3];
            int32_t dof[CST_NODAL_POINT_DOFS];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turning};
            const cst_material_point at = {.feature = feature, .s = 0.4 * rod->edge_length};
            assert_true(body.class->dynamics->place(body.self, &frame, NULL));
            body.class->places->point(body.self, &at, &motion);
            for (int r = 0; r < 3; ++r) {
                speed[r] = motion.drift[r];
                turn[r] = motion.drift_turn[r];
                for (int k = 0; k < motion.dofs; ++k) {
                    assert_true(k == 0 || dof[k] > dof[k - 1]);
                    speed[r] += j[r * motion.dofs + k] * v[dof[k]];
                    turn[r] += turning[r * motion.dofs + k] * v[dof[k]];
                }
            }
            const double drift[3] = {motion.drift[0], motion.drift[1], motion.drift[2]};
            memcpy(x0, motion.position, sizeof x0);
            memcpy(R0, motion.frame, sizeof R0);
            double behind[3];
            assert_true(body.class->dynamics->place(body.self, &frame, back));
            body.class->places->point(body.self, &at, &motion);
            memcpy(behind, motion.position, sizeof behind);
            assert_true(body.class->dynamics->place(body.self, &frame, v));
            body.class->places->point(body.self, &at, &motion);
            double spin[9];
            cst_product_transposed3(motion.frame, R0, spin); /* I + dt hat(turn) */
            for (int r = 0; r < 3; ++r) { /* to second order: a curve that fades to its chord is not linear in its nodes */
                worst = fmax(worst, fabs(0.5 * (motion.position[r] - behind[r]) / frame.dt - (speed[r] - drift[r])));
                worst_drift = fmax(worst_drift, fabs((motion.position[r] - x0[r]) / frame.dt - speed[r]));
            }
            const double found[3] = {0.5 * (spin[7] - spin[5]) / frame.dt, 0.5 * (spin[2] - spin[6]) / frame.dt,
                                     0.5 * (spin[3] - spin[1]) / frame.dt};
            double along[3], size = fmax(sqrt(cst_dot3(turn, turn)), 1.0);
            cst_nodal_direction(rod, &rod->now, feature, along);
            for (int r = 0; r < 3; ++r) {
                /* A chain has no spin: only what turns its direction can be compared. */
                const double off = found[r] - turn[r];
                const double axial = def.model == CST_FIBER_SPRINGS ? cst_dot3(found, along) - cst_dot3(turn, along) : 0.0;
                worst_turn = fmax(worst_turn, fabs(off - axial * along[r]) / size);
            }
        }
        print_message("variant %d: J %.2g, J_turn %.2g\n", which, worst, worst_turn);
        assert_true(worst < 1e-8);
        assert_true(worst_drift < 1e-4);
        assert_true(worst_turn < 1e-4); /* first order in 1e-6, rates of 30 rad/s */
        test_free(v);
        test_free(back);
        rod_destroy(&body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_discrete_rod), cmocka_unit_test(golden_spring_chain),
                                       cmocka_unit_test(gradient_is_that_of_the_energy),
                                       cmocka_unit_test(banded_solution_is_the_dense_one),
                                       cmocka_unit_test(points_move_as_their_jacobians_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
