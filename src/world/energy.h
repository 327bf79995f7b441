/* The energy budget of a world: works on the bodies and energy losses, summed over all steps. */
#ifndef CST_WORLD_ENERGY_H
#define CST_WORLD_ENERGY_H

#include "world/contact_result.h"
#include "world/dynamics.h"

/* Adds the works of contacts, loads and constraints in a step to `work`. Call cst_budget_add before the states of the bodies are
 * updated to the end of the step. */
void cst_budget_add(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                    const cst_contact_work *contacts, const cst_constraint *constraint, int constraints, cst_energies *work);

/* Adds the works that each body computes itself, for example the work of its viscosity. Call cst_budget_add_bodies right after
 * `finish` has ended the step of the bodies. */
void cst_budget_add_bodies(const cst_objects *objects, cst_energies *work);

/* Computes the same energies as cst_world_energies, but with several threads; the results of both functions are bitwise equal. */
void cst_world_energies_in_step(cst_world *world, cst_energies *out);

#endif
