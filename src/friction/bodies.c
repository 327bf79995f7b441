#include "friction/bodies.h"

#include <stdio.h>
#include <string.h>

#include "base/prefetch.h"
#include "base/threads.h"

enum {
    /* PARALLEL_BODIES: one thread prepares all bodies if there are fewer than PARALLEL_BODIES, because a small body takes only
     * about 1 us */
    PARALLEL_BODIES = 32
};

static int threads_of(const cst_bodies *bodies)
{
    return cst_threads_for(bodies->threads, bodies->problem->bodies, PARALLEL_BODIES);
}

/* ------------------------------------------------------------------------------------------------------------- envelopes */

/* Row layout of the Cholesky factor of a dense or banded body matrix: for each row, its first stored column and its position in
 * the array. Consecutive bodies of equal size and bandwidth share one row layout. */
typedef struct pattern {
    cst_body_kind kind;
    int size, bandwidth;
    bool lent;
    int32_t *first;
    int64_t *start;
} pattern;

static bool fits(const pattern *rows, const cst_body *body, bool lent)
{
    return rows->first && rows->kind == body->kind && rows->size == body->size && rows->lent == lent &&
           (body->kind == CST_BODY_DENSE || rows->bandwidth == body->bandwidth);
}

/* Determines the first stored column and the array position of each row of a body's Cholesky factor. In a banded factor that the
 * library computes, the rows are stored without gaps; in a banded factor that the caller provides, every row takes bandwidth + 1
 * entries. */
static bool make_pattern(const cst_body *body, bool lent, cst_arena *arena, pattern *out)
{
    const int band = body->kind == CST_BODY_BAND ? body->bandwidth : body->size;
    *out = (pattern){.kind = body->kind, .size = body->size, .bandwidth = band, .lent = lent};
    out->first = CST_TAKE_RAW(arena, int32_t, (size_t)body->size);
    out->start = CST_TAKE_RAW(arena, int64_t, (size_t)body->size + 1);
    if (arena->failed)
        return false;
    out->start[0] = 0;
    for (int i = 0; i < body->size; i++) {
        out->first[i] = i > band ? i - band : 0;
        if (lent && body->kind == CST_BODY_BAND)
            out->start[i] = (int64_t)i * (band + 1) + band - (i - out->first[i]);
        out->start[i + 1] = out->start[i] + (i - out->first[i] + 1);
    }
    return true;
}

static bool open_nodal(const cst_body *body, int dim, cst_arena *arena, cst_envelope *out)
{
    if (!cst_envelope_begin(arena, body->size, out))
        return false;
    for (int i = 0; i < body->size; i++) {
        out->first[i] = body->column[body->row_start[i / dim]] * dim;
        out->start[i + 1] = out->start[i] + (i - out->first[i] + 1);
    }
    return true;
}

/* Determines how the rows of all Cholesky factors are stored, and allocates the factors that the caller does not provide. */
static bool lay_out_factors(cst_bodies *bodies, bool borrow, cst_arena *arena)
{
    const cst_body_problem *problem = bodies->problem;
    pattern last = {0};
    int64_t entries = 0;
    for (int at = 0; at < problem->bodies; at++) {
        const cst_body *body = problem->body + at;
        cst_envelope *factor = bodies->factor + at;
        const bool lent = borrow && body->factor;
        if (bodies->left_out[at] || body->kind == CST_BODY_SOLVE)
            continue;
        if (body->kind == CST_BODY_NODAL) {
            if (!open_nodal(body, problem->dim, arena, factor))
                return false;
        } else {
            if (!fits(&last, body, lent) && !make_pattern(body, lent, arena, &last))
                return false;
            *factor = (cst_envelope){.size = body->size, .first = last.first, .start = last.start};
        }
        if (lent && body->kind != CST_BODY_NODAL)
            factor->entry = (double *)body->factor; /* only read */
        else
            entries += factor->start[factor->size];
    }
    double *entry = CST_TAKE_RAW(arena, double, (size_t)entries);
    if (arena->failed)
        return false;
    for (int at = 0; at < problem->bodies; at++) {
        cst_envelope *factor = bodies->factor + at;
        if (factor->size > 0 && !factor->entry) {
            factor->entry = entry;
            entry += factor->start[factor->size];
        }
    }
    return true;
}

static void fill_dense(const cst_body *body, cst_envelope *out)
{
    for (int i = 0; i < body->size; i++)
        memcpy(cst_envelope_row(out, i), body->matrix + (int64_t)i * body->size, sizeof(double) * ((size_t)i + 1));
}

static void fill_band(const cst_body *body, cst_envelope *out)
{
    const int64_t width = (int64_t)body->bandwidth + 1;
    for (int i = 0; i < body->size; i++) {
        const int first = out->first[i];
        memcpy(cst_envelope_row(out, i) + first, body->matrix + i * width + (body->bandwidth - (i - first)),
               sizeof(double) * (size_t)(i - first + 1));
    }
}

static void fill_nodal(const cst_body *body, int dim, cst_envelope *out)
{
    memset(out->entry, 0, sizeof(double) * (size_t)out->start[body->size]);
    for (int i = 0; i < body->size; i++) {
        const int node = i / dim, row = i % dim;
        double *to = cst_envelope_row(out, i);
        for (int64_t e = body->row_start[node]; e < body->row_start[node + 1] && body->column[e] <= node; e++) {
            const int first = body->column[e] * dim;
            const int count = body->column[e] < node ? dim : row + 1;
            memcpy(to + first, body->matrix + (e * dim + row) * dim, sizeof(double) * (size_t)count);
        }
    }
}

/* Returns -1 on success, or the row at which the matrix is not positive definite. */
static int factor_body(const cst_bodies *bodies, int at)
{
    const cst_body *body = bodies->problem->body + at;
    cst_envelope *factor = bodies->factor + at;
    if (body->kind == CST_BODY_SOLVE || factor->entry == body->factor)
        return -1;
    if (body->kind == CST_BODY_DENSE)
        fill_dense(body, factor);
    else if (body->kind == CST_BODY_BAND)
        fill_band(body, factor);
    else
        fill_nodal(body, bodies->problem->dim, factor);
    return cst_envelope_factor(factor);
}

/* --------------------------------------------------------------------------------------------------------- making ready */

bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x)
{
    const cst_envelope *factor = bodies->factor + body;
    if (factor->size == 0) {
        const cst_body *given = bodies->problem->body + body;
        return given->solve(given->user, x);
    }
    cst_envelope_forward(factor, 1, 0, 0, x);
    cst_envelope_backward(factor, x);
    return true;
}

static bool make_ready(const cst_bodies *bodies, cst_bodies_how how, int at)
{
    const cst_body *body = bodies->problem->body + at;
    double *v = bodies->free_velocity + bodies->offset[at];
    if (bodies->left_out[at]) {
        memset(v, 0, sizeof(double) * (size_t)body->size);
        return true;
    }
    if (factor_body(bodies, at) >= 0)
        return false;
    if (how == CST_BODIES_NO_MOTION)
        return true;
    memcpy(v, body->rhs, sizeof(double) * (size_t)body->size);
    return cst_bodies_solve(bodies, at, v);
}

static void explain(const cst_bodies *bodies, int at, char *message, size_t message_size)
{
    if (bodies->problem->body[at].kind == CST_BODY_SOLVE)
        snprintf(message, message_size, "body %d: its solve function failed", at);
    else
        snprintf(message, message_size, "body %d: the matrix is not positive definite (dof %d)", at, factor_body(bodies, at));
}

bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena)
{
    const cst_body_problem *problem = bodies->problem;
    int64_t *start = bodies->touch_start = CST_TAKE(arena, int64_t, (size_t)problem->bodies + 1);
    bodies->touching = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)problem->contacts);
    if (arena->failed)
        return false;
    for (int i = 0; i < problem->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const int32_t body = (side ? problem->side_b : problem->side_a)[i].body;
            if (body >= 0)
                start[body + 1]++;
        }
    for (int at = 0; at < problem->bodies; at++)
        start[at + 1] += start[at];
    /* start[b + 1] is at first the end of the contact list of body b, and decreases by 1 with each contact stored, so that at
     * last it is the start of the list */
    const int64_t total = start[problem->bodies];
    for (int i = problem->contacts - 1; i >= 0; i--)
        for (int side = 1; side >= 0; side--) {
            const int32_t body = (side ? problem->side_b : problem->side_a)[i].body;
            if (body >= 0)
                bodies->touching[--start[body + 1]] = 2 * i + side;
        }
    for (int at = 0; at < problem->bodies; at++)
        start[at] = start[at + 1];
    start[problem->bodies] = total;
    return true;
}

/* Returns the index of a cloth body that has too many dofs for a Cholesky factor within its envelope (CST_NODAL_FACTOR_MAX), or
 * -1 if there is none. */
static int too_large(const cst_bodies *bodies)
{
    const cst_body_problem *problem = bodies->problem;
    for (int at = 0; at < problem->bodies; at++)
        if (!bodies->left_out[at] && problem->body[at].kind == CST_BODY_NODAL && problem->body[at].size > CST_NODAL_FACTOR_MAX)
            return at;
    return -1;
}

cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size)
{
    const size_t count = (size_t)problem->bodies;
    *out = (cst_bodies){.problem = problem,
                        .offset = CST_TAKE_RAW(arena, int64_t, count + 1),
                        .factor = CST_TAKE(arena, cst_envelope, count),
                        .left_out = CST_TAKE_RAW(arena, bool, count),
                        .threads = threads};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    out->offset[0] = 0;
    for (int at = 0; at < problem->bodies; at++) {
        out->offset[at + 1] = out->offset[at] + problem->body[at].size;
        out->left_out[at] = problem->body[at].kind == CST_BODY_NODAL && how != CST_BODIES_WITH_NODAL;
    }
    const int large = too_large(out);
    if (large >= 0) {
        snprintf(message, message_size,
                 "body %d: a nodal body of %d dofs is too large to be factored (limit %d); use the mixed form", large,
                 problem->body[large].size, CST_NODAL_FACTOR_MAX);
        return CST_BAD_PROBLEM;
    }
    out->free_velocity = CST_TAKE_RAW(arena, double, (size_t)out->offset[problem->bodies]);
    if (arena->failed || !lay_out_factors(out, how != CST_BODIES_OWN_FACTORS, arena) || !cst_bodies_list(out, arena))
        return CST_OUT_OF_MEMORY;
    int failed = problem->bodies; /* first body that cannot be prepared */
    const int used = threads_of(out);
    (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used) reduction(min : failed)
    for (int at = 0; at < problem->bodies; at++)
        if (at < failed && !make_ready(out, how, at))
            failed = at;
    if (failed < problem->bodies) {
        explain(out, failed, message, message_size);
        return CST_BAD_PROBLEM;
    }
    return CST_SOLVED;
}

void cst_bodies_fetch(const cst_bodies *bodies, int body, bool matrix)
{
    /* a body with more than SMALL dofs is not prefetched, because the processor itself prefetches long matrix rows */
    enum { SMALL = 32 };
    if (body < 0 || body >= bodies->problem->bodies || bodies->problem->body[body].size > SMALL)
        return;
    const cst_body *given = bodies->problem->body + body;
    const size_t n = (size_t)given->size;
    if (bodies->factor[body].size > 0)
        cst_envelope_fetch(bodies->factor + body);
    if (matrix && given->kind == CST_BODY_DENSE)
        cst_prefetch(given->matrix, n * n * sizeof *given->matrix);
}

/* -------------------------------------------------------------------------------------------------- velocities, impulses */

static void add_side_velocity(int dim, const cst_contact_side *side, const int64_t *offset, const double *v, double *u)
{
    if (side->body < 0)
        return;
    const double *of_body = v + offset[side->body];
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            u[row] += side->h[row * side->dofs + k] * of_body[side->dof[k]];
}

void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u)
{
    memcpy(u, problem->velocity_offset + (int64_t)contact * problem->dim, sizeof(double) * (size_t)problem->dim);
    add_side_velocity(problem->dim, problem->side_a + contact, offset, v, u);
    add_side_velocity(problem->dim, problem->side_b + contact, offset, v, u);
}

void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f)
{
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            f[side->dof[k]] += side->h[row * side->dofs + k] * r[row];
}

static void add_side_impulse(int dim, const cst_contact_side *side, const int64_t *offset, const bool *left_out, const double *r,
                             double *f)
{
    if (side->body >= 0 && !(left_out && left_out[side->body]))
        cst_side_impulse(dim, side, r, f + offset[side->body]);
}

void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f)
{
    add_side_impulse(problem->dim, problem->side_a + contact, offset, left_out, r, f);
    add_side_impulse(problem->dim, problem->side_b + contact, offset, left_out, r, f);
}

static const cst_contact_side *touching_side(const cst_bodies *bodies, int64_t t)
{
    const int32_t at = bodies->touching[t];
    return (at % 2 ? bodies->problem->side_b : bodies->problem->side_a) + at / 2;
}

void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim;
    memcpy(f, problem->body[body].rhs, sizeof(double) * (size_t)problem->body[body].size);
    for (int64_t t = bodies->touch_start[body], end = bodies->touch_start[body + 1]; t < end; t++) {
        const int contact = bodies->touching[t] / 2;
        /* contacts are scattered in memory */
        if (t + 4 < end)
            cst_prefetch(touching_side(bodies, t + 4), sizeof(cst_contact_side));
        if (t + 2 < end)
            cst_prefetch(touching_side(bodies, t + 2)->h, sizeof(double) * (size_t)(dim * touching_side(bodies, t + 2)->dofs));
        cst_side_impulse(dim, touching_side(bodies, t), r + (int64_t)contact * dim, f);
    }
}

bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v)
{
    int solved = 1;
    const int threads = threads_of(bodies);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : solved)
    for (int at = 0; at < bodies->problem->bodies; at++) {
        double *of_body = v + bodies->offset[at];
        cst_bodies_fetch(bodies, at + 1, false);
        if (bodies->left_out[at])
            continue;
        cst_bodies_force(bodies, at, r, of_body);
        if (!cst_bodies_solve(bodies, at, of_body))
            solved = 0;
    }
    return solved != 0;
}
