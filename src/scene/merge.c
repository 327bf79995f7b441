#include "scene/merge.h"

#include <string.h>

bool cst_section_named(const cst_section *section)
{
    const cst_scene_key *key = section ? cst_section_key(section, "name") : NULL;
    return key && (key->forms & CST_VALUE_NAME);
}

cst_json *cst_list_find(const cst_json *list, const char *name)
{
    for (cst_json *child = list->first; child; child = child->next) {
        const cst_json *own = cst_json_find(child, "name");
        if (own && own->kind == CST_JSON_TEXT && strcmp(own->text, name) == 0)
            return child;
    }
    return NULL;
}

cst_json *cst_scene_expand(const cst_scene_key *key, cst_json *node, cst_arena *arena)
{
    if (!key || !key->stands_for || node->kind != CST_JSON_NUMBER)
        return node;
    cst_json *object = CST_TAKE(arena, cst_json, 1), *number = CST_TAKE(arena, cst_json, 1);
    if (!object || !number)
        return NULL;
    *number = *node;
    number->key = key->stands_for;
    *object = (cst_json){.kind = CST_JSON_OBJECT,
                         .key = node->key,
                         .key_line = node->key_line,
                         .key_column = node->key_column,
                         .source = node->source,
                         .line = node->line,
                         .column = node->column};
    cst_json_append(object, number);
    return object;
}

void cst_scene_set(const cst_section *section, cst_json *object, const char *key, cst_json *value)
{
    const cst_scene_key *spec = section ? cst_section_key(section, key) : NULL;
    for (int i = 0; spec && spec->group && i < section->keys; i++) {
        const cst_scene_key *rival = &section->key[i];
        cst_json *there =
            rival != spec && rival->group && strcmp(rival->group, spec->group) == 0 ? cst_json_find(object, rival->name) : NULL;
        if (there)
            cst_json_replace(object, there, NULL);
    }
    cst_json *before = cst_json_find(object, key);
    value->key = key;
    if (before)
        cst_json_replace(object, before, value);
    else
        cst_json_append(object, value);
}

static void merge_list(const cst_section *section, cst_json *under, cst_json *upper, cst_arena *arena)
{
    cst_json *next = upper->first;
    while (next) {
        cst_json *element = next;
        next = element->next;
        const cst_json *name = cst_json_find(element, "name");
        cst_json *same = name && name->kind == CST_JSON_TEXT ? cst_list_find(under, name->text) : NULL;
        if (same && same->kind == CST_JSON_OBJECT)
            cst_scene_merge(section, same, element, arena);
        else
            cst_json_append(under, element);
    }
}

void cst_scene_merge(const cst_section *section, cst_json *under, cst_json *upper, cst_arena *arena)
{
    cst_json *next = upper->first;
    under->source = upper->source;
    under->line = upper->line;
    under->column = upper->column;
    while (next) {
        cst_json *member = next, *below = cst_json_find(under, member->key);
        next = member->next;
        const cst_scene_key *key = section ? cst_section_key(section, member->key) : NULL;
        const cst_section *inner = key ? key->section : NULL;
        if (below && inner && (below->kind == CST_JSON_OBJECT || member->kind == CST_JSON_OBJECT)) {
            cst_json *object = cst_scene_expand(key, below, arena);
            member = cst_scene_expand(key, member, arena);
            if (!object || !member)
                return;
            cst_json_replace(under, below, object);
            below = object;
        }
        if (below && inner && below->kind == CST_JSON_OBJECT && member->kind == CST_JSON_OBJECT)
            cst_scene_merge(inner, below, member, arena);
        else if (below && cst_section_named(inner) && below->kind == CST_JSON_ARRAY && member->kind == CST_JSON_ARRAY)
            merge_list(inner, below, member, arena);
        else
            cst_scene_set(section, under, member->key, member);
    }
}
