/* Accelerated projected gradient method on the Coulomb problem, after Mazhar et al. 2015, with a metric for each contact
 * (contact_metric.h). Symbols:
 *     `x`, `x-`: present and previous iterate.
 *     `z`: extrapolated point.
 *     `A`, `b`: scaled Delassus matrix, free velocities.
 *     `s`: De Saxce's correction.
 *     `D`: metric, a positive diagonal matrix for each contact (contact_metric.h).
 *     `L`: estimate of the largest curvature.
 *     `P_K`: projection on the friction cones, orthogonal with respect to the metric D.
 *     `omega`: relaxation factor of De Saxce's correction (relaxation.h).
 *     `beta`: momentum factor (momentum.h).
 *
 * The Coulomb problem is not a minimisation problem, so each step also changes De Saxce's correction s:
 *
 *     `s <- s+omega*(mu*|y_T|-s)`.
 *     `g = A*z+b+s*e_N`.
 *     `x = P_K(z-(L*D)^-1*g)`.
 *     `z = x+beta*(x-x-)`.
 *
 * Backtracking adapts the curvature L, an estimate of the largest eigenvalue of D^-1 A (D: metric, A: scaled Delassus matrix).
 * The estimate L may also fall from one step to the next. A step costs one product with the Delassus matrix, and each repetition
 * of the step another one. The contact velocities at the extrapolated point z are extrapolated from those at the last two
 * iterates, without a product. All operations act on whole vectors, so the contacts need no order and no colouring. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* `x` (contacts x dim): impulses; initial guess on input, best iterate on output. Iterations are products with A. Sets
 * arena->failed if memory ran out. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
