/* Guesses the states of contacts in 2D for Newton's method. A contact in 2D is open, sticks, or slides in one of two tangential
 * directions. In each of the four states of a contact in 2D the Coulomb law is linear, so a Newton step guesses the states and
 * solves a linear system. Symbols:
 *     `x`, `y`: present impulse and velocity of the contact.
 *     `x'`, `y'`: guessed impulse and velocity of the contact.
 *     `A`: diagonal block of the contact in the scaled Delassus matrix.
 *     `eta`: proximal weight.
 *
 * With the proximal weight eta > 0, the matrix A + eta I of a contact is positive definite. The guess solves the Coulomb law for
 * one contact alone, with fixed impulses of all other contacts:
 *
 *     `y' = y+(A+eta*I)*(x'-x)`.
 *
 * The Alart-Curnier function does not guess: it takes the state of the contact from the signs of its arguments, and ignores the
 * response of the contact to its own impulse. With the Alart-Curnier function, a contact that closes has no friction in the first
 * Newton step. With the Alart-Curnier function, a sliding contact whose velocity has reversed slides the other way even if it
 * should stick. For compressed piles of rods, Newton's method with guessed states needs half as many steps as with the
 * Alart-Curnier function. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* Guesses the state of a contact with the impulse x and the velocity y. Computes the residual f of the Coulomb law in the guessed
 * state, and the derivatives f_r by the impulse and f_u by the velocity (2 x 2, row-major). If the local solver finds no solution
 * for the contact alone, the residual f is the Alart-Curnier function. Otherwise the residual f depends on the guessed state of
 * the contact:
 *
 *     `f = -x`: open.
 *     `f = -y`: sticking.
 *     `f = (-y_N, +-mu*x_N-x_T)`: sliding. */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
