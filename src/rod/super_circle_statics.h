/* Equilibria of a clamped super-circle rod under gravity, its distributed load and point loads. */
#ifndef CST_ROD_SUPER_CIRCLE_STATICS_H
#define CST_ROD_SUPER_CIRCLE_STATICS_H

#include "rod/super_circle_rod.h"

/* How Newton solves with the Hessian: the same matrix, in O(n) or as the dense matrix it is in the curvatures. */
typedef enum cst_circle_hessian { CST_CIRCLE_HESSIAN_SWEPT, CST_CIRCLE_HESSIAN_DENSE } cst_circle_hessian;

/* Arguments as `equilibrium` of cst_body_class. The state changes only if it succeeds. */
bool cst_circle_equilibrium(cst_super_circle *rod, cst_circle_hessian hessian, const cst_step_frame *frame,
                            const cst_point_load *load, int loads, double tolerance, int *iterations, char *message,
                            size_t message_size);

/* x <- H^-1 x with the Hessian of the potential energy at the state; false if it is not positive definite, or memory ran out. */
bool cst_circle_hessian_solve(cst_super_circle *rod, cst_circle_hessian hessian, const cst_step_frame *frame,
                              const cst_point_load *load, int loads, double *x);

#endif
