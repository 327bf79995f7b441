/* Every membrane and bending model: the force is minus the gradient of its energy, the Hessian the derivative of the gradient, the Hessian without
 * its negative part has none and lies above the other one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "cloth/element.h"
#include "cloth/membrane.h"
#include "math/symmetric_eigen.h"
#include "tests/sheet_fixture.h"

enum { MOST = CST_ELEMENT_DOFS };

typedef struct trial {
    cst_arena arena;
    cst_sheet_mesh mesh;
    cst_element_set set;
} trial;

static void begin(trial *t, const cst_element_model *model, const cst_fabric *fabric, cst_sheet_cut cut, bool bent)
{
    char message[256] = "";
    const cst_complaint to = {message, sizeof message};
    cst_arena_begin(&t->arena, NULL);
    cst_sheet_def def = fixture_square(0.1, 4, cut, &t->arena);
    for (int i = 0; bent && i < def.nodes; ++i)
        ((double *)def.position)[3 * i + 2] = 0.02 * sin(40.0 * def.position[3 * i]);
    def.bent_at_rest = bent;
    def.fabric = *fabric;
    if (!cst_sheet_mesh_make(&def, &t->arena, &t->mesh, &to) || !model->make(&t->mesh, fabric, &t->arena, &t->set, &to))
        fail_msg("%s", message);
}

/* Nodes of element i, moved from their places at rest: `strain` in the plane, `bend` across it. */
static void place(const trial *t, int element, double strain, double bend, cst_rng *rng, double *x)
{
    const int32_t *node = t->set.node + element * t->set.nodes;
    for (int a = 0; a < t->set.nodes; ++a) {
        for (int k = 0; k < 2; ++k)
            x[3 * a + k] = t->mesh.rest[2 * node[a] + k] + 0.025 * strain * cst_rng_range(rng, -1.0, 1.0);
        x[3 * a + 2] = 0.025 * bend * cst_rng_range(rng, -1.0, 1.0);
        for (int b = 0; b < a; ++b) /* a node that is there twice is one */
            if (node[b] == node[a])
                memcpy(x + 3 * a, x + 3 * b, 3 * sizeof *x);
    }
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Central differences of energy and gradient. */
static void check_element(const trial *t, int element, double *x)
{
    const void *rest = cst_element_rest(&t->set, element);
    const int n = 3 * t->set.nodes;
    const double step = 1e-7;
    double g[MOST], H[MOST * MOST], plus[MOST], minus[MOST], moved[MOST], slope[MOST], by[MOST * MOST];
    const double energy = t->set.model->evaluate(rest, x, g, H, false);
    assert_true(isfinite(energy) && energy == t->set.model->evaluate(rest, x, NULL, NULL, false));
    for (int i = 0; i < n; ++i) {
        memcpy(moved, x, sizeof(double) * (size_t)n);
        moved[i] = x[i] + step;
        const double up = t->set.model->evaluate(rest, moved, plus, NULL, false);
        moved[i] = x[i] - step;
        const double down = t->set.model->evaluate(rest, moved, minus, NULL, false);
        slope[i] = (up - down) / (2.0 * step);
        for (int j = 0; j < n; ++j)
            by[n * j + i] = (plus[j] - minus[j]) / (2.0 * step);
    }
    const double force = largest(g, n), stiffness = largest(H, n * n);
    for (int i = 0; i < n; ++i)
        assert_true(fabs(slope[i] - g[i]) <= 1e-6 * force + 1e-9 * energy / step);
    for (int i = 0; i < n * n; ++i) {
        assert_true(fabs(by[i] - H[i]) <= 2e-6 * stiffness + 1e-9 * force / step);
        assert_true(fabs(H[i] - H[n * (i % n) + i / n]) <= 1e-12 * stiffness);
    }
}

static double least_eigenvalue(int n, const double *H)
{
    /* Jacobi of math/ is for up to 12: Gershgorin is too weak; shifted power iteration finds the least one. */
    double x[MOST], y[MOST], shift = 0.0, value = 0.0;
    for (int i = 0; i < n; ++i) {
        double row = 0.0;
        for (int j = 0; j < n; ++j)
            row += fabs(H[n * i + j]);
        shift = fmax(shift, row);
        x[i] = 1.0 + 0.1 * sin(3.7 * i);
    }
    for (int pass = 0; pass < 2000; ++pass) {
        double size = 0.0;
        for (int i = 0; i < n; ++i) {
            y[i] = shift * x[i];
            for (int j = 0; j < n; ++j)
                y[i] -= H[n * i + j] * x[j];
            size += y[i] * y[i];
        }
        size = sqrt(size);
        for (int i = 0; i < n; ++i)
            x[i] = y[i] / (size > 0.0 ? size : 1.0);
        value = shift - size;
    }
    return value;
}

static void check_projection(const trial *t, int element, const double *x)
{
    const void *rest = cst_element_rest(&t->set, element);
    const int n = 3 * t->set.nodes;
    double g[MOST], H[MOST * MOST], P[MOST * MOST];
    t->set.model->evaluate(rest, x, g, H, false);
    t->set.model->evaluate(rest, x, g, P, true);
    const double small = 1e-9 * largest(P, n * n) + 1e-300;
    assert_true(least_eigenvalue(n, P) >= -small);
    for (int i = 0; i < n * n; ++i)
        H[i] = P[i] - H[i];
    assert_true(least_eigenvalue(n, H) >= -small);
}

static void check_model(const cst_element_model *model, const cst_fabric *fabric, bool bent)
{
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int cut = 0; cut < CST_CUT_COUNT; ++cut) {
        trial t;
        begin(&t, model, fabric, (cst_sheet_cut)cut, bent);
        for (int pass = 0; pass < 3; ++pass) {
            const double strain[3] = {1e-3, 0.1, 0.3}, bend[3] = {1e-3, 0.3, 0.6};
            for (int i = 0; i < t.set.count; i += 3) {
                double x[MOST];
                place(&t, i, strain[pass], bend[pass], &rng, x);
                check_element(&t, i, x);
                if (i % 2 == 0)
                    check_projection(&t, i, x);
            }
        }
        cst_arena_end(&t.arena);
    }
}

static void membranes_are_gradients(void **state)
{
    (void)state;
    cst_fabric fabric = fixture_gray_interlock();
    for (int m = 0; m < CST_MEMBRANE_COUNT; ++m)
        check_model(cst_membrane_models[m], &fabric, false);
}

/* The ways in which a triangle loses its area: rows are dx/du and dx/dv as functions of the area ratio J. */
static void collapse(int way, double J, const double *at, double *x)
{
    const double angle = asin(J), F[3][4] = {{J, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, J}, {1.0, cos(angle), 0.0, sin(angle)}};
    x[0] = F[way][0] * at[0] + F[way][1] * at[1];
    x[1] = F[way][2] * at[0] + F[way][3] * at[1];
    x[2] = 0.0;
}

/* Compressed along u, along v, or sheared flat: below an area ratio of 0.45, energy and force against the collapse rise all the way to a hundredth of
 * the area, and the derivatives are right. The force of Saint Venant and Kirchhoff alone falls below a stretch of 0.58. */
static void membranes_do_not_collapse(void **state)
{
    (void)state;
    const cst_fabric fabric = fixture_gray_interlock();
    for (int m = 0; m < CST_MEMBRANE_COUNT; ++m) {
        trial t;
        begin(&t, cst_membrane_models[m], &fabric, CST_CUT_STAGGERED, false);
        for (int way = 0; way < 3; ++way) {
            double energy = 0.0, force = 0.0;
            for (double J = 0.69; J > 0.01; J *= 0.9) {
                double x[9];
                for (int a = 0; a < 3; ++a)
                    collapse(way, J, t.mesh.rest + 2 * t.set.node[a], x + 3 * a);
                const double now = t.set.model->evaluate(cst_element_rest(&t.set, 0), x, NULL, NULL, false);
                const double mean = (now - energy) / (0.1 / 0.9 * J); /* over the last interval of J */
                if (J < 0.45) {
                    assert_true(now > energy && mean > force);
                    force = mean;
                }
                energy = now;
                if (J > 0.05)
                    check_element(&t, 0, x);
                check_projection(&t, 0, x);
            }
        }
        cst_arena_end(&t.arena);
    }
}

static void bendings_are_gradients(void **state)
{
    (void)state;
    cst_fabric fabric = fixture_gray_interlock();
    for (int m = 0; m < CST_BENDING_COUNT; ++m)
        check_model(cst_bending_models[m], &fabric, false);
    check_model(&cst_bending_hinge, &fabric, true);
}

/* A rigid motion of the rest shape costs nothing and needs no force. */
static void rigid_motions_are_free(void **state)
{
    (void)state;
    cst_fabric fabric = fixture_gray_interlock();
    for (int m = 0; m < CST_MEMBRANE_COUNT + CST_BENDING_COUNT; ++m) {
        trial t;
        begin(&t, m < CST_MEMBRANE_COUNT ? cst_membrane_models[m] : cst_bending_models[m - CST_MEMBRANE_COUNT], &fabric,
              CST_CUT_STAGGERED, false);
        for (int i = 0; i < t.set.count; ++i) {
            double x[MOST], g[MOST];
            for (int a = 0; a < t.set.nodes; ++a) {
                const double *at = t.mesh.rest + 2 * t.set.node[i * t.set.nodes + a], c = cos(0.7), s = sin(0.7);
                x[3 * a] = 0.3 + at[0];
                x[3 * a + 1] = -0.2 + c * at[1];
                x[3 * a + 2] = 1.1 + s * at[1];
            }
            assert_true(fabs(t.set.model->evaluate(cst_element_rest(&t.set, i), x, g, NULL, false)) < 1e-18);
            assert_true(largest(g, 3 * t.set.nodes) < 1e-12);
        }
        cst_arena_end(&t.arena);
    }
}

/* Bent into a cylinder, a square of squares has 1/2 B / R^2 per area by either model; the quadratic one on any mesh. */
static void cylinder_has_its_energy(void **state)
{
    (void)state;
    cst_fabric fabric = fixture_gray_interlock();
    const double B = 1e-5, R = 1.0;
    for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; ++i)
        fabric.bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] = B;
    for (int m = 0; m < CST_BENDING_COUNT; ++m)
        for (int cut = 0; cut < CST_CUT_COUNT; ++cut) {
            trial t;
            begin(&t, cst_bending_models[m], &fabric, (cst_sheet_cut)cut, false);
            double energy = 0.0, area = 0.0;
            for (int i = 0; i < t.set.count; ++i) {
                double x[MOST];
                for (int a = 0; a < t.set.nodes; ++a) {
                    const double *at = t.mesh.rest + 2 * t.set.node[i * t.set.nodes + a];
                    x[3 * a] = R * sin(at[0] / R);
                    x[3 * a + 1] = at[1];
                    x[3 * a + 2] = R * (1.0 - cos(at[0] / R));
                }
                bool inner = m == CST_BENDING_QUADRATIC;
                for (int k = 0; inner && k < 3; ++k)
                    inner = t.mesh.beside[3 * i + k] >= 0;
                const double of = t.set.model->evaluate(cst_element_rest(&t.set, i), x, NULL, NULL, false);
                if (m == CST_BENDING_HINGE && cut == CST_CUT_STAGGERED)
                    continue; /* its border has other triangles */
                energy += m == CST_BENDING_HINGE || inner ? of : 0.0;
                area += inner ? t.mesh.area[i] : 0.0;
            }
            if (m == CST_BENDING_HINGE)
                area = cut == CST_CUT_STAGGERED ? 0.0
                                                : 0.1 * 0.1 * 3.0 / 4.0; /* 3 of 4 rows of squares have a hinge to bend about */
            assert_true(fabs(energy - 0.5 * B / (R * R) * area) <= 1e-3 * 0.5 * B / (R * R) * area);
            cst_arena_end(&t.arena);
        }
}

/* Force per strain of a strip along u with free sides, and its contraction: E22 so that S22 = 0. */
static double pull(const cst_membrane_law *made, double along, double *contraction)
{
    double e[3] = {along, 0.0, 0.0}, s[3], C[9];
    for (int pass = 0; pass < 50; ++pass) {
        made->law(made->material, e, s, C);
        e[1] -= s[1] / C[4];
    }
    *contraction = -e[1] / along;
    return s[0] / along;
}

/* Stress over strain of a strip at 45 degrees with free sides: its energy is least in what is free, found by steps along the gradient. */
static double pull_between(const cst_membrane_law *made, double along)
{
    double across = 0.0, shear = 0.0, s[3] = {0.0, 0.0, 0.0}, C[9];
    for (int pass = 0; pass < 20000; ++pass) {
        const double e[3] = {0.5 * (along + across) - 0.5 * shear, 0.5 * (along + across) + 0.5 * shear, along - across};
        made->law(made->material, e, s, C);
        across -= 1e-3 * (0.5 * (s[0] + s[1]) - s[2]);
        shear -= 1e-3 * 0.5 * (s[1] - s[0]);
    }
    return (0.5 * (s[0] + s[1]) + s[2]) / along;
}

/* A strip of a measured fabric along the warp has the force and the contraction of its table, at small strain and from a stretch of 1/6 on, and at 45
 * degrees its force at 1/6; the energy is positive everywhere else. */
static void measured_law_follows_its_table(void **state)
{
    (void)state;
    char message[256] = "";
    const cst_complaint to = {message, sizeof message};
    cst_fabric fabric = fixture_gray_interlock();
    cst_membrane_law made = {0};
    cst_arena arena;
    double contraction;
    cst_arena_begin(&arena, NULL);
    fabric.membrane = CST_MEMBRANE_MEASURED;
    assert_true(cst_membrane_law_of(&fabric, &arena, &made, &to));
    assert_true(fabs(pull(&made, 1e-5, &contraction) / (16.593832 - 14.69599 * 14.69599 / 34.477123) - 1.0) < 1e-9);
    assert_true(fabs(contraction + 14.69599 / 34.477123) < 1e-9);
    assert_true(fabs(pull(&made, 0.2, &contraction) / (46.364765 - 53.694656 * 53.694656 / 261.013855) - 1.0) < 1e-9);
    assert_true(fabs(contraction - 53.694656 / 261.013855) < 1e-9);
    const double c11 = 123.98922, c12 = 105.18177, c22 = 365.966217, c33 = 44.217571; /* of the row for 45 degrees */
    const double between = 1.0 / (0.25 * (c11 + c22 - 2.0 * c12) / (c11 * c22 - c12 * c12) + 0.5 / c33);
    assert_true(fabs(pull_between(&made, 0.5 * (49.0 / 36.0 - 1.0)) / between - 1.0) < 1e-6);
    for (int i = -4; i <= 10; ++i)
        for (int j = -4; j <= 10; ++j)
            for (int k = -8; k <= 8; ++k) {
                const double e[3] = {0.05 * i, 0.05 * j, 0.05 * k};
                assert_true(made.law(made.material, e, NULL, NULL) > 0.0 || (i == 0 && j == 0 && k == 0));
            }
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membranes_are_gradients), cmocka_unit_test(membranes_do_not_collapse),
        cmocka_unit_test(bendings_are_gradients),  cmocka_unit_test(rigid_motions_are_free),
        cmocka_unit_test(cylinder_has_its_energy), cmocka_unit_test(measured_law_follows_its_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
