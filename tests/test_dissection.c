/* Nested dissection: every vertex once; whatever the places are, the factor in that order solves; on a large flat mesh it takes less work than minimum degree, and a small one has
 * the order of minimum degree; memory that runs out is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sparse/block_cholesky.h"
#include "sparse/dissection.h"
#include "sparse/ordering.h"
#include "tests/failing_allocator.h"

/* side x side nodes, each coupled with those up to two lines away: as bending couples a sheet. */
typedef struct grid {
    cst_arena arena;
    int n;
    int64_t *row_start;
    int32_t *column, *order;
    double *place, *matrix;
} grid;

static grid make(int side)
{
    enum { REACH = 2, ROW = (2 * REACH + 1) * (2 * REACH + 1) };
    grid g = {.n = side * side};
    cst_arena_begin(&g.arena, NULL);
    g.row_start = CST_TAKE(&g.arena, int64_t, g.n + 1);
    g.column = CST_TAKE(&g.arena, int32_t, ROW * g.n);
    g.matrix = CST_TAKE(&g.arena, double, ROW *g.n);
    g.order = CST_TAKE(&g.arena, int32_t, g.n);
    g.place = CST_TAKE(&g.arena, double, 2 * g.n);
    assert_false(g.arena.failed);
    for (int i = 0; i < g.n; i++) {
        int64_t at = g.row_start[i];
        g.place[2 * i] = i % side;
        g.place[2 * i + 1] = i / side;
        for (int j = 0; j < g.n; j++)
            if (abs(i % side - j % side) <= REACH && abs(i / side - j / side) <= REACH) {
                g.column[at] = j;
                g.matrix[at++] = i == j ? ROW : -0.5;
            }
        g.row_start[i + 1] = at;
    }
    return g;
}

static void check_order(grid *g)
{
    bool *seen = calloc((size_t)g->n, sizeof *seen);
    double *x = calloc((size_t)g->n, sizeof *x), *work;
    cst_block_cholesky factor;
    for (int k = 0; k < g->n; k++) {
        assert_in_range(g->order[k], 0, g->n - 1);
        assert_false(seen[g->order[k]]);
        seen[g->order[k]] = true;
    }
    assert_true(cst_block_cholesky_begin(&g->arena, g->n, 1, g->row_start, g->column, g->order, &factor));
    assert_int_equal(cst_block_cholesky_factor(&factor, g->matrix, 1), -1);
    work = malloc(sizeof *work * (size_t)factor.work_size);
    for (int i = 0; i < g->n; i++)
        for (int64_t e = g->row_start[i]; e < g->row_start[i + 1]; e++)
            x[i] += g->matrix[e] * (g->column[e] % 7 - 3);
    cst_block_cholesky_solve(&factor, work, x);
    for (int i = 0; i < g->n; i++)
        assert_true(fabs(x[i] - (i % 7 - 3)) < 1e-12);
    free(work);
    free(x);
    free(seen);
}

static void factor_solves(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        grid g = make(30);
        for (int i = 0; i < 2 * g.n; i++)
            g.place[i] = kind == 0   ? g.place[i]                        /* the mesh as it is */
                         : kind == 1 ? 0.0                               /* all at one place */
                         : kind == 2 ? (double)(i * 7919 % 1000)         /* places that say nothing */
                                     : (i % 2 ? 0.0 : g.place[i] * 0.1); /* on a line */
        assert_true(cst_order_dissection(&g.arena, g.n, g.row_start, g.column, g.place, g.order));
        check_order(&g);
        cst_arena_end(&g.arena);
    }
}

static double flops_of(grid *g, bool dissection)
{
    cst_block_cholesky factor;
    if (dissection) {
        assert_true(cst_order_dissection(&g->arena, g->n, g->row_start, g->column, g->place, g->order));
        assert_true(cst_block_cholesky_begin(&g->arena, g->n, 3, g->row_start, g->column, g->order, &factor));
    } else {
        assert_true(cst_block_cholesky_begin(&g->arena, g->n, 3, g->row_start, g->column, NULL, &factor));
    }
    return factor.flops;
}

static void large_meshes_take_less_work(void **state)
{
    (void)state;
    grid g = make(110);
    const double dissected = flops_of(&g, true), by_degree = flops_of(&g, false);
    print_message("110 x 110 nodes: %.3g operations, by minimum degree %.3g\n", dissected, by_degree);
    assert_true(dissected < by_degree);
    cst_arena_end(&g.arena);
}

static void small_meshes_have_minimum_degree(void **state)
{
    (void)state;
    grid g = make(7);
    int32_t by_degree[49];
    assert_true(cst_order_dissection(&g.arena, g.n, g.row_start, g.column, g.place, g.order));
    assert_true(cst_order_minimum_degree(&g.arena, g.n, g.row_start, g.column, by_degree));
    assert_memory_equal(g.order, by_degree, sizeof by_degree);
    cst_arena_end(&g.arena);
}

static void says_that_memory_ran_out(void **state)
{
    (void)state;
    grid g = make(40);
    bool done = false;
    for (int blocks = 0; !done; blocks++) {
        int b = blocks;
        const cst_allocator few = fixture_failing_allocator(&b);
        cst_arena arena;
        assert_true(blocks < 20);
        cst_arena_begin(&arena, &few);
        done = cst_order_dissection(&arena, g.n, g.row_start, g.column, g.place, g.order);
        assert_true(done || arena.failed);
        cst_arena_end(&arena);
    }
    cst_arena_end(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(factor_solves), cmocka_unit_test(large_meshes_take_less_work),
                                       cmocka_unit_test(small_meshes_have_minimum_degree),
                                       cmocka_unit_test(says_that_memory_ran_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
