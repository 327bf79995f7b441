/* Golden vectors of planar super-circle rods: special functions, element blocks, chained mass matrix, inertial and gravity
 * vectors, points and their Jacobians, trajectories of the linearly implicit step, Delassus blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rod/super_circle_rod.h"
#include "rod/super_circle_statics.h"
#include "tests/super_circle_fixture.h"

enum { MAX = 64, POINT_MAX = 4 * MAX };

static void read_numbers(const json *object, const char *key, double *out, size_t count)
{
    assert_int_equal(json_numbers(json_get(object, key), out, count), count);
}

static void special_functions(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_functions.json");
    const json *cases = json_get(file, "cases");
    assert_true(cases->count >= 10);
    double worst = 0.0;
    for (size_t k = 0; k < cases->count; ++k) {
        const json *one = cases->item[k];
        double phi = json_number(one, "phi"), f[CST_CIRCLE_SERIES];
        cst_circle_series(phi, f);
        const struct {
            const char *name;
            cst_plane value;
        } planar[] = {{"E1", cst_circle_E(phi, f)}, {"dE1", cst_circle_E1(phi, f)}, {"ddE1", cst_circle_E2(phi, f)},
                      {"P", cst_circle_P(phi, f)},  {"dP", cst_circle_P1(phi, f)},  {"ddP", cst_circle_P2(phi, f)}};
        for (size_t i = 0; i < sizeof planar / sizeof *planar; ++i) {
            double expected[2], scale;
            read_numbers(one, planar[i].name, expected, 2);
            scale = hypot(expected[0], expected[1]);
            worst = fmax(worst, hypot(planar[i].value.x - expected[0], planar[i].value.y - expected[1]) / scale);
        }
        const struct {
            const char *name;
            double value;
        } scalar[] = {{"a", cst_circle_a(f)},        {"da", cst_circle_a1(phi, f)}, {"b", cst_circle_b(f)},
                      {"db", cst_circle_b1(phi, f)}, {"c", cst_circle_c(f)},        {"dc", cst_circle_c1(phi, f)}};
        for (size_t i = 0; i < sizeof scalar / sizeof *scalar; ++i) {
            double expected = json_number(one, scalar[i].name);
            double error = fabs(scalar[i].value - expected);
            worst = fmax(worst, error > 0.0 ? error / fabs(expected) : 0.0);
        }
    }
    print_message("special functions: largest relative error %.2g\n", worst);
    assert_true(worst < 2e-14);
    json_free(file);
}

/* The two ways of summing the functions agree where they meet, and on both sides of the change of length of the series. */
static void special_functions_are_seamless(void **state)
{
    (void)state;
    for (int k = 1; k <= 60; ++k) {
        double phi = 4.0 * k / 60.0 * (1.0 - 1e-16), f[CST_CIRCLE_SERIES], far[CST_CIRCLE_SERIES];
        cst_circle_series(phi, f);
        cst_circle_series_far(phi, far);
        double tolerance = 4e-16 * (1.0 + pow(phi, -6.0)) * 5040.0;
        assert_close(far, f, CST_CIRCLE_SERIES, fmax(tolerance, 1e-14), 1e-4, "closed forms against series");
    }
    for (int k = 0; k < 60; ++k) { /* the short sums for points of a helix */
        double phi = sqrt(CST_CIRCLE_PLACE) * k / 60.0, f[CST_CIRCLE_SERIES], some[3];
        cst_circle_series(phi, f);
        cst_circle_place(phi * phi, &some[0], &some[1], &some[2]);
        assert_close(some, f + 1, 3, 5e-15, 0.1, "three functions against eight");
    }
    double below[CST_CIRCLE_SERIES], above[CST_CIRCLE_SERIES];
    cst_circle_series(nextafter(1.0, 0.0), below);
    cst_circle_series(1.0, above);
    assert_close(below, above, CST_CIRCLE_SERIES, 4e-16, 0.0, "at 1 rad");
    cst_circle_series(nextafter(4.0, 0.0), below);
    cst_circle_series(4.0, above);
    assert_close(below, above, CST_CIRCLE_SERIES, 5e-15, 0.0, "at 4 rad");
}

/* A rod of sc2d_rods.json; clamped: the root's velocity is left out. */
static cst_body_model golden_rod(const json *one, cst_rod_formulation formulation, bool clamped)
{
    int n = (int)json_number(one, "n");
    double lengths[MAX], q[MAX], v[MAX];
    read_numbers(one, "l", lengths, (size_t)n);
    read_numbers(one, "q", q, (size_t)n + 3);
    read_numbers(one, "v", v, (size_t)n + 3);
    cst_rod_def def = rod_definition(n, 0.0, json_number(one, "rhoA"), json_number(one, "EI"));
    def.element_length = lengths;
    def.natural_curvature = json_number(one, "kappa0");
    def.formulation = formulation;
    def.position[0] = q[0];
    def.position[1] = q[1];
    def.angle = q[2];
    def.curvature = q + 3;
    def.curvature_rate = v + 3;
    def.clamped = clamped;
    if (!clamped) {
        def.velocity[0] = v[0];
        def.velocity[1] = v[1];
        def.angular_velocity = v[2];
    }
    return rod_create(&def);
}

/* The right-hand side of the golden step, M v + dt (f - c - K (kappa - kappa_0)): that of ours, which has c/2 and leaves the other half
 * to the shape of the end. c is even in the velocities and M v is odd, so dt c/2 = rhs(0) - (rhs(v) + rhs(-v))/2. A is left
 * assembled. */
static void golden_rhs(cst_body_model *rod, const cst_step_frame *frame, int n, const double *q, const double *v, double *out)
{
    const int dofs = rod->class->dynamics->dofs(rod->self);
    const double sign[3] = {0.0, -1.0, 1.0};
    double rhs[3][POINT_MAX], rate[MAX];
    char message[256] = "";
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < n + 3; ++i)
            rate[i] = sign[k] * v[i];
        rod_set_state(rod, n, q, rate);
        assert_true(rod->class->dynamics->place(rod->self, frame, NULL));
        if (!rod->class->dynamics->assemble(rod->self, frame, NULL, message, sizeof message))
            fail_msg("%s", message);
        memcpy(rhs[k], rod->class->dynamics->rhs(rod->self), (size_t)dofs * sizeof *rhs[k]);
    }
    for (int d = 0; d < dofs; ++d)
        out[d] = rhs[2][d] - (rhs[0][d] - 0.5 * (rhs[1][d] + rhs[2][d]));
}

static void elements(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_rods.json");
    const json *rods = json_get(file, "rods");
    for (size_t k = 0; k < rods->count; ++k) {
        const json *one = rods->item[k];
        int n = (int)json_number(one, "n");
        double rhoA = json_number(one, "rhoA"), g[2], nodes[2 * MAX], theta[MAX], M[16 * MAX], h[4 * MAX], f[4 * MAX],
               F[12 * MAX], V[4 * MAX], bias[3 * MAX];
        read_numbers(one, "g", g, 2);
        read_numbers(one, "nodes", nodes, 2 * (size_t)n + 2);
        read_numbers(one, "theta", theta, (size_t)n + 1);
        read_numbers(one, "element_M", M, 16 * (size_t)n);
        read_numbers(one, "element_h", h, 4 * (size_t)n);
        read_numbers(one, "element_f", f, 4 * (size_t)n);
        read_numbers(one, "joint_F", F, 12 * (size_t)n);
        read_numbers(one, "element_V", V, 4 * (size_t)n);
        read_numbers(one, "bias", bias, 3 * (size_t)n);
        cst_body_model rod = golden_rod(one, CST_ROD_MIXED, false);
        const cst_super_circle *super = rod.self;
        for (int i = 0; i <= n; ++i) {
            const cst_circle_element *e = &super->now[i];
            double place[3] = {e->start.x, e->start.y, e->theta}, expected[3] = {nodes[2 * i], nodes[2 * i + 1], theta[i]};
            assert_close(place, expected, 3, 1e-13, 1.0, "node");
        }
        for (int i = 0; i < n; ++i) {
            const cst_circle_element *e = &super->now[i];
            double l = super->material[i].length, rate = super->rate[i];
            cst_circle_mass m = cst_circle_mass_of(e, l, rhoA);
            double mass[16] = {m.m,      0.0,      m.turn.x,    m.bend.x,    0.0,      m.m,      m.turn.y,    m.bend.y,
                               m.turn.x, m.turn.y, m.turn_turn, m.turn_bend, m.bend.x, m.bend.y, m.turn_bend, m.bend_bend};
            assert_close(mass, M + 16 * i, 16, 1e-12, 1e-6, "element mass");
            cst_circle_quad inertia = cst_circle_inertia_of(e, l, rhoA, rate);
            double force[4] = {inertia.xy.x, inertia.xy.y, inertia.theta, inertia.kappa};
            assert_close(force, h + 4 * i, 4, 1e-12, 1e-6, "element inertia");
            cst_circle_quad weight = cst_circle_weight_of(&m, (cst_plane){g[0], g[1]});
            double weights[4] = {weight.xy.x, weight.xy.y, weight.theta, weight.kappa};
            assert_close(weights, f + 4 * i, 4, 1e-12, 1e-6, "element weight");
            cst_circle_joint j = cst_circle_joint_of(e, l);
            double joint[12] = {1.0, 0.0, j.turn.x, j.bend.x, 0.0, 1.0, j.turn.y, j.bend.y, 0.0, 0.0, 1.0, l};
            assert_close(joint, F + 12 * i, 12, 1e-12, 1e-6, "joint");
            double velocity[4] = {e->velocity.x, e->velocity.y, e->turn, rate};
            assert_close(velocity, V + 4 * i, 4, 1e-12, 1e-3, "element velocity");
            double acceleration[3] = {e->bias.x, e->bias.y, 0.0};
            assert_close(acceleration, bias + 3 * i, 3, 1e-12, 1e-3, "bias");
        }
        rod_destroy(&rod);
    }
    json_free(file);
}

/* M, c and f of the chained rod through A and rhs of steps: with K, D and drag as given,
 * A = M + dt^2 K and rhs = M v + dt (f - c - K (kappa - kappa_0)) for theta = 1. */
static void chained_matrices(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_rods.json");
    const json *rods = json_get(file, "rods");
    for (size_t k = 0; k < rods->count; ++k) {
        const json *one = rods->item[k];
        int n = (int)json_number(one, "n"), m = n + 3;
        double M[MAX * MAX], c[MAX], f[MAX], q[MAX], v[MAX], l[MAX], g[2], energies[3];
        read_numbers(one, "M", M, (size_t)m * (size_t)m);
        read_numbers(one, "c", c, (size_t)m);
        read_numbers(one, "f", f, (size_t)m);
        read_numbers(one, "q", q, (size_t)m);
        read_numbers(one, "v", v, (size_t)m);
        read_numbers(one, "l", l, (size_t)n);
        read_numbers(one, "g", g, 2);
        read_numbers(one, "energies", energies, 3);
        double EI = json_number(one, "EI"), kappa0 = json_number(one, "kappa0"), dt = 0.01;
        cst_body_model rod = golden_rod(one, CST_ROD_CHAINED, false);
        cst_step_frame frame = step_frame(dt, 1.0, g[0], g[1]);
        cst_body described;
        double rhs[MAX];
        golden_rhs(&rod, &frame, n, q, v, rhs);
        rod.class->dynamics->describe(rod.self, &described);
        assert_int_equal(described.kind, CST_BODY_DENSE);
        assert_int_equal(described.size, m);
        for (int i = 0; i < m; ++i) {
            double row[MAX], expected = dt * (f[i] - c[i]);
            memcpy(row, M + i * m, (size_t)m * sizeof *row);
            for (int j = 0; j < m; ++j)
                expected += M[i * m + j] * v[j];
            if (i >= 3) {
                row[i] += dt * dt * EI * l[i - 3];
                expected -= dt * EI * l[i - 3] * (q[i] - kappa0);
            }
            assert_close(described.matrix + i * m, row, i + 1, 1e-11, 1e-6, "A");
            assert_close(rhs + i, &expected, 1, 1e-11, 1e-3, "rhs");
        }
        cst_body_energy energy;
        rod.class->dynamics->energy(rod.self, frame.gravity, &energy);
        double found[3] = {energy.kinetic, energy.gravity, energy.elastic};
        assert_close(found, energies, 3, 1e-12, 1e-6, "energies");
        rod_destroy(&rod);
    }
    json_free(file);
}

static void points(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_rods.json");
    const json *rods = json_get(file, "rods");
    for (size_t k = 0; k < rods->count; ++k) {
        const json *one = rods->item[k];
        int n = (int)json_number(one, "n"), m = n + 3;
        double S[MAX], position[2 * MAX], theta[MAX], dxdq[16 * MAX], v[MAX];
        size_t count = json_get(one, "S")->count;
        read_numbers(one, "S", S, count);
        read_numbers(one, "points", position, 2 * count);
        read_numbers(one, "point_theta", theta, count);
        read_numbers(one, "dxdq", dxdq, 2 * count * (size_t)m);
        read_numbers(one, "v", v, (size_t)m);
        cst_body_model chained = golden_rod(one, CST_ROD_CHAINED, false), mixed = golden_rod(one, CST_ROD_MIXED, false);
        for (size_t p = 0; p < count; ++p) {
            cst_material_point at;
            assert_true(chained.class->places->locate(chained.self, &(cst_place){.s = S[p]}, &at));
            int32_t dof[POINT_MAX];
            double j[2 * POINT_MAX], turn[POINT_MAX], full[2 * MAX] = {0}, rates[3], turning[3];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turn};
            chained.class->places->point(chained.self, &at, &motion);
            assert_close(motion.position, position + 2 * p, 2, 1e-13, 1.0, "position");
            assert_close(&motion.frame_angle, theta + p, 1, 1e-13, 1.0, "angle");
            for (int i = 0; i < motion.dofs; ++i) {
                full[dof[i]] = j[i];
                full[m + dof[i]] = j[motion.dofs + i];
            }
            assert_close(full, dxdq + 2 * p * (size_t)m, 2 * m, 1e-11, 1e-3, "dx/dq");

            /* The velocity of the point three ways. */
            double expected[2] = {0}, spinning = 0.0, four[2] = {0}, four_turn = 0.0;
            for (int i = 0; i < motion.dofs; ++i) {
                expected[0] += j[i] * v[dof[i]];
                expected[1] += j[motion.dofs + i] * v[dof[i]];
                spinning += turn[i] * v[dof[i]];
            }
            mixed.class->places->velocity(mixed.self, &at, rates, turning);
            assert_close(rates, expected, 2, 1e-12, 1e-2, "velocity");
            assert_close(turning + 2, &spinning, 1, 1e-12, 1e-2, "turning rate");
            mixed.class->places->point(mixed.self, &at, &motion);
            const cst_super_circle *super = mixed.self;
            const cst_circle_element *e = &super->now[at.feature];
            double own[4] = {e->velocity.x, e->velocity.y, e->turn, super->rate[at.feature]};
            assert_int_equal(motion.dofs, 4);
            for (int i = 0; i < 4; ++i) {
                assert_int_equal(dof[i], 4 * at.feature + i);
                four[0] += j[i] * own[i];
                four[1] += j[4 + i] * own[i];
                four_turn += turn[i] * own[i];
            }
            assert_close(four, expected, 2, 1e-12, 1e-2, "velocity by the element");
            assert_close(&four_turn, &spinning, 1, 1e-12, 1e-2, "turning rate by the element");
        }
        rod_destroy(&chained);
        rod_destroy(&mixed);
    }
    json_free(file);
}

/* H_golden (H^-1 e_j) = e_j for both ways of solving; a rod whose golden shape is not stable is made stiffer, which adds to the
 * diagonal. */
static void static_hessian(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_rods.json");
    const json *rods = json_get(file, "rods");
    for (size_t k = 0; k < rods->count; ++k) {
        const json *one = rods->item[k];
        int n = (int)json_number(one, "n"), refused = 0;
        double H[MAX * MAX], g[2], extra = 0.0;
        read_numbers(one, "hess_static", H, (size_t)n * (size_t)n);
        read_numbers(one, "g", g, 2);
        cst_body_model rod = golden_rod(one, CST_ROD_CHAINED, true);
        cst_super_circle *super = rod.self;
        cst_step_frame frame = step_frame(0.01, 1.0, g[0], g[1]);
        for (int which = 0; which < 2; ++which) {
            cst_circle_hessian how = which ? CST_CIRCLE_HESSIAN_DENSE : CST_CIRCLE_HESSIAN_SWEPT;
            for (int j = 0; j < n; ++j) {
                double x[MAX] = {0}, unit[MAX] = {0}, back[MAX] = {0};
                x[j] = unit[j] = 1.0;
                while (!cst_circle_hessian_solve(rod.self, how, &frame, NULL, 0, x)) {
                    assert_true(++refused < 20);
                    extra += 0.05;
                    for (int i = 0; i < n; ++i) {
                        super->material[i].stiffness += 0.05 * super->material[i].length;
                        H[i * n + i] += 0.05 * super->material[i].length;
                    }
                }
                for (int a = 0; a < n; ++a) {
                    for (int b = 0; b < n; ++b)
                        back[a] += H[a * n + b] * x[b];
                }
                assert_close(back, unit, n, 1e-10, 1.0, "H H^-1");
            }
        }
        print_message("static Hessian, n = %d: EI raised by %g\n", n, extra);
        rod_destroy(&rod);
    }
    json_free(file);
}

/* Each step from the golden state at its start: v+ and the shape it leads to. */
static void trajectories(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_traj.json");
    const json *list = json_get(file, "traj");
    assert_int_equal(list->count, 2);
    for (size_t k = 0; k < list->count; ++k) {
        const json *one = list->item[k], *steps = json_get(one, "steps");
        int n = (int)json_number(one, "n");
        double q[MAX], v[MAX], g[2], worst[2] = {0};
        read_numbers(one, "g", g, 2);
        for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
            cst_rod_def def = rod_definition(n, json_number(one, "L"), json_number(one, "rhoA"), json_number(one, "EI"));
            def.formulation = (cst_rod_formulation)formulation;
            def.natural_curvature = json_number(one, "kappa0");
            const json *gamma = json_find(one, "gamma"), *nu = json_find(one, "nu");
            def.viscosity = gamma ? gamma->number : 0.0;
            def.drag = nu ? nu->number : 0.0;
            def.clamped = json_get(one, "clamped")->kind == JSON_TRUE;
            read_numbers(steps->item[0], "q", q, (size_t)n + 3);
            read_numbers(steps->item[0], "v", v, (size_t)n + 3);
            def.position[0] = q[0];
            def.position[1] = q[1];
            def.angle = q[2];
            cst_body_model rod = rod_create(&def);
            const cst_super_circle *super = rod.self;
            cst_step_frame frame = step_frame(json_number(one, "dt"), 1.0, g[0], g[1]);
            for (size_t step = 1; step < steps->count; ++step) {
                double expected_q[MAX], expected_v[MAX], x[POINT_MAX];
                read_numbers(steps->item[step], "q", expected_q, (size_t)n + 3);
                read_numbers(steps->item[step], "v", expected_v, (size_t)n + 3);
                read_numbers(steps->item[step - 1], "q", q, (size_t)n + 3);
                read_numbers(steps->item[step - 1], "v", v, (size_t)n + 3);
                golden_rhs(&rod, &frame, n, q, v, x);
                assert_true(rod.class->dynamics->solve(rod.self, x));
                for (int i = 0; i < n + 3; ++i) {
                    if (i >= 3)
                        v[i] = x[super->rate_first + (i - 3) * super->rate_stride];
                    else
                        v[i] = def.clamped ? 0.0 : x[i];
                    q[i] += frame.dt * v[i];
                }
                assert_close(q, expected_q, n + 3, 1e-10, 1.0, "q");
                assert_close(v, expected_v, n + 3, 1e-10, 1.0, "v");
                double *most = &worst[formulation - CST_ROD_CHAINED];
                *most = fmax(*most, fmax(largest_difference(q, expected_q, n + 3), largest_difference(v, expected_v, n + 3)));
            }
            rod_destroy(&rod);
        }
        print_message("%s: largest difference chained %.2g, mixed %.2g\n", json_text(one, "name"), worst[0], worst[1]);
    }
    json_free(file);
}

/* W = H A^-1 H^T and w = H A^-1 rhs + drift, through point and solve. */
static void delassus(void **state)
{
    (void)state;
    json *file = json_read_data("rods/sc2d_W.json");
    enum { N = 5, ROWS = 4 };
    double q[N + 3], v[N + 3], W[ROWS * ROWS], w[ROWS];
    read_numbers(file, "q", q, N + 3);
    read_numbers(file, "v", v, N + 3);
    read_numbers(file, "W", W, ROWS * ROWS);
    read_numbers(file, "w", w, ROWS);
    const json *contacts = json_get(file, "contacts");
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        cst_rod_def def = rod_definition(N, 1.0, 0.1, 0.01);
        def.formulation = (cst_rod_formulation)formulation;
        def.natural_curvature = 1.0;
        def.clamped = true;
        def.position[0] = q[0];
        def.position[1] = q[1];
        def.angle = q[2];
        cst_body_model rod = rod_create(&def);
        cst_step_frame frame = step_frame(2e-3, 1.0, 0.0, -9.81);
        double rhs[POINT_MAX];
        golden_rhs(&rod, &frame, N, q, v, rhs);
        int dofs = rod.class->dynamics->dofs(rod.self);
        assert_int_equal(dofs, formulation == CST_ROD_CHAINED ? N : 4 * N);
        double H[ROWS][4 * N] = {{0}}, x[4 * N], found[ROWS * ROWS], free_velocity[ROWS];
        for (size_t c = 0; c < contacts->count; ++c) {
            cst_material_point at;
            int32_t dof[4 * N];
            double j[8 * N], turn[4 * N], place[2]; /* arc length, angle of the normal */
            assert_int_equal(json_numbers(contacts->item[c], place, 2), 2);
            double angle = place[1];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turn};
            assert_true(rod.class->places->locate(rod.self, &(cst_place){.s = place[0]}, &at));
            rod.class->places->point(rod.self, &at, &motion);
            for (int i = 0; i < motion.dofs; ++i) {
                H[2 * c][dof[i]] = cos(angle) * j[i] + sin(angle) * j[motion.dofs + i];
                H[2 * c + 1][dof[i]] = -sin(angle) * j[i] + cos(angle) * j[motion.dofs + i];
            }
            assert_true(motion.drift[0] == 0.0 && motion.drift[1] == 0.0);
        }
        for (int b = 0; b < ROWS; ++b) {
            memcpy(x, H[b], (size_t)dofs * sizeof *x);
            assert_true(rod.class->dynamics->solve(rod.self, x));
            for (int a = 0; a < ROWS; ++a) {
                found[a * ROWS + b] = 0.0;
                for (int i = 0; i < dofs; ++i)
                    found[a * ROWS + b] += H[a][i] * x[i];
            }
        }
        memcpy(x, rhs, (size_t)dofs * sizeof *x);
        assert_true(rod.class->dynamics->solve(rod.self, x));
        for (int a = 0; a < ROWS; ++a) {
            free_velocity[a] = 0.0;
            for (int i = 0; i < dofs; ++i)
                free_velocity[a] += H[a][i] * x[i];
        }
        assert_close(found, W, ROWS * ROWS, 1e-10, 1.0, "W");
        assert_close(free_velocity, w, ROWS, 1e-10, 1e-2, "w");
        rod_destroy(&rod);
    }
    json_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(special_functions),
                                       cmocka_unit_test(special_functions_are_seamless),
                                       cmocka_unit_test(elements),
                                       cmocka_unit_test(chained_matrices),
                                       cmocka_unit_test(points),
                                       cmocka_unit_test(static_hessian),
                                       cmocka_unit_test(trajectories),
                                       cmocka_unit_test(delassus)};
    return cmocka_run_group_tests_name("super-circle, golden vectors", tests, NULL, NULL);
}
