/* One scene over another: a file over the one it extends, an override over both.
 *
 * Objects are merged key by key, arrays of named objects name by name; anything else above replaces what is below. A key of a
 * group that excludes others (schema.h) pushes them out, and a number that stands for an object is that object. */
#ifndef CST_SCENE_MERGE_H
#define CST_SCENE_MERGE_H

#include "scene/json.h"
#include "scene/schema.h"

/* `upper` over `under`, both objects of this section; the result is in `under`, which takes the place of `upper` in messages. */
void cst_scene_merge(const cst_section *section, cst_json *under, cst_json *upper, cst_arena *arena);

/* Sets key to value in an object of the section. */
void cst_scene_set(const cst_section *section, cst_json *object, const char *key, cst_json *value);

/* The object a number stands for, not yet in any other; `node` itself otherwise. NULL without memory. */
cst_json *cst_scene_expand(const cst_scene_key *key, cst_json *node, cst_arena *arena);

bool cst_section_named(const cst_section *section);
/* The element of this name; NULL. */
cst_json *cst_list_find(const cst_json *list, const char *name);

/* a.b=c on the whole scene. The source is called "--set a.b=c": that is where mistakes say they are. */
#define CST_OVERRIDE_PREFIX "--set "
void cst_scene_override(cst_json *root, const cst_source *source, cst_mistakes *mistakes);

#endif
