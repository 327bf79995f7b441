/* Projected Gauss-Seidel as published (Hohnadel 2026, slide "Contact solver"), for comparison. The impulses start from r = 0.
 * Each sweep visits every contact i and does three operations:
 *
 *     The velocity is u_i <- (W r + w)_i / sqrt(w_nn^2 + w_tt^2), where w_nn and w_tt are the diagonal entries of W_ii.
 *     De Saxce's correction is u_Ni <- u_Ni + mu_i |u_Ti| (De Saxce and Feng 1998).
 *     The impulse r_i is replaced by the projection of r_i - u_i on the friction cone K_mu.
 *
 * The publication treats 2D; in 3D the square root contains both tangential diagonal entries of W_ii. The impulse of a bilateral
 * contact is not projected. Contacts are visited in the order of the problem, or colour by colour if there are many contacts.
 * For use, prefer projected_gauss_seidel.h: it keeps a warm start, scales normal and tangential directions separately, and has
 * momentum. */
#ifndef CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x`: output, the best iterate. If x on input meets the tolerance, it is returned unchanged; if not, x on input is not used.
 * Iterations are sweeps. The flag arena->failed is set if memory ran out. */
cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x);

#endif
