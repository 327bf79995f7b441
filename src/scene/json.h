/* JSON with comments, read into a tree that knows the line and column of every key and value.
 *
 * RFC 8259, and besides it // and block comments, and a comma after the last element: lines can be commented out without
 * mending their neighbours. Keys are unique. The text is UTF-8 without the character 0. Nothing else is relaxed.
 * (Own reader: yajl is unmaintained and, like jansson, keeps no columns of values; libfyaml takes no such comments.) */
#ifndef CST_SCENE_JSON_H
#define CST_SCENE_JSON_H

#include "scene/mistakes.h"
#include "scene/text.h"

typedef enum cst_json_kind {
    CST_JSON_NULL = 0,
    CST_JSON_BOOL,
    CST_JSON_NUMBER,
    CST_JSON_TEXT,
    CST_JSON_ARRAY,
    CST_JSON_OBJECT
} cst_json_kind;

typedef struct cst_json cst_json;
struct cst_json {
    cst_json_kind kind;
    bool truth;                    /* BOOL */
    bool faulty;                   /* a mistake has been reported here: conclusions from it would be mistaken too */
    double number;                 /* NUMBER: finite */
    const char *text;              /* TEXT */
    const char *key;               /* in an object: its key there */
    cst_json *parent;              /* NULL: the root */
    cst_json *first, *last, *next; /* ARRAY, OBJECT: children in order */
    int count;                     /* of children */
    int index;                     /* in the parent */
    const cst_source *source;
    int line, column;         /* of the value, from 1, columns in characters */
    int key_line, key_column; /* of the key */
    const char *meant;        /* an unknown key: the one it was probably meant to be, or NULL */
    const void *role;         /* what a reader has taken it for (schema.h); NULL at first */
};

enum { CST_JSON_DEPTH_MAX = 64 };

/* NULL if the text is no JSON or memory ran out. A missing comma and a repeated key are mistakes too, but the reading goes on
 * after them: what was meant is clear. */
cst_json *cst_json_read(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes);

/* Member of an object (the last, if a key is repeated); NULL if there is none, or `object` is no object. */
cst_json *cst_json_find(const cst_json *object, const char *key);

/* A child more, at the end. */
void cst_json_append(cst_json *parent, cst_json *child);
/* `now` in the place of `child`, under the same key; or, NULL, nothing there. */
void cst_json_replace(cst_json *parent, cst_json *child, cst_json *now);

/* "rods[0].radius", and ".key" after it unless NULL. */
const char *cst_json_path(const cst_json *node, const char *key, cst_arena *arena);

/* "a number", "an array": for messages. */
const char *cst_json_kind_name(cst_json_kind kind);

/* Canonical: two spaces a level, arrays of numbers and texts on one line, no comments. */
void cst_json_write(const cst_json *root, cst_text *to);
/* A text in quotes, escaped where it must be. */
void cst_json_write_text(const char *text, cst_text *to);

#endif
