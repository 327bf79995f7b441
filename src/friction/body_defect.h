/* A x - f of one reduced body, by multiplication with A as it was given: no factor, no solve function is asked.
 *
 * How small a defect can be is known beforehand. If A is factored and A x = f solved by Cholesky's method in floating point,
 *
 *     |A x - f|_k <= (3 n + 1) u sqrt(A_kk) sum_j sqrt(A_jj) |x_j|,       u = 2^-53
 *
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 10.4, with (|L| |L^T|)_kj <= sqrt(A_kk A_jj)); the
 * product itself is rounded by less than n u of the same sum. The bound does not change if dofs change their units. What exceeds it
 * is not rounding. */
#ifndef CST_FRICTION_BODY_DEFECT_H
#define CST_FRICTION_BODY_DEFECT_H

#include "capstan/friction.h"

/* Can A x - f be known: is there a matrix, or a function that multiplies with it? */
bool cst_body_has_defect(const cst_body *body);

/* defect = A x - f (f NULL: 0; DENSE and BAND only) and the terms of the bound above plus |f|; a SOLVE body may change x as cst_body.defect says. False:
 * the callback failed. Asked only if cst_body_has_defect. */
bool cst_body_defect(const cst_body *body, double *x, const double *f, double *defect, double *terms);

/* Largest |defect| / terms; a defect that is not a number counts as infinite. */
double cst_body_defect_share(const cst_body *body, const double *defect, const double *terms);

/* What rounding may leave of the terms: aimed at, and still accepted where there is no proof (a SOLVE body's own way of
 * solving). */
double cst_body_rounding(const cst_body *body);
double cst_body_rounding_usable(const cst_body *body);

/* A_kk of a DENSE or BAND body. */
double cst_body_diagonal(const cst_body *body, int k);

#endif
