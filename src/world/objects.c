#include "world/objects.h"

int cst_objects_owners(const cst_objects *objects)
{
    return 2 * (objects->bodies > objects->obstacles ? objects->bodies : objects->obstacles);
}

bool cst_objects_bend(const cst_objects *objects)
{
    for (int k = 0; k < objects->bodies; k++)
        if (objects->model[k].class->surface->features && objects->model[k].class->surface->self_contact)
            return true;
    return false;
}

cst_surface_side cst_objects_surface_side(const cst_objects *objects, const cst_contact_end *end)
{
    const int index = cst_owner_index(end->owner);
    cst_surface_side side = {.segment_friction = CST_UNSET};
    if (cst_owner_is_body(end->owner)) {
        const cst_world_body *body = objects->body + index;
        side.owner.body = (cst_body_id)index + 1;
        side.surface = body->surface;
        if (body->element_friction)
            side.segment_friction = body->element_friction[end->feature];
    } else {
        side.owner.obstacle = (cst_obstacle_id)index + 1;
        side.surface = objects->obstacle[index].def.surface;
    }
    return side;
}

/* Returns a triangle of the obstacle's mesh that contains the contact point. */
static int32_t triangle_of(const cst_obstacle *obstacle, const cst_contact_end *end)
{
    if (end->kind == CST_FEATURE_VERTEX)
        return obstacle->features->face_of[end->feature];
    return end->kind == CST_FEATURE_EDGE ? obstacle->features->face_of_edge[end->feature] : end->feature;
}

void cst_obstacle_step_velocity(const cst_obstacle *obstacle, const cst_step_frame *frame, double when,
                                const cst_contact_end *end, const double *x, double *velocity)
{
    const double span = cst_frame_span(frame);
    double turn;
    velocity[2] = 0.0;
    if (frame->dim == 2)
        cst_obstacle_velocity(obstacle, frame->time, span, when, x, velocity, &turn);
    else
        cst_obstacle_solid_velocity(obstacle, frame->time, span, when, end ? triangle_of(obstacle, end) : 0, x, velocity);
    /* in a step to an equilibrium, a velocity is a displacement divided by the time scale dt */
    for (int c = 0; c < 3 && span != frame->dt; c++)
        velocity[c] *= span / frame->dt;
}
