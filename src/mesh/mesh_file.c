#include "mesh/mesh_file.h"

#include <string.h>
#include <strings.h>

#include "files/whole_file.h"
#include "mesh/mesh_edges.h"
#include "mesh/mesh_formats.h"

static const int64_t MOST_BYTES = (int64_t)1 << 31;

bool cst_name_ends(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

void cst_mesh_enter(cst_mesh_file *out, int32_t a, int32_t b, int32_t c)
{
    if (a == b || b == c || c == a) {
        out->dropped++;
        return;
    }
    if (out->triangle)
        memcpy(out->triangle + 3 * (size_t)out->triangles, (const int32_t[3]){a, b, c}, 3 * sizeof *out->triangle);
    out->triangles++;
}

static bool find_closed(cst_mesh_file *file, cst_fault *fault)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, &file->arena.allocator);
    cst_mesh_edge *edge;
    const int edges = cst_mesh_edges(file->triangle, file->triangles, &scratch, &edge);
    file->closed = edges > 0 && cst_mesh_open_edge(edge, edges) < 0;
    cst_arena_end(&scratch);
    return edges >= 0 || cst_fault_memory(fault);
}

static bool read_image(const char *image, size_t bytes, cst_mesh_file *file, cst_fault *fault)
{
    const bool obj = cst_name_ends(fault->path, ".obj");
    if (!obj && !cst_name_ends(fault->path, ".stl"))
        return cst_fault_set(fault, "is neither an .obj nor an .stl file by its name");
    if (!(obj ? cst_mesh_read_obj(image, bytes, file, fault) : cst_mesh_read_stl(image, bytes, file, fault)))
        return false;
    if (file->triangles == 0)
        return cst_fault_set(fault, "has no triangle%s", file->dropped > 0 ? " but those that have a corner twice" : "");
    return find_closed(file, fault);
}

static bool finish(cst_mesh_file *file, bool ok)
{
    if (!ok)
        cst_mesh_file_free(file);
    return ok;
}

bool cst_mesh_file_read_image(const char *name, const void *image, size_t bytes, const cst_allocator *allocator,
                              cst_mesh_file *out, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(name, message, message_size);
    *out = (cst_mesh_file){0};
    cst_arena_begin(&out->arena, allocator);
    return finish(out, read_image(image, bytes, out, &fault));
}

bool cst_mesh_file_read(const char *path, const cst_allocator *allocator, cst_mesh_file *out, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(path, message, message_size);
    cst_arena scratch;
    char *image;
    size_t bytes;
    *out = (cst_mesh_file){0};
    cst_arena_begin(&out->arena, allocator);
    cst_arena_begin(&scratch, allocator);
    const bool ok = cst_whole_file_read(MOST_BYTES, &scratch, &image, &bytes, &fault) && read_image(image, bytes, out, &fault);
    cst_arena_end(&scratch);
    return finish(out, ok);
}

void cst_mesh_file_free(cst_mesh_file *file)
{
    cst_arena_end(&file->arena);
    *file = (cst_mesh_file){0};
}
