#include "friction/mixed_sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "friction/anderson.h"
#include "friction/cone.h"
#include "friction/growth.h"
#include "friction/mixed_state.h"
#include "friction/nodal_active.h"
#include "friction/nodal_newton.h"
#include "friction/residual.h"

/* The constants of this file were chosen on saved cloth problems and on generated sheets with rods, with friction coefficients
 * up to 1.5. All test problems are still solved, in a similar number of sweeps, if the constants of this file change by up to a
 * factor of two. */
enum {
    JUDGE_EVERY = 10, /* sweeps between two computations of the residual, each of which costs about as much as a sweep */
    ACCELERATED_SWEEPS = 40,
    PLAIN_SWEEPS_MIN = 20,
    PLAIN_SWEEPS_MAX = 320,
    IDLE_CYCLES_MAX = 2
};
static const double GAIN = 0.5;
/* STEP_GROWTH: an extrapolation of Anderson acceleration is undone if the sweep after it changes the iterate by more than
 * STEP_GROWTH times as much as the sweep before it. */
static const double STEP_GROWTH = 2.0;
static const double PROXIMAL_MIN = 0.03, PROXIMAL_GROWTH = 3.0, PROXIMAL_MAX = 1.0;
/* START: tolerance of the linear solve (cst_nodes_solve) that computes the node velocities from the initial guess of the
 * impulses */
static const double START = 1e-8;

/* State of the solver. Anderson acceleration needs unknowns with the same unit: it works on the scaled node velocities sqrt(A_kk)
 * v_k and the scaled impulses sqrt(w_i) r_i (A_kk: diagonal entry of the nodal matrix, w_i: compliance of contact i). */
typedef struct driver {
    cst_mixed mixed;
    const cst_friction_options *options;
    cst_friction_report *report;
    cst_arena *arena;
    size_t of_nodes, of_contacts; /* number of scalar node velocities, number of scalar impulses */
    cst_system shape;             /* size of the vectors of Anderson acceleration, (nodes + contacts) x dim */
    /* input of cst_growth_seen (growth.h): number of contacts, and scaling factors of their impulses */
    cst_system impulses;
    cst_anderson anderson;
    cst_growth growth;
    double *unit;  /* (of_nodes + of_contacts) */
    double *x, *g; /* scaled node velocities and impulses: x before the sweep, g after the sweep */
    double *best;  /* node velocities and impulses, without scaling, of the iterate with the smallest error */
    double *v;     /* array (dofs): velocities of all bodies, for the residual */
    double best_error;
    double last_step;   /* norm of the change of the scaled iterate in the last accelerated sweep */
    bool plain;         /* true during plain sweeps */
    int turn_start;     /* iteration at which the present series of plain or of accelerated sweeps began */
    double turn_error;  /* error at the start of the present series of plain or of accelerated sweeps */
    double cycle_error; /* smallest error up to the end of the last cycle of accelerated and plain sweeps */
    int plain_sweeps;   /* number of sweeps in the next series of plain sweeps */
    int idle_cycles;
} driver;

static bool begin(driver *d, const cst_bodies *bodies, cst_arena *arena, double *compliance, double *r)
{
    const cst_body_problem *problem = bodies->problem;
    cst_mixed *m = &d->mixed;
    /* sweeps reduce the velocity errors of cloth slowly, so Anderson acceleration uses up to twice as many earlier iterations as
     * the option `anderson` says */
    const int dim = problem->dim, memory = 2 * d->options->anderson;
    d->report->status =
        cst_mixed_begin(m, bodies, d->options, r, compliance, arena, d->report->message, sizeof d->report->message);
    if (d->report->status != CST_SOLVED)
        return false;
    d->of_nodes = (size_t)m->nodes.count * (size_t)dim;
    d->of_contacts = (size_t)problem->contacts * (size_t)dim;
    d->shape = (cst_system){.dim = dim, .contacts = m->nodes.count + problem->contacts, .threads = 1};
    d->impulses = (cst_system){.dim = dim, .contacts = problem->contacts, .threads = 1};
    d->impulses.weight = CST_TAKE_RAW(arena, double, (size_t)problem->contacts);
    d->unit = CST_TAKE_RAW(arena, double, d->of_nodes + d->of_contacts);
    d->x = CST_TAKE_RAW(arena, double, d->of_nodes + d->of_contacts);
    d->g = CST_TAKE_RAW(arena, double, d->of_nodes + d->of_contacts);
    d->best = CST_TAKE(arena, double, d->of_nodes + d->of_contacts);
    if (arena->failed || !cst_anderson_begin(&d->anderson, &d->shape, memory, 0, arena)) {
        d->report->status = CST_OUT_OF_MEMORY;
        return false;
    }
    for (size_t k = 0; k < d->of_nodes; k++) {
        const int64_t node = (int64_t)k / dim, c = (int64_t)k % dim;
        d->unit[k] = sqrt(m->nodes.diagonal[node * dim * dim + c * (dim + 1)]);
    }
    for (size_t k = 0; k < d->of_contacts; k++)
        d->unit[d->of_nodes + k] = sqrt(m->judge.w[(int64_t)k / dim]);
    for (int i = 0; i < problem->contacts; i++)
        d->impulses.weight[i] = m->judge.w[i] / m->judge.scale;
    cst_growth_begin(&d->growth);
    d->best_error = d->last_step = d->turn_error = d->cycle_error = HUGE_VAL;
    d->plain_sweeps = PLAIN_SWEEPS_MIN;
    return true;
}

static bool is_guessed(const driver *d)
{
    for (size_t k = 0; k < d->of_contacts; k++)
        if (d->mixed.r[k] != 0.0)
            return true;
    return false;
}

/* Sets the impulses to the initial guess `first`, and computes the node velocities of cloth that follow from the impulses. If the
 * initial guess is zero, the node velocities start at zero, which is close to the solution for contacts at rest. */
static bool start_from_guess(driver *d, const double *first, cst_arena *arena)
{
    cst_mixed *m = &d->mixed;
    memcpy(m->r, first, d->of_contacts * sizeof(double));
    memset(m->v, 0, d->of_nodes * sizeof(double));
    cst_mixed_resume(m);
    if (!is_guessed(d))
        return true;
    double *force = d->x;
    for (size_t k = 0; k < d->of_nodes; k++)
        force[k] = m->nodes.rhs[k] + m->impulse[k];
    if (!cst_nodes_lent(m->problem) || cst_nodes_guess(m->problem, &m->nodes, force, arena, m->v))
        cst_nodes_solve(&m->nodes, force, START, arena, m->v);
    return !arena->failed;
}

static void to_x(const driver *d, double *x)
{
    for (size_t k = 0; k < d->of_nodes; k++)
        x[k] = d->mixed.v[k] * d->unit[k];
    for (size_t k = 0; k < d->of_contacts; k++)
        x[d->of_nodes + k] = d->mixed.r[k] * d->unit[d->of_nodes + k];
}

static void from_x(driver *d, const double *x)
{
    cst_mixed *m = &d->mixed;
    const int dim = d->shape.dim;
    for (size_t k = 0; k < d->of_nodes; k++)
        m->v[k] = x[k] / d->unit[k];
    for (size_t k = 0; k < d->of_contacts; k++)
        m->r[k] = x[d->of_nodes + k] / d->unit[d->of_nodes + k];
    for (int i = 0; i < m->problem->contacts; i++) {
        double *r = m->r + (int64_t)i * dim;
        if (m->local.law[i] != CST_LAW_BILATERAL)
            cst_cone_project(dim, m->local.mu[i], r, r);
    }
    cst_mixed_resume(m);
}

/* Computes the residual of the present velocities and impulses, and stores a copy of them in d->best if their residual is the
 * smallest so far. */
static double judge(driver *d)
{
    cst_mixed *m = &d->mixed;
    cst_residual residual;
    cst_nodes_scatter(&m->nodes, m->v, d->v);
    if (!cst_bodies_velocities(&m->bodies, m->r, d->v) || !cst_body_judge_ask(&m->judge, d->v, m->r, &residual, NULL))
        return HUGE_VAL;
    const double error = d->options->judge_by_fischer_burmeister ? residual.fischer_burmeister : residual.error;
    if (error < d->best_error) {
        d->best_error = error;
        memcpy(d->best, m->v, d->of_nodes * sizeof(double));
        memcpy(d->best + d->of_nodes, m->r, d->of_contacts * sizeof(double));
    }
    return error;
}

static void restore_best(driver *d)
{
    memcpy(d->mixed.v, d->best, d->of_nodes * sizeof(double));
    memcpy(d->mixed.r, d->best + d->of_nodes, d->of_contacts * sizeof(double));
    cst_mixed_resume(&d->mixed);
}

/* Chooses between accelerated and plain sweeps. Plain sweeps follow if a series of ACCELERATED_SWEEPS accelerated sweeps does not
 * halve the error. When contacts are about to open, stick or slide, the error stays constant for many sweeps while the iterate
 * drifts steadily. Anderson acceleration would slow a steady drift, because it minimises the change of the iterate per sweep. If
 * a cycle of accelerated and plain sweeps did not halve the smallest error, the next series of plain sweeps is twice as long.
 * After IDLE_CYCLES_MAX cycles without a halved error, the proximal weight grows. */
static void take_turns(driver *d, double error)
{
    cst_mixed *m = &d->mixed;
    if (d->report->iterations - d->turn_start < (d->plain ? d->plain_sweeps : ACCELERATED_SWEEPS))
        return;
    if (!d->plain) {
        d->plain = error > GAIN * d->turn_error;
    } else {
        const bool gained = d->best_error <= GAIN * d->cycle_error;
        d->plain = false;
        d->plain_sweeps = gained ? PLAIN_SWEEPS_MIN : d->plain_sweeps < PLAIN_SWEEPS_MAX ? 2 * d->plain_sweeps : PLAIN_SWEEPS_MAX;
        d->idle_cycles = gained ? 0 : d->idle_cycles + 1;
        if (d->idle_cycles == IDLE_CYCLES_MAX) {
            d->idle_cycles = 0;
            if (m->eta < PROXIMAL_MAX)
                cst_mixed_set_proximal(m, fmin(PROXIMAL_MAX, fmax(PROXIMAL_GROWTH * m->eta, PROXIMAL_MIN)));
        }
        d->cycle_error = d->best_error;
        d->last_step = HUGE_VAL;
        cst_anderson_forget(&d->anderson);
    }
    d->turn_error = error;
    d->turn_start = d->report->iterations;
}

/* Extrapolates by Anderson acceleration, or undoes the last extrapolation if it made the change per sweep grow. */
static void accelerate(driver *d)
{
    if (d->anderson.memory == 0 || d->plain)
        return;
    to_x(d, d->g);
    const double step = cst_anderson_measure(&d->anderson, d->x, d->g);
    if (d->anderson.count > 0 && !(step <= STEP_GROWTH * d->last_step)) {
        memcpy(d->x, d->anderson.g_previous, (d->of_nodes + d->of_contacts) * sizeof(double));
        cst_anderson_forget(&d->anderson);
    } else {
        cst_anderson_advance(&d->anderson, d->g, d->x, NULL);
    }
    d->last_step = step;
    from_x(d, d->x);
}

static bool told_to_stop(const driver *d)
{
    const cst_friction_progress progress = {
        .iterations = d->report->iterations, .error = d->best_error, .phase = cst_form_name(CST_FORM_MIXED)};
    return d->options->progress && !d->options->progress(d->options->progress_user, &progress);
}

/* Checks an answer of the sweeps with the factors of the cloth matrices, if the caller provides them. In the residual E, the
 * momentum defect of a node counts as the velocity change that would remove it with all other nodes fixed. A momentum defect that
 * varies smoothly over a stiff sheet causes velocity errors that are much larger than E times the velocity scale. For a rope on a
 * cloth (tests/test_sheet_fiber.c), an answer with E = 1e-9 has a velocity error of 3e-5 of the velocity scale. To check an
 * answer, holds_by_factors recomputes the node velocities from the impulses with the factors of the cloth matrices. The function
 * holds_by_factors accepts the answer only if the residual E also meets the tolerance with the recomputed node velocities. */
static bool holds_by_factors(driver *d)
{
    cst_mixed *m = &d->mixed;
    if (!cst_nodes_lent(m->problem))
        return true;
    const double before = d->best_error;
    d->best_error = HUGE_VAL; /* the velocities are replaced */
    for (size_t k = 0; k < d->of_nodes; k++)
        m->v[k] = m->nodes.rhs[k] + m->impulse[k];
    if (!cst_nodes_guess(m->problem, &m->nodes, m->v, d->arena, m->v))
        return false;
    if (judge(d) <= d->options->tolerance)
        return true;
    d->best_error = fmax(d->best_error, before);
    cst_anderson_forget(&d->anderson);
    return false;
}

/* Does sweeps until the problem is solved, or the total number of iterations reaches `most`. Also stops if the caller interrupts,
 * or if the impulses grow without bound (growth.h). */
static cst_status sweep(driver *d, int most)
{
    cst_mixed *m = &d->mixed;
    const int begun = d->report->iterations; /* iterations before these sweeps */
    d->turn_start = begun;
    for (double met = HUGE_VAL;; d->report->iterations++) {
        const bool out_of_time = d->report->iterations >= most;
        if (met <= d->options->tolerance || d->report->iterations % JUDGE_EVERY == 0 || out_of_time) {
            const double error = judge(d);
            if (error <= d->options->tolerance && holds_by_factors(d))
                return CST_SOLVED;
            if (d->arena->failed)
                return CST_OUT_OF_MEMORY;
            if (out_of_time)
                return CST_TOLERANCE_MISSED;
            if (cst_growth_seen(&d->growth, &d->impulses, m->r, d->report->iterations, d->best_error))
                return CST_NO_SOLUTION;
            take_turns(d, error);
        }
        if (told_to_stop(d))
            return CST_INTERRUPTED;
        if (d->report->iterations > begun)
            accelerate(d);
        to_x(d, d->x);
        met = cst_mixed_sweep(m);
    }
}

/* ---------------------------------------------------------------------------------------------------------------- Newton */

static bool go_on(void *user, int iterations, double error)
{
    driver *d = user;
    const cst_friction_progress progress = {
        .iterations = d->report->iterations + iterations, .error = error, .phase = "proximal Newton"};
    return !d->options->progress || d->options->progress(d->options->progress_user, &progress);
}

static bool is_newton(cst_solver solver)
{
    return solver == CST_SOLVER_NEWTON_ALART_CURNIER || solver == CST_SOLVER_NEWTON_FISCHER_BURMEISTER;
}

static bool wants_newton(cst_solver solver)
{
    return solver == CST_SOLVER_AUTO || solver == CST_SOLVER_ACCELERATED || is_newton(solver);
}

/* Methods of one attempt:
 *     `WARM`, `COLD`: Newton's method, from impulses that solve a similar problem (WARM) or from any impulses (COLD).
 *     `INTERIOR`: interior point method.
 *     `ACTIVE_WARM`, `ACTIVE_COLD`: Newton's method on the active contacts alone (nodal_active.h).
 *     `EXPLICIT`: accelerated sweeps on the active contacts, with their Delassus matrix assembled. */
typedef enum way { WARM, COLD, INTERIOR, ACTIVE_WARM, ACTIVE_COLD, EXPLICIT } way;

static cst_accelerated_result run_once(driver *d, cst_nodal_newton *newton, const cst_method_settings *settings, way by)
{
    const cst_friction_options *options = d->options;
    const cst_acceleration acceleration = {
        .local = d->mixed.local.choice, .proximal = options->proximal, .memory = options->anderson, .newton = true};
    if (by == ACTIVE_WARM || by == ACTIVE_COLD || by == EXPLICIT)
        return cst_nodal_active_run(&d->mixed, settings, by == ACTIVE_WARM, d->report->threads,
                                    by == EXPLICIT ? &acceleration : NULL, newton->arena);
    const cst_method_result result = by == INTERIOR ? cst_nodal_newton_interior(newton, &d->mixed, settings)
                                                    : cst_nodal_newton_run(newton, &d->mixed, settings, by == WARM);
    return (cst_accelerated_result){.method = result, .newton_iterations = result.iterations};
}

/* Runs Newton's method, and judges its answer by the residual E. Newton's method usually measures its error with the exact
 * compliances of the contacts (nodal_system.c). The residual E uses the compliances that contacts would have if all neighbours of
 * their nodes were fixed, and includes the momentum defects of the nodes. If the answer misses the tolerance of the residual E,
 * Newton's method runs again with a smaller tolerance. */
static cst_status ask_newton(driver *d, cst_nodal_newton *newton, way by)
{
    static const double AIM = 0.9, MORE = 0.1;
    enum { ROUNDS = 3 };
    cst_method_settings settings = {.tolerance = AIM * d->options->tolerance,
                                    .fischer_burmeister = d->options->judge_by_fischer_burmeister,
                                    .keep_going = go_on,
                                    .user = d};
    for (int round = 0; round < ROUNDS; round++, settings.tolerance *= MORE) {
        settings.max_iterations = d->options->max_iterations - d->report->iterations;
        const cst_accelerated_result result = run_once(d, newton, &settings, by);
        if (newton->arena->failed)
            return CST_OUT_OF_MEMORY;
        d->report->iterations += result.method.iterations;
        d->report->newton_iterations += result.newton_iterations;
        by = by == EXPLICIT ? EXPLICIT : by == ACTIVE_WARM || by == ACTIVE_COLD ? ACTIVE_WARM : WARM;
        if (judge(d) <= d->options->tolerance)
            return CST_SOLVED;
        if (result.method.interrupted)
            return CST_INTERRUPTED;
        if (!result.method.converged)
            break;
    }
    return CST_TOLERANCE_MISSED;
}

/* Runs Newton's method from the result of the sweeps. If cst_nodal_active_pays returns true, Newton's method first runs on the
 * active contacts alone. If Newton's method fails, the attempts in the table AGAIN follow one after the other, by Newton's method
 * or by the interior point method. If these attempts fail and the problem is small, sweeps on the active contacts follow
 * (EXPLICIT). Some hard problems are solved only from one of several initial guesses, and no initial guess is good for all
 * problems (docs/solvers.md). */
static cst_status run_newton(driver *d, bool warm, cst_arena *arena)
{
    static const struct {
        way by;
        bool zero;
        int sweeps; /* number of sweeps before the attempt */
    } AGAIN[] = {{COLD, false, 0},     {COLD, true, 0},    {WARM, false, 40},
                 {INTERIOR, false, 0}, {WARM, false, 200}, {INTERIOR, true, 0}};
    enum { WAYS = sizeof AGAIN / sizeof *AGAIN, FEW = 2 };
    /* CHEAP: if a factorisation of Newton's matrix needs more than CHEAP operations, only the first FEW attempts of the table
     * AGAIN are made. */
    static const double CHEAP = 1e8;
    cst_nodal_newton newton = {.arena = arena};
    cst_status status;
    if (cst_nodal_active_pays(&d->mixed)) {
        status = ask_newton(d, &newton, warm ? ACTIVE_WARM : ACTIVE_COLD);
        if (status != CST_TOLERANCE_MISSED)
            return status;
        if (d->best_error < HUGE_VAL)
            restore_best(d);
    }
    status = cst_nodal_newton_begin(&d->mixed, d->report->threads, arena, &newton, d->report->message, sizeof d->report->message);
    if (status != CST_SOLVED)
        return status;
    status = ask_newton(d, &newton, warm ? WARM : COLD);
    const int ways = !(newton.flops > 0.0) ? 0 : newton.flops > CHEAP ? FEW : WAYS;
    for (int k = warm ? 0 : 1; k < ways && status == CST_TOLERANCE_MISSED; k++) {
        restore_best(d);
        if (AGAIN[k].zero)
            memset(d->mixed.r, 0, d->of_contacts * sizeof(double));
        const int most = d->options->max_iterations, after = d->report->iterations + AGAIN[k].sweeps;
        if (AGAIN[k].sweeps > 0)
            status = sweep(d, after < most ? after : most);
        /* the status CST_NO_SOLUTION is not final: a few sweeps cannot prove that there is no solution */
        if (status == CST_TOLERANCE_MISSED || status == CST_NO_SOLUTION)
            status = ask_newton(d, &newton, AGAIN[k].by);
    }
    if (status == CST_TOLERANCE_MISSED && cst_nodal_active_is_small(&d->mixed)) {
        restore_best(d);
        status = ask_newton(d, &newton, EXPLICIT);
    }
    return status;
}

/* Returns true if Newton's matrix counts as expensive to factorise. Newton's matrix counts as expensive if no cloth nodes are
 * eliminated (nodal_condense.h) and at least COUPLED contacts each act on more than three nodes. A contact on more than three
 * nodes couples distant places of sheets, which causes fill in the factors of Newton's matrix. */
static bool is_coupled(const cst_mixed *m)
{
    enum { COUPLED = 150 }; /* docs/constants.md */
    int count = 0;
    for (int i = 0; i < m->problem->contacts; i++)
        count += m->nodes.touch_start[i + 1] - m->nodes.touch_start[i] > 3;
    return count >= COUPLED && !cst_nodal_condense_pays(m);
}

/* Returns the number of Gauss-Seidel sweeps before Newton's method. If the caller provides the factors of the cloth matrices,
 * Newton steps are cheaper, and fewer sweeps precede them. If Newton's matrix is expensive to factorise although the caller
 * provides the factors of the cloth matrices, more sweeps precede the Newton steps. For a cloth of 1,024 or 3,025 vertices on a
 * ball (capstan-bench scale --only sheets), 10 sweeps before Newton's method are best: with 40 sweeps or none, a time step takes
 * 15 to 20 % longer. If Newton's matrix is expensive, 100 sweeps before Newton's method, instead of 10, save 27 % of the
 * processor time of a time step (scenes/cloth/box_and_cone.json from 0.69 s on). */
static int first_sweeps(const cst_mixed *m)
{
    enum { FIRST_SWEEPS = 40, FIRST_SWEEPS_LENT = 10, FIRST_SWEEPS_COUPLED = 100 };
    return !cst_nodes_lent(m->problem) ? FIRST_SWEEPS : is_coupled(m) ? FIRST_SWEEPS_COUPLED : FIRST_SWEEPS_LENT;
}

/* Solves the problem by some sweeps, then by Newton's method; if Newton's method fails, by sweeps alone. If the caller chose one
 * of Newton's methods, these two series of sweeps are left out. If the caller chose any solver but AUTO, ACCELERATED and Newton's
 * methods, only sweeps are done. For soft cloth, sweeps are faster than Newton's method: in the problem box_and_cone of
 * tests/test_primal.c (576 nodes), 37 sweeps take a tenth of the time of five Newton steps. */
static cst_status solve(driver *d, cst_arena *arena)
{
    /* USABLE: sweeps after a failure of Newton's method start from the best answer if its residual E is below USABLE, otherwise
     * from the initial guess. */
    static const double USABLE = 0.1;
    const cst_solver asked = d->options->solver;
    const int most = d->options->max_iterations;
    const int sweeps = first_sweeps(&d->mixed);
    const bool warm = is_guessed(d);
    cst_status status = CST_TOLERANCE_MISSED;
    double *first = CST_TAKE_RAW(arena, double, d->of_contacts);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    memcpy(first, d->mixed.r, d->of_contacts * sizeof(double));
    if (!start_from_guess(d, first, arena))
        return CST_OUT_OF_MEMORY;
    cst_mixed_set_proximal(&d->mixed, d->options->proximal);
    d->report->solver = CST_SOLVER_ACCELERATED;
    if (!wants_newton(asked))
        return sweep(d, most);
    if (!is_newton(asked))
        status = sweep(d, most < sweeps ? most : sweeps);
    if (status != CST_TOLERANCE_MISSED)
        return status;
    if (d->best_error < HUGE_VAL)
        restore_best(d);
    d->report->solver = CST_SOLVER_NEWTON_ALART_CURNIER;
    status = run_newton(d, warm, arena);
    if (status != CST_TOLERANCE_MISSED || is_newton(asked))
        return status;
    d->report->solver = CST_SOLVER_ACCELERATED;
    if (d->best_error < USABLE)
        restore_best(d);
    else if (!start_from_guess(d, first, arena))
        return CST_OUT_OF_MEMORY;
    return sweep(d, most);
}

/* Lists the contacts that violate the Coulomb law, for a problem that seems to have no solution. */
static void blame(const driver *d)
{
    const cst_mixed *m = &d->mixed;
    const int dim = d->shape.dim;
    for (int i = 0; i < m->problem->contacts && d->report->blamed_count < CST_BLAMED_MAX; i++) {
        cst_residual alone;
        double u[3];
        cst_contact_velocity(m->problem, m->bodies.offset, i, d->v, u);
        cst_residual_begin(&alone, m->judge.scale);
        cst_residual_add(&alone, dim, i, m->problem->mu[i], m->local.law[i] == CST_LAW_BILATERAL, m->judge.w[i],
                         m->r + (int64_t)i * dim, u);
        if (alone.error > d->options->tolerance)
            d->report->blamed[d->report->blamed_count++] = i;
    }
    snprintf(d->report->message, sizeof d->report->message,
             "impulses grow without bound while the error does not fall: the problem looks infeasible");
}

void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report)
{
    driver d = {.options = options, .report = report, .arena = arena, .v = v};
    const double start = cst_clock_seconds();
    if (!begin(&d, bodies, arena, compliance, r))
        return;
    const double ready = cst_clock_seconds();
    report->setup_seconds = ready - start;
    report->status = solve(&d, arena);
    if (report->status == CST_OUT_OF_MEMORY || report->status == CST_BAD_PROBLEM)
        return;
    restore_best(&d);
    cst_nodes_scatter(&d.mixed.nodes, d.mixed.v, v);
    if (!cst_bodies_velocities(&d.mixed.bodies, r, v))
        report->status = CST_BAD_PROBLEM;
    else if (report->status == CST_NO_SOLUTION)
        blame(&d);
    report->seconds = cst_clock_seconds() - ready;
    report->local_solves = d.mixed.local.count.solves;
    report->local_failures = d.mixed.local.count.failures;
    report->fallbacks = d.mixed.local.count.fallbacks;
}
