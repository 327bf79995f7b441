/* The Schur complement on some vertices of a grid, against that of the dense matrix; nothing kept, all kept; the same beside a factor whose kept
 * vertices come last, and solves with it; a matrix that is not definite. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sparse/schur.h"

enum { SIDE = 7, VERTICES = SIDE * SIDE, DIM = 3, SIZE = VERTICES * DIM };

typedef struct grid {
    cst_arena arena;
    int64_t row_start[VERTICES + 1];
    int32_t column[9 * VERTICES];
    double block[81 * VERTICES];
    double dense[SIZE][SIZE];
    cst_block_cholesky factor; /* for its order */
} grid;

/* Nine neighbours each; symmetric, the diagonal larger than all else. */
static void make(grid *g, double diagonal)
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
                const double value = row == column ? diagonal : sin(1.0 + 3.7 * low + 11.3 * high);
                g->block[count * DIM * DIM + e] = g->dense[row][column] = value;
            }
            count++;
        }
        g->row_start[i + 1] = count;
    }
    assert_true(cst_block_cholesky_begin(&g->arena, VERTICES, DIM, g->row_start, g->column, NULL, &g->factor));
}

static int find(grid *g, const bool *kept, cst_schur *out)
{
    return cst_schur_find(&g->arena, VERTICES, DIM, g->row_start, g->column, g->block, g->factor.fronts.order, kept, 1, out);
}

/* Gauss's elimination of the scalars that are not kept, one after the other. */
static void eliminate_dense(grid *g, const bool *kept)
{
    for (int k = 0; k < SIZE; ++k)
        for (int i = 0; i < SIZE && !kept[k / DIM]; ++i) {
            const double factor = i == k ? 0.0 : g->dense[i][k] / g->dense[k][k];
            for (int j = 0; j < SIZE && factor != 0.0; ++j)
                g->dense[i][j] -= factor * g->dense[k][j];
        }
}

static void equals_the_dense_one(bool (*keep)(int))
{
    static grid g;
    bool kept[VERTICES];
    cst_schur schur;
    double seen = 0.0, all = 0.0;
    make(&g, 40.0);
    for (int i = 0; i < VERTICES; ++i)
        kept[i] = keep(i);
    assert_int_equal(find(&g, kept, &schur), -1);
    eliminate_dense(&g, kept);
    for (int row = 0; row < schur.kept; ++row)
        for (int64_t e = schur.row_start[row]; e < schur.row_start[row + 1]; ++e)
            for (int c = 0; c < DIM * DIM; ++c) {
                const double expected = g.dense[DIM * schur.vertex[row] + c / DIM][DIM * schur.vertex[schur.column[e]] + c % DIM];
                assert_true(fabs(schur.block[e * DIM * DIM + c] - expected) < 1e-12);
                seen += expected * expected;
            }
    for (int i = 0; i < SIZE; ++i) /* no entry that is not zero has been left out */
        for (int j = 0; j < SIZE; ++j)
            all += kept[i / DIM] && kept[j / DIM] ? g.dense[i][j] * g.dense[i][j] : 0.0;
    assert_true(fabs(seen - all) <= 1e-12 * all);
    cst_arena_end(&g.arena);
}

static bool in_the_middle(int i)
{
    return abs(i / SIDE - 3) <= 1 && abs(i % SIDE - 3) <= 2;
}

static bool every_third(int i)
{
    return i % 3 == 0;
}

static bool none(int i)
{
    return i < 0;
}

static bool all(int i)
{
    return i >= 0;
}

static void of_a_patch(void **state)
{
    (void)state;
    equals_the_dense_one(in_the_middle);
}

static void of_scattered_vertices(void **state)
{
    (void)state;
    equals_the_dense_one(every_third);
}

static void of_nothing_and_of_all(void **state)
{
    (void)state;
    equals_the_dense_one(none);
    equals_the_dense_one(all);
}

/* A x of the answer to A x = b is b. */
static void solves(const grid *g, const cst_block_cholesky *factor, double *work)
{
    double x[SIZE];
    for (int i = 0; i < SIZE; ++i)
        x[i] = cos(0.7 * i);
    cst_block_cholesky_solve(factor, work, x);
    for (int i = 0; i < SIZE; ++i) {
        double sum = 0.0;
        for (int j = 0; j < SIZE; ++j)
            sum += g->dense[i][j] * x[j];
        assert_true(fabs(sum - cos(0.7 * i)) < 1e-12);
    }
}

/* The columns of the kept vertices in a factor are the Cholesky factor of the Schur complement: S x of the answer to S x = b is b. */
static void solves_kept(const cst_schur *schur, const cst_block_cholesky *factor, double *work)
{
    double x[SIZE];
    for (int i = 0; i < DIM * schur->kept; ++i)
        x[i] = cos(0.7 * i);
    cst_block_cholesky_solve_kept(factor, schur->index, work, x);
    for (int i = 0; i < DIM * schur->kept; ++i) {
        double sum = 0.0;
        for (int64_t e = schur->row_start[i / DIM]; e < schur->row_start[i / DIM + 1]; ++e)
            for (int c = 0; c < DIM; ++c)
                sum += schur->block[(e * DIM + i % DIM) * DIM + c] * x[DIM * schur->column[e] + c];
        assert_true(fabs(sum - cos(0.7 * i)) < 1e-12);
    }
}

static void comes_with_the_factor(void **state)
{
    (void)state;
    static grid g;
    static bool (*const keep[])(int) = {in_the_middle, every_third, none, all};
    for (size_t k = 0; k < sizeof keep / sizeof *keep; ++k) {
        bool kept[VERTICES];
        cst_block_cholesky factor;
        cst_schur alone, beside;
        make(&g, 40.0);
        for (int i = 0; i < VERTICES; ++i)
            kept[i] = keep[k](i);
        assert_true(cst_block_cholesky_begin_kept(&g.arena, VERTICES, DIM, g.row_start, g.column, g.factor.fronts.order, kept,
                                                  false, &factor));
        assert_true(cst_schur_begin(&g.arena, &factor, g.row_start, g.column, &beside));
        double *work = CST_TAKE(&g.arena, double, (size_t)factor.work_size);
        assert_int_equal(find(&g, kept, &alone), -1);
        for (int again = 0; again < 2; ++again) { /* nothing is left of the numbers of before */
            assert_int_equal(cst_schur_factor(&factor, g.row_start, g.column, g.block, 1, &beside), -1);
            assert_int_equal(beside.kept, alone.kept);
            assert_int_equal(beside.row_start[beside.kept], alone.row_start[alone.kept]);
            for (int64_t e = 0; e < alone.row_start[alone.kept]; ++e) {
                assert_int_equal(beside.column[e], alone.column[e]);
                for (int c = 0; c < DIM * DIM; ++c)
                    assert_true(fabs(beside.block[e * DIM * DIM + c] - alone.block[e * DIM * DIM + c]) < 1e-12);
            }
            for (int i = 0; i < VERTICES; ++i)
                assert_true(kept[i] ? beside.vertex[beside.index[i]] == i : beside.index[i] == -1);
            solves(&g, &factor, work);
            solves_kept(&beside, &factor, work);
        }
        cst_arena_end(&g.arena);
    }
}

static void names_a_vertex_that_is_not_definite(void **state)
{
    (void)state;
    static grid g;
    bool kept[VERTICES];
    cst_schur schur;
    make(&g, 0.1);
    for (int i = 0; i < VERTICES; ++i)
        kept[i] = in_the_middle(i);
    const int fault = find(&g, kept, &schur);
    assert_true(fault >= 0 && fault < VERTICES && !kept[fault]);
    cst_arena_end(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_patch), cmocka_unit_test(of_scattered_vertices),
                                       cmocka_unit_test(of_nothing_and_of_all), cmocka_unit_test(comes_with_the_factor),
                                       cmocka_unit_test(names_a_vertex_that_is_not_definite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
