/* Accelerated projected gradient method on the Coulomb problem, after Mazhar et al. 2015. Unlike the method of Mazhar et al.,
 * this method uses a metric for each contact (contact_metric.h). Because of De Saxce's correction, the Coulomb problem is not a
 * minimisation:
 *
 *     Each step moves De Saxce's correction s of a contact towards mu |y_T| by the share omega, where y_T is the tangential
 *     velocity and mu the friction coefficient of the contact.
 *     Let z be the extrapolated point, A the scaled Delassus matrix, b the free velocities, e_N the normals and D the metric. The
 *     new iterate x is computed from the extrapolated point z by a gradient step and the projection P_K on the friction cones in
 *     the metric D:
 *     `g = A*z+b+s*e_N`.
 *     `x = P_K(z-(L*D)^-1*g)`.
 *     The extrapolated point is z = x + beta (x - x-), with the iterate x, the previous iterate x- and the momentum factor beta.
 *
 * The block diagonal matrix D is the metric of the contacts (contact_metric.h). The number L estimates the largest curvature of
 * the scaled Delassus matrix in the metric D; L is found by backtracking and may fall again. Momentum and restart are as in
 * momentum.h. An iteration costs one product with the Delassus matrix, because the product with the extrapolated point follows
 * from the products with the iterates. The method needs only operations on whole vectors, so the contacts need no order and no
 * colouring. */
#ifndef CST_FRICTION_PROJECTED_GRADIENT_H
#define CST_FRICTION_PROJECTED_GRADIENT_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. Iterations are products with A. The
 * flag arena->failed is set if memory ran out. */
cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
