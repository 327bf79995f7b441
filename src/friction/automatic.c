/* The solver `auto` runs several solution methods in turn, because they fail on different problems. In each round, the sweeps are
 * allowed twice as many iterations as in the round before.
 *
 * Odd rounds use the accelerated method (Gauss-Seidel with Anderson acceleration, accelerate.h), which is nearly always the
 * fastest. Even rounds use projected Gauss-Seidel with momentum (projected_gauss_seidel.h), which takes small and regular steps
 * and is slower. After the sweeps of a round, Newton's method on the Fischer-Burmeister function runs without a line search, if
 * its steps are cheap enough. After Newton's method, the interior point method (interior_point.h) runs, if it is cheap enough.
 * For stacked rigid bodies, the interior point method also runs before the first round of sweeps.
 *
 * Each method starts from the impulses with the smallest error so far, with one exception: after the accelerated method, Newton's
 * method starts from the initial guess. For ropes with weights, Newton's method from the initial guess solved nearly all problems
 * that sweeps did not solve. With a line search or with the Alart-Curnier function, Newton's method solved only few problems of
 * ropes with weights.
 *
 * With a singular Delassus matrix and large friction coefficients, the accelerated method can circle around a solution without
 * converging. Gauss-Seidel sweeps propagate forces only from contact to contact. For a rope around a post, 1e5 sweeps neither
 * solved the friction problem nor showed that it has no solution. Newton's method needs 20 to 200 steps for a rope around a post.
 * In piles, problems that 1,500 sweeps did not solve are often solved after 4,000 sweeps, at a tenth of the cost of Newton's
 * method. */
#include "friction/automatic.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "friction/accelerate.h"
#include "friction/interior_point.h"
#include "friction/newton_system.h"
#include "friction/nonsmooth_newton.h"
#include "friction/projected_gauss_seidel.h"

enum { FIRST_GO = 1500, LONGER = 2 };
/* NEWTON_TURN: largest number of Newton steps in a round. NEWTON_SHARE: largest cost of Newton's method in a round, divided by
 * the cost of all iterations so far; each iteration counts as one sweep. If the impulses grow, at least LONGER * FIRST_GO sweeps
 * count. NEWTON_LEAST: if fewer than NEWTON_LEAST Newton steps fit into the allowed cost, Newton's method does not run. */
enum { NEWTON_LEAST = 60, NEWTON_TURN = 200 };
static const double NEWTON_SHARE = 3.0;
/* LEAD_SWEEPS: the interior point method runs before all sweeps only if one of its factorisations costs at most as much as
 * LEAD_SWEEPS sweeps. With the limit of 2000 sweeps, the interior point method runs before all sweeps for brick walls with 7,000
 * contacts, but not for 2,000 spherical grains. */
static const double LEAD_SWEEPS = 2000.0;

typedef struct turns {
    cst_system *system;
    const cst_friction_options *options;
    const cst_method_settings *settings;
    cst_local_choice local;
    cst_arena *arena;
    cst_friction_report *report;
    cst_method_result result;
} turns;

/* Passes the number of iterations and the smallest error of all methods so far to the caller's callback. */
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

/* Returns the number of flops that a factorisation does in the time of one sweep: one flop per byte that the sweep reads. A sweep
 * reads four bytes per flop, and a flop of a sweep takes four times as long as a flop of a factorisation (accelerate.c,
 * DENSE_FLOP). */
static double sweep_cost(const cst_system *system)
{
    return system->coupling->bytes_per_sweep(system);
}

static double newton_flops(const turns *t)
{
    const double sweeps = t->result.growing ? fmax(t->result.iterations, LONGER * FIRST_GO) : t->result.iterations;
    return NEWTON_SHARE * sweeps * sweep_cost(t->system);
}

/* Runs Newton's method from the impulses `start`. Sweeps can move the impulses away from a solution, and then the initial
 * guess is a better start for Newton's method than the best iterate. */
static void newton_turn(turns *t, const double *start, double *x)
{
    assert(start);
    const size_t size = (size_t)t->system->contacts * (size_t)t->system->dim;
    const int left = t->settings->max_iterations - t->result.iterations;
    const cst_arena_mark mark = cst_arena_mark_now(t->arena);
    cst_method_settings settings = *t->settings;
    double *trial = CST_TAKE_RAW(t->arena, double, size);
    if (t->arena->failed)
        return;
    settings.max_iterations = left < NEWTON_TURN ? left : NEWTON_TURN;
    if (settings.keep_going) {
        settings.keep_going = keep_going;
        settings.user = t;
    }
    memcpy(trial, start, size * sizeof *trial);
    const cst_method_result result =
        cst_global_newton_within(t->system, &settings, true, false, newton_flops(t), NEWTON_LEAST, t->arena, trial);
    t->report->newton_iterations += result.iterations;
    t->result.iterations += result.iterations;
    t->result.interrupted = result.interrupted;
    t->result.converged = result.converged;
    if (result.error < t->result.error) {
        t->result.error = result.error;
        memcpy(x, trial, size * sizeof *x);
    }
    if (result.converged) {
        t->result.growing = false;
        t->report->solver = CST_SOLVER_NEWTON_FISCHER_BURMEISTER;
    }
    if (!t->arena->failed)
        cst_arena_release(t->arena, mark);
}

static void interior_turn(turns *t, double flops_of_one, double *x)
{
    const cst_arena_mark mark = cst_arena_mark_now(t->arena);
    cst_method_settings settings = *t->settings;
    settings.max_iterations -= t->result.iterations;
    if (settings.keep_going) {
        settings.keep_going = keep_going;
        settings.user = t;
    }
    const cst_method_result result = cst_interior_point(t->system, &settings, flops_of_one, t->arena, x);
    t->report->newton_iterations += result.iterations;
    t->result.iterations += result.iterations;
    t->result.interrupted = result.interrupted;
    t->result.converged = result.converged;
    t->result.error = fmin(t->result.error, result.error);
    if (result.converged) {
        t->result.growing = false;
        t->report->solver = CST_SOLVER_INTERIOR_POINT;
    }
    if (!t->arena->failed)
        cst_arena_release(t->arena, mark);
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

static bool is_over(const turns *t)
{
    return t->arena->failed || t->result.converged || t->result.interrupted ||
           t->result.iterations >= t->settings->max_iterations;
}

cst_method_result cst_automatic(cst_system *system, const cst_method_settings *settings, const cst_friction_options *options,
                                cst_local_choice local, cst_arena *arena, double *x, cst_friction_report *report)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const bool newton = options->solver == CST_SOLVER_AUTO && cst_newton_is_sparse(system);
    turns t = {.system = system, .options = options, .settings = settings, .local = local, .arena = arena, .report = report};
    double *guess = newton ? CST_TAKE_RAW(arena, double, size) : NULL;
    t.result.error = HUGE_VAL;
    if (arena->failed)
        return t.result;
    if (guess)
        memcpy(guess, x, size * sizeof *guess);
    if (options->solver == CST_SOLVER_AUTO && cst_interior_point_leads(system)) {
        interior_turn(&t, LEAD_SWEEPS * sweep_cost(system), x);
        if (is_over(&t))
            return t.result;
    }
    bool accelerated = true;
    for (int go = options->solver == CST_SOLVER_AUTO ? FIRST_GO : settings->max_iterations;; accelerated = !accelerated) {
        take_turn(&t, accelerated, go, x);
        if (newton && !is_over(&t))
            newton_turn(&t, accelerated ? guess : x, x);
        if (newton && !is_over(&t))
            interior_turn(&t, newton_flops(&t) / NEWTON_LEAST, x);
        if (is_over(&t) || t.result.growing)
            return t.result;
        go = go > settings->max_iterations / LONGER ? settings->max_iterations : LONGER * go;
    }
}
