#include "scene/motion_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/check.h"
#include "scene/load_files.h"
#include "scene/text.h"

enum { COLUMNS_MOST = 7, ROWS_MOST = 1000000 };

/* Reads the numbers of one line, separated by commas. Returns the count of numbers, or -1 if one of them is not valid. */
static int numbers_of(const char *at, const char *end, double *value)
{
    int count = 0;
    while (at < end) {
        char *stop;
        const double number = strtod(at, &stop); /* the text ends with a zero */
        if (stop == at || stop > end || !isfinite(number) || count == COLUMNS_MOST)
            return -1;
        value[count++] = number;
        at = stop + strspn(stop, " \t\r");
        if (at >= end)
            break;
        if (*at++ != ',' || at >= end)
            return -1;
    }
    return count;
}

static bool is_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at == end;
}

static void add_row(const double *v, int columns, cst_text *to)
{
    cst_text_add(to, "{\"time\": %.17g, \"translation\": [%.17g, %.17g, %.17g]", v[0], v[1], v[2], v[3]);
    if (columns == 7)
        cst_text_add(to, ", \"rotation\": [%.17g, %.17g, %.17g]", v[4], v[5], v[6]);
    cst_text_add(to, "},\n");
}

/* Converts the rows of a motion file to keyframes and returns them as a JSON text, {"keys": [...]}. If a row is invalid, an
 * error is reported at the file name in the scene, and the result is NULL. */
static const char *keys_of(const char *text, size_t size, const char *path, cst_json *file, cst_mistakes *mistakes)
{
    cst_text out = {.arena = mistakes->arena};
    const char *at = text, *end = text + size;
    int columns = 0;
    cst_text_add(&out, "{\"keys\": [\n");
    for (int line = 1; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        double value[COLUMNS_MOST];
        const int here = line == 1 || is_blank(at, stop) ? 0 : numbers_of(at, stop, value);
        columns = columns ? columns : here;
        if (here != 0 && (here != columns || (here != 4 && here != 7))) {
            cst_mistake_at(mistakes, file,
                           "%s: line %d: expected numbers time,x,y,z or time,x,y,z,rx,ry,rz, as many in all lines", path, line);
            return NULL;
        }
        if (here)
            add_row(value, here, &out);
        if (line > ROWS_MOST) {
            cst_mistake_at(mistakes, file, "%s: more than %d lines", path, ROWS_MOST);
            return NULL;
        }
        at = newline ? newline + 1 : end;
    }
    cst_text_add(&out, "]}");
    return cst_text_all(&out);
}

static void load(cst_json *motion, cst_json *file, const cst_source *own, cst_mistakes *mistakes)
{
    /* A relative file name in an override (option --set PATH=VALUE) is relative to the folder of the scene file, and any other to
     * the folder of the file that contains the name. */
    const char *from = file->source->lines ? file->source->name : own->name;
    const char *path = cst_path_beside(from, file->text, mistakes->arena), *why = NULL;
    size_t size;
    const char *text = path ? cst_load_text(path, mistakes->arena, &size, &why) : NULL;
    if (!text) {
        cst_mistake_at(mistakes, file, "%s cannot be read: %s", path ? path : "", path && why ? why : "out of memory");
        return;
    }
    const char *keys = keys_of(text, size, path, file, mistakes);
    if (!keys)
        return;
    cst_json *made = cst_json_read(keys, strlen(keys), file->source, mistakes), *list = made ? cst_json_find(made, "keys") : NULL;
    if (!list)
        return;
    cst_json_replace(motion, file, NULL);
    cst_json_append(motion, list);
}

void cst_scene_load_motions(cst_json *root, const cst_source *own, cst_mistakes *mistakes)
{
    for (cst_json *child = root ? root->first : NULL; child; child = child->next) {
        cst_json *file = child->key && strcmp(child->key, "motion") == 0 ? cst_json_find(child, "file") : NULL;
        if (file && file->kind == CST_JSON_TEXT && !cst_json_find(child, "keys"))
            load(child, file, own, mistakes);
        cst_scene_load_motions(child, own, mistakes);
    }
}
