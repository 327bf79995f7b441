/* Answers queries about a world: its contacts, drawings, material points and forces. */
#include "world/view.h"

#include <string.h>

#include "body/motion.h"
#include "cloth/sheet.h"

/* Callers are allowed to read an old list of contacts, so the memory of a list is freed only with the world. */
static bool reserve_views(cst_world *world, int count)
{
    if (count <= world->view_room)
        return true;
    const int room = count > 2 * world->view_room ? count : 2 * world->view_room;
    cst_contact_view *view = CST_TAKE(&world->keep, cst_contact_view, room);
    if (!view) {
        world->keep.failed = false;
        return false;
    }
    if (world->contacts > 0 && world->view)
        memcpy(view, world->view, sizeof *view * (size_t)world->contacts);
    world->view = view;
    world->view_room = room;
    return true;
}

bool cst_world_reserve_contacts(cst_world *world, int count)
{
    const cst_allocator *allocator = &world->def.friction.allocator;
    return cst_list_reserve(allocator, (void **)&world->contact, &world->contact_room, count, sizeof *world->contact) &&
           reserve_views(world, count);
}

static bool is_between(const cst_contact *contact, int32_t owner, int32_t other)
{
    const int32_t a = contact->a.owner, b = contact->b.owner;
    return (a == owner && (other < 0 || b == other)) || (b == owner && (other < 0 || a == other));
}

void cst_world_drop_contacts(cst_world *world, int32_t owner, int32_t other)
{
    int kept = 0;
    for (int k = 0; k < world->contacts; k++)
        if (!is_between(world->contact + k, owner, other))
            world->contact[kept++] = world->contact[k];
    world->contacts = kept;
    cst_world_show_contacts(world);
}

void cst_world_show_contacts(cst_world *world)
{
    for (int i = 0; i < world->contacts; i++) {
        const cst_contact *contact = world->contact + i;
        cst_contact_view *view = world->view + i;
        *view = (cst_contact_view){.id = contact->id,
                                   .a = cst_owner_party(contact->a.owner),
                                   .b = cst_owner_party(contact->b.owner),
                                   .s_a = contact->a.s,
                                   .s_b = contact->b.s,
                                   .gap = contact->gap,
                                   .mu = contact->mu,
                                   .error = contact->error,
                                   .contact_case = contact->contact_case};
        for (int c = 0; c < 3; c++) {
            view->position[c] = contact->position[c];
            view->normal[c] = contact->normal[c];
            view->force[c] = contact->impulse[c] / world->contact_dt;
            view->velocity[c] = contact->velocity[c];
            view->r[c] = contact->r[c];
            view->u[c] = contact->u[c];
        }
    }
}

int cst_world_contacts(const cst_world *world, const cst_contact_view **out)
{
    *out = world->view;
    return world->contacts;
}

cst_drawing cst_world_draw_body(const cst_world *world, cst_body_id body, int samples, double *position, double *radius,
                                double *curvature)
{
    if (body < 1 || body > (unsigned)world->bodies)
        return (cst_drawing){0};
    const cst_body_model *model = world->model + (body - 1);
    return model->class->look->draw(model->self, samples, position, radius, curvature);
}

cst_drawing cst_world_draw_obstacle(const cst_world *world, cst_obstacle_id obstacle, double *position, double *radius)
{
    if (obstacle < 1 || obstacle > (unsigned)world->obstacles)
        return (cst_drawing){0};
    return cst_obstacle_draw(world->obstacle + (obstacle - 1), cst_world_time(world), position, radius);
}

int cst_world_body_triangles(const cst_world *world, cst_body_id body, int32_t *out)
{
    if (body < 1 || body > (unsigned)world->bodies)
        return 0;
    const cst_body_model *model = world->model + (body - 1);
    return model->class->look->triangles ? model->class->look->triangles(model->self, out) : 0;
}

int cst_world_obstacle_triangles(const cst_world *world, cst_obstacle_id obstacle, int32_t *out)
{
    return obstacle >= 1 && obstacle <= (unsigned)world->obstacles ? cst_obstacle_triangles(world->obstacle + (obstacle - 1), out)
                                                                   : 0;
}

int cst_world_body_state(const cst_world *world, cst_body_id body, double *out)
{
    if (body < 1 || body > (unsigned)world->bodies)
        return 0;
    const cst_body_model *model = world->model + (body - 1);
    if (out)
        model->class->state->save(model->self, out);
    return model->class->state->size(model->self);
}

/* Finds a material point given by the user, and computes its position, its velocity and its angular velocity. `point`: output,
 * the position of the material point; the caller allocates its arrays. `turn`: output, the angular velocity. */
static bool look_at_place(const cst_world *world, const cst_place *place, cst_point_motion *point, double *velocity, double *turn)
{
    static const double IDENTITY[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    memset(velocity, 0, 3 * sizeof *velocity);
    memset(turn, 0, 3 * sizeof *turn);
    if (place->body > (unsigned)world->bodies)
        return false;
    if (place->body == 0) {
        memcpy(point->position, place->point, sizeof point->position);
        memcpy(point->frame, IDENTITY, sizeof point->frame);
        point->frame_angle = 0.0;
        return true;
    }
    const cst_body_model *model = world->model + (place->body - 1);
    cst_material_point at;
    if (!model->class->places->locate(model->self, place, &at))
        return false;
    model->class->places->point(model->self, &at, point);
    model->class->places->velocity(model->self, &at, velocity, turn);
    return true;
}

/* Each output can be NULL. */
static bool tell_place(const cst_world *world, const cst_place *place, cst_point_motion *point, double *position,
                       double *velocity, double *turn)
{
    double moving[3], turning[3];
    if (!look_at_place(world, place, point, moving, turning))
        return false;
    if (position)
        memcpy(position, point->position, sizeof point->position);
    if (velocity)
        memcpy(velocity, moving, sizeof moving);
    if (turn)
        memcpy(turn, turning, sizeof turning);
    return true;
}

bool cst_world_place(const cst_world *world, const cst_place *place, double *position, double *angle, double *velocity)
{
    cst_point_motion point = world->point;
    if (!tell_place(world, place, &point, position, velocity, NULL))
        return false;
    if (angle)
        *angle = point.frame_angle;
    return true;
}

bool cst_world_place_space(const cst_world *world, const cst_place *place, double *position, double *frame, double *velocity,
                           double *turn)
{
    cst_point_motion point = world->point;
    if (!tell_place(world, place, &point, position, velocity, turn))
        return false;
    if (frame)
        memcpy(frame, point.frame, sizeof point.frame);
    return true;
}

void cst_world_constraint_force(const cst_world *world, cst_constraint_id constraint, double *force, double *moment)
{
    const bool there = constraint >= 1 && constraint <= (unsigned)world->constraints;
    const cst_constraint *held = there ? world->constraint + (constraint - 1) : NULL;
    for (int c = 0; c < 3; c++) {
        if (force)
            force[c] = held ? held->force[c] : 0.0;
        if (moment)
            moment[c] = held ? held->moment[c] : 0.0;
    }
}

bool cst_world_root_force(const cst_world *world, cst_body_id body, double *force, double *moment)
{
    const cst_body_model *model = body >= 1 && body <= (unsigned)world->bodies ? world->model + (body - 1) : NULL;
    const cst_body_statics *statics = model ? model->class->statics : NULL;
    cst_body_scale scale = {0};
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    if (!statics || !statics->root_force)
        return false;
    statics->scale(model->self, &scale);
    if (scale.clamped)
        statics->root_force(model->self, force, moment);
    return scale.clamped;
}

bool cst_world_handle_force(const cst_world *world, cst_body_id body, int handle, double *force)
{
    if (body >= 1 && body <= (unsigned)world->bodies)
        return cst_sheet_handle_force(world->model + (body - 1), handle, force);
    memset(force, 0, 3 * sizeof *force);
    return false;
}

void cst_world_obstacle_force(const cst_world *world, cst_obstacle_id obstacle, double *force)
{
    force[0] = force[1] = force[2] = 0.0;
    for (int i = 0; i < world->contacts; i++) {
        const cst_contact_view *view = world->view + i;
        for (int c = 0; c < 3 && view->b.obstacle == obstacle && obstacle != 0; c++)
            force[c] -= view->force[c];
    }
}

static void displacement(const cst_motion *motion, double time, double *translation, double *rotation)
{
    static const cst_motion at_rest = {0};
    cst_motion_sample(motion ? motion : &at_rest, time, translation, rotation, NULL, NULL);
}

void cst_world_constraint_displacement(const cst_world *world, cst_constraint_id constraint, double *translation,
                                       double *rotation)
{
    const bool there = constraint >= 1 && constraint <= (unsigned)world->constraints;
    displacement(there ? &world->constraint[constraint - 1].motion : NULL, cst_world_time(world), translation, rotation);
}

void cst_world_obstacle_displacement(const cst_world *world, cst_obstacle_id obstacle, double *translation, double *rotation)
{
    const bool there = obstacle >= 1 && obstacle <= (unsigned)world->obstacles;
    displacement(there ? &world->obstacle[obstacle - 1].def.motion : NULL, cst_world_time(world), translation, rotation);
}
