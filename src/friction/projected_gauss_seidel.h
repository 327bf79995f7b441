/* Projected Gauss-Seidel on the Coulomb problem, with momentum and De Saxce's correction relaxed (projected_sweep.h).
 *
 * No local problem is solved, so none can fail. Momentum gains one to two orders of magnitude where plain sweeps crawl (stacks of
 * boxes, mu near 1); the relaxed correction keeps the problem close to a convex one while it moves, without which the accelerated
 * sweeps may wander for ever. */
#ifndef CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* x: first guess in, best iterate out. Iterations are sweeps. Out of memory: arena->failed. */
cst_method_result cst_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                             double *x);

#endif
