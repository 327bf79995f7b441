#include "friction/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sorted.h"
#include "base/threads.h"

enum { PARALLEL_MIN = 512 }; /* PARALLEL_MIN: with fewer than PARALLEL_MIN contacts, one thread works alone */

static bool all_finite(const double *x, int64_t count, int64_t *where)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(x[k])) {
            *where = k;
            return false;
        }
    return true;
}

static bool check_pattern(const cst_friction_problem *p, char *message, size_t size)
{
    if (p->row_start[0] != 0) {
        snprintf(message, size, "row_start[0] is %lld, expected 0", (long long)p->row_start[0]);
        return false;
    }
    for (int i = 0; i < p->contacts; i++) {
        bool diagonal = false;
        if (p->row_start[i + 1] < p->row_start[i]) {
            snprintf(message, size, "row_start decreases at contact %d", i);
            return false;
        }
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            const int32_t j = p->column[e];
            if (j < 0 || j >= p->contacts) {
                snprintf(message, size, "contact %d: block column %d is outside 0..%d", i, (int)j, p->contacts - 1);
                return false;
            }
            if (e > p->row_start[i] && j <= p->column[e - 1]) {
                snprintf(message, size, "contact %d: block columns are not increasing", i);
                return false;
            }
            diagonal = diagonal || j == i;
        }
        if (!diagonal) {
            snprintf(message, size, "contact %d has no diagonal block", i);
            return false;
        }
    }
    return true;
}

bool cst_problem_check(const cst_friction_problem *p, char *message, size_t size)
{
    if (p->dim != 2 && p->dim != 3) {
        snprintf(message, size, "dim is %d, expected 2 or 3", p->dim);
        return false;
    }
    if (p->contacts < 0) {
        snprintf(message, size, "the number of contacts is negative (%d)", p->contacts);
        return false;
    }
    if (p->contacts == 0)
        return true;
    if (!p->row_start || !p->column || !p->block || !p->free_velocity || !p->mu) {
        snprintf(message, size, "an array of the problem is NULL");
        return false;
    }
    if (!check_pattern(p, message, size))
        return false;
    const int64_t square = p->dim * p->dim;
    int64_t where = 0;
    if (!all_finite(p->block, p->row_start[p->contacts] * square, &where)) {
        int i = 0;
        while (p->row_start[i + 1] <= where / square)
            i++;
        snprintf(message, size, "contact %d: W is not finite in block %lld", i, (long long)(where / square));
        return false;
    }
    if (!all_finite(p->free_velocity, (int64_t)p->contacts * p->dim, &where)) {
        snprintf(message, size, "the free velocity of contact %lld is not finite", (long long)(where / p->dim));
        return false;
    }
    for (int i = 0; i < p->contacts; i++) {
        const bool bilateral = p->law && p->law[i] == CST_LAW_BILATERAL;
        if (p->law && !bilateral && p->law[i] != CST_LAW_COULOMB) {
            snprintf(message, size, "contact %d: there is no law %d", i, p->law[i]);
            return false;
        }
        if (!bilateral && !(p->mu[i] >= 0.0 && isfinite(p->mu[i]))) {
            snprintf(message, size, "mu of contact %d is %g, expected finite and >= 0", i, p->mu[i]);
            return false;
        }
    }
    return true;
}

bool cst_problem_transpose(const cst_friction_problem *p, cst_arena *arena, cst_friction_problem *out)
{
    const int n = p->contacts, dim = p->dim, square = dim * dim;
    const int64_t blocks = n > 0 ? p->row_start[n] : 0;
    int64_t *start = CST_TAKE(arena, int64_t, (size_t)n + 2);
    int32_t *column = CST_TAKE_RAW(arena, int32_t, (size_t)blocks);
    double *block = CST_TAKE_RAW(arena, double, (size_t)blocks *(size_t)square);
    if (arena->failed)
        return false;
    /* at first, start[j + 2] counts the blocks in row j of the transposed matrix; while the rows are filled, start[j + 1] is the
     * next free position in row j */
    for (int64_t e = 0; e < blocks; e++)
        start[p->column[e] + 2]++;
    for (int j = 0; j < n; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < n; i++)
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            const int64_t at = start[p->column[e] + 1]++;
            column[at] = i;
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    block[at * square + row * dim + c] = p->block[e * square + c * dim + row];
        }
    *out = *p;
    out->row_start = start;
    out->column = column;
    out->block = block;
    return true;
}

/* Iterator over the columns in which a given row has a block in at least one of two sparse matrices. */
typedef struct row_pair {
    int64_t a, a_end, b, b_end;
    int32_t column;
    const double *block_a, *block_b; /* NULL: no block */
} row_pair;

static bool next_pair(row_pair *pair, const cst_friction_problem *p, const cst_friction_problem *q)
{
    const int square = p->dim * p->dim;
    if (pair->a == pair->a_end && pair->b == pair->b_end)
        return false;
    const int32_t in_a = pair->a < pair->a_end ? p->column[pair->a] : INT32_MAX;
    const int32_t in_b = pair->b < pair->b_end ? q->column[pair->b] : INT32_MAX;
    pair->column = in_a < in_b ? in_a : in_b;
    pair->block_a = in_a <= in_b ? p->block + square * pair->a++ : NULL;
    pair->block_b = in_b <= in_a ? q->block + square * pair->b++ : NULL;
    return true;
}

static row_pair begin_pair(const cst_friction_problem *p, const cst_friction_problem *q, int row)
{
    return (row_pair){
        .a = p->row_start[row], .a_end = p->row_start[row + 1], .b = q->row_start[row], .b_end = q->row_start[row + 1]};
}

int64_t cst_find_column(const int64_t *start, const int32_t *column, int32_t row, int32_t wanted)
{
    const int64_t at = start[row] + cst_sorted_place(column + start[row], start[row + 1] - start[row], wanted);
    return at < start[row + 1] && column[at] == wanted ? at : -1;
}

/* For row i of the Delassus matrix W, sets *difference to the sum of the squares of the entries of W - W^T, and *size to the sum
 * of the squares of the entries of W. Returns false if a block (i, j) of the row has no transposed block (j, i). */
static bool compare_row(const cst_friction_problem *p, int32_t i, double *difference, double *size)
{
    const int dim = p->dim, square = dim * dim;
    bool symmetric = true;
    *difference = *size = 0.0;
    for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
        const double *block = p->block + e * square;
        const int64_t mate = cst_find_column(p->row_start, p->column, p->column[e], i);
        symmetric = symmetric && mate >= 0;
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++) {
                const double value = block[row * dim + c];
                /* if W has a block (i, j) but no block (j, i), W - W^T has the block at (i, j) and at (j, i). The loop over the
                 * blocks of W meets it only at (i, j), so its square counts twice */
                const double d = mate >= 0 ? value - p->block[mate * square + c * dim + row] : sqrt(2.0) * value;
                *difference += d * d;
                *size += value * value;
            }
    }
    return symmetric;
}

double cst_problem_asymmetry(const cst_friction_problem *p, int threads, double *scratch, bool *pattern_symmetric)
{
    const int used = cst_threads_for(threads, p->contacts, PARALLEL_MIN);
    double difference = 0.0, size = 0.0;
    int symmetric = 1;
    (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used) reduction(min : symmetric)
    for (int32_t i = 0; i < p->contacts; i++)
        if (!compare_row(p, i, scratch + 2 * (int64_t)i, scratch + 2 * (int64_t)i + 1))
            symmetric = 0;
    for (int32_t i = 0; i < p->contacts; i++) {
        /* the squares are summed in the order of the rows, so that the result does not depend on the number of threads */
        difference += scratch[2 * (int64_t)i];
        size += scratch[2 * (int64_t)i + 1];
    }
    *pattern_symmetric = symmetric != 0;
    return size > 0.0 ? sqrt(difference / size) : 0.0;
}

bool cst_problem_symmetrise(const cst_friction_problem *p, const cst_friction_problem *transpose, cst_arena *arena,
                            cst_friction_problem *out)
{
    const int n = p->contacts, square = p->dim * p->dim;
    int64_t *start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        int64_t count = 0;
        for (row_pair pair = begin_pair(p, transpose, i); next_pair(&pair, p, transpose);)
            count++;
        start[i + 1] = start[i] + count;
    }
    int32_t *column = CST_TAKE_RAW(arena, int32_t, (size_t)start[n]);
    double *block = CST_TAKE_RAW(arena, double, (size_t)start[n] * (size_t)square);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        int64_t at = start[i];
        for (row_pair pair = begin_pair(p, transpose, i); next_pair(&pair, p, transpose); at++) {
            column[at] = pair.column;
            for (int k = 0; k < square; k++)
                block[at * square + k] = 0.5 * ((pair.block_a ? pair.block_a[k] : 0.0) + (pair.block_b ? pair.block_b[k] : 0.0));
        }
    }
    *out = *p;
    out->row_start = start;
    out->column = column;
    out->block = block;
    return true;
}
