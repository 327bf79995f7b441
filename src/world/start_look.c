#include "world/start_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/owner_rules.h"
#include "world/apart_pairs.h"
#include "world/geometry.h"
#include "world/start_inside.h"
#include "world/world_state.h"

/* POINTS_MAX: largest number of tested points of a body, which is enough to tell whether one end or the whole body is inside an
 * obstacle. */
enum { POINTS_MAX = 32 };

typedef struct look {
    cst_world *world;
    cst_arena *arena; /* memory for the list of overlaps */
    cst_step_frame frame;
    cst_objects objects;
    const cst_owner_pair *apart;
    int aparts;
    cst_start_overlap *overlap; /* array (overlaps), with memory for `room` */
    int overlaps, room;
    cst_start_crossings crossings;
} look;

static bool same_party(cst_party a, cst_party b)
{
    return a.body == b.body && a.obstacle == b.obstacle;
}

/* Adds an overlap to the list. Returns NULL if memory ran out. */
static cst_start_overlap *next_overlap(look *in)
{
    cst_start_overlap *list = cst_arena_grow(in->arena, in->overlap, in->overlaps, &in->room, sizeof *list);
    if (!list)
        return NULL;
    in->overlap = list;
    return in->overlap + in->overlaps++;
}

/* --------------------------------------------------------------------------------------------------------------- detection */

/* Makes a motion in which nothing moves; all bodies share one array of zero velocities. Returns false if memory ran out. */
static bool no_motion(const look *in, cst_geometry_motion *out)
{
    int most = 1;
    for (int k = 0; k < in->objects.bodies; k++) {
        const int dofs = in->objects.model[k].class->dynamics->dofs(in->objects.model[k].self);
        most = dofs > most ? dofs : most;
    }
    *out = (cst_geometry_motion){.v = CST_TAKE(&in->world->step, double, most),
                                 .start_of = CST_TAKE(&in->world->step, int32_t, in->objects.bodies)};
    return !in->world->step.failed;
}

static bool take_touches(look *in, const cst_geometry *geometry, int touches)
{
    for (int i = 0; i < touches; i++) {
        cst_contact contact = {0};
        geometry->class->take(geometry->self, i, &contact);
        if (!(contact.gap < 0.0))
            continue;
        cst_start_overlap *overlap = next_overlap(in);
        if (!overlap)
            return false;
        *overlap = (cst_start_overlap){.a = cst_owner_party(contact.a.owner),
                                       .b = cst_owner_party(contact.b.owner),
                                       .depth = -contact.gap,
                                       .radius = cst_contact_length(&contact)};
        memcpy(overlap->position, contact.center, sizeof overlap->position);
    }
    return true;
}

/* Returns false if memory ran out. */
static bool find_crossings(look *in, const cst_geometry *geometry)
{
    cst_feature_crossing first;
    cst_start_crossings *out = &in->crossings;
    out->pairs =
        geometry->class->crossings_at_start ? geometry->class->crossings_at_start(geometry->self, &in->world->step, &first) : 0;
    if (out->pairs > 0) {
        /* out->a must be a body: it is the first of the two crossing objects or, if the first object is an obstacle, the second
         * object, which is then a sheet */
        const int sheet = cst_owner_is_body(first.owner[0]) ? 0 : 1;
        out->a = cst_owner_party(first.owner[sheet]);
        out->b = cst_owner_party(first.owner[1 - sheet]);
        memcpy(out->position, first.place, sizeof out->position);
    }
    return out->pairs >= 0;
}

static bool detect(look *in)
{
    cst_world *world = in->world;
    const cst_geometry_input input = {.objects = &in->objects,
                                      .frame = &in->frame,
                                      .rules = &world->def.contact,
                                      .apart = in->apart,
                                      .aparts = in->aparts,
                                      .threads = world->def.friction.threads,
                                      .detector = &world->detector,
                                      .features = &world->features};
    cst_geometry geometry;
    cst_geometry_motion motion;
    if (!cst_geometry_begin(&geometry, &input, &world->step) || !no_motion(in, &motion))
        return false;
    const int touches = geometry.class->find(geometry.self, in->frame.time, NULL, &motion);
    return touches >= 0 && take_touches(in, &geometry, touches) && find_crossings(in, &geometry);
}

/* ------------------------------------------------------------------------------------------------------------------ inside */

/* Selects at most POINTS_MAX points of a body, evenly among its drawn vertices, and writes their positions to an array *out in
 * the step's arena. Returns the number of selected points, or -1 if memory ran out. */
static int points_of(look *in, int body, double **out)
{
    const cst_drawing drawing = cst_world_draw_body(in->world, (cst_body_id)body + 1, 1, NULL, NULL, NULL);
    double *all = CST_TAKE(&in->world->step, double, 3 * (size_t)drawing.vertices);
    if (!all)
        return -1;
    cst_world_draw_body(in->world, (cst_body_id)body + 1, 1, all, NULL, NULL);
    *out = all;
    if (drawing.as == CST_DRAWN_DISK)
        return 1;
    const int points = drawing.vertices < POINTS_MAX ? drawing.vertices : POINTS_MAX;
    for (int i = 0; i < points; i++) {
        const int from = points > 1 ? (int)((int64_t)i * (drawing.vertices - 1) / (points - 1)) : 0;
        memmove(all + 3 * i, all + 3 * from, 3 * sizeof *all);
    }
    return points;
}

static bool look_inside(look *in, const cst_matter *matter, int obstacle, int body, const double *point, int points)
{
    cst_start_overlap found = {.a = {.body = (cst_body_id)body + 1}, .b = {.obstacle = (cst_obstacle_id)obstacle + 1}};
    for (int i = 0; i < points; i++) {
        const double depth = cst_matter_depth(matter, point + 3 * i);
        found.share += depth > 0.0 ? 1.0 / points : 0.0;
        if (depth > found.depth) {
            found.depth = depth;
            memcpy(found.position, point + 3 * i, sizeof found.position);
        }
    }
    cst_start_overlap *overlap = found.depth > 0.0 ? next_overlap(in) : NULL;
    if (overlap)
        *overlap = found;
    return overlap || !(found.depth > 0.0);
}

/* Returns true if the body has contact shapes; a body that is defined to touch nothing has none. */
static bool is_touchable(const cst_body_model *model)
{
    const cst_body_surface *surface = model->class->surface;
    return (surface->arcs && surface->arcs(model->self) > 0) || (surface->pieces && surface->pieces(model->self) > 0) ||
           (surface->solids && surface->solids(model->self) > 0);
}

static bool look_inside_obstacles(look *in)
{
    cst_world *world = in->world;
    cst_matter *matter = CST_TAKE(&world->step, cst_matter, world->obstacles);
    bool good = !world->step.failed;
    for (int i = 0; good && i < world->obstacles; i++)
        good = cst_matter_begin(matter + i, world->obstacle + i, in->frame.time, &world->step);
    for (int k = 0; good && k < world->bodies; k++) {
        if (!is_touchable(world->model + k))
            continue;
        const cst_arena_mark mark = cst_arena_mark_now(&world->step);
        double *point = NULL;
        const int points = points_of(in, k, &point);
        good = points >= 0;
        for (int i = 0; good && i < world->obstacles; i++)
            if (cst_owners_touch(in->apart, in->aparts, cst_owner_of_body(k), 0, cst_owner_of_obstacle(i), CST_OWNER_FIXED))
                good = look_inside(in, matter + i, i, k, point, points);
        cst_arena_release(&world->step, mark);
    }
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------- pairs */

static int by_pair(const void *left, const void *right)
{
    const cst_start_overlap *a = left, *b = right;
    const uint32_t x[] = {a->b.obstacle, a->a.body, a->b.body}, y[] = {b->b.obstacle, b->a.body, b->b.body};
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return a->depth > b->depth ? -1 : a->depth < b->depth;
}

/* Merges all overlaps of a pair into one entry, the deepest overlap, and returns the number of pairs. If the radius of the
 * surfaces at the deepest overlap is unknown (zero), the radius at another overlap of the pair is taken. The member `share`
 * (fraction of the tested points inside the obstacle) becomes the largest of its values in all overlaps of the pair. */
static int merged(cst_start_overlap *overlap, int count)
{
    int kept = 0;
    if (count > 0)
        qsort(overlap, (size_t)count, sizeof *overlap, by_pair);
    for (int i = 0; i < count; i++) {
        cst_start_overlap *last = kept > 0 ? overlap + kept - 1 : NULL;
        if (!last || !same_party(last->a, overlap[i].a) || !same_party(last->b, overlap[i].b)) {
            overlap[kept++] = overlap[i];
            continue;
        }
        last->radius = last->radius > 0.0 ? last->radius : overlap[i].radius;
        last->share = fmax(last->share, overlap[i].share);
    }
    return kept;
}

int cst_world_look_at_start(cst_world *world, cst_arena *arena, const cst_start_overlap **out, cst_start_crossings *crossings)
{
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    look in = {.world = world,
               .arena = arena,
               .frame = cst_world_frame(world, world->def.time_step.dt),
               .objects = cst_world_objects(world)};
    cst_world_place_bodies(world);
    in.aparts =
        cst_apart_pairs(world->apart, world->aparts, world->constraint, world->constraints, &in.frame, &world->step, &in.apart);
    const bool good = in.aparts >= 0 && detect(&in) && look_inside_obstacles(&in);
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    *out = in.overlap;
    *crossings = in.crossings;
    return good ? merged(in.overlap, in.overlaps) : -1;
}
