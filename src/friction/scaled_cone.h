/* The self-dual cone K_1 = {|x_T| <= x_N} of dimension 1 (the half-line), 2 or 3, with its Jordan product, Nesterov-Todd
 * scaling, and step lengths.
 *
 * The Nesterov-Todd scaling of two points z and s inside the cone is the symmetric matrix W with W z = W^-1 s = lambda (Nesterov
 * and Todd 1997; formulas of Andersen, Roos and Terlaky 2003 for second-order cones). */
#ifndef CST_FRICTION_SCALED_CONE_H
#define CST_FRICTION_SCALED_CONE_H

/* out = x o y. */
void cst_jordan_product(int count, const double *x, const double *y, double *out);

/* Solves the equation x o out = c, with the Jordan product o, for `out`; x must be inside the cone. */
void cst_jordan_solve(int count, const double *x, const double *c, double *out);

/* Computes the scaling W of the points z and s, its inverse, and lambda = W z; matrix rows have `stride` values. */
void cst_scaling(int count, const double *z, const double *s, int stride, double *W, double *inverse, double *lambda);

/* (I + W^2)^-1. */
void cst_scaling_share(int count, int stride, const double *W, double *share);

/* Returns the largest step with x + step d in the cone; HUGE_VAL if the step is unbounded. */
double cst_cone_room(int count, const double *x, const double *d);

/* Computes the vector hat = (y_N + mu |y_T|, mu y_T) of a contact velocity y, and the derivative `bend` (dim x dim) of this
 * vector with respect to y. For mu = 0 the vector is y, and its derivative is the identity. The kink of |y_T| at zero is
 * smoothed: |y_T| is replaced by sqrt(|y_T|^2 + blunt^2) - blunt. */
void cst_hat_velocity(int dim, double mu, double blunt, const double *y, double *hat, double *bend);

#endif
