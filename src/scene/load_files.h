/* Texts of scenes: a file and those it extends, merged. */
#ifndef CST_SCENE_LOAD_FILES_H
#define CST_SCENE_LOAD_FILES_H

#include "scene/json.h"

/* The whole of a regular file, with a 0 behind it. NULL and why, if it cannot be read; *why NULL: no memory. */
const char *cst_load_text(const char *path, cst_arena *arena, size_t *size, const char **why);

/* `name` from the folder of the file `from`. */
const char *cst_path_beside(const char *from, const char *name, cst_arena *arena);

/* The text of `source` as a tree over the files it extends, which become sources of rank 1 and on. path NULL: relative files are
 * taken from the folder in source->name. NULL: mistakes were found that leave nothing to look at, or no memory. */
cst_json *cst_load_scene(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes);

#endif
