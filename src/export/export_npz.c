/* Writes NPZ, an archive of numpy arrays; each array contains the data of all frames, except the arrays that describe the items
 * (bodies and obstacles). All values in the NPZ file have the same bits as in the cache.
 *
 * The numbers of vertices, contacts and triangles may change between frames, so each of their arrays contains the rows of all
 * frames, one frame after another. The arrays vertex_start, contact_start and triangle_first contain the index of the first row
 * of each frame; item_start contains the index of the first vertex row of each item in each frame (docs/export.md).
 * (numpy.lib.format, version 1.0.) */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "export/export_bytes.h"
#include "export/export_job.h"
#include "export/spool.h"
#include "export/zip_store.h"

typedef enum array {
    TIME = 0,
    STEP,
    ITEM_START,
    VERTEX_START,
    POSITION,
    RADIUS,
    CURVATURE,
    DIRECTOR,
    TRIANGLE,
    TRIANGLE_FIRST,
    TRIANGLE_COUNT,
    CONTACT_START,
    CONTACT_ID,
    CONTACT_BODY,
    CONTACT_OBSTACLE,
    CONTACT_S,
    CONTACT_POSITION,
    CONTACT_NORMAL,
    CONTACT_FORCE,
    CONTACT_VELOCITY,
    CONTACT_IMPULSE,
    CONTACT_RELATIVE,
    CONTACT_GAP,
    CONTACT_MU,
    CONTACT_ERROR,
    CONTACT_STATE,
    ITEM_OWNER,
    ITEM_ID,
    ITEM_KIND,
    ITEM_CLOSED,
    ITEM_NAME,
    ARRAYS
} array;

/* The member `width` is the number of entries in a row of the stored array. If the member `width` is 1, the stored array has one
 * dimension. If the member `width` is 0, a row has one entry for each item (body or obstacle) and one more. */
typedef struct array_format {
    const char *name, *type;
    int bytes, width;
} array_format;

static const array_format formats[ARRAYS] = {
    [TIME] = {"time", "<f8", 8, 1},
    [STEP] = {"step", "<i8", 8, 1},
    [ITEM_START] = {"item_start", "<i8", 8, 0},
    [VERTEX_START] = {"vertex_start", "<i8", 8, 1},
    [POSITION] = {"position", "<f8", 8, 3},
    [RADIUS] = {"radius", "<f8", 8, 1},
    [CURVATURE] = {"curvature", "<f8", 8, 1},
    [DIRECTOR] = {"director", "<f8", 8, 3},
    [TRIANGLE] = {"triangle", "<i4", 4, 4},
    [TRIANGLE_FIRST] = {"triangle_first", "<i8", 8, 1},
    [TRIANGLE_COUNT] = {"triangle_count", "<i8", 8, 1},
    [CONTACT_START] = {"contact_start", "<i8", 8, 1},
    [CONTACT_ID] = {"contact_id", "<u8", 8, 1},
    [CONTACT_BODY] = {"contact_body", "<i8", 8, 2},
    [CONTACT_OBSTACLE] = {"contact_obstacle", "<i8", 8, 1},
    [CONTACT_S] = {"contact_s", "<f8", 8, 2},
    [CONTACT_POSITION] = {"contact_position", "<f8", 8, 3},
    [CONTACT_NORMAL] = {"contact_normal", "<f8", 8, 3},
    [CONTACT_FORCE] = {"contact_force", "<f8", 8, 3},
    [CONTACT_VELOCITY] = {"contact_velocity", "<f8", 8, 3},
    [CONTACT_IMPULSE] = {"contact_impulse", "<f8", 8, 3},
    [CONTACT_RELATIVE] = {"contact_relative_velocity", "<f8", 8, 3},
    [CONTACT_GAP] = {"contact_gap", "<f8", 8, 1},
    [CONTACT_MU] = {"contact_mu", "<f8", 8, 1},
    [CONTACT_ERROR] = {"contact_error", "<f8", 8, 1},
    [CONTACT_STATE] = {"contact_state", "<i4", 4, 1},
    [ITEM_OWNER] = {"item_owner", "<i4", 4, 1},
    [ITEM_ID] = {"item_id", "<i8", 8, 1},
    [ITEM_KIND] = {"item_kind", "<i4", 4, 1},
    [ITEM_CLOSED] = {"item_closed", "<i4", 4, 1},
    [ITEM_NAME] = {"item_name", "|S", 1, 1},
};

typedef struct npz {
    cst_spool *spool;
    cst_page_bytes bytes[ARRAYS];          /* of this frame */
    int64_t vertices, contacts, triangles; /* rows so far */
    int items;                             /* that are kept */
    int name_bytes;                        /* length of the longest name */
    cst_page_bytes before;                 /* triangles of the previous frame */
    int64_t triangle_first;
} npz;

/* -------------------------------------------------------------------------------------------------------------- gathering */

static void put_reals(cst_page_bytes *to, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        cst_page_put_f64(to, value[i]);
}

static const char *name_of(const cst_export_job *job, const cst_cache_item *item)
{
    return item->owner == CST_ITEM_OBSTACLE ? cst_cache_obstacle_name(job->cache, item->id)
                                            : cst_cache_body_name(job->cache, item->id);
}

/* Writes the arrays that describe the items (bodies and obstacles) and do not change between frames. */
static void gather_items(npz *own, const cst_export_job *job)
{
    own->name_bytes = 1;
    for (int i = 0; i < job->frame.items; i++) {
        const int length = (int)strlen(name_of(job, &job->frame.item[i]));
        own->name_bytes = length > own->name_bytes ? length : own->name_bytes;
    }
    for (int i = 0; i < job->frame.items; i++) {
        const cst_cache_item *item = &job->frame.item[i];
        if (job->shapes.item[i].object < 0)
            continue;
        own->items++;
        cst_export_put_i32(&own->bytes[ITEM_OWNER], (int32_t)item->owner);
        cst_export_put_i64(&own->bytes[ITEM_ID], item->id);
        cst_export_put_i32(&own->bytes[ITEM_KIND], (int32_t)item->as);
        cst_export_put_i32(&own->bytes[ITEM_CLOSED], item->closed);
        const char *name = name_of(job, item);
        uint8_t *to = cst_page_bytes_take(&own->bytes[ITEM_NAME], (size_t)own->name_bytes);
        if (to) {
            memset(to, 0, (size_t)own->name_bytes);
            memcpy(to, name, strlen(name));
        }
    }
}

static void gather_vertices(npz *own, const cst_export_job *job)
{
    cst_page_bytes *to = own->bytes;
    cst_export_put_i64(&to[VERTEX_START], own->vertices);
    for (int i = 0; i < job->frame.items; i++) {
        const cst_cache_item *item = &job->frame.item[i];
        if (job->shapes.item[i].object < 0)
            continue;
        cst_export_put_i64(&to[ITEM_START], own->vertices);
        own->vertices += item->vertices;
        for (int k = 0; k < item->vertices; k++) {
            put_reals(&to[POSITION], item->vertex[k].position, 3);
            put_reals(&to[RADIUS], &item->vertex[k].radius, 1);
            put_reals(&to[CURVATURE], &item->vertex[k].curvature, 1);
            put_reals(&to[DIRECTOR], item->vertex[k].director, 3);
        }
    }
    cst_export_put_i64(&to[ITEM_START], own->vertices);
}

/* Triangles equal to those of the previous frame are not written again. */
static void gather_triangles(npz *own, const cst_export_job *job)
{
    cst_page_bytes *to = &own->bytes[TRIANGLE];
    int number = 0;
    for (int i = 0; i < job->frame.items; i++) {
        const cst_cache_item *item = &job->frame.item[i];
        if (job->shapes.item[i].object < 0)
            continue;
        for (int t = 0; t < item->triangles; t++) {
            cst_export_put_i32(to, number);
            for (int k = 0; k < 3; k++)
                cst_export_put_i32(to, item->triangle[t].corner[k]);
        }
        number++;
    }
    const int64_t count = (int64_t)(to->count / 16);
    if (job->k > 0 && to->count == own->before.count && (count == 0 || memcmp(to->data, own->before.data, to->count) == 0)) {
        to->count = 0;
    } else {
        own->triangle_first = own->triangles;
        own->triangles += count;
        own->before.count = 0;
        uint8_t *kept = cst_page_bytes_take(&own->before, to->count);
        if (kept && to->count > 0)
            memcpy(kept, to->data, to->count);
    }
    cst_export_put_i64(&own->bytes[TRIANGLE_FIRST], own->triangle_first);
    cst_export_put_i64(&own->bytes[TRIANGLE_COUNT], count);
}

static void gather_contacts(npz *own, const cst_cache_frame *frame)
{
    cst_page_bytes *to = own->bytes;
    cst_export_put_i64(&to[CONTACT_START], own->contacts);
    own->contacts += frame->contacts;
    for (int i = 0; i < frame->contacts; i++) {
        const cst_contact_view *contact = &frame->contact[i];
        cst_export_put_u64(&to[CONTACT_ID], contact->id);
        cst_export_put_i64(&to[CONTACT_BODY], contact->a.body);
        cst_export_put_i64(&to[CONTACT_BODY], contact->b.body);
        cst_export_put_i64(&to[CONTACT_OBSTACLE], contact->b.obstacle);
        put_reals(&to[CONTACT_S], &contact->s_a, 1);
        put_reals(&to[CONTACT_S], &contact->s_b, 1);
        put_reals(&to[CONTACT_POSITION], contact->position, 3);
        put_reals(&to[CONTACT_NORMAL], contact->normal, 3);
        put_reals(&to[CONTACT_FORCE], contact->force, 3);
        put_reals(&to[CONTACT_VELOCITY], contact->velocity, 3);
        put_reals(&to[CONTACT_IMPULSE], contact->r, 3);
        put_reals(&to[CONTACT_RELATIVE], contact->u, 3);
        put_reals(&to[CONTACT_GAP], &contact->gap, 1);
        put_reals(&to[CONTACT_MU], &contact->mu, 1);
        put_reals(&to[CONTACT_ERROR], &contact->error, 1);
        cst_export_put_i32(&to[CONTACT_STATE], (int32_t)contact->contact_case);
    }
}

static bool spool_all(cst_export_job *job, npz *own)
{
    for (int a = 0; a < ARRAYS; a++) {
        if (own->bytes[a].failed || own->before.failed)
            return cst_export_no_memory(job);
        if (own->bytes[a].count > 0 && !cst_spool_add(own->spool, a, own->bytes[a].data, own->bytes[a].count))
            return cst_complain(job->complaint, "cannot be written: %s", strerror(errno));
        own->bytes[a].count = 0;
    }
    return true;
}

static bool begin(cst_export_job *job)
{
    npz *own = job->state = calloc(1, sizeof *own);
    if (!own)
        return cst_export_no_memory(job);
    own->spool = cst_spool_new(job->path, ARRAYS);
    if (!own->spool)
        return cst_complain(job->complaint, "cannot be written: %s", strerror(errno));
    gather_items(own, job);
    return true;
}

static bool write_frame(cst_export_job *job)
{
    npz *own = job->state;
    cst_page_put_f64(&own->bytes[TIME], job->frame.time);
    cst_export_put_i64(&own->bytes[STEP], job->frame.step);
    gather_vertices(own, job);
    gather_triangles(own, job);
    gather_contacts(own, &job->frame);
    return spool_all(job, own);
}

/* ---------------------------------------------------------------------------------------------------------------- archive */

/* Returns the size in bytes of an array in the archive. If the data of an array are equal in consecutive frames, the temporary
 * file stores them only once (export/spool.h), but the archive stores them for each frame. */
static uint64_t bytes_of(const npz *own, int index)
{
    const cst_spool_piece *piece;
    const int64_t pieces = cst_spool_pieces(own->spool, index, &piece);
    uint64_t bytes = 0;
    for (int64_t i = 0; i < pieces; i++)
        bytes += piece[i].bytes * (uint64_t)(piece[i].last - piece[i].first + 1);
    return bytes;
}

static bool put_head(cst_zip *zip, const npz *own, int index)
{
    enum { PREFIX = 10, ALIGN = 64 };
    const array_format *format = &formats[index];
    const int row = index == ITEM_NAME ? own->name_bytes : format->bytes * (format->width ? format->width : own->items + 1);
    const unsigned long long rows = (unsigned long long)(bytes_of(own, index) / (uint64_t)row);
    char type[24], shape[64], text[256];
    if (index == ITEM_NAME)
        snprintf(type, sizeof type, "%s%d", format->type, row);
    else
        snprintf(type, sizeof type, "%s", format->type);
    if (format->width == 1)
        snprintf(shape, sizeof shape, "(%llu,)", rows);
    else
        snprintf(shape, sizeof shape, "(%llu, %d)", rows, format->width ? format->width : own->items + 1);
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    while ((PREFIX + length + 1) % ALIGN != 0)
        text[length++] = ' ';
    text[length++] = '\n';
    const unsigned char prefix[PREFIX] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
    return cst_zip_put(zip, prefix, PREFIX) && cst_zip_put(zip, text, (size_t)length);
}

static bool put_in_zip(void *zip, const void *bytes, size_t count)
{
    return cst_zip_put(zip, bytes, count);
}

static bool put_array(cst_zip *zip, npz *own, int index)
{
    char name[64];
    const cst_spool_piece *piece;
    const int64_t pieces = cst_spool_pieces(own->spool, index, &piece);
    snprintf(name, sizeof name, "%s.npy", formats[index].name);
    bool ok = cst_zip_entry(zip, name) && put_head(zip, own, index);
    for (int64_t i = 0; ok && i < pieces; i++)
        for (int64_t again = piece[i].first; ok && again <= piece[i].last; again++)
            ok = cst_spool_copy(own->spool, &piece[i], put_in_zip, zip);
    return ok && cst_zip_entry_end(zip);
}

static bool end(cst_export_job *job)
{
    npz *own = job->state;
    cst_export_put_i64(&own->bytes[VERTEX_START], own->vertices);
    cst_export_put_i64(&own->bytes[CONTACT_START], own->contacts);
    if (!spool_all(job, own))
        return false;
    /* the NPZ file is not opened for appending, because the ZIP header of each array is overwritten after the data of the
     * array */
    FILE *file = fopen(job->path, "wb");
    if (!file)
        return cst_complain(job->complaint, "cannot be written: %s", strerror(errno));
    cst_zip zip;
    bool ok = cst_zip_begin(&zip, file);
    for (int a = 0; a < ARRAYS && ok; a++)
        ok = put_array(&zip, own, a);
    ok = ok && cst_zip_end(&zip);
    const int why = errno;
    cst_zip_free(&zip);
    job->start = 0;
    return cst_export_close(job, file, NULL) && (ok || cst_complain(job->complaint, "cannot be written: %s", strerror(why)));
}

static void release(cst_export_job *job)
{
    npz *own = job->state;
    if (!own)
        return;
    for (int a = 0; a < ARRAYS; a++)
        cst_page_bytes_free(&own->bytes[a]);
    cst_page_bytes_free(&own->before);
    cst_spool_free(own->spool);
    free(own);
}

const cst_export_writer cst_export_writer_npz = {
    .ending = ".npz", .begin = begin, .frame = write_frame, .end = end, .release = release};
