#include "exchange/problem_parts.h"

#include <math.h>
#include <string.h>

#include "exchange/gathering.h"

bool cst_check_finite(const double *value, int64_t count, const char *where, cst_fault *fault)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(value[k]))
            return cst_fault_set(fault, "%s: entry %lld is %g: not a finite number", where, (long long)k, value[k]);
    return true;
}

bool cst_check_mu(const double *mu, int64_t count, const char *where, cst_fault *fault)
{
    for (int64_t k = 0; k < count; k++)
        if (!(mu[k] >= 0.0) || !isfinite(mu[k]))
            return cst_fault_set(fault, "%s: entry %lld is %g: a friction coefficient is finite and not negative", where,
                                 (long long)k, mu[k]);
    return true;
}

/* Checks that all entries of a matrix from a file are finite: entries that the file gives for the same row and column were added,
 * and their sum may overflow. */
static bool check_sums(const cst_csr *matrix, const char *name, cst_fault *fault)
{
    for (int32_t i = 0; i < matrix->rows; i++)
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++)
            if (!isfinite(matrix->value[k]))
                return cst_fault_set(fault, "matrix %s: the entries given for (%d, %d) overflow when added", name, (int)i,
                                     (int)matrix->column[k]);
    return true;
}

static double mean_diagonal(const cst_csr *matrix)
{
    double sum = 0.0;
    for (int32_t i = 0; i < matrix->rows; i++)
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++)
            if (matrix->column[k] == i)
                sum += fabs(matrix->value[k]) / matrix->rows;
    return sum > 0.0 && isfinite(sum) ? sum : 1.0;
}

/* ------------------------------------------------------------------------------------------------ joining blocks */

static void gather_block(cst_gathering *to, const cst_csr *matrix, int32_t row, int32_t column, bool transposed)
{
    for (int32_t i = 0; i < matrix->rows; i++)
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
            int32_t j = matrix->column[k];
            cst_gathering_put(to, row + (transposed ? j : i), column + (transposed ? i : j), matrix->value[k]);
        }
}

static int64_t entries(const cst_csr *matrix)
{
    return matrix->row_start[matrix->rows];
}

static bool joined(cst_arena *arena, cst_arena *scratch, const cst_gathering *from, int32_t rows, int32_t columns, cst_csr *out)
{
    cst_triplets triplets = {rows, columns, from->count, from->row, from->column, from->value};
    return cst_csr_from_triplets(arena, scratch, &triplets, out);
}

static double *extended(cst_arena *arena, const double *first, int64_t firsts, const double *second, int64_t seconds,
                        int64_t total)
{
    double *out = CST_TAKE(arena, double, total);
    if (!out)
        return NULL;
    if (firsts > 0)
        memcpy(out, first, (size_t)firsts * sizeof *out);
    if (seconds > 0)
        memcpy(out + firsts, second, (size_t)seconds * sizeof *out);
    return out;
}

/* Sizes of the problem after the equalities have become bilateral contacts: the number of contacts, the number of unknown
 * impulses, and the number of spare (unused) unknowns. An unknown of the last bilateral contact is called spare if it belongs to
 * no equality. */
typedef struct bilateral_shape {
    int contacts; /* bilateral ones included */
    int32_t unknowns;
    int32_t filling;
} bilateral_shape;

static bool shape_of(int dim, int contacts, int equalities, bilateral_shape *out, cst_fault *fault)
{
    int64_t bilateral = ((int64_t)equalities + dim - 1) / dim;
    int64_t unknowns = (contacts + bilateral) * dim;
    if (unknowns > INT32_MAX - 8)
        return cst_fault_set(fault, "%d contacts and %d equalities: more unknowns than can be numbered", contacts, equalities);
    *out = (bilateral_shape){.contacts = (int)(contacts + bilateral),
                             .unknowns = (int32_t)unknowns,
                             .filling = (int32_t)(bilateral * dim - equalities)};
    return true;
}

static const uint8_t *bilateral_laws(cst_arena *arena, int contacts, int total)
{
    uint8_t *law = CST_TAKE(arena, uint8_t, total);
    if (law)
        memset(law + contacts, CST_LAW_BILATERAL, (size_t)(total - contacts));
    return law;
}

static void note_sizes(cst_problem_file *file, int dim, int contacts, int equalities, int total)
{
    file->dim = dim;
    file->file_contacts = contacts;
    file->equalities = equalities;
    file->contacts = total;
}

/* --------------------------------------------------------------------------------------------------------- local */

bool cst_problem_file_set_local(cst_problem_file *file, cst_arena *scratch, const cst_local_parts *parts, cst_fault *fault)
{
    int dim = parts->dim, p = parts->equalities;
    bilateral_shape shape;
    if (!shape_of(dim, parts->contacts, p, &shape, fault))
        return false;
    cst_csr matrix = parts->w;
    const double *free_velocity = parts->q, *mu = parts->mu;
    const uint8_t *law = NULL;
    if (p > 0) {
        /* With equalities, the matrix of the local problem has the block rows [W V] and [V^T R], with the matrices W, V and R of
         * the file. The row and the column of a spare impulse (an impulse of the last bilateral contact that belongs to no
         * equality) have only a diagonal entry. The velocity of a spare impulse is the impulse times its diagonal entry of the
         * matrix, so the bilateral law (zero velocity) makes the velocity and the impulse zero. */
        int32_t m = dim * parts->contacts;
        cst_arena_mark mark = cst_arena_mark_now(scratch);
        cst_gathering all;
        if (!cst_gathering_begin(scratch, entries(&parts->w) + 2 * entries(&parts->v) + entries(&parts->r) + shape.filling, &all))
            return cst_fault_memory(fault);
        gather_block(&all, &parts->w, 0, 0, false);
        gather_block(&all, &parts->v, 0, m, false);
        gather_block(&all, &parts->v, m, 0, true);
        gather_block(&all, &parts->r, m, m, false);
        double diagonal = mean_diagonal(&parts->r);
        for (int32_t k = m + p; k < shape.unknowns; k++)
            cst_gathering_put(&all, k, k, diagonal);
        bool ok = joined(&file->arena, scratch, &all, shape.unknowns, shape.unknowns, &matrix);
        cst_arena_release(scratch, mark);
        free_velocity = extended(&file->arena, parts->q, m, parts->s, p, shape.unknowns);
        mu = extended(&file->arena, parts->mu, parts->contacts, NULL, 0, shape.contacts);
        law = bilateral_laws(&file->arena, parts->contacts, shape.contacts);
        if (!ok || file->arena.failed)
            return cst_fault_memory(fault);
    }
    cst_block_csr blocks;
    if (!check_sums(&matrix, "W", fault))
        return false;
    if (!cst_csr_to_blocks(&file->arena, &matrix, dim, &blocks))
        return cst_fault_memory(fault);
    note_sizes(file, dim, parts->contacts, p, shape.contacts);
    file->local = (cst_friction_problem){.dim = dim,
                                         .contacts = shape.contacts,
                                         .row_start = blocks.row_start,
                                         .column = blocks.column,
                                         .block = blocks.block,
                                         .free_velocity = free_velocity,
                                         .mu = mu,
                                         .law = law};
    file->has_local = true;
    return true;
}

/* -------------------------------------------------------------------------------------------------------- global */

bool cst_problem_file_set_global(cst_problem_file *file, cst_arena *scratch, const cst_global_parts *parts, cst_fault *fault)
{
    int dim = parts->dim, p = parts->equalities;
    bilateral_shape shape;
    if (!shape_of(dim, parts->contacts, p, &shape, fault))
        return false;
    if (parts->dofs > INT32_MAX - 8)
        return cst_fault_set(fault, "%d dofs: more than can be numbered", parts->dofs);
    cst_global_problem global = {.dim = dim,
                                 .contacts = shape.contacts,
                                 .dofs = parts->dofs + shape.filling,
                                 .mass = parts->m,
                                 .jacobian = parts->h,
                                 .force = parts->f,
                                 .velocity_offset = parts->w,
                                 .mu = parts->mu};
    if (p > 0) {
        /* With equalities, the contact matrix of the global problem becomes [H G], with the matrices H and G of the file. A spare
         * impulse (an impulse of the last bilateral contact that belongs to no equality) acts on an extra dof, on which nothing
         * else acts. The velocity of an extra dof is proportional to the spare impulse, so the bilateral law (zero velocity)
         * makes the velocity and the impulse zero. */
        int32_t n = parts->dofs, m = dim * parts->contacts;
        cst_arena_mark mark = cst_arena_mark_now(scratch);
        cst_gathering mass, jacobian;
        if (!cst_gathering_begin(scratch, entries(&parts->m) + shape.filling, &mass) ||
            !cst_gathering_begin(scratch, entries(&parts->h) + entries(&parts->g) + shape.filling, &jacobian))
            return cst_fault_memory(fault);
        gather_block(&mass, &parts->m, 0, 0, false);
        gather_block(&jacobian, &parts->h, 0, 0, false);
        gather_block(&jacobian, &parts->g, 0, m, false);
        double diagonal = mean_diagonal(&parts->m);
        for (int32_t k = 0; k < shape.filling; k++) {
            cst_gathering_put(&mass, n + k, n + k, diagonal);
            cst_gathering_put(&jacobian, n + k, m + p + k, 1.0);
        }
        bool ok = joined(&file->arena, scratch, &mass, global.dofs, global.dofs, &global.mass) &&
                  joined(&file->arena, scratch, &jacobian, global.dofs, shape.unknowns, &global.jacobian);
        cst_arena_release(scratch, mark);
        global.force = extended(&file->arena, parts->f, n, NULL, 0, global.dofs);
        global.velocity_offset = extended(&file->arena, parts->w, m, parts->b, p, shape.unknowns);
        global.mu = extended(&file->arena, parts->mu, parts->contacts, NULL, 0, shape.contacts);
        global.law = bilateral_laws(&file->arena, parts->contacts, shape.contacts);
        if (!ok || file->arena.failed)
            return cst_fault_memory(fault);
    }
    if (!check_sums(&global.mass, "M", fault) || !check_sums(&global.jacobian, "H", fault))
        return false;
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_csr transpose;
    if (!cst_csr_transpose(scratch, &global.mass, &transpose))
        return cst_fault_memory(fault);
    global.asymmetry = cst_csr_asymmetry(&global.mass, &transpose);
    cst_arena_release(scratch, mark);
    note_sizes(file, dim, parts->contacts, p, shape.contacts);
    file->file_dofs = parts->dofs;
    file->global = global;
    file->has_global = true;
    return true;
}
