#include "render/moment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/twist.h"

enum { VERTEX_NUMBERS = 10 }; /* numbers per vertex: position, radius, curvature, speed, director, twist */

/* A copy of a frame, because the cache overwrites its own frame when the next frame is read. */
typedef struct frame {
    int64_t index; /* -1: none yet */
    double time;
    int items, vertices, contacts, triangles;
    int item_room, vertex_room, contact_room, triangle_room;
    cst_moment_item *item;
    double *position, *radius, *curvature, *speed, *director, *twist; /* one block */
    cst_triangle_row *triangle;
    cst_contact_view *contact;
} frame;

struct cst_run_reader {
    cst_cache *cache;
    int64_t frames;
    frame before, after, between;
    double time[]; /* (frames) */
};

/* ----------------------------------------------------------------------------------------------------------------- frames */

/* Returns the array if it is large enough for `rows` rows; otherwise frees it and returns a new array, without the old
 * contents. */
static void *with_room(void *array, int *room, int rows, size_t size)
{
    if (rows <= *room && array)
        return array;
    free(array);
    array = malloc(((size_t)rows + 1) * size);
    *room = array ? rows : 0;
    return array;
}

static bool frame_room(frame *own, int items, int vertices, int contacts, int triangles)
{
    own->item = with_room(own->item, &own->item_room, items, sizeof *own->item);
    own->position = with_room(own->position, &own->vertex_room, vertices, VERTEX_NUMBERS * sizeof *own->position);
    own->contact = with_room(own->contact, &own->contact_room, contacts, sizeof *own->contact);
    own->triangle = with_room(own->triangle, &own->triangle_room, triangles, sizeof *own->triangle);
    if (!own->item || !own->position || !own->contact || !own->triangle)
        return false;
    size_t room = (size_t)own->vertex_room;
    own->radius = own->position + 3 * room;
    own->curvature = own->position + 4 * room;
    own->speed = own->position + 5 * room;
    own->director = own->position + 6 * room;
    own->twist = own->position + 9 * room;
    own->items = items;
    own->vertices = vertices;
    own->contacts = contacts;
    own->triangles = triangles;
    return true;
}

static void frame_free(frame *own)
{
    free(own->item);
    free(own->position);
    free(own->contact);
    free(own->triangle);
}

static bool failed(const char *why, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s", why);
    return false;
}

static int by_id(const void *a, const void *b)
{
    uint64_t p = ((const cst_contact_view *)a)->id, q = ((const cst_contact_view *)b)->id;
    return (p > q) - (p < q);
}

static bool frame_read(cst_run_reader *reader, int64_t index, frame *own, char *message, size_t message_size)
{
    cst_cache_frame read;
    own->index = -1;
    if (!cst_cache_frame_read(reader->cache, index, &read))
        return failed(cst_cache_message(reader->cache), message, message_size);
    int64_t vertices = 0, triangles = 0;
    for (int i = 0; i < read.items; i++) {
        vertices += read.item[i].vertices;
        triangles += read.item[i].triangles;
    }
    if (vertices > INT32_MAX / 16 || triangles > INT32_MAX / 16 ||
        !frame_room(own, read.items, (int)vertices, read.contacts, (int)triangles))
        return failed("not enough memory", message, message_size);
    int at = 0, triangle = 0;
    for (int i = 0; i < read.items; i++) {
        const cst_cache_item *item = &read.item[i];
        own->item[i] = (cst_moment_item){.owner = item->owner,
                                         .id = item->id,
                                         .as = item->as,
                                         .closed = item->closed,
                                         .first = at,
                                         .vertices = item->vertices,
                                         .first_triangle = triangle,
                                         .triangles = item->triangles};
        if (item->triangles > 0)
            memcpy(own->triangle + triangle, item->triangle, (size_t)item->triangles * sizeof *own->triangle);
        triangle += item->triangles;
        cst_twist_rates(item->vertex, item->vertices, own->twist + at);
        for (int k = 0; k < item->vertices; k++, at++) {
            memcpy(own->position + 3 * (size_t)at, item->vertex[k].position, 3 * sizeof(double));
            own->radius[at] = item->vertex[k].radius;
            own->curvature[at] = item->vertex[k].curvature;
            own->speed[at] = 0.0;
            memcpy(own->director + 3 * (size_t)at, item->vertex[k].director, 3 * sizeof(double));
        }
    }
    if (read.contacts > 0)
        memcpy(own->contact, read.contact, (size_t)read.contacts * sizeof *own->contact);
    qsort(own->contact, (size_t)own->contacts, sizeof *own->contact, by_id);
    own->time = read.time;
    own->index = index;
    return true;
}

static bool same_items(const frame *a, const frame *b)
{
    bool same = a->items == b->items && a->vertices == b->vertices;
    for (int i = 0; i < a->items && same; i++) {
        const cst_moment_item *p = &a->item[i], *q = &b->item[i];
        same = p->owner == q->owner && p->id == q->id && p->as == q->as && p->closed == q->closed && p->vertices == q->vertices &&
               p->triangles == q->triangles;
    }
    return same;
}

/* ---------------------------------------------------------------------------------------------------------------- between */

static void blend(double *out, const double *a, const double *b, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        out[i] = share <= 0.0 ? a[i] : share >= 1.0 ? b[i] : a[i] + share * (b[i] - a[i]);
}

static void find_speeds(frame *out, const frame *a, const frame *b)
{
    double interval = b->time - a->time;
    for (size_t i = 0; i < (size_t)out->vertices; i++) {
        const double *p = a->position + 3 * i, *q = b->position + 3 * i;
        out->speed[i] = interval > 0.0 ? hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]) / interval : 0.0;
    }
}

/* Copies the contacts of the frame `own`. If the frame `other` has a contact with the same id, interpolates the position and the
 * force of the contact between both frames. */
static void blend_contacts(frame *out, const frame *own, const frame *other, double share)
{
    memcpy(out->contact, own->contact, (size_t)own->contacts * sizeof *out->contact);
    for (int i = 0; i < own->contacts && other->contacts > 0; i++) {
        cst_contact_view *contact = &out->contact[i];
        const cst_contact_view *same = bsearch(contact, other->contact, (size_t)other->contacts, sizeof *other->contact, by_id);
        if (!same)
            continue;
        blend(contact->position, own->contact[i].position, same->position, 3, share);
        blend(contact->force, own->contact[i].force, same->force, 3, share);
    }
}

/* `share`: interpolation weight, 0 at the frame a, 1 at the frame b. Returns false if memory ran out. */
static bool make_between(frame *out, const frame *a, const frame *b, double share)
{
    const frame *near = share < 0.5 ? a : b;
    bool same = same_items(a, b);
    if (!frame_room(out, near->items, near->vertices, near->contacts, near->triangles))
        return false;
    memcpy(out->item, near->item, (size_t)near->items * sizeof *out->item);
    memcpy(out->triangle, near->triangle, (size_t)near->triangles * sizeof *out->triangle);
    size_t n = (size_t)near->vertices;
    if (same) {
        blend(out->position, a->position, b->position, 3 * n, share);
        blend(out->radius, a->radius, b->radius, n, share);
        blend(out->curvature, a->curvature, b->curvature, n, share);
        blend(out->director, a->director, b->director, 3 * n, share);
        blend(out->twist, a->twist, b->twist, n, share);
        find_speeds(out, a, b);
        blend_contacts(out, near, near == a ? b : a, near == a ? share : 1.0 - share);
        return true;
    }
    memcpy(out->position, near->position, 3 * n * sizeof(double));
    memcpy(out->radius, near->radius, n * sizeof(double));
    memcpy(out->curvature, near->curvature, n * sizeof(double));
    memcpy(out->director, near->director, 3 * n * sizeof(double));
    memcpy(out->twist, near->twist, n * sizeof(double));
    memset(out->speed, 0, n * sizeof(double));
    memcpy(out->contact, near->contact, (size_t)near->contacts * sizeof *out->contact);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- reader */

cst_run_reader *cst_run_reader_new(cst_cache *cache, char *message, size_t message_size)
{
    const int64_t frames = cst_cache_about(cache)->frames;
    cst_run_reader *reader = calloc(1, sizeof *reader + (size_t)frames * sizeof reader->time[0]);
    const bool timed = reader && frames > 0 && cst_cache_frame_times(cache, reader->time);
    if (!timed) {
        const char *why = !reader       ? "not enough memory"
                          : frames == 0 ? "the run has not saved a frame yet"
                                        : cst_cache_message(cache);
        failed(why, message, message_size);
        free(reader);
        return NULL;
    }
    reader->cache = cache;
    reader->frames = frames;
    reader->before.index = reader->after.index = -1;
    return reader;
}

void cst_run_reader_free(cst_run_reader *reader)
{
    if (!reader)
        return;
    frame_free(&reader->before);
    frame_free(&reader->after);
    frame_free(&reader->between);
    free(reader);
}

int64_t cst_run_reader_times(const cst_run_reader *reader, const double **out)
{
    *out = reader->time;
    return reader->frames;
}

/* Finds the saved frames k and k + 1 between which a time lies; returns k and sets the interpolation weight of frame k + 1. A
 * time that equals the time of a frame up to rounding gives that frame. */
static int64_t place(const cst_run_reader *reader, double time, double *share)
{
    const double *list = reader->time;
    int64_t low = 0, high = reader->frames - 1;
    double slack = 1e-9 * fmax(1.0, fabs(list[high]));
    *share = 0.0;
    if (high == 0 || time <= list[0] + slack)
        return 0;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle] + slack < time)
            low = middle;
        else
            high = middle;
    }
    double interval = list[high] - list[low];
    *share = time >= list[high] - slack ? 1.0 : interval > 0.0 ? (time - list[low]) / interval : 1.0;
    return low;
}

static bool load(cst_run_reader *reader, int64_t first, char *message, size_t message_size)
{
    int64_t second = first + 1 < reader->frames ? first + 1 : first;
    if (reader->before.index != first && reader->after.index == first) {
        frame swapped = reader->before;
        reader->before = reader->after;
        reader->after = swapped;
    }
    return (reader->before.index == first || frame_read(reader, first, &reader->before, message, message_size)) &&
           (reader->after.index == second || frame_read(reader, second, &reader->after, message, message_size));
}

bool cst_run_reader_at(cst_run_reader *reader, double time, cst_moment *out, char *message, size_t message_size)
{
    double share;
    int64_t first = place(reader, time, &share);
    if (!load(reader, first, message, message_size))
        return false;
    const frame *a = &reader->before, *b = &reader->after;
    frame *now = &reader->between;
    if (!make_between(now, a, b, share))
        return failed("not enough memory", message, message_size);
    *out = (cst_moment){.time = share <= 0.0   ? a->time
                                : share >= 1.0 ? b->time
                                               : time,
                        .items = now->items,
                        .vertices = now->vertices,
                        .contacts = now->contacts,
                        .item = now->item,
                        .position = now->position,
                        .radius = now->radius,
                        .curvature = now->curvature,
                        .speed = now->speed,
                        .director = now->director,
                        .twist = now->twist,
                        .triangle = now->triangle,
                        .contact = now->contact};
    return true;
}
