/* Proximal semismooth Newton method, for problems on which Gauss-Seidel sweeps converge slowly (singular Delassus matrix, many
 * contacts per body, friction coefficients near 1). Let x be the iterate, d the step to the next iterate, A the scaled Delassus
 * matrix, E the error, rho the proximal weight and c a factor. Let F be the residual of the contacts, with the derivatives f_r
 * by the impulses and f_u by the velocities:
 *
 *     `(f_u*(A+rho*I) + f_r) d = -F(x)`.
 *     `rho = c*min(1,E(x))`.
 *
 * Each iteration does one Newton step on the problem with a proximal term centred at the iterate, and then moves the centre of
 * the proximal term to the new iterate. The method is a proximal point method with inexact solves (Rockafellar 1976). Li,
 * Fukushima, Qi and Yamashita 2004 treat a proximal weight that is proportional to the residual. The proximal term is zero at its
 * centre, the iterate, so a fixed point of the method solves the friction problem exactly. The proximal weight falls with the
 * error, so convergence stays superlinear even if the Delassus matrix is singular. The friction problem is not monotone, so
 * Newton's method with full steps may not converge. If the error has no new minimum for some steps, the method switches between
 * the Alart-Curnier and the Fischer-Burmeister function, and then raises the factor c of the proximal weight.
 *
 * From a warm start without nodal bodies, the proximal weight is c E^0.7, with the error E and a factor c. From a warm start in
 * 3D, the method usually does more steps on the Fischer-Burmeister function than on the Alart-Curnier function before it switches
 * to the other function. From a warm start in 3D, a step that would make the error more than ten times as large is shortened. In
 * a rope that does not stretch and is wound around a body, some contact impulses change no velocity, because the Delassus matrix
 * is singular. In each Newton step, impulses without effect on the velocities drift by the residual divided by the proximal
 * weight. If the proximal weight were proportional to the error, impulses without effect on the velocities would drift equally
 * far in each step, however small the error, and leave their friction cones. With a proximal weight proportional to E^p, where
 * E is the error and p is below 1, convergence is still superlinear (Fan and Yuan 2005).
 *
 * In 2D the states of the contacts (open, sticking or sliding) are guessed as in planar_state.h. In 2D the proximal weight is c
 * E^0.7, where c is a factor and E is the smallest error so far. In 2D the proximal weight is not computed from the error of
 * the present iterate, because a wrong guess of the contact states makes this error large even near the solution. */
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
    int give_up;  /* the method counts as stalled after `give_up` steps that have not halved the smallest error; 0: 1000 steps */
    /* true: warm start. After a warm start, the limit `give_up` is raised to the number of steps that cost give_up_flops
     * floating-point operations, but not above 200. */
    bool warm;
    double give_up_flops;
} cst_proximal_state;

/* `x` (contacts x dim): the impulses, initial guess on input (zero is possible) and best iterate on output. Iterations are
 * factorisations. `stalled`: the error stopped falling. The flag arena->failed is set if memory ran out. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* Like cst_proximal_newton, but if one factorisation costs more than flops_max floating-point operations, returns the result
 * "stalled" without a step, and leaves the impulses x unchanged. */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
