/* Projected Gauss-Seidel as published (Hohnadel 2026, slide "Contact solver"), for comparison. Let r_i be the impulse of contact
 * i, u_i its velocity, w the free velocities, and W the Delassus matrix. The impulses start from zero. Each sweep visits every
 * contact and does three operations:
 *
 *     The scaled velocity is u_i <- (W r + w)_i / sqrt(w_nn^2 + w_tt^2), where w_nn and w_tt are the diagonal entries of the
 *     block W_ii of the Delassus matrix.
 *     De Saxce's correction adds mu times the tangential speed to the normal velocity (De Saxce and Feng 1998).
 *     The impulse r_i is replaced by the projection of r_i - u_i on the friction cone of the contact.
 *
 * The publication treats 2D; in 3D the velocity is divided by a square root that contains both tangential diagonal entries of the
 * block W_ii of the Delassus matrix. The impulse of a bilateral contact is not projected. Contacts are visited in the order of
 * the problem, or colour by colour if there are many contacts. For use, prefer projected_gauss_seidel.h: it keeps a warm start,
 * scales normal and tangential directions separately, and has momentum. */
#ifndef CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x`: output, the best iterate. If the given impulses x meet the tolerance, they are returned unchanged; otherwise they are not
 * used. Iterations are sweeps. The flag arena->failed is set if memory ran out. */
cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x);

#endif
