/* Proximal semismooth Newton: the method for the problems on which sweeps crawl (W singular, many contacts per body, mu near 1).
 *
 *     x_k+1 = the solution of   y = A x + b + rho_k (x - x_k),   (x_i, y_i) in the law
 *
 * found by plain Newton steps from x_k (nonsmooth_newton.h). The proximal term vanishes where x stops moving, so a fixed point solves
 * the problem exactly. With rho of the order of A's diagonal the inner problem is easy and the outer steps short; with rho towards 0
 * it is the other way round. So rho goes down after each success and up after each failure, as a trust region's inverse would
 * (Rockafellar 1976 for monotone problems; friction is not monotone, hence the way up). */
#ifndef CST_FRICTION_PROXIMAL_NEWTON_H
#define CST_FRICTION_PROXIMAL_NEWTON_H

#include "friction/method.h"

/* x: first guess in (zero does), best iterate out. iterations: factorisations; settings->max_iterations bounds them (one inner
 * solve may overshoot it). `stalled`: the error stopped falling. arena->failed: out of memory. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* What calls of cst_proximal_newton_within hand on: start from zeros. */
typedef struct cst_proximal_state {
    double rho;   /* where the last call left it: a call cut short by its iterations is gone on with, not begun again */
    double flops; /* of one factorisation */
} cst_proximal_state;

/* The same, given up before the first step (stalled, x untouched) if one factorisation costs more than flops_max. */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
