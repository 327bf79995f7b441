#include "friction/assemble.h"

#include <string.h>

#include "friction/body_audit.h"
#include "friction/body_check.h"
#include "friction/half.h"
#include "friction/meeting.h"
#include "friction/problem.h"

enum { PARALLEL_MIN = 512 };

struct cst_assembled {
    cst_arena arena;
};

typedef struct rows {
    int64_t *start;
    int32_t *column;
    double *block;
} rows;

static int64_t row_length(const cst_meetings *meetings, int contact)
{
    cst_meeting meeting;
    int64_t length = 0;
    bool met_itself = false;
    cst_meeting_begin(meetings, contact, &meeting);
    for (int other; (other = cst_meeting_next(meetings, &meeting)) >= 0; length++)
        met_itself |= other == contact;
    /* a contact between two obstacles acts on no body: its row of the Delassus matrix has only a zero diagonal block */
    return length + !met_itself;
}

/* Fills in one block row of the Delassus matrix: all column indices, and the blocks of the upper triangle. */
static void fill_row(int dim, const cst_meetings *meetings, int contact, const rows *W)
{
    cst_meeting meeting;
    int64_t at = W->start[contact];
    cst_meeting_begin(meetings, contact, &meeting);
    for (int other; (other = cst_meeting_next(meetings, &meeting)) >= 0; at++) {
        W->column[at] = other;
        if (other >= contact)
            cst_meeting_couple(dim, meetings, &meeting, W->block + at * dim * dim);
    }
    if (at < W->start[contact + 1]) {
        W->column[at] = contact;
        memset(W->block + at * dim * dim, 0, sizeof(double) * (size_t)(dim * dim));
    }
}

/* Copies the upper triangle, transposed, to the lower triangle: the Delassus matrix is symmetric to the last bit. */
static void mirror_row(int dim, int contact, const rows *W)
{
    for (int64_t at = W->start[contact]; W->column[at] < contact; at++) {
        const double *from = W->block + cst_find_column(W->start, W->column, W->column[at], contact) * dim * dim;
        double *to = W->block + at * dim * dim;
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                to[row * dim + c] = from[c * dim + row];
    }
}

static bool assemble_rows(const cst_halves *halves, int dim, int n, int bodies, int threads, cst_arena *arena, rows *W)
{
    (void)threads; /* unused in a build without OpenMP */
    cst_meetings meetings;
    W->start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (arena->failed || !cst_meetings_build(halves->half, halves->sides, n, bodies, arena, &meetings))
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        W->start[i + 1] = row_length(&meetings, i);
    for (int i = 0; i < n; i++)
        W->start[i + 1] += W->start[i];
    W->column = CST_TAKE_RAW(arena, int32_t, (size_t)W->start[n]);
    W->block = CST_TAKE_RAW(arena, double, (size_t)W->start[n] * (size_t)(dim * dim));
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        fill_row(dim, &meetings, i, W);
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        mirror_row(dim, i, W);
    return true;
}

cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, double *compliance,
                        char *message, size_t message_size)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim, n = problem->contacts;
    double *free_velocity = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim);
    double *mu = CST_TAKE_RAW(arena, double, (size_t)n);
    uint8_t *law = CST_TAKE(arena, uint8_t, (size_t)n);
    cst_halves halves;
    rows W = {0};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    const cst_status status = cst_halves_build(bodies, NULL, threads, arena, &halves, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (compliance && !cst_audit_halves(bodies, &halves, NULL, threads, arena, compliance))
        return CST_OUT_OF_MEMORY;
    if (!assemble_rows(&halves, dim, n, problem->bodies, threads, arena, &W))
        return CST_OUT_OF_MEMORY;
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++) {
        cst_contact_velocity(problem, bodies->offset, i, bodies->free_velocity, free_velocity + (int64_t)i * dim);
        mu[i] = problem->mu[i];
        if (problem->law)
            law[i] = problem->law[i];
    }
    *out = (cst_friction_problem){.dim = dim,
                                  .contacts = n,
                                  .row_start = W.start,
                                  .column = W.column,
                                  .block = W.block,
                                  .free_velocity = free_velocity,
                                  .mu = mu,
                                  .law = problem->law ? law : NULL};
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
        status = cst_assemble(&bodies, 1, &arena, out, NULL, message, message_size);
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
