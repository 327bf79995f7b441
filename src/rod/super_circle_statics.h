/* Equilibria of a clamped super-circle rod under gravity, its distributed load and point loads. */
#ifndef CST_ROD_SUPER_CIRCLE_STATICS_H
#define CST_ROD_SUPER_CIRCLE_STATICS_H

#include "rod/super_circle_rod.h"

/* The function `equilibrium` of the body class: finds a static equilibrium. Linear systems with the Hessian of the potential
 * energy are solved by the method rod->hessian (sweep or dense). If no equilibrium is found, the state of the rod does not
 * change. */
bool cst_circle_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                            int *iterations, char *message, size_t message_size);

/* Solves H y = x with the Hessian H of the potential energy in the present shape, and writes the solution y to the array x.
 * Returns false if the Hessian is not positive definite or if memory ran out. */
bool cst_circle_hessian_solve(cst_super_circle *rod, cst_circle_hessian hessian, const cst_step_frame *frame,
                              const cst_point_load *load, int loads, double *x);

#endif
