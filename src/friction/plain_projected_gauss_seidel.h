/* Projected Gauss-Seidel as published (Hohnadel 2026, slide "Contact solver"), for comparison. Symbols:
 *     `r_i`, `u_i`: impulse and velocity of contact i.
 *     `w`: velocities without impulses.
 *     `W`: Delassus matrix.
 *     `w_nn`, `w_tt`: normal and tangential diagonal entry of the block of contact i in the Delassus matrix `W`.
 *     `P_K`: projection on the friction cone.
 *
 * The method starts from zero impulses. A visit of a contact scales the contact velocity, adds De Saxce's correction (De Saxce
 * and Feng 1998) and projects the impulse:
 *
 *     `u_i <- (W*r+w)_i/sqrt(w_nn^2+w_tt^2)`.
 *     `u_iN <- u_iN+mu*|u_iT|`.
 *     `r_i <- P_K(r_i-u_i)`.
 *
 * The publication treats 2D; in 3D, the divisor sqrt(w_nn^2 + w_tt^2) of the contact velocity contains both tangential diagonal
 * entries. The impulse of a bilateral contact is not projected. Applications should use projected_gauss_seidel.h, which starts
 * from the initial guess, scales normal and tangential directions separately, and has momentum. */
#ifndef CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H
#define CST_FRICTION_PLAIN_PROJECTED_GAUSS_SEIDEL_H

#include "friction/method.h"

/* `x` (contacts x dim): best impulses on output. If the impulses on input meet the tolerance, they are returned; otherwise the
 * method starts from zero impulses. arena->failed is set if memory ran out. */
cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x);

#endif
