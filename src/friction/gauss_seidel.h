/* Hybrid Gauss-Seidel (Daviet et al. 2011, Algorithm 1, corrected in docs/maths_solvers.md, 5.1 and 5.2). The solver skips, for
 * some sweeps, contacts whose impulses change little compared with the tolerance. The solver stores the best iterate, and accepts
 * convergence only by the residual of all contacts. */
#ifndef CST_FRICTION_GAUSS_SEIDEL_H
#define CST_FRICTION_GAUSS_SEIDEL_H

#include "friction/method.h"
#include "friction/sweep.h"

/* `freeze`: a contact is skipped in the next sweeps if its weighted impulse, or the change of this impulse in a sweep, is at most
 * `freeze` times the tolerance. With `freeze` = 0, no contact is skipped. `x` (contacts x dim): the impulses, initial guess on
 * input and best iterate on output. */
cst_method_result cst_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_local_choice local, double freeze,
                                   cst_arena *arena, double *x);

#endif
