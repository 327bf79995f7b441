/* The Coulomb law of one contact as equations: the friction cone, the projection on it, and functions that are zero if the law
 * holds.
 *
 * A vector is x = (x_N, x_T) with the normal component first, dim is 2 or 3 and matrices are dim x dim, row-major. Inputs
 * should be dimensionless (r' = w r / V, u' = u / V): the scaling does not change the zeros of the functions, but it changes
 * their values. */
#ifndef CST_FRICTION_CONE_H
#define CST_FRICTION_CONE_H

/* Computes p = the point of K_mu = { |x_T| <= mu x_N } nearest to x. p may be x. */
void cst_cone_project(int dim, double mu, const double *x, double *p);

/* Computes De Saxce's change of variable, v = u + mu |u_T| e_N. With v = u + mu |u_T| e_N, the Coulomb law requires that the
 * impulse r is in the cone K_mu, v is in the dual cone K_1/mu, and r is orthogonal to v. */
void cst_de_saxce(int dim, double mu, const double *u, double *v);

/* Computes the natural map f = r - P_K(r - v(u)), where P_K projects on the friction cone and v(u) is De Saxce's change of
 * variable. */
void cst_natural_map(int dim, double mu, const double *r, const double *u, double *f);

/* Alart-Curnier function, rho = 1. */
void cst_alart_curnier(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the Alart-Curnier function and an element of its generalised Jacobian: df = f_r dr + f_u du. */
void cst_alart_curnier_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

/* Computes the modified Fischer-Burmeister function f of the vectors (mu r_N, r_T) and (v_N, mu v_T), with v = u + mu |u_T| e_N.
 * For mu = 0, f_N is the scalar Fischer-Burmeister function of (r_N, u_N), and f_T = r_T. */
void cst_fischer_burmeister(int dim, double mu, const double *r, const double *u, double *f);

/* Computes the modified Fischer-Burmeister function and an element of its generalised Jacobian, including the change of
 * variable: df = f_r dr + f_u du. */
void cst_fischer_burmeister_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

#endif
