/* Computes an initial guess for contacts that have none.
 *
 * A new contact is an impact: its impulse solves its own problem, u_i = A_ii x_i + beta_i, where beta_i is the velocity that
 * follows from the guesses of the other contacts. The contacts are solved exactly, one after another, so that two ends of a
 * rod that land together share the impact instead of each taking all of it. */
#ifndef CST_FRICTION_FIRST_GUESS_H
#define CST_FRICTION_FIRST_GUESS_H

#include "friction/system.h"

/* The flags options->fresh (contacts, or NULL: none) are in the caller's order; contact order[k] has index k in the system. The
 * values x of fresh contacts are overwritten. The plain methods get x = 0, because the published methods have no guess for new
 * contacts. */
void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x);

#endif
