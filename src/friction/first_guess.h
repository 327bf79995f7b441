/* Initial guess of the impulses of new contacts.
 *
 * A new contact is treated as an impact: the Coulomb law is solved for the new contact alone, with the impulses of all other
 * contacts held fixed. If there are several new contacts, each guess takes account of the guesses before it. For example, if
 * the two ends of a rod land together, the impulse of the second end is computed from the velocity that this end has after the
 * impulse on the first end. */
#ifndef CST_FRICTION_FIRST_GUESS_H
#define CST_FRICTION_FIRST_GUESS_H

#include "friction/system.h"

/* Replaces the impulse of each new Coulomb contact in the array `x` by its initial guess, or by zero if the direct local solver
 * finds no solution for the contact alone. The array options->fresh marks the new contacts in the caller's numbering; NULL: no
 * new contacts. Contact k of the system is the caller's contact order[k]. Solvers that reproduce a published method start new
 * contacts from zero impulses, as in the publication. */
void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x);

#endif
