/* Writes polygonal data in VTK's XML format for ParaView. For each frame there are two files such as bodies_00012.vtp and
 * contacts_00012.vtp. The files bodies.pvd and contacts.pvd give the time of each .vtp file.
 *
 * The arrays follow the XML text as raw bytes (VTK's "appended" data), each preceded by its length as a 64-bit number. The VTP
 * format is specified in Kitware, VTK File Formats, XML; file version 1.0. */
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "export/export_bytes.h"
#include "export/export_job.h"

typedef struct vtp {
    cst_page_bytes head, data;
} vtp;

__attribute__((format(printf, 2, 3))) static void print(cst_page_bytes *to, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cst_export_put_text(to, text);
}

/* Declares an array of `bytes` bytes in the XML text, and writes its length to own->data; the caller then writes the bytes. */
static void declare(vtp *own, const char *type, const char *name, int components, size_t bytes)
{
    print(&own->head, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n", type,
          name, components, own->data.count);
    cst_export_put_u64(&own->data, bytes);
}

static void put_reals(vtp *own, const char *name, const double *value, int components, size_t count)
{
    declare(own, "Float32", name, components, 4 * count * (size_t)components);
    cst_export_put_floats(&own->data, value, count * (size_t)components);
}

static void put_integers(vtp *own, const char *name, const int32_t *value, size_t count)
{
    declare(own, "Int32", name, 1, 4 * count);
    for (size_t i = 0; i < count; i++)
        cst_export_put_i32(&own->data, value[i]);
}

static void put_piece(vtp *own, int points, int verts, int lines, int polys)
{
    own->head.count = own->data.count = 0;
    print(&own->head,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n"
          "<PolyData>\n<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
          "NumberOfPolys=\"%d\">\n",
          points, verts, lines, polys);
}

/* ----------------------------------------------------------------------------------------------------------------- bodies */

static int parts_of(const cst_export_shapes *shapes, bool faces, int *entries)
{
    int parts = 0;
    *entries = 0;
    for (int i = 0; i < shapes->objects; i++) {
        const cst_export_object *object = &shapes->object[i];
        if (object->faces != faces)
            continue;
        parts += object->parts;
        *entries += faces ? object->corners : object->points;
        for (int part = 0; !faces && object->closed && part < object->parts; part++)
            *entries += shapes->part[object->first_part + part] > 2; /* the first point is repeated */
    }
    return parts;
}

static void put_connections(vtp *own, const cst_export_shapes *shapes, const cst_export_object *object)
{
    const int32_t *corner = shapes->corner + object->first_corner;
    int from = object->first_point;
    for (int part = 0; part < object->parts; part++) {
        const int count = shapes->part[object->first_part + part];
        for (int k = 0; k < count; k++)
            cst_export_put_i32(&own->data, object->faces ? object->first_point + *corner++ : from + k);
        if (!object->faces && object->closed && count > 2)
            cst_export_put_i32(&own->data, from);
        from += count;
    }
}

static void put_cells(vtp *own, const cst_export_shapes *shapes, bool faces)
{
    int entries, end = 0;
    const int parts = parts_of(shapes, faces, &entries);
    cst_export_put_text(&own->head, faces ? "<Polys>\n" : "<Lines>\n");
    declare(own, "Int32", "connectivity", 1, 4 * (size_t)entries);
    for (int i = 0; i < shapes->objects; i++)
        if (shapes->object[i].faces == faces)
            put_connections(own, shapes, &shapes->object[i]);
    declare(own, "Int32", "offsets", 1, 4 * (size_t)parts);
    for (int i = 0; i < shapes->objects; i++) {
        const cst_export_object *object = &shapes->object[i];
        for (int part = 0; object->faces == faces && part < object->parts; part++) {
            const int count = shapes->part[object->first_part + part];
            end += count + (!faces && object->closed && count > 2);
            cst_export_put_i32(&own->data, end);
        }
    }
    cst_export_put_text(&own->head, faces ? "</Polys>\n" : "</Lines>\n");
}

/* VTK numbers cells by type: lines first, then faces. */
static void put_cell_data(vtp *own, const cst_export_shapes *shapes, const char *name,
                          int (*value)(const cst_export_object *, int))
{
    declare(own, "Int32", name, 1, 4 * (size_t)shapes->parts);
    for (int faces = 0; faces < 2; faces++)
        for (int i = 0; i < shapes->objects; i++)
            for (int part = 0; shapes->object[i].faces == (faces == 1) && part < shapes->object[i].parts; part++)
                cst_export_put_i32(&own->data, value(&shapes->object[i], i));
}

static int is_obstacle(const cst_export_object *object, int index)
{
    (void)index;
    return object->owner == CST_ITEM_OBSTACLE;
}

static int object_number(const cst_export_object *object, int index)
{
    (void)object;
    return index;
}

static void put_bodies(vtp *own, const cst_export_job *job)
{
    const cst_export_shapes *shapes = &job->shapes;
    const size_t points = (size_t)shapes->points;
    int entries;
    put_piece(own, shapes->points, 0, parts_of(shapes, false, &entries), parts_of(shapes, true, &entries));
    cst_export_put_text(&own->head, "<Points>\n");
    put_reals(own, "Points", shapes->point, 3, points);
    cst_export_put_text(&own->head, "</Points>\n<PointData>\n");
    put_reals(own, "radius", shapes->radius, 1, points);
    put_reals(own, "contact_force", shapes->force, 1, points);
    put_integers(own, "contact_state", shapes->state, points);
    cst_export_put_text(&own->head, "</PointData>\n<CellData>\n");
    put_cell_data(own, shapes, "object", object_number);
    put_cell_data(own, shapes, "obstacle", is_obstacle);
    cst_export_put_text(&own->head, "</CellData>\n");
    put_cells(own, shapes, false);
    put_cells(own, shapes, true);
}

/* --------------------------------------------------------------------------------------------------------------- contacts */

static void put_vectors(vtp *own, const char *name, const cst_cache_frame *frame, size_t offset, int components)
{
    declare(own, "Float32", name, components, 4 * (size_t)components * (size_t)frame->contacts);
    for (int i = 0; i < frame->contacts; i++)
        cst_export_put_floats(&own->data, (const double *)(const void *)((const char *)&frame->contact[i] + offset),
                              (size_t)components);
}

static void put_numbers(vtp *own, const char *name, const cst_cache_frame *frame, int (*value)(const cst_contact_view *, int))
{
    declare(own, "Int32", name, 1, 4 * (size_t)frame->contacts);
    for (int i = 0; i < frame->contacts; i++)
        cst_export_put_i32(&own->data, value(&frame->contact[i], i));
}

static int state_of(const cst_contact_view *contact, int index)
{
    (void)index;
    return (int)contact->contact_case;
}

static int body_a_of(const cst_contact_view *contact, int index)
{
    (void)index;
    return (int)contact->a.body;
}

static int body_b_of(const cst_contact_view *contact, int index)
{
    (void)index;
    return (int)contact->b.body;
}

static int obstacle_of(const cst_contact_view *contact, int index)
{
    (void)index;
    return (int)contact->b.obstacle;
}

static int itself(const cst_contact_view *contact, int index)
{
    (void)contact;
    return index;
}

static int next_of(const cst_contact_view *contact, int index)
{
    (void)contact;
    return index + 1;
}

static void put_contacts(vtp *own, const cst_cache_frame *frame)
{
    put_piece(own, frame->contacts, frame->contacts, 0, 0);
    cst_export_put_text(&own->head, "<Points>\n");
    put_vectors(own, "Points", frame, offsetof(cst_contact_view, position), 3);
    cst_export_put_text(&own->head, "</Points>\n<PointData>\n");
    put_vectors(own, "force", frame, offsetof(cst_contact_view, force), 3);
    put_vectors(own, "normal", frame, offsetof(cst_contact_view, normal), 3);
    put_vectors(own, "velocity", frame, offsetof(cst_contact_view, velocity), 3);
    put_vectors(own, "gap", frame, offsetof(cst_contact_view, gap), 1);
    put_vectors(own, "mu", frame, offsetof(cst_contact_view, mu), 1);
    put_vectors(own, "error", frame, offsetof(cst_contact_view, error), 1);
    put_numbers(own, "state", frame, state_of);
    put_numbers(own, "body_a", frame, body_a_of);
    put_numbers(own, "body_b", frame, body_b_of);
    put_numbers(own, "obstacle_b", frame, obstacle_of);
    cst_export_put_text(&own->head, "</PointData>\n<Verts>\n");
    put_numbers(own, "connectivity", frame, itself);
    put_numbers(own, "offsets", frame, next_of);
    cst_export_put_text(&own->head, "</Verts>\n");
}

/* ------------------------------------------------------------------------------------------------------------------ files */

static bool write_file(cst_export_job *job, vtp *own, const char *stem)
{
    char name[CST_EXPORT_NAME];
    cst_export_frame_name(job, stem, ".vtp", name);
    cst_export_put_text(&own->head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    if (own->head.failed || own->data.failed)
        return cst_export_no_memory(job);
    FILE *file = cst_export_open(job, name);
    if (!file)
        return false;
    fwrite(own->head.data, 1, own->head.count, file); /* closing tells */
    fwrite(own->data.data, 1, own->data.count, file);
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
    return cst_export_close(job, file, name);
}

static bool begin(cst_export_job *job)
{
    job->state = calloc(1, sizeof(vtp));
    return job->state || cst_export_no_memory(job);
}

static bool write_frame(cst_export_job *job)
{
    vtp *own = job->state;
    put_bodies(own, job);
    if (!write_file(job, own, "bodies"))
        return false;
    put_contacts(own, &job->frame);
    return write_file(job, own, "contacts");
}

static bool write_collection(cst_export_job *job, const char *stem)
{
    char name[CST_EXPORT_NAME];
    snprintf(name, sizeof name, "%s.pvd", stem);
    FILE *file = cst_export_open(job, name);
    if (!file)
        return false;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
          file);
    for (int64_t k = 0; k < job->frames; k++)
        fprintf(file, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"%s_%05lld.vtp\"/>\n", job->time[k], stem,
                (long long)k);
    fputs("</Collection>\n</VTKFile>\n", file);
    return cst_export_close(job, file, name);
}

static bool end(cst_export_job *job)
{
    return write_collection(job, "bodies") && write_collection(job, "contacts");
}

static void release(cst_export_job *job)
{
    vtp *own = job->state;
    if (!own)
        return;
    cst_page_bytes_free(&own->head);
    cst_page_bytes_free(&own->data);
    free(own);
}

const cst_export_writer cst_export_writer_vtp = {.begin = begin, .frame = write_frame, .end = end, .release = release};
