/* Reads the text of a scene file and merges it with the scene files that it extends. */
#ifndef CST_SCENE_LOAD_FILES_H
#define CST_SCENE_LOAD_FILES_H

#include "scene/json.h"

/* Returns the whole contents of a regular file, terminated by 0. Returns NULL and sets *why to the reason if the file cannot be
 * read; if memory ran out, *why is NULL. */
const char *cst_load_text(const char *path, cst_arena *arena, size_t *size, const char **why);

/* Returns the path of the file `name`, which is given relative to the folder of the file `from` or as an absolute path. */
const char *cst_path_beside(const char *from, const char *name, cst_arena *arena);

/* Parses the text of the scene file `source` into a tree and merges the files that it extends. In the list of errors, errors in
 * the files that the scene file `source` extends come after errors in `source`. A relative file name in the scene is relative to
 * the folder of the scene file (source->name). Returns NULL if there is no tree to check because the text is not JSON, an
 * extended file cannot be used, or memory ran out. */
cst_json *cst_load_scene(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes);

#endif
