/* Interior point method for assemblies of rigid bodies whose contacts support each other (card houses, arches, walls). The
 * Delassus matrix of card houses, arches and walls is singular, or nearly singular if the corners of a face are not exactly in a
 * plane.
 *
 * The method is a proximal point method (Rockafellar 1976) whose sub-problems are solved completely. Symbols:
 *     `A`: scaled Delassus matrix.
 *     `b`: free velocities.
 *     `x_k`: impulses of iterate k.
 *     `rho_k`: proximal weight, first 1e-7.
 *
 * The next iterate of the method is the solution x of a sub-problem, a friction problem whose contact velocities y contain a
 * proximal term:
 *
 *     `y = A*x+b+rho_k*(x-x_k)`.
 *
 * Impulses that move the bodies belong to large eigenvalues of the scaled Delassus matrix; impulses with almost no effect on
 * the bodies belong to tiny eigenvalues (1e-13 for card houses). The proximal weight is far below the large and far above the
 * tiny eigenvalues of the scaled Delassus matrix. Each sub-problem changes an impulse that has almost no effect on the bodies
 * by the error of the contact velocity divided by the proximal weight, until a contact opens or slides. Each sub-problem is
 * first tried by Newton's method on the Alart-Curnier function, from the solution of the previous sub-problem. For an assembly
 * at rest, Newton's method needs only one or two factorisations. If Newton's method fails, an interior point method that
 * follows a central path (interior_path.h) finds the states of all contacts (open, sticking or sliding), with 10 to 30
 * factorisations from any initial guess. */
#ifndef CST_FRICTION_INTERIOR_POINT_H
#define CST_FRICTION_INTERIOR_POINT_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. Iterations are factorisations. If one
 * factorisation costs more than flops_max operations, the result is "stalled", and the impulses x do not change. The result is
 * also "stalled" if the method failed on several central paths. The flag arena->failed is set if memory ran out. */
cst_method_result cst_interior_point(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                                     double *x);

/* Returns true if the interior point method should be tried first: the bodies are rigid and in 3D, the Delassus matrix W is not
 * formed, and there are more contact unknowns than dofs. */
bool cst_interior_point_leads(const cst_system *system);

#endif
