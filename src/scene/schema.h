/* The scene language as a table of keys: types, unit, range, default and explanation of each key. The table of keys is used by
 * check.c, values.h, merge.c, schema_json.c and reference.c. */
#ifndef CST_SCENE_SCHEMA_H
#define CST_SCENE_SCHEMA_H

#include <stdbool.h>

/* A key is allowed to have values of several types. */
typedef enum cst_value_form {
    CST_VALUE_REAL = 1 << 0,
    CST_VALUE_INTEGER = 1 << 1,
    CST_VALUE_BOOL = 1 << 2,
    CST_VALUE_TEXT = 1 << 3,
    CST_VALUE_ANGLE = 1 << 4,      /* rad, or a text like "30deg" */
    CST_VALUE_VECTOR = 1 << 5,     /* [x, y] */
    CST_VALUE_REALS = 1 << 6,      /* an array of numbers */
    CST_VALUE_POINTS = 1 << 7,     /* an array of [x, y] */
    CST_VALUE_CHOICE = 1 << 8,     /* a text out of `choices` */
    CST_VALUE_OBJECT = 1 << 9,     /* of `section` */
    CST_VALUE_LIST = 1 << 10,      /* an array of objects of `section` */
    CST_VALUE_NAME = 1 << 11,      /* the object's own name */
    CST_VALUE_REFERENCE = 1 << 12, /* the name of another item */
    CST_VALUE_PARTIES = 1 << 13,   /* two names of items */
    CST_VALUE_VECTOR3 = 1 << 14,   /* [x, y, z] */
    CST_VALUE_POINTS3 = 1 << 15    /* an array of [x, y, z] */
} cst_value_form;

typedef enum cst_named {
    CST_NAMED_ROD = 1 << 0,
    CST_NAMED_RIGID = 1 << 1,
    CST_NAMED_OBSTACLE = 1 << 2,
    CST_NAMED_MATERIAL = 1 << 3,
    CST_NAMED_CONSTRAINT = 1 << 4,
    CST_NAMED_LOAD = 1 << 5,
    CST_NAMED_GENERATOR = 1 << 6,
    CST_NAMED_PROBE = 1 << 7,
    CST_NAMED_FIBER = 1 << 8,
    CST_NAMED_SHEET = 1 << 9,
    CST_NAMED_FABRIC = 1 << 10,
    CST_NAMED_PLANE_BODY = CST_NAMED_ROD | CST_NAMED_RIGID,
    CST_NAMED_SPACE_BODY = CST_NAMED_FIBER | CST_NAMED_RIGID,
    CST_NAMED_BODY = CST_NAMED_PLANE_BODY | CST_NAMED_SPACE_BODY | CST_NAMED_SHEET,
    /* A scene can set the friction between two bodies, obstacles or materials by their names. Therefore bodies, obstacles and
     * materials share one name space: no two of them have the same name. */
    CST_NAMED_PARTY = CST_NAMED_BODY | CST_NAMED_OBSTACLE | CST_NAMED_MATERIAL
} cst_named;

typedef struct cst_section cst_section;

typedef struct cst_scene_key {
    const char *name;
    unsigned forms;         /* of cst_value_form */
    unsigned kinds;         /* NAME, REFERENCE, PARTIES: of cst_named */
    const char *unit;       /* NULL: none */
    const char *components; /* NULL: "[x, y, z]" */
    /* Range of a number x, also in arrays of the type CST_VALUE_REALS: low <= x <= high; if `above` is true, low < x <= high.
     * Both 0: any number. The components of vectors and points may be any numbers. */
    double low, high;
    /* default value as JSON text, or (if the text begins with a space) a description of the default in words; NULL if the key is
     * required or has no default */
    const char *otherwise;
    const char *about;
    /* bit mask of the variants of the section (for example shapes of an obstacle) that can have the key; 0: all */
    unsigned variants;
    /* bit mask of the variants of the section that require the key; CST_ALWAYS: all */
    unsigned required;
    const char *group;          /* name of a group of keys that exclude each other */
    const char *const *choices; /* CHOICE: ends in NULL */
    /* returns the allowed word with the index `value`; if this function is given, it replaces the array `choices` */
    const char *(*choice_name)(int value);
    const cst_section *section;
    /* key of an object: if a scene gives a bare number instead of the object, the number is the value of this key */
    const char *stands_for;
    int choice_count;
    bool above;
    bool group_required; /* true if exactly one key of `group` must be given */
} cst_scene_key;

#define CST_ALWAYS (~0u)

struct cst_section {
    const char *name;  /* "rod": in $defs and in messages */
    const char *about; /* for the reference */
    const cst_scene_key *key;
    int keys;
    const char *by; /* key that selects the variant */
    /* true if generators can also repeat objects of this section; an object that a generator repeats has no name */
    bool template_too;
    bool repeated; /* what a generator repeats */
};

extern const cst_section cst_scene_section, cst_space_section; /* root sections (2D, 3D) */

const cst_scene_key *cst_section_key(const cst_section *section, const char *name); /* NULL: there is none */
/* NULL beyond the last choice. */
const char *cst_key_choice(const cst_scene_key *key, int number);
int cst_key_choices(const cst_scene_key *key);
/* For a key whose value is one of several allowed words: index of the word `name`, or -1 if it is not allowed. */
int cst_key_choice_number(const cst_scene_key *key, const char *name);

/* All sections of the scene language, ended by NULL. The root section of 2D scenes comes first, then come the other sections of
 * 2D scenes, and last the sections that only 3D scenes use. */
extern const cst_section *const cst_scene_sections[];

#endif
