/* GMRES with the factor of a near matrix: the solution of a dense solve, few iterations, and a clear no where it cannot converge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sparse/dense_lu.h"
#include "sparse/gmres.h"

enum { N = 60, STRIDE = 64 };

typedef struct system {
    double k[N * N];      /* K */
    double p[N * STRIDE]; /* factor of P */
    int32_t exchange[N];
    int applied;
} system;

static void apply(void *user, const double *x, double *out)
{
    system *s = user;
    s->applied++;
    for (int i = 0; i < N; ++i) {
        out[i] = 0.0;
        for (int j = 0; j < N; ++j)
            out[i] += s->k[N * i + j] * x[j];
    }
}

static void precondition(void *user, double *x)
{
    system *s = user;
    cst_dense_lu_solve(s->p, N, STRIDE, s->exchange, x);
}

/* P is random and not symmetric; K differs from it by `rank` random rows times `size`. */
static void begin(system *s, int rank, double size)
{
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            s->k[N * i + j] = s->p[STRIDE * i + j] = cst_rng_range(&rng, -1.0, 1.0) + (i == j ? 10.0 : 0.0);
    for (int i = 0; i < rank; ++i)
        for (int j = 0; j < N; ++j)
            s->k[N * (i * N / rank) + j] += size * cst_rng_range(&rng, -1.0, 1.0);
    assert_int_equal(cst_dense_stride(N), STRIDE);
    assert_int_equal(cst_dense_lu_eliminate(s->p, N, STRIDE, N, 1e-30, s->exchange), 0);
}

static int solve(system *s, int most, double *x, double *b)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_gmres gmres = {.size = N, .most = most, .user = s, .apply = apply, .precondition = precondition};
    assert_true(cst_gmres_begin(&arena, &gmres));
    for (int i = 0; i < N; ++i)
        x[i] = b[i] = sin(1.0 + 3.0 * i);
    const int iterations = cst_gmres_solve(&gmres, 1e-10, x);
    cst_arena_end(&arena);
    return iterations;
}

/* A change of `rank` rows needs rank + 1 iterations at most; the residual is what was asked for. */
static void solves_a_changed_matrix(void **state)
{
    (void)state;
    for (int rank = 0; rank <= 4; rank += 2) {
        system s;
        double x[N], b[N], out[N];
        begin(&s, rank > 0 ? rank : 1, rank > 0 ? 5.0 : 0.0);
        const int iterations = solve(&s, 20, x, b);
        assert_true(iterations >= 1 && iterations <= rank + 1);
        assert_int_equal(s.applied, iterations);
        apply(&s, x, out);
        double square = 0.0, whole = 0.0;
        for (int i = 0; i < N; ++i) {
            square += (out[i] - b[i]) * (out[i] - b[i]);
            whole += b[i] * b[i];
        }
        assert_true(sqrt(square) <= 2e-10 * sqrt(whole));
    }
}

/* All rows are changed by far more than P: it gives up early, and leaves the right-hand side as it was. A zero right-hand side needs nothing. */
static void gives_up(void **state)
{
    (void)state;
    system s;
    double x[N], b[N];
    begin(&s, N, 1000.0);
    assert_int_equal(solve(&s, 20, x, b), -1);
    assert_memory_equal(x, b, sizeof x);
    assert_true(s.applied < 20);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_gmres gmres = {.size = N, .most = 5, .user = &s, .apply = apply, .precondition = precondition};
    assert_true(cst_gmres_begin(&arena, &gmres));
    memset(x, 0, sizeof x);
    assert_int_equal(cst_gmres_solve(&gmres, 1e-10, x), 0);
    x[3] = NAN;
    assert_int_equal(cst_gmres_solve(&gmres, 1e-10, x), -1);
    cst_arena_end(&arena);
}

/* If `apply` or `precondition` returns NaN or infinity, or K is zero, it gives up and leaves the right-hand side as it was. */
static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    system s;
    double x[N], b[N];
    for (int k = 0; k < 3; ++k) {
        begin(&s, 1, 0.0);
        s.k[N * 7 + 5] = bad[k];
        assert_int_equal(solve(&s, 20, x, b), -1);
        assert_memory_equal(x, b, sizeof x);
        begin(&s, 1, 0.0);
        s.p[STRIDE * 7 + 5] = bad[k];
        assert_int_equal(solve(&s, 20, x, b), -1);
        assert_memory_equal(x, b, sizeof x);
    }
    begin(&s, 1, 0.0);
    memset(s.k, 0, sizeof s.k);
    assert_int_equal(solve(&s, 20, x, b), -1);
    assert_memory_equal(x, b, sizeof x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_a_changed_matrix), cmocka_unit_test(gives_up),
                                       cmocka_unit_test(numbers_that_are_not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
