#include "scene/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

cst_json *cst_given(const cst_json *object, const char *key)
{
    cst_json *node = cst_json_find(object, key);
    return node && !node->faulty ? node : NULL;
}

static const char *otherwise(const cst_json *object, const char *key)
{
    const cst_section *section = object->role;
    const char *text = cst_section_key(section, key)->otherwise;
    return text && text[0] != ' ' ? text : NULL;
}

bool cst_angle_read(const char *text, double *out)
{
    size_t length = strspn(text, "0123456789+-.eE");
    const char *unit = text + length + strspn(text + length, " ");
    char *end;
    if (length == 0 || (strcmp(unit, "deg") != 0 && strcmp(unit, "rad") != 0))
        return false;
    double number = strtod(text, &end);
    if (end != text + length || !isfinite(number))
        return false;
    *out = unit[0] == 'd' ? number / 180.0 * pi : number;
    return true;
}

double cst_get_real_or(const cst_json *object, const char *key, double instead)
{
    const cst_json *node = cst_given(object, key);
    double angle;
    if (node && node->kind == CST_JSON_NUMBER)
        return node->number;
    return node && node->kind == CST_JSON_TEXT && cst_angle_read(node->text, &angle) ? angle : instead;
}

double cst_get_real(const cst_json *object, const char *key)
{
    const char *text = otherwise(object, key);
    return cst_get_real_or(object, key, text ? strtod(text, NULL) : 0.0);
}

int64_t cst_get_integer(const cst_json *object, const char *key)
{
    return (int64_t)cst_get_real(object, key);
}

bool cst_get_bool(const cst_json *object, const char *key)
{
    const cst_json *node = cst_given(object, key);
    const char *text = otherwise(object, key);
    return node ? node->truth : text && strcmp(text, "true") == 0;
}

const char *cst_get_text(const cst_json *object, const char *key)
{
    const cst_json *node = cst_given(object, key);
    return node && node->kind == CST_JSON_TEXT ? node->text : NULL;
}

int cst_get_choice(const cst_json *object, const char *key)
{
    const cst_section *section = object->role;
    const cst_scene_key *spec = cst_section_key(section, key);
    const char *text = cst_get_text(object, key), *instead = otherwise(object, key);
    if (text)
        return cst_key_choice_number(spec, text);
    for (int i = 0; instead && !cst_json_find(object, key) && cst_key_choice(spec, i); i++) {
        const char *name = cst_key_choice(spec, i);
        if (strncmp(instead + 1, name, strlen(name)) == 0 && instead[1 + strlen(name)] == '"')
            return i;
    }
    return -1;
}

void cst_get_vector(const cst_json *object, const char *key, double out[3])
{
    const cst_json *node = cst_given(object, key);
    const char *text = otherwise(object, key);
    out[0] = out[1] = out[2] = 0.0;
    if (node && node->kind == CST_JSON_ARRAY) {
        cst_get_reals(node, out);
    } else if (text) {
        for (int k = 0; k < 3 && text[0] && text[0] != ']'; k++) {
            char *end;
            out[k] = strtod(text + 1, &end);
            text = end;
        }
    }
}

int cst_scene_dim(const cst_json *root)
{
    const cst_json *dim = cst_json_find(root, "dim");
    return dim && dim->kind == CST_JSON_NUMBER && dim->number == 3.0 ? 3 : 2;
}

const cst_section *cst_root_section(const cst_json *root)
{
    return cst_scene_dim(root) == 3 ? &cst_space_section : &cst_scene_section;
}

void cst_get_reals(const cst_json *array, double *out)
{
    for (const cst_json *node = array->first; node; node = node->next)
        *out++ = node->number;
}

void cst_get_points(const cst_json *array, double *out)
{
    for (const cst_json *node = array->first; node; out += node->count, node = node->next)
        cst_get_reals(node, out);
}
