/* Friction of all units that touch anything (world/layout.h). */
#ifndef CST_WORLD_CONTACT_SOLVE_H
#define CST_WORLD_CONTACT_SOLVE_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* velocities->v: the motion without contacts in, the answer out. Contacts get their r, u and impulse, bodies are given the impulses
 * that act on them. Groups of joined bodies are finished, with or without contacts. options.fresh and options.contact_error are
 * filled in here. */
bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure);

#endif
