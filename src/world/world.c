/* Creates and destroys worlds, and answers queries about a world. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "friction/options.h"
#include "world/defaults.h"
#include "world/joined.h"
#include "world/point_motion.h"
#include "world/world_state.h"

enum { PARALLEL_BODIES = 64 };

/* ---------------------------------------------------------------------------------------------------------------- lists */

/* Returns `bytes` bytes of memory that are all zero, or NULL if memory ran out; cst_list_free frees them. */
static void *acquire(const cst_allocator *allocator, size_t bytes)
{
    void *fresh = allocator->acquire ? allocator->acquire(allocator->user, bytes) : malloc(bytes);
    return fresh ? memset(fresh, 0, bytes) : NULL;
}

bool cst_list_reserve(const cst_allocator *allocator, void **items, int *room, int count, size_t size)
{
    enum { ROOM_MIN = 8 };
    if (count <= *room)
        return true;
    int grown = *room < ROOM_MIN / 2 ? ROOM_MIN : 2 * *room;
    grown = grown < count ? count : grown;
    void *fresh = acquire(allocator, (size_t)grown * size);
    if (!fresh)
        return false;
    if (*items)
        memcpy(fresh, *items, (size_t)*room * size);
    cst_list_free(allocator, *items, *room, size);
    *items = fresh;
    *room = grown;
    return true;
}

void cst_list_free(const cst_allocator *allocator, void *items, int room, size_t size)
{
    if (!items)
        return;
    if (allocator->acquire)
        allocator->release(allocator->user, items, (size_t)room * size);
    else
        free(items);
}

/* ----------------------------------------------------------------------------------------------------------- definition */

static const char *fault_of_time_step(const cst_time_step *step)
{
    enum { HALVINGS_MAX = 30 };
    if (!(step->dt > 0.0) || !isfinite(step->dt))
        return "time_step.dt must be positive";
    if (!(step->theta >= 0.5 && step->theta <= 1.0))
        return "time_step.theta must be in [0.5, 1]";
    if (step->iterations < 1)
        return "time_step.iterations must be at least 1";
    if (!(step->iteration_tolerance > 0.0) || !isfinite(step->iteration_tolerance))
        return "time_step.iteration_tolerance must be positive and finite";
    if (step->halvings < 0 || step->halvings > HALVINGS_MAX)
        return "time_step.halvings must be in [0, 30]";
    if (!(step->motion_limit > 0.0))
        return "time_step.motion_limit must be positive";
    if (!(step->penetration_limit > 0.0))
        return "time_step.penetration_limit must be positive";
    if (step->calm_steps < 1)
        return "time_step.calm_steps must be at least 1";
    return NULL;
}

static const char *fault_of_contact_rules(const cst_contact_rules *rules)
{
    if (!(rules->margin >= 0.0) || !isfinite(rules->margin))
        return "contact.margin must not be negative";
    if (!(rules->stabilisation >= 0.0 && rules->stabilisation <= 1.0))
        return "contact.stabilisation must be in [0, 1]";
    if (!(rules->recovery_speed >= 0.0))
        return "contact.recovery_speed must not be negative";
    return NULL;
}

static const char *fault_of_definition(const cst_world_def *def)
{
    if (def->cookie != CST_WORLD_COOKIE)
        return "a world's definition must come from cst_world_def_default()";
    if (def->dim != 2 && def->dim != 3)
        return "dim must be 2 or 3";
    for (int k = 0; k < 3; k++)
        if (!isfinite(def->gravity[k]))
            return "gravity must be finite";
    if (def->dim == 2 && def->gravity[2] != 0.0)
        return "gravity must lie in the plane: its third component must be 0";
    const char *fault = fault_of_time_step(&def->time_step);
    fault = fault ? fault : fault_of_contact_rules(&def->contact);
    if (fault)
        return fault;
    if (!(def->friction_coefficient >= 0.0) || !isfinite(def->friction_coefficient))
        return "friction_coefficient must be finite and not negative";
    if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
        return "restitution must be in [0, 1]";
    return NULL;
}

cst_world *cst_world_new(const cst_world_def *def, char *message, size_t message_size)
{
    const char *fault = fault_of_definition(def), *in = "";
    if (!fault && (fault = cst_friction_options_fault(&def->friction)))
        in = "friction.";
    if (!fault && !(def->friction.tolerance > 0.0))
        fault = "friction.tolerance must be positive";
    const cst_allocator *allocator = &def->friction.allocator;
    cst_world *world = fault ? NULL : acquire(allocator, sizeof *world);
    if (!fault && !world)
        fault = "out of memory";
    if (fault) {
        snprintf(message, message_size, "%s%s", in, fault);
        return NULL;
    }
    world->def = *def;
    world->def.friction.threads = def->friction.threads > 0 ? def->friction.threads : 1;
    cst_block_cache_begin(&world->cache, allocator);
    cst_arena_begin(&world->keep, allocator);
    cst_arena_begin(&world->step, allocator);
    cst_arena_begin(&world->ties, allocator);
    for (int k = 0; k < 2; k++)
        cst_arena_begin(world->found + k, allocator);
    cst_detector_begin(&world->detector, allocator);
    cst_feature_detector_begin(&world->features, allocator);
    world->next_contact_id = 1;
    world->eliminated_rows = CST_JOINED_ROWS_MAX;
    return world;
}

void cst_world_free(cst_world *world)
{
    if (!world)
        return;
    const cst_allocator allocator = world->def.friction.allocator;
    for (int k = 0; k < world->bodies; k++)
        world->model[k].class->destroy(world->model[k].self);
    for (int k = 0; k < world->obstacles; k++)
        cst_obstacle_destroy(world->obstacle + k);
    cst_list_free(&allocator, world->model, world->model_room, sizeof *world->model);
    cst_list_free(&allocator, world->body, world->body_room, sizeof *world->body);
    cst_list_free(&allocator, world->obstacle, world->obstacle_room, sizeof *world->obstacle);
    cst_list_free(&allocator, world->constraint, world->constraint_room, sizeof *world->constraint);
    cst_list_free(&allocator, world->load, world->load_room, sizeof *world->load);
    cst_list_free(&allocator, world->material, world->material_room, sizeof *world->material);
    cst_list_free(&allocator, world->pair, world->pair_room, sizeof *world->pair);
    cst_list_free(&allocator, world->apart, world->apart_room, sizeof *world->apart);
    cst_list_free(&allocator, world->contact, world->contact_room, sizeof *world->contact);
    cst_detector_end(&world->detector);
    cst_feature_detector_end(&world->features);
    cst_arena_end(&world->step);
    cst_arena_end(&world->ties);
    for (int k = 0; k < 2; k++)
        cst_arena_end(world->found + k);
    cst_arena_end(&world->keep);
    cst_block_cache_end(&world->cache);
    cst_list_free(&allocator, world, 1, sizeof *world);
}

/* --------------------------------------------------------------------------------------------------------------- asking */

const cst_world_def *cst_world_definition(const cst_world *world)
{
    return &world->def;
}

void cst_world_on_iteration(cst_world *world, bool (*progress)(void *user, const cst_friction_progress *now), void *user)
{
    world->def.friction.progress = progress;
    world->def.friction.progress_user = user;
}

void cst_world_on_step(cst_world *world, bool (*before)(void *user, cst_world *world), void *user)
{
    world->before_step = before;
    world->before_step_user = user;
}

void cst_world_watch_friction(cst_world *world, void (*watch)(void *user, const cst_body_problem *problem, const double *r),
                              void *user)
{
    world->def.friction.watch = watch;
    world->def.friction.watch_user = user;
}

cst_point_motion *cst_world_point_rooms(cst_world *world, int count)
{
    cst_point_motion *room = CST_TAKE_RAW(&world->step, cst_point_motion, count);
    for (int t = 0; t < count && room; t++)
        cst_point_motion_room(&world->step, world->point_dofs, world->def.dim, room + t);
    return world->step.failed ? NULL : room;
}

double cst_world_time(const cst_world *world)
{
    return cst_stepping_time(&world->stepping, &world->def.time_step);
}

int64_t cst_world_steps(const cst_world *world)
{
    return world->stepping.steps;
}

int64_t cst_world_whole_steps(const cst_world *world)
{
    return cst_stepping_whole_steps(&world->stepping, &world->def.time_step);
}

cst_step_frame cst_world_frame(const cst_world *world, double dt)
{
    cst_step_frame frame = {.dim = world->def.dim,
                            .time = cst_world_time(world),
                            .dt = dt,
                            .whole = world->def.time_step.dt,
                            .theta = world->def.time_step.theta,
                            .quasi_static = world->def.time_step.quasi_static,
                            .iterated = world->def.time_step.iterations > 1 || world->def.time_step.theta < 1.0,
                            .threads = world->def.friction.threads};
    memcpy(frame.gravity, world->def.gravity, sizeof frame.gravity);
    return frame;
}

void cst_world_place_bodies(cst_world *world)
{
    const cst_step_frame frame = cst_world_frame(world, world->def.time_step.dt);
    const int threads = cst_threads_for(world->def.friction.threads, world->bodies, PARALLEL_BODIES);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < world->bodies; k++)
        world->model[k].class->dynamics->place(world->model[k].self, &frame, NULL);
}

void cst_world_say_body(const cst_world *world, int body, char *out, size_t size)
{
    if (world->body[body].name[0])
        snprintf(out, size, "body %d (%s)", body + 1, world->body[body].name);
    else
        snprintf(out, size, "body %d", body + 1);
}

void cst_world_say_obstacle(const cst_world *world, int obstacle, char *out, size_t size)
{
    const char *name = world->obstacle[obstacle].def.name;
    if (name && name[0])
        snprintf(out, size, "obstacle %d (%s)", obstacle + 1, name);
    else
        snprintf(out, size, "obstacle %d", obstacle + 1);
}

int cst_world_bodies(const cst_world *world)
{
    return world->bodies;
}

int cst_world_obstacles(const cst_world *world)
{
    return world->obstacles;
}

int cst_world_constraints(const cst_world *world)
{
    return world->constraints;
}

const char *cst_world_body_name(const cst_world *world, cst_body_id body)
{
    return body >= 1 && body <= (unsigned)world->bodies ? world->body[body - 1].name : "";
}

const char *cst_world_obstacle_name(const cst_world *world, cst_obstacle_id obstacle)
{
    if (obstacle < 1 || obstacle > (unsigned)world->obstacles)
        return "";
    const char *name = world->obstacle[obstacle - 1].def.name;
    return name ? name : "";
}

const char *cst_world_constraint_name(const cst_world *world, cst_constraint_id constraint)
{
    if (constraint < 1 || constraint > (unsigned)world->constraints)
        return "";
    const char *name = world->constraint[constraint - 1].name;
    return name ? name : "";
}
