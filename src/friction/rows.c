#include "friction/rows.h"

#include <math.h>
#include <string.h>

#include "base/prefetch.h"
#include "base/simd.h"

/* four doubles at any alignment */
typedef double vec4 __attribute__((vector_size(32), aligned(8)));
enum { LANES = 4 };

typedef struct packed_rows {
    int64_t *start;  /* array (n + 1): index of the first block in the row of each contact */
    int32_t *column; /* array (blocks): contact of each block */
    /* array (blocks x dim x dim): off-diagonal blocks, column-major, followed by LANES spare values for vector loads */
    double *value;
    /* array (n): work memory of rows_restrict; all entries are 0 when rows_restrict is called, and again when it returns */
    int32_t *place;
} packed_rows;

/* Prefetches the next row of the Delassus matrix: a row is about as long as a memory page, and hardware prefetching restarts at
 * each page. */
static inline void prefetch_next(const double *value, int64_t length)
{
    enum { LINE = 8 /* doubles */, LINES_MAX = 64 };
    const int64_t last = length < LINE * LINES_MAX ? length : LINE * LINES_MAX;
    for (int64_t k = 0; k < last; k += LINE)
        __builtin_prefetch(value + k);
}

/* Computes the velocity `beta` of a contact without its own impulse: the free velocity plus the off-diagonal blocks times the
 * impulses of other contacts. In 3D, the products with the first, the second and the third column of each block are added to
 * three separate sums, so that the processor can do several additions at once. */
CST_MULTIVERSION
static void rows_off_diagonal(const cst_system *system, int contact, const double *x, double *beta)
{
    const packed_rows *rows = system->state;
    const int64_t first = rows->start[contact], blocks = rows->start[contact + 1] - first;
    const int32_t *column = rows->column + first;
    if (system->dim == 3) {
        const double *value = rows->value + 9 * first, *b = system->b + 3 * (size_t)contact;
        vec4 sum[3] = {{b[0], b[1], b[2], 0.0}};
        prefetch_next(value + 9 * blocks, 9 * blocks); /* neighbouring rows have similar lengths */
        for (int64_t k = 0; k < blocks; k++) {
            const double *x_j = x + 3 * (size_t)column[k];
            for (int c = 0; c < 3; c++)
                sum[c] += *(const vec4 *)(value + 9 * k + 3 * c) * x_j[c];
        }
        const vec4 total = sum[0] + (sum[1] + sum[2]);
        for (int row = 0; row < 3; row++)
            beta[row] = total[row];
    } else {
        const double *value = rows->value + 4 * first, *b = system->b + 2 * (size_t)contact;
        vec4 sum = {b[0], b[1], 0.0, 0.0};
        for (int64_t k = 0; k < blocks; k++) {
            const double *x_j = x + 2 * (size_t)column[k];
            sum += *(const vec4 *)(value + 4 * k) * (vec4){x_j[0], x_j[0], x_j[1], x_j[1]};
        }
        beta[0] = sum[0] + sum[2];
        beta[1] = sum[1] + sum[3];
    }
}

static int rows_length(const cst_system *system, int contact)
{
    const packed_rows *rows = system->state;
    return (int)(rows->start[contact + 1] - rows->start[contact]);
}

static int rows_row(const cst_system *system, int contact, int32_t *column, double *block)
{
    const packed_rows *rows = system->state;
    const int dim = system->dim, square = dim * dim;
    const int64_t first = rows->start[contact], blocks = rows->start[contact + 1] - first;
    const double *value = rows->value + first * square;
    memcpy(column, rows->column + first, (size_t)blocks * sizeof *column);
    for (int64_t k = 0; block && k < blocks; k++)
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                block[k * square + row * dim + c] = value[k * square + c * dim + row];
    return (int)blocks;
}

static void rows_block(const cst_system *system, int contact, int other, double *block)
{
    const packed_rows *rows = system->state;
    const int dim = system->dim, square = dim * dim;
    memset(block, 0, sizeof(double) * (size_t)square);
    for (int64_t e = rows->start[contact]; e < rows->start[contact + 1]; e++)
        if (rows->column[e] == other)
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    block[row * dim + c] = rows->value[e * square + c * dim + row];
}

/* The array rows->start must be set before the call. */
static bool take_values(packed_rows *rows, int n, int dim, cst_arena *arena)
{
    const size_t blocks = (size_t)rows->start[n], values = blocks * (size_t)(dim * dim);
    rows->column = CST_TAKE_RAW(arena, int32_t, blocks);
    rows->place = CST_TAKE(arena, int32_t, (size_t)n);
    rows->value = CST_TAKE_RAW(arena, double, values + LANES);
    if (arena->failed)
        return false;
    memset(rows->value + values, 0, LANES * sizeof(double));
    return true;
}

static bool rows_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out)
{
    const packed_rows *whole = system->state;
    const int dim = system->dim, square = dim * dim;
    packed_rows *part = CST_TAKE(arena, packed_rows, 1);
    int32_t *place = whole->place; /* 1 + index of each contact in the array `chosen`; 0: contact not chosen */
    if (arena->failed)
        return false;
    part->start = CST_TAKE(arena, int64_t, (size_t)count + 1);
    if (arena->failed)
        return false;
    for (int k = 0; k < count; k++)
        place[chosen[k]] = k + 1;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (count >= 512)
    for (int k = 0; k < count; k++) {
        int64_t kept = 0;
        for (int64_t e = whole->start[chosen[k]]; e < whole->start[chosen[k] + 1]; e++)
            kept += place[whole->column[e]] != 0;
        part->start[k + 1] = kept;
    }
    for (int k = 0; k < count; k++)
        part->start[k + 1] += part->start[k];
    if (!take_values(part, count, dim, arena)) {
        for (int k = 0; k < count; k++)
            place[chosen[k]] = 0;
        return false;
    }
#pragma omp parallel for schedule(static) num_threads(system->threads) if (count >= 512)
    for (int k = 0; k < count; k++) {
        int64_t kept = part->start[k];
        for (int64_t e = whole->start[chosen[k]]; e < whole->start[chosen[k] + 1]; e++) {
            const int32_t at = place[whole->column[e]];
            if (at == 0)
                continue;
            part->column[kept] = at - 1;
            memcpy(part->value + kept * square, whole->value + e * square, (size_t)square * sizeof(double));
            kept++;
        }
    }
    for (int k = 0; k < count; k++)
        place[chosen[k]] = 0;
    out->state = part;
    return true;
}

static double rows_bytes(const cst_system *system)
{
    const packed_rows *rows = system->state;
    return (8.0 * system->dim * system->dim + 4.0) * (double)rows->start[system->contacts];
}

static const cst_coupling ROWS = {
    .form = CST_FORM_EXPLICIT,
    .off_diagonal = rows_off_diagonal,
    .row_length = rows_length,
    .row = rows_row,
    .block = rows_block,
    .restrict_to = rows_restrict,
    .bytes_per_sweep = rows_bytes,
};

/* Contacts without a positive compliance get the largest compliance of all contacts, or 1. */
static void replace_missing(int n, double *w)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        if (w[i] > largest)
            largest = w[i];
    for (int i = 0; i < n; i++)
        if (!(w[i] > 0.0))
            w[i] = largest > 0.0 ? largest : 1.0;
}

void cst_rows_compliance(const cst_friction_problem *problem, double *w)
{
    const int dim = problem->dim;
    for (int i = 0; i < problem->contacts; i++) {
        w[i] = 0.0;
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
            if (problem->column[e] == i)
                for (int k = 0; k < dim; k++)
                    w[i] += problem->block[e * dim * dim + k * (dim + 1)] / dim;
    }
    replace_missing(problem->contacts, w);
}

static bool is_zero(const double *block, int size)
{
    for (int k = 0; k < size; k++)
        if (block[k] != 0.0)
            return false;
    return true;
}

/* Prefetches row i of the given Delassus matrix; rows are read in the order of the contacts' colours, so successive rows are
 * scattered in memory. */
static void fetch_row(const cst_friction_problem *problem, int i)
{
    const int64_t start = problem->row_start[i];
    const size_t length = (size_t)(problem->row_start[i + 1] - start);
    cst_prefetch(problem->column + start, length * sizeof *problem->column);
    cst_prefetch(problem->block + start * problem->dim * problem->dim,
                 length * (size_t)(problem->dim * problem->dim) * sizeof *problem->block);
}

bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out)
{
    const int dim = problem->dim, n = problem->contacts, square = dim * dim;
    packed_rows *rows = CST_TAKE(arena, packed_rows, 1);
    double *root = CST_TAKE(arena, double, (size_t)n); /* square roots of the compliances */
    int32_t *place = CST_TAKE(arena, int32_t, (size_t)n);
    out->dim = dim;
    out->contacts = n;
    out->weight = CST_TAKE(arena, double, (size_t)n);
    out->b = CST_TAKE(arena, double, (size_t)n *(size_t)dim);
    out->mu = CST_TAKE(arena, double, (size_t)n);
    out->law = CST_TAKE(arena, uint8_t, (size_t)n);
    out->diagonal = CST_TAKE(arena, double, (size_t)n *(size_t)square);
    if (arena->failed)
        return false;
    rows->start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
    cst_rows_compliance(problem, root);
    for (int i = 0; i < n; i++)
        root[i] = sqrt(root[i]);
    for (int k = 0; k < n; k++)
        place[order ? order[k] : k] = k;
#pragma omp parallel for schedule(static) num_threads(out->threads) if (n >= 512)
    for (int i = 0; i < n; i++) {
        int64_t kept = 0;
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
            kept += problem->column[e] != i && !is_zero(problem->block + e * square, square);
        rows->start[place[i] + 1] = kept;
    }
    for (int k = 0; k < n; k++)
        rows->start[k + 1] += rows->start[k];
    if (!take_values(rows, n, dim, arena))
        return false;
#pragma omp parallel for schedule(static) num_threads(out->threads) if (n >= 512)
    for (int k = 0; k < n; k++) {
        const int i = order ? order[k] : k;
        int64_t kept = rows->start[k];
        if (k + 1 < n)
            fetch_row(problem, order ? order[k + 1] : k + 1);
        out->weight[k] = root[i] / V;
        out->mu[k] = problem->mu[i];
        out->law[k] = problem->law ? problem->law[i] : CST_LAW_COULOMB;
        for (int c = 0; c < dim; c++)
            out->b[k * dim + c] = problem->free_velocity[i * dim + c] / root[i];
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++) {
            const int j = problem->column[e];
            const double *block = problem->block + e * square;
            const double scale = 1.0 / (root[i] * root[j]);
            if (j == i) {
                for (int c = 0; c < square; c++)
                    out->diagonal[k * square + c] = block[c] * scale;
                continue;
            }
            if (is_zero(block, square))
                continue;
            rows->column[kept] = place[j];
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    rows->value[kept * square + c * dim + row] = block[row * dim + c] * scale;
            kept++;
        }
    }
    out->coupling = &ROWS;
    out->state = rows;
    return true;
}

/* Data of a contact of the problem that each of its blocks needs. */
typedef struct scaled_row {
    double root; /* square root of the compliance */
    int64_t
        shift; /* index of a block among the packed rows, minus its index in the assembly, if it precedes the diagonal block */
    int32_t place; /* row */
} scaled_row;

typedef struct scaled_rows {
    int dim;
    const scaled_row *of;
    packed_rows *rows;
    double *diagonal;
} scaled_rows;

static void put_scaled(void *user, int32_t i, int32_t j, int64_t at, int64_t mirror, const double *block)
{
    const scaled_rows *to = user;
    const scaled_row *a = to->of + i, *b = to->of + j;
    const int dim = to->dim, square = dim * dim;
    const double scale = 1.0 / (a->root * b->root);
    if (i == j) {
        for (int c = 0; c < square; c++)
            to->diagonal[(int64_t)a->place * square + c] = block[c] * scale;
        return;
    }
    /* column j > i follows the diagonal block in row i, which packed rows leave out */
    const int64_t in_i = at + a->shift - 1, in_j = mirror + b->shift;
    double *upper = to->rows->value + in_i * square, *lower = to->rows->value + in_j * square;
    to->rows->column[in_i] = b->place;
    to->rows->column[in_j] = a->place;
    for (int row = 0; row < dim; row++)
        for (int c = 0; c < dim; c++) {
            upper[c * dim + row] = block[row * dim + c] * scale;
            lower[row * dim + c] = block[row * dim + c] * scale;
        }
}

bool cst_rows_assemble(const cst_assembly *assembly, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                       double *root)
{
    const int dim = assembly->dim, n = assembly->contacts;
    packed_rows *rows = CST_TAKE(arena, packed_rows, 1);
    scaled_row *of = CST_TAKE_RAW(arena, scaled_row, (size_t)n);
    if (!cst_system_take(arena, dim, n, out))
        return false;
    rows->start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
    memcpy(root, assembly->compliance, sizeof *root * (size_t)n);
    replace_missing(n, root);
    for (int i = 0; i < n; i++)
        root[i] = sqrt(root[i]);
    for (int k = 0; k < n; k++) {
        const int i = order[k];
        of[i] = (scaled_row){.root = root[i], .shift = rows->start[k] - assembly->start[i], .place = k};
        rows->start[k + 1] = rows->start[k] + (assembly->start[i + 1] - assembly->start[i] - 1);
        out->weight[k] = root[i] / V;
        out->mu[k] = assembly->mu[i];
        out->law[k] = assembly->law[i];
        for (int c = 0; c < dim; c++)
            out->b[k * dim + c] = assembly->free_velocity[i * dim + c] / root[i];
    }
    if (!take_values(rows, n, dim, arena))
        return false;
    scaled_rows to = {.dim = dim, .of = of, .rows = rows, .diagonal = out->diagonal};
    cst_assembly_blocks(assembly, out->threads, put_scaled, &to);
    out->coupling = &ROWS;
    out->state = rows;
    return true;
}
