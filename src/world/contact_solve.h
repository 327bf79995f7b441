/* Solves the friction problem of all bodies and groups of joined bodies that have contacts (world/layout.h). */
#ifndef CST_WORLD_CONTACT_SOLVE_H
#define CST_WORLD_CONTACT_SOLVE_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* On input, velocities->v holds the motion without contacts; on return, it holds the solution with contacts. Writes the impulse
 * and the velocity of each contact, and applies the contact impulses to the bodies. Also computes the velocities and constraint
 * impulses of all groups of joined bodies, even of groups without contacts. Sets options.fresh and options.contact_error
 * itself. */
bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure);

#endif
