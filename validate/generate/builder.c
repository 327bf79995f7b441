#include "generate/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cst_builder_begin(cst_builder *builder, int dim, uint64_t seed, const cst_allocator *allocator)
{
    memset(builder, 0, sizeof *builder);
    cst_arena_begin(&builder->arena, allocator);
    cst_arena_begin(&builder->scratch, allocator);
    builder->dim = dim;
    builder->out = CST_TAKE(&builder->arena, cst_generated, 1);
    if (!builder->out)
        return false;
    builder->out->seed = seed;
    return true;
}

bool cst_builder_bodies(cst_builder *builder, int bodies)
{
    builder->bodies = bodies;
    builder->body = CST_TAKE(&builder->arena, cst_body, bodies);
    builder->matrix = CST_TAKE(&builder->scratch, double *, bodies);
    builder->rhs = CST_TAKE(&builder->scratch, double *, bodies);
    return builder->body && builder->matrix && builder->rhs;
}

bool cst_builder_contacts(cst_builder *builder, int contacts)
{
    cst_arena *arena = &builder->arena;
    size_t dim = (size_t)builder->dim, n = (size_t)contacts;
    builder->contacts = contacts;
    builder->side_a = CST_TAKE(arena, cst_contact_side, n);
    builder->side_b = CST_TAKE(arena, cst_contact_side, n);
    builder->velocity_offset = CST_TAKE(arena, double, n *dim);
    builder->mu = CST_TAKE(arena, double, n);
    builder->law = CST_TAKE(arena, uint8_t, n);
    builder->frame = CST_TAKE(arena, double, n *dim *dim);
    return !arena->failed;
}

static bool set_body(cst_builder *builder, int body, cst_body_kind kind, int size, size_t entries)
{
    double *matrix = CST_TAKE(&builder->arena, double, entries);
    double *rhs = CST_TAKE(&builder->arena, double, size);
    if (!matrix || !rhs)
        return false;
    builder->matrix[body] = matrix;
    builder->rhs[body] = rhs;
    builder->body[body] = (cst_body){.kind = kind, .size = size, .matrix = matrix, .rhs = rhs};
    return true;
}

bool cst_builder_dense(cst_builder *builder, int body, int size)
{
    return set_body(builder, body, CST_BODY_DENSE, size, (size_t)size * (size_t)size);
}

bool cst_builder_nodal(cst_builder *builder, int body, int nodes, const int64_t *row_start, const int32_t *column)
{
    size_t blocks = (size_t)row_start[nodes], dim = (size_t)builder->dim;
    int64_t *rows = CST_TAKE(&builder->arena, int64_t, nodes + 1);
    int32_t *columns = CST_TAKE(&builder->arena, int32_t, blocks);
    if (!rows || !columns || !set_body(builder, body, CST_BODY_NODAL, builder->dim * nodes, blocks * dim * dim))
        return false;
    memcpy(rows, row_start, ((size_t)nodes + 1) * sizeof *rows);
    memcpy(columns, column, blocks * sizeof *columns);
    builder->body[body].row_start = rows;
    builder->body[body].column = columns;
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- sides */

static cst_contact_side *side_of(cst_builder *builder, int contact, char side)
{
    return side == 'a' ? builder->side_a + contact : builder->side_b + contact;
}

static bool set_side(cst_builder *builder, int contact, char side, int body, int dofs, int32_t **dof, double **h)
{
    *dof = CST_TAKE(&builder->arena, int32_t, dofs);
    *h = CST_TAKE(&builder->arena, double, builder->dim *dofs);
    if (!*dof || !*h)
        return false;
    *side_of(builder, contact, side) = (cst_contact_side){.body = body, .dofs = dofs, .dof = *dof, .h = *h};
    return true;
}

void cst_builder_attach_obstacle(cst_builder *builder, int contact, char side)
{
    *side_of(builder, contact, side) = (cst_contact_side){.body = -1};
}

bool cst_builder_attach_nodes(cst_builder *builder, int contact, char side, int body, int count, const int32_t *node,
                              const double *weight)
{
    if (count == 0) {
        cst_builder_attach_obstacle(builder, contact, side);
        return true;
    }
    int dim = builder->dim, dofs = dim * count;
    int32_t *dof;
    double *h, sign = side == 'a' ? 1 : -1;
    if (!set_side(builder, contact, side, body, dofs, &dof, &h))
        return false;
    const double *frame = builder->frame + (size_t)contact * (size_t)(dim * dim);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < dim; c++) {
            dof[dim * k + c] = dim * node[k] + c;
            for (int row = 0; row < dim; row++)
                h[row * dofs + dim * k + c] = sign * weight[k] * frame[dim * row + c];
        }
    return true;
}

bool cst_builder_attach_jacobian(cst_builder *builder, int contact, char side, int body, int dofs, const double *jacobian)
{
    int dim = builder->dim;
    int32_t *dof;
    double *h, sign = side == 'a' ? 1 : -1;
    if (!set_side(builder, contact, side, body, dofs, &dof, &h))
        return false;
    const double *frame = builder->frame + (size_t)contact * (size_t)(dim * dim);
    for (int k = 0; k < dofs; k++) {
        dof[k] = k;
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                h[row * dofs + k] += sign * frame[dim * row + c] * jacobian[c * dofs + k];
    }
    return true;
}

/* The point moves with v + spin x arm: along a direction e that is e . v + (arm x e) . spin. */
bool cst_builder_attach_rigid(cst_builder *builder, int contact, char side, int body, const double *arm)
{
    int dim = builder->dim, dofs = dim == 2 ? 3 : 6;
    int32_t *dof;
    double *h, sign = side == 'a' ? 1 : -1;
    if (!set_side(builder, contact, side, body, dofs, &dof, &h))
        return false;
    for (int k = 0; k < dofs; k++)
        dof[k] = k;
    for (int row = 0; row < dim; row++) {
        const double *e = builder->frame + (size_t)contact * (size_t)(dim * dim) + dim * row;
        double *out = h + row * dofs;
        for (int c = 0; c < dim; c++)
            out[c] = sign * e[c];
        if (dim == 2) {
            out[2] = sign * (arm[0] * e[1] - arm[1] * e[0]);
        } else {
            out[3] = sign * (arm[1] * e[2] - arm[2] * e[1]);
            out[4] = sign * (arm[2] * e[0] - arm[0] * e[2]);
            out[5] = sign * (arm[0] * e[1] - arm[1] * e[0]);
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- products */

int *cst_builder_offsets(cst_builder *builder)
{
    int *offset = CST_TAKE(&builder->scratch, int, builder->bodies + 1);
    if (offset)
        for (int i = 0; i < builder->bodies; i++)
            offset[i + 1] = offset[i] + builder->body[i].size;
    return offset;
}

void cst_builder_multiply(const cst_builder *builder, int body, const double *v, double *out)
{
    const cst_body *b = builder->body + body;
    if (b->kind == CST_BODY_DENSE) {
        for (int i = 0; i < b->size; i++) {
            double sum = 0;
            for (int j = 0; j < b->size; j++)
                sum += b->matrix[(size_t)i * (size_t)b->size + (size_t)j] * v[j];
            out[i] = sum;
        }
        return;
    }
    int dim = builder->dim;
    for (int i = 0; i < b->size; i++) {
        int node = i / dim, row = i % dim;
        double sum = 0;
        for (int64_t k = b->row_start[node]; k < b->row_start[node + 1]; k++)
            for (int c = 0; c < dim; c++)
                sum += b->matrix[k * dim * dim + dim * row + c] * v[dim * b->column[k] + c];
        out[i] = sum;
    }
}

static void add_side_velocity(int dim, const cst_contact_side *side, const int *offset, const double *v, double *u)
{
    if (side->body < 0)
        return;
    const double *of_body = v + offset[side->body];
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            u[row] += side->h[row * side->dofs + k] * of_body[side->dof[k]];
}

void cst_builder_relative_velocity(const cst_builder *builder, const int *offset, int contact, const double *v, double *u)
{
    for (int k = 0; k < builder->dim; k++)
        u[k] = 0;
    add_side_velocity(builder->dim, builder->side_a + contact, offset, v, u);
    add_side_velocity(builder->dim, builder->side_b + contact, offset, v, u);
}

static void add_side_impulse(int dim, const cst_contact_side *side, const int *offset, const double *r, double *f)
{
    if (side->body < 0)
        return;
    double *on_body = f + offset[side->body];
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            on_body[side->dof[k]] += side->h[row * side->dofs + k] * r[row];
}

void cst_builder_add_impulse(const cst_builder *builder, const int *offset, int contact, const double *r, double *f)
{
    add_side_impulse(builder->dim, builder->side_a + contact, offset, r, f);
    add_side_impulse(builder->dim, builder->side_b + contact, offset, r, f);
}

/* ------------------------------------------------------------------------------------------------------------ handing over */

cst_generated *cst_builder_abandon(cst_builder *builder)
{
    cst_arena_end(&builder->scratch);
    cst_arena_end(&builder->arena);
    return NULL;
}

static bool any_bilateral(const cst_builder *builder)
{
    for (int i = 0; i < builder->contacts; i++)
        if (builder->law[i] == CST_LAW_BILATERAL)
            return true;
    return false;
}

cst_generated *cst_builder_finish(cst_builder *builder, const char *format, ...)
{
    if (builder->arena.failed || builder->scratch.failed)
        return cst_builder_abandon(builder);
    cst_generated *out = builder->out;
    out->problem = (cst_body_problem){.dim = builder->dim,
                                      .bodies = builder->bodies,
                                      .body = builder->body,
                                      .contacts = builder->contacts,
                                      .side_a = builder->side_a,
                                      .side_b = builder->side_b,
                                      .velocity_offset = builder->velocity_offset,
                                      .mu = builder->mu,
                                      .law = any_bilateral(builder) ? builder->law : NULL};
    out->frame = builder->frame;
    for (int i = 0; i < builder->bodies; i++)
        out->dofs += builder->body[i].size;
    out->nu = out->dofs > 0 ? (double)(builder->dim * builder->contacts) / out->dofs : 0;

    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->name, sizeof out->name, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof out->name)
        snprintf(out->name + length, sizeof out->name - (size_t)length, " seed %llu", (unsigned long long)out->seed);

    cst_arena_end(&builder->scratch);
    out->arena = builder->arena;
    return out;
}

void cst_generated_free(cst_generated *generated)
{
    if (!generated)
        return;
    cst_arena arena = generated->arena; /* the struct itself lies in it */
    cst_arena_end(&arena);
}
