#include "collide/curve_valley.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/simd.h"

enum { LANES = 4, NEAREST_STEPS = 2, ROOT_STEPS = 3 };

/* WITHIN, BESIDE, OUTSIDE and CROSSWISE are shares of the length of a segment. WITHIN: minima are searched on each segment and on
 * this share of the neighbouring segments of the same curve. BESIDE: the slope is sampled on the part of the first curve that
 * lies beside the second segment; this part is known only approximately, so it is extended at both ends by this share. OUTSIDE: a
 * minimum that lies outside a segment by more than this share is left to the search of the next segment. CROSSWISE: if less than
 * this share of the first segment lies beside the second segment, and the second curve ends there, the whole first segment is
 * sampled. */
static const double WITHIN = 0.05, BESIDE = 0.05, OUTSIDE = 0.06, CROSSWISE = 0.2;

/* If the slope g has the same sign at two neighbouring samples and exceeds BENT times its largest second difference, it has no
 * zero between these samples. If the slope g were a parabola between the samples, BENT = 1/8 would be enough. */
static const double BENT = 0.25;

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t lane_bits __attribute__((vector_size(8 * LANES)));

/* Vectors are passed by address, because the calling convention for vectors passed by value depends on the processor. */
#define INLINE static inline __attribute__((always_inline))

INLINE void choose(const lane_bits *which, const lanes *yes, lanes *no_then_out)
{
    *no_then_out = (lanes)((*which & (lane_bits)*yes) | (~*which & (lane_bits)*no_then_out));
}

INLINE void keep_within(double low, double high, lanes *u)
{
    const lanes least = {low, low, low, low}, most = {high, high, high, high};
    const lane_bits below = *u<least, above = *u> most;
    choose(&below, &least, u);
    choose(&above, &most, u);
}

INLINE void dot(const lanes *a, const lanes *b, lanes *out)
{
    *out = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes the points x of curve i (0 or 1) at the positions u, and the first and second derivatives d and dd at u. */
INLINE void evaluate(const cst_quartics *quartic, int i, const lanes *u, lanes *x, lanes *d, lanes *dd)
{
    for (int k = 0; k < 3; ++k) {
        const double c1 = quartic->c[1][k][i], c4 = quartic->c[4][k][i];
        x[k] = quartic->c[0][k][i] + *u * (c1 + *u * (quartic->c[2][k][i] + *u * (quartic->c[3][k][i] + *u * c4)));
        d[k] = c1 + *u * (quartic->twice2[k][i] + *u * (quartic->thrice3[k][i] + *u * (4.0 * c4)));
        if (dd)
            dd[k] = quartic->twice2[k][i] + *u * (quartic->six3[k][i] + *u * (12.0 * c4));
    }
}

/* Computes the nearest points u of curve i to the points `to`, by projection on a straight line near the curve and Newton's
 * method. */
INLINE void nearest(const cst_quartics *quartic, int i, const double line[2][3], const lanes *to, double low, double high,
                    lanes *u)
{
    double along = 0.0;
    *u = (lanes){0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        const double e = line[1][k] - line[0][k];
        *u += (to[k] - line[0][k]) * e;
        along += e * e;
    }
    *u /= along > 0.0 ? along : 1.0;
    keep_within(low, high, u);
    for (int step = 0; step < NEAREST_STEPS; ++step) {
        lanes x[3], d[3], dd[3], r[3], speed, slope, bend;
        evaluate(quartic, i, u, x, d, dd);
        for (int k = 0; k < 3; ++k)
            r[k] = to[k] - x[k];
        dot(d, d, &speed);
        dot(r, d, &slope);
        dot(r, dd, &bend);
        const lanes least = 0.1 * speed;
        lanes h = speed - bend;
        const lane_bits flat = h <= least;
        choose(&flat, &least, &h);
        *u += slope / h;
        keep_within(low, high, u);
    }
}

/* Finds the interval of the first curve in which the slope g along the valley (curve_valley.h) is sampled. If the second curve
 * continues beyond an end of its segment, the sampled interval ends beside this end, because minima farther on belong to the next
 * segment. */
INLINE void find_part(const cst_valley *valley, double *from, double *to)
{
    const bool goes_on[2] = {valley->low[1]<0.0, valley->high[1]> 1.0};
    const double first = goes_on[0] ? -WITHIN : 0.0, last = goes_on[1] ? 1.0 + WITHIN : 1.0, beside = BESIDE + valley->sag;
    const lanes t = {first, last, first, last};
    lanes end[3], d[3], s;
    evaluate(valley->quartic, 1, &t, end, d, NULL);
    nearest(valley->quartic, 0, valley->line[0], end, valley->low[0] - 1.0, valley->high[0] + 1.0, &s);
    const bool ends = !(goes_on[0] && goes_on[1]), against = s[1] < s[0];
    *from = fmax(valley->low[0], -WITHIN);
    *to = fmin(valley->high[0], 1.0 + WITHIN);
    if (ends && fabs(s[1] - s[0]) < CROSSWISE)
        return;
    if (goes_on[against])
        *from = fmax(*from, s[against] - beside);
    if (goes_on[!against])
        *to = fmin(*to, s[!against] + beside);
}

/* Samples of the valley. */
typedef struct samples {
    double s[LANES], t[LANES];
    double g[LANES];    /* slope g (m2) along the valley (curve_valley.h) */
    double away[LANES]; /* squared distance (m2) */
    bool smooth;        /* false if a nearest point is at a bound of the second curve, where the slope g has a kink */
} samples;

INLINE void sample(const cst_valley *valley, double from, double to, samples *out)
{
    const lanes part = {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0}, s = from + (to - from) * part;
    lanes x[3], d[3], y[3], e[3], r[3], t, g, away;
    evaluate(valley->quartic, 0, &s, x, d, NULL);
    nearest(valley->quartic, 1, valley->line[1], x, valley->low[1], valley->high[1], &t);
    evaluate(valley->quartic, 1, &t, y, e, NULL);
    for (int k = 0; k < 3; ++k)
        r[k] = x[k] - y[k];
    dot(r, d, &g);
    dot(r, r, &away);
    out->smooth = true;
    for (int k = 0; k < LANES; ++k) {
        out->s[k] = s[k];
        out->t[k] = t[k];
        out->g[k] = g[k];
        out->away[k] = away[k];
        out->smooth = out->smooth && t[k] > valley->low[1] && t[k] < valley->high[1];
    }
}

/* Returns the value at z of the cubic polynomial that has the values y[0] to y[3] at z = 0, 1, 2, 3. */
static inline double cubic_at(const double *y, double z)
{
    const double one = y[1] - y[0], two = y[2] - 2.0 * y[1] + y[0], three = y[3] - 3.0 * y[2] + 3.0 * y[1] - y[0];
    return y[0] + z * (one + 0.5 * (z - 1.0) * (two + (z - 2.0) / 3.0 * three));
}

/* Returns the zero of the cubic polynomial through the four samples of the slope g; the slope is negative at the sample k and
 * positive at the sample k + 1. */
static inline double zero_of(const samples *at, int k)
{
    double low = k, high = k + 1.0, g = at->g[k], h = at->g[k + 1], z = low;
    for (int i = 0; i < ROOT_STEPS; ++i) {
        z = low - g * (high - low) / (h - g);
        const double here = cubic_at(at->g, z);
        if (here == 0.0)
            break;
        if (here < 0.0) {
            low = z;
            g = here;
        } else {
            high = z;
            h = here;
        }
    }
    return z;
}

static inline bool is_outside(double u)
{
    return u < -OUTSIDE || u > 1.0 + OUTSIDE;
}

/* Returns true if the direction in which curve i bends turns by more than 60 degrees along its segment. */
static inline bool is_wound(const cst_quartics *q, int i)
{
    double first = 0.0, last = 0.0, both = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = q->twice2[k][i], e = d + q->six3[k][i] + 12.0 * q->c[4][k][i];
        first += d * d;
        last += e * e;
        both += d * e;
    }
    return (both < 0.0 || 4.0 * both * both < first * last) && first + last > 0.0;
}

CST_MULTIVERSION int cst_valley_starts(const cst_valley *valley, double start[][2])
{
    if (is_wound(valley->quartic, 0) || is_wound(valley->quartic, 1))
        return -1;
    double from, to;
    find_part(valley, &from, &to);
    if (!(from < to))
        return 0;
    samples at;
    sample(valley, from, to, &at);
    if (!at.smooth)
        return -1;
    const double *g = at.g, bend = fmax(fabs(g[0] - 2.0 * g[1] + g[2]), fabs(g[1] - 2.0 * g[2] + g[3]));
    const double slack = valley->slack + BENT * bend;
    int count = 0;
    for (int k = 0; k + 1 < LANES; ++k) {
        if (g[k] < -slack && g[k + 1] > slack) {
            const double z = zero_of(&at, k), s = from + z / 3.0 * (to - from), t = cubic_at(at.t, z);
            if (is_outside(s) || is_outside(t) || cubic_at(at.away, z) > valley->reach * valley->reach)
                continue;
            start[count][0] = s;
            start[count++][1] = t;
        } else if (g[k] < slack && g[k + 1] > -slack) {
            /* the slope g may touch zero between two samples: start at the sample where |g| is smaller */
            const int least = fabs(g[k + 1]) < fabs(g[k]) ? k + 1 : k;
            start[count][0] = at.s[least];
            start[count++][1] = at.t[least];
        }
    }
    return count;
}
