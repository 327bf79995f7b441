/* The first-order solvers against answers found by other means: drawn, by enumeration (no friction is an LCP), by elimination
 * (bilateral contacts are a linear system); and the metric they step in. */
#include "friction/contact_metric.h"
#include "tests/body_problems.h"
#include "tests/first_order_fixture.h"

static void test_known_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const known_shape shape = {.dim = seed % 2 ? 3 : 2,
                                   .contacts = 5 + 10 * (int)seed,
                                   .bilateral = seed % 3 == 0 ? 0.3 : 0.0,
                                   .spread = seed % 4 == 0 ? 100.0 : 1.0,
                                   .natural_order = seed % 5 == 0};
        known_problem known = known_unique(seed, shape);
        double *r = new_doubles((size_t)shape.contacts * (size_t)shape.dim);
        for (int m = 0; m < METHODS_COUNT; m++) {
            char name[32];
            snprintf(name, sizeof name, "known %d", (int)seed);
            solve(&known.owned.problem, m, 1e-11, 2000, name, r);
            assert_true(impulse_distance(&known.owned.problem, r, known.r) <= 1e-9);
        }
        free(r);
        known_free(&known);
    }
}

/* ---------------------------------------------------------------------------------------- exact answers by other means */

static double small_random(cst_rng *rng)
{
    return 2.0 * cst_rng_uniform(rng) - 1.0;
}

/* W = B B^T + I / 10 (size x size), so that every principal block is well conditioned. */
static void random_definite(cst_rng *rng, int size, double *W)
{
    double *B = new_doubles((size_t)size * (size_t)size);
    for (int k = 0; k < size * size; k++)
        B[k] = small_random(rng);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            W[i * size + j] = i == j ? 0.1 : 0.0;
            for (int k = 0; k < size; k++)
                W[i * size + j] += B[i * size + k] * B[j * size + k];
        }
    free(B);
}

enum { LCP_MAX = 9 };

/* 0 <= r orthogonal to W r + b >= 0 of the normal components, by trying every set of closed contacts. */
static bool lcp_by_enumeration(int n, int dim, const double *W, const double *b, double *r)
{
    const int size = n * dim;
    for (unsigned closed = 0; closed < 1u << n; closed++) {
        double M[LCP_MAX * LCP_MAX], x[LCP_MAX];
        int at[LCP_MAX], count = 0;
        for (int i = 0; i < n; i++)
            if (closed >> i & 1u)
                at[count++] = i;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++)
                M[i * count + j] = W[at[i] * dim * size + at[j] * dim];
            x[i] = -b[at[i] * dim];
        }
        test_dense_solve(count, M, 1, x);
        bool fits = true;
        for (int i = 0; i < count; i++)
            fits = fits && x[i] >= 0.0;
        for (int i = 0; i < n && fits; i++) {
            double u = b[i * dim];
            for (int j = 0; j < count; j++)
                u += W[i * dim * size + at[j] * dim] * x[j];
            fits = u >= -1e-12;
        }
        if (!fits)
            continue;
        memset(r, 0, (size_t)size * sizeof(double));
        for (int i = 0; i < count; i++)
            r[at[i] * dim] = x[i];
        return true;
    }
    return false;
}

static void test_frictionless_is_an_lcp(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 7, 1);
    for (int trial = 0; trial < 20; trial++) {
        const int dim = trial % 2 ? 2 : 3, n = 3 + trial % (LCP_MAX - 2), size = n * dim;
        double *W = new_doubles((size_t)size * (size_t)size), *b = new_doubles((size_t)size), *mu = new_doubles((size_t)n);
        double *exact = new_doubles((size_t)size), *r = new_doubles((size_t)size);
        random_definite(&rng, size, W);
        for (int k = 0; k < size; k++)
            b[k] = small_random(&rng) - (k % dim == 0 ? 0.5 : 0.0);
        owned_problem owned = problem_from_dense(dim, n, W, b, mu, NULL);
        assert_true(lcp_by_enumeration(n, dim, W, b, exact));
        for (int m = 0; m < METHODS_COUNT; m++) {
            solve(&owned.problem, m, 1e-12, 5000, "an LCP", r);
            assert_true(impulse_distance(&owned.problem, r, exact) <= 1e-9);
        }
        problem_free(&owned);
        free(W);
        free(b);
        free(mu);
        free(exact);
        free(r);
    }
}

static void test_bilateral_is_linear(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 8, 1);
    for (int trial = 0; trial < 6; trial++) {
        const int dim = trial % 2 ? 2 : 3, n = 4 + trial, size = n * dim;
        double *W = new_doubles((size_t)size * (size_t)size), *b = new_doubles((size_t)size), *mu = new_doubles((size_t)n);
        double *exact = new_doubles((size_t)size), *r = new_doubles((size_t)size);
        uint8_t law[16];
        memset(law, CST_LAW_BILATERAL, sizeof law);
        random_definite(&rng, size, W);
        for (int k = 0; k < size; k++) {
            b[k] = small_random(&rng);
            exact[k] = -b[k];
        }
        owned_problem owned = problem_from_dense(dim, n, W, b, mu, law);
        test_dense_solve(size, W, 1, exact);
        for (int m = 0; m < METHODS_COUNT; m++) {
            solve(&owned.problem, m, 1e-12, 5000, "a linear system", r);
            assert_true(impulse_distance(&owned.problem, r, exact) <= 1e-9);
        }
        problem_free(&owned);
        free(W);
        free(b);
        free(mu);
        free(exact);
        free(r);
    }
}

/* --------------------------------------------------------------------------------------------------------------- metric */

/* D - A_ii is semi-definite, and the step is the nearest point of the cone in the metric: no other point of it does better. */
static void test_metric(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 11, 1);
    for (int trial = 0; trial < 200; trial++) {
        const int dim = trial % 2 ? 2 : 3;
        double A[9], mu = trial % 5 == 0 ? 0.0 : 2.0 * cst_rng_uniform(&rng);
        uint8_t law = CST_LAW_COULOMB;
        random_definite(&rng, dim, A);
        const cst_system one = {.dim = dim, .contacts = 1, .mu = &mu, .law = &law, .diagonal = A, .threads = 1};
        cst_contact_metric metric;
        cst_contact_metrics(&one, &metric);
        double x[3] = {0}, v[3] = {0}, p[3] = {0};
        for (int k = 0; k < dim; k++) {
            x[k] = 2.0 * small_random(&rng);
            v[k] = 2.0 * small_random(&rng);
        }
        cst_contact_metric_step(dim, &metric, x, v, 0.7, p);
        const double D[3] = {metric.normal, metric.tangential, metric.tangential};
        double value = 0.0, tangential = 0.0;
        for (int k = 0; k < dim; k++) {
            const double to = x[k] - 0.7 * v[k] / D[k];
            value += D[k] * (p[k] - to) * (p[k] - to);
            tangential = k > 0 ? hypot(tangential, p[k]) : 0.0;
        }
        assert_true(p[0] >= 0.0 && tangential <= mu * p[0] + 1e-12);
        for (int other = 0; other < 200; other++) {
            double d[3] = {0}, q[3] = {0}, length = 0.0, difference = 0.0, other_value = 0.0;
            for (int k = 0; k < dim; k++)
                d[k] = small_random(&rng);
            for (int i = 0; i < dim; i++)
                for (int j = 0; j < dim; j++)
                    difference += d[i] * ((i == j ? D[i] : 0.0) - A[i * dim + j]) * d[j];
            assert_true(difference >= -1e-12);
            /* a point of the cone near p */
            for (int k = 1; k < dim; k++) {
                q[k] = p[k] + 0.3 * d[k];
                length = hypot(length, q[k]);
            }
            q[0] = fmax(0.0, p[0] + 0.3 * d[0]);
            for (int k = 1; k < dim; k++)
                q[k] *= length > mu * q[0] ? mu * q[0] / length : 1.0;
            for (int k = 0; k < dim; k++) {
                const double to = x[k] - 0.7 * v[k] / D[k];
                other_value += D[k] * (q[k] - to) * (q[k] - to);
            }
            assert_true(other_value >= value - 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_frictionless_is_an_lcp),
        cmocka_unit_test(test_bilateral_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
