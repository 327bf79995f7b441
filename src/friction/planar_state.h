/* In 2D a contact has four states: open, sticking, sliding up, sliding down. In each state the Coulomb law is linear, so
 * Newton's method is a search for the states: guess the states, solve the linear system, and find the contacts at which the
 * answer contradicts the guess.
 *
 * The state of contact i is guessed by an exact solution of this contact alone, with the present impulses of its neighbours:
 *
 *     The new impulse x_i' and the velocity y_i' = y_i + (A_ii + eta I)(x_i' - x_i) satisfy the Coulomb law.
 *
 * The Alart-Curnier function takes the contact states from the signs of its arguments, which do not include the response of the
 * contact. With the contact states of the Alart-Curnier function, a closing contact is frictionless for one step, and a sliding
 * contact whose velocity has reversed slides the other way, even if it should stick. On compressed piles of rods, guessing the
 * states by local solutions halves the number of Newton steps. A proximal weight eta > 0 keeps the local problem definite. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* Guesses the state of a contact with the impulse x and the velocity y, and computes the function f of this state and its
 * derivatives f_r and f_u (2 x 2, row-major). The argument `A` is A_ii. The Coulomb law in the guessed state is f = 0:
 *
 *     An open contact has f = -x, so that f = 0 means a zero impulse.
 *     A sticking contact has f = -y, so that f = 0 means a zero velocity.
 *     A sliding contact has f = (-y_N, mu x_N - x_T) or f = (-y_N, -mu x_N - x_T), depending on its direction. */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
