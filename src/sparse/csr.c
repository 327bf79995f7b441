#include "sparse/csr.h"

#include <math.h>
#include <string.h>

/* Stable counting sort of matrix entries by their keys. `source`: indices of the entries to sort; NULL: all entries. `start`
 * (keys + 1) is zero on entry; on return, start[k] is the position in `sorted` of the first entry with the key k. */
static void sort_entries(int64_t count, const int64_t *source, const int32_t *key, int32_t keys, int64_t *start, int64_t *sorted)
{
    for (int64_t k = 0; k < count; k++)
        start[key[k] + 1]++;
    for (int32_t i = 0; i < keys; i++)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < count; k++) {
        int64_t entry = source ? source[k] : k;
        sorted[start[key[entry]]++] = entry;
    }
    /* the loop above has moved start[k] to the start of key k + 1, so all start indices are moved back */
    memmove(start + 1, start, (size_t)keys * sizeof *start);
    start[0] = 0;
}

bool cst_csr_from_triplets(cst_arena *arena, cst_arena *scratch, const cst_triplets *triplets, cst_csr *out)
{
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    int64_t count = triplets->count;
    int64_t *column_start = CST_TAKE(scratch, int64_t, (int64_t)triplets->columns + 1);
    int64_t *by_column = CST_TAKE(scratch, int64_t, count);
    int64_t *by_row = CST_TAKE(scratch, int64_t, count);
    int64_t *row_start = CST_TAKE(arena, int64_t, (int64_t)triplets->rows + 1);
    bool ok = !scratch->failed && !arena->failed;
    int32_t *column = NULL;
    double *value = NULL;
    if (ok) {
        /* the entries are sorted by column and then by row; the sort by row is stable, so the entries of each row stay in the
         * order of their columns */
        sort_entries(count, NULL, triplets->column, triplets->columns, column_start, by_column);
        sort_entries(count, by_column, triplets->row, triplets->rows, row_start, by_row);
        column = CST_TAKE(arena, int32_t, count);
        value = CST_TAKE(arena, double, count);
        ok = !arena->failed;
    }
    if (ok) {
        int64_t filled = 0, from = 0;
        for (int32_t i = 0; i < triplets->rows; i++) {
            int64_t to = row_start[i + 1];
            row_start[i] = filled;
            while (from < to) {
                int32_t j = triplets->column[by_row[from]];
                double sum = 0.0;
                for (; from < to && triplets->column[by_row[from]] == j; from++)
                    sum += triplets->value[by_row[from]];
                if (sum != 0.0) {
                    column[filled] = j;
                    value[filled++] = sum;
                }
            }
        }
        row_start[triplets->rows] = filled;
        *out = (cst_csr){triplets->rows, triplets->columns, row_start, column, value};
    }
    cst_arena_release(scratch, mark);
    return ok;
}

bool cst_csr_transpose(cst_arena *arena, const cst_csr *matrix, cst_csr *out)
{
    int64_t count = matrix->row_start[matrix->rows];
    int64_t *start = CST_TAKE(arena, int64_t, (int64_t)matrix->columns + 1);
    int32_t *column = CST_TAKE(arena, int32_t, count);
    double *value = CST_TAKE(arena, double, count);
    if (arena->failed)
        return false;
    for (int64_t k = 0; k < count; k++)
        start[matrix->column[k] + 1]++;
    for (int32_t j = 0; j < matrix->columns; j++)
        start[j + 1] += start[j];
    for (int32_t i = 0; i < matrix->rows; i++)
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
            int64_t place = start[matrix->column[k]]++;
            column[place] = i;
            value[place] = matrix->value[k];
        }
    memmove(start + 1, start, (size_t)matrix->columns * sizeof *start);
    start[0] = 0;
    *out = (cst_csr){matrix->columns, matrix->rows, start, column, value};
    return true;
}

int32_t *cst_csr_entry_rows(cst_arena *arena, const cst_csr *matrix)
{
    int32_t *row = CST_TAKE(arena, int32_t, matrix->row_start[matrix->rows]);
    if (!row)
        return NULL;
    for (int32_t i = 0; i < matrix->rows; i++)
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++)
            row[k] = i;
    return row;
}

bool cst_csr_permute(cst_arena *arena, cst_arena *scratch, const cst_csr *matrix, const int32_t *row_position,
                     const int32_t *column_position, cst_csr *out)
{
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    int64_t count = matrix->row_start[matrix->rows];
    int32_t *row = cst_csr_entry_rows(scratch, matrix);
    int32_t *column = CST_TAKE(scratch, int32_t, count);
    bool ok = !scratch->failed;
    if (ok) {
        for (int64_t k = 0; k < count; k++) {
            row[k] = row_position ? row_position[row[k]] : row[k];
            column[k] = column_position ? column_position[matrix->column[k]] : matrix->column[k];
        }
        cst_triplets triplets = {matrix->rows, matrix->columns, count, row, column, matrix->value};
        ok = cst_csr_from_triplets(arena, scratch, &triplets, out);
    }
    cst_arena_release(scratch, mark);
    return ok;
}

/* Collects the blocks of block row `i` in column order and returns their number. Writes the column of each block to `column`,
 * and the values of each block to `block`; an array that is NULL is not written. */
static int64_t gather_block_row(const cst_csr *matrix, int dim, int32_t i, int32_t *column, double *block)
{
    int64_t next[3], end[3], blocks = 0;
    for (int a = 0; a < dim; a++) {
        next[a] = matrix->row_start[i * dim + a];
        end[a] = matrix->row_start[i * dim + a + 1];
    }
    bool diagonal_done = false;
    for (;;) {
        /* j: next block column in increasing order; the diagonal block is always included, even if it is zero */
        int32_t j = diagonal_done ? INT32_MAX : i;
        for (int a = 0; a < dim; a++)
            if (next[a] < end[a] && matrix->column[next[a]] / dim < j)
                j = matrix->column[next[a]] / dim;
        if (j == INT32_MAX)
            return blocks;
        diagonal_done = diagonal_done || j == i;
        if (column)
            column[blocks] = j;
        for (int a = 0; a < dim; a++)
            for (; next[a] < end[a] && matrix->column[next[a]] / dim == j; next[a]++)
                if (block)
                    block[(blocks * dim + a) * dim + matrix->column[next[a]] % dim] = matrix->value[next[a]];
        blocks++;
    }
}

bool cst_csr_to_blocks(cst_arena *arena, const cst_csr *matrix, int dim, cst_block_csr *out)
{
    int32_t rows = matrix->rows / dim;
    int64_t *start = CST_TAKE(arena, int64_t, (int64_t)rows + 1);
    if (!start)
        return false;
    for (int32_t i = 0; i < rows; i++)
        start[i + 1] = start[i] + gather_block_row(matrix, dim, i, NULL, NULL);
    int32_t *column = CST_TAKE(arena, int32_t, start[rows]);
    double *block = CST_TAKE(arena, double, start[rows] * dim * dim);
    if (arena->failed)
        return false;
    for (int32_t i = 0; i < rows; i++)
        gather_block_row(matrix, dim, i, column + start[i], block + start[i] * dim * dim);
    *out = (cst_block_csr){rows, start, column, block};
    return true;
}

double cst_csr_asymmetry(const cst_csr *matrix, const cst_csr *transpose)
{
    /* the matrix entries are divided by the largest entry before they are squared, so that the squares neither overflow nor
     * underflow */
    double largest = 0.0;
    int64_t count = matrix->row_start[matrix->rows];
    for (int64_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(matrix->value[k]));
    if (largest == 0.0)
        return 0.0;
    double difference = 0.0, norm = 0.0;
    for (int32_t i = 0; i < matrix->rows; i++) {
        int64_t a = matrix->row_start[i], a_end = matrix->row_start[i + 1];
        int64_t b = transpose->row_start[i], b_end = transpose->row_start[i + 1];
        while (a < a_end || b < b_end) {
            int32_t ja = a < a_end ? matrix->column[a] : INT32_MAX;
            int32_t jb = b < b_end ? transpose->column[b] : INT32_MAX;
            double x = ja <= jb ? matrix->value[a] / largest : 0.0;
            double y = jb <= ja ? transpose->value[b] / largest : 0.0;
            difference += (x - y) * (x - y);
            norm += x * x;
            a += ja <= jb;
            b += jb <= ja;
        }
    }
    return sqrt(difference / norm);
}
