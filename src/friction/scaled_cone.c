#include "friction/scaled_cone.h"

#include <math.h>

#include "math/small_matrix.h"

static double tangential_norm(int count, const double *x)
{
    double sum = 0.0;
    for (int k = 1; k < count; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

/* Returns x_N^2 - |x_T|^2 without cancellation. */
static double determinant(int count, const double *x)
{
    const double t = tangential_norm(count, x);
    return (x[0] - t) * (x[0] + t);
}

void cst_jordan_product(int count, const double *x, const double *y, double *out)
{
    double first = 0.0;
    for (int k = 0; k < count; k++)
        first += x[k] * y[k];
    for (int k = 1; k < count; k++)
        out[k] = x[0] * y[k] + y[0] * x[k];
    if (count > 0)
        out[0] = first;
}

void cst_jordan_solve(int count, const double *x, const double *c, double *out)
{
    double along = x[0] * c[0];
    for (int k = 1; k < count; k++)
        along -= x[k] * c[k];
    out[0] = along / determinant(count, x);
    for (int k = 1; k < count; k++)
        out[k] = (c[k] - out[0] * x[k]) / x[0];
}

/* Computes the matrix of the Nesterov-Todd scaling, eta [w_0, w_1^T; w_1, I + w_1 w_1^T / (1 + w_0)] from the number eta and the
 * vector w = (w_0, w_1). `sign`: factor of w_1. With 1 / eta instead of eta and -1 as `sign`, the function computes the inverse
 * of the Nesterov-Todd scaling. */
static void fill(int count, double eta, const double *w, double sign, int stride, double *out)
{
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) {
            double value = r == 0 ? w[c] : c == 0 ? w[r] : (r == c ? 1.0 : 0.0) + w[r] * w[c] / (1.0 + w[0]);
            if ((r == 0) != (c == 0))
                value *= sign;
            out[r * stride + c] = eta * value;
        }
}

void cst_scaling(int count, const double *z, const double *s, int stride, double *W, double *inverse, double *lambda)
{
    const double size_z = sqrt(determinant(count, z)), size_s = sqrt(determinant(count, s));
    double w[3] = {0}, dot = 0.0;
    for (int k = 0; k < count; k++)
        dot += z[k] / size_z * (s[k] / size_s);
    const double gamma = sqrt(0.5 * (1.0 + dot));
    for (int k = 0; k < count; k++)
        w[k] = (s[k] / size_s + (k == 0 ? z[k] : -z[k]) / size_z) / (2.0 * gamma);
    const double eta = sqrt(size_s / size_z);
    fill(count, eta, w, 1.0, stride, W);
    fill(count, 1.0 / eta, w, -1.0, stride, inverse);
    for (int r = 0; r < count; r++) {
        lambda[r] = 0.0;
        for (int c = 0; c < count; c++)
            lambda[r] += W[r * stride + c] * z[c];
    }
}

void cst_scaling_share(int count, int stride, const double *W, double *share)
{
    double sum[9] = {0};
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) {
            sum[r * count + c] = r == c ? 1.0 : 0.0;
            for (int k = 0; k < count; k++)
                sum[r * count + c] += W[r * stride + k] * W[k * stride + c];
        }
    cst_small_invert(count, sum, stride, share);
}

double cst_cone_room(int count, const double *x, const double *d)
{
    if (count == 1)
        return d[0] < 0.0 ? -x[0] / d[0] : HUGE_VAL;
    /* the step to the boundary of the cone is the smallest positive root of a quadratic equation, computed without
     * cancellation */
    double a = d[0] * d[0], b = x[0] * d[0];
    for (int k = 1; k < count; k++) {
        a -= d[k] * d[k];
        b -= x[k] * d[k];
    }
    const double c = determinant(count, x), discriminant = b * b - a * c;
    if (a >= 0.0 && (b >= 0.0 || discriminant < 0.0))
        return HUGE_VAL;
    const double root = sqrt(fmax(0.0, discriminant));
    return b < 0.0 ? c / (root - b) : -(b + root) / a; /* a < 0 in this case */
}

void cst_hat_velocity(int dim, double mu, double blunt, const double *y, double *hat, double *bend)
{
    double sum = blunt * blunt;
    for (int k = 1; k < dim; k++)
        sum += y[k] * y[k];
    const double t = sqrt(sum);
    for (int r = 0; r < dim; r++)
        for (int c = 0; c < dim; c++)
            bend[r * dim + c] = r != c ? 0.0 : r == 0 || mu == 0.0 ? 1.0 : mu;
    hat[0] = y[0] + mu * (t - blunt);
    for (int k = 1; k < dim; k++) {
        hat[k] = mu > 0.0 ? mu * y[k] : y[k];
        bend[k] = t > 0.0 ? mu * y[k] / t : 0.0;
    }
}
