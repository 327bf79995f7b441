/* Positive roots of a polynomial. */
#ifndef CST_MATH_POLYNOMIAL_H
#define CST_MATH_POLYNOMIAL_H

enum { CST_POLYNOMIAL_DEGREE_MAX = 8 };

/* Returns c[0] + c[1] x + ... + c[degree] x^degree. */
double cst_polynomial_at(int degree, const double *c, double x);

/* Finds the real roots x > 0, in increasing order, each once; returns their number, at most `degree`. A double root that rounding
 * has split, or moved off the real axis, may be found twice, once or never. The degree is at most CST_POLYNOMIAL_DEGREE_MAX. */
int cst_polynomial_positive_roots(int degree, const double *c, double *root);

#endif
