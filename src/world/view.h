/* The list of contacts that the caller can read; it is updated whenever the contacts of the world change. */
#ifndef CST_WORLD_VIEW_H
#define CST_WORLD_VIEW_H

#include "world/world_state.h"

/* Reserves memory for `count` contacts and for the list that the caller can read; if memory ran out, returns false and changes
 * nothing. */
bool cst_world_reserve_contacts(cst_world *world, int count);

/* Fills world->view from world->contact. */
void cst_world_show_contacts(cst_world *world);

/* Removes all contacts between the two bodies or obstacles with the owner numbers `owner` and `other`; if `other` is -1,
 * removes all contacts of `owner`. */
void cst_world_drop_contacts(cst_world *world, int32_t owner, int32_t other);

#endif
