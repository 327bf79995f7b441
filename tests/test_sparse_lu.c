/* Dense and block-sparse LU: against the matrix itself (residual of a solve, computed here from the entries), over random
 * patterns, sizes and ranks; singular matrices; every allocation failed in turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sparse/block_lu.h"
#include "sparse/dense_lu.h"
#include "sparse/ordering.h"
#include "tests/failing_allocator.h"

/* ----------------------------------------------------------------------------------------------------------------- dense */

static double *random_matrix(cst_rng *rng, int n, int stride)
{
    double *a = calloc((size_t)n * (size_t)stride, sizeof *a);
    assert_non_null(a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * stride + j] = cst_rng_range(rng, -1.0, 1.0);
    return a;
}

/* max_i |(A x - b)_i| / (|A| |x| + |b|)_i: a backward error, of the order of the machine's epsilon times the growth of the
 * pivots. */
static double backward_error(const double *a, int n, int stride, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i], scale = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            sum += a[i * stride + j] * x[j];
            scale += fabs(a[i * stride + j] * x[j]);
        }
        worst = fmax(worst, fabs(sum) / scale);
    }
    return worst;
}

static void dense_solves_every_size(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (int n = 1; n <= 100; n += n < 40 ? 1 : 7) {
        const int stride = cst_dense_stride(n);
        double *a = random_matrix(&rng, n, stride), *lu = calloc((size_t)n * (size_t)stride, sizeof *lu);
        double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
        int32_t *exchange = calloc((size_t)n, sizeof *exchange);
        assert_true(lu && x && b && exchange);
        memcpy(lu, a, (size_t)n * (size_t)stride * sizeof *a);
        for (int i = 0; i < n; i++)
            x[i] = b[i] = cst_rng_range(&rng, -1.0, 1.0);
        assert_int_equal(cst_dense_lu_eliminate(lu, n, stride, n, 1e-300, exchange), 0);
        cst_dense_lu_solve(lu, n, stride, exchange, x);
        assert_true(backward_error(a, n, stride, x, b) < 1e-13);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                assert_true(fabs(lu[i * stride + j]) <= 1.0); /* rows were exchanged */
        free(a);
        free(lu);
        free(x);
        free(b);
        free(exchange);
    }
}

/* The Schur complement of the first columns, against a solve with the block that was eliminated. */
static void dense_leaves_the_schur_complement(void **state)
{
    (void)state;
    enum { N = 53, PIVOTS = 22, BORDER = N - PIVOTS };
    const int stride = cst_dense_stride(N);
    cst_rng rng;
    cst_rng_seed(&rng, 2, 0);
    double *a = random_matrix(&rng, N, stride), *lu = malloc((size_t)(N * stride) * sizeof *lu);
    double top[PIVOTS * 24];
    int32_t exchange[N], top_exchange[PIVOTS];
    assert_non_null(lu);
    memcpy(lu, a, (size_t)(N * stride) * sizeof *a);
    for (int i = 0; i < PIVOTS; i++)
        for (int j = 0; j < 24; j++)
            top[i * 24 + j] = j < PIVOTS ? a[i * stride + j] : 0.0;
    assert_int_equal(cst_dense_lu_eliminate(top, PIVOTS, 24, PIVOTS, 1e-300, top_exchange), 0);
    assert_int_equal(cst_dense_lu_eliminate(lu, N, stride, PIVOTS, 1e-300, exchange), 0);
    for (int j = PIVOTS; j < N; j++) {
        double column[PIVOTS];
        for (int i = 0; i < PIVOTS; i++)
            column[i] = a[i * stride + j];
        cst_dense_lu_solve(top, PIVOTS, 24, top_exchange, column);
        for (int i = PIVOTS; i < N; i++) {
            double schur = a[i * stride + j];
            for (int k = 0; k < PIVOTS; k++)
                schur -= a[i * stride + k] * column[k];
            assert_true(fabs(schur - lu[i * stride + j]) < 1e-10);
        }
    }
    free(a);
    free(lu);
}

static void dense_counts_vanishing_pivots(void **state)
{
    (void)state;
    enum { N = 30, RANK = 21 };
    const int stride = cst_dense_stride(N);
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    double *a = calloc((size_t)N * (size_t)stride, sizeof *a);
    int32_t exchange[N];
    assert_non_null(a);
    for (int r = 0; r < RANK; r++) {
        double left[N], right[N];
        for (int i = 0; i < N; i++) {
            left[i] = cst_rng_range(&rng, -1.0, 1.0);
            right[i] = cst_rng_range(&rng, -1.0, 1.0);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i * stride + j] += left[i] * right[j];
    }
    assert_int_equal(cst_dense_lu_eliminate(a, N, stride, N, 1e-10, exchange), N - RANK);
    for (int i = 0; i < N * stride; i++)
        assert_true(isfinite(a[i]));
    free(a);
}

/* --------------------------------------------------------------------------------------------------------- random patterns */

typedef struct sparse {
    int n, dim;
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank;
} sparse;

enum shape { SCATTERED, CHAIN, GRID, ARROW, FULL, ISLANDS, SHAPES };

static bool joined(cst_rng *rng, enum shape shape, int n, int i, int j)
{
    switch (shape) {
    case SCATTERED:
        return cst_rng_uniform(rng) < 4.0 / n;
    case CHAIN:
        return i - j == 1;
    case GRID:
        return i - j == 1 || i - j == 9;
    case ARROW:
        return j == 0;
    case FULL:
        return true;
    default:
        return i / 5 == j / 5;
    }
}

static sparse random_sparse(cst_rng *rng, enum shape shape, int n, int dim, bool ranks)
{
    sparse m = {.n = n, .dim = dim};
    bool *edge = calloc((size_t)(n * n) + 1, sizeof *edge);
    assert_non_null(edge);
    int64_t entries = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            edge[i * n + j] = edge[j * n + i] = i == j || joined(rng, shape, n, i, j);
    for (int i = 0; i < n * n; i++)
        entries += edge[i];
    m.row_start = calloc((size_t)n + 1, sizeof *m.row_start);
    m.column = calloc((size_t)entries + 1, sizeof *m.column);
    m.block = calloc((size_t)(entries * dim * dim) + 1, sizeof *m.block);
    m.rank = calloc((size_t)n + 1, sizeof *m.rank);
    assert_true(m.row_start && m.column && m.block && m.rank);
    for (int i = 0; i < n; i++) {
        int64_t at = m.row_start[i];
        for (int j = n - 1; j >= 0; j--) /* not sorted: allowed */
            if (edge[i * n + j])
                m.column[at++] = j;
        m.row_start[i + 1] = at;
        m.rank[i] = (uint8_t)(ranks ? cst_rng_uniform(rng) * (dim + 1) : dim);
    }
    for (int64_t k = 0; k < entries * dim * dim; k++)
        m.block[k] = cst_rng_range(rng, -1.0, 1.0);
    free(edge);
    return m;
}

static void free_sparse(sparse *m)
{
    free(m->row_start);
    free(m->column);
    free(m->block);
    free(m->rank);
}

/* As backward_error; entries beyond the ranks do not exist. */
static double sparse_backward_error(const sparse *m, const double *x, const double *b)
{
    const int dim = m->dim;
    double worst = 0.0;
    for (int i = 0; i < m->n; i++)
        for (int r = 0; r < m->rank[i]; r++) {
            double sum = -b[i * dim + r], scale = fabs(b[i * dim + r]);
            for (int64_t e = m->row_start[i]; e < m->row_start[i + 1]; e++)
                for (int c = 0; c < m->rank[m->column[e]]; c++) {
                    const double term = m->block[(e * dim + r) * dim + c] * x[m->column[e] * dim + c];
                    sum += term;
                    scale += fabs(term);
                }
            worst = fmax(worst, fabs(sum) / scale);
        }
    return worst;
}

static void block_lu_solves_random_patterns(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 4, 0);
    for (int trial = 0; trial < 240; trial++) {
        const enum shape shape = (enum shape)(trial % SHAPES);
        const int dim = 2 + trial % 2, n = 1 + (int)(cst_rng_uniform(&rng) * 70.0);
        sparse m = random_sparse(&rng, shape, n, dim, trial % 3 != 0);
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_block_lu lu;
        assert_true(cst_block_lu_begin(&arena, n, dim, m.row_start, m.column, NULL, &lu));
        assert_true(lu.flops > 0.0);
        double *x = calloc((size_t)n * (size_t)dim, sizeof *x), *b = calloc((size_t)n * (size_t)dim, sizeof *b);
        assert_true(x && b);
        for (int repeat = 0; repeat < 3; repeat++) { /* one analysis, several factorisations */
            for (int64_t k = 0; k < m.row_start[n] * dim * dim; k++)
                m.block[k] = cst_rng_range(&rng, -1.0, 1.0);
            for (int i = 0; i < n; i++)
                for (int64_t e = m.row_start[i]; e < m.row_start[i + 1]; e++)
                    if (m.column[e] == i) /* exchanges stay inside a front: keep what is eliminated there well conditioned */
                        for (int r = 0; r < dim; r++)
                            m.block[(e * dim + r) * dim + r] += 6.0;
            for (int k = 0; k < n * dim; k++)
                x[k] = b[k] = cst_rng_range(&rng, -1.0, 1.0);
            assert_int_equal(cst_block_lu_factor(&lu, m.block, m.rank, 1e-12), 0);
            cst_block_lu_solve(&lu, x);
            assert_true(sparse_backward_error(&m, x, b) < 1e-12);
            for (int i = 0; i < n; i++)
                for (int r = m.rank[i]; r < dim; r++)
                    assert_true(x[i * dim + r] == b[i * dim + r]);
        }
        free(x);
        free(b);
        cst_arena_end(&arena);
        free_sparse(&m);
    }
}

static void block_lu_full_rank_is_the_default(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    sparse m = random_sparse(&rng, GRID, 40, 3, false);
    double x[120], y[120];
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_block_lu lu;
    assert_true(cst_block_lu_begin(&arena, m.n, m.dim, m.row_start, m.column, NULL, &lu));
    for (int k = 0; k < 120; k++)
        x[k] = y[k] = k;
    cst_block_lu_factor(&lu, m.block, m.rank, 1e-12);
    cst_block_lu_solve(&lu, x);
    cst_block_lu_factor(&lu, m.block, NULL, 1e-12);
    cst_block_lu_solve(&lu, y);
    assert_memory_equal(x, y, sizeof x);
    cst_arena_end(&arena);
    free_sparse(&m);
}

static void block_lu_survives_a_singular_matrix(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    sparse m = random_sparse(&rng, GRID, 40, 3, false);
    memset(m.block, 0, (size_t)(m.row_start[m.n] * 9) * sizeof *m.block);
    double x[120];
    for (int k = 0; k < 120; k++)
        x[k] = 1.0;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_block_lu lu;
    assert_true(cst_block_lu_begin(&arena, m.n, m.dim, m.row_start, m.column, NULL, &lu));
    assert_int_equal(cst_block_lu_factor(&lu, m.block, NULL, 1e-12), 120);
    cst_block_lu_solve(&lu, x);
    for (int k = 0; k < 120; k++)
        assert_true(isfinite(x[k]));
    cst_arena_end(&arena);
    free_sparse(&m);
}

/* Fronts of a chain must not grow with its length: the order and the tree do their work. */
static void a_chain_costs_in_proportion_to_its_length(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    double flops[2];
    for (int k = 0; k < 2; k++) {
        sparse m = random_sparse(&rng, CHAIN, k == 0 ? 100 : 200, 3, false);
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_block_lu lu;
        assert_true(cst_block_lu_begin(&arena, m.n, m.dim, m.row_start, m.column, NULL, &lu));
        flops[k] = lu.flops;
        cst_arena_end(&arena);
        free_sparse(&m);
    }
    assert_true(flops[1] < 2.2 * flops[0]);
}

static void ordering_is_a_permutation(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 8, 0);
    for (int trial = 0; trial < 30; trial++) {
        const int n = trial * 3;
        sparse m = random_sparse(&rng, (enum shape)(trial % SHAPES), n, 2, false);
        int32_t *order = calloc((size_t)n + 1, sizeof *order);
        bool *seen = calloc((size_t)n + 1, sizeof *seen);
        assert_non_null(order);
        assert_non_null(seen);
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        assert_true(cst_order_minimum_degree(&arena, n, m.row_start, m.column, order));
        for (int k = 0; k < n; k++) {
            assert_true(order[k] >= 0 && order[k] < n && !seen[order[k]]);
            seen[order[k]] = true;
        }
        cst_arena_end(&arena);
        free(order);
        free(seen);
        free_sparse(&m);
    }
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 9, 0);
    sparse m = random_sparse(&rng, SCATTERED, 400, 3, false);
    bool done = false;
    int allowed = 0;
    for (; !done; allowed++) {
        assert_true(allowed < 200);
        int left = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_arena arena;
        cst_arena_begin(&arena, &allocator);
        cst_block_lu lu;
        done = cst_block_lu_begin(&arena, m.n, m.dim, m.row_start, m.column, NULL, &lu);
        assert_true(done != arena.failed);
        cst_arena_end(&arena);
    }
    assert_true(allowed > 3);
    free_sparse(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_solves_every_size),
        cmocka_unit_test(dense_leaves_the_schur_complement),
        cmocka_unit_test(dense_counts_vanishing_pivots),
        cmocka_unit_test(block_lu_solves_random_patterns),
        cmocka_unit_test(block_lu_full_rank_is_the_default),
        cmocka_unit_test(block_lu_survives_a_singular_matrix),
        cmocka_unit_test(a_chain_costs_in_proportion_to_its_length),
        cmocka_unit_test(ordering_is_a_permutation),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
