/* Projected Gauss-Seidel as published (Hohnadel 2026, slide "Contact solver"), to compare with:
 *
 *     r <- 0
 *     for each sweep, for each contact i:
 *         u_i  <- (W r + w)_i / sqrt(w_nn^2 + w_tt^2)      w_nn, w_tt: the diagonal of W_ii
 *         u_Ni <- u_Ni + mu_i |u_Ti|                       De Saxce and Feng 1998
 *         r_i  <- projection of r_i - u_i on the cone K_mu
 *
 * The slide is of the plane; in space both tangential entries are in the root. A bilateral row has all space for its cone. Contacts are
 * visited in their own order, or colour by colour where there are many. projected_gauss_seidel.h is the one to use: it keeps a warm
 * start, scales normal and tangent apart and has momentum. */
#ifndef CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* x: out, the best iterate; in: returned as it is if it meets the tolerance, otherwise not used. Iterations are sweeps. Out of memory:
 * arena->failed. */
cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x);

#endif
