/* The list of contacts that the caller can read; it is updated whenever the contacts of the world change. */
#ifndef CST_WORLD_VIEW_H
#define CST_WORLD_VIEW_H

#include "world/world_state.h"

/* Reserves memory for the contacts of a step and their views. Returns false if memory ran out; in this case nothing is
 * changed. */
bool cst_world_reserve_contacts(cst_world *world, int count);

/* Fills world->view from world->contact. */
void cst_world_show_contacts(cst_world *world);

/* Removes the contacts between two owners, or all contacts of `owner` if `other` is -1. */
void cst_world_drop_contacts(cst_world *world, int32_t owner, int32_t other);

#endif
