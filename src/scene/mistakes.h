/* The mistakes found in a scene: all of them, in the order of the text. */
#ifndef CST_SCENE_MISTAKES_H
#define CST_SCENE_MISTAKES_H

#include <stdarg.h>

#include "base/arena.h"
#include "scene/scene.h"

/* Where a text came from: a file, or an override (`lines` false: its positions are not shown). */
typedef struct cst_source {
    const char *name;
    int rank; /* mistakes are listed source by source, in this order */
    bool lines;
} cst_source;

typedef struct cst_mistake_entry cst_mistake_entry;

typedef struct cst_mistakes {
    cst_arena *arena; /* its `failed` says if a mistake could not be kept */
    cst_mistake_entry *last;
    int count;
} cst_mistakes;

/* key: path of what is wrong, "" for the text as a whole. Copied. */
void cst_mistake(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

void cst_mistake_list(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format,
                      va_list arguments);

/* Sorted by source, line and column; those at one place in the order they were found. NULL without memory. */
cst_scene_fault *cst_mistakes_sorted(const cst_mistakes *list);

#endif
