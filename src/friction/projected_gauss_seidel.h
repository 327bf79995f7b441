/* Projected Gauss-Seidel on the Coulomb problem, with momentum and a relaxed De Saxce correction (projected_sweep.h).
 *
 * The method solves no local contact problems, so it cannot fail because of an unsolvable local problem. Where sweeps without
 * momentum converge slowly (stacks of boxes, friction coefficients near 1), momentum reduces the number of sweeps by a factor of
 * ten to a hundred. Relaxation makes De Saxce's correction change slowly, so that the problem stays close to a convex problem;
 * without relaxation, sweeps with momentum may never converge. */
#ifndef CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. Iterations are sweeps. The flag
 * arena->failed is set if memory ran out. */
cst_method_result cst_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                             double *x);

#endif
