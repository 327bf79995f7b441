#include "friction/accelerate.h"

#include <math.h>
#include <string.h>

#include "friction/anderson.h"
#include "friction/cluster.h"
#include "friction/cone.h"
#include "friction/contact_errors.h"
#include "friction/dual.h"
#include "friction/focus.h"
#include "friction/growth.h"
#include "friction/newton_bodies.h"
#include "friction/product.h"
#include "friction/proximal_newton.h"

enum {
    /* number of Gauss-Seidel sweeps over all contacts, before the first round of sweeps over the active contacts only */
    FIRST_SWEEPS = 2,
    LAP_SWEEPS = 30, /* largest number of Gauss-Seidel sweeps in one round */
    /* largest number of sweeps in a round that may end with Newton steps on the contacts with the largest errors (focus.h) */
    FOCUS_SWEEPS = 12
};
/* LAP_REDUCTION: a round of sweeps ends when its error has fallen to LAP_REDUCTION times the initial error of the round. */
static const double LAP_REDUCTION = 0.1;
/* AIM: a round of sweeps also ends when the error that the sweeps measure is at most AIM times the tolerance. The exact error
 * may differ from the error that the sweeps measure, because a sweep measures the error of a contact before it updates the
 * contact. */
static const double AIM = 0.8;
/* STALL: a round counts as stalled if its final error exceeds STALL times its initial error. */
static const double STALL = 0.7;
/* PROXIMAL_TURNS: each time a round stalls, the proximal weight of the sweeps is set to its initial value times the
 * next entry of the array PROXIMAL_TURNS. A larger proximal weight stops the sweeps from cycling; a smaller proximal weight
 * speeds up slow modes. */
static const double PROXIMAL_TURNS[] = {1.0, 0.1, 3.0, 0.0, 10.0};

/*     NEWTON_STEPS: Newton's method runs after sweeps only if the sweeps since its last run cost as much as NEWTON_STEPS
 *         factorisations.
 *     DENSE_FLOP: time of a flop in a factorisation, divided by the time of a flop in a sweep; a flop in a sweep takes longer,
 *         because sweeps wait for memory. */
enum {
    NEWTON_STEPS = 20, /* number of steps that one run of Newton's method usually takes */
    /* largest number of Newton steps in one call of Newton's method; large, because the error may grow in the first steps */
    NEWTON_TURN = 200
};
static const double DENSE_FLOP = 0.25;
/* FILL, FILL_SIZE: the estimated flops of a factorisation for n contacts contain a factor for fill-in, FILL (1 + n / FILL_SIZE)
 * in 3D and FILL (1 + sqrt(n / FILL_SIZE)) in 2D. */
static const double FILL = 2.0, FILL_SIZE = 200.0;

/* In 2D, factorisations have little fill-in, so the first round begins with Newton steps. A later round begins with Newton steps
 * if those of the round before halved the error. In 2D, about twelve Newton steps replace a hundred to three hundred sweeps.
 *     PLANAR_SWEEPS: in 2D, the first round begins with Newton steps only if a Newton step costs at most as much as
 *         PLANAR_SWEEPS sweeps.
 *     PLANAR_STEPS: in 2D, Newton's method runs after sweeps only if the sweeps since its last run cost as much as PLANAR_STEPS
 *         factorisations. Each time Newton's method in 2D does not halve the error, this number of factorisations doubles.
 *     PLANAR_GIVE_UP: in 2D, Newton's method stops after PLANAR_GIVE_UP steps that do not halve the error. */
enum { PLANAR_SWEEPS = 20, PLANAR_STEPS = 5, PLANAR_GIVE_UP = 15 };
/* In 3D, the first round begins with Newton steps only if the initial guess of the impulses is not zero.
 *     WARM_SWEEPS: with a good initial guess (error at most WARM), Newton steps come before the sweeps only if a Newton step
 *         costs at most as much as WARM_SWEEPS sweeps.
 *     CHEAP_SWEEPS: with a poor initial guess (error above WARM), Newton steps come before the sweeps only if a Newton step costs
 *         at most as much as CHEAP_SWEEPS sweeps.
 *     WARM_STEPS: in a large 3D problem (at least CST_COLOUR_FROM contacts) with a good initial guess, Newton's method runs only
 *         after sweeps that cost as much as WARM_STEPS factorisations.
 *     WARM_GIVE_UP: from an initial guess that is not zero, Newton's method in 3D stops after WARM_GIVE_UP steps that do not
 *         halve the error, or later if its steps are cheap (WARM_IN_VAIN). The limit does not hold if bilateral constraints join
 *         the bodies, nor for a poor guess of at least CST_COLOUR_FROM contacts.
 *
 * In large 3D problems, sweeps come before Newton steps, because sweeps use all threads and a factorisation uses only one.
 *
 * In a pile that settles, about six Newton steps from a good initial guess replace thousands of sweeps. In the scene heap_of_10,
 * 3,000 time steps take 60,142 iterations in all, but 74,181 iterations if sweeps come before Newton steps whenever the initial
 * guess is poor. For 31 spaghetti (400 contacts), a time step takes 13 % longer if sweeps come before Newton steps. For mats of
 * fibers with 13,064 and 35,473 contacts (benchmark `capstan-bench scale`), a time step takes 4 to 11 % longer if Newton steps
 * come before sweeps. For a mat of fibers with 35,473 contacts, a time step takes twice as long without Newton's method. */
enum { WARM_SWEEPS = 400, CHEAP_SWEEPS = 20, WARM_STEPS = 1, WARM_GIVE_UP = 6 };
/* WARM_IN_VAIN: in 3D, Newton's method before the sweeps stops when N steps have not halved the error. The number N is such that
 * N steps cost as much as WARM_IN_VAIN sweeps, but it is at least WARM_GIVE_UP and at most 200. For ropes around a bar and heaps
 * of 10 fibers, a factorisation costs as much as 7 to 20 sweeps. Problems of ropes around a bar and of heaps of 10 fibers that
 * Newton's method does not solve are not solved by 1500 sweeps either. */
static const double WARM_IN_VAIN = 1000.0;
/* WARM: an initial guess in 3D counts as good if its error after the first sweeps is at most WARM. */
static const double WARM = 0.05;
/* In 3D, if a Newton step on all contacts of a round is too expensive, only the contacts with the largest errors get Newton
 * steps after the sweeps (focus.h).
 *     FOCUS_COST: largest allowed cost of a factorisation for the contacts with the largest errors, divided by the cost of a
 *         sweep.
 *     FOCUS_LAPS: if more than FOCUS_LAPS rounds with Newton steps on the contacts with the largest errors have not halved the
 *         smallest error E so far, some of the next rounds have no such Newton steps. */
enum { FOCUS_COST = 40, FOCUS_LAPS = 6 };
/* FOCUS_ERROR: Newton steps on the contacts with the largest errors are used only if the smallest error E of all rounds so far is
 * at most FOCUS_ERROR. If the error is above FOCUS_ERROR, usually many contacts have large errors, or the problem has no
 * solution. Only sweeps detect a problem without a solution: its impulses grow from sweep to sweep (test case G13 of
 * tests/test_global.c).
 *
 * If bilateral constraints join the bodies, all contacts are coupled, and Newton steps on the contacts with the largest errors
 * are not used. For 2,000 fibers joined by bilateral constraints (8,980 contacts), Newton steps on the contacts with the
 * largest errors lengthen a time step from 197 to 342 ms. */
static const double FOCUS_ERROR = 0.1;
/* FAR: in 3D, an extrapolated impulse outside its friction cone is projected on the cone only if the projection moves it by more
 * than FAR times the step of the Anderson extrapolation. Impulses of sliding contacts are typically extrapolated to points
 * outside their cones, at a distance that is small compared with the extrapolation step. Impulses that are only slightly outside
 * their cones are not projected, because the next sweep computes new impulses inside the cones.
 *
 * In the hair scene free_a, 70 % of the extrapolated impulses are outside their cones, but only 6.6 % are farther from their
 * cones than FAR times the extrapolation step. Mean number of iterations on 13 problems of free_a (E <= 1e-4): 45.9 if all
 * impulses are projected, 46.2 with FAR = 0.03, 47.4 with 0.1, 46.6 with 0.3, 43.3 with 1. Number of iterations for the longer of
 * two chains of balls in tests/test_focus.c: 180 if all impulses are projected, 172 with FAR = 0.03, 153 with 0.1, 167 with 0.3,
 * 218 with 1. */
static const double FAR = 0.1;
/* NEAR: in 2D, Newton steps before the sweeps also include open contacts that may close: those whose normal velocity is below
 * NEAR times the velocity scale V of the residual E (docs/notation.md). */
static const double NEAR = 0.01;

/* In 3D, once most contacts meet the tolerance, a round visits only the contacts with an error above SETTLED times the tolerance
 * and the contacts coupled with them (contact_errors.h), if these are at most PART of the contacts that it would visit otherwise.
 * A round that would visit fewer than LIMIT_LEAST contacts is not limited. In a limited round, Newton's method is not used on all
 * its contacts: with it, a time step of 20,000 fibers takes a third longer.
 *
 * In a mat of 8,000 fibers (10,446 contacts with an impulse, E <= 1e-6), only 276 contacts have an error above SETTLED times the
 * tolerance after 20 iterations of 62, and a round visits 845 contacts. Limited rounds reduce the time of the friction solve by a
 * quarter in mats of 1,250 to 20,000 fibers, by 7 to 11 % for 20 problems of the scene pony (E <= 1e-6), and by 0 to 2 % for 26
 * problems of free_a (E <= 1e-4). With SETTLED from 0.03 to 0.3 these times differ by at most 5 %; with SETTLED = 0.8, problems
 * of pony take 20 % more iterations. */
static const double SETTLED = 0.1, PART = 0.5;
enum { LIMIT_LEAST = 500 };

typedef struct driver {
    cst_system *system;
    const cst_method_settings *settings;
    const cst_acceleration *acceleration;
    cst_arena *arena;
    double *x;                 /* array (n x dim): impulses */
    double *best;              /* array (n x dim): best impulses */
    cst_contact_errors errors; /* velocities and errors of the contacts */
    int32_t *chosen;           /* array (n): contacts of the round */
    /* array (n): 1 for a contact that was active at the end of a stalled round; all later rounds include this contact */
    uint8_t *held;
    /* ratio of two errors of the present impulses: the Alart-Curnier error, which the sweeps measure, to the Fischer-Burmeister
     * error, which the caller chose; 1 if the caller chose the Alart-Curnier error */
    double met_scale;
    double proximal;
    size_t turn;
    double sweep_flops; /* flops of the sweeps since Newton's method last ran */
    /* least cost of the sweeps between two uses of Newton's method, divided by the cost of a factorisation */
    double newton_steps;
    cst_proximal_state newton;
    /* true: Newton steps come before the sweeps of the next round */
    bool newton_leads;
    double lead_flops; /* largest allowed cost (flops) of a factorisation for Newton steps before the sweeps */
    bool guessed;      /* the initial guess is not zero */
    bool stalled;
    bool limited;   /* the round visits only contacts with an error and those coupled with them */
    int focus_wait; /* remaining rounds of the pause */
    int focus_rest; /* rounds of the last pause */
    int focus_laps; /* rounds since focus_error was set */
    double focus_error;
    cst_accelerated_result result;
} driver;

/* Returns true if bilateral constraints between bodies (friction/ties.h) couple all contacts. With bilateral constraints between
 * bodies in 3D, a Newton step costs as much as hundreds of sweeps, so sweeps come first. For a mat of 60 to 700 fibers joined by
 * bilateral constraints, a time step takes 3.5 to 9.8 times as long with Newton steps before the sweeps (tolerance 1e-6). */
static bool is_tied(const cst_system *system)
{
    int sides, bodies;
    const int64_t *state;
    return cst_product_halves(system, &sides, &bodies, &state) && sides > 2;
}

static bool keep_going(driver *d)
{
    const cst_method_settings *settings = d->settings;
    if (d->result.method.interrupted || d->result.method.iterations >= settings->max_iterations)
        return false;
    if (settings->keep_going && !settings->keep_going(settings->user, d->result.method.iterations, d->result.method.error)) {
        d->result.method.interrupted = true;
        return false;
    }
    return true;
}

/* Anderson acceleration has extrapolated the impulse of contact i from g_i to x_i. In 3D, projects x_i on the friction cone of
 * contact i only if the projection changes x_i by more than FAR times the extrapolation step |x_i - g_i|. In 2D, projects every
 * extrapolated impulse x_i. If impulses in 2D were projected as in 3D, a time step of a rod on a disk
 * (tests/test_world_iterated.c) would not converge in 20 linearisations. */
static void project_one(cst_system *system, int i, const double *g, double *x)
{
    const int dim = system->dim;
    const double *g_i = g + (size_t)i * (size_t)dim;
    double *x_i = x + (size_t)i * (size_t)dim, inside[3], change[3], square = 0.0, step = 0.0;
    if (system->law[i] == CST_LAW_BILATERAL)
        return;
    cst_cone_project(dim, system->mu[i], x_i, inside);
    for (int k = 0; k < dim; k++) {
        change[k] = inside[k] - x_i[k];
        square += change[k] * change[k];
        step += (x_i[k] - g_i[k]) * (x_i[k] - g_i[k]);
    }
    const double far = dim == 2 ? 0.0 : FAR;
    if (square <= far * far * step)
        return;
    memcpy(x_i, inside, (size_t)dim * sizeof *x_i);
    if (system->coupling->moved)
        system->coupling->moved(system, i, change);
}

/* Projects the extrapolated impulses x of all contacts (project_one). `g`: impulses before the extrapolation. */
static void project(cst_system *system, const double *g, double *x)
{
    for (int i = 0; i < system->contacts && system->colours == 0; i++)
        project_one(system, i, g, x);
    for (int colour = 0; colour < system->colours; colour++) {
#pragma omp parallel for schedule(static) num_threads(system->threads)
        for (int i = system->colour_start[colour]; i < system->colour_start[colour + 1]; i++)
            project_one(system, i, g, x);
    }
}

static void count_solves(driver *d, const cst_sweeper *sweeper)
{
    d->result.method.local_solves += sweeper->count.solves;
    d->result.method.local_failures += sweeper->count.failures;
    d->result.method.fallbacks += sweeper->count.fallbacks;
}

/* Computes the exact error of the impulses x, and copies x to `best` if the error is the smallest so far. `changed`: number of
 * contacts in d->chosen whose impulses alone have changed since the last call; -1: all may have changed. */
static double judge(driver *d, int changed)
{
    const double error =
        changed < 0 ? cst_contact_errors_find(&d->errors, d->x) : cst_contact_errors_update(&d->errors, d->x, d->chosen, changed);
    d->met_scale = 1.0;
    if (d->settings->fischer_burmeister && error > 0.0)
        d->met_scale = cst_system_error(d->system, d->x, d->errors.y, false) / error;
    if (error < d->result.method.error) {
        d->result.method.error = error;
        memcpy(d->best, d->x, sizeof(double) * (size_t)d->system->contacts * (size_t)d->system->dim);
    }
    return error;
}

/* Chooses the contacts of the next round: those that have an impulse or are about to get one (active contacts), and those that
 * were active at the end of a stalled round. */
static int choose(driver *d)
{
    const cst_system *system = d->system;
    const double near = d->newton_leads && system->dim == 2 ? NEAR : -HUGE_VAL;
    int count = 0;
    for (int i = 0; i < system->contacts; i++) {
        const double parting = system->weight[i] * d->errors.y[(size_t)i * (size_t)system->dim];
        const bool active = cst_system_is_active(system, i, d->x, d->errors.y) || parting < near;
        if (active && d->stalled)
            d->held[i] = 1;
        if (active || d->held[i])
            d->chosen[count++] = i;
    }
    return count;
}

/* Limits a round that would visit the `count` contacts d->chosen (SETTLED). Returns the number of contacts of the round. If a
 * limited round has stalled, the next round is not limited, because the impulses that were held fixed may be the reason. */
static int limit(driver *d, int count)
{
    const bool failed = d->limited && d->stalled;
    d->limited = false;
    if (failed || count < LIMIT_LEAST || d->newton_leads || d->system->dim != 3 || is_tied(d->system))
        return count;
    const int limited =
        cst_contact_errors_above(&d->errors, SETTLED * d->settings->tolerance, d->chosen, count, (int)(PART * count), d->chosen);
    d->limited = limited >= 0;
    return d->limited ? limited : count;
}

/* Returns the flops of a sweep: two for each double that the sweep reads. */
static double sweep_flops(const cst_system *system)
{
    return system->coupling->bytes_per_sweep(system) / 4.0;
}

static bool focuses(const driver *d)
{
    return d->acceleration->newton && d->system->dim == 3 && !is_tied(d->system) && d->focus_wait == 0 &&
           d->result.method.error <= FOCUS_ERROR;
}

/* Finds the clusters of the active contacts: small sets of strongly coupled contacts that a sweep solves jointly (cluster.h).
 * Returns NULL if there is no cluster, as in 2D and with bilateral constraints between bodies, or if memory ran out. */
static cst_clusters *find_clusters(driver *d, const cst_system *sub, const double *x)
{
    if (sub->dim != 3 || is_tied(d->system))
        return NULL;
    cst_clusters *clusters = CST_TAKE(d->arena, cst_clusters, 1);
    double *y = CST_TAKE_RAW(d->arena, double, (size_t)sub->contacts * 3);
    if (d->arena->failed)
        return NULL;
    cst_system_gather(d->system, d->chosen, sub->contacts, d->errors.y, y);
    return cst_clusters_find(sub, d->proximal, x, y, d->arena, clusters) && clusters->count > 0 ? clusters : NULL;
}

/* Does sweeps over the active contacts, with Anderson acceleration. Returns true if the error that the sweeps measure fell to
 * `target`. */
static bool sweep_lap(driver *d, cst_system *sub, double target, double *x)
{
    const size_t size = (size_t)sub->contacts * (size_t)sub->dim;
    const bool accelerated = d->acceleration->memory > 0;
    double *g = CST_TAKE_RAW(d->arena, double, size);
    cst_sweeper sweeper;
    cst_anderson anderson;
    long values = 0;
    double *data = sub->coupling->begin ? sub->coupling->linear_data(sub, &values) : NULL;
    if (!cst_sweeper_begin(&sweeper, sub, d->acceleration->local, d->proximal, d->arena) ||
        !cst_anderson_begin(&anderson, sub, d->acceleration->memory, values, d->arena))
        return false;
    sweeper.clusters = find_clusters(d, sub, x);
    if (d->arena->failed)
        return false;
    if (sub->coupling->begin)
        sub->coupling->begin(sub, x);
    const int most = focuses(d) ? FOCUS_SWEEPS : LAP_SWEEPS;
    bool reached = false;
    double last_step = HUGE_VAL;
    for (int k = 0; k < most && !reached; k++) {
        memcpy(g, x, size * sizeof(double));
        const double met = cst_sweep(&sweeper, g, NULL);
        d->result.method.iterations++;
        d->sweep_flops += sweep_flops(sub);
        reached = met <= target;
        if (reached || !accelerated || k + 1 == most || !keep_going(d)) {
            memcpy(x, g, size * sizeof(double));
            if (d->result.method.interrupted || d->result.method.iterations >= d->settings->max_iterations)
                break;
            continue;
        }
        const double step = cst_anderson_measure(&anderson, x, g);
        if (anderson.count > 0 && !(step <= last_step)) {
            /* the Anderson extrapolation went too far: return to the result of the previous sweep */
            memcpy(x, anderson.g_previous, size * sizeof(double));
            if (values > 0)
                memcpy(data, anderson.carried_previous, (size_t)values * sizeof(double));
            cst_anderson_forget(&anderson);
            continue;
        }
        last_step = step;
        cst_anderson_advance(&anderson, g, x, data);
        project(sub, g, x);
    }
    count_solves(d, &sweeper);
    return reached;
}

/* Estimates the flops of a factorisation of Newton's matrix without an analysis of its sparsity pattern. The function adds up the
 * flops contact by contact, and stops when the sum exceeds `affordable`, because counting the neighbours of all contacts took 3 %
 * of the time of a friction solve. For a mat of 2,000 fibers joined by bilateral constraints, the estimate of the flops avoids
 * sparsity analyses that took 6 % of the computing time. */
static double least_flops(const cst_system *system, double affordable, cst_arena *arena)
{
    if (system->dim == 2 && cst_newton_eliminates_contacts(system))
        return 0.0; /* no bound: the analysis is cheap */
    if (is_tied(system) && cst_newton_eliminates_contacts(system))
        return cst_newton_bodies_least_flops(arena, system);
    const double cube = (double)(system->dim * system->dim * system->dim);
    const double size = system->contacts / FILL_SIZE;
    const double fill = FILL * (1.0 + (system->dim == 2 ? sqrt(size) : size)); /* planar graphs have good separators */
    double flops = 0.0;
    for (int i = 0; i < system->contacts && flops <= affordable; i++) {
        /* the estimate assumes that half of the contacts that are coupled with contact i are eliminated before it */
        const double half = 0.5 * system->coupling->row_length(system, i);
        flops += fill * 2.0 * cube * half * half;
    }
    return flops;
}

/* Does Newton steps on the active contacts. Returns false, without Newton steps, if they are not allowed or would cost too many
 * flops. */
static bool newton_lap(driver *d, cst_system *sub, double error, double *x)
{
    const double affordable = d->newton_leads ? d->lead_flops : d->sweep_flops / (d->newton_steps * DENSE_FLOP);
    d->newton_leads = false;
    if (!d->acceleration->newton || d->newton.flops > affordable || least_flops(sub, affordable, d->arena) > affordable)
        return false;
    cst_method_settings settings = *d->settings;
    settings.tolerance = 0.3 * d->settings->tolerance;
    const int left = d->settings->max_iterations - d->result.method.iterations;
    settings.max_iterations = left < NEWTON_TURN ? left : NEWTON_TURN;
    const cst_method_result newton = cst_proximal_newton_within(sub, &settings, affordable, &d->newton, d->arena, x);
    d->result.newton_iterations += newton.iterations;
    d->result.method.iterations += newton.iterations;
    d->result.method.interrupted = newton.interrupted;
    if (newton.iterations == 0)
        return newton.converged;
    d->sweep_flops = 0.0;
    d->newton_leads = newton.error < 0.5 * error;
    d->lead_flops = HUGE_VAL;
    if (d->system->dim == 2 && !d->newton_leads)
        d->newton_steps *= 2.0;
    return true;
}

/* Progress callback while Newton's method works on some contacts only: reports to the caller the smallest error of the whole
 * problem so far, not the error of these contacts. */
static bool keep_focusing(void *user, int iterations, double error)
{
    const driver *d = user;
    (void)error;
    return d->settings->keep_going(d->settings->user, d->result.method.iterations + iterations, d->result.method.error);
}

static void focus_lap(driver *d, cst_system *sub, double *x)
{
    if (!focuses(d)) {
        d->focus_wait -= d->focus_wait > 0;
        return;
    }
    cst_method_settings settings = *d->settings;
    settings.max_iterations -= d->result.method.iterations;
    if (settings.keep_going) {
        settings.keep_going = keep_focusing;
        settings.user = d;
    }
    const cst_focus_result focus = cst_focus(sub, &settings, FOCUS_COST * sweep_flops(sub) / DENSE_FLOP, d->arena, x);
    d->result.newton_iterations += focus.iterations;
    d->result.method.iterations += focus.iterations;
    d->result.method.interrupted = focus.interrupted;
    if (d->result.method.error <= 0.5 * d->focus_error) {
        d->focus_error = d->result.method.error;
        d->focus_laps = 0;
    }
    if (!focus.improved || ++d->focus_laps > FOCUS_LAPS) {
        d->focus_wait = d->focus_rest = 2 * d->focus_rest + 1;
        d->focus_laps = 0;
    }
}

/* Does one round of sweeps or Newton steps on the contacts that were chosen for this round, and updates their impulses. Returns
 * false if memory ran out. */
static bool lap(driver *d, int count, double error)
{
    const cst_arena_mark mark = cst_arena_mark_now(d->arena);
    cst_system sub;
    double *x = d->limited ? cst_system_hold_others(d->system, d->chosen, count, d->x, d->errors.y, d->arena, &sub)
                           : cst_system_restrict_with(d->system, d->chosen, count, d->x, d->arena, &sub);
    if (!x)
        return false;
    const double target = fmax(LAP_REDUCTION * error, AIM * d->settings->tolerance) * d->met_scale;
    const bool led = d->newton_leads && newton_lap(d, &sub, error, x);
    if (d->result.laps == 0 && !led && error > WARM)
        /* from a poor initial guess, Newton's method uses the same parameters as from zero impulses */
        d->newton.warm = false;
    if (!led && !d->arena->failed && !sweep_lap(d, &sub, target, x) && !d->arena->failed && !d->result.method.interrupted &&
        (d->limited || !newton_lap(d, &sub, error, x)) && !d->arena->failed)
        focus_lap(d, &sub, x);
    if (d->arena->failed)
        return false;
    if (d->limited)
        cst_system_scatter(d->system, d->chosen, count, x, d->x);
    else
        cst_system_put_back(d->system, d->chosen, count, x, d->x);
    cst_arena_release(d->arena, mark);
    return true;
}

/* Zero impulses need no matrix product: the contact velocities are the free velocities. */
static double judge_guess(driver *d)
{
    const size_t size = (size_t)d->system->contacts * (size_t)d->system->dim;
    for (size_t k = 0; k < size && !d->guessed; k++)
        d->guessed = d->x[k] != 0.0;
    if (d->guessed)
        return judge(d, -1);
    memcpy(d->best, d->x, size * sizeof(double));
    d->result.method.error = cst_system_error(d->system, d->x, d->system->b, d->settings->fischer_burmeister);
    return d->result.method.error;
}

static bool first_sweeps(driver *d)
{
    const cst_arena_mark mark = cst_arena_mark_now(d->arena);
    cst_sweeper sweeper;
    if (!cst_sweeper_begin(&sweeper, d->system, d->acceleration->local, d->proximal, d->arena))
        return false;
    if (d->system->coupling->begin)
        d->system->coupling->begin(d->system, d->x);
    for (int k = 0; k < FIRST_SWEEPS && d->result.method.iterations < d->settings->max_iterations; k++) {
        cst_sweep(&sweeper, d->x, NULL);
        d->result.method.iterations++;
    }
    count_solves(d, &sweeper);
    cst_arena_release(d->arena, mark);
    return true;
}

cst_accelerated_result cst_accelerate(cst_system *system, const cst_method_settings *settings,
                                      const cst_acceleration *acceleration, cst_arena *arena, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    driver d = {.system = system,
                .settings = settings,
                .acceleration = acceleration,
                .arena = arena,
                .x = x,
                .proximal = acceleration->proximal,
                .newton_steps = NEWTON_STEPS,
                .focus_error = HUGE_VAL};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    d.result.method.error = HUGE_VAL;
    d.best = CST_TAKE_RAW(arena, double, size);
    d.chosen = CST_TAKE_RAW(arena, int32_t, (size_t)system->contacts);
    d.held = CST_TAKE(arena, uint8_t, (size_t)system->contacts);
    if (arena->failed || !cst_contact_errors_begin(system, settings->fischer_burmeister, arena, &d.errors))
        return d.result;
    double previous = judge_guess(&d);
    d.result.method.converged = previous <= settings->tolerance;
    if (d.result.method.converged || !keep_going(&d)) {
        cst_arena_release(arena, mark);
        return d.result;
    }
    if (!first_sweeps(&d))
        return d.result;
    if (system->dim == 2) {
        d.newton_leads = true;
        d.lead_flops = PLANAR_SWEEPS * sweep_flops(system) / DENSE_FLOP;
        d.newton_steps = PLANAR_STEPS;
        d.newton.give_up = PLANAR_GIVE_UP;
    }
    cst_growth growth;
    cst_growth_begin(&growth);
    for (int count = -1;; d.result.laps++) {
        const double error = judge(&d, d.limited ? count : -1);
        d.result.method.converged = error <= settings->tolerance;
        if (d.result.method.converged || !keep_going(&d))
            break;
        d.result.method.growing = cst_growth_seen(&growth, system, x, d.result.method.iterations, d.result.method.error);
        if (d.result.method.growing)
            break;
        d.stalled = d.result.laps > 0 && error > STALL * previous;
        if (d.stalled)
            d.proximal = acceleration->proximal * PROXIMAL_TURNS[++d.turn % (sizeof PROXIMAL_TURNS / sizeof *PROXIMAL_TURNS)];
        previous = error;
        if (d.result.laps == 0 && system->dim == 3 && d.guessed && !is_tied(system) &&
            (error <= WARM || system->contacts < CST_COLOUR_FROM)) {
            d.newton_leads = system->contacts < CST_COLOUR_FROM;
            d.lead_flops = (error <= WARM ? WARM_SWEEPS : CHEAP_SWEEPS) * sweep_flops(system) / DENSE_FLOP;
            d.newton_steps = d.newton_leads ? d.newton_steps : WARM_STEPS;
            d.newton.give_up = WARM_GIVE_UP;
            d.newton.warm = d.newton_leads;
            d.newton.give_up_flops = WARM_IN_VAIN * sweep_flops(system) / DENSE_FLOP;
        }
        count = limit(&d, choose(&d));
        if (!lap(&d, count, error))
            return d.result;
    }
    memcpy(x, d.best, size * sizeof(double));
    cst_arena_release(arena, mark);
    return d.result;
}
