#include "mesh/mesh_formats.h"

#include <string.h>

#include "mesh/obj_text.h"

static bool is_passed_over(const cst_tokens *line)
{
    static const char *const word[] = {"vn",       "vp",         "g",         "o",   "s",     "mg",
                                       "usemtl",   "mtllib",     "usemap",    "lod", "bevel", "c_interp",
                                       "d_interp", "shadow_obj", "trace_obj", "l",   "p",     "maplib"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (cst_tokens_peek(line, word[i]))
            return true;
    return false;
}

/* Adds a row of coordinates to `list`, or only counts the row if `list` is NULL. */
static bool keep(const cst_tokens *line, const double *x, int numbers, double *list, int *rows)
{
    if (*rows >= CST_MESH_MOST)
        return cst_tokens_fault(line, "more than %d of them", CST_MESH_MOST);
    if (list)
        memcpy(list + (size_t)numbers * (size_t)*rows, x, (size_t)numbers * sizeof *x);
    ++*rows;
    return true;
}

static bool enter_vertex(cst_tokens *line, cst_mesh_file *out)
{
    double x[3];
    return cst_obj_vertex(line, x) && keep(line, x, 3, out->vertex, &out->vertices);
}

/* A `vt` line may have only one texture coordinate; the second one is then 0. */
static bool read_texture(cst_tokens *line, cst_mesh_file *out)
{
    double x[2] = {0.0, 0.0};
    const char *word;
    size_t length;
    line->within = "texture coordinates";
    const bool both = cst_tokens_count_left(line) > 2;
    return cst_tokens_take(line, "vt", &word, &length) && cst_tokens_real(line, "u", x) &&
           (!both || cst_tokens_real(line, "v", x + 1)) && keep(line, x, 2, out->texture, &out->textures);
}

/* Returns the index of the texture coordinates of a corner "v/vt" or "v/vt/vn" of a face, or -1 if there are none or the index is
 * not valid.
 *     `before`: number of texture coordinates above the line of the face.
 *     `all`: number of texture coordinates in the whole file, or -1 if they are not counted yet. */
static int32_t texture_of(const char *word, size_t length, int before, int all)
{
    const char *slash = memchr(word, '/', length);
    size_t k = slash ? (size_t)(slash - word) + 1 : length;
    const bool back = k < length && word[k] == '-';
    const size_t start = k += back ? 1 : 0;
    int64_t value = 0;
    for (; k < length && word[k] >= '0' && word[k] <= '9'; k++)
        if (value <= CST_MESH_MOST)
            value = 10 * value + (word[k] - '0');
    const int64_t index = back ? before - value : value - 1, end = back ? before : all >= 0 ? all : CST_MESH_MOST;
    return k == start || index < 0 || index >= end ? -1 : (int32_t)index;
}

static void enter(cst_mesh_file *out, const int32_t *vertex, const int32_t *texture)
{
    const int before = out->triangles;
    cst_mesh_enter(out, vertex[0], vertex[1], vertex[2]);
    if (out->texture_of && out->triangles > before)
        memcpy(out->texture_of + 3 * (size_t)before, texture, 3 * sizeof *texture);
}

static bool read_face(cst_tokens *line, int all, int all_textures, cst_mesh_file *out)
{
    line->within = "face";
    const int64_t corners = cst_tokens_count_left(line) - 1;
    if (corners < 3)
        return cst_tokens_fault(line, "it needs at least three corners, not %d", (int)corners);
    if (corners + out->triangles + out->dropped > CST_MESH_MOST)
        return cst_tokens_fault(line, "more than %d triangles", CST_MESH_MOST);
    int32_t vertex[3] = {0, 0, 0}, texture[3] = {-1, -1, -1};
    const char *word;
    size_t length;
    if (!cst_tokens_take(line, "f", &word, &length))
        return false;
    for (int64_t i = 0; i < corners; i++) {
        const int at = i < 2 ? (int)i : 2;
        cst_tokens ahead = *line;
        if (i > 2) {
            vertex[1] = vertex[2];
            texture[1] = texture[2];
        }
        if (!cst_obj_corner(line, out->vertices, all, vertex + at) || !cst_tokens_take(&ahead, "a corner", &word, &length))
            return false;
        texture[at] = texture_of(word, length, out->textures, all_textures);
        if (i >= 2)
            enter(out, vertex, texture);
    }
    return true;
}

/* Reads all lines of the file. The function read_lines is called twice: first to count vertices and triangles, then to fill the
 * arrays. */
static bool read_lines(const char *text, size_t bytes, int all, int all_textures, cst_mesh_file *out, cst_fault *fault)
{
    cst_tokens rest = cst_tokens_begin(text, bytes, fault), line;
    out->vertices = out->triangles = out->textures = out->dropped = 0;
    while (cst_obj_next_line(&rest, &line)) {
        if (cst_tokens_peek(&line, "v")    ? !enter_vertex(&line, out)
            : cst_tokens_peek(&line, "vt") ? !read_texture(&line, out)
            : cst_tokens_peek(&line, "f")  ? !read_face(&line, all, all_textures, out)
                                           : !is_passed_over(&line) && !cst_tokens_word(&line, "v or f"))
            return false;
    }
    return !fault->set;
}

/* If any corner of a triangle has no texture coordinates, discards the array texture_of; the array `texture` remains. */
static void keep_texture(cst_mesh_file *out)
{
    for (size_t i = 0; out->texture_of && i < 3 * (size_t)out->triangles; i++)
        if (out->texture_of[i] < 0)
            out->texture_of = NULL;
}

bool cst_mesh_read_obj(const char *text, size_t bytes, cst_mesh_file *out, cst_fault *fault)
{
    if (!read_lines(text, bytes, -1, -1, out, fault))
        return false;
    out->vertex = CST_TAKE_RAW(&out->arena, double, 3 * (size_t)out->vertices);
    out->triangle = CST_TAKE_RAW(&out->arena, int32_t, 3 * (size_t)out->triangles);
    if (out->textures > 0) {
        out->texture = CST_TAKE_RAW(&out->arena, double, 2 * (size_t)out->textures);
        out->texture_of = CST_TAKE_RAW(&out->arena, int32_t, 3 * (size_t)out->triangles);
    }
    if (out->arena.failed)
        return cst_fault_memory(fault);
    if (!read_lines(text, bytes, out->vertices, out->textures, out, fault))
        return false;
    keep_texture(out);
    return true;
}
