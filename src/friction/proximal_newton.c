/* What was tried and measured (cold starts, factorisations to E <= 1e-8): line searches, monotone or not, cost twice the steps and
 * stall at kinks where plain steps jump over them; the Alart-Curnier function needs fewer and cheaper steps, but cycles between two
 * or three states on some problems at any rho, where the Fischer-Burmeister function does not: so the latter gets the second try. An
 * inner solve that is not going to converge is recognised by its residual not having a new minimum for a few steps. */
#include "friction/proximal_newton.h"

#include <math.h>
#include <string.h>

#include "friction/nonsmooth_newton.h"

enum {
    INNER_STEPS = 15, /* of one inner solve, at most */
    PATIENCE = 4      /* steps without a new least residual */
};
static const double INNER_SHARE = 1e-3; /* an inner solve goes to this share of the error it starts from */
static const double FIRST = 0.1;        /* rho = FIRST min(1, error) at the start: the better the guess, the longer the step */
static const double SHRINK = 0.2, GROW = 8.0, LEAST = 1e-12, MOST = 1e3;
static const double ROUNDING = 1e-14; /* no inner solve aims below */

typedef struct outer {
    cst_newton newton;
    const cst_method_settings *settings;
    double *y;      /* A x + b */
    double *centre; /* x_k */
    double *best;
    double rho;
    cst_newton_function function;
} outer;

/* max_i weight_i |f_i|. */
static double weighted_norm(const cst_system *system, const double *f)
{
    double worst = 0.0;
    for (int i = 0; i < system->contacts; i++) {
        const double *f_i = f + (size_t)i * (size_t)system->dim;
        double sum = 0.0;
        for (int k = 0; k < system->dim; k++)
            sum += f_i[k] * f_i[k];
        const double norm = system->weight[i] * sqrt(sum);
        if (!(norm <= worst))
            worst = isnan(norm) ? HUGE_VAL : norm;
    }
    return worst;
}

/* Newton steps on the proximal problem from its centre; x and y are where they ended. */
static bool solve_inner(outer *o, double target, double *x)
{
    cst_newton *newton = &o->newton;
    const cst_system *system = newton->system;
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_newton_settings settings = {.function = o->function, .proximal = o->rho, .centre = o->centre};
    double least = HUGE_VAL;
    for (int step = 0, since = 0;; step++) {
        cst_newton_values(newton, &settings, x, o->y, newton->f);
        const double residual = weighted_norm(system, newton->f);
        if (residual <= target)
            return true;
        if (step > 0) { /* the first step often leaves the neighbourhood of the centre and is no measure */
            since = residual < least ? 0 : since + 1;
            least = fmin(least, residual);
        }
        if (step >= INNER_STEPS || since >= PATIENCE || !isfinite(residual) || !cst_newton_direction(newton, &settings, x, o->y))
            return false;
        for (size_t k = 0; k < size; k++) {
            x[k] += newton->direction[k];
            o->y[k] += newton->response[k];
        }
    }
}

static double judge(outer *o, double *x, cst_method_result *result)
{
    cst_system *system = o->newton.system;
    cst_system_multiply(system, x, o->y);
    const double error = cst_system_error(system, x, o->y, o->settings->fischer_burmeister);
    if (error < result->error) {
        result->error = error;
        memcpy(o->best, x, sizeof(double) * (size_t)system->contacts * (size_t)system->dim);
    }
    return error;
}

cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    cst_proximal_state state = {0};
    return cst_proximal_newton_within(system, settings, HUGE_VAL, &state, arena, x);
}

cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_method_result result = {.error = HUGE_VAL};
    outer o = {.settings = settings};
    o.y = CST_TAKE_RAW(arena, double, size);
    o.centre = CST_TAKE_RAW(arena, double, size);
    o.best = CST_TAKE_RAW(arena, double, size);
    if (arena->failed || !cst_newton_begin(arena, system, &o.newton))
        return result;
    state->flops = o.newton.lu.flops;
    if (state->flops > flops_max) {
        cst_arena_release(arena, mark);
        result.stalled = true;
        return result;
    }
    double error = judge(&o, x, &result);
    o.rho = state->rho > 0.0 ? state->rho : FIRST * fmin(1.0, error);
    while (!(result.converged = error <= settings->tolerance) && result.iterations < settings->max_iterations) {
        if (settings->keep_going && !settings->keep_going(settings->user, result.iterations, result.error)) {
            result.interrupted = true;
            break;
        }
        memcpy(o.centre, x, size * sizeof *x);
        const bool solved = solve_inner(&o, fmax(ROUNDING, INNER_SHARE * error), x);
        const double reached = judge(&o, x, &result);
        result.iterations = o.newton.factorisations;
        if (solved || reached < error) {
            error = reached;
        } else {
            memcpy(x, o.centre, size * sizeof *x);
            cst_system_multiply(system, x, o.y);
        }
        if (solved) {
            o.function = CST_NEWTON_ALART_CURNIER;
            o.rho = fmax(LEAST, o.rho * SHRINK);
        } else if (o.function == CST_NEWTON_ALART_CURNIER) {
            o.function = CST_NEWTON_FISCHER_BURMEISTER;
        } else {
            o.function = CST_NEWTON_ALART_CURNIER;
            o.rho = fmin(MOST, o.rho * GROW);
        }
    }
    state->rho = o.rho;
    memcpy(x, o.best, size * sizeof *x);
    cst_arena_release(arena, mark);
    return result;
}
