/* Equilibria without contacts: every body whose model knows how finds its own. All of them move, or none. */
#include <stdio.h>
#include <string.h>

#include "world/point_motion.h"
#include "world/world_state.h"

/* The loads on one body as they act now; room for all is the caller's. */
static int loads_on(cst_world *world, int body, cst_point_load *out)
{
    int count = 0;
    for (int k = 0; k < world->loads; k++)
        if (world->load[k].body == body)
            cst_load_at(world->load + k, world->model, cst_world_time(world), &world->point, out + count++);
    return count;
}

static double energy_of_all(const cst_world *world)
{
    double energy = 0.0;
    for (int k = 0; k < world->bodies; k++)
        energy += cst_world_body_energy(world, k);
    return energy;
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

bool cst_world_find_equilibrium(cst_world *world, double tolerance, int *iterations, char *message, size_t message_size)
{
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    int total = 0, size = 0;
    for (int k = 0; k < world->bodies; k++)
        size += world->model[k].class->state->size(world->model[k].self);
    double *before = CST_TAKE_RAW(&world->step, double, size);
    cst_point_load *load = CST_TAKE_RAW(&world->step, cst_point_load, world->loads);
    bool found = !world->step.failed;
    if (found) {
        const double energy = energy_of_all(world);
        double *state = before;
        for (int k = 0; k < world->bodies; k++) {
            world->model[k].class->state->save(world->model[k].self, state);
            state += world->model[k].class->state->size(world->model[k].self);
        }
        found = move_bodies(world, tolerance, load, &total, message, message_size);
        state = before;
        for (int k = 0; k < world->bodies && !found; k++) {
            world->model[k].class->state->load(world->model[k].self, state);
            state += world->model[k].class->state->size(world->model[k].self);
        }
        cst_world_place_bodies(world);
        /* the budget begins where the rods are now */
        world->budget.energy_at_start += energy_of_all(world) - energy;
    } else {
        snprintf(message, message_size, "out of memory");
    }
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    if (iterations)
        *iterations = total;
    return found;
}
