#include "scene/notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

void cst_note_keep(cst_notes *list, cst_note *note, const cst_source *source, int line, int column)
{
    *note = (cst_note){.rank = source->rank,
                       .line = source->lines ? line : 0,
                       .column = source->lines ? column : 0,
                       .number = list->count++,
                       .before = list->last};
    list->last = note;
}

static int by_place(const void *left, const void *right)
{
    const cst_note *a = *(const cst_note *const *)left, *b = *(const cst_note *const *)right;
    return cst_order_keys((int64_t[]){a->rank, a->line, a->column, a->number},
                          (int64_t[]){b->rank, b->line, b->column, b->number}, 4);
}

void *cst_notes_sorted(const cst_notes *list, size_t offset, size_t size)
{
    const cst_note **order = CST_TAKE(list->arena, const cst_note *, list->count);
    char *said = cst_arena_take(list->arena, (size_t)list->count, size);
    if (list->arena->failed)
        return NULL;
    const cst_note *note = list->last;
    for (int i = list->count - 1; i >= 0; i--, note = note->before)
        order[i] = note;
    qsort(order, (size_t)list->count, sizeof *order, by_place);
    for (int i = 0; i < list->count; i++)
        memcpy(said + (size_t)i * size, (const char *)order[i] + offset, size);
    return said;
}
