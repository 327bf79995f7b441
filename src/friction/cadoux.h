/* Cadoux' fixed point over convex problems (Cadoux 2009; Acary, Cadoux, Lemarechal and Malick 2011).
 *
 *     x(s) = argmin over the cones of  1/2 x.A x + (b + s e_N).x,        s <- mu |y_T|,  y = A x(s) + b
 *
 * A fixed point solves the Coulomb problem. The convex problem is swept with momentum (projected_sweep.h) only until it is met
 * better than the Coulomb problem by a given factor, then s moves; momentum is kept across, for the problem has changed little.
 * Where the map s -> mu |y_T| is no contraction, s moves only part of the way (relaxation.h). (Anderson acceleration of s was
 * tried: no gain, the convex problems are what costs.) */
#ifndef CST_FRICTION_CADOUX_H
#define CST_FRICTION_CADOUX_H

#include "friction/method.h"

/* x: first guess in, best iterate out. Iterations are sweeps, over all convex problems. Out of memory: arena->failed. */
cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
