/* The budget of energy: what came in and went out, step by step. */
#ifndef CST_WORLD_ENERGY_H
#define CST_WORLD_ENERGY_H

#include "world/attempt.h"

/* Works of contacts, loads and constraints of an attempt that is about to be committed. */
void cst_budget_add(const cst_attempt *attempt);

/* Works that bodies know of themselves, right after their finish. */
void cst_budget_add_bodies(cst_world *world);

#endif
