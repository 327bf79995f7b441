/* Hybrid Gauss-Seidel (Daviet et al. 2011, Algorithm 1, corrected in docs/maths_solvers.md, 5.1 and 5.2): sweeps, freezing
 * relative to the tolerance, the best iterate kept, convergence believed only of a full residual. */
#ifndef CST_FRICTION_GAUSS_SEIDEL_H
#define CST_FRICTION_GAUSS_SEIDEL_H

#include "friction/method.h"
#include "friction/sweep.h"

/* freeze: share of the tolerance below which a contact's move puts it to sleep; 0: never. x: first guess in, best iterate out. */
cst_method_result cst_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_local_choice local, double freeze,
                                   cst_arena *arena, double *x);

#endif
