/* Equilibria of nodal rods: heavy cantilevers against the planar curve, the twisted ring, shapes that need no force. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "math/vector3.h"
#include "rod/nodal_lengths.h"
#include "tests/nodal_fixture.h"

static double tip_error(cst_fiber_model model, int edges, double Gamma, const double *tip, int *iterations)
{
    cst_fiber_def def = fiber_definition(model, edges);
    def.clamped = true;
    cst_body_model body = fiber_create(&def);
    const cst_step_frame frame = space_frame(1.0, 1.0, Gamma * def.bending_stiffness[0] / def.mass_per_length);
    char message[256] = "";
    double x[3];
    if (!body.class->equilibrium(body.self, &frame, NULL, 0, 1e-10, iterations, message, sizeof message))
        fail_msg("%s", message);
    fiber_tip(&body, x);
    assert_true(cst_nodal_length_error(nodal_of(&body), &nodal_of(&body)->now) < 1e-4);
    rod_destroy(&body);
    return sqrt((x[0] - tip[0]) * (x[0] - tip[0]) + x[1] * x[1] + (x[2] + tip[1]) * (x[2] + tip[1]));
}

static void cantilevers_converge_with_second_order(void **state)
{
    (void)state;
    table curve = table_read("physics/A_cantilever/cantilever_k0_0.csv");
    const cst_fiber_model model[3] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_SPRINGS, CST_FIBER_CORDE};
    const char *const name[3] = {"discrete rod", "spring chain", "CORDE"};
    for (int m = 0; m < 3; ++m) {
        for (int row = 0; row < curve.rows; ++row) {
            const double *value = curve.value + row * curve.columns, Gamma = value[0];
            if (fabs(Gamma - 0.1) > 1e-9 && fabs(Gamma - 10.0) > 1e-6)
                continue;
            double error[3];
            int iterations[3];
            for (int k = 0; k < 3; ++k)
                error[k] = tip_error(model[m], 8 << k, Gamma, value + 1, iterations + k);
            print_message("%s, Gamma = %g: tip off by %.2e %.2e %.2e of the length (%d %d %d steps)\n", name[m], Gamma, error[0],
                          error[1], error[2], iterations[0], iterations[1], iterations[2]);
            assert_true(log2(error[0] / error[1]) > 1.8);
            assert_true(log2(error[1] / error[2]) > 1.8);
            assert_true(error[1] < 6e-3);
        }
    }
    table_free(&curve);
}

/* Out of the plane, mode 2 of a ring about the z axis. */
static double bulge(const cst_nodal_rod *rod)
{
    double sum = 0.0;
    const double turn = 2.0 * acos(-1.0) / rod->edges;
    for (int i = 0; i < rod->edges; ++i)
        sum += rod->now.q[i * rod->stride + 2] * cos(2.0 * turn * i);
    return sum;
}

/* By how much mode 2 of a ring with twist tau grows in a quasi-static step, less one: (1 + dt^2 lambda / m)^-1 - 1. */
static double growth(cst_fiber_model model, int edges, double tau)
{
    cst_fiber_def def = fiber_definition(model, edges);
    const double turn = 2.0 * acos(-1.0);
    double curvature[3 * 64];
    for (int i = 0; i < edges; ++i) {
        curvature[3 * i] = curvature[3 * i + 1] = 0.0;
        curvature[3 * i + 2] = turn / def.length;
    }
    /* Not twisted at first, but by nature the other way round: so any twist fits. */
    def.natural_curvature[0] = -tau;
    def.curvature = curvature;
    def.closed = true;
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);
    for (int i = 0; i < edges; ++i)
        rod->now.q[rod->stride * i + 2] += 1e-7 * cos(2.0 * turn / edges * i);
    /* Long steps of an implicit scheme would hold what is unstable. */
    cst_step_frame frame = space_frame(0.004, 1.0, 0.0);
    frame.quasi_static = true;
    double before = bulge(rod), rate = 0.0;
    for (int step = 0; step < 250; ++step) {
        rod_step(&body, &frame, 3, NULL);
        const double now = bulge(rod);
        rate = now / before - 1.0;
        before = now;
    }
    rod_destroy(&body);
    return rate;
}

/* Michell's ring: a straight rod closed to a ring leaves its plane at tau R = sqrt(3) B / C. By how much more in fact. */
static double critical_twist(cst_fiber_model model, int edges)
{
    const cst_fiber_def def = fiber_definition(model, 8);
    const double R = def.length / (2.0 * acos(-1.0));
    const double expected = sqrt(3.0) * def.bending_stiffness[0] / def.twisting_stiffness / R;
    double low = 0.95 * expected, high = 1.15 * expected;
    double growth_low = growth(model, edges, low), growth_high = growth(model, edges, high);
    assert_true(growth_low < 0.0);
    assert_true(growth_high > 0.0);
    const double first = (low * growth_high - high * growth_low) / (growth_high - growth_low); /* almost straight between */
    const double there = growth(model, edges, first);
    *(there < 0.0 ? &low : &high) = first;
    *(there < 0.0 ? &growth_low : &growth_high) = there;
    return (low * growth_high - high * growth_low) / (growth_high - growth_low) / expected - 1.0;
}

static void twisted_ring_leaves_its_plane(void **state)
{
    (void)state;
    const cst_fiber_model model[2] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE};
    for (int m = 0; m < 2; ++m) {
        const double coarse = critical_twist(model[m], 32), fine = critical_twist(model[m], 64);
        print_message("%s, ring of 32, 64 edges: critical twist off by %.2e, %.2e\n", m == 0 ? "discrete rod" : "CORDE", coarse,
                      fine);
        assert_true(fabs(fine) < 0.01);
        assert_true(fabs(coarse) > 3.0 * fabs(fine)); /* order 2 */
    }
}

/* A helix by nature is in equilibrium as it is made, its nodes are on the true helix, and it says its curvature. */
static void natural_helices_are_at_rest(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        const bool clamped = which % 2;
        cst_fiber_def def = fiber_definition(which < 2 ? CST_FIBER_DISCRETE_ROD : CST_FIBER_CORDE, 20);
        const double twist = 4.0, bend = 7.0, total = sqrt(twist * twist + bend * bend);
        def.natural_curvature[0] = twist;
        def.natural_curvature[2] = bend;
        def.bending_stiffness[0] = 2e-3;
        def.clamped = clamped;
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        cst_body_energy energy;
        double x[3], expected[3], curvature[21], position[63];
        body.class->dynamics->energy(body.self, (double[3]){0.0, 0.0, 0.0}, &energy);
        assert_true(energy.elastic < 1e-28 * rod->stretching);
        fiber_tip(&body, x);
        /* About the axis (twist, 0, bend), from along x: the part along the axis goes on, the rest turns. */
        const double axis[3] = {twist / total, 0.0, bend / total}, along = axis[0], angle = total * def.length;
        for (int k = 0; k < 3; ++k) {
            const double across = (k == 0) - along * axis[k], side = k == 1 ? axis[2] : 0.0;
            expected[k] = along * def.length * axis[k] + across * sin(angle) / total + side * (1.0 - cos(angle)) / total;
        }
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(x[k] - expected[k]) < 1e-13);
        body.class->look->draw(body.self, 1, position, NULL, curvature);
        assert_true(fabs(curvature[10] - bend) < 0.05 * bend);
        cst_step_frame frame = space_frame(0.01, 1.0, 0.0);
        for (int step = 0; step < 10; ++step)
            rod_step(&body, &frame, 1, NULL);
        fiber_tip(&body, x);
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(x[k] - expected[k]) < 1e-10);
        rod_destroy(&body);
    }
}

/* Fast projection gives the edges their lengths back, and no momentum to a free rod. */
static void lengths_are_restored(void **state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        cst_fiber_def def = fiber_definition(which == 2 ? CST_FIBER_SPRINGS : CST_FIBER_DISCRETE_ROD, 12);
        double circle[36] = {0.0};
        for (int i = 0; which == 1 && i < 12; ++i)
            circle[3 * i + 2] = 2.0 * acos(-1.0);
        def.closed = which == 1;
        def.clamped = which == 0;
        def.curvature = circle;
        cst_body_model body = fiber_create(&def);
        cst_nodal_rod *rod = nodal_of(&body);
        double before[3], after[3], spin[3], spin_after[3];
        disturb(rod, 0.05, 3u);
        fiber_momentum(rod, before, spin);
        const double off = cst_nodal_length_error(rod, &rod->now);
        const int iterations = cst_nodal_restore_lengths(rod, 0.01, 1e-10, 20);
        fiber_momentum(rod, after, spin_after);
        print_message("lengths off by %.2g: %.2g after %d iterations\n", off, cst_nodal_length_error(rod, &rod->now), iterations);
        assert_true(off > 1e-2);
        assert_true(cst_nodal_length_error(rod, &rod->now) <= 1e-10);
        assert_true(iterations <= 8);
        for (int k = 0; k < 3 && !def.clamped; ++k)
            assert_true(fabs(after[k] - before[k]) < 1e-14);
        rod_destroy(&body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cantilevers_converge_with_second_order),
                                       cmocka_unit_test(twisted_ring_leaves_its_plane),
                                       cmocka_unit_test(natural_helices_are_at_rest), cmocka_unit_test(lengths_are_restored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
