/* Eigenvalues of small symmetric matrices (such as the stiffness matrix of a triangle) by cyclic Jacobi rotations. Also projects
 * a symmetric matrix to the nearest matrix without negative eigenvalues (in the Frobenius norm). The Jacobi method is that of
 * Golub and Van Loan, Matrix Computations, 4th ed., 8.5; the projection is that of Higham, Linear Algebra Appl. 103, 1988. */
#ifndef CST_MATH_SYMMETRIC_EIGEN_H
#define CST_MATH_SYMMETRIC_EIGEN_H

enum { CST_EIGEN_MOST = 12 };

/* Computes all eigenvalues and eigenvectors of `a` (n x n, n <= CST_EIGEN_MOST), which is overwritten. `value` (n): the
 * eigenvalues. `vector` (n x n): the eigenvectors as columns. */
void cst_symmetric_eigen(int n, double *a, double *value, double *vector);

/* Replaces `a` (n x n) by the nearest matrix without negative eigenvalues. Returns the number of negative eigenvalues. */
int cst_symmetric_project(int n, double *a);

#endif
