/* Equilibria of super helices: the cantilever in space at order 2, curls at order 2, helices under end moments, the Hessian by
 * how Newton converges; and how near fitted fibers come to their points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation.h"
#include "tests/super_helix_fixture.h"

enum { MAX = 256 };
static const double pi = 3.14159265358979323846;

static void settle(cst_body_model *helix, const double *gravity, const cst_point_load *load, int loads, int *iterations)
{
    char message[256] = "";
    cst_step_frame frame = helix_step_frame(1e-3, 1.0, gravity[0], gravity[1], gravity[2]);
    if (!helix->class->equilibrium(helix->self, &frame, load, loads, 1e-12, iterations, message, sizeof message))
        fail_msg("%s", message);
}

/* A naturally straight rod clamped level under its weight, in no direction in particular: the planar elastica
 * (docs/maths_rods.md, 1.5). */
static void cantilever_in_space(void **state)
{
    (void)state;
    const struct {
        double gamma, x, y;
    } known[3] = {{0.1, 0.99991073, -0.01249844}, {10.0, 0.65635376, -0.70019972}, {1e3, 0.04598645, -0.98114127}};
    for (int k = 0; k < 3; ++k) {
        double error[4], R[9], direction[3][3];
        int iterations = 0;
        some_rotation(R);
        for (int c = 0; c < 9; ++c)
            direction[c % 3][c / 3] = R[c]; /* along, and two across */
        for (int m = 0; m < 4; ++m) {
            const double EI = 0.1 / known[k].gamma * 10.0, stiffness[3] = {0.7 * EI, EI, EI};
            cst_fiber_def def = helix_definition(8 << m, 1.0, 0.1, stiffness);
            memcpy(def.frame, R, sizeof R);
            cst_body_model helix = helix_create(&def);
            double down[3], gravity[3], tip[3];
            for (int d = 0; d < 3; ++d) {
                down[d] = 0.6 * direction[1][d] - 0.8 * direction[2][d];
                gravity[d] = 10.0 * down[d];
            }
            settle(&helix, gravity, NULL, 0, &iterations);
            helix_tip(&helix, tip);
            error[m] = hypot(cst_dot3(tip, direction[0]) - known[k].x, cst_dot3(tip, down) + known[k].y);
            double out_of_plane = fabs(0.8 * cst_dot3(tip, direction[1]) + 0.6 * cst_dot3(tip, direction[2]));
            assert_true(out_of_plane < 1e-10);
            rod_destroy(&helix);
        }
        print_message("Gamma %g: tip off by %.2g, %.2g, %.2g, %.2g for 8 to 64 elements; %d iterations\n", known[k].gamma,
                      error[0], error[1], error[2], error[3], iterations);
        assert_true(log2(error[2] / error[3]) > 1.9 && log2(error[2] / error[3]) < 2.15);
    }
}

/* Hanging curls against a fine one. */
static void curls(void **state)
{
    (void)state;
    const double EI = 7.037e-9, stiffness[3] = {EI / 1.35, EI, EI}, gravity[3] = {0.0, 0.0, -9.81};
    const double hanging[9] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0};
    double tip[4][3], error[3];
    for (int m = 0; m < 4; ++m) {
        const int n = m < 3 ? 8 << m : 256;
        cst_fiber_def def = helix_definition(n, 0.15, 6.5345e-6, stiffness);
        memcpy(def.frame, hanging, sizeof hanging);
        def.natural_curvature[0] = 40.0;
        def.natural_curvature[1] = 80.0;
        cst_body_model helix = helix_create(&def);
        int iterations;
        settle(&helix, gravity, NULL, 0, &iterations);
        helix_tip(&helix, tip[m]);
        rod_destroy(&helix);
    }
    for (int m = 0; m < 3; ++m) {
        double off[3];
        cst_subtract3(tip[m], tip[3], off);
        error[m] = sqrt(cst_dot3(off, off)) / 0.15;
    }
    print_message("hanging curl, tip off by %.2g, %.2g, %.2g of the length for 8, 16, 32 elements\n", error[0], error[1],
                  error[2]);
    assert_true(log2(error[1] / error[2]) > 1.9 && log2(error[1] / error[2]) < 2.2);
}

/* A moment at the end bends a rod to a circle, or twists it, all along. */
static void end_moments(void **state)
{
    (void)state;
    const double EI = 0.01, GJ = 0.007, stiffness[3] = {GJ, EI, EI};
    for (int k = 0; k < 3; ++k) {
        cst_fiber_def def = helix_definition(12, 1.0, 0.1, stiffness);
        cst_body_model helix = helix_create(&def);
        const cst_super_helix *rod = helix.self;
        cst_point_load load = {.moment = {0.0, 0.0, 0.0}};
        const double still[3] = {0.0, 0.0, 0.0}, moment = k == 0 ? 0.01 : 0.04;
        int iterations;
        load.moment[k] = moment;
        assert_true(helix.class->places->locate(helix.self, &(cst_place){.at_end = true}, &load.at));
        settle(&helix, still, &load, 1, &iterations);
        double worst = 0.0;
        for (int i = 0; i < 36; ++i)
            worst = fmax(worst, fabs(rod->u[i] - (i % 3 == k ? moment / stiffness[k] : 0.0)));
        print_message("moment about axis %d: curvatures off by %.2g of %.2g, %d iterations\n", k, worst, moment / stiffness[k],
                      iterations);
        assert_true(worst < 1e-9);
        rod_destroy(&helix);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ fitting */

static void trefoil(double t, double *x)
{
    x[0] = 0.1 * (sin(t) + 2.0 * sin(2.0 * t));
    x[1] = 0.1 * (cos(t) - 2.0 * cos(2.0 * t));
    x[2] = -0.1 * sin(3.0 * t);
}

static void wave(double t, double *x)
{
    x[0] = 0.1 * t;
    x[1] = 0.05 * sin(2.0 * t);
    x[2] = 0.03 * cos(t);
}

/* n + 1 points at equal arc lengths along a curve, t from `from` to `to`. The length. */
static double sample(void (*curve)(double, double *), double from, double to, int n, double *point)
{
    enum { FINE = 200000 };
    double before[3], x[3], length = 0.0;
    for (int pass = 0; pass < 2; ++pass) { /* the length first */
        double run = 0.0;
        int next = 1;
        curve(from, before);
        memcpy(point, before, sizeof before);
        for (int k = 1; k <= FINE; ++k) {
            double step[3];
            curve(from + (to - from) * k / FINE, x);
            cst_subtract3(x, before, step);
            const double ahead = sqrt(cst_dot3(step, step));
            run += ahead;
            if (pass == 1 && next < n && run >= next * length / n) {
                double *here = point + 3 * next;
                memcpy(here, x, sizeof x);
                cst_add3(-(run - next * length / n) / ahead, step, here);
                ++next;
            }
            memcpy(before, x, sizeof x);
        }
        length = run;
    }
    memcpy(point + 3 * n, before, sizeof before);
    return length;
}

static void fitted_to_points(void **state)
{
    (void)state;
    static double point[3 * (MAX + 1)];
    const double stiffness[3] = {0.01, 0.01, 0.01};
    double before[2] = {0.0, 0.0};
    for (int m = 0; m < 3; ++m) {
        const int n = 32 << m;
        const double length = sample(trefoil, 0.4, 2.0 * pi + 0.2, n, point);
        cst_fiber_def def = helix_definition(n, length, 0.1, stiffness);
        def.point = point;
        def.clamped = false;
        cst_body_model helix = helix_create(&def);
        const cst_super_helix *rod = helix.self;
        const double fit = cst_super_helix_fit(&helix), l = length / n;
        double twist = 0.0, jump = 0.0, bend = 0.0;
        for (int i = 0; i < n; ++i) {
            twist = fmax(twist, fabs(rod->u[3 * i]));
            bend = fmax(bend, hypot(rod->u[3 * i + 1], rod->u[3 * i + 2]));
            for (int k = 1; k < 3 && i > 0; ++k)
                jump = fmax(jump, fabs(rod->u[3 * i + k] - rod->u[3 * i - 3 + k]));
        }
        print_message(
            "trefoil, %d elements: joints within %.2g of an element, twist to %.2g, curvature to %.3g, jumps to %.2g 1/m\n", n,
            fit / l, twist, bend, jump);
        assert_true(fit < 1e-2 * l && twist < 1e-9 * bend);
        assert_true(m == 0 || (fit < 0.3 * before[0] && jump < 0.6 * before[1])); /* smooth: no arcs bent to and fro */
        before[0] = fit;
        before[1] = jump;
        rod_destroy(&helix);
    }
    const double length = sample(wave, 0.0, 10.0, 12, point);
    cst_fiber_def def = helix_definition(12, length, 0.1, stiffness);
    def.point = point;
    cst_body_model helix = helix_create(&def);
    print_message("coarse wave: joints within %.2g of an element\n", cst_super_helix_fit(&helix) / (length / 12));
    assert_true(cst_super_helix_fit(&helix) < 0.05 * length / 12);
    rod_destroy(&helix);
}

/* A closed trefoil: its ends meet. */
static void closed_knot(void **state)
{
    (void)state;
    static double point[3 * (MAX + 1)];
    const double stiffness[3] = {0.01, 0.01, 0.01}, length = sample(trefoil, 0.0, 2.0 * pi, 96, point);
    cst_fiber_def def = helix_definition(96, length, 0.1, stiffness);
    def.point = point;
    def.clamped = false;
    def.closed = true;
    cst_body_model helix = helix_create(&def);
    const cst_super_helix *rod = helix.self;
    double gap[3], turn = 0.0;
    cst_subtract3(rod->now[96].start, rod->now[0].start, gap);
    for (int k = 0; k < 3; ++k)
        turn += rod->now[96].frame[3 * k] * rod->now[0].frame[3 * k];
    print_message("closed trefoil: gap %.2g m, tangents %.2g rad apart, joints within %.2g of an element\n",
                  sqrt(cst_dot3(gap, gap)), acos(fmin(turn, 1.0)), cst_super_helix_fit(&helix) / (length / 96));
    assert_true(acos(fmin(turn, 1.0)) < 0.02);
    rod_destroy(&helix);
}

/* A level rod that is to stay level is bent up without load by the moment of the weight beyond, w (L - s)^2 / 2 EI, its mean over each element; and
 * whatever its shape, a fiber that rests where it is has its equilibrium there. */
static void rests_where_it_is(void **state)
{
    (void)state;
    enum { N = 5 };
    const double stiffness[3] = {2e-5, 3e-5, 4e-5}, length = 0.3, weight = 0.02 * 9.81, gravity[3] = {0.0, 0.0, -9.81};
    cst_fiber_def def = helix_definition(N, length, 0.02, stiffness);
    cst_body_model level = helix_create(&def);
    assert_true(cst_super_helix_rest(&level, gravity));
    const cst_super_helix *rod = level.self;
    for (int i = 0; i < N; ++i) {
        const double a = length - length * i / N, b = length - length * (i + 1) / N;
        const double moment = weight * (a * a * a - b * b * b) / (6.0 * (a - b));
        /* The frame of a rod along x: d1 along y, d2 along z. To bend up is to turn about -y. */
        assert_true(fabs(rod->material[i].natural[1] + moment / stiffness[1]) < 1e-9 * moment / stiffness[1]);
        assert_true(fabs(rod->material[i].natural[0]) < 1e-9 && fabs(rod->material[i].natural[2]) < 1e-9);
    }
    rod_destroy(&level);

    /* Stiff enough to have one equilibrium: of a soft one there are several, and load raised from zero may lead to another. */
    const double stiff[3] = {2e-3, 3e-3, 4e-3};
    double u[3 * N];
    for (int k = 0; k < 3 * N; ++k)
        u[k] = 5.0 * sin(1.3 * k);
    def = helix_definition(N, length, 0.02, stiff);
    def.curvature = u;
    cst_body_model curved = helix_create(&def);
    assert_true(cst_super_helix_rest(&curved, gravity));
    double before[3], after[3];
    helix_tip(&curved, before);
    cst_step_frame frame = helix_step_frame(1e-3, 1.0, gravity[0], gravity[1], gravity[2]);
    int iterations = 0;
    char message[256] = "";
    assert_true(cst_helix_equilibrium(curved.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message));
    helix_tip(&curved, after);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(after[k] - before[k]) < 1e-7 * length);
    rod_destroy(&curved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever_in_space), cmocka_unit_test(curls),
                                       cmocka_unit_test(end_moments),         cmocka_unit_test(fitted_to_points),
                                       cmocka_unit_test(closed_knot),         cmocka_unit_test(rests_where_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
