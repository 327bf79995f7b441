#include "scene/mistakes.h"

#include <stdio.h>

#include "scene/text.h"

typedef struct mistake {
    cst_note note;
    cst_scene_fault fault;
} mistake;

void cst_mistake_list(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format,
                      va_list arguments)
{
    mistake *made = CST_TAKE(list->arena, mistake, 1);
    cst_text message = {.arena = list->arena}, path = {.arena = list->arena};
    char words[CST_NOTE_LENGTH_MAX];
    vsnprintf(words, sizeof words, format, arguments);
    cst_text_add(&message, "%s", words);
    cst_text_add(&path, "%s", key);
    if (!made || list->arena->failed)
        return;
    cst_note_keep(list, &made->note, source, line, column);
    made->fault = (cst_scene_fault){.file = source->name,
                                    .line = made->note.line,
                                    .column = made->note.column,
                                    .key = cst_text_all(&path),
                                    .message = cst_text_all(&message)};
}

void cst_mistake(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cst_mistake_list(list, source, line, column, key, format, arguments);
    va_end(arguments);
}

cst_scene_fault *cst_mistakes_sorted(const cst_mistakes *list)
{
    return cst_notes_sorted(list, offsetof(mistake, fault), sizeof(cst_scene_fault));
}
