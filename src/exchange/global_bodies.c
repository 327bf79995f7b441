/* Converts a friction problem with one global mass matrix to a problem of separate bodies. Each group of dofs of
 * exchange/global_graph.c becomes a body: dofs that the mass matrix couples, joined until no contact acts on more than two
 * groups. The matrix of a body is the symmetric part of the diagonal block of the mass matrix for its group of dofs, and its
 * right-hand side is the part of the load vector f for this group. In a file, the contact matrix H has one row for each dof of
 * the problem. In cst_contact_side, the Jacobian h of a contact on one body has one column for each dof of the body on which the
 * contact acts, so that the transpose of h is a part of H. */
#include "exchange/global_graph.h"
#include "exchange/problem_file.h"
#include "files/fault.h"

/* The matrix of a body is stored as a band matrix if the body has many dofs and the band is narrow; for a smaller body, a dense
 * matrix is as fast. */
enum { BAND_FROM_SIZE = 64, BAND_SAVING = 4 };

static const double MATRICES_MAX_BYTES = 2147483648.0;

static bool is_band(int32_t size, int32_t band)
{
    return size > BAND_FROM_SIZE && BAND_SAVING * ((int64_t)band + 1) <= size;
}

static bool check_matrices(const cst_dof_groups *groups, cst_fault *fault)
{
    double total = 0.0;
    for (int32_t g = 0; g < groups->groups; g++) {
        int32_t size = groups->start[g + 1] - groups->start[g];
        double bytes = 8.0 * size * (is_band(size, groups->band[g]) ? groups->band[g] + 1.0 : size);
        total += bytes;
        if (total > MATRICES_MAX_BYTES)
            return cst_fault_set(fault,
                                 "M has a body of %d dofs and bandwidth %d: the matrices of the bodies take more than %.0f MB",
                                 (int)size, (int)groups->band[g], MATRICES_MAX_BYTES / 1048576.0);
    }
    return true;
}

/* Writes the symmetric part of the mass matrix to the lower triangle of the body's matrix, which is dense or banded. */
static bool fill_body(cst_arena *arena, const cst_dof_groups *groups, int32_t g, const double *force, cst_body *body)
{
    int32_t first = groups->start[g], size = groups->start[g + 1] - first, band = groups->band[g];
    bool banded = is_band(size, band);
    double *matrix = cst_arena_take(arena, (size_t)size, (size_t)(banded ? band + 1 : size) * sizeof(double));
    if (!matrix)
        return false;
    for (int32_t i = 0; i < size; i++)
        for (int64_t k = groups->mass.row_start[first + i]; k < groups->mass.row_start[first + i + 1]; k++) {
            int32_t j = groups->mass.column[k] - first;
            int64_t low = i > j ? i : j, left = i > j ? j : i;
            int64_t place = banded ? low * (band + 1) + (left - low + band) : low * size + left;
            matrix[place] += i == j ? groups->mass.value[k] : 0.5 * groups->mass.value[k];
        }
    *body = (cst_body){.kind = banded ? CST_BODY_BAND : CST_BODY_DENSE,
                       .size = size,
                       .matrix = matrix,
                       .bandwidth = banded ? band : 0,
                       .rhs = force + first};
    return true;
}

/* Memory for the Jacobians of all contacts; their total number of columns is at most the number of entries of the contact
 * matrix. */
typedef struct side_store {
    int32_t *dof;
    double *h;
} side_store;

/* Reads the Jacobian of a contact on one of its two bodies from the contact matrix. The first call for a contact reads the
 * Jacobian on its first body, and the second call the Jacobian on its second body. `next`, `end`: entries not yet read. */
static cst_contact_side take_side(const cst_dof_groups *groups, int dim, int64_t next[3], const int64_t end[3], side_store *store)
{
    cst_contact_side side = {.body = -1};
    const cst_csr *touch = &groups->touch;
    /* first lists the dofs of the next body on which the contact acts; then fills the Jacobian, which has one column for each of
     * these dofs */
    int64_t from[3] = {next[0], next[1], dim == 3 ? next[2] : 0};
    int32_t dofs = 0, *dof = store->dof;
    for (;;) {
        int32_t place = INT32_MAX;
        for (int a = 0; a < dim; a++)
            if (next[a] < end[a] && touch->column[next[a]] < place)
                place = touch->column[next[a]];
        int32_t body = place == INT32_MAX ? -1 : groups->group[groups->dof[place]];
        if (body < 0 || (dofs > 0 && body != side.body))
            break;
        side.body = body;
        dof[dofs++] = place - groups->start[body];
        for (int a = 0; a < dim; a++)
            next[a] += next[a] < end[a] && touch->column[next[a]] == place;
    }
    side.dofs = dofs;
    side.dof = dof;
    side.h = store->h;
    for (int a = 0; a < dim && dofs > 0; a++) {
        int32_t k = 0;
        for (int64_t e = from[a]; e < next[a]; e++) {
            int32_t place = touch->column[e] - groups->start[side.body];
            while (dof[k] != place)
                k++;
            store->h[(int64_t)a * dofs + k] = touch->value[e];
        }
    }
    store->dof += dofs;
    store->h += (int64_t)dim * dofs;
    return side;
}

static void fill_sides(const cst_dof_groups *groups, int dim, int contacts, side_store store, cst_contact_side *side_a,
                       cst_contact_side *side_b)
{
    for (int c = 0; c < contacts; c++) {
        int64_t next[3] = {0}, end[3] = {0};
        for (int a = 0; a < dim; a++) {
            next[a] = groups->touch.row_start[c * dim + a];
            end[a] = groups->touch.row_start[c * dim + a + 1];
        }
        side_a[c] = take_side(groups, dim, next, end, &store);
        side_b[c] = take_side(groups, dim, next, end, &store);
    }
}

static bool build_bodies(cst_problem_file *file, cst_arena *scratch, cst_fault *fault)
{
    cst_arena *arena = &file->arena;
    const cst_global_problem *global = &file->global;
    int dim = global->dim, contacts = global->contacts;
    cst_dof_groups groups;
    if (!cst_dof_groups_find(arena, scratch, global, CST_GROUP_BODIES, &groups))
        return cst_fault_memory(fault);
    if (!check_matrices(&groups, fault))
        return false;
    int64_t entries = groups.touch.row_start[groups.touch.rows];
    cst_body *body = CST_TAKE(arena, cst_body, groups.groups);
    double *force = CST_TAKE(arena, double, global->dofs);
    cst_contact_side *side_a = CST_TAKE(arena, cst_contact_side, contacts), *side_b = CST_TAKE(arena, cst_contact_side, contacts);
    side_store store = {CST_TAKE(arena, int32_t, entries), CST_TAKE(arena, double, entries *dim)};
    if (arena->failed)
        return cst_fault_memory(fault);
    for (int32_t k = 0; k < global->dofs; k++)
        force[k] = global->force[groups.dof[k]];
    for (int32_t g = 0; g < groups.groups; g++)
        if (!fill_body(arena, &groups, g, force, &body[g]))
            return cst_fault_memory(fault);
    fill_sides(&groups, dim, contacts, store, side_a, side_b);
    file->bodies = (cst_body_problem){.dim = dim,
                                      .bodies = groups.groups,
                                      .body = body,
                                      .contacts = contacts,
                                      .side_a = side_a,
                                      .side_b = side_b,
                                      .velocity_offset = global->velocity_offset,
                                      .mu = global->mu,
                                      .law = global->law};
    file->body_dof = groups.dof;
    file->has_bodies = true;
    return true;
}

bool cst_problem_file_bodies(cst_problem_file *file, cst_body_problem *out, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(file->path, message, message_size);
    if (!file->has_global)
        return cst_fault_set(&fault, "is a local problem: it has no bodies");
    if (file->global.asymmetry > CST_MASS_SYMMETRIC)
        return cst_fault_set(&fault, "M is not symmetric (relative asymmetry %.3g): only its condensed form is exact",
                             file->global.asymmetry);
    if (!file->has_bodies) {
        cst_arena_mark mark = cst_arena_mark_now(&file->arena);
        cst_arena scratch;
        cst_arena_begin(&scratch, &file->arena.allocator);
        bool ok = build_bodies(file, &scratch, &fault);
        cst_arena_end(&scratch);
        if (!ok) {
            /* release the memory of the bodies, so that the caller can use it to convert the global problem to a local problem
             * instead */
            cst_arena_release(&file->arena, mark);
            file->arena.failed = false;
            return false;
        }
    }
    *out = file->bodies;
    return true;
}
