/* The law as equations (friction/cone.h): zero on the law and only there, projections, and Jacobians by finite differences. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "friction/cone.h"

typedef void (*residual_function)(int dim, double mu, const double *r, const double *u, double *f);
typedef void (*jacobian_function)(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

static double norm(int dim, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < dim; ++k)
        sum += x[k] * x[k];
    return sqrt(sum);
}

static double tangential(int dim, const double *x)
{
    return norm(dim - 1, x + 1);
}

static double random_mu(cst_rng *rng)
{
    return cst_rng_integer(rng, 8) == 0 ? 0.0 : cst_rng_log_range(rng, 1e-3, 10.0);
}

/* A pair in the law: take-off, stick or slide. */
static void pair_in_law(int dim, double mu, cst_rng *rng, double *r, double *u)
{
    double direction[3] = {0.0, 1.0, 0.0};
    if (dim == 3)
        cst_rng_direction(rng, 2, direction + 1);
    memset(r, 0, 3 * sizeof *r);
    memset(u, 0, 3 * sizeof *u);
    int contact_case = mu == 0.0 ? 2 * cst_rng_integer(rng, 2) : cst_rng_integer(rng, 3);
    if (contact_case == 0) {
        u[0] = cst_rng_integer(rng, 4) ? cst_rng_exponential(rng) : 0.0;
        for (int k = 1; k < dim; ++k)
            u[k] = cst_rng_normal(rng);
        return;
    }
    r[0] = cst_rng_exponential(rng);
    double share = contact_case == 2 || cst_rng_integer(rng, 4) == 0 ? 1.0 : cst_rng_uniform(rng);
    double slip = contact_case == 2 ? cst_rng_log_range(rng, 1e-3, 10.0) : 0.0;
    for (int k = 1; k < dim; ++k) {
        r[k] = share * mu * r[0] * direction[k];
        u[k] = -slip * direction[k];
    }
}

static void test_zero_on_the_law(void **state)
{
    (void)state;
    static const residual_function functions[] = {cst_natural_map, cst_alart_curnier, cst_fischer_burmeister};
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (int i = 0; i < 30000; ++i) {
        int dim = 2 + i % 2;
        double mu = random_mu(&rng), r[3], u[3], f[3];
        pair_in_law(dim, mu, &rng, r, u);
        double size = 1.0 + norm(dim, r) + (1.0 + mu) * norm(dim, u);
        for (int k = 0; k < 3; ++k) {
            functions[k](dim, mu, r, u, f);
            assert_true(norm(dim, f) <= 4e-15 * size * (1.0 + mu));
        }
    }
}

/* Away from the law by a step d: all three see it, and Alart-Curnier sees at least a third of it. */
static void test_not_zero_off_the_law(void **state)
{
    (void)state;
    static const residual_function functions[] = {cst_natural_map, cst_alart_curnier, cst_fischer_burmeister};
    cst_rng rng;
    cst_rng_seed(&rng, 2, 0);
    for (int i = 0; i < 20000; ++i) {
        int dim = 2 + i % 2;
        double mu = cst_rng_log_range(&rng, 0.01, 10.0), r[3] = {0.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0}, f[3];
        r[0] = cst_rng_exponential(&rng);
        for (int k = 1; k < dim; ++k)
            u[k] = cst_rng_normal(&rng);
        int violation = i % 4;
        double size = 0.0;
        if (violation == 0) { /* penetrates */
            u[0] = -(size = 0.1);
        } else if (violation == 1) { /* adheres */
            u[0] = size = 0.5 * r[0] < 0.1 ? 0.5 * r[0] : 0.1;
        } else if (violation == 2) { /* friction in the direction of motion */
            for (int k = 1; k < dim; ++k)
                r[k] = mu * r[0] * u[k] / tangential(dim, u);
            size = fmin(mu * r[0], tangential(dim, u));
        } else { /* moves although friction is not exhausted */
            size = fmin(mu * r[0], tangential(dim, u));
        }
        if (size < 1e-6)
            continue;
        for (int k = 0; k < 3; ++k) {
            functions[k](dim, mu, r, u, f);
            assert_true(norm(dim, f) > 1e-10);
        }
        cst_alart_curnier(dim, mu, r, u, f);
        assert_true(norm(dim, f) >= 0.3 * size);
    }
}

static void test_projection(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    for (int i = 0; i < 30000; ++i) {
        int dim = 2 + i % 2;
        double mu = random_mu(&rng), x[3] = {0.0, 0.0, 0.0}, p[3] = {0.0, 0.0, 0.0}, q[3] = {0.0, 0.0, 0.0};
        bool on_axis = cst_rng_integer(&rng, 8) == 0;
        for (int k = 0; k < dim; ++k)
            x[k] = on_axis && k > 0 ? 0.0 : cst_rng_normal(&rng);
        cst_cone_project(dim, mu, x, p);
        for (int k = 0; k < dim; ++k)
            q[k] = p[k] - x[k];
        double dot = 0.0;
        for (int k = 0; k < dim; ++k)
            dot += p[k] * q[k];
        /* Moreau: p in the cone, p - x in the dual cone, and they are orthogonal */
        assert_true(tangential(dim, p) <= mu * p[0] + 1e-15 * (1.0 + mu));
        assert_true(mu * tangential(dim, q) <= q[0] + 1e-14 * (1.0 + mu));
        assert_true(fabs(dot) <= 1e-14);
        cst_cone_project(dim, mu, x, x); /* in place */
        assert_memory_equal(x, p, (size_t)dim * sizeof *x);
    }
}

static void test_de_saxce(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 4, 0);
    for (int i = 0; i < 10000; ++i) {
        int dim = 2 + i % 2;
        double mu = random_mu(&rng), r[3], u[3], v[3] = {0.0, 0.0, 0.0}, dot = 0.0;
        pair_in_law(dim, mu, &rng, r, u);
        cst_de_saxce(dim, mu, u, v);
        for (int k = 0; k < dim; ++k)
            dot += r[k] * v[k];
        assert_true(mu * tangential(dim, v) <= v[0] * (1.0 + 1e-15) + 1e-300);
        assert_true(fabs(dot) <= 1e-14 * (1.0 + mu) * (1.0 + norm(dim, r) * norm(dim, u)));
    }
}

/* Largest difference of the Jacobians from central differences. */
static double jacobian_error(residual_function value, jacobian_function jacobian, int dim, double mu, const double *r,
                             const double *u)
{
    double f[3], f_r[9], f_u[9], again[3], worst = 0.0;
    jacobian(dim, mu, r, u, f, f_r, f_u);
    value(dim, mu, r, u, again);
    assert_memory_equal(f, again, (size_t)dim * sizeof *f);
    for (int which = 0; which < 2; ++which) {
        for (int l = 0; l < dim; ++l) {
            double moved[2][2][3], at[2][3], step = 1e-6;
            for (int s = 0; s < 2; ++s) {
                memcpy(moved[s][0], r, sizeof moved[s][0]);
                memcpy(moved[s][1], u, sizeof moved[s][1]);
                moved[s][which][l] += s == 0 ? step : -step;
                value(dim, mu, moved[s][0], moved[s][1], at[s]);
            }
            for (int k = 0; k < dim; ++k) {
                double exact = (which == 0 ? f_r : f_u)[k * dim + l];
                worst = fmax(worst, fabs((at[0][k] - at[1][k]) / (2.0 * step) - exact));
            }
        }
    }
    return worst;
}

static void test_jacobians(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    int smooth[2] = {0, 0};
    for (int i = 0; i < 20000; ++i) {
        int dim = 2 + i % 2;
        double mu = random_mu(&rng), r[3] = {0.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 0.0, 0.0};
        double size = cst_rng_log_range(&rng, 0.1, 10.0);
        for (int k = 0; k < dim; ++k) {
            r[k] = size * cst_rng_normal(&rng);
            u[k] = cst_rng_normal(&rng);
            y[k] = r[k] - u[k];
        }
        /* not where the function has a kink */
        double margin = 1e-2;
        bool away = fabs(y[0]) > margin && fabs(r[0]) > margin && fabs(tangential(dim, y) - mu * r[0]) > margin &&
                    tangential(dim, y) > margin;
        if (away) {
            ++smooth[0];
            assert_true(jacobian_error(cst_alart_curnier, cst_alart_curnier_jacobian, dim, mu, r, u) <= 1e-6);
        }
        double x[3] = {mu * r[0], r[1], r[2]}, h[3] = {u[0] + mu * tangential(dim, u), mu * u[1], mu * u[2]};
        double cross = 0.0, a[3] = {0.0, 0.0, 0.0};
        for (int k = 1; k < dim; ++k) {
            a[k] = x[0] * x[k] + h[0] * h[k];
            cross += 2.0 * a[k] * a[k];
        }
        double least = x[0] * x[0] + h[0] * h[0] + pow(tangential(dim, x), 2) + pow(tangential(dim, h), 2) - sqrt(2.0 * cross);
        if (tangential(dim, u) > margin && (mu == 0.0 || (least > 0.1 && tangential(dim, a) > margin)) &&
            hypot(r[0], u[0]) > margin) {
            ++smooth[1];
            assert_true(jacobian_error(cst_fischer_burmeister, cst_fischer_burmeister_jacobian, dim, mu, r, u) <= 1e-6);
        }
    }
    assert_true(smooth[0] > 12000 && smooth[1] > 5000);
}

/* On the kinks of Fischer-Burmeister the Jacobian is a limit of Jacobians beside them. mu = 1, so that x = r. */
static void test_jacobian_on_the_boundary(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    for (int i = 0; i < 2000; ++i) {
        int dim = 2 + i % 2;
        double w[3] = {0.0, 1.0, 0.0}, r[2][3], u[2][3], f[3], f_r[2][9], f_u[2][9];
        if (dim == 3)
            cst_rng_direction(&rng, 2, w + 1);
        double x = cst_rng_log_range(&rng, 0.1, 10.0), y = cst_rng_log_range(&rng, 0.1, 10.0), beside = 1e-7;
        for (int s = 0; s < 2; ++s) { /* on the ray (1, w), and a little towards (1, -w) */
            double off = s * beside;
            r[s][0] = x * (1.0 + off);
            u[s][0] = y * (1.0 + off);
            for (int k = 1; k < 3; ++k) {
                r[s][k] = x * (1.0 - off) * w[k];
                u[s][k] = y * (1.0 - off) * w[k];
            }
            u[s][0] -= tangential(3, u[s]); /* De Saxce adds it */
            cst_fischer_burmeister_jacobian(dim, 1.0, r[s], u[s], f, f_r[s], f_u[s]);
        }
        for (int k = 0; k < dim * dim; ++k) {
            assert_true(fabs(f_r[0][k] - f_r[1][k]) <= 1e-6);
            assert_true(fabs(f_u[0][k] - f_u[1][k]) <= 1e-6);
        }
    }
    /* at zero: multiples of the identity whose complements a, b have a^2 + b^2 <= 1 */
    double zero[3] = {0.0, 0.0, 0.0}, f[3], f_r[9], f_u[9];
    cst_fischer_burmeister_jacobian(3, 1.0, zero, zero, f, f_r, f_u);
    double a = 1.0 - f_r[0], b = 1.0 - f_u[0];
    assert_true(norm(3, f) == 0.0 && fabs(a * a + b * b - 1.0) <= 1e-15);
    for (int k = 0; k < 9; ++k)
        assert_true(f_r[k] == (k % 4 == 0 ? f_r[0] : 0.0) && f_u[k] == (k % 4 == 0 ? f_u[0] : 0.0));
}

/* A NaN anywhere shows in the residual. */
static void test_nan_is_seen(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        double r[3] = {1.0, 0.1, 0.2}, u[3] = {0.0, 0.3, 0.1}, f[3];
        (k < 3 ? r : u)[k % 3] = NAN;
        cst_alart_curnier(3, 0.5, r, u, f);
        assert_true(isnan(norm(3, f)));
        cst_fischer_burmeister(3, 0.5, r, u, f);
        assert_true(isnan(norm(3, f)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_on_the_law), cmocka_unit_test(test_not_zero_off_the_law),
        cmocka_unit_test(test_projection),      cmocka_unit_test(test_de_saxce),
        cmocka_unit_test(test_jacobians),       cmocka_unit_test(test_jacobian_on_the_boundary),
        cmocka_unit_test(test_nan_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
