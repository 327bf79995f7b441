#include "scene/json.h"

#include <string.h>

cst_json *cst_json_find(const cst_json *object, const char *key)
{
    cst_json *found = NULL;
    if (object && object->kind == CST_JSON_OBJECT)
        for (cst_json *member = object->first; member; member = member->next)
            if (strcmp(member->key, key) == 0)
                found = member;
    return found;
}

void cst_json_append(cst_json *parent, cst_json *child)
{
    child->parent = parent;
    child->index = parent->count++;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

void cst_json_replace(cst_json *parent, cst_json *child, cst_json *now)
{
    cst_json *next = parent->first;
    parent->first = parent->last = NULL;
    parent->count = 0;
    while (next) {
        cst_json *old = next;
        next = old->next;
        if (old == child && now)
            now->key = old->key;
        if (old != child || now)
            cst_json_append(parent, old == child ? now : old);
    }
}

static void add_path(const cst_json *node, cst_text *path)
{
    if (!node->parent)
        return;
    add_path(node->parent, path);
    if (node->parent->kind == CST_JSON_ARRAY)
        cst_text_add(path, "[%d]", node->index);
    else
        cst_text_add(path, "%s%s", path->length ? "." : "", node->key);
}

const char *cst_json_path(const cst_json *node, const char *key, cst_arena *arena)
{
    cst_text path = {.arena = arena};
    add_path(node, &path);
    if (key)
        cst_text_add(&path, "%s%s", path.length ? "." : "", key);
    return cst_text_all(&path);
}

const char *cst_json_kind_name(cst_json_kind kind)
{
    static const char *const names[] = {"null", "true or false", "a number", "a text", "an array", "an object"};
    return names[kind];
}

static bool plain(const cst_json *node)
{
    return node->kind < CST_JSON_ARRAY;
}

/* Returns true if a value is written on one line: an empty object, or an array that contains no objects, also not in nested
 * arrays. */
static bool on_one_line(const cst_json *node)
{
    if (node->kind == CST_JSON_OBJECT)
        return node->count == 0;
    for (const cst_json *child = node->first; child; child = child->next) {
        if (child->kind == CST_JSON_OBJECT || (child->kind == CST_JSON_ARRAY && !on_one_line(child)))
            return false;
    }
    return true;
}

void cst_json_write_text(const char *text, cst_text *to)
{
    cst_text_add(to, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            cst_text_add(to, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            cst_text_add(to, "\\u%04x", (unsigned)*text);
        else
            cst_text_add_bytes(to, text, 1);
    }
    cst_text_add(to, "\"");
}

static void write_plain(const cst_json *node, cst_text *to)
{
    if (node->kind == CST_JSON_NUMBER)
        cst_text_add_number(to, node->number);
    else if (node->kind == CST_JSON_TEXT)
        cst_json_write_text(node->text, to);
    else
        cst_text_add(to, "%s", node->kind == CST_JSON_NULL ? "null" : node->truth ? "true" : "false");
}

static void write_node(const cst_json *node, int indent, cst_text *to)
{
    if (plain(node)) {
        write_plain(node, to);
        return;
    }
    bool keyed = node->kind == CST_JSON_OBJECT, single = on_one_line(node);
    cst_text_add(to, keyed ? "{" : "[");
    for (const cst_json *child = node->first; child; child = child->next) {
        if (single)
            cst_text_add(to, child == node->first ? "" : ", ");
        else
            cst_text_add(to, "%s\n%*s", child == node->first ? "" : ",", indent + 2, "");
        if (keyed) {
            cst_json_write_text(child->key, to);
            cst_text_add(to, ": ");
        }
        write_node(child, indent + 2, to);
    }
    if (!single)
        cst_text_add(to, "\n%*s", indent, "");
    cst_text_add(to, keyed ? "}" : "]");
}

void cst_json_write(const cst_json *root, cst_text *to)
{
    write_node(root, 0, to);
    cst_text_add(to, "\n");
}
