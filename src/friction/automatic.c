/* Two methods whose weaknesses differ take turns, each with a longer go than the last, each from the best iterate so far:
 *
 *     accelerated              quick nearly always; where W is singular and mu large it may wander around a solution
 *     projected Gauss-Seidel   with momentum: slower, but its steps are short and steady where those are not */
#include "friction/automatic.h"

#include <math.h>
#include <string.h>

#include "friction/accelerate.h"
#include "friction/projected_gauss_seidel.h"

enum { FIRST_GO = 1500, LONGER = 2 };

typedef struct turns {
    cst_system *system;
    const cst_friction_options *options;
    const cst_method_settings *settings;
    cst_local_choice local;
    cst_arena *arena;
    cst_friction_report *report;
    cst_method_result result;
} turns;

/* Iterations are counted over all turns, and the best error is the best of all. */
static bool keep_going(void *user, int iterations, double error)
{
    const turns *t = user;
    return t->settings->keep_going(t->settings->user, t->result.iterations + iterations, fmin(error, t->result.error));
}

static cst_method_result accelerate(turns *t, const cst_method_settings *settings, double *x)
{
    const cst_acceleration acceleration = {
        .local = t->local, .proximal = t->options->proximal, .memory = t->options->anderson, .newton = true};
    const cst_accelerated_result result = cst_accelerate(t->system, settings, &acceleration, t->arena, x);
    t->report->newton_iterations += result.newton_iterations;
    return result.method;
}

static void take_turn(turns *t, bool accelerated, int iterations, double *x)
{
    const int left = t->settings->max_iterations - t->result.iterations;
    cst_method_settings settings = *t->settings;
    settings.max_iterations = iterations < left ? iterations : left;
    if (settings.keep_going) {
        settings.keep_going = keep_going;
        settings.user = t;
    }
    const cst_method_result result =
        accelerated ? accelerate(t, &settings, x) : cst_projected_gauss_seidel(t->system, &settings, t->arena, x);
    t->result.iterations += result.iterations;
    t->result.local_solves += result.local_solves;
    t->result.local_failures += result.local_failures;
    t->result.fallbacks += result.fallbacks;
    t->result.error = result.error;
    t->result.converged = result.converged;
    t->result.interrupted = result.interrupted;
    t->result.growing = result.growing;
    t->report->solver = accelerated ? CST_SOLVER_ACCELERATED : CST_SOLVER_PROJECTED_GAUSS_SEIDEL;
}

cst_method_result cst_automatic(cst_system *system, const cst_method_settings *settings, const cst_friction_options *options,
                                cst_local_choice local, cst_arena *arena, double *x, cst_friction_report *report)
{
    turns t = {.system = system, .options = options, .settings = settings, .local = local, .arena = arena, .report = report};
    t.result.error = HUGE_VAL;
    bool accelerated = true;
    for (int go = options->solver == CST_SOLVER_AUTO ? FIRST_GO : settings->max_iterations;; accelerated = !accelerated) {
        take_turn(&t, accelerated, go, x);
        if (arena->failed || t.result.converged || t.result.interrupted || t.result.growing ||
            t.result.iterations >= settings->max_iterations)
            return t.result;
        go = go > settings->max_iterations / LONGER ? settings->max_iterations : LONGER * go;
    }
}
