#include "output/cache_frame.h"

#include <stdlib.h>
#include <string.h>

/* How an obstacle was drawn at the start, and where that is in the file: the first frame begins with the obstacles, in order. */
typedef struct first_drawing {
    cst_drawing drawing;
    cst_row_range rows;
    cst_vertex_row *vertex;
} first_drawing;

struct cst_frame_writer {
    int samples;
    bool contacts;
    int obstacles;
    first_drawing *first; /* (obstacles) */
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
    if (!ok) {
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
                         .states = {cst_cache_rows(cache, CST_TABLE_STATES), 0}};
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
    cst_world_body_state(world, body, &frames->state->value);
    cst_item_row item = {.owner = CST_ITEM_BODY,
                         .id = body,
                         .as = drawing.as,
                         .closed = drawing.closed,
                         .vertices = {cst_cache_rows(cache, CST_TABLE_VERTICES), drawing.vertices},
                         .states = {cst_cache_rows(cache, CST_TABLE_STATES), states}};
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
    bool ok = cst_cache_append(cache, CST_TABLE_CONTACTS, contact, contacts);
    for (int i = 0; i < frames->obstacles && ok; i++)
        ok = write_obstacle(frames, world, i, cache);
    for (int i = 0; i < bodies && ok; i++)
        ok = write_body(frames, world, (cst_body_id)(i + 1), cache);
    return ok && cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1);
}
