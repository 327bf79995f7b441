#include "world/attempt.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "world/apart_pairs.h"
#include "world/contact_rows.h"
#include "world/contact_solve.h"
#include "world/detection.h"
#include "world/fixed_point.h"
#include "world/supports.h"

/* DETECTIONS: largest number of contact detections in one step, unless contacts are detected in every linearisation (see
 * find_contacts). After DETECTIONS contact detections, the linearisations of a step no longer search for contacts, but move the
 * known contacts with the bodies. Where a rod lies on an obstacle of nearly equal curvature, rounding errors decide which point
 * of the rod is nearest to the obstacle. Measured on a rod draped over a disk: with a detection in every linearisation, 370 of
 * 500 steps do not converge; with 3 detections, all steps converge. */
enum { DETECTIONS = 3 };

/* ROUNDING: rounding errors of a dense factorisation change the velocities from one linearisation to the next by at most ROUNDING
 * times the largest velocity. FRICTION_LEAVES: the residual of the friction solver changes the velocities from one linearisation
 * to the next by at most FRICTION_LEAVES times the friction tolerance times the largest velocity. A step also counts as converged
 * if the relative velocity change from one linearisation to the next has stopped decreasing and does not exceed a bound. The
 * bound on the relative velocity change is the larger of ROUNDING and FRICTION_LEAVES times the friction tolerance. */
static const double ROUNDING = 1e-8, FRICTION_LEAVES = 10.0;
/* STAGNATES: the velocity changes of successive linearisations count as no longer decreasing if their ratio is above STAGNATES.
 * STAGNATES is near 1, because the ratio of successive velocity changes tends to 1 just before a rod buckles, although the
 * linearisations still converge. */
static const double STAGNATES = 0.9;
/* SLOW: Anderson acceleration is used only if the velocity change in the last linearisation was more than SLOW times the velocity
 * change in the linearisation before it. */
static const double SLOW = 0.3;

/* A step to an equilibrium counts as converged only if its largest unbalanced force, divided by the largest force in the world,
 * is at most IN_BALANCE. If the user's tolerance of the velocities (iteration_tolerance) or FRICTION_LEAVES times the friction
 * tolerance is larger than IN_BALANCE, the code uses the larger value instead. */
static const double IN_BALANCE = 1e-7;

/* NO_FORCE: the balance of forces is not checked if all forces are below NO_FORCE times the largest force of the whole run,
 * because such forces are rounding errors. In scenes/planar/snap_fit.json, the forces fall from 1e-2 N to 1e-22 N when the two
 * arcs separate. */
static const double NO_FORCE = 1e-12;

/* STANDSTILL: in the test for convergence, velocity changes are divided by the largest velocity, but at least by STANDSTILL r /
 * dt (r: smallest radius of all contact shapes). In a step to an equilibrium, the velocities also count as converged if no point
 * moves in the step by more than STANDSTILL times the length of the longest deformable body. */
static const double STANDSTILL = 1e-9;

/* ROUGH: friction tolerance of linearisations that only predict the end of the step. Measured in scenes/hair/free_a.json for the
 * step at 0.14 s: 182 friction iterations if the predicting linearisations are solved to the tolerance 1e-2, and 290 if every
 * linearisation is solved to 1e-4. */
static const double ROUGH = 1e-2;

/* LINEARISATIONS: a step that still ends with a deep penetration after this number of linearisations is not linearised again. */
enum { LINEARISATIONS = 5 };

/* ---------------------------------------------------------------------------------------------------------------- begin */

static bool begin_user_force(cst_world *world, cst_dynamics *dynamics)
{
    dynamics->user = cst_world_user_force(world);
    if (!dynamics->user.force)
        return true;
    dynamics->user.room = cst_world_point_rooms(world, cst_dynamics_threads(dynamics));
    dynamics->user.g = CST_TAKE(&world->step, double, dynamics->layout.dofs);
    dynamics->user.imposed = CST_TAKE(&world->step, double, world->bodies);
    return !world->step.failed;
}

static bool begin_dynamics(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_arena *arena = &world->step;
    cst_dynamics *dynamics = &attempt->dynamics;
    *dynamics = (cst_dynamics){.objects = cst_world_objects(world),
                               .load = world->load,
                               .loads = world->loads,
                               .threads = world->def.friction.threads,
                               .arena = arena,
                               .ties = &world->ties};
    if (!cst_joined_begin(&dynamics->joined, world->model, world->bodies, world->constraint, world->constraints, &attempt->frame,
                          world->eliminated_rows, arena) ||
        !cst_layout_begin(&dynamics->layout, world->model, world->bodies, &dynamics->joined, arena) ||
        !cst_velocities_begin(&attempt->velocities, dynamics->layout.dofs, arena))
        return false;
    dynamics->ready = CST_TAKE_RAW(arena, uint8_t, world->bodies);
    if (attempt->frame.span > 0.0)
        attempt->scratch = CST_TAKE_RAW(arena, double, 4 * (size_t)dynamics->layout.dofs);
    for (int k = 0; k < world->loads && !arena->failed; k++)
        cst_load_begin(world->load + k, world->model, arena);
    return !arena->failed && begin_user_force(world, dynamics);
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
    attempt->strands = (cst_strand_check){.objects = input.objects,
                                          .dim = attempt->frame.dim,
                                          .self_contact = input.rules->self_contact,
                                          .apart = input.apart,
                                          .aparts = input.aparts,
                                          .threads = input.threads};
    return input.aparts >= 0 && cst_geometry_begin(&attempt->geometry, &input, &world->step);
}

static bool is_quasi_static(const cst_world *world)
{
    return world->settling || (world->def.time_step.quasi_static && !world->def.time_step.relaxation);
}

bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt, double restitution)
{
    double clock = cst_clock_seconds();
    *attempt = (cst_attempt){.world = world,
                             .frame = cst_world_frame(world, dt),
                             .contacts = {.next_id = world->next_contact_id},
                             .restitution = restitution,
                             .solution = {.friction = {.status = CST_SOLVED, .residual = {.worst_contact = -1}}}};
    const cst_objects objects = cst_world_objects(world);
    const cst_user_force user = cst_world_user_force(world);
    if (is_quasi_static(world) && !cst_quasi_static_frame(&objects, world->load, world->loads, &user, world->settling ? 0.0 : dt,
                                                          &attempt->frame, &attempt->failure))
        return false;
    const bool begun = begin_dynamics(attempt) && begin_geometry(attempt);
    cst_clock_lap(&clock, &attempt->seconds.begin);
    if (!begun)
        return cst_fail_memory(&attempt->failure);
    const bool placed = cst_dynamics_place(&attempt->dynamics, &attempt->frame, NULL, &attempt->failure);
    cst_clock_lap(&clock, &attempt->seconds.place);
    return placed;
}

int cst_attempt_new_contacts(const cst_attempt *attempt)
{
    int count = 0;
    for (int i = 0; i < attempt->contacts.contacts; i++)
        count += attempt->contacts.contact[i].id >= attempt->world->next_contact_id;
    return count;
}

/* ------------------------------------------------------------------------------------------------------- one linearisation */

static double end_of_step(const cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    if (world->settling)
        return attempt->frame.time;
    return cst_stepping_time_after(&world->stepping, &world->def.time_step, cst_frame_span(&attempt->frame));
}

/* Writes to attempt->failure why contact detection failed: memory ran out, or too many pairs of segments are near each other
 * (collide/capsule_pairs.h). A dynamic step with too many pairs of near segments is tried again with half its length. */
static bool fail_detection(cst_attempt *attempt)
{
    if (!attempt->world->detector.pairs_kept.crowded)
        return cst_fail_memory(&attempt->failure);
    return cst_fail(
        &attempt->failure, CST_NO_SOLUTION, -1,
        "bodies move so far in a step that nearly all of them may meet: take a smaller dt, or let fibers begin nearer to "
        "their natural shape");
}

/* Finds the contacts of the bodies, at their present positions, with each other and with the obstacles. The obstacles are at
 * their positions at the time `when`. */
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
                                     .arena = &world->step,
                                     .lasting = world->found + attempt->tracked % 2};
    cst_depth depth = {0};
    double clock = cst_clock_seconds();
    /* Contacts are detected in every linearisation if the step is adaptive or the world has sheets, unless the step is iterated
     * until it converges. Adaptive steps and steps with sheets need a detection in every linearisation: at the predicted end of
     * the step, a sheet may touch new objects, and hairs that lie side by side may touch at new points. In a step of fixed length
     * without sheets, and in a step that is iterated until it converges, contacts are detected at most DETECTIONS times. With
     * more detections, the linearisations of a step could alternate endlessly between two sets of contacts (thrown cards in
     * tests/test_world_surfaces.c). */
    const bool anew = !attempt->frame.iterated && (world->def.time_step.adaptive || cst_objects_bend(&attempt->dynamics.objects));
    if (attempt->solution.linearisations >= DETECTIONS && !anew) {
        cst_detection_follow(&attempt->geometry, when, set);
        cst_clock_lap(&clock, &attempt->seconds.track);
        return true;
    }
    const int touches = cst_detection_find(&detection, when, &attempt->velocities, relinearised);
    cst_clock_lap(&clock, &attempt->seconds.detect);
    cst_arena_release(detection.lasting, (cst_arena_mark){0});
    detection.lasting->failed = false;
    attempt->tracked++;
    const bool tracked = touches >= 0 && cst_detection_track(&detection, touches, &before, set, &depth);
    cst_arena_release_large(world->found + attempt->tracked % 2); /* contacts of the previous linearisation */
    cst_clock_lap(&clock, &attempt->seconds.track);
    if (relinearised)
        attempt->end.depth = depth;
    else
        attempt->end.depth_before = depth;
    return tracked || fail_detection(attempt);
}

static bool make_rows(cst_attempt *attempt, bool relinearised, double when)
{
    cst_world *world = attempt->world;
    const cst_step_frame *frame = &attempt->frame;
    const bool equilibrium = frame->span > 0.0;
    cst_contact_rules rules = world->def.contact;
    /* in a step to an equilibrium, a velocity is a displacement divided by the time scale dt */
    rules.recovery_speed *= cst_frame_span(frame) / frame->dt;
    const cst_row_input input = {.objects = &attempt->dynamics.objects,
                                 .layout = &attempt->dynamics.layout,
                                 .frame = frame,
                                 .rules = &rules,
                                 .restitution = attempt->restitution,
                                 .whole_dt = equilibrium ? frame->dt : world->def.time_step.dt,
                                 .constraint = world->constraint,
                                 .constraints = world->constraints,
                                 .velocities = &attempt->velocities,
                                 .relinearised = relinearised,
                                 .depth_before = attempt->end.depth_before.all,
                                 .when = when,
                                 .threads = attempt->dynamics.threads};
    double clock = cst_clock_seconds();
    const bool made = cst_contact_rows_make(&input, &world->step, &attempt->contacts) &&
                      cst_supports_drop(&attempt->dynamics, &world->step, &attempt->contacts);
    cst_clock_lap(&clock, &attempt->seconds.rows);
    return made || cst_fail_memory(&attempt->failure);
}

static bool solve_contacts(cst_attempt *attempt, double tolerance)
{
    cst_world *world = attempt->world;
    cst_friction_options options = world->def.friction;
    options.tolerance = tolerance;
    options.allocator = cst_block_cache_allocator(&world->cache);
    cst_step_solution *solution = &attempt->solution;
    cst_step_seconds *seconds = &attempt->seconds;
    double clock = cst_clock_seconds();
    const bool solved = cst_contact_solve(&attempt->dynamics, &attempt->frame, options, &attempt->contacts, &attempt->velocities,
                                          &world->step, &solution->friction, &attempt->failure);
    const cst_friction_report *report = &solution->friction;
    solution->friction_iterations += report->iterations;
    solution->iterations_total += report->iterations_total;
    solution->linearisations++;
    const bool finite = solved && cst_dynamics_check_finite(&attempt->dynamics, attempt->velocities.v, &attempt->failure);
    cst_clock_lap(&clock, &seconds->apply);
    seconds->apply -= report->total_seconds;
    seconds->friction_setup += report->total_seconds - report->seconds - report->judge_seconds;
    seconds->friction_solve += report->seconds;
    seconds->friction_judge += report->judge_seconds;
    return finite;
}

/* Tells each body at which of its points it has contacts. The first linearisation of a step uses the contacts of the previous
 * step; each later linearisation uses the contacts of the previous linearisation. */
static void tell_touches(const cst_attempt *attempt, bool relinearised)
{
    const cst_world *world = attempt->world;
    const cst_contact *contact = relinearised ? attempt->contacts.contact : world->contact;
    const int count = relinearised ? attempt->contacts.contacts : world->contacts;
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            const cst_contact_end *end = side == 0 ? &contact[i].a : &contact[i].b;
            if (!cst_owner_is_body(end->owner))
                continue;
            const cst_body_model *model = world->model + cst_owner_index(end->owner);
            const cst_material_place place = {
                .owner = end->owner, .kind = end->kind, .index = end->feature, .c = {end->c[0], end->c[1]}};
            cst_material_point at;
            if (!model->class->dynamics->expect)
                continue;
            model->class->places->touched(model->self, &place, end->material, contact[i].position, &at);
            model->class->dynamics->expect(model->self, &at);
        }
    for (int k = 0; k < world->bodies; k++)
        if (world->model[k].class->dynamics->expect)
            world->model[k].class->dynamics->expect(world->model[k].self, NULL);
}

/* Assembles the matrices of the bodies: in the first linearisation at the start of the step, where the bodies are placed already,
 * and in a repeated linearisation at the predicted end of the step, where the bodies are placed first. */
static bool linearise(cst_attempt *attempt, bool relinearised)
{
    cst_velocities *velocities = &attempt->velocities;
    double clock = cst_clock_seconds();
    cst_arena_release(&attempt->world->step, attempt->begun);
    attempt->contacts.row = NULL;
    const bool placed =
        !relinearised || cst_dynamics_place(&attempt->dynamics, &attempt->frame, velocities->v, &attempt->failure);
    cst_clock_lap(&clock, &attempt->seconds.place);
    if (!placed)
        return false;
    tell_touches(attempt, relinearised);
    memcpy(velocities->last, velocities->v, sizeof(double) * (size_t)velocities->dofs);
    const bool assembled =
        cst_dynamics_assemble(&attempt->dynamics, &attempt->frame, relinearised, velocities, &attempt->failure);
    cst_clock_lap(&clock, &attempt->seconds.assemble);
    return assembled;
}

static bool find_free_motion(cst_attempt *attempt)
{
    double clock = cst_clock_seconds();
    const bool found = cst_dynamics_free_motion(&attempt->dynamics, attempt->frame.dim, &attempt->velocities, &attempt->failure);
    cst_clock_lap(&clock, &attempt->seconds.free_motion);
    return found;
}

/* Linearises the step once and solves the friction problem to the given tolerance. In a repeated linearisation, find_free_motion
 * must be called after make_rows, because find_free_motion overwrites the velocities that make_rows reads. */
static bool solve_within(cst_attempt *attempt, bool relinearised, double tolerance)
{
    const cst_step_frame *frame = &attempt->frame;
    const double when = relinearised ? end_of_step(attempt) : frame->time;
    return linearise(attempt, relinearised) && (relinearised || find_free_motion(attempt)) &&
           find_contacts(attempt, relinearised, when) && make_rows(attempt, relinearised, when) &&
           (!relinearised || find_free_motion(attempt)) && solve_contacts(attempt, tolerance);
}

static bool solve_linearised(cst_attempt *attempt, bool relinearised)
{
    return solve_within(attempt, relinearised, attempt->world->def.friction.tolerance);
}

/* ------------------------------------------------------------------------------------------------------------------- run */

/* Computes the work and the velocity of each contact at the positions of the last linearisation; then places the bodies at the
 * end of the step, and measures penetrations and constraint errors there. */
static bool look_at_end(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    const cst_step_frame *frame = &attempt->frame;
    const cst_dynamics *dynamics = &attempt->dynamics;
    const double resolved = world->def.friction.tolerance * attempt->solution.friction.residual.velocity_scale;
    cst_step_end *end = &attempt->end;
    double clock = cst_clock_seconds();
    const bool known = cst_contacts_result(frame, &dynamics->layout, &attempt->velocities, resolved, dynamics->threads,
                                           &world->step, &attempt->contacts, &attempt->work);
    cst_clock_lap(&clock, &attempt->seconds.apply);
    if (!known)
        return cst_fail_memory(&attempt->failure);
    const bool placed = cst_dynamics_place(dynamics, frame, attempt->velocities.v, &attempt->failure);
    cst_clock_lap(&clock, &attempt->seconds.place);
    if (!placed)
        return false;
    double *next = attempt->velocities.scratch;
    cst_velocities_expect(&attempt->velocities, frame->quasi_static, next);
    const cst_geometry_motion motion = {
        .v = attempt->velocities.v, .next = next, .start_of = dynamics->layout.start_of, .at_end = true};
    end->penetration = cst_detection_depth(&attempt->geometry, end_of_step(attempt), &motion, &end->depth);
    attempt->strands.depth = attempt->end.depth_before.all;
    attempt->strands.near =
        frame->dim == 3 ? cst_detector_near(&world->detector, &attempt->strands.near_gap, &attempt->strands.near_way) : NULL;
    if (attempt->geometry.class->strands)
        attempt->geometry.class->strands(attempt->geometry.self, &attempt->strands);
    end->passed = cst_strand_check_end(&attempt->strands, &world->step);
    const cst_geometry *geometry = &attempt->geometry;
    const bool tested = !geometry->class->crossings || geometry->class->crossings(geometry->self, &world->step, &end->crossings);
    cst_clock_lap(&clock, &attempt->seconds.detect_end);
    const bool measured = cst_step_end_measure(dynamics, frame, &attempt->velocities, &attempt->contacts, world->constraint,
                                               world->constraints, &world->step, end);
    cst_clock_lap(&clock, &attempt->seconds.end);
    return (measured && tested && end->penetration >= 0.0 && end->passed.pairs >= 0) || fail_detection(attempt);
}

/* Returns the smallest number of linearisations of a step of the theta scheme: 1 if theta = 1, and 2 if theta < 1. If a step with
 * theta < 1 is linearised only at its start, the directions of its forces lag behind the motion. Without damping, forces that lag
 * behind the motion would increase the energy from step to step until a stiff constraint diverges. */
static int least_linearisations(const cst_step_frame *frame)
{
    return frame->theta < 1.0 ? 2 : 1;
}

/* Returns true if the step ends with a deep penetration: it exceeds a limit, and has grown in the step by more than a second
 * limit. In a step of fixed length, the limit of the penetration is DEEP, and the limit of its growth in the step is DEEPER (both
 * relative to the smaller radius of the two bodies). In an adaptive step, the limit of the penetration is the user's
 * penetration_limit, and a penetration above this limit must not grow at all. Even small growths add up: the penetration of
 * twenty ropes on hills grew from 0.97 to 1.34 % of a radius in ten adaptive steps. A penetration between a sheet and a surface
 * has the limits DEEP and DEEPER in all steps, because a sheet passes through another body only after it has penetrated by its
 * own thickness (time_step.h). */
static bool is_deep(const cst_attempt *attempt)
{
    /* a penetration of more than DEEP times the smaller radius of the two bodies is accepted only if it grows in the step by at
     * most DEEPER times this radius */
    static const double DEEP = 0.25, DEEPER = 0.05;
    const cst_time_step *rules = &attempt->world->def.time_step;
    const cst_depth *end = &attempt->end.depth, *before = &attempt->end.depth_before;
    const double limit = rules->adaptive ? rules->penetration_limit : DEEP, growth = rules->adaptive ? 0.0 : DEEPER;
    return (end->others > limit && end->others - before->others > growth) ||
           (end->sheets > DEEP && end->sheets - before->sheets > DEEPER);
}

/* Stores in solution.needed the number of linearisations (`made`) after which the step first ends without a deep penetration. */
static void note_depth(cst_attempt *attempt, int made)
{
    if (attempt->solution.needed == 0 && !is_deep(attempt))
        attempt->solution.needed = made;
}

/* Returns the number of linearisations at the beginning of a step that use the coarse friction tolerance ROUGH. The number of
 * coarse linearisations is one less than the number of linearisations that the previous step needed, and at most DETECTIONS - 1.
 * In a world with sheets, every linearisation is solved to the user's friction tolerance; otherwise 12 steps of
 * scenes/cloth/flag.json would be halved instead of none. */
static int rough_linearisations(const cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    const int before = world->stepping.linearisations - 1;
    for (int k = 0; k < world->bodies; k++)
        if (world->model[k].class->surface->on_solid)
            return 0;
    return before < 0 ? 0 : before < DETECTIONS - 1 ? before : DETECTIONS - 1;
}

/* Makes `rough` linearisations with the larger of the friction tolerance ROUGH and the user's friction tolerance, and then one
 * linearisation with the user's friction tolerance. */
static bool linearise_roughly_first(cst_attempt *attempt, int rough)
{
    const double tolerance = attempt->world->def.friction.tolerance;
    for (int k = 0; k <= rough; k++) {
        if (!solve_within(attempt, k > 0, k < rough ? fmax(tolerance, ROUGH) : tolerance))
            return false;
        if (k > 0)
            note_depth(attempt, k);
    }
    return true;
}

/* Linearises the step again at its predicted end while the penetration there is deep, up to LINEARISATIONS times in all. Several
 * linearisations are needed because hairs that slide side by side touch at up to three new points in one step. In
 * scenes/hair/pony.json from 0.26 s on, a millisecond of simulated time takes 3.3 linearisations with LINEARISATIONS = 5, and
 * would take 5.4 with LINEARISATIONS = 3. In 2D, an adaptive step with a deep penetration is halved and not linearised again. */
static bool relinearise_while_deep(cst_attempt *attempt)
{
    const int most = attempt->world->def.time_step.adaptive && attempt->frame.dim == 2 ? 1 : LINEARISATIONS;
    note_depth(attempt, attempt->solution.linearisations);
    while (attempt->solution.linearisations < most && is_deep(attempt)) {
        if (!solve_linearised(attempt, true) || !look_at_end(attempt))
            return false;
        note_depth(attempt, attempt->solution.linearisations);
    }
    return true;
}

/* Checks the balance of forces in a step to an equilibrium: the step has converged if its velocities no longer change and its
 * forces balance. Returns false if a body moves away because no clamp, constraint or contact holds it. */
static bool balances(cst_attempt *attempt, double radius)
{
    /* FLIES: from this number of linearisations on, a step that has not converged is searched for bodies that nothing holds */
    enum { FLIES = 5 };
    const cst_dynamics *dynamics = &attempt->dynamics;
    cst_world *world = attempt->world;
    cst_imbalance *imbalance = &attempt->solution.imbalance;
    cst_imbalance_find(dynamics, &attempt->frame, &attempt->velocities, &attempt->contacts, world->constraint, world->constraints,
                       &world->point, attempt->scratch, imbalance);
    const double loosest = fmax(world->def.time_step.iteration_tolerance, FRICTION_LEAVES * world->def.friction.tolerance);
    const double in_balance = fmax(IN_BALANCE, loosest);
    /* The velocities of a body at rest are rounding errors, so their relative change stays near 1 even after the step has
     * converged. */
    const bool settled = attempt->solution.converged || (imbalance->way > 0.0 && imbalance->way <= STANDSTILL);
    double *largest = &world->budget.largest_force;
    *largest = fmax(*largest, imbalance->forces);
    attempt->solution.converged =
        settled && (imbalance->forces <= NO_FORCE * *largest || imbalance->force <= in_balance * imbalance->forces);
    if (attempt->solution.converged || attempt->solution.linearisations < FLIES)
        return true;
    const int loose = cst_quasi_static_loose(dynamics, &attempt->frame, &attempt->velocities, &attempt->contacts,
                                             world->constraint, world->constraints, radius, attempt->scratch);
    return loose < 0 ||
           cst_fail(&attempt->failure, CST_NO_SOLUTION, loose,
                    "nothing holds it (no clamp, constraint or contact), and so it has no equilibrium: hold it, take its "
                    "load away, or make the run dynamic (quasi_static false)");
}

/* Linearises the step repeatedly until its velocities no longer change, at most `most` times. If the arguments `most` and `least`
 * are equal, convergence is not tested, and the step counts as converged after `least` linearisations. */
static bool iterate(cst_attempt *attempt, int least, int most, cst_fixed_point *iteration)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const double rounding = fmax(ROUNDING, FRICTION_LEAVES * attempt->world->def.friction.tolerance);
    cst_step_solution *solution = &attempt->solution;
    cst_velocities *velocities = &attempt->velocities;
    bool slow = false;
    for (double before = HUGE_VAL; !solution->converged && solution->linearisations < most;) {
        if (solution->linearisations > DETECTIONS)
            cst_fixed_point_next(iteration, slow, velocities->last, velocities->v);
        if (!solve_linearised(attempt, true))
            return false;
        const double radius = attempt->geometry.class->smallest_radius(attempt->geometry.self);
        const double change = cst_velocities_change(velocities, STANDSTILL * radius / attempt->frame.dt);
        solution->converged =
            change <= rules->iteration_tolerance || (change <= rounding && change > STAGNATES * before) || most == least;
        if (attempt->frame.span > 0.0 && !balances(attempt, radius))
            return false;
        slow = change > SLOW * before;
        before = change;
    }
    return true;
}

bool cst_attempt_run(cst_attempt *attempt)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const int least = least_linearisations(&attempt->frame);
    const int iterations = attempt->frame.span > 0.0 && rules->iterations == 1 ? CST_QUASI_STATIC_ITERATIONS : rules->iterations;
    const int most = iterations > least ? iterations : least;
    cst_fixed_point iteration = {0};
    if (most > DETECTIONS && !cst_fixed_point_begin(&iteration, attempt->velocities.dofs, &attempt->world->step))
        return cst_fail_memory(&attempt->failure);
    attempt->begun = cst_arena_mark_now(&attempt->world->step);
    if (!linearise_roughly_first(attempt, most == 1 ? rough_linearisations(attempt) : 0))
        return false;
    attempt->solution.converged = most == 1;
    if (!attempt->solution.converged && !iterate(attempt, least, most, &iteration))
        return false;
    return look_at_end(attempt) && (iterations > 1 || relinearise_while_deep(attempt));
}
