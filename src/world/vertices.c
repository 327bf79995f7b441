#include "world/vertices.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "world/point_motion.h"
#include "world/world_state.h"

enum { PARALLEL_BODIES = 256 };

int cst_body_vertices(const cst_body_model *body)
{
    const cst_body_look *look = body->class->look;
    return look->vertices ? look->vertices(body->self) : 0;
}

bool cst_vertex_store_count(cst_vertex_store *store, const cst_body_model *body, int bodies, cst_arena *keep)
{
    bool same = store->layout > 0 && store->bodies == bodies;
    for (int k = 0; k < bodies && same; k++)
        same = store->first[k + 1] - store->first[k] == cst_body_vertices(body + k);
    if (same)
        return true;
    /* the old array is not freed, because the caller may still read it */
    if (bodies + 1 > store->room || store->layout > 0) {
        const int room = bodies + 1 > 2 * store->room ? bodies + 1 : 2 * store->room;
        int64_t *first = CST_TAKE_RAW(keep, int64_t, room);
        if (!first) {
            keep->failed = false;
            return false;
        }
        store->first = first;
        store->room = room;
    }
    store->first[0] = 0;
    for (int k = 0; k < bodies; k++)
        store->first[k + 1] = store->first[k] + cst_body_vertices(body + k);
    store->bodies = bodies;
    store->layout++;
    return true;
}

bool cst_vertex_array_reserve(cst_vertex_array *array, int64_t vertices, int width, cst_arena *keep)
{
    const int64_t wanted = vertices * width;
    if (array->value && wanted <= array->room)
        return true;
    const int64_t room = wanted > 2 * array->room ? wanted : 2 * array->room;
    double *value = CST_TAKE_RAW(keep, double, room);
    if (!value) {
        keep->failed = false;
        return false;
    }
    *array = (cst_vertex_array){.value = value, .room = room};
    return true;
}

/* -------------------------------------------------------------------------------------------------------- bringing up to date */

/* Writes one property of a vertex (position, velocity, frame or radius) to `out`. `room`: buffer for the motion of a material
 * point of any body. */
typedef void fill_vertex(const cst_body_model *body, const cst_material_point *at, double radius, int dim, cst_point_motion *room,
                         double *out);

static void fill_position(const cst_body_model *body, const cst_material_point *at, double radius, int dim,
                          cst_point_motion *room, double *out)
{
    (void)radius, (void)dim;
    if (body->class->places->position) {
        body->class->places->position(body->self, at, out);
        return;
    }
    body->class->places->point(body->self, at, room);
    memcpy(out, room->position, sizeof room->position);
}

static void fill_velocity(const cst_body_model *body, const cst_material_point *at, double radius, int dim,
                          cst_point_motion *room, double *out)
{
    double turn[3];
    (void)radius, (void)dim, (void)room;
    body->class->places->velocity(body->self, at, out, turn);
}

static void fill_frame(const cst_body_model *body, const cst_material_point *at, double radius, int dim, cst_point_motion *room,
                       double *out)
{
    (void)radius;
    body->class->places->point(body->self, at, room);
    if (dim == 3) {
        memcpy(out, room->frame, sizeof room->frame);
        return;
    }
    const double c = cos(room->frame_angle), s = sin(room->frame_angle);
    memcpy(out, (const double[9]){c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}, sizeof(double[9]));
}

static void fill_radius(const cst_body_model *body, const cst_material_point *at, double radius, int dim, cst_point_motion *room,
                        double *out)
{
    (void)body, (void)at, (void)dim, (void)room;
    *out = radius;
}

static void fill_bodies(const cst_world *world, int from, int to, fill_vertex *fill, int width, cst_point_motion *room,
                        double *out)
{
    for (int k = from; k < to; k++) {
        const cst_body_model *body = world->model + k;
        const int64_t first = world->vertices.first[k];
        for (int i = 0; first + i < world->vertices.first[k + 1]; i++) {
            cst_material_point at;
            double radius;
            body->class->look->vertex(body->self, i, &at, &radius);
            fill(body, &at, radius, world->def.dim, room, out + width * (first + i));
        }
    }
}

/* Updates the array of one property of all vertices and returns it. Returns NULL if memory ran out. */
static const double *up_to_date(cst_world *world, cst_vertex_array *array, fill_vertex *fill, int width)
{
    cst_vertices all;
    if (!cst_world_vertices(world, &all) || !cst_vertex_array_reserve(array, all.count, width, &world->keep))
        return NULL;
    const int threads = cst_threads_for(world->def.friction.threads, world->bodies, PARALLEL_BODIES);
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    cst_point_motion *room = cst_world_point_rooms(world, threads);
    if (room) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int t = 0; t < threads; t++)
            fill_bodies(world, (int)((int64_t)world->bodies * t / threads), (int)((int64_t)world->bodies * (t + 1) / threads),
                        fill, width, room + t, array->value);
    }
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    return room ? array->value : NULL;
}

bool cst_world_vertices(cst_world *world, cst_vertices *out)
{
    cst_vertex_store *store = &world->vertices;
    *out = (cst_vertices){0};
    if (!cst_vertex_store_count(store, world->model, world->bodies, &world->keep))
        return false;
    *out = (cst_vertices){
        .bodies = store->bodies, .count = store->first[store->bodies], .first = store->first, .layout = store->layout};
    return true;
}

const double *cst_world_positions(cst_world *world)
{
    return up_to_date(world, &world->vertices.position, fill_position, 3);
}

const double *cst_world_velocities(cst_world *world)
{
    return up_to_date(world, &world->vertices.velocity, fill_velocity, 3);
}

const double *cst_world_frames(cst_world *world)
{
    return up_to_date(world, &world->vertices.frame, fill_frame, 9);
}

const double *cst_world_radii(cst_world *world)
{
    return up_to_date(world, &world->vertices.radius, fill_radius, 1);
}
