/* Symmetric matrices of elements: the nearest one without negative eigenvalues (in the Frobenius norm), by Jacobi's cyclic rotations.
 * (Golub and Van Loan, Matrix Computations, 4th ed., 8.5; Higham, Linear Algebra Appl. 103, 1988, for the projection.) */
#ifndef CST_MATH_SYMMETRIC_EIGEN_H
#define CST_MATH_SYMMETRIC_EIGEN_H

enum { CST_EIGEN_MOST = 12 };

/* a (n x n), n <= CST_EIGEN_MOST: destroyed. value (n); vector (n x n): its columns. */
void cst_symmetric_eigen(int n, double *a, double *value, double *vector);

/* a (n x n) loses its negative part. Returns how many eigenvalues were negative. */
int cst_symmetric_project(int n, double *a);

#endif
