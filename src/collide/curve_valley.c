#include "collide/curve_valley.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

/* ROWS: points of the first curve at which the valley is sampled. COLUMNS: points of the second curve among which the nearest
 * point of the second curve is first searched. */
enum { LANES = 4, BLOCKS = 2, ROWS = LANES * BLOCKS, COLUMNS = ROWS, NEAREST_STEPS = 2 };

/* WITHIN and OUTSIDE are shares of the length of a segment. WITHIN: the valley is sampled on the first segment and on this share of
 * the neighbouring segments of the same curve. OUTSIDE: a minimum that lies outside a segment by more than this share is left to
 * the search of the next segment. */
static const double WITHIN = 0.05, OUTSIDE = 0.06;

/* If the slope g has the same sign at two neighbouring samples and exceeds BENT times its largest second difference, it has no
 * zero between these samples. If the slope g were a parabola between the samples, BENT = 1/8 would be enough. */
static const double BENT = 0.25;

/* Two neighbouring samples lie on the same branch of the valley if their positions on the second curve differ by less than LINKED
 * (as a share of the second segment). SETTLED: a Newton step shorter than this share has reached the nearest point. */
static const double LINKED = 0.4, SETTLED = 0.05;

/* The speed of a quartic on the segment and its extension, divided by the length of the segment, is at most FASTEST. */
static const double FASTEST = 1.1;

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t lane_bits __attribute__((vector_size(8 * LANES)));

/* Vectors are passed by address, because the calling convention for vectors passed by value depends on the processor. */
#define INLINE static inline __attribute__((always_inline))

INLINE void choose(const lane_bits *which, const lanes *yes, lanes *no_then_out)
{
    *no_then_out = (lanes)((*which & (lane_bits)*yes) | (~*which & (lane_bits)*no_then_out));
}

INLINE void fill(double value, lanes *out)
{
    *out = (lanes){value, value, value, value};
}

INLINE void keep_within(double low, double high, lanes *u)
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

/* Computes the points x of curve i (0 or 1) at the positions u, and the first and second derivatives d and dd at u. */
INLINE void evaluate(const cst_quartics *quartic, int i, const lanes *u, lanes *x, lanes *d, lanes *dd)
{
    for (int k = 0; k < 3; ++k) {
        const double c1 = quartic->c[1][k][i], c4 = quartic->c[4][k][i];
        x[k] = quartic->c[0][k][i] + *u * (c1 + *u * (quartic->c[2][k][i] + *u * (quartic->c[3][k][i] + *u * c4)));
        if (d)
            d[k] = c1 + *u * (quartic->twice2[k][i] + *u * (quartic->thrice3[k][i] + *u * (4.0 * c4)));
        if (dd)
            dd[k] = quartic->twice2[k][i] + *u * (quartic->six3[k][i] + *u * (12.0 * c4));
    }
}

/* Samples of the valley, one for each row. */
typedef struct samples {
    double s[ROWS], t[ROWS];
    double g[ROWS];     /* slope g along the valley (curve_valley.h) (m2) */
    double away[ROWS];  /* distance (m) */
    double other[ROWS]; /* position of a second local minimum on the second curve, or NOWHERE */
    bool on[ROWS];      /* true if the sample lies on a branch of the valley */
    bool rough[ROWS];   /* true if Newton's method has not reached the nearest point */
} samples;

static const double NOWHERE = 1e9;

/* Finds, for each point `to` of the first curve, the column of the second curve with the least distance among the columns that are
 * nearer than both neighbouring columns. If no column is nearer than both its neighbours, finds the nearer one of the first and
 * the last column. Sets `other` to a second column that is nearer than its neighbours, if its squared distance is less than
 * `most`, else to NOWHERE. */
INLINE void search_columns(const lanes *away, const double *column, double most, lanes *best, lanes *other)
{
    lanes least, nowhere, limit;
    fill(NOWHERE, &nowhere);
    fill(most, &limit);
    fill(INFINITY, &least);
    *best = *other = nowhere;
    for (int j = 1; j + 1 < COLUMNS; ++j) {
        lanes here;
        fill(column[j], &here);
        const lane_bits dip = (away[j] < away[j - 1]) & (away[j] <= away[j + 1]), nearer = dip & (away[j] < least);
        const lane_bits second = dip & ~nearer & (away[j] < limit), was = nearer & (least < limit);
        choose(&second, &here, other);
        choose(&was, best, other);
        choose(&nearer, &here, best);
        choose(&nearer, &away[j], &least);
    }
    const lane_bits none = *best == nowhere, last_nearer = away[COLUMNS - 1] < away[0];
    lanes edge, last;
    fill(column[0], &edge);
    fill(column[COLUMNS - 1], &last);
    const lane_bits rises = ~none & (away[0] < away[1]) & (away[0] < limit);
    const lane_bits falls = ~none & (away[COLUMNS - 1] < away[COLUMNS - 2]) & (away[COLUMNS - 1] < limit);
    choose(&rises, &edge, other);
    choose(&falls, &last, other);
    choose(&last_nearer, &last, &edge);
    choose(&none, &edge, best);
}

/* Computes the squared distances `away` of the points x of the first curve from the points y of the second curve. Returns true if
 * one of the squared distances is less than `most`. */
INLINE bool measure(const lanes *x, const double y[3][COLUMNS], double most, lanes *away)
{
    lanes limit;
    fill(most, &limit);
    lane_bits near = {0, 0, 0, 0};
    for (int j = 0; j < COLUMNS; ++j) {
        lanes r[3];
        for (int k = 0; k < 3; ++k)
            r[k] = x[k] - y[k][j];
        dot(r, r, &away[j]);
        near |= away[j] < limit;
    }
    return (near[0] | near[1] | near[2] | near[3]) != 0;
}

/* Moves the positions u on the curve i to the nearest points to the points `to`, with Newton's method. `last`: last step. */
INLINE void nearest(const cst_quartics *quartic, int i, const lanes *to, double low, double high, lanes *u, lanes *last)
{
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
        *last = slope / h;
        *u += *last;
        keep_within(low, high, u);
    }
}

/* Samples the valley. Returns false if all rows are farther from all columns than `most` (m). */
INLINE bool sample(const cst_valley *valley, int first, double from, double to, double most, samples *out)
{
    const int second = 1 - first;
    const double low = valley->low[second], high = valley->high[second], most2 = most * most;
    lanes x[BLOCKS][3], d[BLOCKS][3], away[BLOCKS][COLUMNS];
    double column[COLUMNS], at[3][COLUMNS];
    bool near = false;
    for (int b = 0; b < BLOCKS; ++b) {
        const double n = ROWS - 1.0, k = b * LANES;
        const lanes part = {k / n, (k + 1.0) / n, (k + 2.0) / n, (k + 3.0) / n};
        const lanes s = from + (to - from) * part, t = low + (high - low) * part;
        lanes y[3];
        evaluate(valley->quartic, first, &s, x[b], d[b], NULL);
        evaluate(valley->quartic, second, &t, y, NULL, NULL);
        memcpy(out->s + b * LANES, &s, sizeof s);
        memcpy(column + b * LANES, &t, sizeof t);
        for (int i = 0; i < 3; ++i)
            memcpy(at[i] + b * LANES, &y[i], sizeof y[i]);
    }
    for (int b = 0; b < BLOCKS; ++b)
        near |= measure(x[b], at, most2, away[b]);
    if (!near)
        return false;
    for (int b = 0; b < BLOCKS; ++b) {
        lanes y[3], r[3], t, other, last, g, distance;
        search_columns(away[b], column, most2, &t, &other);
        nearest(valley->quartic, second, x[b], low, high, &t, &last);
        evaluate(valley->quartic, second, &t, y, NULL, NULL);
        for (int k = 0; k < 3; ++k)
            r[k] = x[b][k] - y[k];
        dot(r, d[b], &g);
        dot(r, r, &distance);
        for (int k = 0; k < LANES; ++k) {
            const int row = b * LANES + k;
            const bool inside = t[k] > low && t[k] < high, settled = fabs(last[k]) <= SETTLED;
            out->t[row] = t[k];
            out->g[row] = g[k];
            out->away[row] = sqrt(distance[k]);
            out->other[row] = other[k];
            out->on[row] = inside && settled;
            out->rough[row] = inside && !settled;
        }
    }
    return true;
}

static inline bool is_outside(double u)
{
    return u < -OUTSIDE || u > 1.0 + OUTSIDE;
}

typedef struct start_list {
    double (*start)[2];
    int first, count; /* `first`: the curve on which the rows lie */
} start_list;

static void add_start(start_list *list, double s, double t)
{
    double *last = list->count > 0 ? list->start[list->count - 1] : NULL;
    if (list->count == CST_VALLEY_STARTS || (last && last[list->first] == s && last[1 - list->first] == t))
        return;
    list->start[list->count][list->first] = s;
    list->start[list->count++][1 - list->first] = t;
}

/* Returns true if the samples k and k + 1 lie on the same branch of the valley. */
static inline bool linked(const samples *at, int k)
{
    return k >= 0 && k + 1 < ROWS && at->on[k] && at->on[k + 1] && fabs(at->t[k + 1] - at->t[k]) < LINKED;
}

/* Returns the second difference of the slope g at the sample k; 0 if the sample k is an end of its branch. */
static inline double bend_at(const samples *at, int k)
{
    return linked(at, k - 1) && linked(at, k) ? at->g[k + 1] - 2.0 * at->g[k] + at->g[k - 1] : 0.0;
}

/* Adds a start point between the linked samples k and k + 1 if the slope g may have a zero there. */
static void search_between(const cst_valley *valley, const samples *at, int k, double step, start_list *list)
{
    const double *g = at->g + k, *t = at->t + k;
    if ((t[0] < -OUTSIDE && t[1] < -OUTSIDE) || (t[0] > 1.0 + OUTSIDE && t[1] > 1.0 + OUTSIDE) ||
        at->away[k] + at->away[k + 1] > 2.0 * valley->reach + FASTEST * step * valley->h[list->first])
        return;
    const bool alone = !linked(at, k - 1) && !linked(at, k + 1);
    const double two[2] = {bend_at(at, k), bend_at(at, k + 1)};
    const double bend = fmax(fabs(two[0]), fabs(two[1])), slack = alone ? INFINITY : valley->slack + BENT * bend;
    if (g[0] < -slack && g[1] > slack) {
        const double rise = g[1] - g[0];
        double z = -g[0] / rise;
        z += 0.25 * (two[0] + two[1]) * z * (1.0 - z) / rise;
        const double a = 0.5 * at->away[k] * at->away[k] + 0.5 * g[0] * z * step;
        const double b = 0.5 * at->away[k + 1] * at->away[k + 1] - 0.5 * g[1] * (1.0 - z) * step;
        const double s = at->s[k] + z * step, u = t[0] + z * (t[1] - t[0]);
        if (is_outside(s) || is_outside(u) ||
            fmin(a, b) - BENT * bend * step > 0.5 * valley->reach * valley->reach)
            return;
        add_start(list, s, u);
    } else if (g[0] < slack && g[1] > -slack) {
        /* the slope g may have two zeros between two samples; a search that begins at a sample where the slope g is positive goes
         * back to smaller s, and a search that begins where g is negative goes on to larger s */
        if (g[0] <= 0.0 || g[1] <= 0.0)
            add_start(list, at->s[k], at->t[k]);
        if (g[0] > 0.0 || g[1] > 0.0)
            add_start(list, at->s[k + 1], at->t[k + 1]);
    }
}

/* Adds the sample k, where a branch of the valley ends, as a start point if the slope g may have a zero between the sample k and
 * the end of the branch. `sign`: 1 if the branch ends after the sample k, -1 if it begins before it. */
static void search_end(const cst_valley *valley, const samples *at, int k, double sign, double step, start_list *list)
{
    const int before = sign > 0.0 ? k - 1 : k + 1;
    const bool alone = !linked(at, sign > 0.0 ? k - 1 : k);
    const double slack = alone ? INFINITY : valley->slack + fabs(at->g[k] - at->g[before]);
    if (is_outside(at->t[k]) || at->away[k] > valley->reach + FASTEST * step * valley->h[list->first] || sign * at->g[k] > slack)
        return;
    add_start(list, at->s[k], at->t[k]);
}

CST_MULTIVERSION int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high, double reach,
                                        double level, double *start)
{
    double away[COLUMNS], u[COLUMNS], edge[2] = {0.0, 0.0};
    for (int b = 0; b < BLOCKS; ++b) {
        const double n = COLUMNS - 1.0, k = b * LANES;
        const lanes part = {k / n, (k + 1.0) / n, (k + 2.0) / n, (k + 3.0) / n}, t = low + (high - low) * part;
        lanes y[3], d[3], r[3], square, slope;
        evaluate(quartic, i, &t, y, d, NULL);
        for (int j = 0; j < 3; ++j)
            r[j] = y[j] - x[j];
        dot(r, r, &square);
        dot(r, d, &slope);
        memcpy(away + b * LANES, &square, sizeof square);
        memcpy(u + b * LANES, &t, sizeof t);
        edge[b > 0] = slope[b > 0 ? LANES - 1 : 0];
    }
    int count = 0, least = 0;
    double most = 0.0;
    for (int j = 0; j < COLUMNS; ++j) {
        const bool after_lower = j > 0 ? away[j] < away[j - 1] : edge[0] < 0.0;
        const bool before_higher = j + 1 < COLUMNS ? away[j] <= away[j + 1] : edge[1] > 0.0;
        if (after_lower && before_higher && away[j] < reach * reach)
            start[count++] = u[j];
        least = away[j] < away[least] ? j : least;
        most = fmax(most, away[j]);
    }
    assert(count <= CST_VALLEY_NEAREST);
    if (count == 0 && most - away[least] < level && away[least] < reach * reach)
        start[count++] = u[least];
    return count;
}

CST_MULTIVERSION int cst_valley_starts(const cst_valley *valley, double start[][2])
{
    const int first = valley->h[0] <= valley->h[1] ? 0 : 1;
    if (!(valley->h[first] > 0.0))
        return 0;
    const double from = fmax(valley->low[first], -WITHIN), to = fmin(valley->high[first], 1.0 + WITHIN);
    const double step = (to - from) / (ROWS - 1), width = (valley->high[1 - first] - valley->low[1 - first]) / (COLUMNS - 1);
    const double row = FASTEST * step * valley->h[first], column = FASTEST * width * valley->h[1 - first];
    const double most = valley->reach + 0.5 * (row + column);
    samples at;
    if (!sample(valley, first, from, to, most, &at))
        return 0;
    start_list list = {.start = start, .first = first, .count = 0};
    for (int k = 0; k < ROWS; ++k) {
        if (at.rough[k] && at.away[k] < most)
            add_start(&list, at.s[k], at.t[k]);
        if (at.other[k] < NOWHERE && !is_outside(at.other[k]))
            add_start(&list, at.s[k], at.other[k]);
        if (at.on[k] && !linked(&at, k - 1) && k > 0)
            search_end(valley, &at, k, -1.0, step, &list);
        if (linked(&at, k))
            search_between(valley, &at, k, step, &list);
        else if (at.on[k] && k + 1 < ROWS)
            search_end(valley, &at, k, 1.0, step, &list);
    }
    assert(list.count <= CST_VALLEY_STARTS);
    return list.count;
}
