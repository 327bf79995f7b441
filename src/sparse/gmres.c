#include "sparse/gmres.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "sparse/dense_tile.h"

bool cst_gmres_begin(cst_arena *arena, cst_gmres *gmres)
{
    const size_t size = (size_t)gmres->size, most = (size_t)gmres->most;
    gmres->basis = CST_TAKE_RAW(arena, double, (most + 1) * size);
    gmres->hessenberg = CST_TAKE_RAW(arena, double, most *(most + 1));
    gmres->turn = CST_TAKE_RAW(arena, double, 2 * most);
    gmres->rhs = CST_TAKE_RAW(arena, double, most + 1);
    gmres->work = CST_TAKE_RAW(arena, double, size);
    return !arena->failed;
}

/* Modified Gram-Schmidt: subtracts from the vector `next` its components along the first `count` basis vectors. Writes the
 * components of `next` along the basis vectors to `h`, and the norm of the remaining vector `next` to h[count]. */
CST_MULTIVERSION
static void orthogonalise(const double *basis, int size, int count, double *next, double *h)
{
    for (int j = 0; j < count; j++) {
        const double *q = basis + (size_t)j * (size_t)size;
        h[j] = cst_tile_dot(q, next, size);
        cst_tile_subtract_scaled(next, q, h[j], size);
    }
    h[count] = sqrt(cst_tile_dot(next, next, size));
}

/* Applies the earlier Givens rotations to the new column h of the Hessenberg matrix. A new Givens rotation makes h[k + 1]
 * zero; it is also applied to the right-hand side of the least-squares problem. */
static void rotate(cst_gmres *gmres, int k, double *h)
{
    double *turn = gmres->turn, *rhs = gmres->rhs;
    for (int j = 0; j < k; j++) {
        const double c = turn[2 * j], s = turn[2 * j + 1], upper = h[j];
        h[j] = c * upper + s * h[j + 1];
        h[j + 1] = c * h[j + 1] - s * upper;
    }
    const double length = hypot(h[k], h[k + 1]);
    turn[2 * k] = length > 0.0 ? h[k] / length : 1.0;
    turn[2 * k + 1] = length > 0.0 ? h[k + 1] / length : 0.0;
    h[k] = length;
    rhs[k + 1] = -turn[2 * k + 1] * rhs[k];
    rhs[k] *= turn[2 * k];
}

/* Solves the triangular system H y = rhs with `count` unknowns, and computes x = P^-1 Q y, with the preconditioner P and the
 * basis vectors Q. Returns false, with x unchanged, if the result is not finite: K may be singular, or the functions `apply` or
 * `precondition` may have returned numbers that are not finite. */
static bool combine(const cst_gmres *gmres, int count, double *out)
{
    const size_t column = (size_t)gmres->most + 1;
    double *y = gmres->rhs, *x = gmres->work;
    memset(x, 0, sizeof(double) * (size_t)gmres->size);
    for (int i = count - 1; i >= 0; i--) {
        for (int j = i + 1; j < count; j++)
            y[i] -= gmres->hessenberg[(size_t)j * column + (size_t)i] * y[j];
        y[i] /= gmres->hessenberg[(size_t)i * column + (size_t)i];
        const double *q = gmres->basis + (size_t)i * (size_t)gmres->size;
        for (int k = 0; k < gmres->size; k++)
            x[k] += y[i] * q[k];
    }
    gmres->precondition(gmres->user, x);
    if (!isfinite(cst_tile_dot(x, x, gmres->size)))
        return false;
    memcpy(out, x, sizeof(double) * (size_t)gmres->size);
    return true;
}

enum { RECENT = 5 };

/* Returns true if the residual falls too slowly: at the mean rate of the last RECENT iterations, it would still exceed the
 * tolerance after HOPE times the largest allowed number of iterations. HOPE is larger than 1, because the residual of GMRES
 * usually falls faster in later iterations. `past` (RECENT + 1): ring buffer; its entry k % (RECENT + 1) is log(r / |b|), with
 * the norm r of the residual after k iterations and the right-hand side b. */
static bool is_hopeless(const double *past, double tolerance, int iterations, int most)
{
    static const double HOPE = 1.5;
    if (iterations < RECENT)
        return false;
    const double now = past[iterations % (RECENT + 1)], rate = (now - past[(iterations - RECENT) % (RECENT + 1)]) / RECENT;
    return now + rate * (HOPE * most - iterations) > log(tolerance);
}

int cst_gmres_solve(cst_gmres *gmres, double tolerance, double *x)
{
    const int size = gmres->size;
    const double length = sqrt(cst_tile_dot(x, x, size));
    double past[RECENT + 1] = {0.0};
    if (!(length > 0.0) || !isfinite(length))
        return length == 0.0 ? 0 : -1;
    for (int k = 0; k < size; k++)
        gmres->basis[k] = x[k] / length;
    gmres->rhs[0] = length;
    for (int k = 0; k < gmres->most; k++) {
        double *next = gmres->basis + (size_t)(k + 1) * (size_t)size,
               *h = gmres->hessenberg + (size_t)k * ((size_t)gmres->most + 1);
        memcpy(gmres->work, gmres->basis + (size_t)k * (size_t)size, sizeof(double) * (size_t)size);
        gmres->precondition(gmres->user, gmres->work);
        gmres->apply(gmres->user, gmres->work, next);
        orthogonalise(gmres->basis, size, k + 1, next, h);
        const double rest = h[k + 1];
        rotate(gmres, k, h);
        if (!(fabs(gmres->rhs[k + 1]) > tolerance * length) || !(rest > 0.0))
            return combine(gmres, k + 1, x) ? k + 1 : -1;
        past[(k + 1) % (RECENT + 1)] = log(fabs(gmres->rhs[k + 1]) / length);
        if (is_hopeless(past, tolerance, k + 1, gmres->most))
            return -1;
        for (int c = 0; c < size; c++)
            next[c] /= rest;
    }
    return -1;
}
