/* Defect A x - f of a solution x of the linear system A x = f of one body, which is not cloth. Symbols:
 *     `A`: matrix with n rows.
 *     `f`: right-hand side.
 *     `u = 2^-53`: unit roundoff.
 *     `L`: Cholesky factor of A.
 *
 * If the solution x is computed by Cholesky factorisation, entry k of the defect A x - f is at most:
 *
 *     `(3*n+1)*u*sqrt(A_kk)*sum_j sqrt(A_jj)*|x_j|`.
 *
 * The bound of the defect A x - f follows from Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 10.4, and
 * from the estimate (|L| |L^T|)_kj <= sqrt(A_kk A_jj). The rounding error of the product A x is less than a third of the bound of
 * the defect. */
#ifndef CST_FRICTION_BODY_DEFECT_H
#define CST_FRICTION_BODY_DEFECT_H

#include "capstan/friction.h"

/* Returns true if the body has a dense or banded matrix, or a function that multiplies by its matrix. */
bool cst_body_has_defect(const cst_body *body);

/* Computes the defect A x - f of a body, and the scale `terms` of each entry of the defect. For a body with a stored matrix A,
 * the scale of entry k of the defect is:
 *
 *     `terms_k = sqrt(A_kk)*(sum_j sqrt(A_jj)*|x_j|)+|f_k|`.
 *
 * For a body of the kind SOLVE, the callback cst_body.defect fills `defect` and `terms`, and is allowed to change `x`; the
 * right-hand side `f` must not be NULL. For a body with a stored matrix, f = NULL stands for a right-hand side of zero. Returns
 * false if the callback failed. The body must satisfy cst_body_has_defect. */
bool cst_body_defect(const cst_body *body, double *x, const double *f, double *defect, double *terms);

/* Returns the relative defect of a solution: the largest ratio |defect[k]| / terms[k] over all dofs k of the body. A NaN
 * counts as infinite. */
double cst_body_defect_share(const cst_body *body, const double *defect, const double *terms);

/* Limits of the relative defect of a solution (cst_body_defect_share): the target value, and the largest accepted value
 * ("usable"). The target and the largest accepted value of the relative defect differ only for a body of the kind SOLVE, because
 * no bound is proven for the caller's solve function. */
double cst_body_rounding(const cst_body *body);
double cst_body_rounding_usable(const cst_body *body);

/* Returns the diagonal entry (k, k) of the matrix of a body of the kind DENSE or BAND. */
double cst_body_diagonal(const cst_body *body, int k);

#endif
