#include "scene/mistakes.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene/text.h"

enum { MESSAGE_MAX = 2048 }; /* longer ones, with absurd names in them, are cut */

struct cst_mistake_entry {
    cst_scene_fault fault;
    int rank, number;
    cst_mistake_entry *before;
};

void cst_mistake_list(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format,
                      va_list arguments)
{
    cst_mistake_entry *entry = CST_TAKE(list->arena, cst_mistake_entry, 1);
    cst_text message = {.arena = list->arena}, path = {.arena = list->arena};
    char words[MESSAGE_MAX];
    vsnprintf(words, sizeof words, format, arguments);
    cst_text_add(&message, "%s", words);
    cst_text_add(&path, "%s", key);
    if (!entry || list->arena->failed)
        return;
    entry->fault = (cst_scene_fault){.file = source->name,
                                     .line = source->lines ? line : 0,
                                     .column = source->lines ? column : 0,
                                     .key = cst_text_all(&path),
                                     .message = cst_text_all(&message)};
    entry->rank = source->rank;
    entry->number = list->count++;
    entry->before = list->last;
    list->last = entry;
}

void cst_mistake(cst_mistakes *list, const cst_source *source, int line, int column, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cst_mistake_list(list, source, line, column, key, format, arguments);
    va_end(arguments);
}

static int by_place(const void *left, const void *right)
{
    const cst_mistake_entry *a = *(cst_mistake_entry *const *)left, *b = *(cst_mistake_entry *const *)right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->fault.line != b->fault.line)
        return a->fault.line < b->fault.line ? -1 : 1;
    if (a->fault.column != b->fault.column)
        return a->fault.column < b->fault.column ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

cst_scene_fault *cst_mistakes_sorted(const cst_mistakes *list)
{
    cst_mistake_entry **order = CST_TAKE(list->arena, cst_mistake_entry *, list->count);
    cst_scene_fault *sorted = CST_TAKE(list->arena, cst_scene_fault, list->count);
    if (list->arena->failed)
        return NULL;
    cst_mistake_entry *entry = list->last;
    for (int i = list->count - 1; i >= 0; i--, entry = entry->before)
        order[i] = entry;
    qsort(order, (size_t)list->count, sizeof(void *), by_place);
    for (int i = 0; i < list->count; i++)
        sorted[i] = order[i]->fault;
    return sorted;
}
