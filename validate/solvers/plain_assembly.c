#include "solvers/plain_assembly.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "harness/cpu_clock.h"
#include "sparse/csr.h"

/* Inverse of a symmetric positive definite matrix (size x size) by Cholesky's factor, column by column. */
static bool invert(const double *matrix, int size, double *factor, double *inverse)
{
    memcpy(factor, matrix, (size_t)size * (size_t)size * sizeof(double));
    for (int j = 0; j < size; j++) {
        for (int i = j; i < size; i++) {
            double sum = factor[i * size + j];
            for (int k = 0; k < j; k++)
                sum -= factor[i * size + k] * factor[j * size + k];
            if (i == j && sum <= 0)
                return false;
            factor[i * size + j] = i == j ? sqrt(sum) : sum / factor[j * size + j];
        }
    }
    for (int column = 0; column < size; column++) {
        double *x = inverse + (size_t)column * (size_t)size; /* row of a symmetric matrix = its column */
        for (int i = 0; i < size; i++) {
            double sum = i == column;
            for (int k = 0; k < i; k++)
                sum -= factor[i * size + k] * x[k];
            x[i] = sum / factor[i * size + i];
        }
        for (int i = size - 1; i >= 0; i--) {
            for (int k = i + 1; k < size; k++)
                x[i] -= factor[k * size + i] * x[k];
            x[i] /= factor[i * size + i];
        }
    }
    return true;
}

/* A^-1 of all bodies as one matrix of compressed rows. */
static bool inverse_rows(const cst_body_problem *problem, const int *offset, cst_arena *arena, cst_arena *scratch, cst_csr *out)
{
    int64_t entries = 0;
    int largest = 1;
    for (int i = 0; i < problem->bodies; i++) {
        int size = problem->body[i].size;
        if (problem->body[i].kind != CST_BODY_DENSE)
            return false;
        entries += (int64_t)size * size;
        largest = size > largest ? size : largest;
    }
    int dofs = offset[problem->bodies];
    int64_t *row_start = CST_TAKE(arena, int64_t, dofs + 1);
    int32_t *column = CST_TAKE(arena, int32_t, entries);
    double *value = CST_TAKE(arena, double, entries);
    double *factor = CST_TAKE(scratch, double, (size_t)largest *(size_t)largest);
    if (arena->failed || scratch->failed)
        return false;
    int64_t at = 0;
    for (int b = 0; b < problem->bodies; b++) {
        int size = problem->body[b].size;
        if (!invert(problem->body[b].matrix, size, factor, value + at))
            return false;
        for (int i = 0; i < size; i++) {
            row_start[offset[b] + i] = at;
            for (int k = 0; k < size; k++)
                column[at++] = offset[b] + k;
        }
    }
    row_start[dofs] = at;
    *out = (cst_csr){.rows = dofs, .columns = dofs, .row_start = row_start, .column = column, .value = value};
    return true;
}

static bool jacobian_rows(const cst_body_problem *problem, const int *offset, cst_arena *arena, cst_arena *scratch, cst_csr *out)
{
    int64_t entries = 0;
    for (int i = 0; i < problem->contacts; i++)
        entries += (int64_t)problem->dim * (problem->side_a[i].dofs + problem->side_b[i].dofs);
    int32_t *row = CST_TAKE(scratch, int32_t, entries);
    int32_t *column = CST_TAKE(scratch, int32_t, entries);
    double *value = CST_TAKE(scratch, double, entries);
    if (scratch->failed)
        return false;
    int64_t count = 0;
    for (int i = 0; i < problem->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const cst_contact_side *touched = side ? &problem->side_b[i] : &problem->side_a[i];
            for (int a = 0; touched->body >= 0 && a < problem->dim; a++) {
                for (int k = 0; k < touched->dofs; k++) {
                    row[count] = problem->dim * i + a;
                    column[count] = offset[touched->body] + touched->dof[k];
                    value[count++] = touched->h[a * touched->dofs + k];
                }
            }
        }
    }
    const cst_triplets triplets = {.rows = problem->dim * problem->contacts,
                                   .columns = offset[problem->bodies],
                                   .count = count,
                                   .row = row,
                                   .column = column,
                                   .value = value};
    return cst_csr_from_triplets(arena, scratch, &triplets, out);
}

/* C = A B row by row: how many entries first, then which; their order within a row is as they come. */
static bool multiply(const cst_csr *a, const cst_csr *b, cst_arena *arena, cst_arena *scratch, cst_csr *out)
{
    int64_t *row_start = CST_TAKE(arena, int64_t, a->rows + 1);
    int32_t *last_row = CST_TAKE(scratch, int32_t, b->columns);
    double *sum = CST_TAKE(scratch, double, b->columns);
    if (arena->failed || scratch->failed)
        return false;
    int64_t entries = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        row_start[i] = entries;
        for (int64_t p = a->row_start[i]; p < a->row_start[i + 1]; p++) {
            for (int64_t q = b->row_start[a->column[p]]; q < b->row_start[a->column[p] + 1]; q++) {
                if (last_row[b->column[q]] != i + 1) {
                    last_row[b->column[q]] = i + 1;
                    entries++;
                }
            }
        }
    }
    row_start[a->rows] = entries;
    int32_t *column = CST_TAKE(arena, int32_t, entries);
    double *value = CST_TAKE(arena, double, entries);
    if (arena->failed)
        return false;
    for (int32_t i = 0; i < b->columns; i++)
        last_row[i] = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        int64_t end = row_start[i];
        for (int64_t p = a->row_start[i]; p < a->row_start[i + 1]; p++) {
            for (int64_t q = b->row_start[a->column[p]]; q < b->row_start[a->column[p] + 1]; q++) {
                int32_t j = b->column[q];
                if (last_row[j] != i + 1) {
                    last_row[j] = i + 1;
                    sum[j] = 0;
                    column[end++] = j;
                }
                sum[j] += a->value[p] * b->value[q];
            }
        }
        for (int64_t p = row_start[i]; p < end; p++)
            value[p] = sum[column[p]];
    }
    *out = (cst_csr){.rows = a->rows, .columns = b->columns, .row_start = row_start, .column = column, .value = value};
    return true;
}

/* c (n x m) = a (n x k) b (k x m), or b's transpose (m x k). */
static void multiply_dense(int n, int k, int m, const double *a, const double *b, bool transposed, double *c)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[(size_t)i * (size_t)k + (size_t)l] *
                       (transposed ? b[(size_t)j * (size_t)k + (size_t)l] : b[(size_t)l * (size_t)m + (size_t)j]);
            c[(size_t)i * (size_t)m + (size_t)j] = sum;
        }
    }
}

static double *spread(const cst_csr *matrix, cst_arena *arena)
{
    double *dense = CST_TAKE(arena, double, (size_t)matrix->rows *(size_t)matrix->columns);
    for (int32_t i = 0; dense && i < matrix->rows; i++)
        for (int64_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; p++)
            dense[(size_t)i * (size_t)matrix->columns + (size_t)matrix->column[p]] = matrix->value[p];
    return dense;
}

/* Entry of W, or 0 where there is no block. */
static double reference_entry(const cst_friction_problem *w, int row, int column)
{
    int dim = w->dim;
    for (int64_t p = w->row_start[row / dim]; p < w->row_start[row / dim + 1]; p++)
        if (w->column[p] == column / dim)
            return w->block[p * dim * dim + dim * (row % dim) + column % dim];
    return 0;
}

static double mismatch(const cst_csr *w, const cst_friction_problem *reference)
{
    double worst = 0, largest = 0;
    for (int32_t i = 0; i < w->rows; i++) {
        for (int64_t p = w->row_start[i]; p < w->row_start[i + 1]; p++) {
            worst = fmax(worst, fabs(w->value[p] - reference_entry(reference, i, w->column[p])));
            largest = fmax(largest, fabs(w->value[p]));
        }
    }
    return largest > 0 ? worst / largest : 0;
}

static bool assemble(const cst_body_problem *problem, const cst_friction_problem *reference, int dense_contacts_max,
                     cst_arena *arena, cst_arena *scratch, cst_plain_assembly *out)
{
    int *offset = CST_TAKE(arena, int, problem->bodies + 1);
    if (!offset)
        return false;
    for (int i = 0; i < problem->bodies; i++)
        offset[i + 1] = offset[i] + problem->body[i].size;
    cst_csr inverse, jacobian, transposed, half, w;
    if (!inverse_rows(problem, offset, arena, scratch, &inverse) || !jacobian_rows(problem, offset, arena, scratch, &jacobian))
        return false;

    double started = cst_cpu_seconds();
    if (!cst_csr_transpose(arena, &jacobian, &transposed) || !multiply(&jacobian, &inverse, arena, scratch, &half) ||
        !multiply(&half, &transposed, arena, scratch, &w))
        return false;
    out->sparse_seconds = cst_cpu_seconds() - started;
    out->largest_mismatch = mismatch(&w, reference);

    out->dense_seconds = NAN;
    if (problem->contacts > dense_contacts_max)
        return true;
    int rows = jacobian.rows, dofs = jacobian.columns;
    double *h = spread(&jacobian, arena), *a = spread(&inverse, arena);
    double *product = CST_TAKE(arena, double, (size_t)rows *(size_t)dofs);
    double *full = CST_TAKE(arena, double, (size_t)rows *(size_t)rows);
    if (arena->failed)
        return false;
    started = cst_cpu_seconds();
    multiply_dense(rows, dofs, dofs, h, a, true, product); /* A^-1 is symmetric: read it by rows */
    multiply_dense(rows, dofs, rows, product, h, true, full);
    out->dense_seconds = cst_cpu_seconds() - started;
    double largest = 0, worst = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double entry = full[(size_t)i * (size_t)rows + (size_t)j];
            worst = fmax(worst, fabs(entry - reference_entry(reference, i, j)));
            largest = fmax(largest, fabs(entry));
        }
    }
    out->largest_mismatch = fmax(out->largest_mismatch, largest > 0 ? worst / largest : 0);
    return true;
}

bool cst_plain_assemble(const cst_body_problem *problem, const cst_friction_problem *reference, int dense_contacts_max,
                        cst_plain_assembly *out)
{
    cst_arena arena, scratch;
    cst_arena_begin(&arena, NULL);
    cst_arena_begin(&scratch, NULL);
    bool done = assemble(problem, reference, dense_contacts_max, &arena, &scratch, out);
    cst_arena_end(&scratch);
    cst_arena_end(&arena);
    return done;
}
