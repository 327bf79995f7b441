#include "page/page_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/page_format.h"

enum { CHANNELS_MAX = 16, CODE_MAX = 127 };

typedef struct growing {
    void *data;
    size_t bytes;
} growing;

struct cst_page_encoder {
    cst_page_precision precision;
    /* The previous frame, with the rounded values that the viewer decodes. */
    bool known;
    int items;
    growing item, triangles, position, radius, code[CHANNELS_MAX], shape;
    float largest[CHANNELS_MAX];
    int channels;
    size_t corners;
    /* Of the frame at hand. */
    growing now_position, now_radius, now_code, now_shape, now_triangles, integers, reals;
};

bool cst_page_traced(int kind)
{
    return kind == CST_DRAWN_CURVE || kind == CST_PAGE_MESH;
}

cst_page_encoder *cst_page_encoder_new(cst_page_precision precision)
{
    cst_page_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder)
        encoder->precision = precision;
    return encoder;
}

void cst_page_encoder_free(cst_page_encoder *encoder)
{
    if (!encoder)
        return;
    growing *all[] = {&encoder->item,      &encoder->triangles,     &encoder->position,   &encoder->radius,
                      &encoder->shape,     &encoder->now_position,  &encoder->now_radius, &encoder->now_code,
                      &encoder->now_shape, &encoder->now_triangles, &encoder->integers,   &encoder->reals};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->data);
    for (int c = 0; c < CHANNELS_MAX; c++)
        free(encoder->code[c].data);
    free(encoder);
}

void cst_page_encoder_restart(cst_page_encoder *encoder)
{
    encoder->known = false;
}

static void *room_for(growing *array, size_t count, size_t size)
{
    size_t bytes = (count + 1) * size;
    if (bytes > array->bytes) {
        void *data = realloc(array->data, bytes);
        if (!data)
            return NULL;
        array->data = data;
        array->bytes = bytes;
    }
    return array->data;
}

static void swap(growing *a, growing *b)
{
    growing keep = *a;
    *a = *b;
    *b = keep;
}

/* ----------------------------------------------------------------------------------------------------------------- items */

static bool same_items(const cst_page_encoder *encoder, const cst_page_frame *frame, const int32_t *corner, size_t corners)
{
    if (!encoder->known || encoder->items != frame->items || encoder->corners != corners)
        return false;
    const cst_page_item *before = encoder->item.data;
    for (int i = 0; i < frame->items; i++) {
        const cst_page_item *a = &before[i], *b = &frame->item[i];
        if (a->id != b->id || a->obstacle != b->obstacle || a->closed != b->closed || a->kind != b->kind ||
            a->vertices != b->vertices || a->triangles != b->triangles)
            return false;
    }
    return corners == 0 || memcmp(encoder->triangles.data, corner, corners * sizeof *corner) == 0;
}

static void put_items(cst_page_bytes *to, const cst_page_frame *frame, int32_t *corner, size_t corners)
{
    cst_page_put_u32(to, (uint32_t)frame->items);
    for (int i = 0; i < frame->items; i++)
        cst_page_put_u8(to, (uint8_t)frame->item[i].kind);
    for (int i = 0; i < frame->items; i++)
        cst_page_put_u8(to, (uint8_t)((frame->item[i].closed ? CST_PAGE_ITEM_CLOSED : 0) |
                                      (frame->item[i].obstacle ? CST_PAGE_ITEM_OBSTACLE : 0)));
    for (int i = 0; i < frame->items; i++)
        cst_page_put_u32(to, frame->item[i].id);
    for (int i = 0; i < frame->items; i++)
        cst_page_put_u32(to, (uint32_t)frame->item[i].vertices);
    for (int i = 0; i < frame->items; i++)
        cst_page_put_u32(to, (uint32_t)frame->item[i].triangles);
    int32_t before = 0;
    for (size_t k = 0; k < corners; k++) {
        int32_t step = corner[k] - before;
        before = corner[k];
        corner[k] = (int32_t)(((uint32_t)step << 1) ^ (uint32_t)(step < 0 ? -1 : 0));
    }
    cst_page_put_integers(to, corner, corners, 1, 4);
}

/* ------------------------------------------------------------------------------------------------------------- positions */

typedef struct box {
    double low[3], high[3];
} box;

static bool box_add(box *around, const double *point)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(point[axis]))
            return false;
        around->low[axis] = fmin(around->low[axis], point[axis]);
        around->high[axis] = fmax(around->high[axis], point[axis]);
    }
    return true;
}

static double quantum_of(const box *around, int bytes)
{
    double extent = 0.0, far = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        extent = fmax(extent, around->high[axis] - around->low[axis]);
        far = fmax(far, fmax(fabs(around->low[axis]), fabs(around->high[axis])));
    }
    /* The quantum, the rounding unit of positions, must be positive even if all vertices are at one point. */
    extent = fmax(extent, fmax(1e-6 * far, 1e-12));
    return extent / (bytes == 2 ? 32766.0 : 8388606.0);
}

/* Computes the integer codes of positions, and the rounded positions that the viewer will decode from them. Returns false if an
 * integer code is too large for its number of bytes, which can only happen if positions are predicted from the motion since the
 * previous frame. */
static bool round_positions(const double *x, int count, const bool *first, const double *before, const double *origin,
                            double quantum, int limit, int32_t *code, double *rounded)
{
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            size_t k = 3 * (size_t)i + (size_t)axis;
            double guess;
            if (before)
                guess = first[i] ? before[k] : before[k] + (rounded[k - 3] - before[k - 3]);
            else
                guess = i > 0 ? rounded[k - 3] : origin[axis];
            double steps = nearbyint((x[k] - guess) / quantum);
            if (!(fabs(steps) <= limit))
                return false;
            code[k] = (int32_t)steps;
            rounded[k] = guess + quantum * steps;
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- channels */

/* Returns a bound for the magnitudes of a channel's values in one frame: the largest magnitude, rounded up to a power of two. If
 * the channel's bound in the previous frame is at least the largest magnitude in this frame and less than four times this
 * magnitude, the function returns the previous bound. The bound of the previous frame is used again if possible, because the
 * integer codes of two frames can be compared only if both frames have the same bound. */
static float largest_of(const double *value, int count, float before, bool keep)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(value[i]));
    if (keep && most <= (double)before && most > 0.25 * (double)before)
        return before;
    int exponent;
    if (most < 1e-30 || frexp(most, &exponent) <= 0.0)
        return 0.0f;
    return (float)ldexp(1.0, exponent > 126 ? 126 : exponent);
}

static void put_channel(cst_page_encoder *encoder, int channel, const double *value, int count, bool same, int8_t *code,
                        cst_page_bytes *to)
{
    float largest = largest_of(value, count, encoder->largest[channel], same);
    const int8_t *before = same && encoder->largest[channel] == largest ? encoder->code[channel].data : NULL;
    cst_page_put_f32(to, largest);
    uint8_t *out = cst_page_bytes_take(to, (size_t)count);
    if (!out)
        return;
    for (int i = 0; i < count; i++) {
        double share = largest > 0.0f ? sqrt(fmin(fabs(value[i]) / (double)largest, 1.0)) : 0.0;
        code[i] = (int8_t)(value[i] < 0.0 ? -nearbyint(CODE_MAX * share) : nearbyint(CODE_MAX * share));
        int guess = before ? before[i] : i > 0 ? code[i - 1] : 0;
        out[i] = (uint8_t)(code[i] - guess);
    }
    encoder->largest[channel] = largest;
}

/* -------------------------------------------------------------------------------------------------------------- contacts */

static bool put_contacts(cst_page_encoder *encoder, const cst_page_frame *frame, const double *origin, double quantum,
                         cst_page_bytes *to)
{
    enum { REALS = 14 };
    size_t n = (size_t)frame->contacts;
    const cst_contact_view *contact = frame->contact;
    int32_t *integer = room_for(&encoder->integers, 3 * n, sizeof *integer);
    double *real = room_for(&encoder->reals, REALS * n, sizeof *real);
    if (!integer || !real)
        return false;
    cst_page_put_u32(to, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        for (int axis = 0; axis < 3; axis++)
            integer[3 * i + (size_t)axis] = (int32_t)nearbyint((contact[i].position[axis] - origin[axis]) / quantum);
    for (size_t axis = 0; axis < 3; axis++)
        cst_page_put_integers(to, integer + axis, n, 3, encoder->precision.position_bytes);
    for (size_t i = 0; i < n; i++) {
        double *at = real + REALS * i;
        memcpy(at, contact[i].normal, 3 * sizeof *at);
        memcpy(at + 3, contact[i].force, 3 * sizeof *at);
        memcpy(at + 6, contact[i].u, 3 * sizeof *at);
        at[9] = contact[i].mu;
        at[10] = contact[i].error;
        at[11] = contact[i].gap;
        at[12] = contact[i].s_a;
        at[13] = contact[i].s_b;
    }
    for (size_t k = 0; k < REALS; k++)
        cst_page_put_floats(to, real + k, n, REALS, encoder->precision.contact_bytes);
    for (size_t i = 0; i < n; i++)
        cst_page_put_u8(to, (uint8_t)contact[i].contact_case);
    for (size_t i = 0; i < n; i++) {
        integer[3 * i] = (int32_t)contact[i].a.body;
        integer[3 * i + 1] = (int32_t)contact[i].b.body;
        integer[3 * i + 2] = (int32_t)contact[i].b.obstacle;
    }
    for (size_t k = 0; k < 3; k++)
        cst_page_put_integers(to, integer + k, n, 3, 4);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- frame */

/* Vertices of a frame in two groups: vertices of curves and meshes (traced vertices), and vertices of disks, outlines and
 * half-planes (shapes). */
typedef struct sorted {
    int traced;
    size_t shapes, corners;
    double *position; /* (traced x 3) */
    double *radius;   /* (traced) */
    bool *first;      /* array (traced): true for the first vertex of a body or obstacle */
    double *shape;    /* (shapes x 4) */
    int32_t *corner;  /* array (corners): corners of meshes, as indices into all traced vertices */
    double *channel[CHANNELS_MAX];
} sorted;

static bool sort_vertices(cst_page_encoder *encoder, const cst_page_frame *frame, sorted *out)
{
    size_t traced = 0, shapes = 0, corners = 0;
    for (int i = 0; i < frame->items; i++) {
        *(cst_page_traced(frame->item[i].kind) ? &traced : &shapes) += (size_t)frame->item[i].vertices;
        corners += 3 * (size_t)frame->item[i].triangles;
    }
    /* the arrays `position`, `radius`, `channel` and `first` share one block of memory */
    size_t columns = 4 + (size_t)frame->channels;
    double *piece = room_for(&encoder->now_radius, traced * columns + traced / sizeof(double) + 1, sizeof *piece);
    out->shape = room_for(&encoder->now_shape, 4 * shapes, sizeof *out->shape);
    out->corner = room_for(&encoder->now_triangles, corners, sizeof *out->corner);
    if (!piece || !out->shape || !out->corner)
        return false;
    out->position = piece;
    out->radius = piece + 3 * traced;
    for (int c = 0; c < frame->channels; c++)
        out->channel[c] = piece + (4 + (size_t)c) * traced;
    out->first = (bool *)(piece + columns * traced);
    out->traced = (int)traced;
    out->shapes = shapes;
    out->corners = corners;
    size_t from = 0, at = 0, shape = 0, corner = 0;
    for (int i = 0; i < frame->items; i++) {
        const cst_page_item *item = &frame->item[i];
        for (int k = 0; k < 3 * item->triangles; k++)
            out->corner[corner++] = item->triangle[k] + (int32_t)at;
        for (int k = 0; k < item->vertices; k++, from++) {
            if (!cst_page_traced(item->kind)) {
                memcpy(out->shape + 4 * shape, frame->position + 3 * from, 3 * sizeof(double));
                out->shape[4 * shape++ + 3] = frame->radius[from];
                continue;
            }
            memcpy(out->position + 3 * at, frame->position + 3 * from, 3 * sizeof(double));
            out->radius[at] = frame->radius[from];
            for (int c = 0; c < frame->channels; c++)
                out->channel[c][at] = frame->channel[c][from];
            out->first[at++] = k == 0;
        }
    }
    return true;
}

static bool find_box(const cst_page_frame *frame, const sorted *vertices, box *out)
{
    *out = (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < vertices->traced; i++)
        if (!box_add(out, vertices->position + 3 * (size_t)i) || !isfinite(vertices->radius[i]))
            return false;
    for (int i = 0; i < frame->contacts; i++)
        if (!box_add(out, frame->contact[i].position))
            return false;
    for (int c = 0; c < frame->channels; c++)
        for (int i = 0; i < vertices->traced; i++)
            if (!isfinite(vertices->channel[c][i]))
                return false;
    if (vertices->traced == 0 && frame->contacts == 0)
        *out = (box){{0}, {0}};
    return true;
}

/* Returns true if the array differs from the corresponding array of the previous frame. On return, `kept` holds the array of the
 * current frame, for the comparison with the next frame. */
static bool changed(growing *kept, size_t kept_count, const double *now, size_t count, bool *failed)
{
    if (kept_count == count && kept->data && memcmp(kept->data, now, count * sizeof *now) == 0)
        return false;
    double *keep = room_for(kept, count, sizeof *keep);
    *failed |= !keep;
    if (keep)
        memcpy(keep, now, count * sizeof *now);
    return true;
}

static bool keep_items(cst_page_encoder *encoder, const cst_page_frame *frame, const sorted *vertices)
{
    cst_page_item *item = room_for(&encoder->item, (size_t)frame->items, sizeof *item);
    int32_t *corner = room_for(&encoder->triangles, vertices->corners, sizeof *corner);
    if (!item || !corner)
        return false;
    if (frame->items > 0)
        memcpy(item, frame->item, (size_t)frame->items * sizeof *item);
    memcpy(corner, vertices->corner, vertices->corners * sizeof *corner);
    encoder->items = frame->items;
    encoder->corners = vertices->corners;
    return true;
}

static bool no_memory(char *message, size_t message_size)
{
    snprintf(message, message_size, "not enough memory");
    return false;
}

bool cst_page_encode(cst_page_encoder *encoder, const cst_page_frame *frame, cst_page_bytes *to, char *message,
                     size_t message_size)
{
    sorted vertices = {0};
    if (frame->channels > CHANNELS_MAX) {
        snprintf(message, message_size, "at most %d channels", CHANNELS_MAX);
        return false;
    }
    if (!sort_vertices(encoder, frame, &vertices))
        return no_memory(message, message_size);
    box around;
    if (!find_box(frame, &vertices, &around)) {
        snprintf(message, message_size, "a number is not finite");
        return false;
    }
    size_t n = (size_t)vertices.traced;
    int bytes = encoder->precision.position_bytes;
    double quantum = quantum_of(&around, bytes);
    int32_t *code = room_for(&encoder->integers, 3 * n, sizeof *code);
    double *rounded = room_for(&encoder->now_position, 3 * n, sizeof *rounded);
    int8_t *level = room_for(&encoder->now_code, n, 1);
    if (!code || !rounded || !level)
        return no_memory(message, message_size);

    bool same = same_items(encoder, frame, vertices.corner, vertices.corners) && encoder->channels == frame->channels;
    int limit = bytes == 2 ? 32767 : 8388607;
    bool moved = same && round_positions(vertices.position, vertices.traced, vertices.first, encoder->position.data, around.low,
                                         quantum, limit, code, rounded);
    if (!moved)
        round_positions(vertices.position, vertices.traced, vertices.first, NULL, around.low, quantum, limit, code, rounded);
    bool failed = false;
    bool radii = changed(&encoder->radius, same ? n : SIZE_MAX, vertices.radius, n, &failed) || !same;
    bool shapes =
        changed(&encoder->shape, same ? 4 * vertices.shapes : SIZE_MAX, vertices.shape, 4 * vertices.shapes, &failed) || !same;
    if (failed || (!same && !keep_items(encoder, frame, &vertices)))
        return no_memory(message, message_size);

    cst_page_put_u8(to, (uint8_t)((same ? 0 : CST_PAGE_HAS_ITEMS) | (moved ? CST_PAGE_MOVED : 0) |
                                  (radii ? CST_PAGE_HAS_RADII : 0) | (shapes ? CST_PAGE_HAS_SHAPES : 0)));
    for (int axis = 0; axis < 3; axis++)
        cst_page_put_f64(to, around.low[axis]);
    cst_page_put_f64(to, quantum);
    if (!same)
        put_items(to, frame, vertices.corner, vertices.corners);
    for (size_t axis = 0; axis < 3; axis++)
        cst_page_put_integers(to, code + axis, n, 3, bytes);
    if (radii)
        cst_page_put_floats(to, vertices.radius, n, 1, 4);
    for (int c = 0; c < frame->channels; c++) {
        put_channel(encoder, c, vertices.channel[c], vertices.traced, same, level, to);
        swap(&encoder->code[c], &encoder->now_code);
        level = room_for(&encoder->now_code, n, 1);
        if (!level)
            return no_memory(message, message_size);
    }
    for (size_t k = 0; shapes && k < 4; k++)
        cst_page_put_floats(to, vertices.shape + k, vertices.shapes, 4, 4);
    if (!put_contacts(encoder, frame, around.low, quantum, to) || to->failed)
        return no_memory(message, message_size);
    swap(&encoder->position, &encoder->now_position);
    encoder->channels = frame->channels;
    encoder->known = true;
    return true;
}
