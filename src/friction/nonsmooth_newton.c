/* A proximal term centred at the iterate regularises Newton's matrix if the Delassus matrix is only semi-definite. The
 * proximal term changes neither the residual at the iterate nor the sparsity pattern of Newton's matrix. The proximal weight
 * is proportional to the error of the iterate, so that convergence stays superlinear.
 *
 * The Levenberg-Marquardt method, with J^T J in place of Newton's matrix J, would square the condition number and couple
 * contacts that have a common neighbour. */
#include "friction/nonsmooth_newton.h"

#include <math.h>
#include <string.h>

#include "friction/newton_system.h"

enum { ATTEMPTS = 4 }; /* attempts per step */
/* FIRST: ratio of the proximal weight to min(1, error of the iterate) in the first attempt of a Newton step. GROW: after a failed
 * attempt of a Newton step, the proximal weight is multiplied by GROW. */
static const double FIRST = 1e-2, GROW = 10.0;
static const double RHO_LEAST = 1e-13;

typedef struct iteration {
    cst_newton newton;
    cst_newton_settings settings; /* without proximal term, for line search */
    bool line_search;
    bool plain;              /* the published method: no proximal term */
    bool fischer_burmeister; /* measures the error */
    double *x, *y;
    double error;
} iteration;

/* Returns |F|^2 / 2, half the squared residual, at the trial point x + step d, where d is Newton's direction. Keeps the trial
 * point. */
static double value_at(iteration *it, double step)
{
    cst_newton *newton = &it->newton;
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    for (size_t k = 0; k < size; k++) {
        newton->trial_x[k] = it->x[k] + step * newton->direction[k];
        newton->trial_y[k] = it->y[k] + step * newton->response[k];
    }
    return cst_newton_values(newton, &it->settings, newton->trial_x, newton->trial_y, newton->trial_f);
}

/* Derivative of half the squared residual |F|^2 / 2 along Newton's direction; without a proximal term, the derivative is
 * -|F|^2. */
static double slope_along(const cst_newton *newton)
{
    const int dim = newton->system->dim;
    double sum = 0.0;
    for (int i = 0; i < newton->system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        const double *f_r = newton->f_r + at * (size_t)dim, *f_u = newton->f_u + at * (size_t)dim;
        for (int k = 0; k < dim; k++)
            for (int l = 0; l < dim; l++)
                sum += newton->f[at + (size_t)k] * (f_u[k * dim + l] * newton->response[at + (size_t)l] +
                                                    f_r[k * dim + l] * newton->direction[at + (size_t)l]);
    }
    return sum;
}

/* Goldstein-Price line search, algorithm 2 of Bertails-Descoubes et al. 2011, with bounds on the number of trials and on the
 * step length s. With half the squared residual q(s) = |F|^2 / 2 and the constants M1 < M2, the search ends at a step length s
 * that satisfies:
 *
 *     `M2*q'(0) <= (q(s)-q(0))/s <= M1*q'(0)`.
 *
 * Returns the trial step length with the smallest residual, or 0 if no trial step reduced the residual. */
static double goldstein_price(iteration *it, double value)
{
    enum { TRIALS = 25 };
    static const double M1 = 0.1, M2 = 0.9, LONGEST = 1e3, FALLEN = 1.0 - 1e-12;
    const double slope = slope_along(&it->newton);
    double low = 0.0, high = HUGE_VAL, step = 1.0, best = 0.0, best_value = FALLEN * value;
    for (int k = 0; k < TRIALS; k++) {
        const double trial = value_at(it, step), mean_slope = (trial - value) / step;
        if (trial < best_value) {
            best_value = trial;
            best = step;
        }
        if (mean_slope < M2 * slope)
            low = step;
        else if (mean_slope <= M1 * slope)
            break;
        else
            high = step; /* also for a NaN */
        step = high < HUGE_VAL ? 0.5 * (low + high) : fmin(10.0 * step, LONGEST);
    }
    return best;
}

/* Returns the step length along Newton's direction, or 0 if no step is accepted. Without a line search, the full step is accepted
 * if its residual is finite. If the line search finds no step, the full step is accepted if it reduces the error
 * cst_system_error, the largest scaled residual of any contact. The published method (`plain`) does not accept such a step. Near
 * rounding accuracy, a full step can reduce the error although it does not reduce the norm of the residual. */
static double choose_step(iteration *it, double value)
{
    cst_newton *newton = &it->newton;
    if (!it->line_search)
        return isfinite(value_at(it, 1.0)) ? 1.0 : 0.0;
    const double step = goldstein_price(it, value);
    if (step > 0.0 || it->plain)
        return step;
    value_at(it, 1.0);
    const double error = cst_system_error(newton->system, newton->trial_x, newton->trial_y, it->fischer_burmeister);
    return error < it->error ? 1.0 : 0.0;
}

/* Does one Newton step. Returns false if no proximal weight gives an accepted step. */
static bool advance(iteration *it)
{
    cst_newton *newton = &it->newton;
    const double value = cst_newton_values(newton, &it->settings, it->x, it->y, newton->f);
    double weight = FIRST;
    for (int attempt = 0; attempt < (it->plain ? 1 : ATTEMPTS); attempt++, weight *= GROW) {
        cst_newton_settings regularised = it->settings;
        regularised.proximal = it->plain ? 0.0 : fmax(RHO_LEAST, weight * fmin(1.0, it->error));
        regularised.centre = it->x;
        if (!cst_newton_direction(newton, &regularised, it->x, it->y))
            continue;
        const double step = choose_step(it, value);
        if (step > 0.0) {
            value_at(it, step);
            memcpy(it->x, newton->trial_x, sizeof(double) * (size_t)newton->system->contacts * (size_t)newton->system->dim);
            return true;
        }
    }
    return false;
}

/* Does Newton steps from the impulses x, with at most `flops` floating-point operations in factorisations, or none if these allow
 * fewer than `least` factorisations. */
static cst_method_result iterate(iteration it, cst_system *system, const cst_method_settings *settings, double flops, int least,
                                 cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_method_result result = {.error = HUGE_VAL};
    it.fischer_burmeister = settings->fischer_burmeister;
    it.x = x;
    it.y = CST_TAKE_RAW(arena, double, size);
    double *best = CST_TAKE(arena, double, size);
    if (arena->failed ||
        !cst_newton_begin(arena, system, it.plain ? CST_NEWTON_ELIMINATE_BODIES : CST_NEWTON_ELIMINATE_FEWER, &it.newton))
        return result;
    const double affordable = flops / fmax(1.0, it.newton.flops);
    if (affordable < least) {
        cst_arena_release(arena, mark);
        result.stalled = true;
        return result;
    }
    const int most = (int)fmin(settings->max_iterations, affordable);
    do {
        cst_system_multiply(system, x, it.y);
        it.error = cst_system_error(system, x, it.y, settings->fischer_burmeister);
        if (it.error < result.error) {
            result.error = it.error;
            memcpy(best, x, size * sizeof *best);
        }
        result.iterations = it.newton.factorisations;
        result.converged = it.error <= settings->tolerance;
        if (result.converged || result.iterations >= most)
            break;
        result.interrupted = settings->keep_going && !settings->keep_going(settings->user, result.iterations, result.error);
        result.stalled = !result.interrupted && !advance(&it);
    } while (!result.interrupted && !result.stalled);
    result.iterations = it.newton.factorisations;
    memcpy(x, best, size * sizeof *best);
    cst_arena_release(arena, mark);
    return result;
}

cst_method_result cst_global_newton(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                    bool line_search, cst_arena *arena, double *x)
{
    return cst_global_newton_within(system, settings, fischer_burmeister, line_search, HUGE_VAL, 0, arena, x);
}

cst_method_result cst_global_newton_within(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                           bool line_search, double flops, int least, cst_arena *arena, double *x)
{
    iteration it = {.line_search = line_search};
    it.settings.function = fischer_burmeister ? CST_NEWTON_FISCHER_BURMEISTER : CST_NEWTON_ALART_CURNIER;
    return iterate(it, system, settings, flops, least, arena, x);
}

cst_method_result cst_plain_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    iteration it = {.line_search = true, .plain = true};
    cst_method_settings bounded = *settings;
    it.settings.function = CST_NEWTON_ALART_CURNIER;
    bounded.max_iterations = settings->max_iterations < CST_PLAIN_NEWTON_MOST ? settings->max_iterations : CST_PLAIN_NEWTON_MOST;
    return iterate(it, system, &bounded, HUGE_VAL, 0, arena, x);
}
