/* Friction of all units that touch anything, and what came of it. */
#ifndef CST_WORLD_CONTACT_SOLVE_H
#define CST_WORLD_CONTACT_SOLVE_H

#include "world/attempt.h"

/* attempt->v (free motion in) gets the answer, contacts their r and u. Groups of joined bodies are finished, with or without
 * contacts. False: attempt->status and message. */
bool cst_contact_solve(cst_attempt *attempt);

/* After the last solve, bodies still placed where they were linearised: works, impulses and velocities of contacts; bodies are
 * told what pushes on them. */
void cst_contact_solve_tell(cst_attempt *attempt);

/* Largest motion at a contact, theta velocity times dt, in contact radii. */
double cst_contacts_relative_motion(const cst_attempt *attempt);

#endif
