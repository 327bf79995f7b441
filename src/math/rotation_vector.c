#include "math/rotation_vector.h"

void cst_rotation_vector_functions(double z, double *S, double *A, double *B)
{
    if (z < 1.0) { /* power series of the coefficients S, A and B (rotation_vector.h) with nine terms; the tenth term is below
                    * 1e-17 of the first */
        double s = 1.0, a = 1.0, b = 1.0;
        for (int k = 8; k >= 1; --k) {
            s = 1.0 - z / ((2.0 * k) * (2.0 * k + 1.0)) * s;
            a = 1.0 - z / ((2.0 * k + 1.0) * (2.0 * k + 2.0)) * a;
            b = 1.0 - z / ((2.0 * k + 2.0) * (2.0 * k + 3.0)) * b;
        }
        *S = s;
        *A = 0.5 * a;
        *B = b / 6.0;
        return;
    }
    const double angle = sqrt(z), half = sin(0.5 * angle);
    *S = sin(angle) / angle;
    *A = 2.0 * half * half / z;
    *B = (1.0 - *S) / z;
}

void cst_rotation_vector_exp(const double *x, double *R)
{
    double S, A, B;
    const double z = cst_dot3(x, x);
    cst_rotation_vector_functions(z, &S, &A, &B);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            R[3 * i + j] = A * x[i] * x[j];
        R[4 * i] += 1.0 - A * z;
    }
    R[1] -= S * x[2];
    R[3] += S * x[2];
    R[2] += S * x[1];
    R[6] -= S * x[1];
    R[5] -= S * x[0];
    R[7] += S * x[0];
}

void cst_rotation_vector_mean(const double *x, const double *y, double *out)
{
    double S, A, B, once[3], twice[3];
    cst_rotation_vector_functions(cst_dot3(x, x), &S, &A, &B);
    cst_cross3(x, y, once);
    cst_cross3(x, once, twice);
    for (int k = 0; k < 3; ++k)
        out[k] = y[k] + A * once[k] + B * twice[k];
}
