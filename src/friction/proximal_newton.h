/* Proximal semismooth Newton, the method for problems on which sweeps converge slowly (W singular, many contacts per body, mu
 * near 1):
 *
 *     The next iterate is x_k+1 = x_k + d, where the step d solves (f_u (A + rho_k I) + f_r) d = -F(x_k).
 *     The proximal weight is rho_k = c min(1, E(x_k)), with the error E and a factor c.
 *
 * Each iteration does one Newton step on the proximal problem y = A x + b + rho_k (x - x_k), and then moves the centre to x_k+1.
 * The method is a proximal point method with inexact solves (Rockafellar 1976; Li, Fukushima, Qi and Yamashita 2004 for rho
 * proportional to the residual). The proximal term is zero at its centre x_k, so a fixed point of the method solves the problem
 * exactly. The proximal weight rho falls with the error, so convergence stays superlinear even if W is singular. The friction
 * problem is not monotone, and full Newton steps may wander. If the error has no new minimum for some steps, the method switches
 * between the Alart-Curnier and the Fischer-Burmeister function, and then raises the factor c of the proximal weight.
 *
 * From a warm start, the proximal weight is rho_k = c E^0.7, with the error E. From a warm start, the Fischer-Burmeister
 * function gets more steps if the Alart-Curnier function has not found the contact states, and a step that makes the error ten
 * times as large is shortened. A wound rope that does not stretch has impulses that change no velocity, because W is singular.
 * Impulses that change no velocity drift by F / rho per step, and with rho = c E they leave their cones when the error E is
 * small. With a proximal weight rho = c E^p and p below 1, convergence is still superlinear (Fan and Yuan 2005).
 *
 * In 2D the contact states are guessed as in planar_state.h. In 2D the proximal weight rho_k = c E^0.7 uses the smallest error E
 * so far, because a wrong guess of the states causes a large error that says nothing about the distance to the solution. */
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
    /* Warm start. With a warm start, the method may do more steps than `give_up` without halving the best error: as many as
     * give_up_flops allows, up to 200. */
    bool warm;
    double give_up_flops;
} cst_proximal_state;

/* `x` (contacts x dim): the impulses, initial guess on input (zero is possible) and best iterate on output. Iterations are
 * factorisations. `stalled`: the error stopped falling. The flag arena->failed is set if memory ran out. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* Like cst_proximal_newton, but if one factorisation costs more than flops_max, the result is "stalled" without a step, and x
 * is unchanged. */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
