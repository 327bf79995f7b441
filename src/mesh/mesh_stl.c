#include "mesh/mesh_formats.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "files/little_endian.h"
#include "files/text_tokens.h"

enum { HEADER_BYTES = 84, FACET_BYTES = 50 };

typedef struct corner {
    double x[3];
    int32_t number;
} corner;

static int by_place(const void *one, const void *two)
{
    const corner *a = one, *b = two;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k])
            return a->x[k] < b->x[k] ? -1 : 1;
    return 0;
}

/* Merges all corners with the same coordinates to one vertex. The vertices are in the order in which they first occur in the
 * file. */
static bool merge(corner *all, int facets, cst_arena *scratch, cst_mesh_file *out, cst_fault *fault)
{
    const size_t count = 3 * (size_t)facets;
    corner *room = CST_TAKE_RAW(scratch, corner, count);
    int32_t *first = CST_TAKE_RAW(scratch, int32_t, count); /* lowest corner number at the position */
    int32_t *vertex = CST_TAKE_RAW(scratch, int32_t, count);
    double *place = CST_TAKE_RAW(scratch, double, 3 * count);
    if (scratch->failed)
        return cst_fault_memory(fault);
    cst_merge_sort(all, room, count, sizeof *all, by_place);
    for (size_t i = 0; i < count; i++) {
        const bool new = i == 0 || by_place(all + i - 1, all + i) != 0;
        first[all[i].number] = new ? all[i].number : first[all[i - 1].number];
        memcpy(place + 3 * (size_t)all[i].number, all[i].x, sizeof all[i].x);
    }
    for (size_t i = 0; i < count; i++)
        vertex[i] = first[i] == (int32_t)i ? out->vertices++ : vertex[first[i]];
    out->vertex = CST_TAKE_RAW(&out->arena, double, 3 * (size_t)out->vertices);
    out->triangle = CST_TAKE_RAW(&out->arena, int32_t, count);
    if (out->arena.failed)
        return cst_fault_memory(fault);
    for (size_t i = 0; i < count; i++)
        memcpy(out->vertex + 3 * (size_t)vertex[i], place + 3 * (size_t)first[i], 3 * sizeof *place);
    for (size_t i = 0; i < count; i += 3)
        cst_mesh_enter(out, vertex[i], vertex[i + 1], vertex[i + 2]);
    return true;
}

static void enter_corner(corner *all, int32_t number, const double *x)
{
    all[number] = (corner){.x = {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0}, .number = number}; /* + 0: no negative zero */
}

/* ----------------------------------------------------------------------------------------------------------------- binary */

static bool read_binary(const unsigned char *image, int facets, corner *all, cst_fault *fault)
{
    for (int i = 0; i < facets; i++)
        for (int k = 0; k < 3; k++) {
            const unsigned char *at = image + HEADER_BYTES + FACET_BYTES * (size_t)i + 12 * ((size_t)k + 1);
            const double x[3] = {cst_little_float(at), cst_little_float(at + 4), cst_little_float(at + 8)};
            if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
                return cst_fault_set(fault, "corner %d of triangle %d is not finite", k + 1, i + 1);
            enter_corner(all, 3 * i + k, x);
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- text */

static bool expect(cst_tokens *tokens, const char *word)
{
    const char *start;
    size_t length;
    if (cst_tokens_peek(tokens, word))
        return cst_tokens_take(tokens, word, &start, &length);
    return cst_tokens_word(tokens, word);
}

static void skip_line(cst_tokens *tokens)
{
    while (tokens->at < tokens->end && *tokens->at != '\n')
        tokens->at++;
}

static bool read_facet(cst_tokens *tokens, int facet, corner *all)
{
    const char *word;
    size_t length;
    double x[3];
    if (!expect(tokens, "facet") || !expect(tokens, "normal"))
        return false;
    for (int k = 0; k < 3; k++) /* a normal may be "nan" */
        if (!cst_tokens_take(tokens, "the normal", &word, &length))
            return false;
    if (!expect(tokens, "outer") || !expect(tokens, "loop"))
        return false;
    for (int k = 0; k < 3; k++) {
        if (!expect(tokens, "vertex") || !cst_tokens_real(tokens, "x", x) || !cst_tokens_real(tokens, "y", x + 1) ||
            !cst_tokens_real(tokens, "z", x + 2))
            return false;
        if (all)
            enter_corner(all, 3 * facet + k, x);
    }
    return expect(tokens, "endloop") && expect(tokens, "endfacet");
}

/* Returns the number of facets in all solids of a text file, or -1 on an error, with a message in `fault`. If `all` is NULL, the
 * facets are only counted. */
static int read_text(const char *text, size_t bytes, corner *all, cst_fault *fault)
{
    cst_tokens tokens = cst_tokens_begin(text, bytes, fault);
    int facets = 0;
    tokens.within = "STL";
    do {
        if (!expect(&tokens, "solid"))
            return -1;
        skip_line(&tokens);
        while (!cst_tokens_peek(&tokens, "endsolid")) {
            if (facets >= CST_MESH_MOST / 3 || !read_facet(&tokens, facets, all)) {
                cst_tokens_record(&tokens, "more than %d facets", CST_MESH_MOST / 3); /* unless another fault was recorded */
                return -1;
            }
            facets++;
        }
        if (!expect(&tokens, "endsolid"))
            return -1;
        skip_line(&tokens);
    } while (cst_tokens_peek(&tokens, "solid"));
    return cst_tokens_count_left(&tokens) == 0 || expect(&tokens, "solid") ? facets : -1;
}

static bool read_and_merge(const char *image, size_t bytes, bool binary, int facets, cst_arena *scratch, cst_mesh_file *out,
                           cst_fault *fault)
{
    corner *all = CST_TAKE_RAW(scratch, corner, 3 * (size_t)facets);
    if (!all)
        return cst_fault_memory(fault);
    const bool ok =
        binary ? read_binary((const unsigned char *)image, facets, all, fault) : read_text(image, bytes, all, fault) == facets;
    return ok && merge(all, facets, scratch, out, fault);
}

/* An STL file is read as binary if its length fits the number of facets in its header; otherwise it must be text. */
bool cst_mesh_read_stl(const char *image, size_t bytes, cst_mesh_file *out, cst_fault *fault)
{
    const uint32_t said = bytes >= HEADER_BYTES ? cst_little_unsigned((const unsigned char *)image + HEADER_BYTES - 4) : 0;
    const bool binary = bytes >= HEADER_BYTES && bytes == HEADER_BYTES + FACET_BYTES * (uint64_t)said;
    const cst_tokens start = cst_tokens_begin(image, bytes, fault);
    if (!binary && !cst_tokens_peek(&start, "solid"))
        return cst_fault_set(fault,
                             "is no STL file: it neither begins with \"solid\" nor has the length of the %lu triangles it names",
                             (unsigned long)said);
    if (binary && said > CST_MESH_MOST / 3)
        return cst_fault_set(fault, "has more than %d triangles", CST_MESH_MOST / 3);
    const int facets = binary ? (int)said : read_text(image, bytes, NULL, fault);
    if (facets < 0)
        return false;
    cst_arena scratch;
    cst_arena_begin(&scratch, &out->arena.allocator);
    const bool ok = read_and_merge(image, bytes, binary, facets, &scratch, out, fault);
    cst_arena_end(&scratch);
    return ok;
}
