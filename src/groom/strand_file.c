#include "groom/strand_file.h"

#include <assert.h>
#include <string.h>

#include "files/whole_file.h"
#include "mesh/mesh_file.h"

/* MOST: largest number of points in a strand file, so that the number of their coordinates fits an int */
enum { MOST = 1 << 28 };

static const int64_t largest = (int64_t)1 << 32; /* largest file (bytes) */

static void *grown(cst_arena *arena, const void *old, size_t used, size_t room, size_t each)
{
    assert(old || used == 0);
    void *more = cst_arena_take_raw(arena, room, each);
    if (more && used > 0)
        memcpy(more, old, used * each);
    return more;
}

bool cst_strands_add(cst_strand_file *out, const double x[3], double radius, cst_fault *fault)
{
    const size_t n = (size_t)out->points;
    if (out->points >= MOST)
        return cst_fault_set(fault, "more than %d points", MOST);
    if (n == out->room_points) {
        const size_t room = n ? 2 * n : 256;
        double *point = grown(&out->arena, out->point, 3 * n, 3 * room, sizeof *point),
               *own = grown(&out->arena, out->radius, n, room, sizeof *own);
        if (!point || !own)
            return cst_fault_memory(fault);
        out->point = point;
        out->radius = own;
        out->room_points = room;
    }
    memcpy(out->point + 3 * n, x, 3 * sizeof *x);
    out->radius[n] = radius;
    out->points++;
    return true;
}

bool cst_strands_close(cst_strand_file *out, cst_fault *fault)
{
    const size_t n = (size_t)out->strands;
    if (n + 2 > out->room_strands) {
        const size_t room = n ? 2 * n + 2 : 64;
        int *first = grown(&out->arena, out->first, n + (out->first != NULL), room, sizeof *first);
        if (!first)
            return cst_fault_memory(fault);
        if (!out->first)
            first[0] = 0;
        out->first = first;
        out->room_strands = room;
    }
    const int points = out->points - out->first[n];
    if (points < 2)
        return cst_fault_set(fault, "strand %d has %d points: expected two or more", out->strands + 1, points);
    out->first[++out->strands] = out->points;
    return true;
}

static bool read_any(const char *name, const char *image, size_t bytes, cst_strand_file *out, cst_fault *fault)
{
    static const struct {
        const char *ending;
        bool (*read)(const char *image, size_t bytes, cst_strand_file *out, cst_fault *fault);
    } format[] = {{".hair", cst_strands_read_hair},
                  {".usda", cst_strands_read_usda},
                  {".obj", cst_strands_read_obj},
                  {".csv", cst_strands_read_csv}};
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        if (cst_name_ends(name, format[i].ending)) {
            if (!format[i].read(image, bytes, out, fault))
                return false;
            return out->strands > 0 || cst_fault_set(fault, "there are no strands in it");
        }
    return cst_fault_set(fault, "strands are read from .hair, .usda, .obj and .csv");
}

bool cst_strand_file_read_image(const char *name, const char *image, size_t bytes, const cst_allocator *allocator,
                                cst_strand_file *out, char *message, size_t size)
{
    cst_fault fault = cst_fault_begin(name, message, size);
    *out = (cst_strand_file){.strands = 0};
    cst_arena_begin(&out->arena, allocator);
    if (read_any(name, image, bytes, out, &fault))
        return true;
    cst_strand_file_free(out);
    return false;
}

bool cst_strand_file_read(const char *path, const cst_allocator *allocator, cst_strand_file *out, char *message, size_t size)
{
    cst_fault fault = cst_fault_begin(path, message, size);
    cst_arena scratch;
    char *image;
    size_t bytes;
    cst_arena_begin(&scratch, allocator);
    const bool done = cst_whole_file_read(largest, &scratch, &image, &bytes, &fault) &&
                      cst_strand_file_read_image(path, image, bytes, allocator, out, message, size);
    cst_arena_end(&scratch);
    return done;
}

void cst_strand_file_free(cst_strand_file *file)
{
    cst_arena_end(&file->arena);
}
