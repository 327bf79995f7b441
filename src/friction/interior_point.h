/* Proximal point method (Rockafellar 1976) for stacked rigid bodies, such as card houses, arches and walls. The Delassus matrix
 * of a card house is singular, or nearly singular if the corners of a face are not exactly in one plane. Symbols:
 *     `A`: scaled Delassus matrix.
 *     `b`: contact velocities without impulses.
 *     `x_k`: impulses of iterate k.
 *     `rho_k`: proximal weight, first 1e-7.
 *
 * Iterate k + 1 is the solution x of the proximal problem, a friction problem whose contact velocities y contain a proximal term:
 *
 *     `y = A*x+b+rho_k*(x-x_k)`.
 *
 * Impulses that move the bodies belong to large eigenvalues of the scaled Delassus matrix. Impulses with almost no effect on the
 * bodies belong to tiny eigenvalues (1e-13 for card houses). The proximal weight lies far above the tiny eigenvalues and far
 * below the large eigenvalues of the scaled Delassus matrix.
 *
 * For each proximal problem, Newton's method on the Alart-Curnier function is tried first. For an assembly at rest, Newton's
 * method needs only one or two factorisations. If Newton's method fails, an interior point method (interior_path.h) finds which
 * contacts are open, stick or slide. The interior point method takes 10 to 30 factorisations from any initial guess. */
#ifndef CST_FRICTION_INTERIOR_POINT_H
#define CST_FRICTION_INTERIOR_POINT_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses; on input the initial guess, on output the best iterate. Iterations are factorisations. The
 * result is "stalled", with unchanged impulses, if one factorisation costs more than flops_max floating-point operations. The
 * result is "stalled", too, if the method ended unsolved without an interruption, for example after too many failed central
 * paths. Sets arena->failed if memory ran out. */
cst_method_result cst_interior_point(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                                     double *x);

/* Returns true if the interior point method should be tried before other methods. The interior point method comes first in 3D
 * problems of rigid bodies (at most 8 dofs each) if the contacts have more than six unknowns per body. The interior point method
 * does not come first if the Delassus matrix is formed, or if a body is solved by a callback. */
bool cst_interior_point_leads(const cst_system *system);

#endif
