/* JSON with comments, read into a tree that stores the line and column of every key and value.
 *
 * The format is RFC 8259 with three additions: // comments, block comments, and a comma after the last element. The comma after
 * the last element is allowed so that a user can turn the last line of a list into a comment without changing the line before it.
 * Keys are unique. The text must be UTF-8 without the character U+0000 (NUL).
 *
 * Capstan has its own parser, because yajl is unmaintained, yajl and jansson do not store the columns of values, and libfyaml
 * does not accept // comments in JSON. */
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
    bool truth; /* BOOL */
    /* true: an error was reported at this JSON value, so further errors that result from it are not reported */
    bool faulty;
    double number;                 /* NUMBER: finite */
    const char *text;              /* TEXT */
    const char *key;               /* key in its object */
    cst_json *parent;              /* NULL: the root */
    cst_json *first, *last, *next; /* ARRAY, OBJECT: children in order */
    int count;                     /* number of children */
    int index;                     /* index in the parent */
    const cst_source *source;
    int line, column;         /* line and column of the value in its file, counted from 1; a column is a character */
    int key_line, key_column; /* line and column of the key */
    const char *meant;        /* for an unknown key: the key that was probably meant, or NULL */
    /* the table of keys that applies to this object, such as that of a rod (cst_section); NULL until the keys are checked */
    const void *role;
};

enum { CST_JSON_DEPTH_MAX = 64 };

/* Parses a JSON text. Returns NULL if the text is not JSON or memory ran out. After a missing comma or a repeated key, parsing
 * reports an error and continues. */
cst_json *cst_json_read(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes);

/* Returns the last member of an object with the given key, or NULL if no member has the key or `object` is not an object. */
cst_json *cst_json_find(const cst_json *object, const char *key);

void cst_json_append(cst_json *parent, cst_json *child);
/* Replaces `child`, an element of an array or a member of an object, by `now`, which gets the key of `child`. If `now` is NULL,
 * removes the child. */
void cst_json_replace(cst_json *parent, cst_json *child, cst_json *now);

/* Returns the path of a JSON value, such as "rods[0].radius"; if `key` is not NULL, appends "." and the key. */
const char *cst_json_path(const cst_json *node, const char *key, cst_arena *arena);

/* Returns the kind of a JSON value in words, such as "a number" or "an array". */
const char *cst_json_kind_name(cst_json_kind kind);

/* Writes canonical JSON: indented by two spaces, arrays without objects on one line, no comments. */
void cst_json_write(const cst_json *root, cst_text *to);
/* Writes a text in quotes, escaped where necessary. */
void cst_json_write_text(const char *text, cst_text *to);

#endif
