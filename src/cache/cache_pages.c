#include "cache/cache_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 256 };

static size_t slot_of(const cst_page_slot *slot, size_t room, uint64_t number)
{
    size_t at = (size_t)(number * 0x9e3779b97f4a7c15u) & (room - 1);
    while (slot[at].bytes && slot[at].number != number)
        at = (at + 1) & (room - 1);
    return at;
}

const uint8_t *cst_pages_find(const cst_transaction *t, uint64_t number)
{
    return t->room ? t->slot[slot_of(t->slot, t->room, number)].bytes : NULL;
}

static bool grow_pages(cst_transaction *t)
{
    size_t room = t->room ? 2 * t->room : FIRST_ROOM;
    cst_page_slot *slot = calloc(room, sizeof *slot);
    if (!slot)
        return false;
    for (size_t k = 0; k < t->room; k++)
        if (t->slot[k].bytes)
            slot[slot_of(slot, room, t->slot[k].number)] = t->slot[k];
    free(t->slot);
    t->slot = slot;
    t->room = room;
    return true;
}

void cst_pages_forget(cst_transaction *t)
{
    for (size_t k = 0; k < t->room; k++) {
        free(t->slot[k].bytes);
        t->slot[k].bytes = NULL;
    }
    t->used = 0;
}

bool cst_pages_read_file(int descriptor, uint8_t *to, size_t count, uint64_t offset)
{
    while (count > 0) {
        ssize_t got = pread(descriptor, to, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0) {
            memset(to, 0, count); /* bytes beyond the end of the file are read as zeros */
            return true;
        }
        to += got;
        count -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

bool cst_pages_read(cst_transaction *t, uint64_t number, uint8_t *to)
{
    if (!cst_pages_read_file(t->descriptor, to, CST_PAGE, number * CST_PAGE))
        return false;
    if (!t->summed || (number < t->sums.pages && cst_page_sum(to) == t->sums.sum[number]))
        return true;
    t->damaged_at = t->damaged ? t->damaged_at : number * CST_PAGE;
    t->damaged = true;
    return false;
}

uint8_t *cst_pages_take(cst_transaction *t, uint64_t number, bool fresh)
{
    uint8_t *bytes = (uint8_t *)cst_pages_find(t, number);
    if (bytes)
        return bytes;
    if (4 * (t->used + 1) > 3 * t->room && !grow_pages(t))
        return NULL;
    bytes = malloc(CST_PAGE);
    if (!bytes)
        return NULL;
    if (!fresh && number * CST_PAGE < t->committed) {
        if (!cst_pages_read(t, number, bytes)) {
            free(bytes);
            return NULL;
        }
    } else {
        memset(bytes, 0, CST_PAGE);
    }
    t->slot[slot_of(t->slot, t->room, number)] = (cst_page_slot){number, bytes};
    t->used++;
    return bytes;
}
