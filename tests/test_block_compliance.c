/* The dense matrix H A^-1 H^T of rows on a grid, against solves with the whole factor: rows on one vertex, on vertices far apart, on no vertex;
 * a matrix beside another one; each allocation fails in turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sparse/block_compliance.h"
#include "tests/failing_allocator.h"

enum {
    SIDE = 13,
    VERTICES = SIDE * SIDE,
    DIM = 3,
    SIZE = VERTICES * DIM,
    GROUPS = 31,
    ROWS = GROUPS * DIM,
    STRIDE = ROWS + 3,
    BLOCKS = 3 * GROUPS
};

typedef struct grid {
    cst_arena arena;
    int64_t row_start[VERTICES + 1];
    int32_t column[9 * VERTICES];
    double block[81 * VERTICES];
    cst_block_cholesky factor;
    int64_t start[GROUPS + 1];
    int32_t vertex[BLOCKS];
    double h[BLOCKS * DIM * DIM];
    cst_block_rows rows;
} grid;

/* Nine neighbours each; symmetric, the diagonal larger than all else. Group i has i % 4 blocks. */
static void make(grid *g, int32_t first)
{
    int64_t count = 0;
    memset(g, 0, sizeof *g);
    cst_arena_begin(&g->arena, NULL);
    for (int i = 0; i < VERTICES; ++i) {
        for (int j = 0; j < VERTICES; ++j) {
            if (abs(i / SIDE - j / SIDE) > 1 || abs(i % SIDE - j % SIDE) > 1)
                continue;
            g->column[count] = j;
            for (int e = 0; e < DIM * DIM; ++e) {
                const int row = DIM * i + e / DIM, column = DIM * j + e % DIM;
                const int low = row < column ? row : column, high = row < column ? column : row;
                g->block[count * DIM * DIM + e] = row == column ? 40.0 : sin(1.0 + 3.7 * low + 11.3 * high);
            }
            count++;
        }
        g->row_start[i + 1] = count;
    }
    assert_true(cst_block_cholesky_begin(&g->arena, VERTICES, DIM, g->row_start, g->column, NULL, &g->factor));
    assert_int_equal(cst_block_cholesky_factor(&g->factor, g->block, 1), -1);
    for (int i = 0; i < GROUPS; ++i) {
        g->start[i + 1] = g->start[i] + i % 4;
        for (int64_t t = g->start[i]; t < g->start[i + 1]; ++t) {
            g->vertex[t] = first + (int32_t)((37 * i + 61 * (t - g->start[i])) % VERTICES);
            for (int e = 0; e < DIM * DIM; ++e)
                g->h[t * DIM * DIM + e] = cos(0.3 + 1.9 * (double)t + 0.7 * e);
        }
    }
    g->rows = (cst_block_rows){.groups = GROUPS, .start = g->start, .vertex = g->vertex, .block = g->h, .first = first};
}

/* Row `row` of H times the solution x of a linear system. */
static double product(const grid *g, int row, const double *x)
{
    double sum = 0.0;
    for (int64_t t = g->start[row / DIM]; t < g->start[row / DIM + 1]; ++t)
        for (int c = 0; c < DIM; ++c)
            sum += g->h[(t * DIM + row % DIM) * DIM + c] * x[(g->vertex[t] - g->rows.first) * DIM + c];
    return sum;
}

static void equals_solves(void **state)
{
    static grid g;
    static double W[ROWS * STRIDE];
    const int32_t first[] = {0, 1000};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        make(&g, first[k]);
        double *work = CST_TAKE(&g.arena, double, g.factor.work_size);
        for (int e = 0; e < ROWS * STRIDE; ++e)
            W[e] = 0.5;
        assert_true(cst_block_compliance_add(&g.factor, &g.rows, &g.arena, W, STRIDE));
        for (int row = 0; row < ROWS; ++row) {
            double x[SIZE] = {0};
            for (int64_t t = g.start[row / DIM]; t < g.start[row / DIM + 1]; ++t)
                for (int c = 0; c < DIM; ++c)
                    x[(g.vertex[t] - first[k]) * DIM + c] += g.h[(t * DIM + row % DIM) * DIM + c];
            cst_block_cholesky_solve(&g.factor, work, x);
            for (int other = 0; other < STRIDE; ++other) /* the upper triangle is unchanged */
                assert_true(fabs(W[row * STRIDE + other] - 0.5 - (other <= row ? product(&g, other, x) : 0.0)) < 1e-14);
        }
        cst_arena_end(&g.arena);
    }
}

/* Vertices of other matrices are skipped. */
static void of_another_matrix(void **state)
{
    static grid g;
    static double W[ROWS * STRIDE];
    (void)state;
    make(&g, 0);
    for (int32_t other = -VERTICES; other <= VERTICES; other += 2 * VERTICES) {
        g.rows.first = other;
        assert_true(cst_block_compliance_add(&g.factor, &g.rows, &g.arena, W, STRIDE));
        for (int e = 0; e < ROWS * STRIDE; ++e)
            assert_true(W[e] == 0.0);
    }
    cst_arena_end(&g.arena);
}

static void memory_runs_out(void **state)
{
    static grid g;
    static double W[ROWS * STRIDE];
    bool good = false;
    (void)state;
    make(&g, 0);
    for (int allowed = 0; !good; ++allowed) {
        int left = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_arena arena;
        cst_arena_begin(&arena, &allocator);
        good = cst_block_compliance_add(&g.factor, &g.rows, &arena, W, STRIDE);
        assert_true(good == !arena.failed && (good || left < 0));
        assert_true(allowed > 0 || !good);
        cst_arena_end(&arena);
    }
    cst_arena_end(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_solves), cmocka_unit_test(of_another_matrix),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
