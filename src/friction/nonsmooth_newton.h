/* Global nonsmooth Newton with Goldstein-Price line search (Bertails-Descoubes et al. 2011, section 4), on either function: one
 * of the published methods. proximal_newton.h is the robust one. */
#ifndef CST_FRICTION_NONSMOOTH_NEWTON_H
#define CST_FRICTION_NONSMOOTH_NEWTON_H

#include "friction/method.h"

/* x: first guess in, best iterate out. iterations: factorisations. `stalled`: no step reduces |F|. arena->failed: out of memory.
 */
cst_method_result cst_global_newton(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                    bool line_search, cst_arena *arena, double *x);

/* The same with as many factorisations as take `flops` at most; none (stalled) if these are fewer than `least`. */
cst_method_result cst_global_newton_within(cst_system *system, const cst_method_settings *settings, bool fischer_burmeister,
                                           bool line_search, double flops, int least, cst_arena *arena, double *x);

/* The published method alone, to compare with (algorithms 1 and 2 of section 4.4): Alart-Curnier, W formed, no proximal term, the
 * line search and nothing else, CST_PLAIN_NEWTON_MOST iterations at most. `stalled`: J is singular, or |F| falls nowhere along the
 * direction. Both happen where nu = dim contacts / dofs is above one (section 5.2). */
enum { CST_PLAIN_NEWTON_MOST = 200 };
cst_method_result cst_plain_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

#endif
