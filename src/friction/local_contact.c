#include "friction/local_contact.h"

#include <string.h>

#include "friction/local.h"

static const double TOLERANCE = 1e-12; /* of iterative local solvers: far below any global one */

bool cst_local_contacts_begin(cst_local_contacts *contacts, const cst_body_problem *problem, const cst_friction_options *options,
                              cst_arena *arena)
{
    const size_t dim = (size_t)problem->dim, n = (size_t)problem->contacts;
    const size_t size = dim == 3 ? sizeof(cst_local_direct3) : sizeof(cst_local_direct2);
    *contacts = (cst_local_contacts){.dim = (int)dim,
                                     .solver = options->local,
                                     .failsafe = options->local_failsafe,
                                     .W = CST_TAKE(arena, double, n *dim *dim),
                                     .mu = CST_TAKE(arena, double, n),
                                     .law = CST_TAKE(arena, uint8_t, n),
                                     .prepared = cst_arena_take(arena, n, size)};
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
    const int dim = contacts->dim;
    memcpy(contacts->W + (int64_t)contact * dim * dim, W, sizeof(double) * (size_t)(dim * dim));
    if (dim == 3)
        cst_local_direct3_prepare(W, contacts->mu[contact], (cst_local_direct3 *)contacts->prepared + contact);
    else
        cst_local_direct2_prepare(W, contacts->mu[contact], (cst_local_direct2 *)contacts->prepared + contact);
}

static cst_local_status solve_direct(cst_local_contacts *contacts, int contact, const double *beta, double *r)
{
    if (contacts->dim == 3)
        return cst_local_direct3_solve((cst_local_direct3 *)contacts->prepared + contact, beta, r);
    return cst_local_direct2_solve((cst_local_direct2 *)contacts->prepared + contact, beta, r);
}

void cst_local_contact_solve(cst_local_contacts *contacts, int contact, const double *beta, double *r)
{
    const int dim = contacts->dim;
    const double *W = contacts->W + (int64_t)contact * dim * dim;
    cst_local_status status;
    double before[3];
    memcpy(before, r, sizeof(double) * (size_t)dim);
    contacts->solves++;
    if (contacts->law[contact] == CST_LAW_BILATERAL) {
        status = cst_local_bilateral(dim, W, beta, r);
    } else if (contacts->solver == CST_LOCAL_DIRECT) {
        status = solve_direct(contacts, contact, beta, r);
    } else {
        status = cst_local_solve(contacts->solver, dim, W, beta, contacts->mu[contact], TOLERANCE, r).status;
        if (status != CST_LOCAL_SOLVED && contacts->failsafe) {
            contacts->failures++;
            contacts->fallbacks++;
            memcpy(r, before, sizeof(double) * (size_t)dim);
            status = solve_direct(contacts, contact, beta, r);
            if (status == CST_LOCAL_SOLVED)
                return;
        }
    }
    if (status == CST_LOCAL_SOLVED)
        return;
    contacts->failures++;
    if (status != CST_LOCAL_FAILED)
        memcpy(r, before, sizeof(double) * (size_t)dim);
}
