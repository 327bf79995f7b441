#include "friction/islands.h"

#include "base/union_find.h"

bool cst_islands_begin(cst_islands *islands, int count, cst_arena *arena)
{
    islands->count = count;
    islands->parent = CST_TAKE_RAW(arena, int32_t, (size_t)count);
    if (arena->failed)
        return false;
    for (int32_t k = 0; k < count; k++)
        islands->parent[k] = k;
    return true;
}

int32_t cst_islands_root(cst_islands *islands, int32_t item)
{
    return cst_set_of(islands->parent, item);
}

void cst_islands_join(cst_islands *islands, int32_t a, int32_t b)
{
    /* the root of a joined set is its lowest item, so the result does not depend on the order in which items are joined */
    cst_set_join(islands->parent, a, b);
}

int cst_islands_number(cst_islands *islands, int contacts, int32_t *number, int32_t *island)
{
    int count = 0;
    for (int32_t k = 0; k < islands->count; k++)
        number[k] = -1;
    for (int32_t i = 0; i < contacts; i++) {
        const int32_t root = cst_islands_root(islands, i);
        if (number[root] < 0)
            number[root] = count++;
        island[i] = number[root];
    }
    return count;
}
