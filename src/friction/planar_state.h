/* In 2D a contact has four states: open, sticking, sliding up, sliding down. In each state the law is linear, so Newton's
 * method is a search for the states: guess the states, solve the linear system, and find the contacts at which the answer
 * contradicts the guess.
 *
 * The guess is the state of the contact's own exact solution with the present impulses of its neighbours:
 *
 *     y_i = (A_ii + eta I)(x_i' - x_i) + y_i,   (x_i', y_i) in the Coulomb law.
 *
 * The Alart-Curnier function takes the states from signs instead, which do not include the response of the contact: a closing
 * contact is frictionless for one step, and a sliding contact whose velocity has reversed slides the other way, even if it
 * should stick. On compressed piles of rods the guess halves the number of steps. A weight eta > 0 keeps the local problem
 * definite. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* Computes f of the state guessed at (x, y), and its derivatives f_r, f_u (2 x 2, row-major). The argument `A` is A_ii. The
 * law is f = 0 with
 *
 *     f = -x if open,   f = -y if sticking,   f = (-y_N, +-mu x_N - x_T) if sliding. */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
