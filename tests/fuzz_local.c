/* Fuzz target: one contact from raw bits, NaN and infinities included. Every solver returns a status and a
 * finite impulse; an answer of the direct solver is in the cone; and it solves every W that is clearly positive definite. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capstan/friction.h"
#include "friction/local.h"

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

static uint8_t take_byte(input *in)
{
    if (in->left == 0)
        return 0;
    --in->left;
    return *in->at++;
}

/* Eight raw bytes, or a small number from one: most bit patterns are of absurd magnitude. */
static double take_double(input *in)
{
    uint8_t kind = take_byte(in);
    if (kind < 192)
        return (kind - 96) / 16.0;
    double x = 0.0;
    if (in->left >= sizeof x) {
        memcpy(&x, in->at, sizeof x);
        in->at += sizeof x;
        in->left -= sizeof x;
    }
    return x;
}

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Symmetric, ordinary in size, and Cholesky's pivots not small. */
static bool clearly_definite(int dim, const double *W)
{
    double L[9] = {0}, trace = 0.0;
    for (int i = 0; i < dim; ++i)
        trace += W[i * dim + i];
    if (!(trace > 1e-100 && trace < 1e100))
        return false;
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = W[i * dim + j];
            if (W[i * dim + j] != W[j * dim + i])
                return false;
            for (int k = 0; k < j; ++k)
                sum -= L[i * dim + k] * L[j * dim + k];
            if (i == j && !(sum > 1e-4 * trace))
                return false;
            L[i * dim + j] = i == j ? sqrt(sum) : sum / L[j * dim + j];
        }
    }
    return true;
}

static bool ordinary(int count, const double *x)
{
    for (int k = 0; k < count; ++k) {
        if (!(x[k] == 0.0 || (fabs(x[k]) > 1e-100 && fabs(x[k]) < 1e100)))
            return false;
    }
    return true;
}

/* The residual of an answer is relative to trace(W): it says little about a W with a trace far below its entries, which no
 * positive semi-definite matrix has. */
static bool has_a_scale(int dim, const double *W)
{
    double trace = 0.0, largest = 0.0;
    for (int i = 0; i < dim; ++i)
        trace += W[i * dim + i];
    for (int k = 0; k < dim * dim; ++k)
        largest = fmax(largest, fabs(W[k]));
    return largest <= 10.0 * trace;
}

static void check_answer(int dim, const double *W, const double *b, double mu, const double *r)
{
    double trace = 0.0, largest = 0.0;
    for (int k = 0; k < dim; ++k) {
        trace += W[k * dim + k];
        largest = fmax(largest, fabs(b[k]));
    }
    double rounding = trace > 0.0 ? 1e-13 * largest / trace : 0.0; /* of an impulse */
    double normal = 0.25 * r[0], tangential = 0.25 * fabs(r[1]);   /* no overflow */
    if (dim == 3)
        tangential = hypot(tangential, 0.25 * r[2]);
    require(isfinite(r[0]) && isfinite(tangential) && normal >= -rounding);
    require(tangential <= mu * normal + (1.0 + mu) * (1e-5 * (fabs(normal) + tangential) + rounding));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {.at = data, .left = size};
    cst_local_solver solver = (cst_local_solver)(take_byte(&in) % CST_LOCAL_COUNT);
    int dim = 2 + take_byte(&in) % 2;
    bool symmetric = take_byte(&in) % 4 != 0;
    double W[9], b[3], warm[3], mu = take_double(&in), tolerance = fabs(take_double(&in));
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < dim; ++j)
            W[i * dim + j] = symmetric && j < i ? W[j * dim + i] : take_double(&in);
    }
    for (int k = 0; k < dim; ++k)
        b[k] = take_double(&in);
    for (int k = 0; k < dim; ++k)
        warm[k] = take_double(&in);

    double r[3];
    memcpy(r, warm, sizeof r);
    cst_local_result result = cst_local_solve(solver, dim, W, b, mu, tolerance, r);
    require(result.status >= CST_LOCAL_SOLVED && result.status <= CST_LOCAL_FAILED);
    require(result.status != CST_LOCAL_NO_SOLUTION || result.certificate);
    for (int k = 0; k < dim; ++k)
        require(isfinite(r[k]));
    require(result.status != CST_LOCAL_SOLVED || result.error < INFINITY);

    memcpy(r, warm, sizeof r);
    result = cst_local_solve(CST_LOCAL_DIRECT, dim, W, b, mu, tolerance, r);
    bool sane = clearly_definite(dim, W) && ordinary(dim, b) && ordinary(1, &mu) && mu >= 0.0 && mu <= 1e3;
    if (sane)
        require(result.status == CST_LOCAL_SOLVED);
    if (result.status == CST_LOCAL_SOLVED && has_a_scale(dim, W))
        check_answer(dim, W, b, mu, r);

    cst_local_status status;
    memcpy(r, warm, sizeof r);
    if (dim == 3) {
        cst_local_direct3 prepared;
        cst_local_direct3_prepare(W, mu, &prepared);
        prepared.alpha = warm[0];
        status = cst_local_direct3_solve(&prepared, b, r);
    } else {
        cst_local_direct2 prepared;
        cst_local_direct2_prepare(W, mu, &prepared);
        status = cst_local_direct2_solve(&prepared, b, r);
    }
    if (sane)
        require(status == CST_LOCAL_SOLVED);
    if (status == CST_LOCAL_SOLVED && mu >= 0.0 && has_a_scale(dim, W))
        check_answer(dim, W, b, mu, r);

    memcpy(r, warm, sizeof r);
    status = cst_local_bilateral(dim, W, b, r);
    require(status >= CST_LOCAL_SOLVED && status <= CST_LOCAL_FAILED);
    return 0;
}
