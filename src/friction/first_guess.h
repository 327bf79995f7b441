/* Initial guess of the impulses of new contacts.
 *
 * A new contact is treated as an impact: the Coulomb law is solved for the new contact alone, with the impulses of all other
 * contacts held fixed. New contacts are solved one after another, each with the latest impulses. If the two ends of a rod land
 * together, the second contact thus gets only the rest of the impact. */
#ifndef CST_FRICTION_FIRST_GUESS_H
#define CST_FRICTION_FIRST_GUESS_H

#include "friction/system.h"

/* options->fresh marks the new contacts, in the caller's numbering, or is NULL. `order`: contact k of the system is the
 * caller's contact order[k]. The impulses x of new contacts are overwritten. For solvers that reproduce a published method, new
 * contacts start from zero impulses, as in the publication. */
void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x);

#endif
