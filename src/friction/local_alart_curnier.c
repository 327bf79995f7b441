/* Newton's method on the Alart-Curnier function of one contact, without and with damping (Bertails-Descoubes et al. 2011,
 * section 4.3 and algorithm 2). Symbols:
 *     `r`: impulse of the contact.
 *     `W*r+b`: velocity of the contact.
 *     `f_AC`: Alart-Curnier function.
 *     `f_r`, `f_u`: derivatives of f_AC.
 *     `d`, `a`: direction and step length.
 *
 * A Newton step changes the impulse of the contact:
 *
 *     `f(r) = f_AC(r, W*r + b)`.
 *     `J = f_r + f_u*W`.
 *     `J*d = -f`.
 *     `r <- r + a*d`.
 *
 * Newton's method without damping uses the step length 1. In the damped method, the step length must pass the Goldstein-Price
 * test on half the squared residual q, with the constants m1 = 0.1 and m2 = 0.9:
 *
 *     `q(a) = |f(r+a*d)|^2/2`.
 *     `m2*q'(0) <= (q(a)-q(0))/a <= m1*q'(0)`. */
#include "friction/cone.h"
#include "friction/local_methods.h"
#include "math/small_matrix.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 30, TRIALS_MAX = 25 };

static void evaluate(const cst_local_problem *problem, const double *r, double *f)
{
    double u[3];
    cst_local_velocity(problem, r, u);
    cst_alart_curnier(problem->dim, problem->mu, r, u, f);
}

/* Computes the residual f, the search direction `d` (Newton's direction, or steepest descent if the Jacobian is singular) and the
 * derivative of |f|^2 / 2 along `d`. Returns false if `d` is not a descent direction. */
static bool direction(const cst_local_problem *problem, const double *r, double *f, double *d, double *slope)
{
    int dim = problem->dim;
    double u[3], J[9], f_u[9], g[3] = {0.0, 0.0, 0.0};
    cst_local_velocity(problem, r, u);
    cst_alart_curnier_jacobian(dim, problem->mu, r, u, f, J, f_u);
    cst_small_add_product(dim, f_u, problem->W, J);
    cst_small_apply_transposed(dim, J, f, g);
    if (cst_small_solve(dim, J, f, 1e-15, d) == dim) {
        for (int k = 0; k < dim; ++k)
            d[k] = -d[k];
        *slope = cst_small_dot(dim, g, d);
    } else { /* singular Jacobian: steepest descent with Cauchy's step length */
        double J_g[3] = {0.0, 0.0, 0.0}, g_g = cst_small_dot(dim, g, g);
        cst_small_apply(dim, J, g, J_g);
        double length = g_g / cst_small_dot(dim, J_g, J_g);
        for (int k = 0; k < dim; ++k)
            d[k] = -length * g[k];
        *slope = -length * g_g;
    }
    return cst_small_dot(dim, d, d) < INFINITY && *slope < 0.0;
}

/* Goldstein-Price line search. Returns the accepted step length, or the best step length tried if none is accepted. */
static double search(const cst_local_problem *problem, const double *r, const double *d, double q0, double slope)
{
    double low = 0.0, high = INFINITY, length = 1.0, best = 1.0, best_q = INFINITY;
    for (int trial = 0; trial < TRIALS_MAX; ++trial) {
        double moved[3], f[3];
        for (int k = 0; k < problem->dim; ++k)
            moved[k] = r[k] + length * d[k];
        evaluate(problem, moved, f);
        double q = 0.5 * cst_small_dot(problem->dim, f, f);
        if (q < best_q) {
            best_q = q;
            best = length;
        }
        double secant = (q - q0) / length;
        if (secant >= 0.9 * slope && secant <= 0.1 * slope)
            return length;
        if (secant < 0.9 * slope)
            low = length;
        else
            high = length;
        length = high < INFINITY ? 0.5 * (low + high) : fmin(10.0 * length, 1e3);
    }
    return best;
}

static int newton(const cst_local_problem *problem, double *r, bool damped)
{
    int dim = problem->dim;
    if (cst_small_dot(dim, r, r) == 0.0)
        cst_local_cold_start(problem, r);
    double best[3] = {0.0, 0.0, 0.0}, best_value = INFINITY;
    int step = 0;
    for (; step < ITERATIONS_MAX; ++step) {
        double f[3], d[3], slope;
        bool usable = direction(problem, r, f, d, &slope);
        double value = sqrt(cst_small_dot(dim, f, f));
        if (value < best_value) {
            best_value = value;
            memcpy(best, r, (size_t)dim * sizeof *r);
        }
        double floor = cst_local_rounding_floor(problem, r);
        if (value <= (problem->tolerance > floor ? problem->tolerance : floor) || !usable)
            break;
        double length = damped ? search(problem, r, d, 0.5 * value * value, slope) : 1.0;
        for (int k = 0; k < dim; ++k)
            r[k] += length * d[k];
    }
    memcpy(r, best, (size_t)dim * sizeof *r);
    return step;
}

int cst_local_alart_curnier(const cst_local_problem *problem, double *r)
{
    return newton(problem, r, false);
}

int cst_local_alart_curnier_damped(const cst_local_problem *problem, double *r)
{
    return newton(problem, r, true);
}
