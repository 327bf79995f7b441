/* Solves the Coulomb problem by a sequence of convex problems (Cadoux 2009; Acary, Cadoux, Lemarechal and Malick 2011). Symbols:
 *     `x`, `y`: impulses, velocities.
 *     `A`: scaled Delassus matrix.
 *     `b`: contact velocities without impulses.
 *     `s`: De Saxce's correction.
 *     `e_N`: contact normals.
 *
 * De Saxce's correction is added to the normal velocities. De Saxce's correction is constant while one convex problem is solved,
 * and is updated before the next convex problem:
 *
 *     `x = argmin_cones x.A*x/2 + (b+s*e_N).x`.
 *     `y = A*x + b`.
 *     `s = mu*|y_T|`.
 *
 * A fixed point of the updates of De Saxce's correction solves the Coulomb problem. Sweeps with momentum (projected_sweep.h)
 * solve the convex problems. De Saxce's correction is updated, and the next convex problem begins, when the error of the convex
 * problem is at most half the error of the Coulomb problem. The sweeps keep their momentum when De Saxce's correction is updated.
 * If the updates converge slowly, each update makes only a fraction of the full change of De Saxce's correction (relaxation.h).
 * Anderson acceleration of De Saxce's correction did not make the method faster. */
#ifndef CST_FRICTION_CADOUX_H
#define CST_FRICTION_CADOUX_H

#include "friction/method.h"

/* `x` (contacts x dim): the impulses; on input the initial guess, on output the best iterate. The number of iterations in the
 * result counts the sweeps of all convex problems. Sets arena->failed if memory ran out. */
cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
