/* Fixed point over convex problems (Cadoux 2009; Acary, Cadoux, Lemarechal and Malick 2011). Symbols:
 *     `x`: impulses.
 *     `A`: matrix from impulses to velocities.
 *     `b`: contact velocities without impulses.
 *     `s`: De Saxce's correction.
 *
 * De Saxce's correction s is added to the normal velocities; it is constant in each convex problem and updated between convex
 * problems:
 *
 *     `x = argmin_cones x.A*x/2 + (b+s*e_N).x`.
 *     `y = A*x + b`.
 *     `s = mu*|y_T|`.
 *
 * A fixed point of the iteration for De Saxce's correction solves the Coulomb problem. Sweeps with momentum (projected_sweep.h)
 * solve the convex problem only until its error is smaller than the error of the Coulomb problem by a given factor. The
 * momentum of the sweeps is kept when De Saxce's correction is updated, because the convex problem changes little. If the
 * iteration for De Saxce's correction converges slowly, each update moves the correction only a part of the way (relaxation.h).
 * Anderson acceleration of De Saxce's correction did not make the method faster. */
#ifndef CST_FRICTION_CADOUX_H
#define CST_FRICTION_CADOUX_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. The iterations in the returned value
 * are sweeps, summed over all convex problems. The flag arena->failed is set if memory ran out. */
cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
