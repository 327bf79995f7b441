/* Gauss-Seidel method (Daviet et al. 2011, Algorithm 1, corrected in docs/maths_solvers.md, 5.1 and 5.2). Contacts whose impulses
 * are small or hardly change are frozen: some sweeps skip them. The method has converged when the residual of all contacts,
 * frozen ones included, meets the tolerance. The method returns the iterate with the smallest residual. */
#ifndef CST_FRICTION_GAUSS_SEIDEL_H
#define CST_FRICTION_GAUSS_SEIDEL_H

#include "friction/method.h"
#include "friction/sweep.h"

/* `freeze`: a contact is frozen if its weighted impulse (system.h), or the change of this impulse in a sweep, is at most `freeze`
 * times the tolerance; 0: no contact is frozen. `x` (contacts x dim): the impulses; on input the initial guess, on output the
 * best iterate. */
cst_method_result cst_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_local_choice local, double freeze,
                                   cst_arena *arena, double *x);

#endif
