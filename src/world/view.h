/* What a world shows of its contacts: kept in step with them. */
#ifndef CST_WORLD_VIEW_H
#define CST_WORLD_VIEW_H

#include "world/world_state.h"

/* Room for the contacts of a step and their views; false: out of memory, nothing changed. */
bool cst_world_reserve_contacts(cst_world *world, int count);

/* world->view from world->contact. */
void cst_world_show_contacts(cst_world *world);

#endif
