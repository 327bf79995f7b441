/* Measured on third-party problems and on singular families, factorisations to E <= 1e-8: solving each proximal problem before
 * its centre moves takes two to four times as many; line searches, monotone or not, stall at kinks that full steps jump over;
 * going back to the best iterate when the error rises does the same. The Alart-Curnier function has the cheaper steps and mostly
 * needs fewer, but cycles between two or three states on some problems whatever c is, where the Fischer-Burmeister function does
 * not. */
#include "friction/proximal_newton.h"

#include <math.h>
#include <string.h>

enum { GIVE_UP = 1000, WARM_GIVE_UP_MOST = 40 }; /* steps without the best error halved */

/* What differs between the plane, space, and a warm start in space: measured on steps of piles of rods, falling, at rest and compressed,
 * and on third-party problems. WARM: by single steps of scenes/fibers/rope_over_bar and heap_of_10, super-helices and discrete rods.
 * Of 100 steps of the rope (the heap) 100 (99) are solved, with 10 (17) factorisations in the median, where SPATIAL solves 64 (61) in 1500
 * iterations; with c E instead of c E^0.5 87 (87) in 40 steps of Fischer-Burmeister's function, where c E^0.5 solves 99 (92). From zero
 * impulses WARM is the worse one: RockPile_tob1 (463 contacts) ends at 1e-7 after 20,000 iterations, where SPATIAL solves it in 707. */
typedef struct pace {
    cst_newton_function function; /* the first, which Fischer-Burmeister's takes turns with */
    int patience;                 /* steps without a new least error before something is changed */
    int patience_smooth;          /* the same while it is Fischer-Burmeister's turn */
    double first;                 /* c */
    double power;                 /* rho = c E^power */
    bool of_least;                /* E: the least error so far, not the last */
} pace;

static const pace SPATIAL = {CST_NEWTON_ALART_CURNIER, 8, 8, 0.1, 1.0, false};
static const pace WARM = {CST_NEWTON_ALART_CURNIER, 3, 20, 0.01, 0.5, false};
static const pace PLANAR = {CST_NEWTON_PLANAR_STATES, 5, 5, 0.05, 0.7, true};

static const double GROW = 3.0, LEAST = 0.03, MOST = 30.0; /* c: after MOST it begins again at LEAST */
static const double NEW_LEAST = 0.9;                       /* of the last: less of an improvement does not count */
static const double RHO_LEAST = 1e-13;

typedef struct iteration {
    cst_newton newton;
    const cst_method_settings *settings;
    const pace *pace;
    int give_up;
    double *y; /* A x + b */
    double *best;
    double halved; /* half of the best error when it was last halved */
    int halved_at;
    double least; /* of the errors since the last change: what a new minimum is compared with */
    int since;    /* steps without one */
    cst_method_result result;
} iteration;

/* Exact error of x; keeps the best. */
static double judge(iteration *it, const double *x)
{
    cst_system *system = it->newton.system;
    cst_system_multiply(system, x, it->y);
    const double error = cst_system_error(system, x, it->y, it->settings->fischer_burmeister);
    if (error < it->result.error) {
        it->result.error = error;
        memcpy(it->best, x, sizeof(double) * (size_t)system->contacts * (size_t)system->dim);
    }
    if (error <= it->halved) {
        it->halved = 0.5 * error;
        it->halved_at = it->result.iterations;
    }
    return error;
}

/* Watch the error: after some steps without a new least one, the other function, then the next c. */
static void adapt(iteration *it, cst_proximal_state *state, double error)
{
    const bool smooth = state->function == CST_NEWTON_FISCHER_BURMEISTER;
    if (error < it->least) {
        it->least = NEW_LEAST * error;
        it->since = 0;
    } else if (++it->since >= (smooth ? it->pace->patience_smooth : it->pace->patience)) {
        it->least = error;
        it->since = 0;
        if (!smooth) {
            state->function = CST_NEWTON_FISCHER_BURMEISTER;
        } else {
            state->function = it->pace->function;
            state->weight = state->weight * GROW > MOST ? LEAST : state->weight * GROW;
        }
    }
}

static bool keep_going(iteration *it, double error)
{
    const cst_method_settings *settings = it->settings;
    cst_method_result *result = &it->result;
    result->converged = error <= settings->tolerance;
    result->stalled = !result->converged && result->iterations - it->halved_at > it->give_up;
    if (result->converged || result->stalled || result->iterations >= settings->max_iterations)
        return false;
    result->interrupted = settings->keep_going && !settings->keep_going(settings->user, result->iterations, result->error);
    return !result->interrupted;
}

/* x <- x + d; back to the best x if there is no d. */
static void step(iteration *it, const cst_proximal_state *state, double error, double *x)
{
    cst_newton *newton = &it->newton;
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    const double measure = fmin(1.0, it->pace->of_least ? it->result.error : error);
    const double rho = state->weight * (it->pace->power == 1.0 ? measure : pow(measure, it->pace->power));
    const cst_newton_settings settings = {.function = state->function, .proximal = fmax(RHO_LEAST, rho), .centre = x};
    if (isfinite(error) && cst_newton_direction(newton, &settings, x, it->y)) {
        for (size_t k = 0; k < size; k++)
            x[k] += newton->direction[k];
    } else {
        memcpy(x, it->best, size * sizeof *x);
        it->since = it->pace->patience_smooth; /* something has to change */
    }
}

cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    iteration it = {.settings = settings,
                    .pace = system->dim == 2 ? &PLANAR
                            : state->warm    ? &WARM
                                             : &SPATIAL,
                    .give_up = state->give_up > 0 ? state->give_up : GIVE_UP,
                    .halved = HUGE_VAL,
                    .least = HUGE_VAL,
                    .result = {.error = HUGE_VAL}};
    it.y = CST_TAKE_RAW(arena, double, size);
    it.best = CST_TAKE(arena, double, size);
    if (arena->failed || !cst_newton_begin(arena, system, CST_NEWTON_ELIMINATE_FEWER, &it.newton))
        return it.result;
    state->flops = it.newton.flops;
    if (state->flops > flops_max) {
        cst_arena_release(arena, mark);
        it.result.stalled = true;
        return it.result;
    }
    if (state->warm)
        it.give_up = (int)fmax(it.give_up, fmin(WARM_GIVE_UP_MOST, state->give_up_flops / fmax(1.0, state->flops)));
    if (!(state->weight > 0.0)) {
        state->weight = it.pace->first;
        state->function = it.pace->function;
    }
    for (double error = judge(&it, x); keep_going(&it, error); error = judge(&it, x)) {
        adapt(&it, state, error);
        step(&it, state, error, x);
        it.result.iterations++;
    }
    memcpy(x, it.best, size * sizeof *x);
    cst_arena_release(arena, mark);
    return it.result;
}

cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    cst_proximal_state state = {0};
    return cst_proximal_newton_within(system, settings, HUGE_VAL, &state, arena, x);
}
