/* Dense and block-sparse Cholesky: against the matrix itself (residual of a solve, computed here from the entries), over sheets and random
 * patterns; matrices that are not definite; the same bits for one and two threads; every allocation failed in turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sparse/block_cholesky.h"
#include "sparse/block_inverse.h"
#include "sparse/dense_cholesky.h"
#include "tests/failing_allocator.h"

static void dense_leaves_the_schur_complement(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (int n = 1; n <= 220; n += n < 30 ? 1 : n < 90 ? 13 : 61) /* beyond a panel and a chunk of rows too */
        for (int pivots = (n + 2) / 3; pivots <= n; pivots += n > 3 ? n / 3 : 1) {
            const int stride = cst_cholesky_stride(n);
            double *g = calloc((size_t)(n * n), sizeof *g), *a = calloc((size_t)(n * stride), sizeof *a);
            double *kept = calloc((size_t)(n * stride), sizeof *kept),
                   *scratch = calloc(cst_cholesky_scratch(n), sizeof *scratch);
            assert_true(g && a && kept && scratch);
            for (int k = 0; k < n * n; k++)
                g[k] = cst_rng_range(&rng, -1.0, 1.0);
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++) {
                    for (int k = 0; k < n; k++)
                        a[i * stride + j] += g[i * n + k] * g[j * n + k];
                    a[i * stride + j] += i == j ? 1.0 : 0.0;
                }
            memcpy(kept, a, sizeof *a * (size_t)(n * stride));
            assert_int_equal(cst_dense_cholesky_eliminate(a, n, stride, pivots, scratch, 1), -1);
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++) {
                    double sum = j >= pivots ? a[i * stride + j] : 0.0;
                    for (int k = 0; k <= j && k < pivots; k++) {
                        const double left = k == i ? 1.0 / a[i * stride + k] : a[i * stride + k];
                        const double right = k == j ? 1.0 / a[j * stride + k] : a[j * stride + k];
                        sum += left * right;
                    }
                    assert_true(fabs(sum - kept[i * stride + j]) < 1e-12 * n * n);
                }
            free(g);
            free(a);
            free(kept);
            free(scratch);
        }
}

/* A sheet of `side` x `side` nodes, each coupled with those at most two away along both directions, and the same with some couplings between
 * far nodes. Diagonally dominant, so definite. */
typedef struct sheet {
    int n, dim;
    int64_t *row_start;
    int32_t *column;
    double *block;
} sheet;

static int compare(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static sheet make_sheet(int side, int dim, int far, uint64_t seed)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    sheet s = {.n = side * side, .dim = dim};
    const size_t most = (size_t)s.n * (25 + 2 * (size_t)far), square = (size_t)(dim * dim);
    int32_t *extra = calloc((size_t)far * 2 + 1, sizeof *extra);
    s.row_start = calloc((size_t)s.n + 1, sizeof *s.row_start);
    s.column = calloc(most, sizeof *s.column);
    assert_true(extra && s.row_start && s.column);
    for (int k = 0; k < 2 * far; k++)
        extra[k] = (int32_t)(cst_rng_range(&rng, 0.0, 0.999999) * s.n);
    for (int i = 0; i < s.n; i++) {
        int64_t at = s.row_start[i];
        for (int y = i / side - 2; y <= i / side + 2; y++)
            for (int x = i % side - 2; x <= i % side + 2; x++)
                if (x >= 0 && x < side && y >= 0 && y < side)
                    s.column[at++] = y * side + x;
        for (int k = 0; k < far; k++)
            for (int end = 0; end < 2; end++) {
                const int32_t other = extra[2 * k + 1 - end];
                bool there = extra[2 * k + end] != i;
                for (int64_t e = s.row_start[i]; e < at && !there; e++)
                    there = s.column[e] == other;
                if (!there)
                    s.column[at++] = other;
            }
        qsort(s.column + s.row_start[i], (size_t)(at - s.row_start[i]), sizeof *s.column, compare);
        s.row_start[i + 1] = at;
    }
    s.block = calloc((size_t)s.row_start[s.n] * square, sizeof *s.block);
    assert_non_null(s.block);
    for (int i = 0; i < s.n; i++)
        for (int64_t e = s.row_start[i]; e < s.row_start[i + 1]; e++)
            for (int c = 0; c < dim * dim && s.column[e] > i; c++) {
                const int32_t j = s.column[e];
                int64_t mirror = s.row_start[j];
                while (s.column[mirror] != i)
                    mirror++;
                const double value = cst_rng_range(&rng, -1.0, 1.0);
                s.block[(size_t)e * square + (size_t)c] = value;
                s.block[(size_t)mirror * square + (size_t)(c % dim * dim + c / dim)] = value;
            }
    for (int i = 0; i < s.n; i++)
        for (int64_t e = s.row_start[i]; e < s.row_start[i + 1]; e++)
            if (s.column[e] == i)
                for (int c = 0; c < dim; c++)
                    s.block[(size_t)e * square + (size_t)(c * (dim + 1))] =
                        1.2 * dim * (double)(s.row_start[i + 1] - s.row_start[i]);
    free(extra);
    return s;
}

static void free_sheet(sheet *s)
{
    free(s->row_start);
    free(s->column);
    free(s->block);
}

static double worst_defect(const sheet *s, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < s->n; i++)
        for (int r = 0; r < s->dim; r++) {
            double sum = -b[i * s->dim + r], size = fabs(sum);
            for (int64_t e = s->row_start[i]; e < s->row_start[i + 1]; e++)
                for (int c = 0; c < s->dim; c++) {
                    const double term = s->block[(e * s->dim + r) * s->dim + c] * x[s->column[e] * s->dim + c];
                    sum += term;
                    size += fabs(term);
                }
            worst = fmax(worst, fabs(sum) / size);
        }
    return worst;
}

static void sheets_are_solved_with_the_same_bits(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int side = 1; side <= 46; side += side < 6 ? 1 : 20) {
            sheet s = make_sheet(side, dim, side > 3 ? 5 : 0, (uint64_t)side);
            cst_arena arena;
            cst_arena_begin(&arena, NULL);
            cst_block_cholesky cholesky;
            assert_true(cst_block_cholesky_begin(&arena, s.n, dim, s.row_start, s.column, NULL, &cholesky));
            const size_t size = (size_t)(s.n * dim);
            double *b = calloc(size, sizeof *b), *x = calloc(size, sizeof *x), *again = calloc(size, sizeof *again);
            double *work = calloc((size_t)cholesky.work_size, sizeof *work);
            assert_true(b && x && again && work);
            for (size_t k = 0; k < size; k++)
                b[k] = x[k] = again[k] = sin(1.0 + (double)k);
            assert_int_equal(cst_block_cholesky_factor(&cholesky, s.block, 1), -1);
            cst_block_cholesky_solve(&cholesky, work, x);
            assert_true(worst_defect(&s, x, b) < 1e-14);
            assert_int_equal(cst_block_cholesky_factor(&cholesky, s.block, 2), -1);
            cst_block_cholesky_solve(&cholesky, work, again);
            assert_memory_equal(x, again, size * sizeof *x);
            free(b);
            free(x);
            free(again);
            free(work);
            cst_arena_end(&arena);
            free_sheet(&s);
        }
}

/* Blocks of the inverse that are asked for, against columns of the inverse by solves. */
static void blocks_of_the_inverse(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int side = 1; side <= 25; side += 6) {
            sheet s = make_sheet(side, dim, side > 3 ? 3 : 0, (uint64_t)side + 50);
            cst_arena arena;
            cst_arena_begin(&arena, NULL);
            cst_block_cholesky cholesky;
            assert_true(cst_block_cholesky_begin(&arena, s.n, dim, s.row_start, s.column, NULL, &cholesky));
            assert_int_equal(cst_block_cholesky_factor(&cholesky, s.block, 1), -1);
            enum { PAIRS = 40 };
            cst_vertex_pair pair[PAIRS];
            double block[PAIRS * 9];
            cst_rng rng;
            cst_rng_seed(&rng, 5, 0);
            for (int k = 0; k < PAIRS; k++) {
                pair[k].row = (int32_t)(cst_rng_range(&rng, 0.0, 0.999999) * s.n);
                const int64_t first = s.row_start[pair[k].row], length = s.row_start[pair[k].row + 1] - first;
                pair[k].column = s.column[first + (int64_t)(cst_rng_range(&rng, 0.0, 0.999999) * (double)length)];
            }
            assert_true(cst_block_inverse(&cholesky, PAIRS, pair, &arena, block));
            double *x = calloc((size_t)(s.n * dim), sizeof *x), *work = calloc((size_t)cholesky.work_size, sizeof *work);
            assert_true(x && work);
            for (int k = 0; k < PAIRS; k++)
                for (int c = 0; c < dim; c++) {
                    memset(x, 0, sizeof *x * (size_t)(s.n * dim));
                    x[pair[k].column * dim + c] = 1.0;
                    cst_block_cholesky_solve(&cholesky, work, x);
                    for (int i = 0; i < dim; i++)
                        assert_true(fabs(x[pair[k].row * dim + i] - block[(k * dim + i) * dim + c]) < 1e-14);
                }
            free(x);
            free(work);
            cst_arena_end(&arena);
            free_sheet(&s);
        }
}

static void what_is_not_definite_is_named(void **state)
{
    (void)state;
    sheet s = make_sheet(9, 3, 0, 7);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_block_cholesky cholesky;
    assert_true(cst_block_cholesky_begin(&arena, s.n, 3, s.row_start, s.column, NULL, &cholesky));
    for (int64_t e = s.row_start[40]; e < s.row_start[41]; e++)
        if (s.column[e] == 40)
            s.block[e * 9 + 4] = -1.0;
    assert_int_equal(cst_block_cholesky_factor(&cholesky, s.block, 1), 40);
    for (int64_t e = s.row_start[40]; e < s.row_start[41]; e++)
        if (s.column[e] == 40)
            s.block[e * 9 + 4] = NAN;
    assert_int_not_equal(cst_block_cholesky_factor(&cholesky, s.block, 1), -1);
    cst_arena_end(&arena);
    free_sheet(&s);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    sheet s = make_sheet(20, 3, 2, 3);
    bool done = false;
    int failures = 0;
    for (int allowed = 0; !done; allowed++) {
        int f = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&f);
        cst_arena arena;
        cst_block_cholesky cholesky;
        cst_arena_begin(&arena, &allocator);
        double block[9];
        done = cst_block_cholesky_begin(&arena, s.n, 3, s.row_start, s.column, NULL, &cholesky) &&
               cst_block_cholesky_factor(&cholesky, s.block, 1) < 0 &&
               cst_block_inverse(&cholesky, 1, &(cst_vertex_pair){7, 7}, &arena, block);
        assert_int_equal(arena.failed, !done);
        failures += !done;
        cst_arena_end(&arena);
    }
    assert_true(failures > 2);
    free_sheet(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_leaves_the_schur_complement),
        cmocka_unit_test(sheets_are_solved_with_the_same_bits),
        cmocka_unit_test(blocks_of_the_inverse),
        cmocka_unit_test(what_is_not_definite_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
