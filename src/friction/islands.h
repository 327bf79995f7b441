/* Finds islands: sets of contacts or bodies that influence each other, directly or through other contacts. Islands are solved
 * separately: easy islands finish early, and Newton's method factorises small matrices instead of a large one. */
#ifndef CST_FRICTION_ISLANDS_H
#define CST_FRICTION_ISLANDS_H

#include "base/arena.h"

/* Union-find over `count` items. */
typedef struct cst_islands {
    int32_t *parent; /* (count) */
    int count;
} cst_islands;

bool cst_islands_begin(cst_islands *islands, int count, cst_arena *arena);
void cst_islands_join(cst_islands *islands, int32_t a, int32_t b);
int32_t cst_islands_root(cst_islands *islands, int32_t item);

/* Numbers the islands in the order of their lowest item (contact or body), but only those islands that contain an item with an
 * index below `contacts`. Returns the number of these islands. `island` (contacts): output, the island number of each item with
 * an index below `contacts`. `number` (islands->count): scratch. */
int cst_islands_number(cst_islands *islands, int contacts, int32_t *number, int32_t *island);

#endif
