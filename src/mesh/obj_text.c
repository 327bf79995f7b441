#include "mesh/obj_text.h"

#include <string.h>

#include "mesh/mesh_formats.h"

static bool is_continued(const cst_tokens *line)
{
    const char *last = line->end;
    while (last > line->at && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
        last--;
    return last > line->at && last[-1] == '\\';
}

bool cst_obj_next_line(cst_tokens *text, cst_tokens *line)
{
    do {
        if (text->at == text->end)
            return false;
        *line = *text;
        line->number = 0;
        line->within = "OBJ";
        const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
        line->end = end ? end : text->end;
        text->at = end ? end + 1 : text->end;
        text->line += end != NULL;
        const char *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
        if (comment)
            line->end = comment;
    } while (cst_tokens_count_left(line) == 0);
    return !is_continued(line) || cst_tokens_fault(line, "lines that are continued by a backslash are not read");
}

bool cst_obj_vertex(cst_tokens *line, double x[3])
{
    line->within = "vertex";
    if (cst_tokens_count_left(line) < 4)
        return cst_tokens_fault(line, "it needs three coordinates, not %d", (int)cst_tokens_count_left(line) - 1);
    const char *word;
    size_t length;
    return cst_tokens_take(line, "v", &word, &length) && cst_tokens_real(line, "x", x) && cst_tokens_real(line, "y", x + 1) &&
           cst_tokens_real(line, "z", x + 2);
}

bool cst_obj_corner(cst_tokens *line, int before, int all, int32_t *out)
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
