/* Accelerated projected gradient method on the Coulomb problem, after Mazhar et al. 2015, with a metric for each contact
 * (contact_metric.h). Symbols:
 *     `x`, `x-`: present and previous iterate.
 *     `z`: extrapolated point.
 *     `A`, `b`: scaled matrix, free velocities.
 *     `s`: De Saxce's correction.
 *     `D`: metric of the contacts.
 *     `L`: largest curvature, estimated.
 *     `P_K`: projection in the metric D.
 *     `omega`: share of the correction.
 *     `beta`: momentum factor (momentum.h).
 *
 * The new iterate follows from the extrapolated point by a gradient step and a projection on the friction cones:
 *
 *     `s <- s+omega*(mu*|y_T|-s)`.
 *     `g = A*z+b+s*e_N`.
 *     `x = P_K(z-(L*D)^-1*g)`.
 *     `z = x+beta*(x-x-)`.
 *
 * The correction s changes in every step, because the Coulomb problem is not a minimisation. The curvature L estimates the
 * largest eigenvalue of D^-1 A; backtracking raises the estimate, and it falls again between the steps. An iteration costs one
 * product with the Delassus matrix; the product with the extrapolated point z follows from those with the iterates. The
 * contacts need no order and no colouring, because all operations act on whole vectors. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* `x` (contacts x dim): impulses; initial guess on input, best iterate on output. Iterations are products with A. If memory ran
 * out, arena->failed is set. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
