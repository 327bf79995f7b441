/* The mistakes found in a scene: all of them, in the order of the text. */
#ifndef CST_SCENE_MISTAKES_H
#define CST_SCENE_MISTAKES_H

#include <stdarg.h>

#include "scene/notes.h"
#include "scene/scene.h"

typedef cst_notes cst_mistakes;

/* key: path of what is wrong, "" for the text as a whole. Copied. */
void cst_mistake(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

void cst_mistake_list(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format,
                      va_list arguments);

/* In the order of the text; those at one place in the order they were found. NULL without memory. */
cst_scene_fault *cst_mistakes_sorted(const cst_mistakes *list);

#endif
