#include "friction/first_guess.h"

#include <string.h>

#include "friction/local.h"

static bool is_fresh(const cst_system *system, const int32_t *order, const uint8_t *fresh, int at)
{
    return fresh[order[at]] && system->law[at] == CST_LAW_COULOMB;
}

void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x)
{
    const size_t dim = (size_t)system->dim;
    const uint8_t *fresh = options->fresh;
    const bool plain = options->solver == CST_SOLVER_PLAIN_NEWTON || options->solver == CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL;
    int count = 0;
    if (!fresh)
        return;
    for (int k = 0; k < system->contacts; k++) {
        if (!is_fresh(system, order, fresh, k))
            continue;
        memset(x + (size_t)k * dim, 0, dim * sizeof(double));
        count++;
    }
    if (count == 0 || plain)
        return;
    if (system->coupling->begin)
        system->coupling->begin(system, x);
    for (int k = 0; k < system->contacts; k++) {
        double beta[3], alone[3] = {0};
        if (!is_fresh(system, order, fresh, k))
            continue;
        system->coupling->off_diagonal(system, k, x, beta);
        const double *A = system->diagonal + (size_t)k * dim * dim;
        if (cst_local_solve(CST_LOCAL_DIRECT, system->dim, A, beta, system->mu[k], 0.0, alone).status != CST_LOCAL_SOLVED)
            continue;
        memcpy(x + (size_t)k * dim, alone, dim * sizeof(double));
        if (system->coupling->moved)
            system->coupling->moved(system, k, alone);
    }
}
