/* Divides the dofs of a friction problem into groups. At first, each connected component of the graph of the mass matrix plus its
 * transpose is a group. For the conversion to bodies (CST_GROUP_BODIES), each group becomes a body. A contact must not act on
 * more than two bodies: if it acts on more than two connected components, components are joined to larger groups.
 *
 * Rigid bodies have a diagonal mass matrix. Every dof of a body with a diagonal mass matrix is a connected component of its own,
 * so a contact between two rigid bodies acts on up to twelve components. If a contact acts on more than two connected components
 * of dofs, groups of consecutive dofs are tried. In 3D, the code first joins every 6 consecutive dofs to a group. In 2D, or if a
 * contact acts on more than two groups of 6 dofs, the code joins every 3 consecutive dofs. If a contact acts on more than two
 * groups of 3 dofs, the code goes back to the connected components. For each contact that acts on more than two components, the
 * code then joins these components to one group. Joining the connected components of a contact would always be correct, but it
 * gives larger bodies and a slower solution.
 *
 * Within a group, dofs keep the order of the file, or take the reverse Cuthill-McKee order if its band is narrower. */
#include "exchange/global_graph.h"

#include "base/union_find.h"
#include "sparse/rcm.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- joining */

/* A group of dofs is identified by its lowest dof index, and groups are numbered in the order of these indices. */

/* If `mend` is false, more_than_two returns true if any contact acts on more than two groups of dofs. If `mend` is true,
 * more_than_two joins the groups of each contact that acts on more than two groups, and returns false. */
static bool more_than_two(const cst_csr *touch, int dim, int32_t *parent, bool mend)
{
    for (int32_t c = 0; c < touch->rows / dim; c++) {
        int32_t seen[2] = {-1, -1};
        bool more = false;
        int64_t from = touch->row_start[c * dim], to = touch->row_start[(c + 1) * dim];
        for (int64_t k = from; k < to && !more; k++) {
            int32_t group = cst_set_of(parent, touch->column[k]);
            if (seen[0] < 0 || seen[0] == group)
                seen[0] = group;
            else if (seen[1] < 0 || seen[1] == group)
                seen[1] = group;
            else
                more = true;
        }
        if (more && !mend)
            return true;
        if (more)
            for (int64_t k = from + 1; k < to; k++)
                cst_set_join(parent, touch->column[from], touch->column[k]);
    }
    return false;
}

static void join_for_contacts(const cst_csr *touch, int dim, int32_t dofs, int32_t *parent, int32_t *trial)
{
    if (!more_than_two(touch, dim, parent, false))
        return;
    for (int32_t run = dim == 3 ? 6 : 3; run > 0; run -= 3) {
        memcpy(trial, parent, (size_t)dofs * sizeof *trial);
        for (int32_t i = 0; i < dofs; i++)
            cst_set_join(trial, i, i - i % run);
        if (!more_than_two(touch, dim, trial, false)) {
            memcpy(parent, trial, (size_t)dofs * sizeof *parent);
            return;
        }
    }
    more_than_two(touch, dim, parent, true);
}

/* -------------------------------------------------------------------------------------------------------- ordering */

/* Sorts the dofs by their groups; within each group, the dofs keep the sequence of the list `order`. */
static void place_dofs(int32_t dofs, int32_t groups, const int32_t *group, const int32_t *order, int32_t *start, int32_t *dof,
                       int32_t *position)
{
    memset(start, 0, ((size_t)groups + 1) * sizeof *start);
    for (int32_t i = 0; i < dofs; i++)
        start[group[i] + 1]++;
    for (int32_t g = 0; g < groups; g++)
        start[g + 1] += start[g];
    for (int32_t k = 0; k < dofs; k++) {
        int32_t i = order ? order[k] : k, place = start[group[i]]++;
        position[i] = place;
        dof[place] = i;
    }
    memmove(start + 1, start, (size_t)groups * sizeof *start);
    start[0] = 0;
}

static void measure_bands(const cst_csr *mass, const int32_t *group, const int32_t *position, int32_t *band)
{
    for (int32_t i = 0; i < mass->rows; i++)
        for (int64_t k = mass->row_start[i]; k < mass->row_start[i + 1]; k++) {
            int32_t width = abs(position[i] - position[mass->column[k]]);
            if (width > band[group[i]])
                band[group[i]] = width;
        }
}

bool cst_dof_groups_find(cst_arena *arena, cst_arena *scratch, const cst_global_problem *global, cst_grouping grouping,
                         cst_dof_groups *out)
{
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    int32_t n = global->dofs;
    int32_t *group = CST_TAKE(arena, int32_t, n), *position = CST_TAKE(arena, int32_t, n), *dof = CST_TAKE(arena, int32_t, n);
    int32_t *order = CST_TAKE(scratch, int32_t, n), *parent = CST_TAKE(scratch, int32_t, n);
    int32_t *trial = CST_TAKE(scratch, int32_t, n), *rcm_position = CST_TAKE(scratch, int32_t, n);
    int32_t *rcm_dof = CST_TAKE(scratch, int32_t, n);
    cst_csr transpose, touch;
    bool ok = !arena->failed && !scratch->failed && cst_csr_transpose(scratch, &global->mass, &transpose) &&
              cst_csr_transpose(scratch, &global->jacobian, &touch) &&
              cst_rcm_order(scratch, &global->mass, &transpose, order, group) >= 0;
    if (!ok) {
        cst_arena_release(scratch, mark);
        return false;
    }
    memset(trial, -1, (size_t)n * sizeof *trial);
    for (int32_t i = 0; i < n; i++) {
        if (trial[group[i]] < 0)
            trial[group[i]] = i;
        parent[i] = trial[group[i]];
    }
    if (grouping == CST_GROUP_BODIES)
        join_for_contacts(&touch, global->dim, n, parent, trial);
    int32_t groups = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t root = cst_set_of(parent, i);
        group[i] = root == i ? groups++ : group[root];
    }

    int32_t *start = CST_TAKE(arena, int32_t, (int64_t)groups + 1), *band = CST_TAKE(arena, int32_t, groups);
    int32_t *rcm_band = CST_TAKE(scratch, int32_t, groups);
    ok = !arena->failed && !scratch->failed;
    if (ok) {
        place_dofs(n, groups, group, order, start, rcm_dof, rcm_position);
        measure_bands(&global->mass, group, rcm_position, rcm_band);
        place_dofs(n, groups, group, NULL, start, dof, position);
        measure_bands(&global->mass, group, position, band);
        for (int32_t g = 0; g < groups; g++) {
            if (rcm_band[g] >= band[g])
                continue;
            band[g] = rcm_band[g];
            for (int32_t k = start[g]; k < start[g + 1]; k++) {
                dof[k] = rcm_dof[k];
                position[dof[k]] = k;
            }
        }
        *out = (cst_dof_groups){.groups = groups, .start = start, .group = group, .position = position, .dof = dof, .band = band};
        ok = cst_csr_permute(arena, scratch, &global->mass, position, position, &out->mass) &&
             cst_csr_permute(arena, scratch, &touch, NULL, position, &out->touch);
    }
    cst_arena_release(scratch, mark);
    return ok;
}
