/* Writes one binary, little-endian PLY file for each frame. A PLY file contains faces, curves as edges, and points with their
 * radius, contact force, contact state and object number. Each edge has two points, and in 3D each face is a triangle, because
 * programs that read PLY expect this. The PLY format is specified in Turk, The PLY Polygon File Format, 1994. */
#include <stdlib.h>

#include "export/export_bytes.h"
#include "export/export_job.h"

static int count_edges(const cst_export_shapes *shapes, const cst_export_object *object)
{
    int edges = 0;
    for (int part = 0; part < object->parts; part++) {
        const int points = shapes->part[object->first_part + part];
        edges += points - 1 + (object->closed && points > 2);
    }
    return edges;
}

static void put_head(FILE *file, const cst_export_job *job)
{
    const cst_export_shapes *shapes = &job->shapes;
    int edges = 0, faces = 0;
    for (int i = 0; i < shapes->objects; i++) {
        edges += shapes->object[i].faces ? 0 : count_edges(shapes, &shapes->object[i]);
        faces += shapes->object[i].faces ? shapes->object[i].parts : 0;
    }
    fprintf(file, "ply\nformat binary_little_endian 1.0\ncomment frame %lld, %.9g s, metres\n", (long long)job->index[job->k],
            job->frame.time);
    for (int i = 0; i < shapes->objects; i++)
        fprintf(file, "comment object %d %s\n", i, shapes->object[i].name);
    fprintf(file,
            "element vertex %d\nproperty float x\nproperty float y\nproperty float z\nproperty float radius\n"
            "property float contact_force\nproperty int contact_state\nproperty int object\n"
            "element face %d\nproperty list int int vertex_indices\nproperty int object\n",
            shapes->points, faces);
    if (edges > 0)
        fprintf(file, "element edge %d\nproperty int vertex1\nproperty int vertex2\n", edges);
    fputs("end_header\n", file);
}

static void put_vertices(cst_page_bytes *bytes, const cst_export_shapes *shapes, int index)
{
    const cst_export_object *object = &shapes->object[index];
    for (int k = object->first_point; k < object->first_point + object->points; k++) {
        cst_export_put_floats(bytes, shapes->point + 3 * (size_t)k, 3);
        cst_export_put_floats(bytes, shapes->radius + k, 1);
        cst_export_put_floats(bytes, shapes->force + k, 1);
        cst_export_put_i32(bytes, shapes->state[k]);
        cst_export_put_i32(bytes, index);
    }
}

static void put_faces(cst_page_bytes *bytes, const cst_export_shapes *shapes, int index)
{
    const cst_export_object *object = &shapes->object[index];
    const int32_t *corner = shapes->corner + object->first_corner;
    for (int part = 0; part < object->parts; part++) {
        const int corners = shapes->part[object->first_part + part];
        cst_export_put_i32(bytes, corners);
        for (int k = 0; k < corners; k++)
            cst_export_put_i32(bytes, object->first_point + *corner++);
        cst_export_put_i32(bytes, index);
    }
}

static void put_edges(cst_page_bytes *bytes, const cst_export_shapes *shapes, int index)
{
    const cst_export_object *object = &shapes->object[index];
    int from = object->first_point;
    for (int part = 0; part < object->parts; part++) {
        const int points = shapes->part[object->first_part + part], edges = points - 1 + (object->closed && points > 2);
        for (int k = 0; k < edges; k++) {
            cst_export_put_i32(bytes, from + k);
            cst_export_put_i32(bytes, from + (k + 1) % points);
        }
        from += points;
    }
}

static bool begin(cst_export_job *job)
{
    job->state = calloc(1, sizeof(cst_page_bytes));
    return job->state || cst_export_no_memory(job);
}

static bool write_frame(cst_export_job *job)
{
    const cst_export_shapes *shapes = &job->shapes;
    cst_page_bytes *bytes = job->state;
    bytes->count = 0;
    for (int i = 0; i < shapes->objects; i++)
        put_vertices(bytes, shapes, i);
    for (int i = 0; i < shapes->objects; i++)
        if (shapes->object[i].faces)
            put_faces(bytes, shapes, i);
    for (int i = 0; i < shapes->objects; i++)
        if (!shapes->object[i].faces)
            put_edges(bytes, shapes, i);
    if (bytes->failed)
        return cst_export_no_memory(job);
    char name[CST_EXPORT_NAME];
    cst_export_frame_name(job, "frame", ".ply", name);
    FILE *file = cst_export_open(job, name);
    if (!file)
        return false;
    put_head(file, job);
    fwrite(bytes->data, 1, bytes->count, file); /* closing tells */
    return cst_export_close(job, file, name);
}

static void release(cst_export_job *job)
{
    if (job->state)
        cst_page_bytes_free(job->state);
    free(job->state);
}

const cst_export_writer cst_export_writer_ply = {.begin = begin, .frame = write_frame, .release = release};
