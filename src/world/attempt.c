#include "world/attempt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "world/acceleration.h"
#include "world/contact_rows.h"
#include "world/contact_solve.h"
#include "world/detection.h"
#include "world/point_motion.h"
#include "world/touches.h"

/* Fewer bodies are not worth waking a second thread for. */
enum { PARALLEL_BODIES = 16 };

/* In an iterated step contacts are looked for at its start, and at the first guesses of its end. From then on they are followed at
 * their points of side a: where a rod nests on something as round as itself, which point is nearest hangs on the last digits,
 * and the iteration would chase it for ever. (A rod draped over a disk: 370 of 500 steps did not converge; now all do.) */
enum { DETECTIONS = 3 };

/* A small change that does not get smaller is rounding: that of a dense factor, or what friction leaves within its tolerance. */
static const double ROUNDING = 1e-8, FRICTION_LEAVES = 10.0; /* times its tolerance */
/* Of the change before. Where convergence is linear its rate nears 1 when a rod is about to buckle: half as much is progress. */
static const double STAGNATES = 0.9;
/* Of the change before: Newton's method is best left alone when it converges faster. */
static const double SLOW = 0.3;

/* Of the smallest contact radius, in a step: what moves by less does not move. */
static const double STANDSTILL = 1e-9;

bool cst_attempt_fail(cst_attempt *attempt, cst_status status, int body, const char *what)
{
    char who[96] = "";
    if (body >= 0)
        cst_world_say_body(attempt->world, body, who, sizeof who);
    attempt->status = status;
    snprintf(attempt->message, sizeof attempt->message, "%s%s%s", who, body >= 0 ? ": " : "", what);
    return false;
}

static bool out_of_memory(cst_attempt *attempt)
{
    return cst_attempt_fail(attempt, CST_OUT_OF_MEMORY, -1, "out of memory");
}

/* ---------------------------------------------------------------------------------------------------------------- begin */

/* Units in the order of their first bodies, members of a group next to each other. */
static void lay_out_units(cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    for (int k = 0; k < world->bodies; k++) {
        const int32_t group = attempt->joined.group_of[k];
        if (group >= 0 && attempt->joined.group[group].member[0] != k) {
            const int first = attempt->joined.group[group].member[0];
            attempt->unit_of[k] = attempt->unit_of[first];
        } else {
            const int size = group >= 0 ? attempt->joined.group[group].size : world->model[k].class->dofs(world->model[k].self);
            attempt->unit[attempt->units] =
                (cst_unit){.group = group, .body = k, .start = attempt->dofs, .size = size, .number = -1};
            attempt->unit_of[k] = attempt->units++;
            attempt->dofs += size;
        }
        attempt->start_of[k] = attempt->unit[attempt->unit_of[k]].start + attempt->joined.offset_of[k];
    }
}

bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt)
{
    cst_arena *arena = &world->step;
    *attempt = (cst_attempt){.world = world,
                             .frame = cst_world_frame(world, dt),
                             .next_contact_id = world->next_contact_id,
                             .friction = {.status = CST_SOLVED, .residual = {.worst_contact = -1}},
                             .unit = CST_TAKE(arena, cst_unit, world->bodies),
                             .unit_of = CST_TAKE(arena, int32_t, world->bodies),
                             .start_of = CST_TAKE(arena, int32_t, world->bodies)};
    if (arena->failed || !cst_joined_begin(&attempt->joined, world->model, world->bodies, world->constraint, world->constraints,
                                           &attempt->frame, arena))
        return out_of_memory(attempt);
    lay_out_units(attempt);
    attempt->v = CST_TAKE(arena, double, attempt->dofs);
    attempt->v_before = CST_TAKE(arena, double, attempt->dofs);
    attempt->v_last = CST_TAKE(arena, double, attempt->dofs);
    attempt->force = CST_TAKE(arena, double, attempt->dofs);
    for (int k = 0; k < world->loads && !arena->failed; k++)
        cst_load_begin(world->load + k, world->model, arena);
    if (arena->failed || !cst_touch_source_of(attempt->frame.dim)->begin(attempt))
        return out_of_memory(attempt);
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        if (!model->class->place(model->self, &attempt->frame, NULL))
            return cst_attempt_fail(attempt, CST_BAD_PROBLEM, k, "its state is not finite");
    }
    return true;
}

void cst_attempt_theta_velocity(const cst_attempt *attempt, int body, double *out)
{
    const double theta = attempt->frame.theta;
    const int start = attempt->start_of[body];
    const cst_body_model *model = attempt->world->model + body;
    for (int k = 0; k < model->class->dofs(model->self); k++)
        out[k] = theta * attempt->v[start + k] + (1.0 - theta) * attempt->v_before[start + k];
}

void cst_attempt_obstacle_velocity(const cst_attempt *attempt, int obstacle, double when, int32_t part, const double *x,
                                   double *velocity)
{
    const cst_obstacle *of = attempt->world->obstacle + obstacle;
    const double time = attempt->frame.time, dt = attempt->frame.dt;
    double turn;
    velocity[2] = 0.0;
    if (attempt->frame.dim == 2)
        cst_obstacle_velocity(of, time, dt, when, x, velocity, &turn);
    else
        cst_obstacle_solid_velocity(of, time, dt, when, part, x, velocity);
}

/* ------------------------------------------------------------------------------------------------------------- dynamics */

static bool all_finite(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

/* The first body whose part of v is not finite; -1: none. */
static int body_not_finite(const cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    for (int k = 0; k < world->bodies; k++)
        if (!all_finite(attempt->v + attempt->start_of[k], world->model[k].class->dofs(world->model[k].self)))
            return k;
    return -1;
}

static bool assemble_body(cst_attempt *attempt, int body, bool guess, char *message, size_t message_size)
{
    const cst_body_model *model = attempt->world->model + body;
    return model->class->assemble(model->self, &attempt->frame, guess ? attempt->v + attempt->start_of[body] : NULL, message,
                                  message_size);
}

/* A and rhs of each body. The first body that cannot is asked once more for its reasons, whatever the threads. */
static bool assemble_bodies(cst_attempt *attempt, bool guess)
{
    const int bodies = attempt->world->bodies, threads = attempt->world->def.friction.threads;
    (void)threads; /* nobody reads it in a build without OpenMP */
    int failed = bodies;
    char message[160] = "";
#pragma omp parallel for schedule(static) num_threads(threads) if (bodies >= PARALLEL_BODIES && threads > 1) reduction(min \
                                                                                                                       : failed)
    for (int k = 0; k < bodies; k++) {
        char unread[160];
        if (k < failed && !assemble_body(attempt, k, guess, unread, sizeof unread))
            failed = k;
    }
    if (failed == bodies)
        return true;
    assemble_body(attempt, failed, guess, message, sizeof message);
    return cst_attempt_fail(attempt, CST_BAD_PROBLEM, failed, message);
}

static bool assemble(cst_attempt *attempt, bool guess)
{
    cst_world *world = attempt->world;
    char message[160];
    if (!assemble_bodies(attempt, guess))
        return false;
    for (int k = 0; k < world->bodies && !attempt->frame.quasi_static; k++)
        world->model[k].class->velocities(world->model[k].self, attempt->v_before + attempt->start_of[k]);
    for (int k = 0; k < world->loads; k++)
        cst_load_apply(world->load + k, world->model, &attempt->frame);
    for (int k = 0; k < attempt->units; k++) {
        const cst_unit *unit = attempt->unit + k;
        if (unit->group >= 0 && !cst_joined_assemble(attempt->joined.group + unit->group, &attempt->frame,
                                                     guess ? attempt->v + unit->start : NULL, message, sizeof message))
            return cst_attempt_fail(attempt, CST_BAD_PROBLEM, unit->body, message);
    }
    return true;
}

/* v of all units as if nothing touched anything. */
static bool free_motion(cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    for (int k = 0; k < attempt->units; k++) {
        const cst_unit *unit = attempt->unit + k;
        const cst_body_model *model = world->model + unit->body;
        double *v = attempt->v + unit->start;
        bool solved;
        if (unit->group >= 0) {
            cst_joined_group *group = attempt->joined.group + unit->group;
            cst_body joined;
            cst_joined_describe(group, &joined);
            memcpy(v, joined.rhs, sizeof(double) * (size_t)unit->size);
            solved = joined.solve(joined.user, v);
            for (int i = 0; i < unit->size; i++)
                v[i] += group->shift[i];
        } else {
            memcpy(v, model->class->rhs(model->self), sizeof(double) * (size_t)unit->size);
            solved = model->class->solve(model->self, v);
        }
        if (!solved)
            return cst_attempt_fail(attempt, CST_BAD_PROBLEM, unit->body, "its motion could not be solved for");
    }
    const int body = body_not_finite(attempt);
    for (int k = 0; k < attempt->dofs; k++)
        attempt->free_speed = fmax(attempt->free_speed, fabs(attempt->v[k]));
    return body >= 0 ? cst_attempt_fail(attempt, CST_BAD_PROBLEM, body, "its motion is not finite") : true;
}

/* ------------------------------------------------------------------------------------------------------------ iterations */

/* Largest change of a velocity, relative to the largest velocity of the step, with or without contacts: what is at rest has none of
 * its own, only those that contacts take away. */
static double change_of_v(const cst_attempt *attempt)
{
    double change = 0.0, largest = attempt->free_speed;
    for (int k = 0; k < attempt->dofs; k++) {
        change = fmax(change, fabs(attempt->v[k] - attempt->v_last[k]));
        largest = fmax(largest, fabs(attempt->v[k]));
    }
    largest = fmax(largest, STANDSTILL * attempt->smallest_radius / attempt->frame.dt);
    return largest > 0.0 ? change / largest : 0.0;
}

/* Where v takes a body. A fiber whose element winds up by many turns in a step has burst: nearest points of such a coil with itself are
 * without number, and would be sought for minutes. */
static bool place_body(cst_attempt *attempt, int body)
{
    static const double WOUND = 100.0; /* rad, in an element */
    const cst_body_model *model = attempt->world->model + body;
    if (!model->class->place(model->self, &attempt->frame, attempt->v + attempt->start_of[body]))
        return cst_attempt_fail(attempt, CST_BAD_PROBLEM, body, "it moved to a place that is not finite");
    for (int i = model->class->pieces ? model->class->pieces(model->self) : 0; i-- > 0;) {
        cst_curve_piece piece = {0};
        model->class->piece(model->self, i, &piece);
        if (!(piece.curvature * piece.length <= WOUND))
            return cst_attempt_fail(attempt, CST_BAD_PROBLEM, body,
                                    "an element has wound up by many turns: the step is too long");
    }
    return true;
}

/* One linearised problem: at the start of the step, or at attempt->v. */
static bool solve_linearised(cst_attempt *attempt, bool guess)
{
    cst_world *world = attempt->world;
    const double when = guess ? attempt->frame.time + attempt->frame.dt : attempt->frame.time;
    const cst_contact *before = guess ? attempt->contact : world->contact;
    const int count_before = guess ? attempt->contacts : world->contacts;
    const double scale = guess || !(world->contact_dt > 0.0) ? 1.0 : attempt->frame.dt / world->contact_dt;
    const double start = cst_clock_seconds();
    if (guess) {
        for (int k = 0; k < world->bodies; k++)
            if (!place_body(attempt, k))
                return false;
    }
    memcpy(attempt->v_last, attempt->v, sizeof(double) * (size_t)attempt->dofs);
    if (!assemble(attempt, guess) || (!guess && !free_motion(attempt)))
        return false;
    const double assembled = cst_clock_seconds();
    attempt->seconds_assemble += assembled - start;
    if (attempt->newton_iterations >= DETECTIONS)
        cst_detection_follow(attempt, when);
    else if (!cst_detection_run(attempt, when, before, count_before, scale))
        return out_of_memory(attempt);
    const double detected = cst_clock_seconds();
    attempt->seconds_detect += detected - assembled;
    if (!cst_contact_rows_make(attempt, guess, when))
        return out_of_memory(attempt);
    if (!guess)
        attempt->relative_depth_before = attempt->found_depth;
    /* what bodies without contacts do */
    if (guess && !free_motion(attempt))
        return false;
    const bool solved = cst_contact_solve(attempt);
    attempt->seconds_contact += cst_clock_seconds() - detected;
    attempt->newton_iterations++;
    if (!solved)
        return false;
    const int body = body_not_finite(attempt);
    return body >= 0 ? cst_attempt_fail(attempt, CST_BAD_PROBLEM, body, "its motion is not finite") : true;
}

/* Where the attempt leads: bodies are left placed at the end of the step. */
static bool look_ahead(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    const double end = attempt->frame.time + attempt->frame.dt;
    cst_point_motion room[2] = {{0}, {0}};
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        const double *v = attempt->v + attempt->start_of[k];
        if (!place_body(attempt, k))
            return false;
        attempt->motion = fmax(attempt->motion, model->class->motion(model->self, &attempt->frame, v));
    }
    attempt->relative_motion = cst_contacts_relative_motion(attempt);
    const double start = cst_clock_seconds();
    attempt->penetration = cst_detection_depth(attempt, end, &attempt->relative_depth);
    attempt->seconds_detect += cst_clock_seconds() - start;
    for (int k = 0; k < world->constraints; k++) {
        const cst_constraint *held = world->constraint + k;
        for (int side = 0; side < 2; side++)
            if (held->body[side] >= 0)
                cst_point_motion_take(&world->step, world->model + held->body[side], attempt->frame.dim, room + side);
        if (world->step.failed)
            break;
        attempt->constraint_error = fmax(attempt->constraint_error, cst_constraint_error(held, world->model, end, room));
    }
    return attempt->penetration < 0.0 || world->step.failed ? out_of_memory(attempt) : true;
}

/* With theta < 1 the forces act within the step: taken at its start they act late, and a scheme that does not damp gains energy by
 * it until a stiff constraint bursts. Linearised once more where the first answer leads, it does not. */
static int least_linearisations(const cst_attempt *attempt)
{
    return attempt->frame.theta < 1.0 ? 2 : 1;
}

/* A linearised step that is too long for how things turn in it ends with bodies deep within each other. Where it may not be halved it
 * is linearised again, at where it led to and with the contacts found there, before anything has gone through anything. In space it
 * is tried before halving, too: where fibers cross at small angles their nearest points run far in a step, and once more costs as much
 * as one half. */
static bool mend_depth(cst_attempt *attempt)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const bool halves = rules->adaptive;
    const double deep = halves ? rules->penetration_limit : 0.25; /* contact radii */
    const double deeper = halves ? CST_STEP_DEEPER * rules->penetration_limit : 0.05;
    const int mends = !halves ? 4 : attempt->frame.dim == 3 ? 2 : 0;
    for (int k = 0; k < mends; k++) {
        if (attempt->relative_depth <= deep || attempt->relative_depth - attempt->relative_depth_before <= deeper)
            return true;
        attempt->motion = 0.0;
        if (!solve_linearised(attempt, true))
            return false;
        cst_contact_solve_tell(attempt);
        if (!look_ahead(attempt))
            return false;
    }
    return true;
}

bool cst_attempt_run(cst_attempt *attempt)
{
    const cst_time_step *rules = &attempt->world->def.time_step;
    const int least = least_linearisations(attempt), most = rules->iterations > least ? rules->iterations : least;
    if (!solve_linearised(attempt, false))
        return false;
    attempt->converged = rules->iterations == 1 && least == 1;
    const double rounding = fmax(ROUNDING, FRICTION_LEAVES * attempt->world->def.friction.tolerance);
    cst_acceleration acceleration = {0};
    if (!attempt->converged && most > DETECTIONS && !cst_acceleration_begin(&acceleration, attempt->dofs, &attempt->world->step))
        return out_of_memory(attempt);
    bool slow = false;
    for (double before = HUGE_VAL; !attempt->converged && attempt->newton_iterations < most;) {
        if (attempt->newton_iterations > DETECTIONS)
            cst_acceleration_next(&acceleration, slow, attempt->v_last, attempt->v);
        if (!solve_linearised(attempt, true))
            return false;
        const double change = change_of_v(attempt);
        attempt->converged =
            change <= rules->iteration_tolerance || (change <= rounding && change > STAGNATES * before) || rules->iterations == 1;
        slow = change > SLOW * before;
        before = change;
    }
    cst_contact_solve_tell(attempt);
    return look_ahead(attempt) && (rules->iterations > 1 || mend_depth(attempt));
}
