#include "examine/finding.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/text.h"

enum { MESSAGE_MAX = 2048 }; /* longer ones, with absurd names in them, are cut */

struct cst_finding_entry {
    cst_finding finding;
    int rank, number;
    cst_finding_entry *before;
};

static const char *copied(cst_arena *arena, const char *text, size_t length)
{
    cst_text copy = {.arena = arena};
    cst_text_add_bytes(&copy, text, length);
    return cst_text_all(&copy);
}

void cst_find(cst_findings *list, const char *name, const cst_json *node, const char *key, const char *format, ...)
{
    char words[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    cst_finding_entry *entry = CST_TAKE(list->arena, cst_finding_entry, 1);
    if (!entry)
        return;
    const char *end = strchr(words, '\n');
    assert(end); /* every warning has a remedy */
    const cst_json *member = key ? cst_json_find(node, key) : NULL;
    const cst_json *at = member ? member : node;
    entry->finding = (cst_finding){.name = name,
                                   .file = at->source->name,
                                   .line = at->source->lines ? at->line : 0,
                                   .column = at->source->lines ? at->column : 0,
                                   .key = cst_json_path(node, key, list->arena),
                                   .what = copied(list->arena, words, (size_t)(end - words)),
                                   .remedy = copied(list->arena, end + 1, strlen(end + 1))};
    const cst_finding *own = &entry->finding;
    cst_text text = {.arena = list->arena};
    const bool asks = end > words && end[-1] == '?';
    cst_text_add(&text, "%s%s%s%s %s [%s]", own->key, *own->key ? ": " : "", own->what, asks ? "" : ";", own->remedy, name);
    entry->finding.text = cst_text_all(&text);
    entry->rank = at->source->rank;
    entry->number = list->count++;
    entry->before = list->last;
    list->last = entry;
}

static int by_place(const void *left, const void *right)
{
    const cst_finding_entry *a = *(cst_finding_entry *const *)left, *b = *(cst_finding_entry *const *)right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->finding.line != b->finding.line)
        return a->finding.line < b->finding.line ? -1 : 1;
    if (a->finding.column != b->finding.column)
        return a->finding.column < b->finding.column ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

cst_finding *cst_findings_sorted(const cst_findings *list)
{
    cst_finding_entry **order = CST_TAKE(list->arena, cst_finding_entry *, list->count);
    cst_finding *sorted = CST_TAKE(list->arena, cst_finding, list->count);
    if (list->arena->failed)
        return NULL;
    cst_finding_entry *entry = list->last;
    for (int i = list->count - 1; i >= 0; i--, entry = entry->before)
        order[i] = entry;
    qsort(order, (size_t)list->count, sizeof(void *), by_place);
    for (int i = 0; i < list->count; i++)
        sorted[i] = order[i]->finding;
    return sorted;
}
