#include "friction/nodal_newton.h"

#include <math.h>
#include <string.h>

#include "friction/interior_point.h"
#include "friction/proximal_newton.h"

/* FLOPS_MAX: largest number of floating-point operations (about 7 s) of one factorisation; beyond it, the solver uses sweeps
 * only. One factorisation for a sheet of 100,000 nodes with 9,600 contacts takes 4e10 operations; with sweeps only, a time step
 * of this sheet takes more than 40 s. */
static const double FLOPS_MAX = 2e11;
enum { GIVE_UP = 80 }; /* steps without halving the smallest error */

cst_status cst_nodal_newton_begin(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_newton *out, char *message,
                                  size_t message_size)
{
    *out = (cst_nodal_newton){.arena = arena};
    if (!cst_nodal_applies(mixed))
        return CST_TOLERANCE_MISSED;
    return cst_nodal_pack(mixed, threads, arena, &out->system, message, message_size);
}

bool cst_nodal_newton_velocities(cst_mixed *m, const cst_nodal_form *form, cst_arena *arena)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    const size_t size = (size_t)nodes->count * (size_t)dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *defect = CST_TAKE_RAW(arena, double, size);
    if (arena->failed)
        return false;
    cst_mixed_resume(m);
    for (size_t k = 0; k < size; k++)
        m->v[k] = nodes->rhs[k] + m->impulse[k];
    if (!cst_nodal_form_solve_all(m, form, arena, m->v))
        return false;
    for (int j = 0; j < nodes->count; j++)
        cst_nodes_defect(nodes, j, m->v, m->impulse, defect + (int64_t)j * dim);
    if (!cst_nodal_form_solve_all(m, form, arena, defect))
        return false;
    for (size_t k = 0; k < size; k++)
        m->v[k] += defect[k];
    cst_arena_release(arena, mark);
    return true;
}

/* Converts impulses r to scaled impulses x if `to_x` is true, and back otherwise. The scaled impulse of a contact is its impulse
 * times the square root of its compliance. */
static void scale(const cst_nodal_newton *newton, const cst_mixed *m, double *r, double *x, bool to_x)
{
    const cst_system *system = &newton->system;
    for (int64_t k = 0; k < (int64_t)system->contacts * system->dim; k++) {
        const double root = system->weight[k / system->dim] * m->judge.scale;
        if (to_x)
            x[k] = r[k] * root;
        else
            r[k] = x[k] / root;
    }
}

typedef cst_method_result method(cst_nodal_newton *newton, const cst_method_settings *settings, cst_proximal_state *state,
                                 double *x);

static cst_method_result run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings, method *by,
                             cst_proximal_state *state)
{
    const cst_arena_mark mark = cst_arena_mark_now(newton->arena);
    double *x = CST_TAKE_RAW(newton->arena, double, (size_t)newton->system.contacts *(size_t)newton->system.dim);
    cst_method_result result = {.error = HUGE_VAL};
    if (newton->arena->failed)
        return result;
    scale(newton, mixed, mixed->r, x, true);
    result = by(newton, settings, state, x);
    if (newton->arena->failed)
        return result;
    scale(newton, mixed, mixed->r, x, false);
    cst_nodal_newton_velocities(mixed, cst_nodal_form_of(&newton->system), newton->arena);
    if (!newton->arena->failed)
        cst_arena_release(newton->arena, mark);
    return result;
}

static cst_method_result by_proximal_newton(cst_nodal_newton *newton, const cst_method_settings *settings,
                                            cst_proximal_state *state, double *x)
{
    const cst_method_result result = cst_proximal_newton_within(&newton->system, settings, FLOPS_MAX, state, newton->arena, x);
    newton->flops = state->flops;
    return result;
}

static cst_method_result by_interior_point(cst_nodal_newton *newton, const cst_method_settings *settings,
                                           cst_proximal_state *state, double *x)
{
    (void)state;
    return cst_interior_point(&newton->system, settings, FLOPS_MAX, newton->arena, x);
}

cst_method_result cst_nodal_newton_run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings, bool warm)
{
    cst_proximal_state state = {.give_up = GIVE_UP, .warm = warm};
    return run(newton, mixed, settings, by_proximal_newton, &state);
}

cst_method_result cst_nodal_newton_interior(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings)
{
    return run(newton, mixed, settings, by_interior_point, NULL);
}
