#include "base/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void cst_rng_seed(cst_rng *rng, uint64_t seed, uint64_t stream)
{
    /* the stream number is hashed before it is combined with the seed, so that (seed + 1, stream) and (seed, stream + 1) are
     * unrelated */
    uint64_t mixed = stream;
    uint64_t state = seed ^ splitmix64(&mixed);
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix64(&state);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t cst_rng_bits(cst_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t bits = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return bits;
}

double cst_rng_uniform(cst_rng *rng)
{
    return (double)(cst_rng_bits(rng) >> 11) * 0x1p-53;
}

double cst_rng_range(cst_rng *rng, double low, double high)
{
    return low + (high - low) * cst_rng_uniform(rng);
}

static const double LN2 = 0.69314718055994530942;

/* Returns the natural logarithm of x > 0. Writes x as m 2^e with m from 1/sqrt 2 to sqrt 2, and computes ln m by
 * a power series in z = (m - 1)/(m + 1), |z| <= 0.172:
 *     `ln m = 2 atanh z`.
 *     `atanh z = z+z^3/3+...`. */
static double logarithm(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752440) {
        m *= 2;
        e--;
    }
    double z = (m - 1) / (m + 1), z2 = z * z, sum = 0;
    for (int k = 23; k >= 1; k -= 2)
        sum = sum * z2 + 1.0 / k;
    return 2 * z * sum + e * LN2;
}

/* Returns exp x for moderate |x|, as 2^k exp f with an integer k and |f| <= ln 2 / 2; the Taylor series gives exp f. */
static double exponential(double x)
{
    int k = (int)floor(x / LN2 + 0.5);
    double f = x - k * LN2, sum = 1;
    for (int i = 16; i >= 1; i--)
        sum = 1 + f * sum / i;
    return ldexp(sum, k);
}

double cst_rng_log_range(cst_rng *rng, double low, double high)
{
    return low * exponential(cst_rng_uniform(rng) * logarithm(high / low));
}

double cst_rng_exponential(cst_rng *rng)
{
    return -logarithm(1 - cst_rng_uniform(rng));
}

/* Marsaglia's polar method for normal random numbers; the second number of each pair is discarded, so that the generator need
 * not store it. */
double cst_rng_normal(cst_rng *rng)
{
    double x, s;
    do {
        x = cst_rng_range(rng, -1, 1);
        double y = cst_rng_range(rng, -1, 1);
        s = x * x + y * y;
    } while (s >= 1 || s == 0);
    return x * sqrt(-2 * logarithm(s) / s);
}

int cst_rng_integer(cst_rng *rng, int count)
{
    uint64_t n = (uint64_t)count;
    uint64_t biased = (UINT64_MAX % n + 1) % n; /* 2^64 mod n values are rejected */
    uint64_t bits;
    do
        bits = cst_rng_bits(rng);
    while (bits > UINT64_MAX - biased);
    return (int)(bits % n);
}

void cst_rng_direction(cst_rng *rng, int dim, double *unit)
{
    double s;
    do {
        s = 0;
        for (int k = 0; k < dim; k++) {
            unit[k] = cst_rng_range(rng, -1, 1);
            s += unit[k] * unit[k];
        }
    } while (s > 1 || s < 1e-4);
    s = 1 / sqrt(s);
    for (int k = 0; k < dim; k++)
        unit[k] *= s;
}
