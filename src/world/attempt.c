#include "world/attempt.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "world/apart_pairs.h"
#include "world/contact_rows.h"
#include "world/contact_solve.h"
#include "world/detection.h"
#include "world/fixed_point.h"

/* In an iterated step contacts are detected at its start and at the first velocities found. From then on they are followed at their
 * points of side a: where a rod nests on something as round as itself, which point is nearest hangs on the last digits, and the
 * iteration would chase it for ever. (A rod draped over a disk: 370 of 500 steps did not converge; now all do.) */
enum { DETECTIONS = 3 };

/* A small change that does not get smaller is rounding: that of a dense factor, or what friction leaves within its tolerance. */
static const double ROUNDING = 1e-8, FRICTION_LEAVES = 10.0; /* times its tolerance */
/* Of the change before. Where convergence is linear its rate nears 1 when a rod is about to buckle: half as much is progress. */
static const double STAGNATES = 0.9;
/* Of the change before: Newton's method is best left alone when it converges faster. */
static const double SLOW = 0.3;

/* Of the smallest contact radius, in a step: what moves by less does not move. */
static const double STANDSTILL = 1e-9;

/* ---------------------------------------------------------------------------------------------------------------- begin */

static bool begin_dynamics(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_arena *arena = &world->step;
    cst_dynamics *dynamics = &attempt->dynamics;
    *dynamics = (cst_dynamics){
        .objects = cst_world_objects(world), .load = world->load, .loads = world->loads, .threads = world->def.friction.threads};
    if (!cst_joined_begin(&dynamics->joined, world->model, world->bodies, world->constraint, world->constraints, &attempt->frame,
                          arena) ||
        !cst_layout_begin(&dynamics->layout, world->model, world->bodies, &dynamics->joined, arena) ||
        !cst_velocities_begin(&attempt->velocities, dynamics->layout.dofs, arena))
        return false;
    for (int k = 0; k < world->loads && !arena->failed; k++)
        cst_load_begin(world->load + k, world->model, arena);
    return !arena->failed;
}

static bool begin_geometry(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_geometry_input input = {.objects = &attempt->dynamics.objects,
                                .frame = &attempt->frame,
                                .rules = &world->def.contact,
                                .threads = world->def.friction.threads,
                                .detector = &world->detector,
                                .features = &world->features};
    input.aparts = cst_apart_pairs(world->apart, world->aparts, world->constraint, world->constraints, &attempt->frame,
                                   &world->step, &input.apart);
    return input.aparts >= 0 && cst_geometry_begin(&attempt->geometry, &input, &world->step);
}

bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt)
{
    *attempt = (cst_attempt){.world = world,
                             .frame = cst_world_frame(world, dt),
                             .contacts = {.next_id = world->next_contact_id},
                             .solution = {.friction = {.status = CST_SOLVED, .residual = {.worst_contact = -1}}}};
    if (!begin_dynamics(attempt) || !begin_geometry(attempt))
        return cst_fail_memory(&attempt->failure);
    return cst_dynamics_place(&attempt->dynamics, &attempt->frame, NULL, &attempt->failure);
}

/* ------------------------------------------------------------------------------------------------------- one linearisation */

/* Contacts where bodies are placed now, obstacles at the time `when`. */
static bool find_contacts(cst_attempt *attempt, bool relinearised, double when)
{
    cst_world *world = attempt->world;
    cst_contact_set *set = &attempt->contacts;
    const double whole = world->contact_dt, dt = attempt->frame.dt;
    const cst_contacts_before before = {.contact = relinearised ? set->contact : world->contact,
                                        .count = relinearised ? set->contacts : world->contacts,
                                        .scale = relinearised || !(whole > 0.0) ? 1.0 : dt / whole,
                                        .v = relinearised ? attempt->velocities.v : attempt->velocities.before,
                                        .same_step = relinearised};
    const cst_detection detection = {.geometry = &attempt->geometry,
                                     .objects = &attempt->dynamics.objects,
                                     .layout = &attempt->dynamics.layout,
                                     .frame = &attempt->frame,
                                     .surfaces = cst_world_surface_rules(world),
                                     .threads = attempt->dynamics.threads,
                                     .arena = &world->step};
    double depth = 0.0;
    if (attempt->solution.linearisations >= DETECTIONS)
        cst_detection_follow(&attempt->geometry, when, set);
    else if (!cst_detection_run(&detection, when, attempt->velocities.v, &before, set, &depth))
        return cst_fail_memory(&attempt->failure);
    if (!relinearised)
        attempt->depth_before = depth;
    return true;
}

static bool make_rows(cst_attempt *attempt, bool relinearised, double when)
{
    cst_world *world = attempt->world;
    const cst_row_input input = {.objects = &attempt->dynamics.objects,
                                 .layout = &attempt->dynamics.layout,
                                 .frame = &attempt->frame,
                                 .rules = &world->def.contact,
                                 .whole_dt = world->def.time_step.dt,
                                 .constraint = world->constraint,
                                 .constraints = world->constraints,
                                 .velocities = &attempt->velocities,
                                 .relinearised = relinearised,
                                 .when = when,
                                 .threads = attempt->dynamics.threads};
    return cst_contact_rows_make(&input, &world->step, &attempt->contacts) || cst_fail_memory(&attempt->failure);
}

static bool solve_contacts(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_friction_options options = world->def.friction;
    options.allocator = cst_block_cache_allocator(&world->cache);
    cst_step_solution *solution = &attempt->solution;
    const bool solved = cst_contact_solve(&attempt->dynamics, &attempt->frame, options, &attempt->contacts, &attempt->velocities,
                                          &world->step, &solution->friction, &attempt->failure);
    solution->friction_iterations += solution->friction.iterations;
    solution->linearisations++;
    return solved && cst_dynamics_check_finite(&attempt->dynamics, attempt->velocities.v, &attempt->failure);
}

/* One linearised problem: at the start of the step, or at the velocities found so far. */
static bool solve_linearised(cst_attempt *attempt, bool relinearised)
{
    cst_dynamics *dynamics = &attempt->dynamics;
    cst_velocities *velocities = &attempt->velocities;
    const cst_step_frame *frame = &attempt->frame;
    const double when = relinearised ? frame->time + frame->dt : frame->time, start = cst_clock_seconds();
    if (relinearised && !cst_dynamics_place(dynamics, frame, velocities->v, &attempt->failure))
        return false;
    memcpy(velocities->last, velocities->v, sizeof(double) * (size_t)velocities->dofs);
    if (!cst_dynamics_assemble(dynamics, frame, relinearised, velocities, &attempt->failure) ||
        (!relinearised && !cst_dynamics_free_motion(dynamics, velocities, &attempt->failure)))
        return false;
    const double assembled = cst_clock_seconds();
    attempt->seconds.assemble += assembled - start;
    if (!find_contacts(attempt, relinearised, when))
        return false;
    const double detected = cst_clock_seconds();
    attempt->seconds.detect += detected - assembled;
    /* rows need the velocities of the linearisation; only then may the motion without contacts take their place */
    if (!make_rows(attempt, relinearised, when) ||
        (relinearised && !cst_dynamics_free_motion(dynamics, velocities, &attempt->failure)))
        return false;
    const bool solved = solve_contacts(attempt);
    attempt->seconds.contact += cst_clock_seconds() - detected;
    return solved;
}

/* ------------------------------------------------------------------------------------------------------------------- run */

/* Works and velocities of the contacts, bodies still placed where they were linearised; then the end of the step. */
static bool look_at_end(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    const double resolved = world->def.friction.tolerance * attempt->solution.friction.residual.velocity_scale;
    const double start = cst_clock_seconds();
    const bool done =
        (cst_contacts_result(&attempt->frame, &attempt->dynamics.layout, &attempt->velocities, resolved,
                             attempt->dynamics.threads, &world->step, &attempt->contacts, &attempt->work) ||
         cst_fail_memory(&attempt->failure)) &&
        cst_step_end_look(&attempt->dynamics, &attempt->frame, &attempt->velocities, &attempt->geometry, &attempt->contacts,
                          world->constraint, world->constraints, &world->step, &attempt->end, &attempt->failure);
    attempt->seconds.detect += cst_clock_seconds() - start;
    return done;
}

/* With theta < 1 the forces act within the step: taken at its start they act late, and a scheme that does not damp gains energy by
 * it until a stiff constraint bursts. Linearised once more where the first answer leads, it does not. */
static int least_linearisations(const cst_step_frame *frame)
{
    return frame->theta < 1.0 ? 2 : 1;
}

/* A linearised step that is too long for how things turn in it ends with bodies deep within each other. Where it may not be halved
 * it is linearised again, at where it led to and with the contacts found there, before anything has gone through anything. In space
 * it is tried before halving, too: where fibers cross at small angles their nearest points run far in a step, and once more costs as
 * much as one half. */
static bool relinearise_while_deep(cst_attempt *attempt)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const bool halves = rules->adaptive;
    const double deep = halves ? rules->penetration_limit : 0.25; /* contact radii */
    const double deeper = halves ? CST_STEP_DEEPER * rules->penetration_limit : 0.05;
    const int most = !halves ? 4 : attempt->frame.dim == 3 ? 2 : 0;
    for (int k = 0; k < most; k++) {
        if (attempt->end.relative_depth <= deep || attempt->end.relative_depth - attempt->depth_before <= deeper)
            return true;
        if (!solve_linearised(attempt, true) || !look_at_end(attempt))
            return false;
    }
    return true;
}

/* Relinearised until the velocities no longer change, `most` linearisations in all. */
static bool iterate(cst_attempt *attempt, int most)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const double rounding = fmax(ROUNDING, FRICTION_LEAVES * attempt->world->def.friction.tolerance);
    cst_step_solution *solution = &attempt->solution;
    cst_velocities *velocities = &attempt->velocities;
    cst_fixed_point iteration = {0};
    if (most > DETECTIONS && !cst_fixed_point_begin(&iteration, velocities->dofs, &attempt->world->step))
        return cst_fail_memory(&attempt->failure);
    bool slow = false;
    for (double before = HUGE_VAL; !solution->converged && solution->linearisations < most;) {
        if (solution->linearisations > DETECTIONS)
            cst_fixed_point_next(&iteration, slow, velocities->last, velocities->v);
        if (!solve_linearised(attempt, true))
            return false;
        const double radius = attempt->geometry.class->smallest_radius(attempt->geometry.self);
        const double change = cst_velocities_change(velocities, STANDSTILL * radius / attempt->frame.dt);
        solution->converged =
            change <= rules->iteration_tolerance || (change <= rounding && change > STAGNATES * before) || rules->iterations == 1;
        slow = change > SLOW * before;
        before = change;
    }
    return true;
}

bool cst_attempt_run(cst_attempt *attempt)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const int least = least_linearisations(&attempt->frame), most = rules->iterations > least ? rules->iterations : least;
    if (!solve_linearised(attempt, false))
        return false;
    attempt->solution.converged = rules->iterations == 1 && least == 1;
    if (!attempt->solution.converged && !iterate(attempt, most))
        return false;
    return look_at_end(attempt) && (rules->iterations > 1 || relinearise_while_deep(attempt));
}
