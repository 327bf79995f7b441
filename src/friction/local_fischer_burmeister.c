/* Newton's method on the modified Fischer-Burmeister function f_FB of one contact (Daviet et al. 2011, section 4 and appendix
 * A.2). Symbols:
 *     `r`: impulse of the contact.
 *     `W*r+b`: velocity of the contact.
 *     `f_r`, `f_u`: derivatives of f_FB.
 *     `g = J^T*f`: gradient of `|f|^2/2`.
 *
 * A Newton step changes the impulse by dr:
 *
 *     `f(r) = f_FB(r, W*r+b)`.
 *     `J = f_r+f_u*W`.
 *     `J*dr = -f`.
 *
 * If the Jacobian J is singular, or the Newton step dr is nearly orthogonal to the gradient g, the step goes along -g, with
 * Cauchy's step length |g|^2 / |J g|^2. The gradient step -g of Daviet et al., without a step length, would depend on the
 * unit of the impulse. There is no line search. */
#include "friction/cone.h"
#include "friction/local_methods.h"
#include "math/small_matrix.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 30 };

int cst_local_fischer_burmeister(const cst_local_problem *problem, double *r)
{
    int dim = problem->dim;
    double mu = problem->mu;
    double unit = 1.0 / (mu > 1.0 ? mu : 1.0); /* f_FB grows like mu */
    if (cst_small_dot(dim, r, r) == 0.0)
        cst_local_cold_start(problem, r);
    double best[3] = {0.0, 0.0, 0.0}, best_value = INFINITY;
    int step = 0;
    for (; step < ITERATIONS_MAX; ++step) {
        double u[3], f[3], J[9], f_u[9];
        cst_local_velocity(problem, r, u);
        cst_fischer_burmeister_jacobian(dim, mu, r, u, f, J, f_u);
        double value = unit * sqrt(cst_small_dot(dim, f, f));
        if (value < best_value) {
            best_value = value;
            memcpy(best, r, (size_t)dim * sizeof *r);
        }
        double floor = cst_local_rounding_floor(problem, r);
        double tolerance = problem->tolerance > floor ? problem->tolerance : floor;
        if (value <= tolerance && cst_local_error(problem, r) <= tolerance)
            return step;
        if (!(value < INFINITY))
            break;

        double g[3] = {0.0, 0.0, 0.0}, step_r[3], J_g[3] = {0.0, 0.0, 0.0};
        cst_small_add_product(dim, f_u, problem->W, J);
        cst_small_apply_transposed(dim, J, f, g);
        bool regular = cst_small_solve(dim, J, f, 1e-15, step_r) == dim; /* minus the Newton step */
        double descent = cst_small_dot(dim, step_r, g), g_g = cst_small_dot(dim, g, g);
        if (!regular || !(descent >= 1e-3 * sqrt(cst_small_dot(dim, step_r, step_r) * g_g))) {
            cst_small_apply(dim, J, g, J_g);
            double length = g_g / cst_small_dot(dim, J_g, J_g);
            for (int k = 0; k < dim; ++k)
                step_r[k] = length * g[k];
        }
        for (int k = 0; k < dim; ++k)
            r[k] -= step_r[k];
    }
    memcpy(r, best, (size_t)dim * sizeof *r);
    return step;
}
