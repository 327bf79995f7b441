#include "friction/tie_plan.h"

#include "friction/islands.h"

static bool joins_two(const cst_tied_pair *tie)
{
    return tie->body[0] >= 0 && tie->body[1] >= 0 && tie->body[0] != tie->body[1];
}

/* Compares the number of bilateral constraints to other bodies, divided by the number of dofs, of two bodies. Returns true if
 * body a has the larger ratio, or if both ratios are equal and body a has the lower index. */
static bool is_hub_of(const int32_t *ties_of, const int32_t *size, int32_t a, int32_t b)
{
    const int64_t of_a = (int64_t)ties_of[a] * size[b], of_b = (int64_t)ties_of[b] * size[a];
    return of_a != of_b ? of_a > of_b : a < b;
}

static void choose_roles(const cst_tied_pair *tie, int ties, const int32_t *size, const int32_t *ties_of, uint8_t *role)
{
    for (int t = 0; t < ties; t++)
        for (int side = 0; side < 2; side++)
            if (tie[t].body[side] >= 0 && role[tie[t].body[side]] == CST_TIE_FREE)
                role[tie[t].body[side]] = CST_TIE_LEAF;
    for (int t = 0; t < ties; t++)
        if (joins_two(tie + t))
            role[is_hub_of(ties_of, size, tie[t].body[0], tie[t].body[1]) ? tie[t].body[0] : tie[t].body[1]] = CST_TIE_HUB;
}

/* Numbers the groups of hub bodies that bilateral constraints connect, directly or through other bodies. */
static void number_cores(cst_islands *joined, const int32_t *size, int bodies, int32_t *dofs, cst_tie_plan *plan)
{
    for (int32_t k = 0; k < bodies; k++)
        plan->core_of[k] = -1;
    for (int32_t k = 0; k < bodies; k++) {
        const int32_t root = cst_islands_root(joined, k);
        if (plan->role[k] != CST_TIE_HUB)
            continue;
        if (plan->core_of[root] < 0)
            plan->core_of[root] = plan->cores++;
        dofs[root] += size[k];
        plan->largest = dofs[root] > plan->largest ? dofs[root] : plan->largest;
    }
    for (int32_t k = 0; k < bodies; k++)
        plan->core_of[k] = plan->core_of[cst_islands_root(joined, k)];
}

bool cst_tie_plan_make(const cst_tied_pair *tie, int ties, const int32_t *size, int bodies, cst_arena *arena, cst_tie_plan *out)
{
    *out = (cst_tie_plan){.role = CST_TAKE(arena, uint8_t, bodies), .core_of = CST_TAKE_RAW(arena, int32_t, bodies)};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int32_t *ties_of = CST_TAKE(arena, int32_t, bodies), *dofs = CST_TAKE(arena, int32_t, bodies);
    cst_islands joined;
    if (arena->failed || !cst_islands_begin(&joined, bodies, arena))
        return false;
    for (int t = 0; t < ties; t++)
        if (joins_two(tie + t)) {
            ties_of[tie[t].body[0]]++;
            ties_of[tie[t].body[1]]++;
            cst_islands_join(&joined, tie[t].body[0], tie[t].body[1]);
        }
    choose_roles(tie, ties, size, ties_of, out->role);
    number_cores(&joined, size, bodies, dofs, out);
    cst_arena_release(arena, mark);
    return true;
}
