/* Direct local solver in 2D. Symbols (N: normal, T: tangential):
 *     `W`: matrix of the contact.
 *     `b`: contact velocity without the impulse.
 *     `r`: impulse of the contact.
 *     `s`: sign opposite to btilde.
 *
 * A closed contact has no normal velocity. Eliminating the normal impulse of a closed contact gives the tangential velocity u_T
 * as a function of the tangential impulse r_T:
 *
 *     `wbar = w_TT - w_TN*w_NT/w_N`.
 *     `btilde = b_T - b_N*w_TN/w_N`.
 *     `u_T = wbar*r_T + btilde`.
 *
 * A sticking contact has no tangential velocity, which gives its impulse:
 *
 *     `r_T = -btilde/wbar`.
 *     `r_N = -(b_N+w_NT*r_T)/w_N`.
 *
 * If the sticking impulse is not in the friction cone, the contact slides with this impulse:
 *
 *     `r_T = s*mu*r_N`.
 *     `r_N = -b_N/(w_N+s*mu*w_NT)`.
 *
 * If the contact cannot stick, the denominator w_N + s mu w_NT of its sliding impulse is positive (w_N, w_NT: normal row of
 * the matrix W; s: sign of the tangential impulse). On the surface of the friction cone, rounding decides between sticking and
 * sliding; the formulas for sticking and sliding give the same impulse there. The impulse is unique if the contact approaches
 * (b_N < 0) and its matrix W is positive definite. */
#include "friction/local_methods.h"
#include "friction/local_secular.h"

#include <float.h>
#include <math.h>

void cst_local_direct_2d(const cst_local_problem *problem, double *r, cst_local_result *result)
{
    const double *W = problem->W, *b = problem->b;
    double mu = problem->mu;
    double c = -b[0] / W[0], row = W[1] / W[0], column = W[2] / W[0];
    double tangential = W[3] - W[2] * row;
    double load = b[1] - b[0] * column;
    double floor = 2.0 * DBL_EPSILON * problem->weight, band = CST_SINGULAR_BAND * problem->weight;
    if (!(tangential >= -2.0 * band))
        return;
    bool singular = tangential <= band;

    /* If the contact's matrix W is singular and its free velocity b is in the range of W, the contact sticks with every
     * tangential impulse in an interval. Of the tangential impulses with which the contact sticks, the solver takes the one
     * nearest to the warm start. */
    double wanted = r[1];
    if (singular && fabs(load) <= 4.0 * DBL_EPSILON * (fabs(b[1]) + fabs(b[0] * column))) {
        /* `down` and `up`: smallest and largest tangential impulse for which the impulse is in the friction cone. If 1 + mu * row
         * is not positive, there is no largest tangential impulse; if 1 - mu * row is not positive, there is no smallest one (row
         * = w_NT / w_N). */
        double up = mu * c / (1.0 + mu * row), down = -mu * c / (1.0 - mu * row);
        r[1] = 1.0 + mu * row > 0.0 && wanted > up ? up : 1.0 - mu * row > 0.0 && wanted < down ? down : wanted;
        r[0] = c - row * r[1];
        if (cst_local_meets(problem, r, 0.0)) {
            result->contact_case = CST_CASE_STICK;
            result->status = CST_LOCAL_SOLVED;
            return;
        }
    }

    if (tangential < floor)
        tangential = floor; /* raised to the rounding error */
    r[1] = -load / tangential;
    r[0] = c - row * r[1];
    result->contact_case = CST_CASE_STICK;
    if (!(fabs(r[1]) <= mu * r[0])) {
        double s = load > 0.0 ? -1.0 : 1.0;
        result->contact_case = CST_CASE_SLIDE;
        r[0] = -b[0] / (W[0] + s * mu * W[1]);
        r[1] = s * mu * r[0];
        double alpha = fabs(load) / fabs(r[1]) - tangential;
        result->alpha = alpha > 0.0 ? alpha : 0.0;
    }
    if (cst_local_meets(problem, r, 0.0)) {
        result->status = CST_LOCAL_SOLVED;
    } else if (cst_local_magnitude(problem, r) <= CST_IMPULSE_LIMIT) {
        result->status = CST_LOCAL_FAILED; /* inexact, so nothing is proved */
    } else if (singular || W[0] <= band) {
        result->status = CST_LOCAL_NO_SOLUTION;
        result->certificate = "W is singular to rounding, no impulse sticks, and none slides";
    } else {
        result->status = CST_LOCAL_ILL_POSED;
    }
}
