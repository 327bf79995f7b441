/* In the plane a contact has four states: open, sticking, sliding up, sliding down. In each the law is linear, so that Newton's
 * method is a search for the states: guess them, solve, look where the answer contradicts them.
 *
 * The guess is the state of the contact's own exact solution while its neighbours push as they do now,
 *
 *     y_i = (A_ii + eta I)(x_i' - x_i) + y_i,   (x_i', y_i) in the Coulomb law,
 *
 * in place of the signs that the Alart-Curnier function looks at, which know nothing of how the contact answers (it makes a contact
 * that closes frictionless for a step, and a sliding one whose velocity turned slides the other way, never past sticking). On
 * compressed piles of rods this halves the number of steps. eta > 0 keeps the local problem definite. */
#ifndef CST_FRICTION_PLANAR_STATE_H
#define CST_FRICTION_PLANAR_STATE_H

/* The law of the state guessed at (x, y), as f = 0 with f_r, f_u its derivatives (2 x 2, row-major); A: A_ii.
 *
 *     open f = -x;   stick f = -y;   slide f = (-y_N, +-mu x_N - x_T) */
void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u);

#endif
