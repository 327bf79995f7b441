#include "friction/form_cost.h"

bool cst_form_cost_estimate(const cst_body_problem *problem, cst_arena *arena, cst_form_cost *out)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const int dim = problem->dim;
    int64_t *contacts = CST_TAKE(arena, int64_t, (size_t)problem->bodies);
    *out = (cst_form_cost){0};
    if (arena->failed)
        return false;
    for (int i = 0; i < problem->contacts; i++) {
        const cst_contact_side *sides[2] = {problem->side_a + i, problem->side_b + i};
        for (int s = 0; s < 2; s++) {
            if (sides[s]->body < 0)
                continue;
            const cst_body *body = problem->body + sides[s]->body;
            const int skipped = body->kind == CST_BODY_SOLVE ? 0 : sides[s]->dof[0];
            contacts[sides[s]->body]++;
            out->product_bytes += 8.0 * dim * (body->size - skipped);
        }
    }
    for (int at = 0; at < problem->bodies; at++)
        out->explicit_bytes += (8.0 * dim * dim + 4.0) * (double)contacts[at] * (double)(contacts[at] - 1);
    cst_arena_release(arena, mark);
    return true;
}
