#include "friction/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "friction/cone.h"

/* PARALLEL_MIN: with fewer than PARALLEL_MIN contacts, a second thread saves no time */
enum { PARALLEL_MIN = 512 };

void cst_system_contact_velocity(const cst_system *system, int contact, const double *x, double *y)
{
    const int dim = system->dim;
    const double *x_i = x + (size_t)contact * (size_t)dim;
    const double *a = system->diagonal + (size_t)contact * (size_t)(dim * dim);
    system->coupling->off_diagonal(system, contact, x, y);
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < dim; k++)
            y[row] += a[row * dim + k] * x_i[k];
}

void cst_system_multiply(cst_system *system, const double *x, double *y)
{
    const int n = system->contacts;
    if (system->coupling->begin)
        system->coupling->begin(system, x);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        cst_system_contact_velocity(system, i, x, y + (size_t)i * (size_t)system->dim);
}

static double raw_error(const cst_system *system, int i, const double *x_i, const double *y_i, bool fischer_burmeister)
{
    double f[3];
    if (system->law[i] == CST_LAW_BILATERAL)
        memcpy(f, y_i, sizeof(double) * (size_t)system->dim);
    else if (fischer_burmeister)
        cst_fischer_burmeister(system->dim, system->mu[i], x_i, y_i, f);
    else
        cst_alart_curnier(system->dim, system->mu[i], x_i, y_i, f);
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < system->dim; k++) {
        sum += f[k] * f[k];
        size += x_i[k] * x_i[k];
    }
    /* In scaled variables, a contact has a compliance of about 1, so its impulse x_i causes a velocity of about |x_i|, with a
     * rounding error of about DBL_EPSILON |x_i|. Therefore the unweighted error of contact i is set to at least DBL_EPSILON
     * |x_i|, with its scaled impulse x_i. */
    return system->weight[i] * fmax(sqrt(sum), DBL_EPSILON * sqrt(size));
}

double cst_system_contact_error(const cst_system *system, int contact, const double *x, const double *y, bool fischer_burmeister)
{
    const double error = raw_error(system, contact, x, y, fischer_burmeister);
    return isnan(error) ? HUGE_VAL : error; /* a NaN counts as largest */
}

double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister)
{
    const int n = system->contacts;
    double worst = 0.0;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN) reduction(max : worst)
    for (int i = 0; i < n; i++) {
        const size_t at = (size_t)i * (size_t)system->dim;
        const double error = cst_system_contact_error(system, i, x + at, y + at, fischer_burmeister);
        worst = error > worst ? error : worst;
    }
    return worst;
}

bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out)
{
    const size_t n = (size_t)contacts, size = n * (size_t)dim;
    out->dim = dim;
    out->contacts = contacts;
    out->weight = CST_TAKE_RAW(arena, double, n);
    out->b = CST_TAKE_RAW(arena, double, size);
    out->mu = CST_TAKE_RAW(arena, double, n);
    out->law = CST_TAKE_RAW(arena, uint8_t, n);
    out->diagonal = CST_TAKE_RAW(arena, double, size *(size_t)dim);
    return !arena->failed;
}

bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out)
{
    const size_t dim = (size_t)system->dim;
    *out = *system;
    cst_system_take(arena, system->dim, count, out);
    out->colour_start = CST_TAKE(arena, int32_t, (size_t)system->colours + 1);
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (count >= PARALLEL_MIN)
    for (int k = 0; k < count; k++) {
        const size_t i = (size_t)chosen[k], at = (size_t)k;
        out->weight[at] = system->weight[i];
        out->mu[at] = system->mu[i];
        out->law[at] = system->law[i];
        memcpy(out->b + at * dim, system->b + i * dim, dim * sizeof(double));
        memcpy(out->diagonal + at * dim * dim, system->diagonal + i * dim * dim, dim * dim * sizeof(double));
    }
    for (int colour = 0, k = 0; colour < system->colours; colour++) {
        while (k < count && chosen[k] < system->colour_start[colour + 1])
            k++;
        out->colour_start[colour + 1] = k;
    }
    return system->coupling->restrict_to(system, chosen, count, arena, out);
}

void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part)
{
    const size_t dim = (size_t)system->dim;
    for (int k = 0; k < count; k++)
        memcpy(part + (size_t)k * dim, x + (size_t)chosen[k] * dim, dim * sizeof(double));
}

double *cst_system_restrict_with(const cst_system *system, const int32_t *chosen, int count, const double *x, cst_arena *arena,
                                 cst_system *out)
{
    double *part = CST_TAKE_RAW(arena, double, (size_t)count *(size_t)system->dim);
    if (!part || !cst_system_restrict(system, chosen, count, arena, out))
        return NULL;
    cst_system_gather(system, chosen, count, x, part);
    return part;
}

double *cst_system_hold_others(const cst_system *system, const int32_t *chosen, int count, const double *x, const double *y,
                               cst_arena *arena, cst_system *out)
{
    const size_t size = (size_t)count * (size_t)system->dim;
    double *whole = CST_TAKE_RAW(arena, double, size), *own = CST_TAKE_RAW(arena, double, size);
    double *part = cst_system_restrict_with(system, chosen, count, x, arena, out);
    if (!part)
        return NULL;
    cst_system_gather(system, chosen, count, y, whole);
    cst_system_multiply(out, part, own);
    for (size_t k = 0; k < size; k++)
        out->b[k] += whole[k] - own[k];
    return part;
}

void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x)
{
    const size_t dim = (size_t)system->dim;
    for (int k = 0; k < count; k++)
        memcpy(x + (size_t)chosen[k] * dim, part + (size_t)k * dim, dim * sizeof(double));
}

void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x)
{
    memset(x, 0, (size_t)system->contacts * (size_t)system->dim * sizeof *x);
    cst_system_scatter(system, chosen, count, part, x);
}

void cst_system_scale(const cst_system *system, const int32_t *order, double V, const double *r, double *x)
{
    const int dim = system->dim;
    for (int k = 0; k < system->contacts; k++)
        for (int c = 0; c < dim; c++)
            x[k * dim + c] = r[order[k] * dim + c] * (system->weight[k] * V);
}

void cst_system_unscale(const cst_system *system, const int32_t *order, double V, const double *x, double *r)
{
    const int dim = system->dim;
    for (int k = 0; k < system->contacts; k++)
        for (int c = 0; c < dim; c++)
            r[order[k] * dim + c] = x[k * dim + c] / (system->weight[k] * V);
}

/* Dot product of one chunk of two vectors, as the sum of eight partial sums. The bits of this dot product do not depend on the
 * vector width of the processor. */
static double dot_chunk(const double *a, const double *b, long size)
{
    enum { LANES = 8 };
    double lane[LANES] = {0};
    long k = 0;
    for (; k + LANES <= size; k += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += a[k + l] * b[k + l];
    for (; k < size; k++)
        lane[0] += a[k] * b[k];
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

double cst_system_dot(const cst_system *system, const double *a, const double *b)
{
    enum { CHUNK = 2048, SHARES = 64 };
    const long size = (long)system->contacts * system->dim;
    const long chunks = (size + CHUNK - 1) / CHUNK;
    double sum = 0.0;
    if (chunks <= 1)
        return dot_chunk(a, b, size);
    /* share[s] is the sum of the dot products of the chunks s, s + SHARES, s + 2 SHARES, ... */
    double share[SHARES] = {0};
#pragma omp parallel for schedule(static) num_threads(system->threads)
    for (int s = 0; s < SHARES; s++)
        for (long c = s; c < chunks; c += SHARES)
            share[s] += dot_chunk(a + c * CHUNK, b + c * CHUNK, size - c * CHUNK < CHUNK ? size - c * CHUNK : CHUNK);
    for (int s = 0; s < SHARES; s++)
        sum += share[s];
    return sum;
}
