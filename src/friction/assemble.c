#include "friction/assemble.h"

#include <assert.h>
#include <string.h>

#include "friction/body_audit.h"
#include "friction/body_check.h"
#include "friction/problem.h"

enum { PARALLEL_MIN = 512 };

struct cst_assembled {
    cst_arena arena;
};

/* Writes the columns of one row to `column`, if it is not NULL; returns their number. */
static int64_t list_columns(const cst_meetings *meetings, int contact, int32_t *column)
{
    cst_meeting meeting;
    int64_t length = 0;
    bool met_itself = false;
    cst_meeting_begin(meetings, contact, &meeting);
    for (int other; (other = cst_meeting_next(meetings, &meeting)) >= 0; length++) {
        met_itself |= other == contact;
        if (column)
            column[length] = other;
    }
    if (met_itself)
        return length;
    /* a contact between two obstacles acts on no body: its row of the Delassus matrix has only a zero diagonal block */
    assert(length == 0);
    if (column)
        column[0] = contact;
    return 1;
}

static bool find_pattern(int threads, cst_arena *arena, cst_assembly *out)
{
    const int n = out->contacts;
    (void)threads; /* unused in a build without OpenMP */
    out->start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        out->start[i + 1] = list_columns(&out->meetings, i, NULL);
    for (int i = 0; i < n; i++)
        out->start[i + 1] += out->start[i];
    out->column = CST_TAKE_RAW(arena, int32_t, (size_t)out->start[n]);
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        list_columns(&out->meetings, i, out->column + out->start[i]);
    return true;
}

static double compliance_of(int dim, const cst_halves *halves, int contact)
{
    double block[9], w = 0.0;
    cst_half_compliance(dim, halves->sides, halves->half + (int64_t)halves->sides * contact, block);
    for (int k = 0; k < dim; k++)
        w += block[k * (dim + 1)] / dim;
    return w;
}

cst_status cst_assembly_begin(const cst_bodies *bodies, int threads, cst_arena *arena, cst_assembly *out, double *compliance,
                              char *message, size_t message_size)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim, n = problem->contacts;
    *out = (cst_assembly){.dim = dim,
                          .contacts = n,
                          .free_velocity = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim),
                          .mu = CST_TAKE_RAW(arena, double, (size_t)n),
                          .law = CST_TAKE(arena, uint8_t, (size_t)n),
                          .compliance = CST_TAKE_RAW(arena, double, (size_t)n)};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    const cst_status status = cst_halves_build(bodies, NULL, threads, arena, &out->halves, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (compliance && !cst_audit_halves(bodies, &out->halves, NULL, threads, arena, compliance))
        return CST_OUT_OF_MEMORY;
    if (!cst_meetings_build(out->halves.half, out->halves.sides, n, problem->bodies, arena, &out->meetings) ||
        !find_pattern(threads, arena, out))
        return CST_OUT_OF_MEMORY;
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++) {
        cst_contact_velocity(problem, bodies->offset, i, bodies->free_velocity, out->free_velocity + (int64_t)i * dim);
        out->compliance[i] = compliance_of(dim, &out->halves, i);
        out->mu[i] = problem->mu[i];
        out->law[i] = problem->law ? problem->law[i] : (uint8_t)CST_LAW_COULOMB;
    }
    return CST_SOLVED;
}

/* Computes the blocks of row i in the upper triangle. */
static void put_row(const cst_assembly *assembly, int32_t i, cst_block_put put, void *user)
{
    const int64_t *start = assembly->start;
    cst_meeting meeting;
    double block[9] = {0};
    int64_t at = start[i];
    cst_meeting_begin(&assembly->meetings, i, &meeting);
    for (int32_t j; (j = cst_meeting_next(&assembly->meetings, &meeting)) >= 0; at++)
        if (j >= i) {
            cst_meeting_couple(assembly->dim, &assembly->meetings, &meeting, block);
            put(user, i, j, at, j == i ? at : cst_find_column(start, assembly->column, j, i), block);
        }
    if (at < start[i + 1])
        put(user, i, i, at, at, block); /* zero: the contact acts on no body */
}

void cst_assembly_blocks(const cst_assembly *assembly, int threads, cst_block_put put, void *user)
{
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (assembly->contacts >= PARALLEL_MIN)
    for (int i = 0; i < assembly->contacts; i++)
        put_row(assembly, i, put, user);
}

typedef struct plain_rows {
    int dim;
    double *block;
} plain_rows;

/* Stores a block and its transpose: the Delassus matrix is symmetric to the last bit. */
static void put_plain(void *user, int32_t i, int32_t j, int64_t at, int64_t mirror, const double *block)
{
    const plain_rows *rows = user;
    const int dim = rows->dim, square = dim * dim;
    memcpy(rows->block + at * square, block, (size_t)square * sizeof *block);
    for (int row = 0; i != j && row < dim; row++)
        for (int c = 0; c < dim; c++)
            rows->block[mirror * square + row * dim + c] = block[c * dim + row];
}

cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, char *message,
                        size_t message_size)
{
    cst_assembly assembly;
    const cst_status status = cst_assembly_begin(bodies, threads, arena, &assembly, NULL, message, message_size);
    if (status != CST_SOLVED)
        return status;
    const int dim = assembly.dim, n = assembly.contacts;
    plain_rows rows = {.dim = dim, .block = CST_TAKE_RAW(arena, double, (size_t)assembly.start[n] * (size_t)(dim * dim))};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_assembly_blocks(&assembly, threads, put_plain, &rows);
    *out = (cst_friction_problem){.dim = dim,
                                  .contacts = n,
                                  .row_start = assembly.start,
                                  .column = assembly.column,
                                  .block = rows.block,
                                  .free_velocity = assembly.free_velocity,
                                  .mu = assembly.mu,
                                  .law = bodies->problem->law ? assembly.law : NULL};
    return CST_SOLVED;
}

cst_assembled *cst_friction_assemble(const cst_body_problem *problem, const cst_allocator *allocator, cst_friction_problem *out,
                                     char *message, size_t message_size)
{
    cst_arena arena;
    cst_bodies bodies;
    cst_arena_begin(&arena, allocator);
    cst_assembled *assembled = CST_TAKE(&arena, cst_assembled, 1);
    cst_status status = assembled ? cst_body_problem_check(problem, 1, message, message_size) : CST_OUT_OF_MEMORY;
    if (status == CST_SOLVED)
        status = cst_bodies_factor(problem, CST_BODIES_WITH_NODAL, 1, &arena, &bodies, message, message_size);
    if (status == CST_SOLVED)
        status = cst_assemble(&bodies, 1, &arena, out, message, message_size);
    if (status == CST_OUT_OF_MEMORY && message_size > 0)
        strncpy(message, "out of memory", message_size - 1)[message_size - 1] = '\0';
    if (status != CST_SOLVED) {
        cst_arena_end(&arena);
        return NULL;
    }
    assembled->arena = arena;
    return assembled;
}

void cst_assembled_free(cst_assembled *assembled)
{
    if (assembled)
        cst_arena_end_from_within(&assembled->arena);
}
