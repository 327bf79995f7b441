/* Gaussian elimination with complete pivoting also gives the rank. For a 2 x 2 or 3 x 3 matrix, the size of a pivot differs from
 * the corresponding singular value by at most a small factor, so small pivots show a rank deficiency. */
#include "math/small_matrix.h"

#include <math.h>

int cst_small_solve(int n, const double *A, const double *b, double threshold, double *x)
{
    double m[3][4];
    int column[3] = {0, 1, 2};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
            m[i][j] = A[i * n + j];
        m[i][3] = b[i];
    }

    int rank = 0;
    double largest = 0.0;
    for (; rank < n; ++rank) {
        int row = rank, col = rank;
        double pivot = -1.0;
        for (int i = rank; i < n; ++i) {
            for (int j = rank; j < n; ++j) {
                if (fabs(m[i][j]) > pivot) {
                    pivot = fabs(m[i][j]);
                    row = i;
                    col = j;
                }
            }
        }
        if (rank == 0)
            largest = pivot;
        if (!(pivot > threshold * largest))
            break;
        if (row != rank) {
            for (int j = 0; j < 4; ++j) {
                double kept = m[row][j];
                m[row][j] = m[rank][j];
                m[rank][j] = kept;
            }
        }
        if (col != rank) {
            for (int i = 0; i < n; ++i) {
                double kept = m[i][col];
                m[i][col] = m[i][rank];
                m[i][rank] = kept;
            }
            int kept = column[col];
            column[col] = column[rank];
            column[rank] = kept;
        }
        double inverse = 1.0 / m[rank][rank];
        for (int i = rank + 1; i < n; ++i) {
            double factor = m[i][rank] * inverse;
            for (int j = rank + 1; j < n; ++j)
                m[i][j] -= factor * m[rank][j];
            m[i][3] -= factor * m[rank][3];
        }
    }

    for (int i = rank; i < n; ++i)
        x[column[i]] = 0.0;
    for (int i = rank - 1; i >= 0; --i) {
        double sum = m[i][3];
        for (int j = i + 1; j < rank; ++j)
            sum -= m[i][j] * x[column[j]];
        x[column[i]] = sum / m[i][i];
    }
    return rank;
}

void cst_small_invert(int n, const double *A, int stride, double *inverse)
{
    double unit[3], column[3];
    for (int c = 0; c < n; c++) {
        for (int k = 0; k < n; k++)
            unit[k] = k == c ? 1.0 : 0.0;
        cst_small_solve(n, A, unit, 0.0, column);
        for (int k = 0; k < n; k++)
            inverse[k * stride + c] = column[k];
    }
}
