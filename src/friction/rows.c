#include "friction/rows.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

typedef double vec4 __attribute__((vector_size(32)));
enum { LANES = 4, GATHER = 48 /* blocks gathered at a time: 3 x 48 doubles stay in L1 */ };

typedef struct packed_rows {
    int64_t *start;  /* (n + 1) first column entry of a row; counts blocks */
    int64_t *value_start; /* (n + 1) first value of a row */
    int32_t *column; /* (blocks) */
    double *value;   /* per row: dim scalar rows of padded(dim x blocks) values */
    int32_t *place;  /* (n) zeros between calls; scratch of a restriction */
} packed_rows;

static int64_t padded(int64_t scalars)
{
    return (scalars + LANES - 1) / LANES * LANES;
}

/* Ask for the next row while this one is worked on. Rows are about as long as a page, where the processor's own prefetching
 * begins anew: without this the sweep waits for memory at the start of every row. */
static inline void prefetch_next(const packed_rows *rows, int contact)
{
    enum { LINE = 8 /* doubles */, LINES_MAX = 64 };
    const int64_t first = rows->value_start[contact + 1];
    const int64_t length = rows->value_start[contact + 1] - rows->value_start[contact]; /* neighbours are of similar length */
    const int64_t last = first + (length < LINE * LINES_MAX ? length : LINE * LINES_MAX);
    for (int64_t k = first; k < last; k += LINE)
        __builtin_prefetch(rows->value + k);
}

/* The row product for a constant dim: inlined twice below, so that the loops over components unroll. */
static inline __attribute__((always_inline)) void row_product(const int dim, const packed_rows *rows, int contact, const double *x,
                                                              const double *b, double *beta)
{
    const int64_t first = rows->start[contact], blocks = rows->start[contact + 1] - first;
    const int64_t length = padded(dim * blocks);
    const int32_t *column = rows->column + first;
    const double *value = rows->value + rows->value_start[contact];
    double gathered[3 * GATHER + LANES] __attribute__((aligned(32)));
    vec4 sum[3] = {{0}};
    prefetch_next(rows, contact);

    for (int64_t done = 0; done < blocks; done += GATHER) {
        const int count = blocks - done < GATHER ? (int)(blocks - done) : GATHER;
        for (int k = 0; k < count; k++) {
            const double *x_j = x + (size_t)dim * (size_t)column[done + k];
            for (int c = 0; c < dim; c++)
                gathered[dim * k + c] = x_j[c];
        }
        const int scalars = (int)padded(dim * count);
        for (int k = dim * count; k < scalars; k++)
            gathered[k] = 0.0;
        const double *v = value + dim * done;
        for (int k = 0; k < scalars; k += LANES) {
            const vec4 x_k = *(const vec4 *)(gathered + k);
            for (int row = 0; row < dim; row++)
                sum[row] += *(const vec4 *)(v + row * length + k) * x_k;
        }
    }
    for (int row = 0; row < dim; row++)
        beta[row] = b[row] + ((sum[row][0] + sum[row][1]) + (sum[row][2] + sum[row][3]));
}

CST_MULTIVERSION
static void rows_off_diagonal(const cst_system *system, int contact, const double *x, double *beta)
{
    if (system->dim == 3)
        row_product(3, system->state, contact, x, system->b + 3 * (size_t)contact, beta);
    else
        row_product(2, system->state, contact, x, system->b + 2 * (size_t)contact, beta);
}

static int rows_length(const cst_system *system, int contact)
{
    const packed_rows *rows = system->state;
    return (int)(rows->start[contact + 1] - rows->start[contact]);
}

static void rows_row(const cst_system *system, int contact, int32_t *column, double *block)
{
    const packed_rows *rows = system->state;
    const int dim = system->dim;
    const int64_t first = rows->start[contact], blocks = rows->start[contact + 1] - first;
    const int64_t length = padded(dim * blocks);
    const double *value = rows->value + rows->value_start[contact];
    memcpy(column, rows->column + first, (size_t)blocks * sizeof *column);
    for (int64_t k = 0; k < blocks; k++)
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                block[(k * dim + row) * dim + c] = value[row * length + dim * k + c];
}

/* Take the arrays of `rows` once start is known. Values are left for the caller to fill, padding included. */
static bool take_values(packed_rows *rows, int n, int dim, cst_arena *arena)
{
    rows->value_start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    rows->column = CST_TAKE_RAW(arena, int32_t, (size_t)rows->start[n]);
    rows->place = CST_TAKE(arena, int32_t, (size_t)n);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++)
        rows->value_start[i + 1] = rows->value_start[i] + dim * padded(dim * (rows->start[i + 1] - rows->start[i]));
    rows->value = CST_TAKE_RAW(arena, double, (size_t)rows->value_start[n]);
    return !arena->failed;
}

/* The last vector of each scalar row may be padding. */
static void clear_padding(double *value, int dim, int64_t length)
{
    for (int row = 0; row < dim && length > 0; row++)
        memset(value + (row + 1) * length - LANES, 0, LANES * sizeof *value);
}

static bool rows_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out)
{
    const packed_rows *whole = system->state;
    const int dim = system->dim;
    packed_rows *part = CST_TAKE(arena, packed_rows, 1);
    int32_t *place = whole->place; /* 1 + index in the restricted system; 0: left out */
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
        const int i = chosen[k];
        const int64_t first = whole->start[i], blocks = whole->start[i + 1] - first, old_length = padded(dim * blocks);
        const int64_t new_length = padded(dim * (part->start[k + 1] - part->start[k]));
        const double *from = whole->value + whole->value_start[i];
        double *to = part->value + part->value_start[k];
        int32_t *column = part->column + part->start[k];
        int64_t kept = 0;
        clear_padding(to, dim, new_length);
        for (int64_t e = 0; e < blocks; e++) {
            const int32_t at = place[whole->column[first + e]];
            if (at == 0)
                continue;
            column[kept] = at - 1;
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    to[row * new_length + dim * kept + c] = from[row * old_length + dim * e + c];
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
    return 8.0 * (double)rows->value_start[system->contacts] + 4.0 * (double)rows->start[system->contacts];
}

static const cst_coupling ROWS = {
    .form = CST_FORM_EXPLICIT,
    .off_diagonal = rows_off_diagonal,
    .row_length = rows_length,
    .row = rows_row,
    .restrict_to = rows_restrict,
    .bytes_per_sweep = rows_bytes,
};

void cst_rows_compliance(const cst_friction_problem *problem, double *w)
{
    const int dim = problem->dim;
    double largest = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        w[i] = 0.0;
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
            if (problem->column[e] == i)
                for (int k = 0; k < dim; k++)
                    w[i] += problem->block[e * dim * dim + k * (dim + 1)] / dim;
        if (w[i] > largest)
            largest = w[i];
    }
    for (int i = 0; i < problem->contacts; i++)
        if (!(w[i] > 0.0))
            w[i] = largest > 0.0 ? largest : 1.0;
}

static bool is_zero(const double *block, int size)
{
    for (int k = 0; k < size; k++)
        if (block[k] != 0.0)
            return false;
    return true;
}

bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out)
{
    const int dim = problem->dim, n = problem->contacts, square = dim * dim;
    packed_rows *rows = CST_TAKE(arena, packed_rows, 1);
    double *root = CST_TAKE(arena, double, (size_t)n); /* sqrt(w_i), in contact order */
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
    for (int k = 0; k < n; k++) {
        const int i = order ? order[k] : k;
        int64_t kept = 0;
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
            kept += problem->column[e] != i && !is_zero(problem->block + e * square, square);
        rows->start[k + 1] = rows->start[k] + kept;
    }
    if (!take_values(rows, n, dim, arena))
        return false;
#pragma omp parallel for schedule(static) num_threads(out->threads) if (n >= 512)
    for (int k = 0; k < n; k++) {
        const int i = order ? order[k] : k;
        const int64_t length = padded(dim * (rows->start[k + 1] - rows->start[k]));
        double *value = rows->value + rows->value_start[k];
        int64_t kept = 0;
        clear_padding(value, dim, length);
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
            rows->column[rows->start[k] + kept] = place[j];
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    value[row * length + dim * kept + c] = block[row * dim + c] * scale;
            kept++;
        }
    }
    out->coupling = &ROWS;
    out->state = rows;
    return true;
}
