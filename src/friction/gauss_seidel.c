#include "friction/gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "friction/growth.h"

enum {
    JUDGE_EVERY = 5, /* number of sweeps between two computations of the residual */
    SLEEP = 10       /* number of successive sweeps that skip a frozen contact */
};

/* Returns the tolerance of the local solver: a hundredth of `error`, the residual of the whole problem, but at least 1e-12 and at
 * most 1e-7. If the tolerance of the local solver were near the residual of the whole problem, the sweeps would stall. An
 * iterative local solver cannot reach a tolerance far below 1e-12. */
static double local_tolerance(double error)
{
    return fmin(1e-7, fmax(1e-12, 1e-2 * error));
}

cst_method_result cst_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_local_choice local, double freeze,
                                   cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_method_result result = {.error = HUGE_VAL};
    cst_sweeper sweeper;
    cst_growth growth;
    cst_freeze frozen = {.threshold = freeze * settings->tolerance, .duration = SLEEP};
    double *y = CST_TAKE_RAW(arena, double, size);
    double *best = CST_TAKE_RAW(arena, double, size);
    frozen.asleep = CST_TAKE(arena, uint8_t, (size_t)system->contacts);
    if (arena->failed || !cst_sweeper_begin(&sweeper, system, local, 0.0, arena))
        return result;
    cst_growth_begin(&growth);
    for (;; result.iterations++) {
        if (result.iterations % JUDGE_EVERY == 0 || result.iterations >= settings->max_iterations) {
            cst_system_multiply(system, x, y);
            const double error = cst_system_error(system, x, y, settings->fischer_burmeister);
            if (error < result.error) {
                result.error = error;
                memcpy(best, x, size * sizeof(double));
            }
            result.converged = error <= settings->tolerance;
            if (result.converged || result.iterations >= settings->max_iterations)
                break;
            if (settings->keep_going && !settings->keep_going(settings->user, result.iterations, result.error)) {
                result.interrupted = true;
                break;
            }
            result.growing = cst_growth_seen(&growth, system, x, result.iterations, result.error);
            if (result.growing)
                break;
            if (error <= 10.0 * settings->tolerance)
                memset(frozen.asleep, 0, (size_t)system->contacts); /* near convergence, wakes all frozen contacts */
            sweeper.local.tolerance = local_tolerance(error);
        }
        cst_sweep(&sweeper, x, freeze > 0.0 ? &frozen : NULL);
    }
    memcpy(x, best, size * sizeof(double));
    result.local_solves = sweeper.count.solves;
    result.local_failures = sweeper.count.failures;
    result.fallbacks = sweeper.count.fallbacks;
    cst_arena_release(arena, mark);
    return result;
}
