/* Reads a scene file and merges it with the scene files that it extends. */
#ifndef CST_SCENE_LOAD_FILES_H
#define CST_SCENE_LOAD_FILES_H

#include "scene/json.h"

/* Returns the contents of a regular file, terminated by 0. Returns NULL with the reason *why if the file cannot be read, or
 * with *why = NULL if memory ran out. */
const char *cst_load_text(const char *path, cst_arena *arena, size_t *size, const char **why);

/* Returns the path of the file `name`; a relative name is relative to the folder of the file `from`. */
const char *cst_path_beside(const char *from, const char *name, cst_arena *arena);

/* Parses the scene file `source`, and merges it with the files that it extends. Errors in extended files are listed after the
 * errors in `source`. Returns NULL if the text is not JSON, an extended file cannot be used, or memory ran out. */
cst_json *cst_load_scene(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes);

#endif
