/* Solves the friction problem of the bodies with contacts. A group of joined bodies whose constraints are eliminated counts as
 * one body (a unit, world/layout.h). */
#ifndef CST_WORLD_CONTACT_SOLVE_H
#define CST_WORLD_CONTACT_SOLVE_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Solves the friction problem. On input, velocities->v is the motion without contacts; on return, it is the motion with contacts.
 * Writes the impulse and the velocity of each contact, and applies the contact impulses to the bodies. Also computes the
 * velocities and the constraint impulses of all groups of joined bodies, with or without contacts. Sets options.fresh and
 * options.contact_error itself. */
bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure);

#endif
