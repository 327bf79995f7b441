/* Proximal semismooth Newton, the method for problems on which sweeps converge slowly (W singular, many contacts per body, mu
 * near 1):
 *
 *     x_k+1 = x_k + d,    (f_u (A + rho_k I) + f_r) d = -F(x_k),    rho_k = c min(1, E(x_k)).
 *
 * Each iteration does one Newton step on the proximal problem y = A x + b + rho_k (x - x_k), and then moves the centre to
 * x_k+1. The method is a proximal point method with inexact solves (Rockafellar 1976; Li, Fukushima, Qi and Yamashita 2004 for
 * rho proportional to the residual). The proximal term vanishes from F at the centre, so a fixed point solves the problem
 * exactly. The weight rho falls with the error, so convergence stays superlinear even if W is singular. The friction problem is
 * not monotone, and full steps may wander: if the error has no new minimum for some steps, the function is exchanged
 * (Alart-Curnier, Fischer-Burmeister), and then c is raised.
 *
 * From a warm start rho_k = c E^0.7, the Fischer-Burmeister function gets more steps if the Alart-Curnier function has not
 * found the states, and a step that makes the error ten times as large is shortened. A wound rope that does not stretch has
 * impulses with no effect through W. Impulses with no effect through W drift by F / rho per step, and with rho = c E they leave
 * their cones when E is small. With rho = c E^p and p below 1, convergence is still superlinear (Fan and Yuan 2005).
 *
 * In 2D the states are guessed as in planar_state.h, and rho_k = c E^0.7 uses the smallest error so far: a wrong guess causes
 * a large error that says nothing about the distance to the solution. */
#ifndef CST_FRICTION_PROXIMAL_NEWTON_H
#define CST_FRICTION_PROXIMAL_NEWTON_H

#include "friction/method.h"
#include "friction/newton_system.h"

/* Data passed between calls of cst_proximal_newton_within, so that a call that ran out of iterations can be continued.
 * Initialise with zeros. */
typedef struct cst_proximal_state {
    double weight; /* c */
    cst_newton_function function;
    double flops; /* flops of one factorisation */
    int give_up;  /* number of steps without halving the best error after which the method stalls; 0: 1000 */
    /* Warm start. With a warm start, the number of steps without halving the best error may also be as large as give_up_flops
     * allows, up to 200. */
    bool warm;
    double give_up_flops;
} cst_proximal_state;

/* `x`: initial guess in (zero is possible), best iterate out. Iterations are factorisations. `stalled`: the error stopped
 * falling. The flag arena->failed is set if memory ran out. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* Like cst_proximal_newton, but if one factorisation costs more than flops_max, the result is "stalled" without a step, and x
 * is unchanged. */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
