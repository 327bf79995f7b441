/* Condenses a global problem to a local problem, by eliminating the velocities of the dofs. The global problem has the impulses r
 * and the relative velocities u of the contacts, the velocities v of the dofs, the mass matrix M, the contact matrix H, and given
 * vectors f and w:
 *
 *     `M*v = H*r + f`.
 *     `u = H^T*v + w`.
 *
 * The local problem has only the impulses r and the relative velocities u as unknowns:
 *
 *     `u = W*r + q`.
 *     `W = H^T*M^-1*H`.
 *     `q = H^T*M^-1*f + w`.
 *
 * The mass matrix decomposes into groups of coupled dofs. Each group on which a contact acts is factorised by LU with partial
 * pivoting, because the mass matrix of a file need not be symmetric. Let Mg be the block of the mass matrix for a group of dofs,
 * and Hi and Hj the parts of the contact matrix for this group and the contacts i and j. Each group of dofs adds the following
 * product to block (i, j) of the Delassus matrix of the local problem:
 *     `Hi^T*Mg^-1*Hj`. */
#include "exchange/global_graph.h"
#include "exchange/problem_file.h"
#include "files/fault.h"
#include "sparse/band_lu.h"

#include <math.h>
#include <string.h>

/* FACTOR_MAX_BYTES: largest memory in bytes of the LU factors of one group of coupled dofs. BLOCKS_MAX_BYTES: largest memory in
 * bytes of the blocks and column indices of the Delassus matrix. A problem whose Delassus matrix needs more than BLOCKS_MAX_BYTES
 * is not condensed to a local problem. If the mass matrix is symmetric, the problem may still be converted to bodies
 * (global_bodies.c). */
static const double FACTOR_MAX_BYTES = 2147483648.0;
static const double BLOCKS_MAX_BYTES = 4294967296.0;

/* Lists of the contacts that act on each group of dofs, and of the groups that each contact acts on, in increasing order. */
typedef struct incidence {
    int64_t *group_start;   /* (groups + 1) */
    int32_t *contact;       /* of each group */
    int64_t *contact_start; /* (contacts + 1) */
    int32_t *group;         /* of each contact */
} incidence;

/* Lists the groups of dofs that contact c acts on, in increasing order and without duplicates. Returns the number of these
 * groups. */
static int64_t list_groups(const cst_dof_groups *groups, int dim, int32_t c, int32_t *out)
{
    int64_t count = 0;
    const cst_csr *touch = &groups->touch;
    int64_t next[3] = {0}, end[3] = {0};
    for (int a = 0; a < dim; a++) {
        next[a] = touch->row_start[c * dim + a];
        end[a] = touch->row_start[c * dim + a + 1];
    }
    for (;;) {
        int32_t place = INT32_MAX;
        for (int a = 0; a < dim; a++)
            if (next[a] < end[a] && touch->column[next[a]] < place)
                place = touch->column[next[a]];
        if (place == INT32_MAX)
            return count;
        for (int a = 0; a < dim; a++)
            next[a] += next[a] < end[a] && touch->column[next[a]] == place;
        int32_t group = groups->group[groups->dof[place]];
        if (count == 0 || out[count - 1] != group)
            out[count++] = group;
    }
}

static bool find_incidence(cst_arena *scratch, const cst_dof_groups *groups, int dim, int32_t contacts, incidence *out)
{
    out->group_start = CST_TAKE(scratch, int64_t, (int64_t)groups->groups + 1);
    out->contact_start = CST_TAKE(scratch, int64_t, (int64_t)contacts + 1);
    out->group = CST_TAKE(scratch, int32_t, groups->touch.row_start[groups->touch.rows]);
    out->contact = CST_TAKE(scratch, int32_t, groups->touch.row_start[groups->touch.rows]);
    if (scratch->failed)
        return false;
    for (int32_t c = 0; c < contacts; c++) {
        int64_t from = out->contact_start[c];
        int64_t count = list_groups(groups, dim, c, out->group + from);
        out->contact_start[c + 1] = from + count;
        for (int64_t k = from; k < from + count; k++)
            out->group_start[out->group[k] + 1]++;
    }
    for (int32_t g = 0; g < groups->groups; g++)
        out->group_start[g + 1] += out->group_start[g];
    for (int32_t c = 0; c < contacts; c++)
        for (int64_t k = out->contact_start[c]; k < out->contact_start[c + 1]; k++)
            out->contact[out->group_start[out->group[k]]++] = c;
    memmove(out->group_start + 1, out->group_start, (size_t)groups->groups * sizeof *out->group_start);
    out->group_start[0] = 0;
    return true;
}

/* The local problem: its matrix W in block CSR form, with a block for every pair of contacts that share a group of dofs, and
 * its vector q. */
typedef struct condensed {
    int dim;
    int64_t *row_start;
    int32_t *column;
    double *block;
    double *q;
} condensed;

/* Returns the number of contacts that share a group of dofs with contact i, contact i included. If the array `place` is given,
 * the function also appends the column index i to the matrix row of each contact that shares a group of dofs with contact i. The
 * array `place` contains, for each matrix row, the position at which the next column index is appended. */
static int64_t list_neighbours(const incidence *pairs, int32_t i, int32_t stamp, int32_t *seen, int64_t *place, int32_t *column)
{
    int64_t count = 1;
    seen[i] = stamp;
    if (place)
        column[place[i]++] = i;
    for (int64_t k = pairs->contact_start[i]; k < pairs->contact_start[i + 1]; k++)
        for (int64_t e = pairs->group_start[pairs->group[k]]; e < pairs->group_start[pairs->group[k] + 1]; e++) {
            int32_t j = pairs->contact[e];
            if (seen[j] == stamp)
                continue;
            seen[j] = stamp;
            count++;
            if (place)
                column[place[j]++] = i;
        }
    return count;
}

static bool find_pattern(cst_arena *arena, cst_arena *working, const incidence *pairs, int32_t contacts, condensed *w,
                         cst_fault *fault)
{
    cst_arena_mark mark = cst_arena_mark_now(working);
    int32_t *seen = CST_TAKE(working, int32_t, contacts);
    int64_t *place = CST_TAKE(working, int64_t, contacts);
    w->q = CST_TAKE(arena, double, (int64_t)w->dim *contacts);
    w->row_start = CST_TAKE(arena, int64_t, (int64_t)contacts + 1);
    if (arena->failed || working->failed)
        return cst_fault_memory(fault);
    for (int32_t i = 0; i < contacts; i++) {
        w->row_start[i + 1] = w->row_start[i] + list_neighbours(pairs, i, i + 1, seen, NULL, NULL);
        if ((double)w->row_start[i + 1] * (8.0 * w->dim * w->dim + 4.0) > BLOCKS_MAX_BYTES)
            return cst_fault_set(fault, "condensed, W would take more than %.0f MB", BLOCKS_MAX_BYTES / 1048576.0);
    }
    int64_t blocks = w->row_start[contacts];
    w->column = CST_TAKE(arena, int32_t, blocks);
    w->block = CST_TAKE(arena, double, blocks * w->dim * w->dim);
    if (arena->failed)
        return cst_fault_memory(fault);
    /* the loop below appends the column indices 0, 1, 2, ... in this order, so the column indices of every row are sorted */
    memset(seen, 0, (size_t)contacts * sizeof *seen);
    memcpy(place, w->row_start, (size_t)contacts * sizeof *place);
    for (int32_t i = 0; i < contacts; i++)
        list_neighbours(pairs, i, i + 1, seen, place, w->column);
    cst_arena_release(working, mark);
    return true;
}

static double *block_at(const condensed *w, int32_t i, int32_t j)
{
    int64_t low = w->row_start[i], high = w->row_start[i + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (w->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return w->block + low * w->dim * w->dim;
}

/* Finds those entries of row `row` of the transposed contact matrix that belong to one group of dofs. The entries of a contact
 * that belong to the group are found by binary search, because a contact may act on many groups. */
static void row_part(const cst_csr *touch, int32_t row, int32_t first, int32_t end, int64_t *from, int64_t *to)
{
    int64_t bound[2];
    int32_t limit[2] = {first, end};
    for (int side = 0; side < 2; side++) {
        int64_t low = touch->row_start[row], high = touch->row_start[row + 1];
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (touch->column[middle] < limit[side])
                low = middle + 1;
            else
                high = middle;
        }
        bound[side] = low;
    }
    *from = bound[0];
    *to = bound[1];
}

/* Returns the scalar product of the vector x with row `row` of the transposed contact matrix, restricted to one group of dofs.
 * The group of dofs has the positions `first` to `end` - 1 in the sorted list of dofs; the vector x has one entry for each dof
 * of the group. */
static double row_times(const cst_csr *touch, int32_t row, int32_t first, int32_t end, const double *x)
{
    int64_t from, to;
    row_part(touch, row, first, end, &from, &to);
    double sum = 0.0;
    for (int64_t k = from; k < to; k++)
        sum += touch->value[k] * x[touch->column[k] - first];
    return sum;
}

static bool add_group(const cst_dof_groups *groups, const incidence *pairs, int32_t g, const double *force, cst_arena *scratch,
                      condensed *w, cst_fault *fault)
{
    int32_t first = groups->start[g], end = groups->start[g + 1], size = end - first;
    if (pairs->group_start[g] == pairs->group_start[g + 1])
        return true; /* no contact acts on it */
    double bytes = 8.0 * cst_band_lu_entries(size, groups->band[g]);
    if (bytes > FACTOR_MAX_BYTES)
        return cst_fault_set(fault, "M has a group of %d coupled dofs with bandwidth %d: its factor would take %.0f MB",
                             (int)size, (int)groups->band[g], bytes / 1048576.0);
    cst_band_lu lu;
    double *x = CST_TAKE(scratch, double, size);
    if (!cst_band_lu_begin(scratch, size, groups->band[g], &lu) || !x)
        return cst_fault_memory(fault);
    for (int32_t i = 0; i < size; i++)
        for (int64_t k = groups->mass.row_start[first + i]; k < groups->mass.row_start[first + i + 1]; k++)
            *cst_band_lu_at(&lu, i, groups->mass.column[k] - first) = groups->mass.value[k];
    int32_t step = cst_band_lu_factor(&lu);
    if (step >= 0)
        return cst_fault_set(fault, "M is singular: no pivot for dof %d", (int)groups->dof[first + step]);

    const cst_csr *touch = &groups->touch;
    int dim = w->dim;
    for (int32_t k = 0; k < size; k++)
        x[k] = force[groups->dof[first + k]];
    cst_band_lu_solve(&lu, x);
    for (int64_t e = pairs->group_start[g]; e < pairs->group_start[g + 1]; e++)
        for (int a = 0; a < dim; a++)
            w->q[(int64_t)pairs->contact[e] * dim + a] += row_times(touch, pairs->contact[e] * dim + a, first, end, x);
    for (int64_t e = pairs->group_start[g]; e < pairs->group_start[g + 1]; e++)
        for (int b = 0; b < dim; b++) {
            int32_t j = pairs->contact[e];
            int64_t from, to;
            row_part(touch, j * dim + b, first, end, &from, &to);
            if (from == to)
                continue;
            memset(x, 0, (size_t)size * sizeof *x);
            for (int64_t k = from; k < to; k++)
                x[touch->column[k] - first] = touch->value[k];
            cst_band_lu_solve(&lu, x);
            for (int64_t f = pairs->group_start[g]; f < pairs->group_start[g + 1]; f++) {
                int32_t i = pairs->contact[f];
                double *block = block_at(w, i, j);
                for (int a = 0; a < dim; a++)
                    block[a * dim + b] += row_times(touch, i * dim + a, first, end, x);
            }
        }
    return true;
}

static bool check_condensed(const condensed *w, int32_t contacts, cst_fault *fault)
{
    int dim = w->dim;
    for (int32_t i = 0; i < contacts; i++) {
        for (int a = 0; a < dim; a++)
            if (!isfinite(w->q[(int64_t)i * dim + a]))
                return cst_fault_set(fault, "condensed, q is not finite at contact %d: M is nearly singular", (int)i);
        for (int64_t k = w->row_start[i] * dim * dim; k < w->row_start[i + 1] * dim * dim; k++)
            if (!isfinite(w->block[k]))
                return cst_fault_set(fault, "condensed, W is not finite at contacts %d and %d: M is nearly singular", (int)i,
                                     (int)w->column[k / (dim * dim)]);
    }
    return true;
}

static bool condense(cst_problem_file *file, cst_arena *scratch, cst_fault *fault)
{
    const cst_global_problem *global = &file->global;
    int dim = global->dim;
    int32_t contacts = global->contacts;
    cst_dof_groups groups;
    incidence pairs;
    condensed w = {.dim = dim};
    cst_arena working;
    cst_arena_begin(&working, &file->arena.allocator);
    bool ok = cst_dof_groups_find(scratch, &working, global, CST_GROUP_COMPONENTS, &groups) &&
              find_incidence(scratch, &groups, dim, contacts, &pairs);
    if (!ok)
        cst_fault_record_memory(fault);
    ok = ok && find_pattern(&file->arena, &working, &pairs, contacts, &w, fault);
    if (ok && contacts > 0)
        memcpy(w.q, global->velocity_offset, (size_t)dim * (size_t)contacts * sizeof *w.q);
    for (int32_t g = 0; ok && g < groups.groups; g++) {
        cst_arena_mark mark = cst_arena_mark_now(&working);
        ok = add_group(&groups, &pairs, g, global->force, &working, &w, fault);
        cst_arena_release(&working, mark);
    }
    cst_arena_end(&working);
    ok = ok && check_condensed(&w, contacts, fault);
    if (ok)
        file->local = (cst_friction_problem){.dim = dim,
                                             .contacts = contacts,
                                             .row_start = w.row_start,
                                             .column = w.column,
                                             .block = w.block,
                                             .free_velocity = w.q,
                                             .mu = global->mu,
                                             .law = global->law};
    return ok;
}

bool cst_problem_file_condense(cst_problem_file *file, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(file->path, message, message_size);
    if (file->has_local)
        return true;
    cst_arena_mark mark = cst_arena_mark_now(&file->arena);
    cst_arena scratch;
    cst_arena_begin(&scratch, &file->arena.allocator);
    file->has_local = condense(file, &scratch, &fault);
    cst_arena_end(&scratch);
    if (!file->has_local) {
        /* as it was */
        cst_arena_release(&file->arena, mark);
        file->arena.failed = false;
        file->local = (cst_friction_problem){0};
    }
    return file->has_local;
}
