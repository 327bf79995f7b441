#include "mesh/vertex_sequence.h"

#include <math.h>
#include <string.h>

#include "files/fault.h"
#include "files/little_endian.h"
#include "files/whole_file.h"
#include "mesh/mesh_file.h"
#include "mesh/mesh_formats.h"

static const int64_t MOST_BYTES = (int64_t)1 << 34;
enum { HEADER_BYTES = 32 };

/* -------------------------------------------------------------------------------------------------------------------- PC2 */

static bool read_samples(const unsigned char *at, cst_vertex_sequence *out, cst_fault *fault)
{
    for (int sample = 0; sample < out->times; sample++)
        for (int point = 0; point < out->vertices; point++)
            for (int k = 0; k < 3; k++, at += 4) {
                const double x = cst_little_float(at);
                if (!isfinite(x))
                    return cst_fault_set(fault, "point %d of sample %d is not finite", point + 1, sample + 1);
                out->vertex[3 * ((size_t)sample * (size_t)out->vertices + (size_t)point) + (size_t)k] = x;
            }
    return true;
}

static bool read_points(const unsigned char *image, size_t bytes, double frame_seconds, cst_vertex_sequence *out,
                        cst_fault *fault)
{
    if (bytes < HEADER_BYTES || memcmp(image, "POINTCACHE2", 12) != 0)
        return cst_fault_set(fault, "does not begin as a PC2 file does");
    const uint32_t version = cst_little_unsigned(image + 12), points = cst_little_unsigned(image + 16),
                   samples = cst_little_unsigned(image + 28);
    const double start = cst_little_float(image + 20), rate = cst_little_float(image + 24);
    const uint64_t room = (bytes - HEADER_BYTES) / 12;
    if (version != 1)
        return cst_fault_set(fault, "is a PC2 file of version %lu; only 1 is known", (unsigned long)version);
    if (points == 0 || samples == 0 || points > CST_MESH_MOST || samples > CST_MESH_MOST)
        return cst_fault_set(fault, "names %lu points and %lu samples", (unsigned long)points, (unsigned long)samples);
    if ((bytes - HEADER_BYTES) % 12 != 0 || room != (uint64_t)points * samples)
        return cst_fault_set(fault, "has %llu bytes of points, not those of %lu samples of %lu",
                             (unsigned long long)(bytes - HEADER_BYTES), (unsigned long)samples, (unsigned long)points);
    if (!isfinite(start) || !isfinite(rate) || !(rate > 0.0))
        return cst_fault_set(fault, "starts at frame %g and goes on by %g frames", start, rate);
    out->vertices = (int)points;
    out->times = (int)samples;
    out->vertex = CST_TAKE_RAW(&out->arena, double, 3 * (size_t)room);
    out->time = CST_TAKE_RAW(&out->arena, double, samples);
    if (out->arena.failed)
        return cst_fault_memory(fault);
    for (int i = 0; i < out->times; i++)
        out->time[i] = (start + i * rate) * frame_seconds;
    return read_samples(image + HEADER_BYTES, out, fault);
}

/* -------------------------------------------------------------------------------------------------------------- OBJ files */

static bool same_triangles(const cst_mesh_file *mesh, const cst_vertex_sequence *out)
{
    return mesh->vertices == out->vertices && mesh->triangles == out->triangles &&
           memcmp(mesh->triangle, out->triangle, 3 * (size_t)mesh->triangles * sizeof *mesh->triangle) == 0;
}

static bool enter_first(const cst_mesh_file *mesh, int paths, cst_vertex_sequence *out)
{
    out->vertices = mesh->vertices;
    out->triangles = mesh->triangles;
    out->closed = mesh->closed;
    out->vertex = CST_TAKE_RAW(&out->arena, double, 3 * (size_t)mesh->vertices * (size_t)paths);
    out->time = CST_TAKE_RAW(&out->arena, double, paths);
    out->triangle = CST_TAKE_RAW(&out->arena, int32_t, 3 * (size_t)mesh->triangles);
    if (out->arena.failed)
        return false;
    memcpy(out->triangle, mesh->triangle, 3 * (size_t)mesh->triangles * sizeof *mesh->triangle);
    return true;
}

static bool read_meshes(const char *const *path, int paths, double frame_seconds, cst_vertex_sequence *out, char *message,
                        size_t message_size)
{
    bool ok = true;
    for (int i = 0; ok && i < paths; i++) {
        cst_mesh_file mesh;
        if (!cst_mesh_file_read(path[i], &out->arena.allocator, &mesh, message, message_size))
            return false;
        cst_fault fault = cst_fault_begin(path[i], message, message_size);
        if (i == 0)
            ok = enter_first(&mesh, paths, out) || cst_fault_memory(&fault);
        else if (!same_triangles(&mesh, out))
            ok = cst_fault_set(&fault, "has not the triangles of %s: a sequence moves vertices only", path[0]);
        if (ok) {
            const size_t size = 3 * (size_t)mesh.vertices;
            memcpy(out->vertex + size * (size_t)i, mesh.vertex, size * sizeof *mesh.vertex);
            out->time[i] = i * frame_seconds;
        }
        cst_mesh_file_free(&mesh);
    }
    out->times = paths;
    return ok;
}

/* --------------------------------------------------------------------------------------------------------------- entrance */

static bool finish(cst_vertex_sequence *out, bool ok)
{
    if (!ok)
        cst_vertex_sequence_free(out);
    return ok;
}

static bool check_seconds(double frame_seconds, cst_fault *fault)
{
    return (frame_seconds > 0.0 && isfinite(frame_seconds)) ||
           cst_fault_set(fault, "a frame must last longer than 0 s, not %g", frame_seconds);
}

bool cst_vertex_sequence_read_image(const char *name, const void *image, size_t bytes, double frame_seconds,
                                    const cst_allocator *allocator, cst_vertex_sequence *out, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(name, message, message_size);
    *out = (cst_vertex_sequence){0};
    cst_arena_begin(&out->arena, allocator);
    return finish(out, check_seconds(frame_seconds, &fault) && read_points(image, bytes, frame_seconds, out, &fault));
}

bool cst_vertex_sequence_read(const char *const *path, int paths, double frame_seconds, const cst_allocator *allocator,
                              cst_vertex_sequence *out, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(paths > 0 ? path[0] : "sequence of shapes", message, message_size);
    *out = (cst_vertex_sequence){0};
    cst_arena_begin(&out->arena, allocator);
    if (paths < 1)
        return finish(out, cst_fault_set(&fault, "no file is named"));
    if (!check_seconds(frame_seconds, &fault))
        return finish(out, false);
    for (int i = 0; i < paths; i++)
        if (!cst_name_ends(path[i], ".obj") && !(paths == 1 && cst_name_ends(path[i], ".pc2")))
            return finish(out, cst_fault_set(&fault, "a sequence is one .pc2 file or a list of .obj files, not %s", path[i]));
    if (cst_name_ends(path[0], ".obj"))
        return finish(out, read_meshes(path, paths, frame_seconds, out, message, message_size));
    cst_arena scratch;
    char *image;
    size_t bytes;
    cst_arena_begin(&scratch, allocator);
    const bool ok = cst_whole_file_read(MOST_BYTES, &scratch, &image, &bytes, &fault) &&
                    read_points((const unsigned char *)image, bytes, frame_seconds, out, &fault);
    cst_arena_end(&scratch);
    return finish(out, ok);
}

void cst_vertex_sequence_free(cst_vertex_sequence *sequence)
{
    cst_arena_end(&sequence->arena);
    *sequence = (cst_vertex_sequence){0};
}
