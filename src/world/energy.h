/* The budget of energy: what came in and went out, step by step. */
#ifndef CST_WORLD_ENERGY_H
#define CST_WORLD_ENERGY_H

#include "world/contact_result.h"
#include "world/dynamics.h"

/* Adds the works of contacts, loads and constraints of a step that is about to be committed. */
void cst_budget_add(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                    const cst_contact_work *contacts, const cst_constraint *constraint, int constraints, cst_energies *work);

/* Adds the works that bodies know of themselves, right after their finish. */
void cst_budget_add_bodies(const cst_objects *objects, cst_energies *work);

/* cst_world_energies by several threads, in the memory of the step; the same bits. */
void cst_world_energies_in_step(cst_world *world, cst_energies *out);

#endif
