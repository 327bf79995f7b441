#include "groom/strand_write.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "files/whole_file.h"
#include "mesh/mesh_file.h"

enum { HAIR_HEADER = 128, HAIR_SEGMENTS_MOST = 65535 };

typedef struct image {
    cst_arena *arena;
    char *at;
    size_t count, room;
} image;

static void add_bytes(image *to, const void *bytes, size_t count)
{
    if (to->count + count > to->room) {
        const size_t room = 2 * (to->count + count) + 4096;
        char *more = CST_TAKE_RAW(to->arena, char, room);
        if (!more)
            return;
        if (to->count > 0)
            memcpy(more, to->at, to->count);
        to->at = more;
        to->room = room;
    }
    if (!to->arena->failed)
        memcpy(to->at + to->count, bytes, count);
    to->count += count;
}

static void add_text(image *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_text(image *to, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_bytes(to, text, (size_t)length);
}

static void add_little(image *to, uint32_t value, int bytes)
{
    unsigned char part[4];
    for (int k = 0; k < bytes; k++)
        part[k] = (unsigned char)(value >> 8 * k);
    add_bytes(to, part, (size_t)bytes);
}

static void add_float(image *to, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    add_little(to, bits, 4);
}

static bool write_hair(const cst_strand_file *s, image *to, cst_fault *fault)
{
    const char nothing[HAIR_HEADER - 20] = {0};
    add_bytes(to, "HAIR", 4);
    add_little(to, (uint32_t)s->strands, 4);
    add_little(to, (uint32_t)s->points, 4);
    add_little(to, 7, 4); /* bit mask of the arrays in the file: segments, points, thickness */
    add_little(to, 0, 4);
    add_bytes(to, nothing, sizeof nothing);
    for (int i = 0; i < s->strands; i++) {
        const int segments = s->first[i + 1] - s->first[i] - 1;
        if (segments > HAIR_SEGMENTS_MOST)
            return cst_fault_set(fault, "strand %d has %d segments, .hair counts up to %d: expected another format", i + 1,
                                 segments, HAIR_SEGMENTS_MOST);
        add_little(to, (uint32_t)segments, 2);
    }
    for (int i = 0; i < 3 * s->points; i++)
        add_float(to, s->point[i]);
    for (int i = 0; i < s->points; i++)
        add_float(to, 2.0 * s->radius[i]);
    return true;
}

static bool write_usda(const cst_strand_file *s, image *to, cst_fault *fault)
{
    (void)fault;
    add_text(to, "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\ndef BasisCurves \"strands\"\n{\n"
                 "    uniform token type = \"linear\"\n    int[] curveVertexCounts = [");
    for (int i = 0; i < s->strands; i++)
        add_text(to, "%s%d", i ? ", " : "", s->first[i + 1] - s->first[i]);
    add_text(to, "]\n    point3f[] points = [");
    for (int i = 0; i < s->points; i++)
        add_text(to, "%s(%.9g, %.9g, %.9g)", i ? ", " : "", s->point[3 * i], s->point[3 * i + 1], s->point[3 * i + 2]);
    add_text(to, "]\n    float[] widths = [");
    for (int i = 0; i < s->points; i++)
        add_text(to, "%s%.9g", i ? ", " : "", 2.0 * s->radius[i]);
    add_text(to, "] (\n        interpolation = \"vertex\"\n    )\n}\n");
    return true;
}

static bool write_obj(const cst_strand_file *s, image *to, cst_fault *fault)
{
    (void)fault;
    for (int i = 0; i < s->points; i++)
        add_text(to, "v %.17g %.17g %.17g\n", s->point[3 * i], s->point[3 * i + 1], s->point[3 * i + 2]);
    for (int i = 0; i < s->strands; i++) {
        add_text(to, "l");
        for (int k = s->first[i]; k < s->first[i + 1]; k++)
            add_text(to, " %d", k + 1);
        add_text(to, "\n");
    }
    return true;
}

static bool write_csv(const cst_strand_file *s, image *to, cst_fault *fault)
{
    (void)fault;
    add_text(to, "strand,x,y,z,radius\n");
    for (int i = 0; i < s->strands; i++)
        for (int k = s->first[i]; k < s->first[i + 1]; k++)
            add_text(to, "%d,%.17g,%.17g,%.17g,%.17g\n", i + 1, s->point[3 * k], s->point[3 * k + 1], s->point[3 * k + 2],
                     s->radius[k]);
    return true;
}

bool cst_strand_file_write(const char *path, const cst_strand_file *strands, char *message, size_t size)
{
    static const struct {
        const char *ending;
        bool (*write)(const cst_strand_file *strands, image *to, cst_fault *fault);
    } format[] = {{".hair", write_hair}, {".usda", write_usda}, {".obj", write_obj}, {".csv", write_csv}};
    cst_fault fault = cst_fault_begin(path, message, size);
    cst_arena arena;
    cst_arena_begin(&arena, &strands->arena.allocator);
    image to = {.arena = &arena};
    bool known = false, written = false;
    for (size_t i = 0; i < sizeof format / sizeof *format && !known; i++)
        if (cst_name_ends(path, format[i].ending)) {
            known = true;
            written = format[i].write(strands, &to, &fault) && (!arena.failed || cst_fault_memory(&fault)) &&
                      cst_whole_file_write(to.at, to.count, &arena, &fault);
        }
    if (!known)
        cst_fault_record(&fault, "strands are written as .hair, .usda, .obj and .csv");
    cst_arena_end(&arena);
    return written;
}
