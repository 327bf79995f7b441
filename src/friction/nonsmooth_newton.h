/* Global nonsmooth Newton method with Goldstein-Price line search (Bertails-Descoubes et al. 2011, section 4), on the
 * Alart-Curnier or the Fischer-Burmeister function. The proximal Newton method (proximal_newton.h) is more robust than the
 * method of this file. */
#ifndef CST_FRICTION_NONSMOOTH_NEWTON_H
#define CST_FRICTION_NONSMOOTH_NEWTON_H

#include "friction/method.h"

/* `x` (contacts x dim): impulses, initial guess on input, best iterate on output. In the result, `iterations` is the number of
 * factorisations, and `stalled` means that no Newton step was accepted. Sets arena->failed if memory ran out. */
cst_method_result cst_global_newton(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                    bool line_search, cst_arena *arena, double *x);

/* Does the same as cst_global_newton, with at most `flops` floating-point operations in factorisations. If `flops` allows fewer
 * than `least` factorisations, no Newton step is done and the result is `stalled`. */
cst_method_result cst_global_newton_within(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                           bool line_search, double flops, int least, cst_arena *arena, double *x);

/* For comparison: algorithms 1 and 2 of Bertails-Descoubes et al. 2011 as published, with the Alart-Curnier function, the
 * formed Delassus matrix and a line search, without a proximal term. CST_PLAIN_NEWTON_MOST: largest number of iterations. The
 * result is `stalled` if Newton's matrix is singular, or if the residual does not fall along Newton's direction. The published
 * method stalls on problems with more contact unknowns than dofs (section 5.2 of Bertails-Descoubes et al. 2011). */
enum { CST_PLAIN_NEWTON_MOST = 200 };
cst_method_result cst_plain_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
