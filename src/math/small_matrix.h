/* Matrices of one contact: n x n with n = 1, 2 or 3, row-major. */
#ifndef CST_MATH_SMALL_MATRIX_H
#define CST_MATH_SMALL_MATRIX_H

/* Computes y = A x; y must differ from x. */
static inline void cst_small_apply(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        y[i] = A[i * n] * x[0];
        for (int j = 1; j < n; ++j)
            y[i] += A[i * n + j] * x[j];
    }
}

/* Computes y = A^T x; y must differ from x. */
static inline void cst_small_apply_transposed(int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; ++j) {
        y[j] = A[j] * x[0];
        for (int i = 1; i < n; ++i)
            y[j] += A[i * n + j] * x[i];
    }
}

static inline double cst_small_dot(int n, const double *x, const double *y)
{
    double sum = x[0] * y[0];
    for (int i = 1; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* Adds A B to C. The array C must not overlap A or B. */
static inline void cst_small_add_product(int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k)
                C[i * n + j] += A[i * n + k] * B[k * n + j];
        }
    }
}

/* Solves A x = b by Gaussian elimination with complete pivoting. Returns the rank of A: pivots of at most `threshold` times the
 * largest entry count as zero. If the rank is less than n, the undetermined unknowns are set to zero. `x` may be `b`. */
int cst_small_solve(int n, const double *A, const double *b, double threshold, double *x);

/* Computes A^-1 of a matrix of at most 3 x 3, column by column; the rows of `inverse` start `stride` entries apart. */
void cst_small_invert(int n, const double *A, int stride, double *inverse);

#endif
