/* Merges one scene over another: a file over the file it extends, an override over both.
 *
 * Objects are merged key by key, and arrays of named objects name by name. Numbers, texts and arrays without named objects are
 * not merged: the value in the extending file or the override replaces the value in the extended file. If an extending file or an
 * override gives a key of a group of mutually exclusive keys (schema.h), the other keys of this group are removed from the
 * extended file. If the schema allows an object or a bare number as the value of a key, a number is first converted to an object
 * with one member. */
#ifndef CST_SCENE_MERGE_H
#define CST_SCENE_MERGE_H

#include "scene/json.h"
#include "scene/schema.h"

/* Merges the object `upper` into the object `under`; the values of `upper` take precedence. `section`: their section of the
 * schema. On return, the object `under` contains the result of the merge; error messages about keys that come from the object
 * `upper` give their location in the text of `upper`. */
void cst_scene_merge(const cst_section *section, cst_json *under, cst_json *upper, cst_arena *arena);

/* Sets the value of a key of an object in the scene's JSON tree. */
void cst_scene_set(const cst_section *section, cst_json *object, const char *key, cst_json *value);

/* If `node` is a bare number and the schema allows an object as the value of its key, returns a new object without parent, whose
 * only member is this number. Otherwise returns `node` itself. Returns NULL if memory ran out. */
cst_json *cst_scene_expand(const cst_scene_key *key, cst_json *node, cst_arena *arena);

bool cst_section_named(const cst_section *section);
/* Returns the element of the array `list` whose name is `name`, or NULL. */
cst_json *cst_list_find(const cst_json *list, const char *name);

/* Applies the override a.b=c to the whole scene. An error message about an override gives "--set a.b=c" as the location of the
 * error. */
#define CST_OVERRIDE_PREFIX "--set "
void cst_scene_override(cst_json *root, const cst_source *source, cst_mistakes *mistakes);

#endif
