#include "collide/curve_valley.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"
#include "math/vector3.h"

/* ROWS, COLUMNS: numbers of samples of the first and of the second curve. NEAREST_STEPS: number of Newton steps from the
 * nearest sample of the second curve to the nearest point of this curve. */
enum { LANES = 8, ROWS = LANES, COLUMNS = LANES, NEAREST_STEPS = 2 };

/* WITHIN: largest length by which the samples of the first curve extend beyond an end of its segment, as a share of the segment's
 * length. OUTSIDE: a minimum of the distance that lies outside a segment by more than OUTSIDE times the segment's length is left
 * to the search of the next segment. */
static const float WITHIN = 0.05F, OUTSIDE = 0.06F;

/* BENT: factor of a limit for the slope g of half the squared distance (curve_valley.h). Between two neighbouring samples, the
 * code searches no minimum of the distance if the slope g of half the squared distance exceeds a limit at the first sample, or if
 * -g exceeds this limit at the second sample. The limit for the slope g is BENT times the larger absolute second difference of g
 * at the two samples, plus the error bound of g. For a quadratic function g, BENT = 1/8 would be enough to exclude a zero of g
 * between two samples at which g has the same sign and |g| exceeds the limit. */
static const float BENT = 0.25F;

/* LINKED: the nearest points of two neighbouring samples count as points of one continuous branch (curve_valley.h) if their
 * positions u on the second curve differ by less than LINKED times the spacing of the samples. SETTLED: length of the last Newton
 * step, as a share of a segment, below which the search for a nearest point has converged. */
static const float LINKED = 2.5F, SETTLED = 0.05F;

/* FASTEST: upper bound for |dx/du| / h, where x(u) is the quartic of a segment and h the length of the segment. */
static const float FASTEST = 1.1F;

/* LEVEL_STARTS: if the samples give at least LEVEL_STARTS start points, the code assumes that the two segments lie side by side,
 * and computes the slopes g again in double precision from the true curves (curve_valley.h). The slopes are not computed again if
 * Newton's method has not converged for a sample, or if several samples of the second curve are locally nearest to it. Six steps
 * of scenes/hair/head_10k.json (strands in bundles of seven) take 68 s with LEVEL_STARTS = 4, and 100 s if slopes are never
 * computed again.
 * ROUNDING_AGAIN: bound for the error of a slope g computed in double precision, divided by the squared length of the longer
 * segment. */
enum { LEVEL_STARTS = 4 };
static const double ROUNDING_AGAIN = 1e-9;

/* ROUNDING: bound for the rounding errors of distances and slopes in single precision, in units of the sum of the lengths of
 * the two segments. */
static const float ROUNDING = 4e-6F;

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES)));

/* SIMD vectors are passed by address, because the calling convention for vectors passed by value depends on the processor. */
#define INLINE static inline __attribute__((always_inline))

INLINE void choose(const lane_bits *which, const lanes *yes, lanes *no_then_out)
{
    *no_then_out = (lanes)((*which & (lane_bits)*yes) | (~*which & (lane_bits)*no_then_out));
}

INLINE void fill(float value, lanes *out)
{
    *out = (lanes){value, value, value, value, value, value, value, value};
}

INLINE bool any(const lane_bits *bits)
{
    typedef int64_t two_lanes __attribute__((vector_size(4 * LANES)));
    const two_lanes pairs = (two_lanes)*bits;
    return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) != 0;
}

INLINE void magnitude(const lanes *x, lanes *out)
{
    *out = (lanes)((lane_bits)*x & INT32_MAX);
}

INLINE void keep_within(float low, float high, lanes *u)
{
    lanes least, most;
    fill(low, &least);
    fill(high, &most);
    const lane_bits below = *u<least, above = *u> most;
    choose(&below, &least, u);
    choose(&above, &most, u);
}

INLINE void dot(const lanes *a, const lanes *b, lanes *out)
{
    *out = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The coefficients of a quartic curve, relative to the point `origin` and multiplied by the factor `scale`. */
typedef struct curve {
    float c[5][3];
} curve;

INLINE void take_curve(const cst_quartics *quartic, int i, const double *origin, double scale, curve *out)
{
    for (int k = 0; k < 3; ++k)
        out->c[0][k] = (float)(scale * (quartic->c[0][k][i] - origin[k]));
    for (int j = 1; j < 5; ++j)
        for (int k = 0; k < 3; ++k)
            out->c[j][k] = (float)(scale * quartic->c[j][k][i]);
}

INLINE void evaluate(const curve *of, const lanes *u, lanes *x, lanes *d, lanes *dd)
{
    for (int k = 0; k < 3; ++k) {
        const float c1 = of->c[1][k], c2 = of->c[2][k], c3 = of->c[3][k], c4 = of->c[4][k];
        x[k] = of->c[0][k] + *u * (c1 + *u * (c2 + *u * (c3 + *u * c4)));
        if (d)
            d[k] = c1 + *u * (2.0F * c2 + *u * (3.0F * c3 + *u * (4.0F * c4)));
        if (dd)
            dd[k] = 2.0F * c2 + *u * (6.0F * c3 + *u * (12.0F * c4));
    }
}

/* Entry k + 1 of an array of PADDED entries belongs to sample k of the first curve. */
enum { PADDED = ROWS + 2 };

/* For each sample of the first curve, the nearest point of the second curve. All lengths are divided by the sum of the lengths
 * of the two segments. */
typedef struct samples {
    /* positions of the samples, their spacing */
    float s[ROWS], step;
    float h;            /* length of the first segment */
    float reach, slack; /* as in cst_valley, plus rounding errors */
    /* if all samples of one curve are farther than `most` from all samples of the other curve, the distance of the curves has no
     * local minimum below `reach` */
    float most;
    float t[PADDED]; /* nearest position on the second curve */
    float g[PADDED]; /* slope g (curve_valley.h) */
    /* second difference of the slope g (curve_valley.h) over three neighbouring samples of the first curve; 0 if their nearest
     * points on the second curve do not lie on one continuous branch */
    float bend[PADDED];
    float square[PADDED]; /* squared distance */
    /* not 0: nearest point found */
    int32_t on[PADDED];
    /* not 0: the nearest point t(s) on the second curve counts as continuous from this sample of the first curve to the next */
    int32_t linked[PADDED];
    int32_t rough[ROWS];   /* not 0: Newton's method not converged */
    int32_t several[ROWS]; /* not 0: several locally nearest samples */
    float column[COLUMNS];
    /* squared distances of all samples */
    lanes grid[COLUMNS];
} samples;

/* Finds, for each sample of the first curve, the nearest one of those samples of the second curve that are nearer than both their
 * neighbours. If no sample of the second curve is nearer than both its neighbours, the nearer one of its first and its last
 * sample is taken. `several`: set if at least two samples of the second curve are locally nearest, and at least one of them is an
 * inner sample. The first or the last sample of the second curve counts for `several` only if its squared distance from the
 * sample of the first curve is below `most`. */
INLINE void search_columns(const lanes *away, const float *column, float most, lanes *best, lane_bits *several)
{
    lanes least, limit, last;
    fill(INFINITY, &least);
    fill(most, &limit);
    fill(column[0], best);
    fill(column[COLUMNS - 1], &last);
    const lane_bits last_nearer = away[COLUMNS - 1] < away[0];
    choose(&last_nearer, &last, best);
    lane_bits one = {0}, two = {0}, falls = away[1] < away[0];
    const lane_bits rises = ~falls & (away[0] < limit);
    for (int j = 1; j + 1 < COLUMNS; ++j) {
        lanes here;
        fill(column[j], &here);
        const lane_bits falls_on = away[j + 1] < away[j], dip = falls & ~falls_on, nearer = dip & (away[j] < least);
        two |= dip & one;
        one |= dip;
        choose(&nearer, &here, best);
        choose(&nearer, &away[j], &least);
        falls = falls_on;
    }
    *several = two | (one & (rises | (falls & (away[COLUMNS - 1] < limit))));
}

/* Computes the squared distances of all samples of the two curves from each other; returns true if any is below `most`. */
INLINE bool measure(const lanes *x, const lanes *y, float most, lanes *away)
{
    lane_bits near = {0};
    for (int j = 0; j < COLUMNS; ++j) {
        lanes r[3];
        for (int k = 0; k < 3; ++k)
            r[k] = x[k] - y[k][j];
        dot(r, r, &away[j]);
        near |= away[j] < most;
    }
    return any(&near);
}

INLINE void spread_out(float low, float high, lanes *out)
{
    static const lanes PART = {0.0F / 7.0F, 1.0F / 7.0F, 2.0F / 7.0F, 3.0F / 7.0F, 4.0F / 7.0F, 5.0F / 7.0F, 6.0F / 7.0F, 1.0F};
    *out = low + (high - low) * PART;
}

/* Moves each position u towards the point of the curve that is nearest to the point `to`, by Newton's method. */
INLINE void nearest(const curve *of, const lanes *to, float low, float high, lanes *u, lanes *last)
{
    for (int step = 0; step < NEAREST_STEPS; ++step) {
        lanes x[3], d[3], dd[3], r[3], speed, slope, bend;
        evaluate(of, u, x, d, dd);
        for (int k = 0; k < 3; ++k)
            r[k] = to[k] - x[k];
        dot(d, d, &speed);
        dot(r, d, &slope);
        dot(r, dd, &bend);
        const lanes least = 0.1F * speed;
        lanes h = speed - bend;
        const lane_bits flat = h <= least;
        choose(&flat, &least, &h);
        *last = slope / h;
        *u += *last;
        keep_within(low, high, u);
    }
}

/* Computes samples of the first curve at equally spaced positions in [from, to], and their nearest points on the second curve.
 * Returns false if every sample of the first curve is farther than at->most from every sample of the second curve. */
INLINE bool sample(const curve *first, const curve *second, float from, float to, float low, float high, samples *at)
{
    const float most2 = at->most * at->most;
    lanes s, t, column, x[3], d[3], y[3], r[3], last, g, square, off, settled;
    lane_bits several;
    spread_out(low, high, &column);
    spread_out(from, to, &s);
    evaluate(second, &column, y, NULL, NULL);
    evaluate(first, &s, x, d, NULL);
    if (!measure(x, y, most2, at->grid))
        return false;
    memcpy(at->column, &column, sizeof column);
    memcpy(at->s, &s, sizeof s);
    search_columns(at->grid, at->column, most2, &t, &several);
    nearest(second, x, low, high, &t, &last);
    evaluate(second, &t, y, NULL, NULL);
    for (int k = 0; k < 3; ++k)
        r[k] = x[k] - y[k];
    dot(r, d, &g);
    dot(r, r, &square);
    magnitude(&last, &off);
    fill(SETTLED, &settled);
    const lane_bits inside = (t > low) & (t < high), on = inside & (off <= settled), rough = inside & ~on & (square < most2);
    memcpy(at->t + 1, &t, sizeof t);
    memcpy(at->g + 1, &g, sizeof g);
    memcpy(at->square + 1, &square, sizeof square);
    memcpy(at->on + 1, &on, sizeof on);
    memcpy(at->rough, &rough, sizeof rough);
    memcpy(at->several, &several, sizeof several);
    return true;
}

/* Reads an array of PADDED entries: entry k of `out` is the value of sample k + shift, where `shift` is -1, 0 or 1. */
INLINE void shifted(const void *padded, int shift, void *out)
{
    memcpy(out, (const char *)padded + 4 * (1 + shift), sizeof(lanes));
}

/* Finds the neighbouring samples of the first curve whose nearest points lie on one continuous branch (curve_valley.h). Returns
 * false if no sample gives a start point for Newton's method (functions search_row, search_end and search_between). */
INLINE bool link_samples(samples *at)
{
    static const lane_bits NOT_FIRST = {0, -1, -1, -1, -1, -1, -1, -1}, NOT_LAST = {-1, -1, -1, -1, -1, -1, -1, 0};
    lanes t, t_after, g, g_before, g_after, square, square_after, way, endless;
    lane_bits on, on_after, rough, several, before, after;
    for (int end = 0; end < PADDED; end += PADDED - 1) {
        at->t[end] = at->g[end] = at->bend[end] = at->square[end] = 0.0F;
        at->on[end] = at->linked[end] = 0;
    }
    shifted(at->t, 0, &t);
    shifted(at->t, 1, &t_after);
    shifted(at->g, -1, &g_before);
    shifted(at->g, 0, &g);
    shifted(at->g, 1, &g_after);
    shifted(at->square, 0, &square);
    shifted(at->square, 1, &square_after);
    shifted(at->on, 0, &on);
    shifted(at->on, 1, &on_after);
    memcpy(&rough, at->rough, sizeof rough);
    memcpy(&several, at->several, sizeof several);
    way = t_after - t;
    magnitude(&way, &way);
    const lane_bits linked = on & on_after & (way < LINKED * at->step);
    memcpy(at->linked + 1, &linked, sizeof linked);
    shifted(at->linked, -1, &before);
    shifted(at->linked, 1, &after);
    const lanes bend = (lanes)(before & linked & (lane_bits)(g_after - 2.0F * g + g_before));
    memcpy(at->bend + 1, &bend, sizeof bend);

    lanes size, size_after;
    shifted(at->bend, 1, &size_after);
    magnitude(&bend, &size);
    magnitude(&size_after, &size_after);
    const lane_bits larger = size_after > size;
    choose(&larger, &size_after, &size);
    fill(INFINITY, &endless);
    lanes slack = at->slack + BENT * size;
    const lane_bits alone = ~before & ~after;
    choose(&alone, &endless, &slack);
    const float farther = FASTEST * at->step * at->h, half = at->reach + 0.5F * farther, whole = at->reach + farther;
    const lane_bits far = (square > half * half) & (square_after > half * half);
    const lane_bits outside = ((t < -OUTSIDE) & (t_after < -OUTSIDE)) | ((t > 1.0F + OUTSIDE) & (t_after > 1.0F + OUTSIDE));
    const lane_bits between = linked & ~far & ~outside & (g < slack) & (g_after > -slack);

    lanes fall = g - g_before, rise = g - g_after;
    magnitude(&fall, &fall);
    magnitude(&rise, &rise);
    fall += at->slack;
    rise += at->slack;
    const lane_bits no_fall = ~before, no_rise = ~linked;
    choose(&no_fall, &endless, &fall);
    choose(&no_rise, &endless, &rise);
    const lane_bits ends = ((~before & NOT_FIRST & (-g < rise)) | (~linked & NOT_LAST & (g < fall))) & on &
                           (square < whole * whole) & (t >= -OUTSIDE) & (t <= 1.0F + OUTSIDE);
    const lane_bits all = rough | several | between | ends;
    return any(&all);
}

static inline bool is_outside(float u)
{
    return u < -OUTSIDE || u > 1.0F + OUTSIDE;
}

typedef struct start_list {
    double (*start)[2];
    int first, count; /* `first`: curve 0 or 1 */
} start_list;

static void add_start(start_list *list, float s, float t)
{
    const double at[2] = {s, t};
    double *last = list->count > 0 ? list->start[list->count - 1] : NULL;
    if (list->count == CST_VALLEY_STARTS || (last && last[list->first] == at[0] && last[1 - list->first] == at[1]))
        return;
    list->start[list->count][list->first] = at[0];
    list->start[list->count++][1 - list->first] = at[1];
}

static inline bool linked(const samples *at, int k)
{
    return at->linked[k + 1] != 0;
}

/* Adds start points of Newton's method if the slope g of half the squared distance may have a zero between the samples k and k +
 * 1 of the first curve: one point between the samples, or one or both of the samples. */
static void search_between(const samples *at, int k, start_list *list)
{
    const float *g = at->g + k + 1, *t = at->t + k + 1, *two = at->bend + k + 1, *square = at->square + k + 1, step = at->step;
    if ((t[0] < -OUTSIDE && t[1] < -OUTSIDE) || (t[0] > 1.0F + OUTSIDE && t[1] > 1.0F + OUTSIDE) ||
        sqrtf(square[0]) + sqrtf(square[1]) > 2.0F * at->reach + FASTEST * step * at->h)
        return;
    const bool alone = !linked(at, k - 1) && !linked(at, k + 1);
    const float size[2] = {fabsf(two[0]), fabsf(two[1])}, bend = size[0] > size[1] ? size[0] : size[1];
    const float slack = alone ? INFINITY : at->slack + BENT * bend;
    if (g[0] < -slack && g[1] > slack) {
        const float rise = g[1] - g[0];
        float z = -g[0] / rise;
        z += 0.25F * (two[0] + two[1]) * z * (1.0F - z) / rise;
        /* a, b: half the squared distance of the two curves at the zero of the slope g, extrapolated from sample k and from
         * sample k + 1 */
        const float a = 0.5F * square[0] + 0.5F * g[0] * z * step, b = 0.5F * square[1] - 0.5F * g[1] * (1.0F - z) * step;
        const float s = at->s[k] + z * step, u = t[0] + z * (t[1] - t[0]);
        if (is_outside(s) || is_outside(u) || (a < b ? a : b) - BENT * bend * step > 0.5F * at->reach * at->reach)
            return;
        add_start(list, s, u);
    } else if (g[0] < slack && g[1] > -slack) {
        /* The slope g of half the squared distance may have two zeros between the samples k and k + 1. The search for a minimum
         * moves towards decreasing distance: it starts at sample k + 1 if the slope g is positive at both samples, and at sample
         * k if g is negative at both. */
        if (g[0] <= 0.0F || g[1] <= 0.0F)
            add_start(list, at->s[k], t[0]);
        if (g[0] > 0.0F || g[1] > 0.0F)
            add_start(list, at->s[k + 1], t[1]);
    }
}

/* Tests the first or the last sample, number k, of a continuous branch of nearest points. Adds sample k as a start point if the
 * slope g of half the squared distance may have a zero between this sample and the end of the branch. `sign`: 1 if the branch of
 * nearest points ends after sample k, -1 if the branch begins before sample k. */
static void search_end(const samples *at, int k, float sign, start_list *list)
{
    const float *g = at->g + k + 1, before = sign > 0.0F ? g[-1] : g[1], near = at->reach + FASTEST * at->step * at->h;
    const bool alone = !linked(at, sign > 0.0F ? k - 1 : k);
    const float slack = alone ? INFINITY : at->slack + fabsf(*g - before);
    if (!is_outside(at->t[k + 1]) && at->square[k + 1] < near * near && sign * *g < slack)
        add_start(list, at->s[k], at->t[k + 1]);
}

/* Adds start points at sample k of the first curve if Newton's method has not converged there, or if several samples of the
 * second curve are locally nearest. */
static void search_row(const samples *at, int k, start_list *list)
{
    if (at->rough[k])
        add_start(list, at->s[k], at->t[k + 1]);
    for (int j = 0; j < COLUMNS && at->several[k]; ++j) {
        const float here = at->grid[j][k];
        if (here < at->most * at->most && !is_outside(at->column[j]) && !(j > 0 && at->grid[j - 1][k] <= here) &&
            !(j + 1 < COLUMNS && at->grid[j + 1][k] < here))
            add_start(list, at->s[k], at->column[j]);
    }
}

/* Returns false if the samples of the two curves give no start point for the search of a local minimum of the distance. */
CST_MULTIVERSION static bool find_samples(const cst_valley *valley, int first, samples *at)
{
    const int second = 1 - first;
    const double unit = valley->h[0] + valley->h[1], scale = 1.0 / unit;
    const float low = (float)valley->low[second], high = (float)valley->high[second];
    const float from = valley->low[first] > -WITHIN ? (float)valley->low[first] : -WITHIN;
    const float to = valley->high[first] < 1.0F + WITHIN ? (float)valley->high[first] : 1.0F + WITHIN;
    double origin[3];
    curve curves[2];
    for (int k = 0; k < 3; ++k)
        origin[k] = valley->quartic->c[0][k][second];
    take_curve(valley->quartic, first, origin, scale, &curves[0]);
    take_curve(valley->quartic, second, origin, scale, &curves[1]);
    at->h = (float)(scale * valley->h[first]);
    at->reach = (float)(scale * valley->reach) + ROUNDING;
    at->slack = (float)(scale * scale * valley->slack) + ROUNDING * (1.0F + at->reach);
    at->step = (to - from) / (ROWS - 1);
    const float width = (high - low) / (COLUMNS - 1);
    at->most = at->reach + 0.5F * FASTEST * (at->step * at->h + width * (float)(scale * valley->h[second]));
    return sample(&curves[0], &curves[1], from, to, low, high, at) && link_samples(at);
}

CST_MULTIVERSION static bool link_again(samples *at)
{
    return link_samples(at);
}

/* Computes the point x of the true curve i at the position u, and its first derivative d with respect to u. Beyond an end of the
 * centreline piece, x and d are those of the quartic. `dd`: second derivative of the quartic; NULL if it is not needed. */
static void true_point(const cst_valley *valley, int i, double u, double *x, double *d, double *dd)
{
    const cst_curve_side *side = valley->side + i;
    const double s = cst_segment_s(side->segment, u);
    cst_both_points at;
    cst_quartics_at(valley->quartic, (cst_both){u, u}, &at);
    for (int k = 0; k < 3; ++k) {
        x[k] = at.x[k][i];
        d[k] = at.d[k][i];
        if (dd)
            dd[k] = at.dd[k][i];
    }
    if (side->piece->straight || s < 0.0 || s > side->piece->piece->length)
        return;
    double clamped;
    cst_side_at(side, u, &clamped, x, d);
    for (int k = 0; k < 3; ++k)
        d[k] *= side->segment->h;
}

/* For every sample whose nearest point was found (samples.on), computes the nearest point t(s) and the slope g again, in double
 * precision and from the true curves. The nearest points are known to single precision, so one Newton step is enough, along which
 * the second curve is treated as straight. */
static void measure_again(const cst_valley *valley, int first, samples *at)
{
    const double scale = 1.0 / (valley->h[0] + valley->h[1]), h = fmax(valley->h[0], valley->h[1]);
    for (int k = 0; k < ROWS; ++k) {
        double x[3], d[3], y[3], e[3], ee[3], r[3];
        if (!at->on[k + 1])
            continue;
        true_point(valley, first, at->s[k], x, d, NULL);
        true_point(valley, 1 - first, at->t[k + 1], y, e, ee);
        cst_subtract3(x, y, r);
        const double speed = cst_dot3(e, e), step = cst_dot3(r, e) / fmax(0.1 * speed, speed - cst_dot3(r, ee));
        cst_add3(-step, e, r);
        at->t[k + 1] += (float)step;
        at->g[k + 1] = (float)(scale * scale * cst_dot3(r, d));
        at->square[k + 1] = (float)(scale * scale * cst_dot3(r, r));
    }
    at->slack = (float)(scale * scale * ROUNDING_AGAIN * h * h);
}

static void list_starts(const samples *at, start_list *list)
{
    for (int k = 0; k < ROWS; ++k) {
        if (at->rough[k] || at->several[k])
            search_row(at, k, list);
        if (at->on[k + 1] && k > 0 && !linked(at, k - 1))
            search_end(at, k, -1.0F, list);
        if (linked(at, k))
            search_between(at, k, list);
        else if (at->on[k + 1] && k + 1 < ROWS)
            search_end(at, k, 1.0F, list);
    }
    assert(list->count <= CST_VALLEY_STARTS);
}

/* Returns false if, for any sample of the first curve, Newton's method has not converged or several samples of the second curve
 * are locally nearest. */
static bool is_single(const samples *at)
{
    for (int k = 0; k < ROWS; ++k)
        if (at->rough[k] || at->several[k])
            return false;
    return true;
}

int cst_valley_starts(const cst_valley *valley, double start[][2])
{
    start_list list = {.start = start, .first = valley->h[0] <= valley->h[1] ? 0 : 1, .count = 0};
    samples at;
    if (!(valley->h[list.first] > 0.0) || !find_samples(valley, list.first, &at))
        return 0;
    list_starts(&at, &list);
    if (list.count < LEVEL_STARTS || !valley->side || !is_single(&at))
        return list.count;
    list.count = 0;
    measure_again(valley, list.first, &at);
    if (link_again(&at))
        list_starts(&at, &list);
    return list.count;
}

CST_MULTIVERSION int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high,
                                        double reach, double level, double *start)
{
    curve of;
    lanes u, y[3], d[3], away, slope;
    take_curve(quartic, i, x, 1.0 / reach, &of);
    spread_out((float)low, (float)high, &u);
    evaluate(&of, &u, y, d, NULL);
    dot(y, y, &away);
    dot(y, d, &slope);
    int count = 0, least = 0;
    float most = 0.0F;
    for (int j = 0; j < COLUMNS; ++j) {
        const bool after_lower = j > 0 ? away[j] < away[j - 1] : slope[0] < 0.0F;
        const bool before_higher = j + 1 < COLUMNS ? away[j] <= away[j + 1] : slope[COLUMNS - 1] > 0.0F;
        if (after_lower && before_higher && away[j] < 1.0F)
            start[count++] = u[j];
        least = away[j] < away[least] ? j : least;
        most = away[j] > most ? away[j] : most;
    }
    assert(count <= CST_VALLEY_NEAREST);
    if (count == 0 && most - away[least] < (float)(level / (reach * reach)) + ROUNDING && away[least] < 1.0F)
        start[count++] = u[least];
    return count;
}
