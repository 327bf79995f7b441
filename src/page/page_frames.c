#include "page/page_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/twist.h"
#include "page/page_format.h"

/* ---------------------------------------------------------------------------------------------------------------- choice */

bool cst_page_frames_choose(cst_cache *cache, const cst_page_choice *choice, cst_page_frames *out, char *message,
                            size_t message_size)
{
    int64_t frames = cst_cache_about(cache)->frames;
    *out = (cst_page_frames){0};
    out->index = malloc((size_t)(frames + 1) * sizeof *out->index);
    out->time = malloc((size_t)(frames + 1) * sizeof *out->time);
    out->block = malloc((size_t)(frames + 1) * sizeof *out->block);
    if (!out->index || !out->time || !out->block) {
        snprintf(message, message_size, "not enough memory");
        return false;
    }
    if (!cst_cache_frame_times(cache, out->time)) {
        snprintf(message, message_size, "%s", cst_cache_message(cache));
        return false;
    }
    /* Times of frames are sums of time steps with rounding errors, so the time range of the chosen frames is slightly widened. */
    double slack = 1e-9 * fmax(1.0, frames > 0 ? fabs(out->time[frames - 1]) : 0.0);
    int64_t inside = 0;
    for (int64_t k = 0; k < frames; k++) {
        if (out->time[k] < choice->from - slack || out->time[k] > choice->to + slack)
            continue;
        if (inside++ % choice->every == 0) {
            out->index[out->count] = k;
            out->time[out->count++] = out->time[k];
        }
    }
    if (frames == 0)
        snprintf(message, message_size, "the run has no frames yet");
    else if (out->count == 0)
        snprintf(message, message_size, "no frame between %g s and %g s", choice->from, choice->to);
    return out->count > 0;
}

void cst_page_frames_free(cst_page_frames *frames)
{
    free(frames->index);
    free(frames->time);
    free(frames->block);
    *frames = (cst_page_frames){0};
}

/* --------------------------------------------------------------------------------------------------------------- reading */

/* The struct `gathered` holds a frame of the cache in the arrays that the encoder needs. The struct `snapshot` holds the vertex
 * positions of the saved frame before or after the current frame; speeds are computed from the positions in both frames. */
enum { VERTEX_NUMBERS = 10 };

typedef struct gathered {
    int items, vertices, room_items, room_vertices;
    cst_page_item *item;
    double *position, *radius, *curvature, *speed, *twist, *director[3];
} gathered;

typedef struct snapshot {
    int64_t index;
    double time;
    int vertices, room;
    double *position;
} snapshot;

static bool gather(const cst_cache_frame *frame, gathered *out)
{
    int64_t vertices = 0;
    for (int i = 0; i < frame->items; i++)
        vertices += frame->item[i].vertices;
    if (vertices > INT32_MAX / 16)
        return false;
    if (frame->items > out->room_items || !out->item) {
        cst_page_item *item = realloc(out->item, ((size_t)frame->items + 1) * sizeof *item);
        if (!item)
            return false;
        out->item = item;
        out->room_items = frame->items;
    }
    if (vertices > out->room_vertices || !out->position) {
        free(out->position);
        out->room_vertices = 0;
        out->position = malloc(((size_t)vertices + 1) * VERTEX_NUMBERS * sizeof(double));
        if (!out->position)
            return false;
        out->room_vertices = (int)vertices;
    }
    size_t room = (size_t)out->room_vertices;
    out->radius = out->position + 3 * room;
    out->curvature = out->position + 4 * room;
    out->speed = out->position + 5 * room;
    out->twist = out->position + 6 * room;
    for (size_t axis = 0; axis < 3; axis++)
        out->director[axis] = out->position + (7 + axis) * room;
    size_t at = 0;
    for (int i = 0; i < frame->items; i++) {
        const cst_cache_item *item = &frame->item[i];
        out->item[i] = (cst_page_item){.id = item->id,
                                       .obstacle = item->owner == CST_ITEM_OBSTACLE,
                                       .closed = item->closed,
                                       .kind = item->as == CST_DRAWN_MESH ? CST_PAGE_MESH : (int)item->as,
                                       .vertices = item->vertices,
                                       .triangles = item->triangles,
                                       .triangle = item->triangles > 0 ? item->triangle->corner : NULL};
        cst_twist_rates(item->vertex, item->vertices, out->twist + at);
        for (int k = 0; k < item->vertices; k++, at++) {
            memcpy(out->position + 3 * at, item->vertex[k].position, 3 * sizeof(double));
            out->radius[at] = item->vertex[k].radius;
            out->curvature[at] = item->vertex[k].curvature;
            out->speed[at] = 0.0;
            for (int axis = 0; axis < 3; axis++)
                out->director[axis][at] = item->vertex[k].director[axis];
        }
    }
    out->items = frame->items;
    out->vertices = (int)vertices;
    return true;
}

static bool snapshot_take(const cst_cache_frame *frame, int64_t index, snapshot *out)
{
    int64_t vertices = 0;
    for (int i = 0; i < frame->items; i++)
        vertices += frame->item[i].vertices;
    if (vertices > out->room || !out->position) {
        free(out->position);
        out->position = malloc(((size_t)vertices + 1) * 3 * sizeof(double));
        out->room = out->position ? (int)vertices : 0;
        if (!out->position)
            return false;
    }
    size_t at = 0;
    for (int i = 0; i < frame->items; i++)
        for (int k = 0; k < frame->item[i].vertices; k++, at++)
            memcpy(out->position + 3 * at, frame->item[i].vertex[k].position, 3 * sizeof(double));
    out->index = index;
    out->time = frame->time;
    out->vertices = (int)vertices;
    return true;
}

/* Computes the mean speed of each vertex between the previous saved frame and this frame; for the first frame, between the
 * first and the second frame. Vertex i is assumed to be the same material point in both frames if both frames have the same
 * number of vertices. */
static void find_speeds(gathered *now, double time, const snapshot *other)
{
    double interval = fabs(time - other->time);
    if (other->vertices != now->vertices || interval <= 0.0)
        return;
    for (size_t i = 0; i < (size_t)now->vertices; i++) {
        const double *a = now->position + 3 * i, *b = other->position + 3 * i;
        now->speed[i] = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / interval;
    }
}

static void observe(cst_page_frames *frames, const gathered *now, const cst_cache_frame *frame)
{
    size_t at = 0;
    int fibers = 0;
    for (int i = 0; i < now->items; i++) {
        const cst_page_item *item = &now->item[i];
        fibers += item->kind == CST_DRAWN_CURVE && !item->obstacle && !item->closed && item->vertices > 2;
        for (int k = 0; k < item->vertices; k++, at++) {
            if (cst_page_traced(item->kind) && !item->obstacle) {
                if (item->kind == CST_DRAWN_CURVE) {
                    cst_spread_add(&frames->channel[CST_PAGE_CURVATURE], now->curvature[at]);
                    cst_spread_add(&frames->channel[CST_PAGE_TWIST], now->twist[at]);
                }
                cst_spread_add(&frames->channel[CST_PAGE_SPEED], now->speed[at]);
            }
            if (item->kind != CST_DRAWN_HALF_PLANE)
                cst_bounds_add(item->obstacle ? &frames->surroundings : &frames->bodies, now->position + 3 * at, now->radius[at]);
        }
    }
    frames->fibers = fibers > frames->fibers ? fibers : frames->fibers;
    for (int i = 0; i < frame->contacts; i++) {
        const double *f = frame->contact[i].force;
        double force = hypot(hypot(f[0], f[1]), f[2]);
        if (force > 0.0)
            cst_spread_add(&frames->force, force);
    }
    frames->vertices += now->vertices;
    frames->contacts += frame->contacts;
}

/* --------------------------------------------------------------------------------------------------------------- writing */

bool cst_page_element_write(FILE *to, int run, const char *what, int number, const cst_page_bytes *bytes, cst_page_bytes *scratch)
{
    return fprintf(to, "<script type=\"application/octet-stream\" id=\"run%d-%s%d\">", run, what, number) > 0 &&
           cst_page_bytes_pack(bytes, scratch, to) && fputs("</script>\n", to) >= 0;
}

typedef struct writing {
    cst_cache *cache;
    cst_page_encoder *encoder;
    gathered now;
    snapshot other;
    cst_page_bytes block, scratch;
    int block_frames;
} writing;

static bool failed(const char *why, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s", why);
    return false;
}

/* Speeds are computed from the previous frame in the cache, even if that frame is not written to the page. */
static bool read_other(writing *w, const cst_page_frames *frames, int64_t k)
{
    int64_t index = frames->index[k], wanted = index > 0 ? index - 1 : index + 1;
    if (w->other.index == wanted || wanted >= cst_cache_about(w->cache)->frames)
        return true;
    cst_cache_frame frame;
    return cst_cache_frame_read(w->cache, wanted, &frame) && snapshot_take(&frame, wanted, &w->other);
}

static bool end_block(writing *w, int run, cst_page_frames *frames, FILE *to, char *message, size_t message_size)
{
    if (!cst_page_element_write(to, run, "frames", frames->blocks, &w->block, &w->scratch))
        return failed(w->scratch.failed ? "not enough memory" : "the page could not be written", message, message_size);
    frames->block[frames->blocks++] = (cst_page_block){w->block_frames, w->block.count};
    w->block.count = 0;
    w->block_frames = 0;
    cst_page_encoder_restart(w->encoder);
    return true;
}

static bool add_frame(writing *w, cst_page_frames *frames, int64_t k, char *message, size_t message_size)
{
    cst_cache_frame frame;
    if (!read_other(w, frames, k) || !cst_cache_frame_read(w->cache, frames->index[k], &frame))
        return failed(cst_cache_message(w->cache), message, message_size);
    if (!gather(&frame, &w->now))
        return failed("not enough memory", message, message_size);
    find_speeds(&w->now, frame.time, &w->other);
    observe(frames, &w->now, &frame);
    const double *channel[CST_PAGE_CHANNELS] = {w->now.curvature,   w->now.speed,       w->now.twist,
                                                w->now.director[0], w->now.director[1], w->now.director[2]};
    cst_page_frame page = {.items = w->now.items,
                           .item = w->now.item,
                           .position = w->now.position,
                           .radius = w->now.radius,
                           .channels = frames->channels,
                           .channel = channel,
                           .contacts = frame.contacts,
                           .contact = frame.contact};
    char why[128];
    if (!cst_page_encode(w->encoder, &page, &w->block, why, sizeof why)) {
        snprintf(message, message_size, "frame %lld: %s", (long long)frames->index[k], why);
        return false;
    }
    w->block_frames++;
    return snapshot_take(&frame, frames->index[k], &w->other) || failed("not enough memory", message, message_size);
}

static bool write_all(writing *w, int run, cst_page_frames *frames, cst_page_steps_done *steps, FILE *to, char *message,
                      size_t message_size)
{
    for (int64_t k = 0; k < frames->count; k++) {
        if (!add_frame(w, frames, k, message, message_size))
            return false;
        if ((w->block.count >= CST_PAGE_BLOCK_BYTES || w->block_frames == CST_PAGE_BLOCK_FRAMES || k + 1 == frames->count) &&
            !end_block(w, run, frames, to, message, message_size))
            return false;
        steps->done++;
        if (steps->progress && !steps->progress(steps->user, steps->done, steps->all))
            return failed("stopped", message, message_size);
    }
    return true;
}

static bool has_directors(const cst_cache_item *item)
{
    const double *d = item->vertices > 0 ? item->vertex->director : NULL;
    return d && (d[0] != 0.0 || d[1] != 0.0 || d[2] != 0.0);
}

bool cst_page_frames_write(cst_cache *cache, int run, cst_page_frames *frames, cst_page_steps_done *steps, FILE *to,
                           char *message, size_t message_size)
{
    const cst_cache_info *info = cst_cache_about(cache);
    cst_cache_frame last;
    if (!cst_cache_frame_read(cache, frames->index[frames->count - 1], &last)) {
        snprintf(message, message_size, "%s", cst_cache_message(cache));
        return false;
    }
    double vertices = 0.0;
    frames->channels = CST_PAGE_TWIST;
    for (int i = 0; i < last.items; i++) {
        vertices += last.item[i].vertices;
        if (has_directors(&last.item[i]))
            frames->channels = CST_PAGE_CHANNELS;
    }
    double share = (double)frames->count / (double)info->frames;
    frames->precision = (cst_page_precision){
        .position_bytes = vertices * (double)frames->count <= CST_PAGE_FINE_VERTICES ? 3 : 2,
        .contact_bytes = (double)info->contacts * share <= CST_PAGE_FINE_CONTACTS ? 4 : 2,
    };
    writing w = {.cache = cache, .encoder = cst_page_encoder_new(frames->precision), .other.index = -1};
    bool ok = w.encoder ? write_all(&w, run, frames, steps, to, message, message_size)
                        : failed("not enough memory", message, message_size);
    for (int c = 0; c < CST_PAGE_CHANNELS; c++)
        cst_spread_finish(&frames->channel[c]);
    cst_spread_finish(&frames->force);
    cst_page_encoder_free(w.encoder);
    free(w.now.item);
    free(w.now.position);
    free(w.other.position);
    cst_page_bytes_free(&w.block);
    cst_page_bytes_free(&w.scratch);
    return ok;
}
