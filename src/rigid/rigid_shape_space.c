#include "rigid/rigid_shape_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collide/mesh_space.h"
#include "math/vector3.h"
#include "mesh/mesh_edges.h"
#include "rigid/solid_check.h"
#include "rigid/solid_drawing.h"

static bool is_round(const cst_rigid_shape_space *shape)
{
    return shape->kind == CST_RIGID_SPHERE || shape->kind == CST_RIGID_CAPSULE;
}

static void to_world(const cst_rigid_pose *pose, const double *from, double *to)
{
    cst_apply3(pose->R, from, to);
    cst_add3(1.0, pose->x, to);
}

/* -------------------------------------------------------------------------------------------------------------- collision */

int cst_rigid_shape_pieces(const cst_rigid_shape_space *shape)
{
    return shape->collides && is_round(shape) ? 1 : 0;
}

void cst_rigid_shape_piece(const cst_rigid_shape_space *shape, cst_curve_piece *out)
{
    const double length = shape->kind == CST_RIGID_CAPSULE ? 2.0 * shape->size[0] : 0.0;
    *out = (cst_curve_piece){.radius = shape->radius, .length = length, .owner_length = length};
}

/* The code uses the third axis of the body as the tangent of the centreline, even for a sphere, whose centreline is a single
 * point. */
void cst_rigid_shape_curve(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, double s, double *x, double *tangent)
{
    const double own[3] = {0.0, 0.0, shape->kind == CST_RIGID_CAPSULE ? s - shape->size[0] : 0.0}, along[3] = {0.0, 0.0, 1.0};
    to_world(pose, own, x);
    if (tangent)
        cst_apply3(pose->R, along, tangent);
}

int cst_rigid_shape_solids(const cst_rigid_shape_space *shape)
{
    return shape->collides && !is_round(shape) ? 1 : 0;
}

void cst_rigid_shape_solid(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, cst_solid *out)
{
    const bool box = shape->kind == CST_RIGID_BOX;
    *out = (cst_solid){.kind = box ? CST_SOLID_BOX : CST_SOLID_MESH, .rounding = shape->radius, .mesh = shape->mesh};
    if (box)
        memcpy(out->size, shape->size, sizeof out->size);
    memcpy(out->position, pose->x, sizeof out->position);
    memcpy(out->frame, pose->R, sizeof out->frame);
}

/* ---------------------------------------------------------------------------------------------------------------- drawing */

/* A box is drawn with sharp edges and enlarged by its rounding radius, so that its faces are at the correct position. */
static void own_vertices(const cst_rigid_shape_space *shape, double *vertex)
{
    const double r = shape->radius, h = shape->size[0];
    if (shape->kind == CST_RIGID_SPHERE)
        memcpy(vertex, (const double[9]){0.0, 0.0, 0.0, r, 0.0, 0.0, 0.0, r, 0.0}, 9 * sizeof *vertex);
    else if (shape->kind == CST_RIGID_CAPSULE)
        memcpy(vertex, (const double[6]){0.0, 0.0, -h, 0.0, 0.0, h}, 6 * sizeof *vertex);
    else if (shape->kind == CST_RIGID_BOX)
        cst_box_vertices((const double[3]){shape->size[0] + r, shape->size[1] + r, shape->size[2] + r}, vertex);
    else
        memcpy(vertex, shape->vertex, 3 * (size_t)shape->vertices * sizeof *vertex);
}

cst_drawing cst_rigid_shape_draw(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, double *position, double *radius,
                                 double *curvature)
{
    cst_drawing out = {.as = CST_DRAWN_MESH, .vertices = shape->vertices};
    if (shape->kind == CST_RIGID_SPHERE)
        out = (cst_drawing){.as = CST_DRAWN_DISK, .vertices = 3};
    if (shape->kind == CST_RIGID_CAPSULE)
        out = (cst_drawing){.as = CST_DRAWN_CURVE, .vertices = 2};
    if (position) {
        own_vertices(shape, position);
        for (int i = 0; i < out.vertices; i++) {
            const double own[3] = {position[3 * i], position[3 * i + 1], position[3 * i + 2]};
            to_world(pose, own, position + 3 * i);
        }
    }
    for (int i = 0; i < out.vertices; i++) {
        if (radius)
            radius[i] = shape->kind == CST_RIGID_BOX ? 0.0 : shape->radius;
        if (curvature)
            curvature[i] = 0.0;
    }
    return out;
}

int cst_rigid_shape_triangles(const cst_rigid_shape_space *shape, int32_t *out)
{
    if (out && shape->triangles > 0)
        memcpy(out, shape->triangle, 3 * (size_t)shape->triangles * sizeof *out);
    return shape->triangles;
}

/* --------------------------------------------------------------------------------------------------------------- creation */

static bool check_lengths(const cst_rigid_def *def, char *message, size_t size)
{
    const bool round = def->shape == CST_RIGID_SPHERE || def->shape == CST_RIGID_CAPSULE;
    const int lengths = def->shape == CST_RIGID_BOX ? 3 : def->shape == CST_RIGID_CAPSULE ? 1 : 0;
    if (!isfinite(def->radius) || (round ? !(def->radius > 0.0) : !(def->radius >= 0.0))) {
        snprintf(message, size, "rigid body: the radius must be %s, not %g m", round ? "positive" : "0 or more", def->radius);
        return false;
    }
    for (int k = 0; k < lengths; k++)
        if (!(def->size[k] > 0.0) || !isfinite(def->size[k])) {
            snprintf(message, size, "rigid body: half the length of %s must be positive, not %g m",
                     def->shape == CST_RIGID_BOX ? "each edge of a box" : "the axis of a capsule", def->size[k]);
            return false;
        }
    return true;
}

bool cst_rigid_shape_measure(const cst_rigid_def *def, cst_solid_measure *measure, char *message, size_t message_size)
{
    if (def->shape < CST_RIGID_SPHERE || def->shape > CST_RIGID_MESH) {
        snprintf(message, message_size, "rigid body: no such shape in space: %d", (int)def->shape);
        return false;
    }
    if (!check_lengths(def, message, message_size))
        return false;
    if (def->shape != CST_RIGID_MESH) {
        *measure = def->shape == CST_RIGID_SPHERE    ? cst_measure_sphere(def->radius)
                   : def->shape == CST_RIGID_CAPSULE ? cst_measure_capsule(def->radius, def->size[0])
                                                     : cst_measure_box(def->size);
        return true;
    }
    if (!cst_mesh_check(&def->mesh, def->mesh.vertex, 1, "rigid body", message, message_size))
        return false;
    *measure = cst_measure_mesh(&def->mesh);
    if (measure->volume > 0.0 && isfinite(measure->volume))
        return true;
    snprintf(message, message_size,
             "rigid body: the triangles of the mesh must be counter-clockwise seen from outside (volume %g m3)", measure->volume);
    return false;
}

static bool check_closed(const cst_rigid_shape_space *shape, cst_arena *arena, char *message, size_t message_size)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_mesh_edge *all;
    const int count = cst_mesh_edges(shape->triangle, shape->triangles, arena, &all);
    const int open = count < 0 ? -1 : cst_mesh_open_edge(all, count);
    if (open >= 0)
        snprintf(message, message_size,
                 "rigid body: the mesh is not closed: its edge between vertices %d and %d belongs to %d triangle%s%s",
                 (int)all[open].from, (int)all[open].to, (int)all[open].uses, all[open].uses == 1 ? "" : "s",
                 all[open].uses == 2 ? " that go the same way along it" : "");
    cst_arena_release(arena, mark);
    return count >= 0 && open < 0;
}

static bool keep_mesh(const cst_rigid_def *def, const cst_solid_measure *measure, cst_arena *arena, cst_rigid_shape_space *shape,
                      char *message, size_t message_size)
{
    const bool box = def->shape == CST_RIGID_BOX;
    shape->vertices = box ? CST_BOX_VERTICES : def->mesh.vertices;
    shape->triangles = box ? CST_BOX_TRIANGLES : def->mesh.triangles;
    shape->vertex = CST_TAKE(arena, double, 3 * (size_t)shape->vertices);
    shape->triangle = CST_TAKE(arena, int32_t, 3 * (size_t)shape->triangles);
    if (arena->failed)
        return false;
    if (box) {
        cst_box_vertices(def->size, shape->vertex);
        cst_box_triangles(shape->triangle);
    } else {
        memcpy(shape->triangle, def->mesh.triangle, 3 * (size_t)shape->triangles * sizeof *shape->triangle);
        for (int i = 0; i < shape->vertices; i++)
            cst_subtract3(def->mesh.vertex + 3 * (size_t)i, measure->centre, shape->vertex + 3 * (size_t)i);
    }
    for (int i = 0; i < shape->vertices; i++)
        shape->reach = fmax(shape->reach, sqrt(cst_dot3(shape->vertex + 3 * (size_t)i, shape->vertex + 3 * (size_t)i)));
    if (!check_closed(shape, arena, message, message_size))
        return false;
    if (!shape->collides)
        return true;
    if (!box)
        shape->mesh =
            cst_mesh_space_create(shape->vertex, shape->vertices, shape->triangle, shape->triangles, true, &arena->allocator);
    shape->features =
        cst_feature_mesh_create(shape->vertex, shape->vertices, shape->triangle, shape->triangles, true, &arena->allocator);
    if (shape->features && (box || shape->mesh))
        return true;
    cst_rigid_shape_destroy(shape);
    return false;
}

bool cst_rigid_shape_keep(const cst_rigid_def *def, const cst_solid_measure *measure, cst_arena *arena,
                          cst_rigid_shape_space *out, char *message, size_t message_size)
{
    snprintf(message, message_size, "rigid body: out of memory"); /* default message; other faults overwrite it */
    *out = (cst_rigid_shape_space){.kind = def->shape, .radius = def->radius, .collides = def->collides};
    memcpy(out->size, def->size, sizeof out->size);
    if (!is_round(out))
        return keep_mesh(def, measure, arena, out, message, message_size);
    out->reach = def->shape == CST_RIGID_CAPSULE ? def->size[0] : 0.0;
    return true;
}

void cst_rigid_shape_destroy(cst_rigid_shape_space *shape)
{
    cst_mesh_space_destroy(shape->mesh);
    cst_feature_mesh_destroy(shape->features);
}
