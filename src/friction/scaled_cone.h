/* The self-dual cone K_1 = {|x_T| <= x_N} of dimension 1 (the half-line), 2 or 3, with its Jordan product, Nesterov-Todd
 * scaling, and step lengths.
 *
 * The Nesterov-Todd scaling of two points z and s inside the cone is the symmetric matrix W with W z = W^-1 s = lambda (Nesterov
 * and Todd 1997). The formulas of the Nesterov-Todd scaling for second-order cones are those of Andersen, Roos and Terlaky
 * 2003. */
#ifndef CST_FRICTION_SCALED_CONE_H
#define CST_FRICTION_SCALED_CONE_H

/* out = x o y. */
void cst_jordan_product(int count, const double *x, const double *y, double *out);

/* Solves the equation x o out = c, with the Jordan product o, for `out`; x must be inside the cone. */
void cst_jordan_solve(int count, const double *x, const double *c, double *out);

/* Computes the Nesterov-Todd scaling W of the points z and s, its inverse, and lambda = W z; the rows of the matrices have
 * `stride` values. */
void cst_scaling(int count, const double *z, const double *s, int stride, double *W, double *inverse, double *lambda);

/* (I + W^2)^-1. */
void cst_scaling_share(int count, int stride, const double *W, double *share);

/* Returns the largest step for which x + step d is in the second-order cone K_1, or HUGE_VAL if the step is unbounded. */
double cst_cone_room(int count, const double *x, const double *d);

/* Computes the scaled velocity hat = (y_N + mu |y_T|, mu y_T) of a contact with the velocity y and the friction coefficient mu.
 * The function also computes `bend` (dim x dim), the derivative of the scaled velocity of a contact by its velocity y. Without
 * friction (mu = 0), the scaled velocity `hat` is the velocity y, and its derivative is the identity. The kink of the tangential
 * speed |y_T| at zero is smoothed: |y_T| is replaced by sqrt(|y_T|^2 + blunt^2) - blunt. */
void cst_hat_velocity(int dim, double mu, double blunt, const double *y, double *hat, double *bend);

#endif
