/* Computes A x - f of one reduced body by multiplication with the given A, without a factor or a solve function.
 *
 * A bound for the defect A x - f of a computed solution x is known in advance. If A x = f with n dofs is solved by Cholesky
 * factorisation in floating point (unit roundoff u = 2^-53), then
 *
 *     |A x - f|_k <= (3 n + 1) u sqrt(A_kk) sum_j sqrt(A_jj) |x_j|   for every dof k.
 *
 * The bound follows from Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 10.4, because the Cholesky
 * factor L satisfies (|L| |L^T|)_kj <= sqrt(A_kk A_jj). The rounding error of entry k of the product A x itself is below n u
 * sqrt(A_kk) sum_j sqrt(A_jj) |x_j|, with u = 2^-53. This bound of the defect does not depend on the units of the dofs. A defect
 * A x - f above the bound is an error, not rounding. */
#ifndef CST_FRICTION_BODY_DEFECT_H
#define CST_FRICTION_BODY_DEFECT_H

#include "capstan/friction.h"

/* Returns true if A x - f can be computed: the body has a matrix, or a function that multiplies by A. */
bool cst_body_has_defect(const cst_body *body);

/* Computes defect = A x - f, and `terms`, by which the size of a defect is measured: terms_k = sqrt(A_kk) sum_j sqrt(A_jj)
 * |x_j| + |f_k|. For DENSE and BAND bodies f may be NULL, which means f = 0. A SOLVE body may change x as described at
 * cst_body.defect. Returns false if the callback failed. Call only if cst_body_has_defect returns true. */
bool cst_body_defect(const cst_body *body, double *x, const double *f, double *defect, double *terms);

/* Returns the largest ratio |defect_k| / terms_k over the dofs k of the body; a NaN defect counts as infinite. */
double cst_body_defect_share(const cst_body *body, const double *defect, const double *terms);

/* A defect counts as rounding if the ratio |defect_k| / terms_k is below a limit for every dof k. The function cst_body_rounding
 * returns the target of the ratio |defect_k| / terms_k, and cst_body_rounding_usable returns the largest accepted value of this
 * ratio. The functions cst_body_rounding and cst_body_rounding_usable return different values only for a SOLVE body, because the
 * caller's solve function has no proven bound. */
double cst_body_rounding(const cst_body *body);
double cst_body_rounding_usable(const cst_body *body);

/* Returns A_kk of a DENSE or BAND body. */
double cst_body_diagonal(const cst_body *body, int k);

#endif
