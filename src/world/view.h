/* What a world shows of its contacts: kept in step with them. */
#ifndef CST_WORLD_VIEW_H
#define CST_WORLD_VIEW_H

#include "world/world_state.h"

/* Room for the contacts of a step and their views; false: out of memory, nothing changed. */
bool cst_world_reserve_contacts(cst_world *world, int count);

/* world->view from world->contact. */
void cst_world_show_contacts(cst_world *world);

/* Contacts between two owners are forgotten; `other` -1: those of `owner` with anybody. */
void cst_world_drop_contacts(cst_world *world, int32_t owner, int32_t other);

#endif
