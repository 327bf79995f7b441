/* Fixed point over convex problems (Cadoux 2009; Acary, Cadoux, Lemarechal and Malick 2011).
 *
 *     The convex problem for a given correction s is x(s) = argmin over the cones of 1/2 x.A x + (b + s e_N).x.
 *     The next correction is s <- mu |y_T|, where y = A x(s) + b are the contact velocities.
 *
 * A fixed point of the iteration for the correction s solves the Coulomb problem. Sweeps with momentum (projected_sweep.h) solve
 * the convex problem only until its error is smaller than the error of the Coulomb problem by a given factor; then the
 * correction s is updated. The momentum of the sweeps is kept when the correction s is updated, because the convex problem
 * changes little. Where the map s -> mu |y_T| is no contraction, the correction s is updated only partly (relaxation.h).
 * Anderson acceleration of the correction s gave no gain, because the convex problems take most of the time. */
#ifndef CST_FRICTION_CADOUX_H
#define CST_FRICTION_CADOUX_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. The result counts sweeps as iterations,
 * summed over all convex problems. The flag arena->failed is set if memory ran out. */
cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
