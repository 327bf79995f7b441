/* The self-dual cone K_1 = {|x_T| <= x_N} of dimension 1 (half-line), 2 or 3, with the Jordan product o (N: normal part, T:
 * tangential part).
 *
 * The Nesterov-Todd scaling of two points z and s inside the cone is the symmetric matrix W with W z = W^-1 s = lambda
 * (Nesterov and Todd 1997). The formulas for second-order cones are those of Andersen, Roos and Terlaky 2003. */
#ifndef CST_FRICTION_SCALED_CONE_H
#define CST_FRICTION_SCALED_CONE_H

/* out = x o y. */
void cst_jordan_product(int count, const double *x, const double *y, double *out);

/* Solves the equation x o out = c for `out`, with the Jordan product o and a point x inside the cone. */
void cst_jordan_solve(int count, const double *x, const double *c, double *out);

/* Computes the Nesterov-Todd scaling W of the points z and s, the inverse of W, and lambda = W z. `stride`: length of a matrix
 * row. */
void cst_scaling(int count, const double *z, const double *s, int stride, double *W, double *inverse, double *lambda);

/* (I + W^2)^-1. */
void cst_scaling_share(int count, int stride, const double *W, double *share);

/* Returns the largest step with which x + step d is in the cone K_1; HUGE_VAL: no limit. */
double cst_cone_room(int count, const double *x, const double *d);

/* Computes the scaled velocity hat = (y_N + mu |y_T|, mu y_T) from the contact velocity y and the friction coefficient mu.
 * `bend` (dim x dim): output, the derivative of the scaled velocity `hat` by the contact velocity y. The tangential speed |y_T|
 * has a kink at zero; in the scaled velocity, the smooth function sqrt(|y_T|^2 + blunt^2) - blunt replaces it. Exception: without
 * friction (mu = 0), the scaled velocity `hat` is the contact velocity y itself. */
void cst_hat_velocity(int dim, double mu, double blunt, const double *y, double *hat, double *bend);

#endif
