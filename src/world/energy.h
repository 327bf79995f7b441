/* The energy budget of a world: the work done on the bodies and the energy lost, each summed over all steps. */
#ifndef CST_WORLD_ENERGY_H
#define CST_WORLD_ENERGY_H

#include "world/contact_result.h"
#include "world/dynamics.h"

/* Adds the works of contacts, loads and constraints in a step to the budget, before the step is committed. */
void cst_budget_add(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                    const cst_contact_work *contacts, const cst_constraint *constraint, int constraints, cst_energies *work);

/* Adds to the energy budget the works that each body computes itself, for example the work of its viscosity. Call
 * cst_budget_add_bodies right after the function `finish` of the bodies, which ends their step. */
void cst_budget_add_bodies(const cst_objects *objects, cst_energies *work);

/* Computes energies that are bitwise equal to those of cst_world_energies, but with several threads and with memory from the
 * arena of the step. */
void cst_world_energies_in_step(cst_world *world, cst_energies *out);

#endif
