/* For one body that is not cloth, computes the defect A x - f of a solution x of the linear system A x = f, with the matrix A of
 * the body and a right-hand side f.
 *
 * Cholesky factorisation gives a solution x of A x = f with a bounded defect A x - f. For a body with n dofs and the matrix A,
 * entry k of the defect of the solution x is at most the following bound, where u = 2^-53 is the unit roundoff:
 *
 *     `(3n + 1) u sqrt(A_kk) sum_j sqrt(A_jj)|x_j|`.
 *
 * The bound of the defect follows from Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 10.4, because the
 * Cholesky factor L satisfies (|L| |L^T|)_kj <= sqrt(A_kk A_jj). The rounding error of the computed product A x is less than a
 * third of the bound of the defect. The bound is independent of units. */
#ifndef CST_FRICTION_BODY_DEFECT_H
#define CST_FRICTION_BODY_DEFECT_H

#include "capstan/friction.h"

/* Returns true if the body has a matrix, or a function that multiplies by its matrix. */
bool cst_body_has_defect(const cst_body *body);

/* Computes the defect A x - f of the equation A x = f of a body. The function also computes `terms`, the scale of each entry of
 * the defect: terms_k = sqrt(A_kk) sum_j sqrt(A_jj) |x_j| + |f_k|, with the matrix A, the solution x and the right-hand side f.
 * `f`, the right-hand side, may be NULL (zero), except for a body whose linear systems the caller solves. `x`: may be changed,
 * see cst_body.defect. Returns false if the callback failed. Call only if cst_body_has_defect returns true. */
bool cst_body_defect(const cst_body *body, double *x, const double *f, double *defect, double *terms);

/* Returns the relative defect of a solution, the largest ratio |defect[k]| / terms[k] over all dofs k, from the output of
 * cst_body_defect; a NaN counts as infinite. */
double cst_body_defect_share(const cst_body *body, const double *defect, const double *terms);

/* A defect counts as rounding error if its relative size (cst_body_defect_share) is below a limit. For the relative defect of a
 * computed solution of a body's linear system, the function cst_body_rounding returns the target value, and
 * cst_body_rounding_usable the largest accepted value. The target and the largest accepted value of the relative defect differ
 * only for a body whose linear systems the caller solves, because no bound is proven for the defect of the caller's solve
 * function. */
double cst_body_rounding(const cst_body *body);
double cst_body_rounding_usable(const cst_body *body);

/* Only for DENSE and BAND bodies. */
double cst_body_diagonal(const cst_body *body, int k);

#endif
