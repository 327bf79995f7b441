/* Local solver that corrects the impulse of one contact and projects the result into the friction cone, once (Duriez et al.
 * 2006) or repeatedly (Duriez 2008). The correction of the impulse is the contact velocity divided by diagonal entries of the
 * contact's matrix W; the velocity is computed with the whole matrix W. Symbols (N: normal, T: tangential):
 *     `r`, `u`: impulse and velocity.
 *     `w_N`: normal diagonal entry of W.
 *     `w_t`: mean tangential diagonal entry.
 *     `P_D`: projection on the disc of radius `mu*r_N`, with the normal impulse `r_N`.
 *
 * One projection changes the normal impulse first, then the tangential impulse:
 *
 *     `r_N <- max(0,r_N-u_N/w_N)`.
 *     `r_T <- P_D(r_T-u_T/w_t)`.
 *
 * One projection is exact only if the contact's matrix W is diagonal and isotropic in the tangent plane. */
#include "friction/local_methods.h"
#include "math/small_matrix.h"

#include <math.h>

enum { PASSES_MAX = 100 };

static void pass(const cst_local_problem *problem, double *r)
{
    int dim = problem->dim;
    const double *W = problem->W;
    double u = problem->b[0];
    for (int k = 0; k < dim; ++k)
        u += W[k] * r[k];
    r[0] = fmax(0.0, r[0] - u / W[0]);

    double mean = dim == 2 ? W[3] : 0.5 * (W[4] + W[8]);
    double moved[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int k = 1; k < dim; ++k) {
        double slip = problem->b[k];
        for (int l = 0; l < dim; ++l)
            slip += W[k * dim + l] * r[l];
        moved[k] = mean > 0.0 ? r[k] - slip / mean : r[k];
        square += moved[k] * moved[k];
    }
    double length = sqrt(square), radius = problem->mu * r[0];
    double factor = length > radius ? radius / length : 1.0;
    for (int k = 1; k < dim; ++k)
        r[k] = factor * moved[k];
}

int cst_local_duriez06(const cst_local_problem *problem, double *r)
{
    pass(problem, r);
    return 1;
}

int cst_local_duriez08(const cst_local_problem *problem, double *r)
{
    for (int k = 1; k <= PASSES_MAX; ++k) {
        pass(problem, r);
        if (cst_local_meets(problem, r, problem->tolerance))
            return k;
    }
    return PASSES_MAX;
}
