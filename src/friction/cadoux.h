/* Fixed point over convex problems (Cadoux 2009; Acary, Cadoux, Lemarechal and Malick 2011).
 *
 *     x(s) = argmin over the cones of  1/2 x.A x + (b + s e_N).x,        s <- mu |y_T|,  y = A x(s) + b.
 *
 * A fixed point of this iteration in s solves the Coulomb problem. The convex problem is swept with momentum
 * (projected_sweep.h) only until its error is smaller than that of the Coulomb problem by a given factor; then s is updated.
 * The momentum is kept when s is updated, because the convex problem changes little. Where the map s -> mu |y_T| is no
 * contraction, s is updated only partly (relaxation.h). Anderson acceleration of s gave no gain, because the convex problems
 * take most of the time. */
#ifndef CST_FRICTION_CADOUX_H
#define CST_FRICTION_CADOUX_H

#include "friction/method.h"

/* `x`: initial guess in, best iterate out. Iterations are sweeps, summed over all convex problems. The flag arena->failed is
 * set if memory ran out. */
cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
