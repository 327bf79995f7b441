#include "mesh/mesh_formats.h"

#include <stdlib.h>
#include <string.h>

#include "files/text_tokens.h"

/* The next line without its comment; `number` counts its words. False at the end of the file. */
static bool next_line(cst_tokens *text, cst_tokens *line)
{
    if (text->at == text->end)
        return false;
    *line = *text;
    line->number = 0;
    const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
    line->end = end ? end : text->end;
    text->at = end ? end + 1 : text->end;
    text->line += end != NULL;
    const char *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
    if (comment)
        line->end = comment;
    return true;
}

static bool is_continued(const cst_tokens *line)
{
    const char *last = line->end;
    while (last > line->at && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
        last--;
    return last > line->at && last[-1] == '\\';
}

static bool is_passed_over(const cst_tokens *line)
{
    static const char *const word[] = {"vn",         "vt",        "vp",     "g",   "o",     "s",        "mg",
                                       "usemtl",     "mtllib",    "usemap", "lod", "bevel", "c_interp", "d_interp",
                                       "shadow_obj", "trace_obj", "l",      "p",   "maplib"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (cst_tokens_peek(line, word[i]))
            return true;
    return false;
}

static bool read_vertex(cst_tokens *line, cst_mesh_file *out)
{
    double x[3];
    line->within = "vertex";
    if (cst_tokens_count_left(line) < 4)
        return cst_tokens_fault(line, "it needs three coordinates, not %d", (int)cst_tokens_count_left(line) - 1);
    const char *word;
    size_t length;
    if (!cst_tokens_take(line, "v", &word, &length) || !cst_tokens_real(line, "x", x) || !cst_tokens_real(line, "y", x + 1) ||
        !cst_tokens_real(line, "z", x + 2))
        return false;
    if (out->vertices >= CST_MESH_MOST)
        return cst_tokens_fault(line, "more than %d of them", CST_MESH_MOST);
    if (out->vertex)
        memcpy(out->vertex + 3 * (size_t)out->vertices, x, sizeof x);
    out->vertices++;
    return true;
}

/* The vertex of a corner "v", "v/vt", "v//vn" or "v/vt/vn". `all`: vertices of the file; -1: not counted yet. */
static bool read_corner(cst_tokens *line, int before, int all, int32_t *out)
{
    const char *word;
    size_t length;
    int64_t value = 0;
    if (!cst_tokens_take(line, "a corner", &word, &length))
        return false;
    const size_t sign = word[0] == '-' ? 1 : 0;
    size_t k = sign;
    for (; k < length && word[k] >= '0' && word[k] <= '9'; k++)
        if (value <= CST_MESH_MOST)
            value = 10 * value + (word[k] - '0');
    bool good = k > sign && (k == length || word[k] == '/');
    for (; good && k < length; k++)
        good = word[k] == '/' || word[k] == '-' || (word[k] >= '0' && word[k] <= '9');
    if (!good)
        return cst_tokens_fault(line, "corner %d is not a vertex number, alone or before slashes", (int)line->number - 1);
    const int64_t index = sign ? before - value : value - 1, end = sign ? before : all >= 0 ? all : CST_MESH_MOST;
    if (index < 0 || index >= end)
        return cst_tokens_fault(line, "there is no vertex %s%lld%s", sign ? "-" : "", (long long)value,
                                sign       ? " from here back"
                                : all >= 0 ? " in the file"
                                           : "");
    *out = (int32_t)index;
    return true;
}

static bool read_face(cst_tokens *line, int all, cst_mesh_file *out)
{
    line->within = "face";
    const int64_t corners = cst_tokens_count_left(line) - 1;
    if (corners < 3)
        return cst_tokens_fault(line, "it needs at least three corners, not %d", (int)corners);
    if (corners + out->triangles + out->dropped > CST_MESH_MOST)
        return cst_tokens_fault(line, "more than %d triangles", CST_MESH_MOST);
    int32_t first = 0, last = 0, here;
    const char *word;
    size_t length;
    if (!cst_tokens_take(line, "f", &word, &length))
        return false;
    for (int64_t i = 0; i < corners; i++) {
        if (!read_corner(line, out->vertices, all, &here))
            return false;
        if (i == 0)
            first = here;
        if (i >= 2)
            cst_mesh_enter(out, first, last, here);
        last = here;
    }
    return true;
}

/* Once to count and once, with arrays, to fill. */
static bool read_lines(const char *text, size_t bytes, int all, cst_mesh_file *out, cst_fault *fault)
{
    cst_tokens rest = cst_tokens_begin(text, bytes, fault), line;
    out->vertices = out->triangles = out->dropped = 0;
    while (next_line(&rest, &line)) {
        line.within = "OBJ";
        if (cst_tokens_count_left(&line) == 0)
            continue;
        if (is_continued(&line))
            return cst_tokens_fault(&line, "lines that are continued by a backslash are not read");
        if (cst_tokens_peek(&line, "v")   ? !read_vertex(&line, out)
            : cst_tokens_peek(&line, "f") ? !read_face(&line, all, out)
                                          : !is_passed_over(&line) && !cst_tokens_word(&line, "v or f"))
            return false;
    }
    return true;
}

bool cst_mesh_read_obj(const char *text, size_t bytes, cst_mesh_file *out, cst_fault *fault)
{
    if (!read_lines(text, bytes, -1, out, fault))
        return false;
    out->vertex = CST_TAKE_RAW(&out->arena, double, 3 * (size_t)out->vertices);
    out->triangle = CST_TAKE_RAW(&out->arena, int32_t, 3 * (size_t)out->triangles);
    if (out->arena.failed)
        return cst_fault_memory(fault);
    return read_lines(text, bytes, out->vertices, out, fault);
}
