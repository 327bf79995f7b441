#include "cache/cache_thin.h"

#include <string.h>

static bool is_fiber(const cst_cache_item *item)
{
    return item->owner == CST_ITEM_BODY && item->as == CST_DRAWN_CURVE && item->vertices > 2;
}

void cst_cache_thin(cst_cache_frame *frame, cst_cache_item *item, cst_contact_view *contact, int every, int bodies,
                    bool *left_out)
{
    memset(left_out, 0, ((size_t)bodies + 1) * sizeof *left_out);
    int items = 0, contacts = 0, fibers = 0;
    for (int i = 0; i < frame->items; i++) {
        const bool without = is_fiber(&item[i]) && fibers++ % every != 0;
        if (without && item[i].id <= (uint32_t)bodies)
            left_out[item[i].id] = true;
        if (!without)
            item[items++] = item[i];
    }
    for (int i = 0; i < frame->contacts; i++) {
        const uint32_t a = contact[i].a.body, b = contact[i].b.body;
        if (a <= (uint32_t)bodies && b <= (uint32_t)bodies && !left_out[a] && !left_out[b])
            contact[contacts++] = contact[i];
    }
    frame->items = items;
    frame->contacts = contacts;
}
