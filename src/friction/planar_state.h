/* In 2D a contact has four states: open, sticking, and sliding in one of the two tangential directions. In each state of a
 * contact (open, sticking, or sliding in a given direction) the Coulomb law is linear, so Newton's method is a search for the
 * contact states. Newton's method guesses the contact states, solves the linear system, and finds the contacts at which the
 * solution contradicts the guess. Symbols:
 *     `x`, `y`: present impulse and velocity.
 *     `x'`, `y'`: impulse and velocity, guessed.
 *     `A`: block of scaled Delassus matrix.
 *     `eta`: proximal weight.
 *
 * To guess the state of a contact (open, sticking or sliding), the Coulomb law of this contact alone is solved exactly, with
 * the present impulses of all other contacts:
 *
 *     `y' = y+(A+eta*I)*(x'-x)`.
 *
 * The Alart-Curnier function takes the state of a contact (open, sticking or sliding) from the signs of its arguments, without
 * the response of the contact to its own impulse. With the states of the Alart-Curnier function, a contact that closes is
 * frictionless in the first Newton step, and a sliding contact whose velocity has reversed slides the other way even if it
 * should stick. On compressed piles of rods, Newton's method with states guessed by solving each contact alone takes half as
 * many steps as with the states of the Alart-Curnier function. A proximal weight eta > 0 makes the matrix of the local problem
 * positive definite. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* Guesses whether a contact with the impulse x and the velocity y is open, sticking or sliding (its state). Computes the residual
 * f of the Coulomb law for the guessed state, and the derivatives f_r of f by the impulse x and f_u by the velocity y (2 x 2,
 * row-major). The argument `A` is A_ii. The residual of an open contact is f = -x, with the impulse x. The residual of a sticking
 * contact is f = -y, with the velocity y. The residual of a sliding contact is f = (-y_N, mu x_N - x_T) or (-y_N, -mu x_N - x_T),
 * depending on the sliding direction, with the impulse x and the velocity y. */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
