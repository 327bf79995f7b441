/* Proximal semismooth Newton: the method for the problems on which sweeps crawl (W singular, many contacts per body, mu near 1).
 *
 *     x_k+1 = x_k + d,    (f_u (A + rho_k I) + f_r) d = -F(x_k),    rho_k = c min(1, E(x_k))
 *
 * One Newton step on the proximal problem y = A x + b + rho_k (x - x_k), then the centre moves: a proximal point method with
 * inexact solves (Rockafellar 1976; Li, Fukushima, Qi and Yamashita 2004 for rho in proportion to the residual). The term
 * vanishes from F at the centre, so a fixed point solves the problem exactly; rho falls with the error, so convergence stays
 * superlinear where W is singular too. Friction is not monotone and full steps may wander: when the error has no new minimum for
 * a while, the function is exchanged (Alart-Curnier, Fischer-Burmeister), then c raised.
 *
 * From a warm start rho_k = c E^0.7, Fischer-Burmeister's function is given more time once Alart-Curnier's has not found the states, and a step
 * that makes the error ten times as large is shortened. A rope that is wound around something and does not stretch has impulses that W
 * does not see at all: they drift by F / rho in a step, and with rho = c E they drift out of their cones when E is small. With a power below 1
 * convergence is still superlinear (Fan and Yuan 2005 for such powers).
 *
 * In the plane states are guessed as in planar_state.h, and rho_k = c E^0.7 of the least error so far: a wrong guess makes a large
 * error that says nothing about how far the impulses still have to go. */
#ifndef CST_FRICTION_PROXIMAL_NEWTON_H
#define CST_FRICTION_PROXIMAL_NEWTON_H

#include "friction/method.h"
#include "friction/newton_system.h"

/* What calls of cst_proximal_newton_within hand on, so that a call cut short by its iterations is gone on with: start from zeros.
 */
typedef struct cst_proximal_state {
    double weight; /* c */
    cst_newton_function function;
    double flops; /* of one factorisation */
    int give_up;  /* stalled after so many steps without the best error halved; 0: 1000 */
    /* From a warm start. Steps without the best error halved may then also be as many as these flops pay for, up to 200. */
    bool warm;
    double give_up_flops;
} cst_proximal_state;

/* x: first guess in (zero does), best iterate out. iterations: factorisations. `stalled`: the error stopped falling.
 * arena->failed: out of memory. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* The same, given up before the first step (stalled, x untouched) if one factorisation costs more than flops_max. */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
