/* Assembles a friction problem of separate bodies to a problem with one global mass matrix (the inverse of
 * exchange/global_bodies.c). The mass matrix M of the global problem has the matrices A of the bodies on its diagonal, and its
 * load vector f consists of their right-hand sides rhs. The columns of the contact matrix H of the global problem are the rows of
 * the contact Jacobians h of the bodies. Bodies: `A*v = rhs+h^T*r`. `u = h*v + u_f`. Global: `M*v = f + H*r`. `u = H^T*v + w`. */
#include <stdio.h>

#include "exchange/gathering.h"
#include "exchange/problem_file.h"

static int64_t mass_entries(const cst_body *body, int dim)
{
    switch (body->kind) {
    case CST_BODY_DENSE:
        return (int64_t)body->size * body->size;
    case CST_BODY_BAND:
        return (int64_t)body->size * (2 * (int64_t)body->bandwidth + 1); /* at most */
    case CST_BODY_NODAL:
        return body->row_start[body->size / dim] * dim * dim;
    case CST_BODY_SOLVE:
        break;
    }
    return -1;
}

static void put_both(cst_gathering *to, int64_t row, int64_t column, double value)
{
    cst_gathering_put(to, row, column, value);
    if (row != column)
        cst_gathering_put(to, column, row, value);
}

static void put_body(const cst_body *body, int dim, int64_t first, cst_gathering *to)
{
    if (body->kind == CST_BODY_NODAL) {
        for (int64_t i = 0; i < body->size / dim; i++)
            for (int64_t k = body->row_start[i]; k < body->row_start[i + 1]; k++)
                for (int e = 0; e < dim * dim; e++)
                    cst_gathering_put(to, first + i * dim + e / dim, first + (int64_t)body->column[k] * dim + e % dim,
                                      body->matrix[k * dim * dim + e]);
        return;
    }
    const bool banded = body->kind == CST_BODY_BAND;
    for (int64_t i = 0; i < body->size; i++)
        for (int64_t j = banded && i > body->bandwidth ? i - body->bandwidth : 0; j <= i; j++)
            put_both(to, first + i, first + j,
                     body->matrix[banded ? i * (body->bandwidth + 1) + (j - i + body->bandwidth) : i * body->size + j]);
}

static void put_side(const cst_contact_side *side, int dim, const int64_t *first, int64_t contact, cst_gathering *to)
{
    for (int k = 0; side->body >= 0 && k < side->dofs; k++)
        for (int c = 0; c < dim; c++)
            cst_gathering_put(to, first[side->body] + side->dof[k], contact * dim + c, side->h[c * side->dofs + k]);
}

static bool refuse(char *message, size_t message_size, const char *why)
{
    snprintf(message, message_size, "%s", why);
    return false;
}

bool cst_global_from_bodies(const cst_body_problem *bodies, cst_arena *arena, cst_arena *scratch, cst_global_problem *out,
                            char *message, size_t message_size)
{
    const int dim = bodies->dim, n = bodies->contacts;
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    int64_t *first = CST_TAKE(scratch, int64_t, (size_t)bodies->bodies + 1);
    int64_t in_mass = 0, in_jacobian = 0;
    if (scratch->failed)
        return refuse(message, message_size, "out of memory");
    for (int b = 0; b < bodies->bodies; b++) {
        const int64_t own = mass_entries(bodies->body + b, dim);
        if (own < 0)
            return refuse(message, message_size, "a body is solved by a function of its own: there is no M to write");
        first[b + 1] = first[b] + bodies->body[b].size;
        in_mass += own;
    }
    for (int i = 0; i < n; i++)
        in_jacobian += (int64_t)dim * (bodies->side_a[i].dofs + bodies->side_b[i].dofs);
    const int64_t dofs = first[bodies->bodies];
    if (dofs > INT32_MAX / 2 || (int64_t)n * dim > INT32_MAX / 2)
        return refuse(message, message_size, "more dofs or contacts than the 32 bits of FCLIB can number");
    cst_gathering mass, jacobian;
    double *force = CST_TAKE(arena, double, (size_t)dofs);
    if (arena->failed || !cst_gathering_begin(scratch, in_mass, &mass) || !cst_gathering_begin(scratch, in_jacobian, &jacobian))
        return refuse(message, message_size, "out of memory");
    for (int b = 0; b < bodies->bodies; b++) {
        put_body(bodies->body + b, dim, first[b], &mass);
        for (int k = 0; k < bodies->body[b].size; k++)
            force[first[b] + k] = bodies->body[b].rhs[k];
    }
    for (int i = 0; i < n; i++) {
        put_side(bodies->side_a + i, dim, first, i, &jacobian);
        put_side(bodies->side_b + i, dim, first, i, &jacobian);
    }
    *out = (cst_global_problem){.dim = dim,
                                .contacts = n,
                                .dofs = (int)dofs,
                                .force = force,
                                .velocity_offset = bodies->velocity_offset,
                                .mu = bodies->mu,
                                .law = bodies->law};
    const cst_triplets m = {(int32_t)dofs, (int32_t)dofs, mass.count, mass.row, mass.column, mass.value};
    const cst_triplets h = {(int32_t)dofs, n * dim, jacobian.count, jacobian.row, jacobian.column, jacobian.value};
    if (!cst_csr_from_triplets(arena, scratch, &m, &out->mass) || !cst_csr_from_triplets(arena, scratch, &h, &out->jacobian))
        return refuse(message, message_size, "out of memory");
    cst_arena_release(scratch, mark);
    return true;
}
