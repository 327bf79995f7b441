#include "cache/cache_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How an obstacle was drawn at the start, and where that is in the file: the first frame begins with the obstacles, in order. */
typedef struct first_drawing {
    cst_drawing drawing;
    cst_row_range rows, triangles;
    cst_vertex_row *vertex;
} first_drawing;

struct cst_frame_writer {
    int samples;
    bool contacts;
    int obstacles;
    first_drawing *first;          /* (obstacles) */
    int bodies;                    /* at the start */
    cst_row_range *body_triangles; /* (bodies), after those of the obstacles: all triangles are written with the first frame */
    int64_t triangles;
    /* buffers that grow */
    size_t vertex_room, state_room;
    double *position, *radius, *curvature;
    cst_vertex_row *vertex;
    cst_state_row *state;
};

static bool vertex_room(cst_frame_writer *frames, int vertices)
{
    size_t wanted = (size_t)vertices + 1;
    if (wanted <= frames->vertex_room)
        return true;
    free(frames->position);
    free(frames->radius);
    free(frames->curvature);
    free(frames->vertex);
    frames->position = malloc(3 * wanted * sizeof(double));
    frames->radius = malloc(wanted * sizeof(double));
    frames->curvature = malloc(wanted * sizeof(double));
    frames->vertex = malloc(wanted * sizeof *frames->vertex);
    bool ok = frames->position && frames->radius && frames->curvature && frames->vertex;
    frames->vertex_room = ok ? wanted : 0;
    return ok;
}

static bool state_room(cst_frame_writer *frames, int states)
{
    size_t wanted = (size_t)states + 1;
    if (wanted <= frames->state_room)
        return true;
    free(frames->state);
    frames->state = malloc(wanted * sizeof *frames->state);
    frames->state_room = frames->state ? wanted : 0;
    return frames->state != NULL;
}

/* The arrays of a drawing as rows. */
static void weave(cst_frame_writer *frames, int vertices, bool curvature)
{
    for (int i = 0; i < vertices; i++) {
        memcpy(frames->vertex[i].position, frames->position + 3 * i, 3 * sizeof(double));
        frames->vertex[i].radius = frames->radius[i];
        frames->vertex[i].curvature = curvature ? frames->curvature[i] : 0.0;
        memset(frames->vertex[i].director, 0, sizeof frames->vertex[i].director);
    }
}

/* The director d1 along a fiber in space. Where a vertex is along it is taken from the chords so far: they are shorter than the arc,
 * but by less than anybody sees in a stripe. */
static void add_directors(cst_frame_writer *frames, const cst_world *world, cst_body_id body, int vertices)
{
    double s = 0.0, frame[9];
    for (int i = 0; i < vertices; i++) {
        const double *p = frames->vertex[i].position, *before = i > 0 ? frames->vertex[i - 1].position : p;
        s += hypot(hypot(p[0] - before[0], p[1] - before[1]), p[2] - before[2]);
        const cst_place place = {.body = body, .s = s, .at_end = i == vertices - 1};
        if (cst_world_place_space(world, &place, NULL, frame, NULL, NULL))
            for (int k = 0; k < 3; k++)
                frames->vertex[i].director[k] = frame[3 * k + 1];
    }
}

/* False without memory; the vertices are in frames->vertex. */
static bool draw_obstacle(cst_frame_writer *frames, const cst_world *world, cst_obstacle_id obstacle, cst_drawing *out)
{
    *out = cst_world_draw_obstacle(world, obstacle, NULL, NULL);
    if (!vertex_room(frames, out->vertices))
        return false;
    *out = cst_world_draw_obstacle(world, obstacle, frames->position, frames->radius);
    weave(frames, out->vertices, false);
    return true;
}

/* Which rows of the file the triangles of each mesh are. False without memory. */
static bool number_triangles(cst_frame_writer *frames, const cst_world *world)
{
    frames->bodies = cst_world_bodies(world);
    frames->body_triangles = calloc((size_t)frames->bodies + 1, sizeof *frames->body_triangles);
    if (!frames->body_triangles)
        return false;
    for (int i = 0; i < frames->obstacles + frames->bodies; i++) {
        const int body = i - frames->obstacles;
        int count = body < 0 ? cst_world_obstacle_triangles(world, (cst_obstacle_id)(i + 1), NULL)
                             : cst_world_body_triangles(world, (cst_body_id)(body + 1), NULL);
        *(body < 0 ? &frames->first[i].triangles : &frames->body_triangles[body]) = (cst_row_range){frames->triangles, count};
        frames->triangles += count;
    }
    return true;
}

/* All of them, if the file has none yet. */
static bool write_triangles(const cst_frame_writer *frames, const cst_world *world, cst_cache_writer *cache)
{
    if (frames->triangles == 0 || cst_cache_rows(cache, CST_TABLE_TRIANGLES) > 0)
        return true;
    cst_triangle_row *row = malloc((size_t)frames->triangles * sizeof *row);
    if (!row)
        return false;
    for (int i = 0; i < frames->obstacles; i++)
        if (frames->first[i].triangles.count > 0)
            cst_world_obstacle_triangles(world, (cst_obstacle_id)(i + 1), row[frames->first[i].triangles.first].corner);
    for (int i = 0; i < frames->bodies; i++)
        if (frames->body_triangles[i].count > 0)
            cst_world_body_triangles(world, (cst_body_id)(i + 1), row[frames->body_triangles[i].first].corner);
    bool ok = cst_cache_append(cache, CST_TABLE_TRIANGLES, row, frames->triangles);
    free(row);
    return ok;
}

cst_frame_writer *cst_frame_writer_new(const cst_world *world, int samples, bool contacts)
{
    cst_frame_writer *frames = calloc(1, sizeof *frames);
    if (!frames)
        return NULL;
    frames->samples = samples;
    frames->contacts = contacts;
    frames->obstacles = cst_world_obstacles(world);
    frames->first = calloc((size_t)frames->obstacles + 1, sizeof *frames->first);
    bool ok = frames->first != NULL;
    int64_t row = 0;
    for (int i = 0; i < frames->obstacles && ok; i++) {
        first_drawing *own = &frames->first[i];
        ok = draw_obstacle(frames, world, (cst_obstacle_id)(i + 1), &own->drawing);
        own->rows = (cst_row_range){row, ok ? own->drawing.vertices : 0};
        row += own->rows.count;
        own->vertex = ok ? malloc(((size_t)own->rows.count + 1) * sizeof *own->vertex) : NULL;
        ok = own->vertex != NULL;
        if (ok)
            memcpy(own->vertex, frames->vertex, (size_t)own->rows.count * sizeof *own->vertex);
    }
    if (!ok || !number_triangles(frames, world)) {
        cst_frame_writer_free(frames);
        return NULL;
    }
    return frames;
}

void cst_frame_writer_free(cst_frame_writer *frames)
{
    if (!frames)
        return;
    for (int i = 0; i < frames->obstacles && frames->first; i++)
        free(frames->first[i].vertex);
    free(frames->first);
    free(frames->body_triangles);
    free(frames->position);
    free(frames->radius);
    free(frames->curvature);
    free(frames->vertex);
    free(frames->state);
    free(frames);
}

static bool write_obstacle(cst_frame_writer *frames, const cst_world *world, int index, cst_cache_writer *cache)
{
    const first_drawing *first = &frames->first[index];
    cst_drawing drawing;
    if (!draw_obstacle(frames, world, (cst_obstacle_id)(index + 1), &drawing))
        return false;
    int64_t rows = cst_cache_rows(cache, CST_TABLE_VERTICES);
    bool stands = rows > first->rows.first && drawing.vertices == first->drawing.vertices &&
                  memcmp(frames->vertex, first->vertex, (size_t)drawing.vertices * sizeof *first->vertex) == 0;
    cst_item_row item = {.owner = CST_ITEM_OBSTACLE,
                         .id = (uint32_t)(index + 1),
                         .as = drawing.as,
                         .closed = drawing.closed,
                         .vertices = stands ? first->rows : (cst_row_range){rows, drawing.vertices},
                         .states = {cst_cache_rows(cache, CST_TABLE_STATES), 0},
                         .triangles = first->triangles};
    return (stands || cst_cache_append(cache, CST_TABLE_VERTICES, frames->vertex, drawing.vertices)) &&
           cst_cache_append(cache, CST_TABLE_ITEMS, &item, 1);
}

static bool write_body(cst_frame_writer *frames, const cst_world *world, cst_body_id body, cst_cache_writer *cache)
{
    cst_drawing drawing = cst_world_draw_body(world, body, frames->samples, NULL, NULL, NULL);
    int states = cst_world_body_state(world, body, NULL);
    if (!vertex_room(frames, drawing.vertices) || !state_room(frames, states))
        return false;
    drawing = cst_world_draw_body(world, body, frames->samples, frames->position, frames->radius, frames->curvature);
    weave(frames, drawing.vertices, true);
    if (drawing.as == CST_DRAWN_CURVE && cst_world_definition(world)->dim == 3 && drawing.vertices > 2) /* two are a capsule's */
        add_directors(frames, world, body, drawing.vertices);
    cst_world_body_state(world, body, &frames->state->value);
    cst_item_row item = {.owner = CST_ITEM_BODY,
                         .id = body,
                         .as = drawing.as,
                         .closed = drawing.closed,
                         .vertices = {cst_cache_rows(cache, CST_TABLE_VERTICES), drawing.vertices},
                         .states = {cst_cache_rows(cache, CST_TABLE_STATES), states}};
    if (body <= (cst_body_id)frames->bodies)
        item.triangles = frames->body_triangles[body - 1];
    return cst_cache_append(cache, CST_TABLE_VERTICES, frames->vertex, drawing.vertices) &&
           cst_cache_append(cache, CST_TABLE_STATES, frames->state, states) && cst_cache_append(cache, CST_TABLE_ITEMS, &item, 1);
}

bool cst_frame_write(cst_frame_writer *frames, const cst_world *world, int64_t whole, cst_cache_writer *cache)
{
    const cst_contact_view *contact = NULL;
    int contacts = frames->contacts ? cst_world_contacts(world, &contact) : 0, bodies = cst_world_bodies(world);
    cst_frame_row frame = {.time = cst_world_time(world),
                           .step = cst_world_steps(world),
                           .whole = whole,
                           .items = {cst_cache_rows(cache, CST_TABLE_ITEMS), frames->obstacles + bodies},
                           .contacts = {cst_cache_rows(cache, CST_TABLE_CONTACTS), contacts}};
    bool ok = write_triangles(frames, world, cache) && cst_cache_append(cache, CST_TABLE_CONTACTS, contact, contacts);
    for (int i = 0; i < frames->obstacles && ok; i++)
        ok = write_obstacle(frames, world, i, cache);
    for (int i = 0; i < bodies && ok; i++)
        ok = write_body(frames, world, (cst_body_id)(i + 1), cache);
    return ok && cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1);
}
