/* Where A is only semi-definite J may be singular. It is regularised by a proximal term centred at x: F is the same, J = f_u (A + rho I)
 * + f_r is regular and keeps its pattern (J^T J of Levenberg and Marquardt would square the condition number and couple the neighbours
 * of neighbours). rho is in proportion to the error, so that convergence stays superlinear; when no step along a direction is good,
 * more of it gives another. */
#include "friction/nonsmooth_newton.h"

#include <math.h>
#include <string.h>

#include "friction/newton_system.h"

static const double FIRST = 1e-2, GROW = 10.0, MOST = 10.0; /* rho over the error */
static const double RHO_LEAST = 1e-13;

typedef struct iteration {
    cst_newton newton;
    cst_newton_settings settings; /* of the problem itself: no proximal term */
    bool line_search;
    bool fischer_burmeister; /* the measure of the error */
    double *x, *y;
    double error;
} iteration;

static double value_at(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y, double step)
{
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    for (size_t k = 0; k < size; k++) {
        newton->trial_x[k] = x[k] + step * newton->direction[k];
        newton->trial_y[k] = y[k] + step * newton->response[k];
    }
    return cst_newton_values(newton, settings, newton->trial_x, newton->trial_y, newton->trial_f);
}

/* F . (f_u A + f_r) d: the slope of |F|^2 / 2 along d without the proximal term (-|F|^2 if there was none). */
static double slope_along(const cst_newton *newton)
{
    const int dim = newton->system->dim;
    double sum = 0.0;
    for (int i = 0; i < newton->system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        const double *f_r = newton->f_r + at * (size_t)dim, *f_u = newton->f_u + at * (size_t)dim;
        for (int k = 0; k < dim; k++)
            for (int l = 0; l < dim; l++)
                sum += newton->f[at + (size_t)k] *
                       (f_u[k * dim + l] * newton->response[at + (size_t)l] + f_r[k * dim + l] * newton->direction[at + (size_t)l]);
    }
    return sum;
}

/* Goldstein-Price: m2 slope <= (q(step) - q(0)) / step <= m1 slope. Bertails-Descoubes et al. 2011, algorithm 2, with the trials and the
 * step bounded; the best trial serves if none is accepted. */
static double goldstein_price(cst_newton *newton, const cst_newton_settings *settings, double value, const double *x, const double *y,
                              double *best_value)
{
    enum { TRIALS = 25 };
    static const double M1 = 0.1, M2 = 0.9, LONGEST = 1e3;
    const double slope = slope_along(newton);
    double low = 0.0, high = HUGE_VAL, step = 1.0, best = 0.0;
    *best_value = value;
    for (int k = 0; k < TRIALS; k++) {
        const double trial = value_at(newton, settings, x, y, step), mean_slope = (trial - value) / step;
        if (trial < *best_value) {
            *best_value = trial;
            best = step;
        }
        if (mean_slope < M2 * slope)
            low = step;
        else if (mean_slope <= M1 * slope)
            break;
        else
            high = step; /* a NaN comes here */
        step = high < HUGE_VAL ? 0.5 * (low + high) : fmin(10.0 * step, LONGEST);
    }
    return best;
}

@@LOOP@@