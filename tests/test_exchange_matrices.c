/* The scalar matrices under the readers, against dense ones. */
#include "exchange_fixture.h"

#include "sparse/band_lu.h"
#include "sparse/csr.h"
#include "sparse/rcm.h"

#include <math.h>

enum { MOST = 60 };

typedef struct arenas {
    cst_arena result, scratch;
} arenas;

static arenas begin(void)
{
    arenas a;
    cst_arena_begin(&a.result, NULL);
    cst_arena_begin(&a.scratch, NULL);
    return a;
}

static void end(arenas *a)
{
    cst_arena_end(&a->result);
    cst_arena_end(&a->scratch);
}

static int pick(uint64_t *seed, int below)
{
    return (int)((noise(seed) + 1.0) * 0.5 * below) % below;
}

/* Sorted, no zero stored, and equal to the dense matrix. */
static void check_csr(const cst_csr *m, const double *dense)
{
    int64_t counted = 0;
    for (int i = 0; i < m->rows; i++) {
        for (int64_t k = m->row_start[i]; k < m->row_start[i + 1]; k++) {
            assert_true(k == m->row_start[i] || m->column[k] > m->column[k - 1]);
            assert_true(m->value[k] != 0.0);
            assert_true(m->value[k] == dense[i * m->columns + m->column[k]]);
            counted++;
        }
    }
    for (int k = 0; k < m->rows * m->columns; k++)
        counted -= dense[k] != 0.0;
    assert_int_equal(counted, 0);
}

static void test_triplets(void **state)
{
    (void)state;
    static double dense[MOST * MOST], turned[MOST * MOST];
    int32_t row[400], column[400];
    double value[400];
    uint64_t seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        arenas a = begin();
        int rows = pick(&seed, MOST), columns = pick(&seed, MOST), count = rows * columns > 0 ? pick(&seed, 400) : 0;
        memset(dense, 0, sizeof dense);
        for (int k = 0; k < count; k++) {
            row[k] = pick(&seed, rows);
            column[k] = pick(&seed, columns);
            value[k] = k % 7 == 0 ? 0.0 : k % 5 == 0 && k > 0 ? -value[k - 1] : noise(&seed);
            dense[row[k] * columns + column[k]] += value[k];
        }
        cst_csr m, t, back, moved;
        assert_true(cst_csr_from_triplets(&a.result, &a.scratch, &(cst_triplets){rows, columns, count, row, column, value}, &m));
        check_csr(&m, dense);
        for (int k = 0; k < rows * columns; k++)
            turned[k % columns * rows + k / columns] = dense[k];
        assert_true(cst_csr_transpose(&a.result, &m, &t));
        check_csr(&t, turned);
        assert_true(cst_csr_transpose(&a.result, &t, &back));
        check_csr(&back, dense);
        int32_t reversed[MOST];
        for (int k = 0; k < columns; k++)
            reversed[k] = columns - 1 - k;
        for (int k = 0; k < rows * columns; k++)
            turned[k] = dense[k / columns * columns + columns - 1 - k % columns];
        assert_true(cst_csr_permute(&a.result, &a.scratch, &m, NULL, reversed, &moved));
        check_csr(&moved, turned);
        end(&a);
    }
}

static void test_blocks(void **state)
{
    (void)state;
    static double dense[MOST * MOST];
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        int dim = 2 + trial % 2, n = pick(&seed, MOST / dim), m = n * dim;
        int32_t row[300], column[300];
        double value[300];
        int count = n > 0 ? pick(&seed, 300) : 0;
        memset(dense, 0, sizeof dense);
        for (int k = 0; k < count; k++) {
            row[k] = pick(&seed, m);
            column[k] = pick(&seed, m);
            value[k] = noise(&seed);
            dense[row[k] * m + column[k]] += value[k];
        }
        arenas a = begin();
        cst_csr matrix;
        cst_block_csr blocks;
        assert_true(cst_csr_from_triplets(&a.result, &a.scratch, &(cst_triplets){m, m, count, row, column, value}, &matrix));
        assert_true(cst_csr_to_blocks(&a.result, &matrix, dim, &blocks));
        for (int i = 0; i < n; i++) {
            bool diagonal = false;
            for (int64_t k = blocks.row_start[i]; k < blocks.row_start[i + 1]; k++) {
                int j = blocks.column[k];
                bool zero = true;
                assert_true(k == blocks.row_start[i] || j > blocks.column[k - 1]);
                diagonal = diagonal || j == i;
                for (int e = 0; e < dim * dim; e++) {
                    double *expected = &dense[(i * dim + e / dim) * m + j * dim + e % dim];
                    assert_true(blocks.block[k * dim * dim + e] == *expected);
                    zero = zero && *expected == 0.0;
                    *expected = 0.0; /* seen */
                }
                assert_true(!zero || j == i);
            }
            assert_true(diagonal);
        }
        for (int k = 0; k < m * m; k++)
            assert_true(dense[k] == 0.0);
        end(&a);
    }
}

static void test_asymmetry(void **state)
{
    (void)state;
    static const struct {
        double dense[4], expected;
    } cases[] = {
        {{0, 0, 0, 0}, 0.0},
        {{1, 2, 2, 1}, 0.0},
        {{0, 1, 0, 0}, 1.41421356237309515},
        {{1e200, 3e200, 4e200, 1e200}, 0.27216552697590868}, /* sqrt(2/27): no overflow */
        {{1e-200, 3e-200, 4e-200, 1e-200}, 0.27216552697590868},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        arenas a = begin();
        static const int32_t row[4] = {0, 0, 1, 1}, column[4] = {0, 1, 0, 1};
        cst_csr m, t;
        assert_true(cst_csr_from_triplets(&a.result, &a.scratch, &(cst_triplets){2, 2, 4, row, column, cases[k].dense}, &m));
        assert_true(cst_csr_transpose(&a.result, &m, &t));
        assert_true(fabs(cst_csr_asymmetry(&m, &t) - cases[k].expected) < 1e-15);
        end(&a);
    }
}

/* Components of a random graph by repeated relaxation, and a shuffled grid whose band RCM must find again. */
static void test_order(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 100; trial++) {
        int n = 1 + pick(&seed, MOST), count = pick(&seed, n + 10), label[MOST], seen[MOST] = {0};
        int32_t row[100], column[100], order[MOST], component[MOST];
        double value[100];
        for (int k = 0; k < count; k++) {
            row[k] = pick(&seed, n);
            column[k] = pick(&seed, n);
            value[k] = 1.0;
        }
        for (int i = 0; i < n; i++)
            label[i] = i;
        for (bool moved = true; moved;) {
            moved = false;
            for (int k = 0; k < count; k++)
                if (label[row[k]] != label[column[k]]) {
                    int smaller = label[row[k]] < label[column[k]] ? label[row[k]] : label[column[k]];
                    label[row[k]] = label[column[k]] = smaller;
                    moved = true;
                }
        }
        arenas a = begin();
        cst_csr m, t;
        assert_true(cst_csr_from_triplets(&a.result, &a.scratch, &(cst_triplets){n, n, count, row, column, value}, &m));
        assert_true(cst_csr_transpose(&a.result, &m, &t));
        int expected = 0, components = cst_rcm_order(&a.scratch, &m, &t, order, component);
        for (int i = 0; i < n; i++) {
            assert_in_range(order[i], 0, n - 1);
            seen[order[i]]++;
            expected += label[i] == i;
            assert_int_equal(component[i], component[label[i]]);
            if (label[i] == i)
                assert_int_equal(component[i], expected - 1); /* numbered by smallest node */
            if (i > 0)
                assert_true(component[order[i]] == component[order[i - 1]] || component[order[i]] == component[order[i - 1]] + 1);
        }
        for (int i = 0; i < n; i++)
            assert_int_equal(seen[i], 1);
        assert_int_equal(components, expected);
        end(&a);
    }
    enum { LONG = 12, WIDE = 4, GRID = LONG * WIDE };
    int32_t shuffled[GRID], row[4 * GRID], column[4 * GRID], order[GRID], component[GRID], place[GRID];
    double value[4 * GRID];
    int count = 0;
    for (int k = 0; k < GRID; k++)
        shuffled[k] = (k * 29 + 7) % GRID; /* 29 and 48 are coprime */
    for (int k = 0; k < GRID; k++)
        for (int step = 0; step < 2; step++) {
            int other = step ? k + WIDE : k + 1;
            if (other >= GRID || (!step && other % WIDE == 0))
                continue;
            row[count] = shuffled[k]; /* one triangle only: the graph is that of A + A^T */
            column[count] = shuffled[other];
            value[count++] = 1.0;
        }
    arenas a = begin();
    cst_csr m, t;
    assert_true(cst_csr_from_triplets(&a.result, &a.scratch, &(cst_triplets){GRID, GRID, count, row, column, value}, &m));
    assert_true(cst_csr_transpose(&a.result, &m, &t));
    assert_int_equal(cst_rcm_order(&a.scratch, &m, &t, order, component), 1);
    int band = 0;
    for (int k = 0; k < GRID; k++)
        place[order[k]] = k;
    for (int k = 0; k < count; k++)
        band = abs(place[row[k]] - place[column[k]]) > band ? abs(place[row[k]] - place[column[k]]) : band;
    assert_true(band <= WIDE + 1);
    end(&a);
}

static void test_band_lu(void **state)
{
    (void)state;
    uint64_t seed = 4;
    double largest = 0.0;
    for (int trial = 0; trial < 300; trial++) {
        int n = 1 + pick(&seed, MOST), b = pick(&seed, n);
        static double dense[MOST * MOST];
        double x[MOST], rhs[MOST];
        arenas a = begin();
        cst_band_lu lu;
        assert_true(cst_band_lu_begin(&a.result, n, b, &lu));
        memset(dense, 0, sizeof dense);
        for (int i = 0; i < n; i++) {
            for (int j = i > b ? i - b : 0; j <= i + b && j < n; j++)
                /* a small diagonal, so that rows must be exchanged, and one that is not too small to solve with */
                dense[i * n + j] = *cst_band_lu_at(&lu, i, j) =
                    noise(&seed) * (i == j && b > 0 ? 1e-3 : 1.0) + (b == 0 ? 2.0 : 0.0);
            rhs[i] = x[i] = noise(&seed);
        }
        if (cst_band_lu_factor(&lu) < 0) {
            cst_band_lu_solve(&lu, x);
            double size = 0.0, residual = 0.0;
            for (int i = 0; i < n; i++)
                size = fmax(size, fabs(x[i]));
            for (int i = 0; i < n; i++) {
                double r = rhs[i];
                for (int j = 0; j < n; j++)
                    r -= dense[i * n + j] * x[j];
                residual = fmax(residual, fabs(r));
            }
            largest = fmax(largest, residual / (n * (1.0 + size))); /* backward error: any condition number is fair */
        }
        end(&a);
    }
    print_message("largest backward error %.1e\n", largest);
    assert_true(largest < 1e-15);
    /* singular at the step where it shows */
    arenas a = begin();
    cst_band_lu lu;
    assert_true(cst_band_lu_begin(&a.result, 3, 1, &lu));
    *cst_band_lu_at(&lu, 0, 0) = 1.0;
    *cst_band_lu_at(&lu, 2, 2) = 1.0;
    assert_int_equal(cst_band_lu_factor(&lu), 1);
    assert_true(cst_band_lu_entries(1000000, 999999) == 1e12);
    end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triplets), cmocka_unit_test(test_blocks),  cmocka_unit_test(test_asymmetry),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_band_lu),
    };
    return cmocka_run_group_tests_name("exchange: scalar matrices", tests, NULL, NULL);
}
