/* Global nonsmooth Newton with Goldstein-Price line search (Bertails-Descoubes et al. 2011, section 4), on the Alart-Curnier
 * or the Fischer-Burmeister function. The method is as published; proximal_newton.h is more robust. */
#ifndef CST_FRICTION_NONSMOOTH_NEWTON_H
#define CST_FRICTION_NONSMOOTH_NEWTON_H

#include "friction/method.h"

/* `x`: initial guess in, best iterate out. Iterations are factorisations. `stalled`: no step reduces |F|. The flag
 * arena->failed is set if memory ran out. */
cst_method_result cst_global_newton(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                    bool line_search, cst_arena *arena, double *x);

/* Does the same as cst_global_newton, with at most as many factorisations as `flops` allows. No step is done (stalled) if fewer
 * than `least` factorisations are possible. */
cst_method_result cst_global_newton_within(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                           bool line_search, double flops, int least, cst_arena *arena, double *x);

/* Runs the published method without changes, for comparison (algorithms 1 and 2 of section 4.4). The published method uses the
 * Alart-Curnier function with W formed, no proximal term, only the line search, at most CST_PLAIN_NEWTON_MOST iterations. The
 * result is `stalled` if J is singular, or if |F| does not fall along the direction. A singular J, and an |F| that does not
 * fall, happen if nu = dim contacts / dofs is above one (section 5.2). */
enum { CST_PLAIN_NEWTON_MOST = 200 };
cst_method_result cst_plain_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
