#include "math/symmetric_eigen.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Makes a[p][q] zero by one rotation. */
static void rotate(int n, double *a, double *vector, int p, int q)
{
    const double off = a[p * n + q], half = 0.5 * (a[q * n + q] - a[p * n + p]);
    const double t = off / (half + copysign(sqrt(half * half + off * off), half)), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < n; ++k) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; ++k) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for (int k = 0; k < n; ++k) {
        const double x = vector[k * n + p], y = vector[k * n + q];
        vector[k * n + p] = c * x - s * y;
        vector[k * n + q] = s * x + c * y;
    }
}

void cst_symmetric_eigen(int n, double *a, double *value, double *vector)
{
    enum { SWEEPS = 30 }; /* usually 4 to 7 are needed */
    assert(n <= CST_EIGEN_MOST);
    double whole = 0.0;
    memset(vector, 0, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < n; ++i) {
        vector[i * (n + 1)] = 1.0;
        for (int j = 0; j < n; ++j)
            whole += a[i * n + j] * a[i * n + j];
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        double off = 0.0;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q)
                off += a[p * n + q] * a[p * n + q];
        if (!(off > 1e-30 * whole))
            break;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q)
                if (a[p * n + q] != 0.0)
                    rotate(n, a, vector, p, q);
    }
    for (int i = 0; i < n; ++i)
        value[i] = a[i * (n + 1)];
}

int cst_symmetric_project(int n, double *a)
{
    double copy[CST_EIGEN_MOST * CST_EIGEN_MOST], vector[CST_EIGEN_MOST * CST_EIGEN_MOST], value[CST_EIGEN_MOST];
    int negative = 0;
    memcpy(copy, a, sizeof(double) * (size_t)(n * n));
    cst_symmetric_eigen(n, copy, value, vector);
    for (int k = 0; k < n; ++k) {
        if (!(value[k] < 0.0))
            continue;
        ++negative;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                a[i * n + j] -= value[k] * vector[i * n + k] * vector[j * n + k];
    }
    return negative;
}
