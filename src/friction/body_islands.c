#include "friction/body_islands.h"

#include <assert.h>
#include <string.h>

#include "friction/islands.h"

/* Stable sort of the items 0 .. count - 1 by island; items without an island (-1) come last. start[k] becomes the position of
 * the first item of island k. */
static void sort_by_island(const int32_t *island, int count, int islands, int32_t *start, int32_t *sorted)
{
    memset(start, 0, ((size_t)islands + 1) * sizeof *start);
    for (int i = 0; i < count; i++)
        if (island[i] >= 0)
            start[island[i] + 1]++;
    for (int k = 0; k < islands; k++)
        start[k + 1] += start[k];
    int32_t last = start[islands];
    for (int i = 0; i < count; i++)
        sorted[island[i] >= 0 ? start[island[i]]++ : last++] = i;
    for (int k = islands; k > 0; k--) /* restores start[k] after the loop above */
        start[k] = start[k - 1];
    start[0] = 0;
}

/* Returns the number of islands, and sets *touching to the number of islands with contacts. `island_of`: output array, first the
 * island of each body (-1: none), then the island of each contact. */
static int number_islands(const cst_body_problem *problem, cst_islands *joined, int32_t *number, int32_t *island_of,
                          int *touching)
{
    int32_t *of_contact = island_of + problem->bodies;
    int count = 0;
    for (int32_t i = 0; i < problem->contacts; i++) {
        const int32_t a = problem->side_a[i].body, b = problem->side_b[i].body;
        if (a >= 0 && b >= 0)
            cst_islands_join(joined, a, b);
    }
    for (int k = 0; k < problem->bodies; k++)
        number[k] = island_of[k] = -1;
    for (int32_t i = 0; i < problem->contacts; i++) {
        const int32_t a = problem->side_a[i].body, b = problem->side_b[i].body;
        if (a < 0 && b < 0) {
            of_contact[i] = count++;
            continue;
        }
        int32_t *of_root = number + cst_islands_root(joined, a >= 0 ? a : b);
        if (*of_root < 0)
            *of_root = count++;
        of_contact[i] = *of_root;
    }
    *touching = count;
    for (int32_t k = 0; k < problem->bodies; k++) {
        island_of[k] = number[cst_islands_root(joined, k)];
        if (island_of[k] < 0 && problem->body[k].kind == CST_BODY_NODAL)
            island_of[k] = count++;
    }
    return count;
}

/* Sorts the bodies by island, and numbers the bodies of each island from 0. */
static void sort_bodies(cst_body_islands *islands, cst_body *body, int32_t *number)
{
    const cst_body_problem *whole = islands->whole;
    for (int k = 0, island = 0; k < whole->bodies; k++) {
        while (island < islands->islands && k >= islands->body_start[island + 1])
            island++;
        body[k] = whole->body[islands->body[k]];
        number[islands->body[k]] = k - islands->body_start[island];
        islands->offset[k + 1] = islands->offset[k] + body[k].size;
        if (island < islands->islands)
            islands->local_offset[k + island + 1] = islands->offset[k + 1] - islands->offset[islands->body_start[island]];
    }
}

bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena)
{
    const size_t bodies = (size_t)problem->bodies, n = (size_t)problem->contacts, dim = (size_t)problem->dim;
    cst_islands joined;
    size_t dofs = 0;
    for (size_t k = 0; k < bodies; k++)
        dofs += (size_t)problem->body[k].size;
    cst_body *body = CST_TAKE_RAW(arena, cst_body, bodies);
    cst_contact_side *side_a = CST_TAKE_RAW(arena, cst_contact_side, n), *side_b = CST_TAKE_RAW(arena, cst_contact_side, n);
    double *velocity_offset = CST_TAKE_RAW(arena, double, n *dim), *mu = CST_TAKE_RAW(arena, double, n);
    uint8_t *law = problem->law ? CST_TAKE_RAW(arena, uint8_t, n) : NULL;
    int32_t *number = CST_TAKE_RAW(arena, int32_t, bodies), *island_of = CST_TAKE_RAW(arena, int32_t, bodies + n);
    *islands = (cst_body_islands){.whole = problem,
                                  .contact = CST_TAKE_RAW(arena, int32_t, n),
                                  .body = CST_TAKE_RAW(arena, int32_t, bodies),
                                  .offset = CST_TAKE(arena, int64_t, bodies + 1),
                                  .r = CST_TAKE_RAW(arena, double, n *dim),
                                  .v = CST_TAKE(arena, double, dofs),
                                  .fresh = fresh ? CST_TAKE_RAW(arena, uint8_t, n) : NULL};
    if (arena->failed || !cst_islands_begin(&joined, problem->bodies, arena))
        return false;
    islands->islands = number_islands(problem, &joined, number, island_of, &islands->touching);
    islands->contact_start = CST_TAKE_RAW(arena, int32_t, (size_t)islands->islands + 1);
    islands->body_start = CST_TAKE_RAW(arena, int32_t, (size_t)islands->islands + 1);
    islands->local_offset = CST_TAKE(arena, int64_t, bodies + (size_t)islands->islands);
    if (arena->failed)
        return false;
    sort_by_island(island_of + bodies, problem->contacts, islands->islands, islands->contact_start, islands->contact);
    sort_by_island(island_of, problem->bodies, islands->islands, islands->body_start, islands->body);
    assert(islands->contact_start[islands->islands] == problem->contacts);
    sort_bodies(islands, body, number);
    for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)islands->contact[k];
        side_a[k] = cst_side_renumbered(problem->side_a + i, number);
        side_b[k] = cst_side_renumbered(problem->side_b + i, number);
        mu[k] = problem->mu[i];
        if (law)
            law[k] = problem->law[i];
        if (fresh)
            islands->fresh[k] = fresh[i];
        memcpy(velocity_offset + k * dim, problem->velocity_offset + i * dim, dim * sizeof(double));
        memcpy(islands->r + k * dim, r + i * dim, dim * sizeof(double));
    }
    islands->sorted = *problem;
    islands->sorted.body = body;
    islands->sorted.side_a = side_a;
    islands->sorted.side_b = side_b;
    islands->sorted.velocity_offset = velocity_offset;
    islands->sorted.mu = mu;
    islands->sorted.law = law;
    return true;
}

cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island)
{
    const int32_t first = islands->contact_start[island], body = islands->body_start[island];
    cst_body_problem out = islands->sorted;
    out.bodies = islands->body_start[island + 1] - body;
    out.body += body;
    out.contacts = islands->contact_start[island + 1] - first;
    out.side_a += first;
    out.side_b += first;
    out.velocity_offset += (int64_t)first * out.dim;
    out.mu += first;
    if (out.law)
        out.law += first;
    return out;
}

bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted)
{
    const size_t bodies = (size_t)islands->whole->bodies;
    *sorted = (cst_bodies){.problem = &islands->sorted,
                           .offset = islands->offset,
                           .factor = CST_TAKE_RAW(arena, cst_envelope, bodies),
                           .left_out = CST_TAKE_RAW(arena, bool, bodies),
                           .free_velocity = CST_TAKE_RAW(arena, double, (size_t)islands->offset[bodies])};
    if (arena->failed)
        return false;
    for (size_t k = 0; k < bodies; k++) {
        const int32_t body = islands->body[k];
        sorted->factor[k] = whole->factor[body];
        sorted->left_out[k] = whole->left_out[body];
        memcpy(sorted->free_velocity + islands->offset[k], whole->free_velocity + whole->offset[body],
               sizeof(double) * (size_t)islands->sorted.body[k].size);
    }
    return true;
}

cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem)
{
    const int32_t body = islands->body_start[island];
    return (cst_bodies){.problem = problem,
                        .offset = islands->local_offset + body + island,
                        .factor = sorted->factor + body,
                        .left_out = sorted->left_out + body,
                        .free_velocity = sorted->free_velocity + islands->offset[body]};
}

void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v)
{
    const cst_body_problem *whole = islands->whole;
    const size_t dim = (size_t)whole->dim;
    for (int k = 0; k < whole->contacts; k++)
        memcpy(r + (size_t)islands->contact[k] * dim, islands->r + (size_t)k * dim, dim * sizeof(double));
    for (int k = 0; k < whole->bodies; k++)
        memcpy(v + offset[islands->body[k]], islands->v + islands->offset[k],
               sizeof(double) * (size_t)islands->sorted.body[k].size);
}
