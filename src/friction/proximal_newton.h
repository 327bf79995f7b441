/* Proximal semismooth Newton method, for problems on which Gauss-Seidel sweeps converge slowly: singular Delassus matrix, many
 * contacts per body, friction coefficients near 1. Symbols:
 *     `x`, `d`: impulses, Newton step.
 *     `A`: scaled Delassus matrix.
 *     `F`: residual function of the contacts.
 *     `f_r`, `f_u`: derivatives of the residual F by impulse and velocity.
 *     `E`: error.
 *     `rho`: proximal weight.
 *     `c`: factor of the proximal weight.
 *
 *     `(f_u*(A+rho*I) + f_r) d = -F(x)`.
 *     `rho = c*min(1,E(x))`.
 *
 * Each iteration does one Newton step on a friction problem with a proximal term, and then moves the centre of the proximal
 * term to the new iterate. The method is a proximal point method with inexact solves (Rockafellar 1976). The proximal term is
 * zero at its centre, so a fixed point of the method solves the friction problem exactly. The proximal weight falls with the
 * error, so convergence is superlinear even if the Delassus matrix is singular (Li, Fukushima, Qi and Yamashita 2004).
 *
 * The friction problem is not monotone, so full Newton steps do not always converge. If the error has no new minimum for some
 * steps, the method changes from the Alart-Curnier to the Fischer-Burmeister function. If the error still has no new minimum, the
 * method changes back to the Alart-Curnier function and multiplies the factor c of the proximal weight by 3. A factor c above 30
 * is replaced by 0.03.
 *
 * From a warm start in 3D without cloth, the proximal weight is c E^0.7, with the factor c and the error E. The exponent of the
 * error in the proximal weight must be below 1 for inextensible ropes that are wound around a body. The Delassus matrix of such
 * ropes is singular, so some impulses change no velocity. In the null space of the Delassus matrix, a Newton step changes the
 * impulses by the residual divided by the proximal weight. If the proximal weight were proportional to the error, impulses that
 * change no velocity would drift equally fast at any error, and would leave their friction cones. If the proximal weight is
 * proportional to E^p with p < 1, the drift of impulses that change no velocity slows down as the error E falls. Convergence is
 * still superlinear for p < 1 (Fan and Yuan 2005).
 *
 * In 2D, the states of the contacts (open, sticking or sliding) are guessed as in planar_state.h. In 2D, the proximal weight is c
 * E^0.7 with the smallest error E so far. In 2D, the error of the present iterate is not suitable for the proximal weight,
 * because a wrong guess of the contact states makes it large even near the solution. */
#ifndef CST_FRICTION_PROXIMAL_NEWTON_H
#define CST_FRICTION_PROXIMAL_NEWTON_H

#include "friction/method.h"
#include "friction/newton_system.h"

/* State of the proximal Newton method between two calls of cst_proximal_newton_within. Initialise with zeros. */
typedef struct cst_proximal_state {
    double weight; /* factor c of the proximal weight */
    cst_newton_function function;
    double flops; /* flops of one factorisation */
    int give_up;  /* the method counts as stalled after `give_up` steps without halving the smallest error; 0: 1000 steps */
    /* true: warm start. After a warm start, the limit `give_up` is at least min(200, N) steps, where N is give_up_flops divided
     * by the flops of one factorisation. */
    bool warm;
    double give_up_flops;
} cst_proximal_state;

/* `x` (contacts x dim): the impulses, initial guess on input (zero is allowed) and best iterate on output. Iterations are
 * factorisations. The result is "stalled" if the smallest error does not halve within 1000 Newton steps. The flag arena->failed
 * is set if memory ran out. */
cst_method_result cst_proximal_newton(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* Does the same as cst_proximal_newton, but starts from `state` and updates it. If one factorisation costs more than flops_max
 * flops, the function leaves x unchanged and returns the result "stalled". */
cst_method_result cst_proximal_newton_within(cst_system *system, const cst_method_settings *settings, double flops_max,
                                             cst_proximal_state *state, cst_arena *arena, double *x);

#endif
