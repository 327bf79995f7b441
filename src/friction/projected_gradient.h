/* Accelerated projected gradient on the Coulomb problem itself (after Mazhar et al. 2015, with a metric and without a potential).
 *
 *     s <- s + omega (mu |y_T| - s)                             (De Saxce's correction, relaxed; y = A x + b)
 *     x+ = P_K,D(z - (L D)^-1 (A z + b + s e_N)),               z = x + beta (x - x-)
 *
 * D is the metric of each contact (contact_metric.h), L the curvature of A in it, found by backtracking and allowed to fall again;
 * momentum and restart as in momentum.h. The cost of an iteration is one product with A: A z follows from those with x. Everything is
 * vectors, so it needs no order of the contacts and no colours. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* x: first guess in, best iterate out. Iterations are products with A. Out of memory: arena->failed. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
