#include "friction/local_contact.h"

/* tolerance of iterative local solvers, far below any tolerance of a whole friction problem */
static const double TOLERANCE = 1e-12;

bool cst_local_contacts_begin(cst_local_contacts *contacts, const cst_body_problem *problem, const cst_friction_options *options,
                              cst_arena *arena)
{
    const size_t n = (size_t)problem->contacts;
    *contacts =
        (cst_local_contacts){.dim = problem->dim,
                             .choice = {.solver = options->local, .failsafe = options->local_failsafe, .tolerance = TOLERANCE},
                             .mu = CST_TAKE(arena, double, n),
                             .law = CST_TAKE(arena, uint8_t, n),
                             .prepared = cst_arena_take(arena, n, cst_local_prepared_size(problem->dim))};
    if (arena->failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        contacts->mu[i] = problem->mu[i];
        contacts->law[i] = problem->law ? problem->law[i] : (uint8_t)CST_LAW_COULOMB;
    }
    return true;
}

void cst_local_contact_set(cst_local_contacts *contacts, int contact, const double *W)
{
    cst_local_prepare(contacts->dim, W, contacts->mu[contact], contacts->prepared, contact);
}

void cst_local_contact_solve(cst_local_contacts *contacts, int contact, const double *beta, double *r)
{
    cst_local_choice_solve(&contacts->choice, contacts->dim, contacts->law[contact], contacts->mu[contact], contacts->prepared,
                           contact, beta, r, &contacts->count);
}
