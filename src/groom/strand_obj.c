/* Reads strands from Wavefront OBJ files. Each line element `l` is a strand. Vertices must precede the line elements that use
 * them. */
#include <string.h>

#include "groom/strand_file.h"
#include "mesh/obj_text.h"

enum { MOST = 1 << 28 };

typedef struct vertices {
    double *x; /* (count x 3) */
    size_t count, room;
    cst_arena *arena;
} vertices;

static bool add_vertex(vertices *v, cst_tokens *line, cst_fault *fault)
{
    double x[3];
    if (!cst_obj_vertex(line, x))
        return false;
    if (v->count >= MOST)
        return cst_tokens_fault(line, "more than %d of them", MOST);
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 256;
        double *more = CST_TAKE_RAW(v->arena, double, 3 * v->room);
        if (!more)
            return cst_fault_memory(fault);
        if (v->count > 0)
            memcpy(more, v->x, 3 * v->count * sizeof *more);
        v->x = more;
    }
    memcpy(v->x + 3 * v->count++, x, sizeof x);
    return true;
}

static bool read_line_element(const vertices *v, cst_tokens *line, cst_strand_file *out, cst_fault *fault)
{
    const char *word;
    size_t length;
    line->within = "line element";
    const int64_t corners = cst_tokens_count_left(line) - 1;
    if (corners < 2)
        return cst_tokens_fault(line, "it needs two vertices or more, not %d", (int)corners);
    if (!cst_tokens_take(line, "l", &word, &length))
        return false;
    for (int64_t i = 0; i < corners; i++) {
        int32_t at;
        if (!cst_obj_corner(line, (int)v->count, (int)v->count, &at) || !cst_strands_add(out, v->x + 3 * (size_t)at, 0.0, fault))
            return false;
    }
    return cst_strands_close(out, fault);
}

bool cst_strands_read_obj(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault)
{
    cst_tokens rest = cst_tokens_begin(text, bytes, fault), line;
    vertices v = {.arena = &out->arena};
    while (cst_obj_next_line(&rest, &line)) {
        if (cst_tokens_peek(&line, "v")   ? !add_vertex(&v, &line, fault)
            : cst_tokens_peek(&line, "l") ? !read_line_element(&v, &line, out, fault)
                                          : false)
            return false;
    }
    return !fault->set;
}
