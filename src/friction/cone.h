/* The Coulomb law of one contact as equations: the friction cone, the projection on it, and functions that are zero if the law
 * holds.
 *
 * All functions of this header work on one contact with the friction coefficient mu, the impulse r and the velocity u. Vectors
 * have the normal component (N) first, then the tangential part (T); matrices are dim x dim, row-major. Callers should make
 * impulses and velocities dimensionless: a scaling of impulses and velocities changes the values of the functions of this header,
 * but not where the functions are zero. */
#ifndef CST_FRICTION_CONE_H
#define CST_FRICTION_CONE_H

/* Computes the point p of the friction cone nearest to x. `p` may be `x`. */
void cst_cone_project(int dim, double mu, const double *x, double *p);

/* Computes De Saxce's change of variable: v is the velocity u with mu times its tangential speed |u_T| added to its normal
 * component. The Coulomb law holds if the impulse r is in the friction cone, the vector v is in the dual cone, and r is
 * orthogonal to v. */
void cst_de_saxce(int dim, double mu, const double *u, double *v);

/* Computes the natural map f, the difference between the impulse r and the projection of r - v on the friction cone, where v is
 * De Saxce's change of variable of the velocity u. */
void cst_natural_map(int dim, double mu, const double *r, const double *u, double *f);

/* Alart-Curnier function, rho = 1. */
void cst_alart_curnier(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Alart-Curnier function f and an element of its generalised Jacobian: f_r is the derivative by the impulse r, f_u
 * by the velocity u. */
void cst_alart_curnier_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

/* Computes the Fischer-Burmeister function f of the vectors (mu r_N, r_T) and (v_N, mu v_T), where r is the impulse and v is De
 * Saxce's change of variable of the velocity u. Without friction, the normal part of the output f is the scalar
 * Fischer-Burmeister function of the normal impulse and the normal velocity, and the tangential part is the tangential
 * impulse. */
void cst_fischer_burmeister(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Fischer-Burmeister function f of cst_fischer_burmeister and an element of its generalised Jacobian: f_r is the
 * derivative by the impulse r, f_u by the velocity u. */
void cst_fischer_burmeister_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

#endif
