#include "world/features_space.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "collide/distance_solid_space.h"
#include "math/vector3.h"

/* REACH: a contact is tracked only if its touching point moves on the rigid body or obstacle, in one step, by at most REACH times
 * the longest side of its bounding box. A move of the touching point by at most the rounding radius of the edges is always
 * accepted. */
static const double REACH = 0.1;

/* SOFT_REACH: a contact of a sheet is tracked only if its touching point moves on the sheet, in one step, by at most a limit. The
 * limit is the largest displacement of a node of the sheet, plus SOFT_REACH times half the thickness of the sheet. */
static const double SOFT_REACH = 8.0;

bool cst_space_features_begin(cst_space_features *features, const cst_geometry_input *input, const uint8_t *flags,
                              cst_arena *arena)
{
    const cst_objects *objects = input->objects;
    const int all = objects->bodies + objects->obstacles;
    *features = (cst_space_features){.in = input,
                                     .body = CST_TAKE_RAW(arena, cst_feature_body, all),
                                     .plane = CST_TAKE_RAW(arena, cst_moving_plane, objects->obstacles),
                                     .cylinder = CST_TAKE_RAW(arena, cst_moving_cylinder, objects->obstacles),
                                     .index = CST_TAKE_RAW(arena, int32_t, cst_objects_owners(objects))};
    features->scene = (cst_feature_scene){.body = features->body,
                                          .plane = features->plane,
                                          .cylinder = features->cylinder,
                                          .owner_flags = flags,
                                          .aparts = input->aparts,
                                          .apart = input->apart,
                                          .margin = input->rules->margin,
                                          .threads = input->threads};
    return !arena->failed;
}

/* Collects contact surfaces; returns their number. */
static int gather_bodies(cst_space_features *features, const cst_geometry_motion *motion)
{
    const cst_objects *objects = features->in->objects;
    int count = 0;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        const int32_t owner = cst_owner_of_body(k);
        const bool there = model->class->surface->features &&
                           model->class->surface->features(model->self, features->in->frame, motion->v + motion->start_of[k],
                                                           features->body + count);
        features->index[owner] = there ? count : -1;
        if (there)
            features->body[count++].owner = owner;
    }
    return count;
}

static void gather_obstacles(cst_space_features *features)
{
    const cst_objects *objects = features->in->objects;
    cst_feature_scene *scene = &features->scene;
    const double from = features->in->frame->time, to = cst_frame_end(features->in->frame);
    for (int k = 0; k < objects->obstacles; k++) {
        cst_obstacle *obstacle = objects->obstacle + k;
        const int32_t owner = cst_owner_of_obstacle(k);
        features->index[owner] = -1;
        if (obstacle->def.shape == CST_OBSTACLE_PLANE) {
            cst_obstacle_moving_plane(obstacle, from, to, features->plane + scene->planes);
            features->plane[scene->planes++].owner = owner;
        } else if (obstacle->def.shape == CST_OBSTACLE_CYLINDER) {
            cst_obstacle_moving_cylinder(obstacle, from, to, features->cylinder + scene->cylinders);
            features->cylinder[scene->cylinders++].owner = owner;
        } else if (cst_obstacle_surface(obstacle, from, to, features->body + scene->bodies)) {
            features->index[owner] = scene->bodies;
            features->body[scene->bodies++].owner = owner;
        }
    }
}

int cst_space_features_find(cst_space_features *features, const cst_geometry_motion *motion)
{
    cst_feature_scene *scene = &features->scene;
    scene->bodies = gather_bodies(features, motion);
    scene->planes = scene->cylinders = 0;
    scene->pose = motion->at_end ? 1 : 0;
    if (scene->bodies == 0) /* obstacles do not touch each other */
        return 0;
    gather_obstacles(features);
    return cst_detect_features(features->in->features, scene, &features->touch);
}

/* ----------------------------------------------------------------------------------------------------------------- contacts */

/* Returns the description (cst_contact_end) of a touching point: the material point `place` of a body or obstacle, which is at
 * the position x in the world's frame. */
static cst_contact_end end_of(const cst_space_features *features, const cst_material_place *place, const double *x)
{
    const int32_t index = features->index[place->owner];
    cst_contact_end end = {
        .owner = place->owner, .kind = place->kind, .feature = place->index, .c = {place->c[0], place->c[1]}, .reach = HUGE_VAL};
    if (index < 0)
        return end;
    const cst_feature_body *body = features->body + index;
    const int pose = features->scene.pose;
    double from[3];
    cst_subtract3(x, body->x[pose], from);
    cst_apply_transposed3(body->R[pose], from, end.at);
    end.radius = body->rounding;
    end.reach = body->mesh->soft ? body->stretch + SOFT_REACH * body->rounding : fmax(REACH * body->mesh->size, body->rounding);
    return end;
}

static double rounding_of_cylinder(const cst_space_features *features, int32_t owner)
{
    for (int k = 0; k < features->scene.cylinders; k++)
        if (features->cylinder[k].owner == owner)
            return features->cylinder[k].rounding;
    return 0.0;
}

void cst_space_features_take(const cst_space_features *features, int index, cst_contact *out)
{
    const cst_feature_touch *touch = features->touch + index;
    out->a = end_of(features, &touch->a, touch->x_a);
    out->b = end_of(features, &touch->b, touch->x_b);
    const int32_t a = features->index[touch->a.owner], b = features->index[touch->b.owner];
    if (b < 0)
        out->b.radius = rounding_of_cylinder(features, touch->b.owner);
    out->thickness =
        cst_feature_length(features->body[a].mesh, out->a.radius, b < 0 ? NULL : features->body[b].mesh, out->b.radius);
    memcpy(out->normal, touch->normal, sizeof out->normal);
    memcpy(out->center, touch->x_a, sizeof out->center);
    out->gap = touch->gap;
    out->soft = features->body[a].mesh->soft || (b >= 0 && features->body[b].mesh->soft);
    out->foreseen = out->soft && touch->swept;
}

/* Computes the present position of one of the two touching points of a contact. */
static void place_of_end(const cst_objects *objects, const cst_solid *solid, const cst_contact_end *end, double *out)
{
    enum { DOFS = 9 }; /* dofs of a triangle */
    if (solid) {
        cst_apply3(solid->frame, end->at, out);
        cst_add3(1.0, solid->position, out);
        return;
    }
    const cst_body_model *model = objects->model + cst_owner_index(end->owner);
    const cst_material_place place = {.owner = end->owner, .kind = end->kind, .index = end->feature, .c = {end->c[0], end->c[1]}};
    int32_t dof[DOFS];
    double j[3 * DOFS], j_turn[3 * DOFS];
    cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
    cst_material_point at;
    assert(model->class->places->point_dofs(model->self) <= DOFS);
    model->class->places->touched(model->self, &place, 0.0, end->at, &at);
    model->class->places->point(model->self, &at, &motion);
    memcpy(out, motion.position, sizeof motion.position);
}

void cst_space_features_follow(const cst_objects *objects, const cst_solid *a, const cst_solid *b, cst_contact *contact)
{
    double other[3], apart[3];
    place_of_end(objects, a, &contact->a, contact->center);
    /* the point `b` of the contact is on a plane or a cylinder, which has no vertices, edges or faces */
    if (contact->b.kind == CST_FEATURE_BODY) {
        contact->gap = cst_solid_distance(b, contact->center, contact->normal) - contact->a.radius;
        return;
    }
    place_of_end(objects, b, &contact->b, other);
    cst_subtract3(contact->center, other, apart);
    contact->gap = cst_dot3(apart, contact->normal) - contact->a.radius - contact->b.radius;
}
