/* Merges an upper scene into a lower scene: values of the upper scene replace those of the lower scene. The upper scene is a file
 * that extends another file. An override (--set PATH=VALUE) is not merged, but replaces the whole value at its path.
 *
 * Objects are merged key by key, and arrays of named objects name by name. Any other value of the lower scene, such as a number,
 * is replaced by the value that the upper scene gives for the same key. Some keys exclude each other (schema.h): if the upper
 * scene gives such a key, the keys of the lower scene that it excludes are removed. If one scene gives an object and the other
 * scene a bare number for the same key, and the schema says which member the number stands for, the bare number is first
 * converted to an object with this member. */
#ifndef CST_SCENE_MERGE_H
#define CST_SCENE_MERGE_H

#include "scene/json.h"
#include "scene/schema.h"

/* Merges the object `upper` into the object `under`, which contains the result on return. If both objects give a value for the
 * same key, the value of `upper` counts.
 * `section`: section of the schema to which both objects belong. */
void cst_scene_merge(const cst_section *section, cst_json *under, cst_json *upper, cst_arena *arena);

/* Sets the value of a key of an object, and removes the keys of the object that the given key excludes. */
void cst_scene_set(const cst_section *section, cst_json *object, const char *key, cst_json *value);

/* If `node` is a bare number, and `key` names the member of an object that a bare number stands for (`stands_for` in schema.h),
 * returns a new object with this number as its only member. Otherwise returns `node` itself. Returns NULL if memory ran out. */
cst_json *cst_scene_expand(const cst_scene_key *key, cst_json *node, cst_arena *arena);

bool cst_section_named(const cst_section *section);
cst_json *cst_list_find(const cst_json *list, const char *name);

/* Applies the override a.b=c to the whole scene. Error messages about the override give "--set a.b=c" as their location. */
#define CST_OVERRIDE_PREFIX "--set "
void cst_scene_override(cst_json *root, const cst_source *source, cst_mistakes *mistakes);

#endif
