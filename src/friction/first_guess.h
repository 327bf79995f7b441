/* A first guess for contacts that have none: paper 000, section 5.2, names it as its missing piece.
 *
 * A contact that has just begun is an impact: its impulse is that of its own problem, u_i = A_ii x_i + beta_i, where beta_i is
 * the velocity that the other contacts with their guesses leave it. Solved exactly, one after the other, so that two ends of a
 * rod that land together share the impact instead of taking it twice. */
#ifndef CST_FRICTION_FIRST_GUESS_H
#define CST_FRICTION_FIRST_GUESS_H

#include "friction/system.h"

/* options->fresh (contacts, or NULL: none) in the caller's order, of which contact order[k] stands at k in the system. Their x is
 * overwritten: with 0 for the plain methods, which have no such guess. */
void cst_first_guess(cst_system *system, const int32_t *order, const cst_friction_options *options, double *x);

#endif
