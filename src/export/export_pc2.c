/* Writes PC2 files (point cache 2), which for example Blender's Mesh Cache modifier reads. For each object, NAME.pc2 contains its
 * points in all frames, and NAME.obj the shape to which these points belong.
 *
 * All numbers in a PC2 file are little-endian and have 4 bytes. A PC2 file begins with the 12 bytes "POINTCACHE2" and a zero. The
 * header of a PC2 file continues with the version (1), the number of points, the first frame (float), the frames per sample
 * (float) and the number of samples. After the header, a PC2 file has the coordinates of all points in all samples, as floats.
 * The number of points cannot change. */
#include <stdlib.h>

#include "export/export_bytes.h"
#include "export/export_job.h"
#include "export/export_obj.h"

typedef struct pc2 {
    cst_page_bytes bytes;
    int *points; /* number of points of each object in the first frame */
} pc2;

static void object_file(const cst_export_object *object, const char *ending, char *name, size_t room)
{
    snprintf(name, room, "%s%s", object->name, ending);
}

static bool begin(cst_export_job *job)
{
    const int objects = job->shapes.objects;
    pc2 *own = job->state = calloc(1, sizeof *own);
    if (own)
        own->points = calloc((size_t)objects + 1, sizeof *own->points);
    if (!own || !own->points)
        return cst_export_no_memory(job);
    if (job->frames > INT32_MAX)
        return cst_complain(job->complaint, "PC2 counts frames with 31 bits; there are more");
    for (int i = 0; i < objects; i++) {
        const cst_export_object *object = &job->shapes.object[i];
        char name[CST_EXPORT_NAME + 256];
        object_file(object, ".obj", name, sizeof name);
        own->points[i] = object->points;
        FILE *file = cst_export_open(job, name);
        if (!file)
            return false;
        cst_export_obj_object(file, &job->shapes, object, 1);
        if (!cst_export_close(job, file, name))
            return false;
    }
    return true;
}

static void put_head(cst_page_bytes *bytes, int points, int64_t frames)
{
    cst_export_put_text(bytes, "POINTCACHE2");
    cst_page_put_u8(bytes, 0);
    cst_export_put_i32(bytes, 1);
    cst_export_put_i32(bytes, points);
    cst_page_put_f32(bytes, 0.0F);
    cst_page_put_f32(bytes, 1.0F);
    cst_export_put_i32(bytes, (int32_t)frames);
}

static bool append(cst_export_job *job, pc2 *own, int index)
{
    const cst_export_object *object = &job->shapes.object[index];
    char name[CST_EXPORT_NAME + 256];
    object_file(object, ".pc2", name, sizeof name);
    if (object->points != own->points[index])
        return cst_complain(
            job->complaint,
            "%s has %d points at %g s and %d in the first frame, which PC2 cannot keep; export usd, obj, ply or vtp",
            object->name, object->points, job->frame.time, own->points[index]);
    own->bytes.count = 0;
    if (job->k == 0)
        put_head(&own->bytes, object->points, job->frames);
    cst_export_put_floats(&own->bytes, job->shapes.point + 3 * (size_t)object->first_point, 3 * (size_t)object->points);
    if (own->bytes.failed)
        return cst_export_no_memory(job);
    FILE *file = cst_export_open(job, name);
    if (!file)
        return false;
    fwrite(own->bytes.data, 1, own->bytes.count, file); /* closing tells */
    return cst_export_close(job, file, name);
}

static bool write_frame(cst_export_job *job)
{
    for (int i = 0; i < job->shapes.objects; i++)
        if (!append(job, job->state, i))
            return false;
    return true;
}

static void release(cst_export_job *job)
{
    pc2 *own = job->state;
    if (!own)
        return;
    cst_page_bytes_free(&own->bytes);
    free(own->points);
    free(own);
}

const cst_export_writer cst_export_writer_pc2 = {.begin = begin, .frame = write_frame, .release = release};
