/* Parses overrides (--set PATH=VALUE). A path consists of keys, names of list items, and indices in brackets, which count from
 * 0. Examples of overrides are:
 *
 *     time_step.dt=1e-4    rods.rope.radius=0.01    rods[0].radius=0.01    gravity[1]=-1.62    obstacles.post.shape=disk.
 *
 * The value of an override is JSON; a word without quotes is read as a string. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/check.h"
#include "scene/merge.h"
#include "scene/values.h"

typedef struct walk {
    const cst_source *source;
    cst_mistakes *mistakes;
    cst_arena *arena;
    const char *start, *at, *end; /* path of an override: its first character, the next character to be read, and its end */
    cst_json *value;
} walk;

/* Reports an error in an override (--set PATH=VALUE), with the part of the path that has been parsed. */
__attribute__((format(printf, 2, 3))) static void wrong(const walk *on, const char *format, ...)
{
    cst_text key = {.arena = on->arena};
    cst_text_add_bytes(&key, on->start, (size_t)(on->at - on->start));
    va_list arguments;
    va_start(arguments, format);
    cst_mistake_list(on->mistakes, on->source, 0, 0, cst_text_all(&key), format, arguments);
    va_end(arguments);
}

/* Reads the characters of a path up to the next dot, the next bracket or the end. */
static const char *read_word(walk *on)
{
    const char *from = on->at;
    cst_text word = {.arena = on->arena};
    while (on->at < on->end && *on->at != '.' && *on->at != '[' && *on->at != ']')
        on->at++;
    cst_text_add_bytes(&word, from, (size_t)(on->at - from));
    return cst_text_all(&word);
}

/* Reads an index such as "[3]". Returns -1 after an error. */
static int read_index(walk *on, const cst_json *array)
{
    char *after;
    long number = strtol(on->at + 1, &after, 10);
    bool sound = on->at[1] >= '0' && on->at[1] <= '9' && after < on->end && *after == ']';
    on->at = sound ? after + 1 : on->end;
    if (!sound)
        wrong(on, "expected a number in brackets, from 0");
    else if (array->count == 0)
        wrong(on, "there are none");
    else if (number >= array->count)
        wrong(on, "there is no such number: expected 0 to %d", array->count - 1);
    return sound && number < array->count ? (int)number : -1;
}

static cst_json *child_of_name(walk *on, const cst_json *array, const char *name)
{
    cst_json *found = cst_list_find(array, name);
    if (found)
        return found;
    const char **names = CST_TAKE(on->arena, const char *, array->count);
    int count = 0;
    for (const cst_json *child = array->first; child && names; child = child->next) {
        const cst_json *own = cst_json_find(child, "name");
        if (own && own->kind == CST_JSON_TEXT)
            names[count++] = own->text;
    }
    const char *near = names ? cst_nearest_name(name, names, count) : NULL;
    cst_text list = {.arena = on->arena};
    for (int i = 0; i < count && i < 12 && !near; i++)
        cst_text_add(&list, "%s%s", i ? ", " : "; expected one of ", names[i]);
    wrong(on, "there is no \"%s\" here%s%s", name, cst_did_you_mean(near, on->arena), cst_text_all(&list));
    return NULL;
}

static void step_into(walk *on, const cst_scene_key *key, cst_json *node);

static void step_object(walk *on, const cst_section *section, cst_json *object)
{
    const char *word = read_word(on);
    const cst_scene_key *key = cst_section_key(section, word);
    if (!key) {
        const char *names[CST_SECTION_KEYS_MAX] = {NULL};
        const char *near = cst_nearest_name(word, names, cst_section_names(section, CST_ALWAYS, names));
        cst_text list = {.arena = on->arena};
        for (int i = 0; i < section->keys && !near; i++)
            cst_text_add(&list, "%s%s", i ? ", " : "; expected one of ", section->key[i].name);
        wrong(on, "unknown key%s%s", cst_did_you_mean(near, on->arena), cst_text_all(&list));
        return;
    }
    if (on->at == on->end) {
        cst_scene_set(section, object, key->name, on->value);
        return;
    }
    cst_json *child = cst_json_find(object, key->name);
    if (!child && (key->forms & CST_VALUE_OBJECT)) {
        child = CST_TAKE(on->arena, cst_json, 1);
        if (!child)
            return;
        *child = (cst_json){.kind = CST_JSON_OBJECT, .source = on->source};
        cst_scene_set(section, object, key->name, child);
    }
    /* if the scene does not give this array, the override changes an element of a copy of the array's default value */
    if (!child && key->otherwise && key->otherwise[0] == '[') {
        child = cst_json_read(key->otherwise, strlen(key->otherwise), on->source, on->mistakes);
        if (child)
            cst_scene_set(section, object, key->name, child);
    }
    cst_json *whole = child ? cst_scene_expand(key, child, on->arena) : NULL;
    if (whole != child)
        cst_json_replace(object, child, whole);
    if (whole)
        step_into(on, key, whole);
    else if (key->forms & CST_VALUE_LIST)
        wrong(on, "the scene has none");
    else
        wrong(on, "is not given in the scene: set it as a whole");
}

/* Follows the path of an override (--set PATH=VALUE) by one step into an array, to the element that the path gives as "[3]" or
 * ".name". */
static void step_array(walk *on, const cst_scene_key *key, cst_json *array)
{
    cst_json *child = NULL;
    if (*on->at == '[') {
        int index = read_index(on, array);
        for (child = index < 0 ? NULL : array->first; child && index > 0; index--)
            child = child->next;
    } else if ((key->forms & CST_VALUE_LIST) && cst_section_named(key->section)) {
        on->at++;
        const char *name = read_word(on);
        child = child_of_name(on, array, name);
    } else {
        wrong(on, "is an array: expected a number in brackets, from 0");
    }
    if (!child)
        return;
    if (on->at == on->end)
        cst_json_replace(array, child, on->value);
    else if (*on->at == '.' && (key->forms & CST_VALUE_LIST) && child->kind == CST_JSON_OBJECT)
        on->at++, step_object(on, key->section, child);
    else if (*on->at == '[' && child->kind == CST_JSON_ARRAY)
        step_array(on, key, child);
    else
        wrong(on, "there is nothing further in it");
}

static void step_into(walk *on, const cst_scene_key *key, cst_json *node)
{
    if (node->kind == CST_JSON_OBJECT && *on->at == '.' && key->section) {
        on->at++;
        step_object(on, key->section, node);
    } else if (node->kind == CST_JSON_ARRAY && (*on->at == '[' || *on->at == '.')) {
        step_array(on, key, node);
    } else {
        wrong(on, "is %s here: there is nothing further in it", cst_json_kind_name(node->kind));
    }
}

static cst_json *read_value(const char *text, const cst_source *source, cst_mistakes *mistakes)
{
    cst_mistakes tried = {.arena = mistakes->arena};
    cst_json *value = cst_json_read(text, strlen(text), source, &tried);
    if (value && tried.count == 0)
        return value;
    bool bare = *text && text[strcspn(text, "{}[]\",:")] == '\0';
    if (!bare) {
        cst_json_read(text, strlen(text), source, mistakes);
        return NULL;
    }
    value = CST_TAKE(mistakes->arena, cst_json, 1);
    if (value)
        *value = (cst_json){.kind = CST_JSON_TEXT, .text = text, .source = source};
    return value;
}

void cst_scene_override(cst_json *root, const cst_source *source, cst_mistakes *mistakes)
{
    const char *text = source->name + strlen(CST_OVERRIDE_PREFIX), *equals = strchr(text, '=');
    walk on = {.source = source, .mistakes = mistakes, .arena = mistakes->arena, .start = text, .at = text, .end = equals};
    if (!equals || equals == text) {
        cst_mistake(mistakes, source, 0, 0, "", "expected KEY=VALUE, for example time_step.dt=1e-4");
        return;
    }
    on.value = read_value(equals + 1, source, mistakes);
    if (on.value && root->kind == CST_JSON_OBJECT)
        step_object(&on, cst_root_section(root), root);
}
