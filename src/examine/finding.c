#include "examine/finding.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "scene/text.h"

typedef struct warning {
    cst_note note;
    cst_finding finding;
} warning;

static const char *copied(cst_arena *arena, const char *text, size_t length)
{
    cst_text copy = {.arena = arena};
    cst_text_add_bytes(&copy, text, length);
    return cst_text_all(&copy);
}

void cst_find(cst_findings *list, const char *name, const cst_json *node, const char *key, const char *format, ...)
{
    char words[CST_NOTE_LENGTH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    warning *given = CST_TAKE(list->arena, warning, 1);
    if (!given)
        return;
    const char *end = strchr(words, '\n');
    assert(end); /* every warning has a remedy */
    const cst_json *member = key ? cst_json_find(node, key) : NULL;
    const cst_json *at = member ? member : node;
    cst_note_keep(list, &given->note, at->source, at->line, at->column);
    cst_finding *own = &given->finding;
    *own = (cst_finding){.name = name,
                         .file = at->source->name,
                         .line = given->note.line,
                         .column = given->note.column,
                         .key = cst_json_path(node, key, list->arena),
                         .what = copied(list->arena, words, (size_t)(end - words)),
                         .remedy = copied(list->arena, end + 1, strlen(end + 1))};
    cst_text text = {.arena = list->arena};
    const bool asks = end > words && end[-1] == '?';
    cst_text_add(&text, "%s%s%s%s %s [%s]", own->key, *own->key ? ": " : "", own->what, asks ? "" : ";", own->remedy, name);
    own->text = cst_text_all(&text);
}

cst_finding *cst_findings_sorted(const cst_findings *list)
{
    return cst_notes_sorted(list, offsetof(warning, finding), sizeof(cst_finding));
}
