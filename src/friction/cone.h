/* The Coulomb law of one contact: the friction cone, the projection on the cone, and functions that are zero if the law holds.
 *
 * The residual functions take the friction coefficient mu, the impulse r and the velocity u of one contact. Vectors have the
 * normal component (N) first, then the tangential part (T). Matrices are dim x dim, row-major. Impulses and velocities should be
 * dimensionless: scaling them changes the values of the functions, but not their zeros. */
#ifndef CST_FRICTION_CONE_H
#define CST_FRICTION_CONE_H

/* Computes the point p of the friction cone nearest to x; `p` is allowed to be `x`. */
void cst_cone_project(int dim, double mu, const double *x, double *p);

/* Computes De Saxce's change of variable v: the velocity u, with mu times its tangential speed added to its normal component.
 * The Coulomb law holds if the impulse r is in the friction cone, the velocity v after De Saxce's change of variable is in the
 * dual cone, and r is orthogonal to v. */
void cst_de_saxce(int dim, double mu, const double *u, double *v);

/* Computes the natural map f: the impulse r minus the projection of r - v on the friction cone, with De Saxce's change of
 * variable v. */
void cst_natural_map(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Alart-Curnier function f with the step size rho = 1. */
void cst_alart_curnier(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Alart-Curnier function f and an element of its generalised Jacobian: the derivatives f_r by the impulse and f_u
 * by the velocity. */
void cst_alart_curnier_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

/* Computes the Fischer-Burmeister function f of the vectors (mu r_N, r_T) and (v_N, mu v_T), with De Saxce's change of
 * variable v. Without friction, the normal part of f is the scalar Fischer-Burmeister function of the normal impulse and the
 * normal velocity, and the tangential part of f is the tangential impulse. */
void cst_fischer_burmeister(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Fischer-Burmeister function f and an element of its generalised Jacobian: the derivatives f_r by the impulse and
 * f_u by the velocity. */
void cst_fischer_burmeister_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

#endif
