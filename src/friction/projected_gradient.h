/* Accelerated projected gradient method on the Coulomb problem, after Mazhar et al. 2015, but with a metric for each contact
 * (contact_metric.h). Symbols:
 *     `x`, `x-`: present and previous iterate.
 *     `z`: extrapolated point.
 *     `A`, `b`: scaled matrix, free velocities.
 *     `s`: De Saxce's correction.
 *     `D`: metric of the contacts.
 *     `L`: largest curvature, estimated.
 *     `P_K`: projection in the metric D.
 *
 * Because of De Saxce's correction, the Coulomb problem is not a minimisation: each step also moves the correction s towards mu
 * |y_T| (friction coefficient times tangential speed) by the share omega. The new iterate follows from the extrapolated point by
 * a gradient step and the projection on the friction cones:
 *
 *     `g = A*z+b+s*e_N`.
 *     `x = P_K(z-(L*D)^-1*g)`.
 *     `z = x+beta*(x-x-)`.
 *
 * The number L estimates the largest eigenvalue of D^-1 A, with the diagonal matrix D (contact_metric.h) and the scaled
 * Delassus matrix A; L is found by backtracking and can decrease again. The extrapolation between iterations (momentum) and its
 * restart are those of momentum.h. An iteration costs one product with the Delassus matrix, because the product with the
 * extrapolated point follows from the products with the iterates. The method needs only operations on whole vectors, so the
 * contacts need no order and no colouring. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. Iterations are products with A. The
 * flag arena->failed is set if memory ran out. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
