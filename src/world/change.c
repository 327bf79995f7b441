/* Changes a world between steps (capstan/state.h): gravity, states of bodies, friction, loads, motions and forces of the
 * caller. A refused change leaves the world unchanged.
 *
 * If a change moves a body or changes its weight, the change of the mechanical energy is added to budget.energy_at_start, the
 * energy at the start of the run, so that the energy budget stays balanced. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/complaint.h"
#include "body/motion.h"
#include "math/vector3.h"
#include "world/view.h"

static bool all_finite(const double *x, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static bool body_exists(const cst_world *world, cst_body_id body, const cst_complaint *to)
{
    return body >= 1 && body <= (unsigned)world->bodies ? true : cst_complain(to, "there is no body %u", body);
}

/* ------------------------------------------------------------------------------------------------------- gravity and states */

bool cst_world_set_gravity(cst_world *world, const double *gravity, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!all_finite(gravity, 3))
        return cst_complain(&to, "gravity must be finite");
    if (world->def.dim == 2 && gravity[2] != 0.0)
        return cst_complain(&to, "gravity must lie in the plane: its third component must be 0");
    const double before = cst_world_bodies_energy(world);
    memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
    world->budget.energy_at_start += cst_world_bodies_energy(world) - before;
    world->budget.ledger.open = false;
    return true;
}

/* Loads `state` into a body and computes the coordinates of its points. Returns false if a coordinate is not finite; the caller
 * must then load a valid state. */
static bool load_state(cst_world *world, const cst_body_model *model, const double *state)
{
    const cst_step_frame frame = cst_world_frame(world, world->def.time_step.dt);
    model->class->state->load(model->self, state);
    return model->class->dynamics->place(model->self, &frame, NULL);
}

bool cst_world_set_body_state(cst_world *world, cst_body_id body, const double *state, int count, char *message,
                              size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!body_exists(world, body, &to))
        return false;
    const cst_body_model *model = world->model + (body - 1);
    const int size = model->class->state->size(model->self);
    if (count != size)
        return cst_complain(&to, "body %u has %d values of state, not %d", body, size, count);
    if (!all_finite(state, count))
        return cst_complain(&to, "body %u: a value of state is not finite", body);
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    double *before = CST_TAKE_RAW(&world->step, double, size);
    bool good = before != NULL;
    if (good) {
        const double energy = cst_world_body_energy(world, (int)body - 1);
        model->class->state->save(model->self, before);
        good = load_state(world, model, state) && isfinite(cst_world_body_energy(world, (int)body - 1));
        if (good) {
            world->budget.energy_at_start += cst_world_body_energy(world, (int)body - 1) - energy;
            world->budget.ledger.open = false;
            cst_world_drop_contacts(world, cst_owner_of_body((int)body - 1), -1);
        } else {
            load_state(world, model, before);
            cst_complain(&to, "body %u: with this state it is at a place that is not finite", body);
        }
    } else {
        cst_complain(&to, "out of memory");
    }
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    return good;
}

/* --------------------------------------------------------------------------------------------------------------- friction */

bool cst_world_set_friction(cst_world *world, double friction, double restitution, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!(friction >= 0.0) || !isfinite(friction))
        return cst_complain(&to, "friction must be finite and not negative: %g", friction);
    if (!(restitution >= 0.0 && restitution <= 1.0))
        return cst_complain(&to, "restitution must be in [0, 1]: %g", restitution);
    world->def.friction_coefficient = friction;
    world->def.restitution = restitution;
    return true;
}

bool cst_world_set_material(cst_world *world, cst_material_id material, double friction, double restitution, char *message,
                            size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (material < 1 || material > (unsigned)world->materials)
        return cst_complain(&to, "there is no material %u", material);
    if (!cst_check_coefficients(friction, restitution, &to))
        return false;
    world->material[material - 1].friction = friction;
    world->material[material - 1].restitution = restitution;
    return true;
}

bool cst_world_set_surface(cst_world *world, cst_party of, const cst_surface *surface, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if ((of.body != 0) == (of.obstacle != 0) || of.material != 0)
        return cst_complain(&to, "a surface is that of a body or of an obstacle");
    if (of.obstacle > (unsigned)world->obstacles)
        return cst_complain(&to, "there is no obstacle %u", of.obstacle);
    if ((of.body != 0 && !body_exists(world, of.body, &to)) || !cst_check_surface(world, surface, &to))
        return false;
    *(of.body != 0 ? &world->body[of.body - 1].surface : &world->obstacle[of.obstacle - 1].def.surface) = *surface;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- loads and motions */

bool cst_world_set_load(cst_world *world, cst_load_id load, const double *force, const double *moment, char *message,
                        size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (load < 1 || load > (unsigned)world->loads)
        return cst_complain(&to, "there is no load %u", load);
    if (!all_finite(force, 3) || !all_finite(moment, 3))
        return cst_complain(&to, "load: force and moment must be finite");
    cst_load_set(world->load + (load - 1), force, moment);
    return true;
}

/* Returns true if the new motion `next` has the same displacement at `time` as the old motion `now`, so that the moved object
 * does not jump. */
static bool goes_on(const cst_motion *now, const cst_motion *next, double time, const cst_complaint *to)
{
    /* two displacements count as equal if no component differs by more than SAME (1 + |x|), with the component x (m or rad) of
     * the old motion */
    static const double SAME = 1e-9;
    double x[2][3], turn[2][3];
    cst_motion_sample(now, time, x[0], turn[0], NULL, NULL);
    cst_motion_sample(next, time, x[1], turn[1], NULL, NULL);
    for (int c = 0; c < 3; c++)
        if (fabs(x[1][c] - x[0][c]) > SAME * (1.0 + fabs(x[0][c])) ||
            fabs(turn[1][c] - turn[0][c]) > SAME * (1.0 + fabs(turn[0][c])))
            return cst_complain(
                to,
                "the motion must go on at %.9g s from the displacement (%.9g, %.9g, %.9g) m, rotation (%.9g, %.9g, "
                "%.9g) rad, and is at (%.9g, %.9g, %.9g) m, (%.9g, %.9g, %.9g) rad",
                time, x[0][0], x[0][1], x[0][2], turn[0][0], turn[0][1], turn[0][2], x[1][0], x[1][1], x[1][2], turn[1][0],
                turn[1][1], turn[1][2]);
    return true;
}

static bool stays_in_plane(const cst_motion *motion, const cst_complaint *to)
{
    for (int i = 0; i < motion->keys; i++)
        if (motion->key[i].translation[2] != 0.0 || motion->key[i].rotation[0] != 0.0 || motion->key[i].rotation[1] != 0.0)
            return cst_complain(to, "motion: key %d leaves the plane", i);
    return true;
}

/* New keyframes overwrite the array of the old motion if they fit into it, so that a motion that the caller sets in every step
 * does not take more and more memory. */
static bool replace_motion(cst_world *world, cst_motion *motion, const cst_motion *next, const cst_complaint *to)
{
    if (!cst_motion_check(next, "motion", to->message, to->size) || !all_finite(next->about, 3) ||
        (world->def.dim == 2 && !stays_in_plane(next, to)) || !goes_on(motion, next, cst_world_time(world), to))
        return false;
    cst_motion kept = *next;
    if (next->keys <= motion->keys) {
        kept.key = motion->key;
        if (next->keys > 0)
            memmove((cst_key *)motion->key, next->key, sizeof *next->key * (size_t)next->keys);
    } else if (!cst_motion_copy(&world->keep, next, &kept)) {
        world->keep.failed = false;
        return cst_complain(to, "out of memory");
    }
    *motion = kept;
    return true;
}

bool cst_world_set_obstacle_motion(cst_world *world, cst_obstacle_id obstacle, const cst_motion *motion, char *message,
                                   size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (obstacle < 1 || obstacle > (unsigned)world->obstacles)
        return cst_complain(&to, "there is no obstacle %u", obstacle);
    return replace_motion(world, &world->obstacle[obstacle - 1].def.motion, motion, &to);
}

bool cst_world_set_constraint_motion(cst_world *world, cst_constraint_id constraint, const cst_motion *motion, char *message,
                                     size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (constraint < 1 || constraint > (unsigned)world->constraints)
        return cst_complain(&to, "there is no constraint %u", constraint);
    cst_constraint *held = world->constraint + (constraint - 1);
    if (held->body[1] >= 0)
        return cst_complain(&to, "only the world can be moved by a motion, but constraint %u holds to body %d", constraint,
                            held->body[1] + 1);
    return replace_motion(world, &held->motion, motion, &to);
}

/* Returns the prescribed motion of the clamped start (the root) of a body; NULL if there is no such body or its start is not
 * clamped. */
static cst_motion *root_motion(const cst_world *world, cst_body_id body)
{
    const cst_body_model *model = body >= 1 && body <= (unsigned)world->bodies ? world->model + (body - 1) : NULL;
    const cst_body_statics *statics = model ? model->class->statics : NULL;
    return statics && statics->root_motion ? statics->root_motion(model->self) : NULL;
}

bool cst_world_set_root_motion(cst_world *world, cst_body_id body, const cst_motion *motion, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    if (!body_exists(world, body, &to))
        return false;
    cst_motion *now = root_motion(world, body);
    return now ? replace_motion(world, now, motion, &to)
               : cst_complain(&to, "body %u has no clamped start that could be moved", body);
}

void cst_world_root_displacement(const cst_world *world, cst_body_id body, double *translation, double *rotation)
{
    static const cst_motion at_rest = {0};
    const cst_motion *motion = root_motion(world, body);
    cst_motion_sample(motion ? motion : &at_rest, cst_world_time(world), translation, rotation, NULL, NULL);
}

/* ------------------------------------------------------------------------------------------------------ forces of the caller */

cst_user_force cst_world_user_force(const cst_world *world)
{
    const cst_vertex_store *store = &world->vertices;
    bool there = store->force_layout > 0 && store->force_layout == store->layout && store->bodies == world->bodies;
    for (int k = 0; k < world->bodies && there; k++)
        there = store->first[k + 1] - store->first[k] == cst_body_vertices(world->model + k);
    if (!there)
        return (cst_user_force){0};
    return (cst_user_force){.force = store->force.value, .first = store->first, .largest = store->force_largest};
}

bool cst_world_set_forces(cst_world *world, const double *force, int64_t vertices, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    cst_vertex_store *store = &world->vertices;
    cst_vertices all;
    if (!force) {
        store->force_layout = 0;
        return true;
    }
    if (!cst_world_vertices(world, &all))
        return cst_complain(&to, "out of memory");
    if (vertices != all.count)
        return cst_complain(&to, "there are %lld vertices, and forces on %lld", (long long)all.count, (long long)vertices);
    double largest = 0.0;
    for (int64_t i = 0; i < vertices; i++) {
        if (!all_finite(force + 3 * i, 3))
            return cst_complain(&to, "the force on vertex %lld is not finite", (long long)i);
        if (world->def.dim == 2 && force[3 * i + 2] != 0.0)
            return cst_complain(&to, "the force on vertex %lld leaves the plane", (long long)i);
        largest = fmax(largest, sqrt(cst_dot3(force + 3 * i, force + 3 * i)));
    }
    if (!cst_vertex_array_reserve(&store->force, vertices, 3, &world->keep))
        return cst_complain(&to, "out of memory");
    if (vertices > 0)
        memcpy(store->force.value, force, sizeof *force * 3 * (size_t)vertices);
    store->force_largest = largest;
    store->force_layout = all.layout;
    return true;
}
