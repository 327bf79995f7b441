/* A scene against the table: unknown keys, wrong kinds, ranges, choices, what is missing and what excludes what. */
#ifndef CST_SCENE_CHECK_H
#define CST_SCENE_CHECK_H

#include "scene/json.h"
#include "scene/schema.h"

/* Every sound object gets its section as `role`; every faulty node is marked. */
void cst_scene_check_keys(cst_json *root, cst_mistakes *mistakes);

/* A mistake at a node, which becomes faulty; its path is the key. And one about what an object does not have. */
void cst_mistake_at(cst_mistakes *mistakes, cst_json *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cst_mistake_in(cst_mistakes *mistakes, const cst_json *object, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The key is there, or an unknown one that was probably meant to be it: not missing, whatever else. */
bool cst_key_present(const cst_json *object, const char *key);

/* "; did you mean \"radius\"?", or "". */
const char *cst_did_you_mean(const char *near, cst_arena *arena);

/* The keys of a section as an array of cst_nearest_name, NULL where a key is none of `variant` (a bit, or CST_ALWAYS). */
enum { CST_SECTION_KEYS_MAX = 64 };
int cst_section_names(const cst_section *section, unsigned variant, const char *names[CST_SECTION_KEYS_MAX]);

/* "a number > 0 in m", "[x, y]": all forms of a key. */
const char *cst_key_expects(const cst_scene_key *key, cst_arena *arena);
/* Those of the kinds that there can be in a scene with this root: rods in the plane, fibers in space. */
unsigned cst_kinds_here(const cst_section *root, unsigned kinds);
/* "a rod or a rigid body" */
const char *cst_named_kinds(unsigned kinds, cst_arena *arena);

#endif
