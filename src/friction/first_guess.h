/* Computes an initial guess for contacts that have none.
 *
 * A new contact is treated as an impact: its impulse solves the Coulomb law of this contact alone, with the impulses of all other
 * contacts fixed at their guesses. The contacts are solved exactly, one after another, so that two ends of a rod that land
 * together share the impact instead of each taking all of it. */
#ifndef CST_FRICTION_FIRST_GUESS_H
#define CST_FRICTION_FIRST_GUESS_H

#include "friction/system.h"

/* The array options->fresh marks the contacts without an initial guess, in the order in which the caller lists the contacts; it
 * may be NULL. Contact k of the scaled friction problem is contact order[k] in the numbering of the caller. The function
 * overwrites the impulses x of contacts without an initial guess. Methods that reproduce a publication start new contacts from
 * zero impulses, because the published methods have no initial guess for new contacts. */
void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x);

#endif
