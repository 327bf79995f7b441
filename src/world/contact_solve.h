/* Solves the friction problem of all units that have contacts (world/layout.h). */
#ifndef CST_WORLD_CONTACT_SOLVE_H
#define CST_WORLD_CONTACT_SOLVE_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* On input, velocities->v holds the motion without contacts; on return, the solution with contacts. Writes r, u and the impulse
 * of each contact and applies the impulses to the bodies. Also computes velocities and constraint impulses of the groups of
 * joined bodies, with or without contacts. Sets options.fresh and options.contact_error itself. */
bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure);

#endif
