/* Checks a scene against the table of keys: unknown keys, wrong types, values out of range, missing keys, keys that exclude each
 * other. */
#ifndef CST_SCENE_CHECK_H
#define CST_SCENE_CHECK_H

#include "scene/json.h"
#include "scene/schema.h"

/* Stores in the field `role` of each object of the scene, also of a faulty one, its section of the schema, that is, the table of
 * keys that applies to the object. Objects that are values of unknown or misplaced keys get no section. Marks every JSON node
 * that has an error; an object in which a key is missing is not marked. */
void cst_scene_check_keys(cst_json *root, cst_mistakes *mistakes);

/* The function cst_mistake_at reports an error at a node of the JSON tree, with the path of the node, and marks the node as
 * faulty. The function cst_mistake_in reports an error about a key of an object, in most cases a key that the object should have
 * but does not have, and marks no node. */
void cst_mistake_at(cst_mistakes *mistakes, cst_json *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cst_mistake_in(cst_mistakes *mistakes, const cst_json *object, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns true if the object has the given key or a probable misspelling of it, so that a misspelled key is not reported as
 * missing, too. */
bool cst_key_present(const cst_json *object, const char *key);

/* Returns a hint such as "; did you mean \"radius\"?" for a misspelled key or name, or "" if `near` is NULL. */
const char *cst_did_you_mean(const char *near, cst_arena *arena);

/* Writes the names of all keys of a section of the schema to the array `names`, from which cst_nearest_name finds the nearest to
 * a misspelled key. `variant`: variant of an object (for example its shape) as a bit mask with one set bit, or CST_ALWAYS (all
 * bits set). For a key that an object of this variant cannot have, NULL is written instead of the name. */
enum { CST_SECTION_KEYS_MAX = 64 };
int cst_section_names(const cst_section *section, unsigned variant, const char *names[CST_SECTION_KEYS_MAX]);

/* Returns a description of all values that a key accepts, such as "a number > 0 in m" or "[x, y]". */
const char *cst_key_expects(const cst_scene_key *key, cst_arena *arena);
/* Returns those of the given kinds of items (rods, fibers, ...) that a scene of this dimension can contain. A set of kinds has
 * one bit for each kind. A 2D scene has no fibers and sheets, a 3D scene has no rods. */
unsigned cst_kinds_here(const cst_section *root, unsigned kinds);
/* Returns the given kinds in words, such as "a rod or a rigid body". */
const char *cst_named_kinds(unsigned kinds, cst_arena *arena);

#endif
