#include "friction/bodies.h"

#include <stdio.h>
#include <string.h>

static bool open_dense(const cst_body *body, cst_arena *arena, cst_envelope *out)
{
    if (!cst_envelope_begin(arena, body->size, out) || !cst_envelope_open(arena, out))
        return false;
    for (int i = 0; i < body->size; i++)
        memcpy(cst_envelope_row(out, i), body->matrix + (int64_t)i * body->size, sizeof(double) * ((size_t)i + 1));
    return true;
}

static bool open_band(const cst_body *body, cst_arena *arena, cst_envelope *out)
{
    const int64_t width = (int64_t)body->bandwidth + 1;
    if (!cst_envelope_begin(arena, body->size, out))
        return false;
    for (int i = 0; i < body->size; i++)
        out->first[i] = i > body->bandwidth ? i - body->bandwidth : 0;
    if (!cst_envelope_open(arena, out))
        return false;
    for (int i = 0; i < body->size; i++) {
        const int first = out->first[i];
        memcpy(cst_envelope_row(out, i) + first, body->matrix + i * width + (body->bandwidth - (i - first)),
               sizeof(double) * (size_t)(i - first + 1));
    }
    return true;
}

static bool open_nodal(const cst_body *body, int dim, cst_arena *arena, cst_envelope *out)
{
    if (!cst_envelope_begin(arena, body->size, out))
        return false;
    for (int i = 0; i < body->size; i++) /* columns increase and hold the diagonal: the first is left of it or on it */
        out->first[i] = body->column[body->row_start[i / dim]] * dim;
    if (!cst_envelope_open(arena, out))
        return false;
    for (int i = 0; i < body->size; i++) {
        const int node = i / dim, row = i % dim;
        double *to = cst_envelope_row(out, i);
        for (int64_t e = body->row_start[node]; e < body->row_start[node + 1] && body->column[e] <= node; e++) {
            const int first = body->column[e] * dim;
            const int count = body->column[e] < node ? dim : row + 1;
            memcpy(to + first, body->matrix + (e * dim + row) * dim, sizeof(double) * (size_t)count);
        }
    }
    return true;
}

static cst_status factor_body(cst_bodies *bodies, int at, cst_arena *arena, char *message, size_t message_size)
{
    const cst_body *body = bodies->problem->body + at;
    cst_envelope *factor = bodies->factor + at;
    bool opened = true;
    switch (body->kind) {
    case CST_BODY_DENSE:
        opened = open_dense(body, arena, factor);
        break;
    case CST_BODY_BAND:
        opened = open_band(body, arena, factor);
        break;
    case CST_BODY_NODAL:
        if (body->size > CST_NODAL_FACTOR_MAX) {
            snprintf(message, message_size,
                     "body %d: a nodal body of %d dofs is too large to be factored (limit %d); use the mixed form", at,
                     body->size, CST_NODAL_FACTOR_MAX);
            return CST_BAD_PROBLEM;
        }
        opened = open_nodal(body, bodies->problem->dim, arena, factor);
        break;
    case CST_BODY_SOLVE:
        return CST_SOLVED;
    }
    if (!opened)
        return CST_OUT_OF_MEMORY;
    const int row = cst_envelope_factor(factor);
    if (row >= 0) {
        snprintf(message, message_size, "body %d: the matrix is not positive definite (dof %d)", at, row);
        return CST_BAD_PROBLEM;
    }
    return CST_SOLVED;
}

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

cst_status cst_bodies_factor(const cst_body_problem *problem, bool factor_nodal, cst_arena *arena, cst_bodies *out, char *message,
                             size_t message_size)
{
    const size_t count = (size_t)problem->bodies;
    *out = (cst_bodies){.problem = problem,
                        .offset = CST_TAKE(arena, int64_t, count + 1),
                        .factor = CST_TAKE(arena, cst_envelope, count),
                        .left_out = CST_TAKE(arena, bool, count)};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int at = 0; at < problem->bodies; at++) {
        out->offset[at + 1] = out->offset[at] + problem->body[at].size;
        out->left_out[at] = problem->body[at].kind == CST_BODY_NODAL && !factor_nodal;
    }
    out->free_velocity = CST_TAKE(arena, double, (size_t)out->offset[problem->bodies]);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int at = 0; at < problem->bodies; at++) {
        if (out->left_out[at])
            continue;
        const cst_status status = factor_body(out, at, arena, message, message_size);
        if (status != CST_SOLVED)
            return status;
        double *v = out->free_velocity + out->offset[at];
        memcpy(v, problem->body[at].rhs, sizeof(double) * (size_t)problem->body[at].size);
        if (!cst_bodies_solve(out, at, v)) {
            snprintf(message, message_size, "body %d: its solve function failed", at);
            return CST_BAD_PROBLEM;
        }
    }
    return CST_SOLVED;
}

bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v)
{
    const cst_body_problem *problem = bodies->problem;
    for (int at = 0; at < problem->bodies; at++)
        if (!bodies->left_out[at])
            memcpy(v + bodies->offset[at], problem->body[at].rhs, sizeof(double) * (size_t)problem->body[at].size);
    for (int i = 0; i < problem->contacts; i++)
        cst_contact_impulse(problem, bodies->offset, bodies->left_out, i, r + (int64_t)i * problem->dim, v);
    bool solved = true;
    for (int at = 0; at < problem->bodies; at++)
        if (!bodies->left_out[at])
            solved &= cst_bodies_solve(bodies, at, v + bodies->offset[at]);
    return solved;
}

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

static void add_side_impulse(int dim, const cst_contact_side *side, const int64_t *offset, const bool *left_out, const double *r,
                             double *f)
{
    if (side->body < 0 || (left_out && left_out[side->body]))
        return;
    double *on_body = f + offset[side->body];
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            on_body[side->dof[k]] += side->h[row * side->dofs + k] * r[row];
}

void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f)
{
    add_side_impulse(problem->dim, problem->side_a + contact, offset, left_out, r, f);
    add_side_impulse(problem->dim, problem->side_b + contact, offset, left_out, r, f);
}
