/* The Coulomb law of one contact as equations: the cone, its projection and the functions whose zeros are the law.
 *
 * A vector is x = (x_N, x_T) with the normal component first, dim is 2 or 3 and matrices are dim x dim, row-major. Inputs are
 * expected dimensionless (r' = w r / V, u' = u / V): the zeros do not depend on that, the values do. */
#ifndef CST_FRICTION_CONE_H
#define CST_FRICTION_CONE_H

/* p = the nearest point of K_mu = { |x_T| <= mu x_N }. p may be x. */
void cst_cone_project(int dim, double mu, const double *x, double *p);

/* De Saxce's change of variable, v = u + mu |u_T| e_N: the law is K_mu contains r, orthogonal to v, contained in K_1/mu. */
void cst_de_saxce(int dim, double mu, const double *u, double *v);

/* f = r - P_K(r - v(u)). */
void cst_natural_map(int dim, double mu, const double *r, const double *u, double *f);

/* Alart-Curnier function, rho = 1. */
void cst_alart_curnier(int dim, double mu, const double *r, const double *u, double *f);

/* The same with an element of its generalised Jacobian: df = f_r dr + f_u du. */
void cst_alart_curnier_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

/* Modified Fischer-Burmeister function, of the hatted variables (mu r_N, r_T) and (v_N, mu v_T). For mu = 0 the scalar
 * function of (r_N, u_N), and f_T = r_T. */
void cst_fischer_burmeister(int dim, double mu, const double *r, const double *u, double *f);

/* The same with an element of its generalised Jacobian, the change of variable included: df = f_r dr + f_u du. */
void cst_fischer_burmeister_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u);

#endif
