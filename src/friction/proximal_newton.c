/* Three variants of the proximal Newton method were tried and rejected. The variants were compared by the number of
 * factorisations until the error is at most 1e-8, on problems from other projects and on families of problems with a singular
 * Delassus matrix.
 *
 * The first rejected variant solves each proximal problem completely before it moves the centre of the proximal term; it needs
 * two to four times as many factorisations as the method of this file. The second rejected variant accepts a step only if it
 * reduces the residual or the error; it stalls at kinks of the residual function. The third rejected variant returns to the
 * best iterate whenever the error rises; it also stalls at kinks of the residual function.
 *
 * From a warm start in 3D, a Newton step is shortened if the full step would multiply the error by more than the constant FAR.
 * Even a shortened step is usually long enough to jump over a kink of the residual function. With a singular Delassus matrix,
 * some impulses change no velocity; shortened steps keep such impulses close to their friction cones.
 *
 * Newton's method on the Alart-Curnier function needs cheaper and usually fewer steps than on the Fischer-Burmeister function.
 * On some problems, the method on the Alart-Curnier function cycles between two or three states of the contacts, with any
 * proximal weight; the method on the Fischer-Burmeister function does not cycle. */
#include "friction/proximal_newton.h"

#include <math.h>
#include <string.h>

/* GIVE_UP: the method counts as stalled after GIVE_UP steps without halving the smallest error. The caller can replace the limit
 * GIVE_UP by another number of steps, state->give_up. WARM_GIVE_UP_MOST: after a warm start with cheap Newton steps
 * (give_up_flops in proximal_newton.h), a limit state->give_up below WARM_GIVE_UP_MOST is raised, at most to WARM_GIVE_UP_MOST
 * steps. */
enum { GIVE_UP = 1000, WARM_GIVE_UP_MOST = 200 };

/* Parameters of the proximal Newton method. There are five sets:
 *     `PLANAR`: parameters for 2D.
 *     `SPATIAL`: parameters for 3D without a warm start.
 *     `WARM`: parameters for 3D without cloth, from a warm start.
 *     `SHEETS`: parameters for 3D with cloth, from a warm start, without a stored Delassus matrix.
 *     `ACTIVE`: parameters for 3D with cloth, from a warm start, with a stored Delassus matrix of the active contacts
 *     (nodal_active.h).
 *
 * The parameter set WARM was chosen on single time steps of the scenes heap_of_10 and rope_over_bar (scenes/fibers), without
 * Gauss-Seidel sweeps and with at most 400 factorisations. Of 261 time steps of heap_of_10, the set WARM solves 260, with 21
 * factorisations on average. If Newton steps are never shortened, all 261 time steps of heap_of_10 are solved, with 29
 * factorisations on average. With the parameter set SPATIAL, 63 of 500 time steps of heap_of_10 are not solved after 300
 * factorisations. From zero impulses, the proximal Newton method needs fewer iterations with the parameter set SPATIAL than with
 * the set WARM, for example on the problem RockPile_tob1 with 463 contacts.
 *
 * The parameter set SHEETS was chosen on 150 time steps of scenes/cloth/house_of_cards, with the tolerance 1e-8. On the 150
 * time steps of house_of_cards, the parameter set WARM needs 21,273 Newton steps in all, and 5 time steps miss the tolerance.
 * The parameter set SHEETS, with several initial guesses (mixed_sweep.c), needs 10,663 Newton steps in all, and 1 time step
 * misses the tolerance. With the proximal weight 0.1 E^0.7 instead of 0.1 E^0.9 (E: smallest error so far), the
 * set SHEETS needs 10,789 Newton steps on the 150 time steps of house_of_cards, and 1 time step misses the tolerance.
 *
 * With the parameter set ACTIVE, the method waits for more steps without a new smallest error than with the set SHEETS before it
 * changes from the Alart-Curnier to the Fischer-Burmeister function. With an explicit Delassus matrix, a step on the
 * Fischer-Burmeister function costs several times a step on the Alart-Curnier function. On 25 time steps of
 * scenes/cloth/box_and_cone after 0.4 s, the friction solver takes 82 ms per time step with the parameter set ACTIVE, and 91 ms
 * with SHEETS. */
typedef struct pace {
    cst_newton_function function; /* first residual function, alternates with Fischer-Burmeister */
    /* after this number of Newton steps without a new smallest error, the method changes from its first residual function to the
     * Fischer-Burmeister function */
    int patience;
    /* after this number of Newton steps without a new smallest error, the method changes from the Fischer-Burmeister function
     * back to its first residual function */
    int patience_smooth;
    double first; /* first value of c */
    double power; /* exponent of the error E in the proximal weight rho = c E^power */
    /* true: the proximal weight depends on the smallest error so far; false: on the error of the present iterate */
    bool of_least;
    /* largest number of times that a Newton step is shortened */
    int shorten;
} pace;

static const pace SPATIAL = {CST_NEWTON_ALART_CURNIER, 8, 8, 0.1, 1.0, false, 0};
static const pace WARM = {CST_NEWTON_ALART_CURNIER, 3, 10, 0.1, 0.7, false, 2};
static const pace SHEETS = {CST_NEWTON_ALART_CURNIER, 3, 10, 0.1, 0.9, true, 2};
static const pace ACTIVE = {CST_NEWTON_ALART_CURNIER, 10, 10, 0.1, 0.9, true, 2};
static const pace PLANAR = {CST_NEWTON_PLANAR_STATES, 5, 5, 0.05, 0.7, true, 0};

/* GROW: the factor c of the proximal weight is multiplied by GROW when the method changes back from the Fischer-Burmeister
 * function. LEAST, MOST: range of the factor c of the proximal weight; a factor c above MOST is replaced by LEAST. */
static const double GROW = 3.0, LEAST = 0.03, MOST = 30.0;
/* NEW_LEAST: an error counts as a new smallest error if it is below NEW_LEAST times the last error that counted as one. After a
 * change of the residual function, however, every error below the error at the change counts as a new smallest error. */
static const double NEW_LEAST = 0.9;
static const double RHO_LEAST = 1e-13;
static const double FAR = 10.0, SHORTER = 0.3;

typedef struct iteration {
    cst_newton newton;
    const cst_method_settings *settings;
    const pace *pace;
    int give_up;
    double *y; /* contact velocities A x + b */
    double *best;
    /* when the error of an iterate is at most `halved`, the error counts as halved, and `halved` is set to half of this error */
    double halved;
    int halved_at;
    double least; /* an error below `least` counts as a new smallest error */
    int since;    /* steps without a new smallest error */
    cst_method_result result;
} iteration;

/* Computes the error of the iterate x; copies x to it->best if its error is the smallest so far. */
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

/* Does a Newton step. As long as the step would multiply the error by more than FAR, the step is shortened by the factor SHORTER,
 * at most `shorten` times. If the error grows by more than FAR with every tried length of the step, the length with the smallest
 * error is used. */
static void go(iteration *it, double error, double *x)
{
    const cst_newton *newton = &it->newton;
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    double length = 1.0, best = 1.0, least = HUGE_VAL;
    for (int k = 0; k <= it->pace->shorten && it->pace->shorten > 0; k++, length *= SHORTER) {
        for (size_t c = 0; c < size; c++) {
            newton->trial_x[c] = x[c] + length * newton->direction[c];
            newton->trial_y[c] = it->y[c] + length * newton->response[c];
        }
        const double trial = cst_system_error(newton->system, newton->trial_x, newton->trial_y, it->settings->fischer_burmeister);
        if (trial < least) {
            least = trial;
            best = length;
        }
        if (trial <= FAR * error)
            break;
    }
    for (size_t c = 0; c < size; c++)
        x[c] += best * newton->direction[c];
}

/* Does a Newton step, or sets x to the best iterate so far if the linear system is singular or the error is not finite. */
static void step(iteration *it, const cst_proximal_state *state, double error, double *x)
{
    cst_newton *newton = &it->newton;
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    const double measure = fmin(1.0, it->pace->of_least ? it->result.error : error);
    const double rho = state->weight * (it->pace->power == 1.0 ? measure : pow(measure, it->pace->power));
    const cst_newton_settings settings = {.function = state->function, .proximal = fmax(RHO_LEAST, rho), .centre = x};
    if (isfinite(error) && cst_newton_direction(newton, &settings, x, it->y)) {
        go(it, error, x);
    } else {
        memcpy(x, it->best, size * sizeof *x);
        it->since = it->pace->patience_smooth; /* forces a change */
    }
}

static const pace *pace_of(const cst_system *system, bool warm)
{
    if (system->dim == 2)
        return &PLANAR;
    if (!warm || system->coupling->form != CST_FORM_MIXED)
        return warm ? &WARM : &SPATIAL;
    return cst_nodal_form_of(system) ? &SHEETS : &ACTIVE;
}

cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    iteration it = {.settings = settings,
                    .pace = pace_of(system, state->warm),
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
