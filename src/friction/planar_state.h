/* Newton's method for Coulomb friction in 2D, as a search for the states of the contacts. A contact in 2D is open, sticks, or
 * slides in one of two tangential directions. In each of these four states the Coulomb law is linear, so a Newton step guesses
 * the states and solves a linear system. Symbols:
 *     `x`, `y`: present impulse and velocity of a contact.
 *     `x'`, `y'`: impulse and velocity of the guessed state.
 *     `A`: diagonal block of the scaled Delassus matrix.
 *     `eta > 0`: proximal weight, which makes A + eta I positive definite.
 *
 * The guess is the exact solution of the Coulomb law for this contact alone, while all other impulses are fixed:
 *
 *     `y' = y+(A+eta*I)*(x'-x)`.
 *
 * The alternative is the Alart-Curnier function, which takes the state from the signs of its arguments and ignores the response
 * of the contact to its own impulse. With states from the Alart-Curnier function, a contact that closes has no friction in the
 * first Newton step. A sliding contact whose velocity has reversed then slides the other way, even if it should stick. On
 * compressed piles of rods, guesses from the exact solution halve the number of Newton steps. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* Guesses the state of a contact with the impulse x and the velocity y, and computes the residual f of the Coulomb law in this
 * state. Also computes the derivatives f_r by the impulse and f_u by the velocity (2 x 2, row-major). `A`: diagonal block A_ii of
 * the scaled Delassus matrix. If the contact alone has no solution, f is the Alart-Curnier function; otherwise:
 *
 *     `f = -x`: open.
 *     `f = -y`: sticking.
 *     `f = (-y_N, +-mu*x_N-x_T)`: sliding, with the sign of the tangential impulse. */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
