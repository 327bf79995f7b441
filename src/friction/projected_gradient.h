/* Accelerated projected gradient method on the Coulomb problem (after Mazhar et al. 2015, with a metric and without a
 * potential):
 *
 *     De Saxce's correction s follows mu |y_T| with the rate omega: s <- s + omega (mu |y_T| - s), with y = A x + b.
 *     The new iterate is x+ = P_K,D(z - (L D)^-1 (A z + b + s e_N)), where P_K,D projects on the cones in the metric D.
 *     The extrapolated point is z = x + beta (x - x-), where x- is the previous iterate.
 *
 * D is the metric of each contact (contact_metric.h). The number L estimates the curvature of A in the metric D; it is found by
 * backtracking and may fall again. Momentum and restart are as in momentum.h. An iteration costs one product with A, because the
 * product of A with the extrapolated point z follows from the products with the iterates x. The method needs only vector
 * operations, so the contacts need no order and no colours. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. Iterations are products with A. The
 * flag arena->failed is set if memory ran out. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
