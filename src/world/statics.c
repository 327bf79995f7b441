/* Equilibria before the first step. If every rod and fiber has a clamped root and is held by no constraint, the equilibrium of
 * each rod and fiber is found separately, without contacts. If a rod or fiber has no clamped root, or is held by a constraint,
 * the world takes steps to an equilibrium (world/quasi_static.h), in which no time passes. The step to an equilibrium includes
 * constraints, contacts, and friction along the displacement from the initial positions. If no equilibrium is found, the bodies
 * stay where they are. */
#include <stdio.h>
#include <string.h>

#include "world/attempt.h"
#include "world/point_motion.h"
#include "world/view.h"
#include "world/world_state.h"

/* Collects the point loads and the caller's forces on one body at the present time. `out` must have memory for all loads of the
 * world and for one force per vertex of the body. */
static int loads_on(cst_world *world, int body, cst_point_load *out)
{
    int count = 0;
    for (int k = 0; k < world->loads; k++)
        if (world->load[k].body == body)
            cst_load_at(world->load + k, world->model, cst_world_time(world), &world->point, out + count++);
    const cst_user_force user = cst_world_user_force(world);
    return count + cst_user_force_loads(&user, world->model + body, body, out + count);
}

static int most_vertices(const cst_world *world)
{
    int most = 0;
    for (int k = 0; k < world->bodies; k++) {
        const int own = cst_body_vertices(world->model + k);
        most = own > most ? own : most;
    }
    return most;
}

static bool move_bodies(cst_world *world, double tolerance, cst_point_load *load, int *iterations, char *message,
                        size_t message_size)
{
    const cst_step_frame frame = cst_world_frame(world, world->def.time_step.dt);
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        char who[96], what[256] = "no equilibrium was found";
        int own = 0;
        if (!model->class->equilibrium)
            continue;
        const int loads = loads_on(world, k, load);
        const bool found = model->class->equilibrium(model->self, &frame, load, loads, tolerance, &own, what, sizeof what);
        *iterations += own;
        if (!found) {
            cst_world_say_body(world, k, who, sizeof who);
            snprintf(message, message_size, "%s: %s", who, what);
            return false;
        }
    }
    return true;
}

static bool all_alone(const cst_world *world)
{
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        cst_body_scale scale = {0};
        if (!model->class->equilibrium || !model->class->statics)
            continue;
        model->class->statics->scale(model->self, &scale);
        bool held = false;
        for (int i = 0; i < world->constraints; i++)
            held = held || world->constraint[i].body[0] == k || world->constraint[i].body[1] == k;
        if (held || !scale.clamped)
            return false;
    }
    return true;
}

static bool settle_once(cst_world *world, int *iterations, char *message, size_t message_size)
{
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    cst_attempt attempt;
    char who[96] = "";
    bool done = cst_attempt_begin(&attempt, world, world->def.time_step.dt, 1.0) && cst_attempt_run(&attempt);
    const cst_imbalance *imbalance = &attempt.solution.imbalance;
    *iterations += attempt.solution.linearisations;
    if (!done) {
        if (attempt.failure.body >= 0)
            cst_world_say_body(world, attempt.failure.body, who, sizeof who);
        snprintf(message, message_size, "%s%s%s", who, who[0] ? ": " : "", attempt.failure.what);
    } else if (!attempt.solution.converged) {
        done = false;
        if (imbalance->body >= 0)
            cst_world_say_body(world, imbalance->body, who, sizeof who);
        snprintf(message, message_size,
                 "no equilibrium was found in %d iterations: %s is out of balance by %.3g N (largest force %.3g N)",
                 attempt.solution.linearisations, who, imbalance->force, imbalance->forces);
    } else if (attempt.solution.friction.status != CST_SOLVED) {
        done = false;
        snprintf(message, message_size, "%s", attempt.solution.friction.message);
    } else if (!cst_world_reserve_contacts(world, attempt.contacts.contacts)) {
        done = false;
        snprintf(message, message_size, "out of memory");
    }
    if (done) {
        cst_attempt_move_bodies(&attempt);
        cst_attempt_commit_contacts(&attempt);
    }
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    return done;
}

/* Takes two steps to an equilibrium, which do not advance the time of the world. The first step moves the bodies to their
 * equilibrium; in the second step the bodies do not move, so that all velocities become zero. */
static bool settle(cst_world *world, int *iterations, char *message, size_t message_size)
{
    const cst_energies work = world->budget.work;
    const double contact_dt = world->contact_dt, largest_force = world->budget.largest_force;
    const uint64_t next_id = world->next_contact_id;
    cst_constraint *before = CST_TAKE_RAW(&world->step, cst_constraint, world->constraints); /* including their forces */
    if (!before) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    if (world->constraints > 0)
        memcpy(before, world->constraint, sizeof *before * (size_t)world->constraints);
    world->settling = true;
    const bool found =
        settle_once(world, iterations, message, message_size) && settle_once(world, iterations, message, message_size);
    world->settling = false;
    world->budget.work = work; /* the energy budget begins afterwards */
    if (!found && world->constraints > 0)
        memcpy(world->constraint, before, sizeof *before * (size_t)world->constraints);
    if (found) {
        /* The contact forces in equilibrium, times dt, are the first guess of the contact impulses in the first time step. */
        for (int i = 0; i < world->contacts; i++)
            for (int c = 0; c < 3; c++) {
                world->contact[i].r[c] *= world->def.time_step.dt / world->contact_dt;
                world->contact[i].impulse[c] *= world->def.time_step.dt / world->contact_dt;
                world->contact[i].u[c] = world->contact[i].velocity[c] = 0.0;
            }
        world->contact_dt = world->def.time_step.dt;
    } else {
        world->contacts = 0;
        world->contact_dt = contact_dt;
        world->budget.largest_force = largest_force;
        world->next_contact_id = next_id;
    }
    return found;
}

bool cst_world_find_equilibrium(cst_world *world, double tolerance, int *iterations, char *message, size_t message_size)
{
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    int total = 0, size = 0;
    for (int k = 0; k < world->bodies; k++)
        size += world->model[k].class->state->size(world->model[k].self);
    double *before = CST_TAKE_RAW(&world->step, double, size);
    cst_point_load *load = CST_TAKE_RAW(&world->step, cst_point_load, world->loads + most_vertices(world));
    bool found = !world->step.failed;
    if (found) {
        const double energy = cst_world_bodies_energy(world);
        double *state = before;
        for (int k = 0; k < world->bodies; k++) {
            world->model[k].class->state->save(world->model[k].self, state);
            state += world->model[k].class->state->size(world->model[k].self);
        }
        found = all_alone(world) ? move_bodies(world, tolerance, load, &total, message, message_size)
                                 : settle(world, &total, message, message_size);
        state = before;
        for (int k = 0; k < world->bodies && !found; k++) {
            world->model[k].class->state->load(world->model[k].self, state);
            state += world->model[k].class->state->size(world->model[k].self);
        }
        cst_world_place_bodies(world);
        /* the budget starts at the equilibrium */
        world->budget.energy_at_start += cst_world_bodies_energy(world) - energy;
        world->budget.ledger.open = false;
    } else {
        snprintf(message, message_size, "out of memory");
    }
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    if (iterations)
        *iterations = total;
    return found;
}
