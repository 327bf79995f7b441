/* Projected Gauss-Seidel on the Coulomb problem, with momentum and a relaxed De Saxce correction (projected_sweep.h).
 *
 * Plain Gauss-Seidel solves the Coulomb problem of one contact at a time, and fails if the problem of one contact has no
 * solution. Projected Gauss-Seidel makes only one projected gradient step per contact, which is possible for every contact. For
 * stacks of boxes and friction coefficients near 1, momentum reduces the number of sweeps by a factor of ten to a hundred.
 * Relaxation lets De Saxce's correction change slowly, so that the problem stays nearly convex; without relaxation, sweeps with
 * momentum may never converge. */
#ifndef CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x` (contacts x dim): impulses, initial guess on input and best iterate on output. arena->failed is set if memory ran out. */
cst_method_result cst_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                             double *x);

#endif
