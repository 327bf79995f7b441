/* The list of errors. */
#ifndef CST_SCENE_MISTAKES_H
#define CST_SCENE_MISTAKES_H

#include <stdarg.h>

#include "scene/notes.h"
#include "scene/scene.h"

typedef cst_notes cst_mistakes;

/* Adds an error to the list. `key`: path of the faulty value in the scene, or "" for the whole text; the path is copied. */
void cst_mistake(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

void cst_mistake_list(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format,
                      va_list arguments);

/* Returns the errors in the order of their places in the scene file. Errors at the same place keep the order in which they were
 * found. Returns NULL if memory ran out. */
cst_scene_fault *cst_mistakes_sorted(const cst_mistakes *list);

#endif
