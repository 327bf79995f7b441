/* A text in an arena, to which parts can be appended. If memory runs out, the text is incomplete and the arena is marked as
 * failed. */
#ifndef CST_SCENE_TEXT_H
#define CST_SCENE_TEXT_H

#include "base/arena.h"

typedef struct cst_text {
    cst_arena *arena;
    char *at; /* the text, terminated by 0; NULL until something is added */
    size_t length, room;
} cst_text;

void cst_text_add(cst_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cst_text_add_bytes(cst_text *text, const char *bytes, size_t count);
/* Appends a number with at most 15 significant digits, or with 16 or 17 if only these read back as the same double. The calling
 * thread must be in the locale "C" (c_locale.h). */
void cst_text_add_number(cst_text *text, double number);

/* "" if nothing was added. */
const char *cst_text_all(const cst_text *text);

#endif
