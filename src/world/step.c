/* A time step of the world: attempts are made until one is accepted; then the state is updated. An attempt solves the linearised
 * equations of motion (theta scheme, docs/world.md) together with Coulomb's law for the contact impulses. A rejected attempt
 * leaves the state of the world unchanged. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "world/attempt.h"
#include "world/energy.h"
#include "world/view.h"

enum { PARALLEL_BODIES = 64 };

static cst_step_fault fault_of(const cst_attempt *attempt)
{
    /* CROSSED: two surfaces count as having crossed if their penetration exceeds CROSSED, and exceeds the deepest penetration at
     * the start of the step by more than CST_STEP_DEEPER times CROSSED. Penetrations are divided by the smaller radius of the two
     * bodies, or by half the thickness of the thinner body if both have sharp edges (cst_depth). */
    static const double CROSSED = 0.5;
    const cst_time_step *rules = &attempt->world->def.time_step;
    const cst_depth *end = &attempt->end.depth, *before = &attempt->end.depth_before;
    if (end->surfaces > CROSSED && end->surfaces - before->all > CST_STEP_DEEPER * CROSSED)
        return CST_STEP_CROSSED;
    if (attempt->end.passed.pairs > 0 || attempt->end.crossings.fresh > 0)
        return CST_STEP_CROSSED;
    if (end->all > CST_STEP_SUNK_DEPTH && end->all - before->all > CST_STEP_DEEPER * CST_STEP_SUNK_DEPTH)
        return CST_STEP_SUNK;
    if (attempt->end.relative_motion > rules->motion_limit)
        return CST_STEP_TOO_FAST;
    if (end->others > rules->penetration_limit && end->others - before->others > CST_STEP_DEEPER * rules->penetration_limit)
        return CST_STEP_TOO_DEEP;
    return attempt->solution.friction.status == CST_SOLVED && attempt->solution.converged ? CST_STEP_GOOD : CST_STEP_MISSED;
}

/* Returns true if a shorter step may avoid the failure of an attempt, for example if its friction problem has no solution. An
 * attempt that ran out of memory or was interrupted by the caller is not retried. */
static bool may_retry(const cst_attempt *attempt)
{
    return attempt->failure.status == CST_NO_SOLUTION || attempt->failure.status == CST_ILL_POSED ||
           attempt->failure.status == CST_BAD_PROBLEM;
}

/* If bodies touch only because they rotate by a large angle in the step, the friction problem may have no solution; with half the
 * step length, it may have one. A quasi-static step moves by its loads, not by its duration; it is halved only with the setting
 * `adaptive`, as a step that missed its tolerance. */
static cst_step_fault fault_of_failure(const cst_attempt *attempt)
{
    return !may_retry(attempt) ? CST_STEP_GOOD : attempt->frame.quasi_static ? CST_STEP_MISSED : CST_STEP_FAILED;
}

/* Returns true if a rejected attempt may be retried with half the step length. A step whose linearisations do not converge is not
 * made shorter than an eighth of the full step length. A step with a deep penetration is normally halved again only if the last
 * halving has reduced the penetration enough. A penetration that hardly decreases with a shorter step is not caused by the motion
 * in the step. */
static bool may_halve(const cst_attempt *attempt, const cst_stepping *stepping, cst_step_fault fault, double depth_before)
{
    enum { HALVINGS_TO_CONVERGE = 3 };
    /* no_better: a halving counts as useless if more than the fraction no_better of the penetration remains after it. In 2D, a
     * halving normally leaves at most half of the penetration. In 3D, halving a step reduces its penetration less, because an
     * attempt is already linearised more than once (attempt.c). */
    const double no_better = attempt->frame.dim == 3 ? 0.95 : 0.75;
    if (fault == CST_STEP_CROSSED)
        return true;
    if (fault == CST_STEP_SUNK && attempt->end.depth.all - attempt->end.depth_before.all > CST_STEP_SUNK_DEPTH)
        return true; /* a shorter step penetrates less */
    /* In 3D, a step in which the penetration grows beyond penetration_limit is halved even if the last halving hardly reduced the
     * penetration. Two attempts at a step can by chance have equally deep penetrations, at different contacts. If a step in 3D
     * were halved again only after a halving that clearly reduced the penetration, the penetration in scenes/hair/pony.json would
     * reach 2.6 % of a radius at 0.27 s. */
    if (fault == CST_STEP_TOO_DEEP && attempt->frame.dim == 3 &&
        attempt->end.depth_before.others <= attempt->world->def.time_step.penetration_limit)
        return true;
    if (fault == CST_STEP_TOO_DEEP || fault == CST_STEP_SUNK)
        return attempt->end.depth.all < no_better * depth_before;
    const bool only_slow =
        fault == CST_STEP_MISSED && attempt->failure.status == CST_SOLVED && attempt->solution.friction.status == CST_SOLVED;
    return !only_slow || stepping->level < HALVINGS_TO_CONVERGE;
}

static void report_contacts(const cst_attempt *attempt, cst_step_report *report)
{
    const cst_contact_set *set = &attempt->contacts;
    report->contacts = set->contacts;
    report->new_contacts = cst_attempt_new_contacts(attempt);
    const int dofs = attempt->dynamics.layout.dofs;
    report->nu = dofs > 0 ? (double)attempt->frame.dim * set->contacts / dofs : 0.0;
    for (int i = 0; i < set->contacts; i++) {
        report->sticking += set->contact[i].contact_case == CST_CASE_STICK;
        report->sliding += set->contact[i].contact_case == CST_CASE_SLIDE;
    }
}

static void report_solution(const cst_step_solution *solution, cst_step_report *report)
{
    report->islands = solution->friction.islands;
    report->iterations = solution->friction_iterations;
    report->iterations_total = solution->iterations_total;
    report->newton_iterations = solution->linearisations;
    report->solver = solution->friction.solver;
    report->form = solution->friction.form;
    report->residual = solution->friction.residual;
}

/* The struct cst_step_seconds is read as an array: all its members are computing times (s). */
enum { PHASES = sizeof(cst_step_seconds) / sizeof(double) };

static void add_seconds(const cst_step_seconds *attempt, cst_step_seconds *sum)
{
    const double *from = (const double *)attempt;
    double *to = (double *)sum;
    for (int k = 0; k < PHASES; k++)
        to[k] += from[k];
}

static double all_phases(const cst_step_seconds *seconds)
{
    const double *phase = (const double *)seconds;
    double sum = 0.0;
    for (int k = 0; k < PHASES; k++)
        sum += phase[k];
    return sum;
}

/* After a step to an equilibrium (world/quasi_static.h), converts the contact impulses and velocities from the time scale tau of
 * the step to its duration. On input, the impulses are contact forces times the time scale, and the velocities are displacements
 * divided by the time scale. On return, the impulses are contact forces times the duration of the step, and the velocities are
 * displacements divided by the duration. `share`: duration / tau. */
static void count_over(cst_contact *contact, int contacts, double share)
{
    for (int i = 0; i < contacts; i++)
        for (int c = 0; c < 3; c++) {
            contact[i].r[c] *= share;
            contact[i].impulse[c] *= share;
            contact[i].u[c] /= share;
            contact[i].velocity[c] /= share;
        }
}

void cst_attempt_move_bodies(const cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    const cst_dynamics *dynamics = &attempt->dynamics;
    cst_energies *work = &world->budget.work;
    cst_budget_add(dynamics, &attempt->frame, &attempt->velocities, &attempt->work, world->constraint, world->constraints, work);
    work->scheme += dynamics->hold;
    cst_dynamics_finish(dynamics, &attempt->frame, attempt->velocities.v);
    cst_budget_add_bodies(&dynamics->objects, work);
}

void cst_attempt_commit_contacts(const cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    const cst_contact_set *set = &attempt->contacts;
    if (set->contacts > 0)
        memcpy(world->contact, set->contact, sizeof *world->contact * (size_t)set->contacts);
    world->contacts = set->contacts;
    world->contact_dt = cst_frame_span(&attempt->frame);
    if (world->contact_dt != attempt->frame.dt)
        count_over(world->contact, set->contacts, world->contact_dt / attempt->frame.dt);
    world->next_contact_id = set->next_id;
    cst_world_show_contacts(world);
}

/* Copies the constraints before the step is computed. If the step fails, the constraint forces are restored from this copy. */
static cst_constraint *copy_constraints(cst_world *world)
{
    cst_constraint *copy = CST_TAKE_RAW(&world->step, cst_constraint, world->constraints);
    if (copy && world->constraints > 0)
        memcpy(copy, world->constraint, sizeof *copy * (size_t)world->constraints);
    return copy;
}

static void report_failure(const cst_world *world, const cst_failure *failure, cst_step_report *report)
{
    char who[96] = "";
    if (failure->body >= 0)
        cst_world_say_body(world, failure->body, who, sizeof who);
    /* longer messages are cut off */
    if (snprintf(report->message, sizeof report->message, "%s%s%s", who, failure->body >= 0 ? ": " : "", failure->what) < 0)
        report->message[0] = '\0';
}

/* Reports a failed step: centrelines pass through each other even in the shortest step. */
static bool fail_passed(cst_attempt *attempt)
{
    const cst_strand_passed *passed = &attempt->end.passed;
    char other[96], what[sizeof attempt->failure.what];
    cst_world_say_body(attempt->world, passed->body[1], other, sizeof other);
    snprintf(what, sizeof what, "its centreline would pass through %s at (%.6g, %.6g, %.6g) m, even in a step of %.3g s; %s",
             passed->body[0] == passed->body[1] ? "itself" : other, passed->place[0], passed->place[1], passed->place[2],
             attempt->frame.dt, "a shorter dt, slower motions or a lower tolerance may help");
    return cst_fail(&attempt->failure, CST_NO_SOLUTION, passed->body[0], what);
}

/* NAME_BYTES: longest name of a body or obstacle in a message about crossing triangles (bytes). */
enum { NAME_BYTES = 80 };

/* Returns the index of the first body of a crossing, and writes the name of the body or obstacle that it crosses to `name`. At
 * least one of the two objects that cross is a sheet. */
static int32_t say_crossed(const cst_world *world, const cst_feature_crossing *crossing, char name[NAME_BYTES])
{
    const int first = cst_owner_is_body(crossing->owner[0]) ? 0 : 1;
    const int32_t other = crossing->owner[1 - first];
    if (crossing->owner[0] == crossing->owner[1])
        snprintf(name, NAME_BYTES, "itself");
    else if (cst_owner_is_body(other))
        cst_world_say_body(world, cst_owner_index(other), name, NAME_BYTES);
    else
        cst_world_say_obstacle(world, cst_owner_index(other), name, NAME_BYTES);
    return cst_owner_index(crossing->owner[first]);
}

/* Reports a failed step: the surface of a sheet passes through a surface even in the shortest step. */
static bool fail_crossed(cst_attempt *attempt)
{
    const cst_feature_crossing *crossing = &attempt->end.crossings.first;
    char name[NAME_BYTES], what[sizeof attempt->failure.what];
    const int32_t sheet = say_crossed(attempt->world, crossing, name);
    snprintf(what, sizeof what, "its surface would pass through %s at (%.6g, %.6g, %.6g) m, even in a step of %.3g s; %s", name,
             crossing->place[0], crossing->place[1], crossing->place[2], attempt->frame.dt,
             "a shorter dt, slower motions, a finer mesh or a lower tolerance may help");
    return cst_fail(&attempt->failure, CST_NO_SOLUTION, sheet, what);
}

/* Reports triangles that cross at the end of an accepted step. A pair of triangles that begins to cross in a step is accepted if
 * a pair of triangles near it already crossed at the start of the step (cst_crossing_change). If all new pairs of crossing
 * triangles were rejected, a sheet that crosses a surface at the start of a run could not move out of it. */
static void report_crossings(const cst_attempt *attempt, cst_step_report *report)
{
    const cst_crossing_change *crossings = &attempt->end.crossings;
    const double *place = crossings->first.place;
    char name[NAME_BYTES], sheet[NAME_BYTES];
    report->crossings = crossings->pairs;
    if (crossings->pairs == 0)
        return;
    cst_world_say_body(attempt->world, say_crossed(attempt->world, &crossings->first, name), sheet, sizeof sheet);
    snprintf(report->message, sizeof report->message, "the surface of %s crosses %s, first at (%.6g, %.6g, %.6g) m", sheet, name,
             place[0], place[1], place[2]);
}

/* States of the bodies before the step, to undo a step that gains energy. */
typedef struct kept_bodies {
    double *state;
    size_t *start; /* array (bodies): start of each state */
} kept_bodies;

/* Returns false if memory ran out. */
static bool keep_bodies(const cst_attempt *attempt, kept_bodies *kept)
{
    const cst_objects *objects = &attempt->dynamics.objects;
    const int threads = cst_threads_for(attempt->dynamics.threads, objects->bodies, PARALLEL_BODIES);
    (void)threads; /* unused in a build without OpenMP */
    cst_arena *arena = &attempt->world->step;
    size_t size = 0;
    kept->start = CST_TAKE_RAW(arena, size_t, objects->bodies);
    for (int k = 0; k < objects->bodies && kept->start; k++) {
        kept->start[k] = size;
        size += (size_t)objects->model[k].class->state->size(objects->model[k].self);
    }
    kept->state = CST_TAKE_RAW(arena, double, size);
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < objects->bodies; k++)
        objects->model[k].class->state->save(objects->model[k].self, kept->state + kept->start[k]);
    return true;
}

static void undo_bodies(const cst_attempt *attempt, const kept_bodies *kept)
{
    const cst_objects *objects = &attempt->dynamics.objects;
    for (int k = 0; k < objects->bodies; k++)
        objects->model[k].class->state->load(objects->model[k].self, kept->state + kept->start[k]);
}

/* Returns true if a step that gains energy is retried with half the step length: the last halving reduced the energy gain by
 * more than a quarter, or the gain exceeds the reference energy (world/ledger.h). */
static bool may_halve_gain(const cst_ledger_entry *entry, double gain_before)
{
    static const double NO_BETTER = 0.75;
    return entry->gain > entry->limit && (entry->gain < NO_BETTER * gain_before || entry->gain > entry->moved);
}

/* Results of earlier attempts at the step. */
typedef struct attempts {
    double depth;       /* penetration (radii), last attempt */
    double gain;        /* energy gain (J), last attempt */
    double restitution; /* factor on restitution, next attempt */
} attempts;

/* Returns true if the step is retried with smaller coefficients of restitution. The step is retried with less restitution if its
 * energy gain, without the increase of gravity energy, exceeds the limit on energy gains (world/ledger.h). The step is retried
 * with less restitution only if at least one contact that rebounds in the step has an impulse. An increase of gravity energy is
 * not an error, because a step with an impact lifts the body with the velocity after the impact during the whole step. `share`:
 * factor on all coefficients of restitution; the function halves it, or sets it to zero if it is a quarter or less. */
static bool may_lower_restitution(const cst_attempt *attempt, const cst_ledger_entry *entry, double *share)
{
    static const double LEAST = 0.25;
    bool strikes = false;
    if (!(entry->gain - fmax(entry->lift, 0.0) > entry->limit))
        return false;
    for (int i = 0; i < attempt->contacts.contacts && !strikes; i++)
        strikes = attempt->contacts.row[i].bounce > 0.0 && attempt->contacts.contact[i].r[0] > 0.0;
    if (strikes)
        *share = *share > LEAST ? 0.5 * *share : 0.0;
    return strikes;
}

static double largest_coordinate(const cst_world *world)
{
    cst_point_motion point = world->point;
    double largest = 0.0;
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        for (int i = 0; i < cst_body_vertices(model); i++) {
            cst_material_point at;
            double radius;
            model->class->look->vertex(model->self, i, &at, &radius);
            model->class->places->point(model->self, &at, &point);
            for (int c = 0; c < world->def.dim; c++)
                largest = fmax(largest, fabs(point.position[c]));
        }
    }
    return largest;
}

/* Returns true if no point moves in the step by more than a rounding error: the energy then changes by rounding only, which
 * halving does not reduce. If steps in which no point moves were halved, a flat sheet at rest without gravity (elastic energy
 * 1e-20 J) would take 25,000 steps for 0.1 s instead of 50. */
static bool is_still(const cst_attempt *attempt)
{
    static const double ROUNDING = 100.0 * DBL_EPSILON; /* times the largest coordinate */
    return attempt->end.motion <= ROUNDING * largest_coordinate(attempt->world);
}

static bool may_lose_gain(const cst_attempt *attempt, const cst_ledger_entry *entry, cst_stepping *stepping, attempts *tried)
{
    if (attempt->frame.quasi_static || !(entry->gain > entry->limit) || is_still(attempt))
        return false;
    return (may_halve_gain(entry, tried->gain) &&
            cst_stepping_retry(stepping, &attempt->world->def.time_step, CST_STEP_GAINED)) ||
           may_lower_restitution(attempt, entry, &tried->restitution);
}

/* Moves the bodies, and moves them back if the step gains energy and can be retried. Returns false if the step must be retried
 * or memory ran out. */
static bool move_bodies(cst_attempt *attempt, cst_stepping *stepping, attempts *tried, cst_energies *energy)
{
    cst_world *world = attempt->world;
    const cst_budget budget = world->budget;
    const cst_residual *residual = &attempt->solution.friction.residual;
    const double resolved = fmax(world->def.friction.tolerance, residual->error) * residual->velocity_scale;
    kept_bodies kept;
    double clock = cst_clock_seconds();
    cst_detector_trim(&world->detector);
    if (!cst_world_reserve_contacts(world, attempt->contacts.contacts) || !keep_bodies(attempt, &kept))
        return cst_fail_memory(&attempt->failure);
    cst_attempt_move_bodies(attempt);
    cst_clock_lap(&clock, &attempt->seconds.finish);
    cst_world_place_bodies(world);
    cst_world_energies_in_step(world, energy);
    cst_clock_lap(&clock, &attempt->seconds.energy);
    const cst_ledger_entry entry = cst_ledger_weigh(&budget.ledger, &budget.work, energy, &attempt->contacts, resolved);
    if (may_lose_gain(attempt, &entry, stepping, tried)) {
        undo_bodies(attempt, &kept);
        world->budget = budget;
        tried->gain = entry.gain;
        return false;
    }
    cst_ledger_enter(&world->budget.ledger, energy, &entry);
    energy->moved = cst_ledger_moved(&world->budget.ledger);
    return true;
}

static cst_status settle(cst_attempt *attempt, cst_stepping *stepping, cst_step_fault fault, cst_step_report *report)
{
    cst_world *world = attempt->world;
    report_contacts(attempt, report);
    report_solution(&attempt->solution, report);
    cst_attempt_commit_contacts(attempt);
    cst_stepping_accept(stepping, &world->def.time_step, fault);
    stepping->linearisations = attempt->solution.needed > 0 ? attempt->solution.needed : attempt->solution.linearisations;
    world->stepping = *stepping;
    report->time = cst_world_time(world);
    report->dt = cst_frame_span(&attempt->frame);
    report->imbalance = attempt->solution.imbalance.force;
    report->step = world->stepping.steps;
    report->penetration = attempt->end.penetration;
    report->constraint_error = attempt->end.constraint_error;
    report->motion = attempt->end.motion;
    const bool met = attempt->solution.friction.status == CST_SOLVED && attempt->solution.converged;
    const cst_imbalance *imbalance = &attempt->solution.imbalance;
    if (!attempt->solution.converged && attempt->frame.span > 0.0)
        snprintf(report->message, sizeof report->message,
                 "no equilibrium was found in %d iterations: body %d is out of balance by %.3g N (largest force %.3g N)",
                 attempt->solution.linearisations, imbalance->body + 1, imbalance->force, imbalance->forces);
    else if (!attempt->solution.converged)
        snprintf(report->message, sizeof report->message, "the iterated step did not converge in %d iterations",
                 attempt->solution.linearisations);
    else if (!met)
        snprintf(report->message, sizeof report->message, "%s", attempt->solution.friction.message);
    report_crossings(attempt, report);
    return met ? CST_SOLVED : CST_TOLERANCE_MISSED;
}

cst_status cst_world_step(cst_world *world, cst_step_report *report)
{
    const double start = cst_clock_seconds();
    const cst_time_step *rules = &world->def.time_step;
    cst_stepping stepping = world->stepping;
    const cst_arena_mark empty = cst_arena_mark_now(&world->step);
    *report = (cst_step_report){.time = cst_world_time(world), .step = stepping.steps, .residual = {.worst_contact = -1}};
    if (world->before_step && !world->before_step(world->before_step_user, world)) {
        snprintf(report->message, sizeof report->message, "the caller's function before the step said stop");
        return report->status = CST_INTERRUPTED;
    }
    const double let_go =
        cst_constraints_hold_frames(world->constraint, world->constraints, world->model, report->time, rules->dt);
    world->budget.work.constraints += let_go;
    world->budget.ledger.energy += let_go;
    const cst_constraint *before = copy_constraints(world);
    if (!before) {
        world->step.failed = false;
        snprintf(report->message, sizeof report->message, "out of memory");
        return report->status = CST_OUT_OF_MEMORY;
    }
    const cst_budget budget = world->budget;
    if (!budget.ledger.open) {
        cst_world_energies_in_step(world, &report->energy);
        cst_ledger_open(&world->budget.ledger, &report->energy);
    }
    attempts tried = {.depth = HUGE_VAL, .gain = HUGE_VAL, .restitution = 1.0};
    for (;; report->retries++) {
        const cst_arena_mark mark = cst_arena_mark_now(&world->step);
        cst_attempt attempt;
        bool done =
            cst_attempt_begin(&attempt, world, cst_stepping_dt(&stepping, rules), tried.restitution) && cst_attempt_run(&attempt);
        const cst_step_fault fault = done ? fault_of(&attempt) : fault_of_failure(&attempt);
        bool again = may_halve(&attempt, &stepping, fault, tried.depth) && cst_stepping_retry(&stepping, rules, fault);
        tried.depth = fault == CST_STEP_TOO_DEEP || fault == CST_STEP_SUNK ? attempt.end.depth.all : HUGE_VAL;
        done = done && (again || attempt.end.passed.pairs == 0 || fail_passed(&attempt)) &&
               (again || attempt.end.crossings.fresh == 0 || fail_crossed(&attempt));
        const bool moved = done && !again && move_bodies(&attempt, &stepping, &tried, &report->energy);
        again = again || (done && !moved && attempt.failure.status == CST_SOLVED);
        done = done && moved;
        double clock = cst_clock_seconds();
        if (!again)
            report->status = done ? settle(&attempt, &stepping, fault, report) : attempt.failure.status;
        cst_clock_lap(&clock, &attempt.seconds.finish);
        add_seconds(&attempt.seconds, &report->seconds);
        if (!again && report->status > CST_TOLERANCE_MISSED)
            report_failure(world, &attempt.failure, report);
        cst_arena_release(&world->step, mark);
        world->step.failed = false;
        if (!again)
            break;
    }
    if (report->status > CST_TOLERANCE_MISSED && world->constraints > 0)
        memcpy(world->constraint, before, sizeof *before * (size_t)world->constraints);
    cst_arena_release(&world->step, empty);
    double clock = cst_clock_seconds();
    if (report->status > CST_TOLERANCE_MISSED) { /* a failed step leaves no trace */
        world->budget = budget;
        cst_world_place_bodies(world);
        cst_world_energies_in_step(world, &report->energy);
        cst_clock_lap(&clock, &report->seconds.energy);
    }
    report->seconds_total = clock - start;
    report->seconds.other = report->seconds_total - all_phases(&report->seconds);
    return report->status;
}
