#include "cache/cache_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The vertices of an obstacle before the first step, and the rows of the file that contain its vertices and triangles. In the
 * first saved frame, the rows of the obstacles come before those of the bodies. */
typedef struct first_drawing {
    cst_drawing drawing;
    cst_row_range rows, triangles;
    cst_vertex_row *vertex;
} first_drawing;

struct cst_frame_writer {
    int samples;
    bool contacts;
    int obstacles;
    first_drawing *first; /* (obstacles) */
    int bodies;           /* at the start */
    /* array (bodies): rows of each body's initial triangles in the file */
    cst_row_range *body_triangles;
    int64_t triangles;
    cst_triangle_row *triangle; /* array (triangles): initial triangles */
    /* buffers that grow */
    size_t vertex_room, state_room, contact_room, other_room;
    double *position, *radius, *curvature;
    cst_vertex_row *vertex;
    cst_state_row *state;
    cst_contact_view *contact; /* selected contacts of a light cache */
    cst_triangle_row *other;   /* current triangles of a mesh whose triangles have changed since the start */
};

/* Returns memory for at least `wanted` + 1 rows of a table, each of `size` bytes. The old memory `rows` of the table is returned
 * if it is large enough; otherwise it is freed and new memory is allocated. The old contents are lost. Returns NULL if memory ran
 * out. */
static void *room_for(void *rows, size_t *room, size_t wanted, size_t size)
{
    if (rows && wanted < *room)
        return rows;
    free(rows);
    rows = malloc((wanted + 1) * size);
    *room = rows ? wanted + 1 : 0;
    return rows;
}

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

/* Copies the positions, radii and curvatures of the vertices of a body or an obstacle to rows of the vertex table. */
static void weave(cst_frame_writer *frames, int vertices, bool curvature)
{
    for (int i = 0; i < vertices; i++) {
        memcpy(frames->vertex[i].position, frames->position + 3 * i, 3 * sizeof(double));
        frames->vertex[i].radius = frames->radius[i];
        frames->vertex[i].curvature = curvature ? frames->curvature[i] : 0.0;
        memset(frames->vertex[i].director, 0, sizeof frames->vertex[i].director);
    }
}

/* In a cache with the level of detail "light", the coordinates of a vertex with a positive radius are rounded to multiples of the
 * largest power of two that is at most 1/1024 of the radius. A 32-bit real represents a rounded coordinate exactly if it is at
 * most 8,000 times the radius of the vertex. The rounding of positions in a light cache is not visible in pictures and saves a
 * fifth of their disk space (scenes/hair/free_a.json with 1,920 hairs). */
static void round_positions(cst_vertex_row *vertex, int vertices)
{
    for (int i = 0; i < vertices; i++) {
        int exponent;
        if (!(vertex[i].radius > 0.0) || !isfinite(vertex[i].radius))
            continue;
        frexp(vertex[i].radius, &exponent);
        const double quantum = ldexp(1.0, exponent - 11);
        for (int k = 0; k < 3; k++)
            vertex[i].position[k] = quantum * nearbyint(vertex[i].position[k] / quantum);
    }
}

static bool append_vertices(cst_frame_writer *frames, int vertices, cst_cache_writer *cache)
{
    if (cst_cache_detail_of(cache) == CST_DETAIL_LIGHT)
        round_positions(frames->vertex, vertices);
    return cst_cache_append(cache, CST_TABLE_VERTICES, frames->vertex, vertices);
}

/* Computes the director d1 along a fiber in 3D. The arc length from the start of the fiber to a vertex is approximated by the sum
 * of the chord lengths; the error is not visible in pictures. */
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

/* Returns false if memory ran out. The vertices are in frames->vertex. */
static bool draw_obstacle(cst_frame_writer *frames, const cst_world *world, cst_obstacle_id obstacle, cst_drawing *out)
{
    *out = cst_world_draw_obstacle(world, obstacle, NULL, NULL);
    if (!vertex_room(frames, out->vertices))
        return false;
    *out = cst_world_draw_obstacle(world, obstacle, frames->position, frames->radius);
    weave(frames, out->vertices, false);
    return true;
}

/* Returns the number of current triangles of a mesh. `out`: receives the triangles, or NULL. */
static int triangles_of(const cst_frame_writer *frames, const cst_world *world, int mesh, cst_triangle_row *out)
{
    const int body = mesh - frames->obstacles;
    int32_t *corner = out ? out->corner : NULL;
    return body < 0 ? cst_world_obstacle_triangles(world, (cst_obstacle_id)(mesh + 1), corner)
                    : cst_world_body_triangles(world, (cst_body_id)(body + 1), corner);
}

static cst_row_range *first_triangles(const cst_frame_writer *frames, int mesh)
{
    return mesh < frames->obstacles ? &frames->first[mesh].triangles : &frames->body_triangles[mesh - frames->obstacles];
}

/* Reads the initial triangles of each mesh and assigns rows of the file to them. Returns false if memory ran out. */
static bool number_triangles(cst_frame_writer *frames, const cst_world *world)
{
    frames->bodies = cst_world_bodies(world);
    frames->body_triangles = calloc((size_t)frames->bodies + 1, sizeof *frames->body_triangles);
    if (!frames->body_triangles)
        return false;
    const int meshes = frames->obstacles + frames->bodies;
    for (int i = 0; i < meshes; i++) {
        *first_triangles(frames, i) = (cst_row_range){frames->triangles, triangles_of(frames, world, i, NULL)};
        frames->triangles += first_triangles(frames, i)->count;
    }
    frames->triangle = malloc(((size_t)frames->triangles + 1) * sizeof *frames->triangle);
    for (int i = 0; i < meshes && frames->triangle; i++)
        if (first_triangles(frames, i)->count > 0)
            triangles_of(frames, world, i, frames->triangle + first_triangles(frames, i)->first);
    return frames->triangle != NULL;
}

static bool write_first_triangles(const cst_frame_writer *frames, cst_cache_writer *cache)
{
    return cst_cache_rows(cache, CST_TABLE_TRIANGLES) > 0 ||
           cst_cache_append(cache, CST_TABLE_TRIANGLES, frames->triangle, frames->triangles);
}

/* Sets *out to the range of rows with the triangles of a body: the initial rows or, if the triangles have changed since the
 * start, new rows. Returns false if memory ran out or HDF5 failed. In this version no body changes its triangles, so only bodies
 * that were added after the start get new rows of triangles. The triangles of a frame are compared with the initial triangles,
 * not with those of the previous frame, so that a resumed run writes the same rows as an uninterrupted run. */
static bool write_body_triangles(cst_frame_writer *frames, const cst_world *world, cst_body_id body, cst_cache_writer *cache,
                                 cst_row_range *out)
{
    const int mesh = frames->obstacles + (int)body - 1, count = triangles_of(frames, world, mesh, NULL);
    *out = body <= (cst_body_id)frames->bodies ? *first_triangles(frames, mesh) : (cst_row_range){0, 0};
    if (count == 0) {
        out->count = 0;
        return true;
    }
    frames->other = room_for(frames->other, &frames->other_room, (size_t)count, sizeof *frames->other);
    if (!frames->other)
        return false;
    triangles_of(frames, world, mesh, frames->other);
    if (count == out->count && memcmp(frames->other, frames->triangle + out->first, (size_t)count * sizeof *frames->other) == 0)
        return true;
    *out = (cst_row_range){cst_cache_rows(cache, CST_TABLE_TRIANGLES), count};
    return cst_cache_append(cache, CST_TABLE_TRIANGLES, frames->other, count);
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
    free(frames->contact);
    free(frames->triangle);
    free(frames->other);
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
    return (stands || append_vertices(frames, drawing.vertices, cache)) && cst_cache_append(cache, CST_TABLE_ITEMS, &item, 1);
}

static bool write_body(cst_frame_writer *frames, const cst_world *world, cst_body_id body, cst_cache_writer *cache)
{
    cst_drawing drawing = cst_world_draw_body(world, body, frames->samples, NULL, NULL, NULL);
    const bool light = cst_cache_detail_of(cache) == CST_DETAIL_LIGHT;
    const int states = light ? 0 : cst_world_body_state(world, body, NULL);
    frames->state = room_for(frames->state, &frames->state_room, (size_t)states, sizeof *frames->state);
    if (!vertex_room(frames, drawing.vertices) || !frames->state)
        return false;
    drawing = cst_world_draw_body(world, body, frames->samples, frames->position, frames->radius, frames->curvature);
    weave(frames, drawing.vertices, true);
    const bool space = cst_world_definition(world)->dim == 3;
    if (!light && drawing.as == CST_DRAWN_CURVE && space && drawing.vertices > 2) /* two vertices are a capsule */
        add_directors(frames, world, body, drawing.vertices);
    if (!light)
        cst_world_body_state(world, body, &frames->state->value);
    cst_item_row item = {.owner = CST_ITEM_BODY,
                         .id = body,
                         .as = drawing.as,
                         .closed = drawing.closed,
                         .vertices = {cst_cache_rows(cache, CST_TABLE_VERTICES), drawing.vertices},
                         .states = {cst_cache_rows(cache, CST_TABLE_STATES), states}};
    return write_body_triangles(frames, world, body, cache, &item.triangles) &&
           append_vertices(frames, drawing.vertices, cache) && cst_cache_append(cache, CST_TABLE_STATES, frames->state, states) &&
           cst_cache_append(cache, CST_TABLE_ITEMS, &item, 1);
}

/* Selects the contacts that do not take off, or that have a force; a cache with the level of detail "light" stores only these
 * contacts. Returns false if memory ran out. */
static bool pressing(cst_frame_writer *frames, const cst_contact_view **contact, int *contacts)
{
    frames->contact = room_for(frames->contact, &frames->contact_room, (size_t)*contacts, sizeof *frames->contact);
    if (!frames->contact)
        return false;
    int kept = 0;
    for (int i = 0; i < *contacts; i++) {
        const double *force = (*contact)[i].force;
        if ((*contact)[i].contact_case != CST_CASE_TAKE_OFF || force[0] != 0.0 || force[1] != 0.0 || force[2] != 0.0)
            frames->contact[kept++] = (*contact)[i];
    }
    *contact = frames->contact;
    *contacts = kept;
    return true;
}

bool cst_frame_write(cst_frame_writer *frames, const cst_world *world, int64_t whole, cst_cache_writer *cache)
{
    const cst_contact_view *contact = NULL;
    int contacts = frames->contacts ? cst_world_contacts(world, &contact) : 0, bodies = cst_world_bodies(world);
    if (cst_cache_detail_of(cache) == CST_DETAIL_LIGHT && !pressing(frames, &contact, &contacts))
        return false;
    cst_frame_row frame = {.time = cst_world_time(world),
                           .step = cst_world_steps(world),
                           .whole = whole,
                           .items = {cst_cache_rows(cache, CST_TABLE_ITEMS), frames->obstacles + bodies},
                           .contacts = {cst_cache_rows(cache, CST_TABLE_CONTACTS), contacts}};
    bool ok = write_first_triangles(frames, cache) && cst_cache_append(cache, CST_TABLE_CONTACTS, contact, contacts);
    for (int i = 0; i < frames->obstacles && ok; i++)
        ok = write_obstacle(frames, world, i, cache);
    for (int i = 0; i < bodies && ok; i++)
        ok = write_body(frames, world, (cst_body_id)(i + 1), cache);
    return ok && cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1);
}
