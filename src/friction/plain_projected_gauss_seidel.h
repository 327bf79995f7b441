/* Projected Gauss-Seidel as published (Hohnadel 2026, slide "Contact solver"), for comparison:
 *
 *     r <- 0,
 *     for each sweep, for each contact i:
 *         u_i  <- (W r + w)_i / sqrt(w_nn^2 + w_tt^2)      (w_nn, w_tt: the diagonal of W_ii),
 *         u_Ni <- u_Ni + mu_i |u_Ti|                       (De Saxce and Feng 1998),
 *         r_i  <- projection of r_i - u_i on the cone K_mu.
 *
 * The slide treats 2D; in 3D the square root contains both tangential diagonal entries of W_ii. The cone of a bilateral row is
 * the whole space. Contacts are visited in the order of the problem, or colour by colour if there are many contacts. For use,
 * prefer projected_gauss_seidel.h: it keeps a warm start, scales normal and tangential directions separately, and has
 * momentum. */
#ifndef CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x`: output, the best iterate. If x on input meets the tolerance, it is returned unchanged; if not, x on input is not used.
 * Iterations are sweeps. The flag arena->failed is set if memory ran out. */
cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x);

#endif
