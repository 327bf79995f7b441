/* Golden vectors of super helices: local maps, nodes, points and their Jacobians, mass matrix, inertial and gravity vectors,
 * energies, trajectories of the linearly implicit step, equilibria, Delassus blocks. Both formulations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation.h"
#include "tests/super_helix_fixture.h"

enum { MAX = 8, DOFS_MAX = 9 * MAX };

static const cst_fiber_formulation both[2] = {CST_FIBER_DENSE, CST_FIBER_SWEEP};

static void read_numbers(const json *object, const char *key, double *out, size_t count)
{
    assert_int_equal(json_numbers(json_get(object, key), out, count), count);
}

/* Curvatures that may be given once for all elements. */
static cst_body_model golden_helix(const json *one, cst_fiber_formulation formulation, bool clamped)
{
    double K[3], u0[3];
    read_numbers(one, "K", K, 3);
    cst_fiber_def def = helix_definition((int)json_number(one, "N"), json_number(one, "L"), json_number(one, "rhoA"), K);
    if (json_find(one, "u0")) {
        read_numbers(one, "u0", u0, 3);
        memcpy(def.natural_curvature, u0, sizeof u0);
    }
    def.formulation = formulation;
    def.clamped = clamped;
    cst_body_model helix = helix_create(&def);
    helix_plain(&helix, (int)json_number(one, "ng"));
    return helix;
}

static void local_maps(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sh3d_local.json");
    const json *cases = json_get(file, "cases");
    assert_true(cases->count >= 5);
    for (size_t k = 0; k < cases->count; ++k) {
        const json *one = cases->item[k];
        double u[3], rate[3], expected[9], value[9];
        read_numbers(one, "u", u, 3);
        read_numbers(one, "ud", rate, 3);
        const cst_helix_maps m = cst_helix_maps_at(u, json_number(one, "s"));
        read_numbers(one, "p", expected, 3);
        cst_helix_place(&m, value);
        assert_close(value, expected, 3, 1e-14, 1e-2, "p");
        read_numbers(one, "G", expected, 9);
        cst_helix_bend(&m, value);
        assert_close(value, expected, 9, 1e-13, 1e-2, "G");
        read_numbers(one, "V", expected, 9);
        cst_helix_turning(&m, value);
        assert_close(value, expected, 9, 1e-14, 1e-2, "V");
        double by[3], product[3];
        cst_helix_turning_times(&m, 1.0, rate, by);
        cst_apply3(value, rate, product);
        assert_close(by, product, 3, 1e-14, 1e-2, "V u'");
        cst_helix_turning_times(&m, -1.0, rate, by);
        cst_apply_transposed3(value, rate, product);
        assert_close(by, product, 3, 1e-14, 1e-2, "V^T u'");
        read_numbers(one, "Q", expected, 9);
        cst_helix_frame(&m, value);
        assert_close(value, expected, 9, 1e-14, 1e-2, "Q");
        cst_helix_tangent(&m, by);
        const double column[3] = {value[0], value[3], value[6]};
        assert_close(by, column, 3, 1e-14, 1e-2, "tangent");
        read_numbers(one, "pdd", expected, 3);
        cst_helix_place_rate2(&m, rate, value);
        assert_close(value, expected, 3, 1e-13, 1e-2, "p''");
        read_numbers(one, "Vdw", expected, 3);
        cst_helix_turning_rate2(&m, rate, value);
        assert_close(value, expected, 3, 1e-13, 1e-2, "V' u'");
    }
    json_free(file);
}

/* The golden order of the dofs of a free rod: six of the root, then three of each element from the root on. Returns the index in v of
 * golden dof d. */
static int own_dof(const cst_super_helix *rod, int d)
{
    return d < 6 ? rod->root_first + d : rod->rate_first + (d - 6) / 3 * rod->rate_stride + d % 3;
}

/* Places, points and dr/dq of one rod in the dense formulation with a free root. */
static void check_places(const json *one, const cst_body_model *helix)
{
    const cst_super_helix *rod = helix->self;
    const int n = rod->elements, dofs = 3 * n + 6;
    double nodes[3 * (MAX + 1)], frames[9 * (MAX + 1)], S[3], points[9], jacobian[9 * DOFS_MAX];
    read_numbers(one, "nodes", nodes, 3 * (size_t)n + 3);
    read_numbers(one, "frames", frames, 9 * (size_t)n + 9);
    read_numbers(one, "S", S, 3);
    read_numbers(one, "points", points, 9);
    read_numbers(one, "drdq", jacobian, 9 * (size_t)dofs);
    for (int i = 0; i <= n; ++i) {
        assert_close(rod->now[i].start, nodes + 3 * i, 3, 1e-14, 1.0, "node");
        assert_close(rod->now[i].frame, frames + 9 * i, 9, 1e-14, 1.0, "frame");
    }
    for (int k = 0; k < 3; ++k) {
        int32_t dof[DOFS_MAX];
        double j[3 * DOFS_MAX], j_turn[3 * DOFS_MAX], full[3 * DOFS_MAX] = {0.0}, golden[3 * DOFS_MAX];
        cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
        cst_material_point at;
        assert_true(helix->class->places->locate(helix->self, &(cst_place){.s = S[k], .at_end = k == 2}, &at));
        helix->class->places->point(helix->self, &at, &motion);
        assert_close(motion.position, points + 3 * k, 3, 1e-14, 1.0, "point");
        for (int c = 0; c < motion.dofs; ++c) {
            for (int r = 0; r < 3; ++r)
                full[r * dofs + dof[c]] = j[r * motion.dofs + c];
        }
        for (int d = 0; d < 3 * dofs; ++d)
            golden[d] = full[d / dofs * dofs + own_dof(rod, d % dofs)];
        assert_close(golden, jacobian + 3 * k * dofs, 3 * dofs, 1e-13, 1e-2, "dr/dq");
    }
}

static void rods(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sh3d_rods.json");
    const json *all = json_get(file, "rods");
    assert_true(all->count >= 2);
    for (size_t k = 0; k < all->count; ++k) {
        const json *one = all->item[k];
        cst_body_model helix = golden_helix(one, CST_FIBER_DENSE, false);
        const cst_super_helix *rod = helix.self;
        const int n = rod->elements, dofs = 3 * n + 6;
        double r0[3], R0[9], u[3 * MAX], X0[6], ud[3 * MAX], g[3], M[DOFS_MAX * DOFS_MAX], h[DOFS_MAX], f[DOFS_MAX], energies[3];
        read_numbers(one, "r0", r0, 3);
        read_numbers(one, "R0", R0, 9);
        read_numbers(one, "u", u, 3 * (size_t)n);
        read_numbers(one, "X0", X0, 6);
        read_numbers(one, "ud", ud, 3 * (size_t)n);
        read_numbers(one, "g", g, 3);
        read_numbers(one, "M", M, (size_t)(dofs * dofs));
        read_numbers(one, "h", h, (size_t)dofs);
        read_numbers(one, "f", f, (size_t)dofs);
        read_numbers(one, "energies", energies, 3);
        helix_set_state(&helix, r0, R0, u, X0, ud);
        check_places(one, &helix);

        /* dt = 0: A is M and rhs is M v. dt = 1: rhs is M v + f - h/2 - K (u - u_0); the other half of h comes with the shape at the
         * end (super_helix_momentum.h). */
        char message[256];
        cst_step_frame frame = helix_step_frame(0.0, 1.0, 0.0, 0.0, 0.0);
        cst_body body;
        double momentum[DOFS_MAX], forces[DOFS_MAX], weight[DOFS_MAX], full[DOFS_MAX * DOFS_MAX];
        assert_true(helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message));
        helix.class->dynamics->describe(helix.self, &body);
        for (int d = 0; d < dofs * dofs; ++d) { /* its lower triangle */
            const int row = own_dof(rod, d / dofs), column = own_dof(rod, d % dofs);
            full[d] = body.matrix[row > column ? row * dofs + column : column * dofs + row];
        }
        for (int i = 0; i < dofs; ++i)
            assert_close(full + i * dofs, M + i * dofs, i + 1, 1e-12, 1e-5, "mass matrix");
        for (int i = 0; i < dofs; ++i)
            momentum[i] = body.rhs[own_dof(rod, i)];
        frame.dt = 1.0;
        assert_true(helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message));
        for (int i = 0; i < dofs; ++i)
            forces[i] = body.rhs[own_dof(rod, i)] - momentum[i];
        memcpy(frame.gravity, g, sizeof g);
        assert_true(helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message));
        for (int i = 0; i < dofs; ++i) {
            weight[i] = body.rhs[own_dof(rod, i)] - momentum[i] - forces[i];
            forces[i] = -forces[i];
        }
        for (int i = 0; i < 3 * n; ++i) {
            const cst_helix_material *material = &rod->material[i / 3];
            forces[6 + i] -= material->stiffness[i % 3] * (u[i] - material->natural[i % 3]);
        }
        for (int i = 0; i < dofs; ++i)
            forces[i] *= 2.0;
        assert_close(forces, h, dofs, 1e-10, 1e-3, "inertial forces");
        assert_close(weight, f, dofs, 1e-12, 1e-3, "weight");
        cst_body_energy energy;
        helix.class->dynamics->energy(helix.self, g, &energy);
        const double found[3] = {energy.kinetic, energy.elastic, energy.gravity};
        /* The file has kinetic, elastic, gravity in some order: each of ours is one of them. */
        for (int i = 0; i < 3; ++i) {
            double nearest = INFINITY;
            for (int j = 0; j < 3; ++j)
                nearest = fmin(nearest, fabs(found[i] - energies[j]));
            assert_true(nearest < 1e-12);
        }
        rod_destroy(&helix);
    }
    json_free(file);
}

typedef struct golden_state {
    double r0[3], R0[9], u[3 * MAX], X0[6], ud[3 * MAX];
} golden_state;

static golden_state read_state(const json *one, int n)
{
    golden_state s;
    read_numbers(one, "r0", s.r0, 3);
    read_numbers(one, "R0", s.R0, 9);
    read_numbers(one, "u", s.u, 3 * (size_t)n);
    read_numbers(one, "X0", s.X0, 6);
    read_numbers(one, "ud", s.ud, 3 * (size_t)n);
    return s;
}

/* The golden root ends a step with a velocity that is not the secant of its path: a motion for this one step whose secant is that
 * velocity; the curvatures are what is compared. */
static void lead_root(cst_super_helix *rod, cst_key *key, const golden_state *from, const golden_state *to, double time,
                      double dt)
{
    memcpy(rod->rest.position, from->r0, sizeof from->r0);
    memcpy(rod->rest.frame, from->R0, sizeof from->R0);
    key[0] = (cst_key){.time = time};
    key[1] = (cst_key){.time = time + dt};
    for (int k = 0; k < 3; ++k) {
        key[1].translation[k] = dt * to->X0[k];
        key[1].rotation[k] = dt * to->X0[3 + k];
    }
    rod->root_motion = (cst_motion){.key = key, .keys = 2};
}

static void load_state(cst_body_model *helix, const golden_state *s, double sign)
{
    double X0[6], ud[3 * MAX];
    for (int k = 0; k < 6; ++k)
        X0[k] = sign * s->X0[k];
    for (int k = 0; k < 3 * MAX; ++k)
        ud[k] = sign * s->ud[k];
    helix_set_state(helix, s->r0, s->R0, s->u, X0, ud);
}

/* v+ of the golden step, A v+ = M v + dt (f - h - K (u - u_0)): that of ours, which has h/2. h is even in the velocities and M v is
 * odd, so dt h/2 = rhs(0) - (rhs(v) + rhs(-v))/2. */
static void golden_velocities(cst_body_model *helix, const cst_step_frame *frame, const golden_state *now, double *v)
{
    const int dofs = helix->class->dynamics->dofs(helix->self);
    const double sign[3] = {0.0, -1.0, 1.0};
    double rhs[3][DOFS_MAX];
    char message[256] = "";
    for (int k = 0; k < 3; ++k) {
        load_state(helix, now, sign[k]);
        assert_true(helix->class->dynamics->place(helix->self, frame, NULL));
        if (!helix->class->dynamics->assemble(helix->self, frame, NULL, message, sizeof message))
            fail_msg("%s", message);
        memcpy(rhs[k], helix->class->dynamics->rhs(helix->self), (size_t)dofs * sizeof *rhs[k]);
    }
    for (int d = 0; d < dofs; ++d)
        v[d] = rhs[2][d] - (rhs[0][d] - 0.5 * (rhs[1][d] + rhs[2][d]));
    assert_true(helix->class->dynamics->solve(helix->self, v));
}

/* Each step from the golden state at its start: v+ and the shape it leads to. */
static void trajectories(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sh3d_traj.json");
    const json *all = json_get(file, "traj");
    assert_true(all->count >= 3);
    for (size_t t = 0; t < 2 * all->count; ++t) {
        const json *one = all->item[t / 2], *steps = json_get(one, "steps");
        const bool is_free = json_get(one, "free")->kind == JSON_TRUE, led = json_get(one, "root_motion")->kind == JSON_STRING;
        cst_body_model helix = golden_helix(one, both[t % 2], !is_free);
        cst_super_helix *rod = helix.self;
        const int n = rod->elements;
        double g[3], v[DOFS_MAX], worst = 0.0;
        read_numbers(one, "g", g, 3);
        rod->drag = json_number(one, "nu");
        for (int k = 0; k < 3 * n; ++k)
            rod->material[k / 3].damping[k % 3] = json_number(one, "gamma") * rod->material[k / 3].length;
        cst_step_frame frame = helix_step_frame(json_number(one, "dt"), 1.0, g[0], g[1], g[2]);
        golden_state now = read_state(steps->item[0], n);
        cst_key key[2];
        for (size_t k = 1; k < steps->count; ++k) {
            const golden_state next = read_state(steps->item[k], n);
            if (led)
                lead_root(rod, key, &now, &next, frame.time, frame.dt);
            golden_velocities(&helix, &frame, &now, v);
            double largest_u = 1.0, largest_rate = 1.0, u[3 * MAX], rate[3 * MAX];
            for (int i = 0; i < 3 * n; ++i) {
                rate[i] = v[rod->rate_first + i / 3 * rod->rate_stride + i % 3];
                u[i] = now.u[i] + frame.dt * rate[i];
                largest_u = fmax(largest_u, fabs(next.u[i]));
                largest_rate = fmax(largest_rate, fabs(next.ud[i]));
            }
            worst = fmax(worst, largest_difference(u, next.u, 3 * n) / largest_u);
            worst = fmax(worst, largest_difference(rate, next.ud, 3 * n) / largest_rate);
            if (is_free) {
                const double *root = v + rod->root_first,
                             turned[3] = {frame.dt * root[3], frame.dt * root[4], frame.dt * root[5]};
                cst_add3(frame.dt, root, now.r0);
                cst_rotation_turn(turned, now.R0);
                worst = fmax(worst, largest_difference(now.r0, next.r0, 3));
                worst = fmax(worst, largest_difference(now.R0, next.R0, 9));
            }
            now = next;
            frame.time += frame.dt;
        }
        print_message("%s, %s: off by %.2g\n", json_text(one, "name"), helix.class->name, worst);
        /* Without spin inertia a free rod hardly resists spinning: the first step takes it from 2 to 100 rad/s, and rounding is
         * amplified likewise, most in the dense matrix. 1e-10 is the file's own tolerance. */
        assert_true(worst < (!is_free ? 1e-11 : both[t % 2] == CST_FIBER_DENSE ? 1e-9 : 1e-10));
        rod_destroy(&helix);
    }
    json_free(file);
}

static void equilibria(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sh3d_static.json");
    const json *all = json_get(file, "cases");
    for (size_t k = 0; k < all->count; ++k) {
        const json *one = all->item[k];
        cst_body_model helix = golden_helix(one, CST_FIBER_AUTO, true);
        cst_super_helix *rod = helix.self;
        const int n = rod->elements;
        double R0[9], u[3 * MAX], tip[3], found[3], g[3], zero[3 * MAX] = {0.0};
        char message[256] = "";
        int iterations;
        read_numbers(one, "R0", R0, 9);
        read_numbers(one, "u", u, 3 * (size_t)n);
        read_numbers(one, "tip", tip, 3);
        read_numbers(one, "g", g, 3);
        helix_set_state(&helix, zero, R0, zero, zero, zero);
        cst_step_frame frame = helix_step_frame(1e-3, 1.0, g[0], g[1], g[2]);
        if (!helix.class->equilibrium(helix.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message))
            fail_msg("%s", message);
        helix_tip(&helix, found);
        print_message("%s: %d iterations, u off by %.2g, tip by %.2g m\n", json_text(one, "name"), iterations,
                      largest_difference(rod->u, u, 3 * n), largest_difference(found, tip, 3));
        assert_close(rod->u, u, 3 * n, 1e-9, 10.0, "u");
        assert_close(found, tip, 3, 1e-9, 0.1, "tip");
        rod_destroy(&helix);
    }
    json_free(file);
}

/* W = H A^-1 H^T with both formulations. */
static void delassus(void **state)
{
    (void)state;
    json *one = json_read_data("rods/sh3d_W.json");
    const int n = (int)json_number(one, "N");
    double R0[9], u[3 * MAX], S[3], W[81], zero[3 * MAX] = {0.0};
    read_numbers(one, "R0", R0, 9);
    read_numbers(one, "u", u, 3 * (size_t)n);
    read_numbers(one, "S", S, 3);
    read_numbers(one, "W", W, 81);
    for (int t = 0; t < 2; ++t) {
        cst_body_model helix = golden_helix(one, both[t], true);
        const int dofs = helix.class->dynamics->dofs(helix.self);
        char message[256];
        double H[9][DOFS_MAX] = {{0.0}}, x[DOFS_MAX], found[81];
        helix_set_state(&helix, zero, R0, u, zero, zero);
        cst_step_frame frame = helix_step_frame(json_number(one, "dt"), 1.0, 0.0, 0.0, 0.0);
        assert_true(helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message));
        for (int k = 0; k < 3; ++k) {
            int32_t dof[DOFS_MAX];
            double j[3 * DOFS_MAX], j_turn[3 * DOFS_MAX];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
            cst_material_point at;
            assert_true(helix.class->places->locate(helix.self, &(cst_place){.s = S[k]}, &at));
            helix.class->places->point(helix.self, &at, &motion);
            for (int c = 0; c < 3 * motion.dofs; ++c)
                H[3 * k + c / motion.dofs][dof[c % motion.dofs]] = j[c];
        }
        for (int c = 0; c < 9; ++c) {
            memcpy(x, H[c], sizeof x);
            assert_true(helix.class->dynamics->solve(helix.self, x));
            for (int r = 0; r < 9; ++r) {
                found[9 * r + c] = 0.0;
                for (int d = 0; d < dofs; ++d)
                    found[9 * r + c] += H[r][d] * x[d];
            }
        }
        print_message("W, %s: off by %.2g of %.2g\n", helix.class->name, largest_difference(found, W, 81), W[0]);
        assert_close(found, W, 81, 1e-10, 1.0, "W");
        rod_destroy(&helix);
    }
    json_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_maps), cmocka_unit_test(rods), cmocka_unit_test(trajectories),
                                       cmocka_unit_test(equilibria), cmocka_unit_test(delassus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
