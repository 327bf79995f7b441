#include "collide/curve_valley.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

/* FEW, MANY: numbers of rows, which are the points of the first curve at which the valley of the distance is sampled. The valley
 * is first sampled at FEW points; if these samples do not show clearly where minima are, it is sampled again at MANY points.
 * COLUMNS: number of points of the second curve; Newton's method starts at the one nearest to the given point of the first
 * curve. */
enum { LANES = 4, FEW = LANES, MANY = 2 * LANES, COLUMNS = 2 * LANES, NEAREST_STEPS = 2 };

/* WITHIN and OUTSIDE are shares of the length of a segment. WITHIN: the valley of the distance is sampled on the first segment
 * and on this share of the neighbouring segments of the same curve. OUTSIDE: a minimum that lies outside a segment by more than
 * this share is left to the search of the next segment. */
static const double WITHIN = 0.05, OUTSIDE = 0.06;

/* If the slope g has the same sign at two neighbouring samples and exceeds BENT times its largest second difference, it has no
 * zero between these samples (for a parabola, the factor 1/8 would be enough). If the valley of the distance is sampled at only
 * FEW points, the larger factor BENT_FEW replaces BENT. */
static const double BENT = 0.25, BENT_FEW = 0.5;

/* Two neighbouring samples lie on the same branch of the valley if their positions on the second curve differ by less than LINKED
 * times the difference of their positions on the first curve. Newton's method has found the nearest point if its last step is
 * shorter than the share SETTLED of a segment. */
static const double LINKED = 2.5, SETTLED = 0.05;

/* FASTEST: bound for the derivative of a quartic with respect to its parameter u, divided by the length of the segment, on the
 * segment and its extension. */
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

/* Samples of the valley of the distance (curve_valley.h), one for each row (point of the first curve). */
typedef struct samples {
    int rows;
    double step; /* difference of the positions s of two neighbouring rows (points of the first curve) */
    double s[MANY], t[MANY];
    double g[MANY];     /* slope g of half the squared distance along the valley (curve_valley.h) (m2) */
    double away[MANY];  /* distance (m) */
    bool on[MANY];      /* true if Newton's method found a nearest point inside the second curve, on the valley of the distance */
    bool rough[MANY];   /* true if Newton's method has not reached the nearest point of the second curve */
    bool several[MANY]; /* true if the row has more than one locally nearest column (point of the second curve) */
    bool clear;         /* true if Newton's method found one nearest point for every row (point of the first curve), so that
                         * `rough` and `several` are false */
    double column[COLUMNS];
    double grid[COLUMNS][MANY]; /* squared distances (m2) between columns (points of the second curve) and rows (of the first) */
} samples;

/* Finds, for each row (point of the first curve), the nearest one of those columns (points of the second curve) that are nearer
 * than both neighbouring columns. If no column is nearer than both neighbouring columns, finds the nearer one of the first and
 * the last point of the second curve. Sets `several` for each row (point of the first curve) that has more than one locally
 * nearest column (point of the second curve); the first and the last column count only if their squared distance from the row is
 * less than `most`. `away`: squared distances (m2). */
INLINE void search_columns(const lanes *away, const double *column, double most, lanes *best, lane_bits *several)
{
    lanes least, limit, last;
    fill(INFINITY, &least);
    fill(most, &limit);
    fill(column[0], best);
    fill(column[COLUMNS - 1], &last);
    const lane_bits last_nearer = away[COLUMNS - 1] < away[0];
    choose(&last_nearer, &last, best);
    lane_bits any = {0, 0, 0, 0}, two = {0, 0, 0, 0}, falls = away[1] < away[0];
    const lane_bits rises = ~falls & (away[0] < limit);
    for (int j = 1; j + 1 < COLUMNS; ++j) {
        lanes here;
        fill(column[j], &here);
        const lane_bits falls_on = away[j + 1] < away[j], dip = falls & ~falls_on, nearer = dip & (away[j] < least);
        two |= dip & any;
        any |= dip;
        choose(&nearer, &here, best);
        choose(&nearer, &away[j], &least);
        falls = falls_on;
    }
    *several = two | (any & (rises | (falls & (away[COLUMNS - 1] < limit))));
}

/* Computes the squared distances `away` of the points x of the first curve from the points y of the second curve. Returns true if
 * one of the squared distances is less than `most`. */
INLINE bool measure(const lanes *x, const double y[3][COLUMNS], double most, lanes *away)
{
    lane_bits near = {0, 0, 0, 0};
    for (int j = 0; j < COLUMNS; ++j) {
        lanes r[3];
        for (int k = 0; k < 3; ++k)
            r[k] = x[k] - y[k][j];
        dot(r, r, &away[j]);
        near |= away[j] < most;
    }
    return (near[0] | near[1] | near[2] | near[3]) != 0;
}

/* Computes the positions number k to k + LANES - 1 of `count` equally spaced positions from `low` to `high`. */
INLINE void spread_out(double low, double high, double k, int count, lanes *out)
{
    const double n = count - 1.0;
    const lanes part = {k / n, (k + 1.0) / n, (k + 2.0) / n, (k + 3.0) / n};
    *out = low + (high - low) * part;
}

/* Moves each of the LANES positions u on the curve i to the point of this curve that is nearest to the corresponding one of the
 * LANES points `to`, by Newton's method. `last`: the last Newton step. */
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

/* Samples the valley of the distance at LANES * `blocks` positions of the first curve in [from, to]. Returns false if all sampled
 * points of the two curves are farther apart than `most` (m). */
INLINE bool sample(const cst_valley *valley, int first, int blocks, double from, double to, double most, samples *out)
{
    const int second = 1 - first;
    const double low = valley->low[second], high = valley->high[second], most2 = most * most;
    lanes x[MANY / LANES][3], d[MANY / LANES][3], away[MANY / LANES][COLUMNS];
    double at[3][COLUMNS];
    bool near = false;
    out->rows = LANES * blocks;
    out->clear = true;
    for (int b = 0; b < COLUMNS / LANES; ++b) {
        lanes y[3], t;
        spread_out(low, high, b * LANES, COLUMNS, &t);
        evaluate(valley->quartic, second, &t, y, NULL, NULL);
        memcpy(out->column + b * LANES, &t, sizeof t);
        for (int i = 0; i < 3; ++i)
            memcpy(at[i] + b * LANES, &y[i], sizeof y[i]);
    }
    for (int b = 0; b < blocks; ++b) {
        lanes s;
        spread_out(from, to, b * LANES, LANES * blocks, &s);
        evaluate(valley->quartic, first, &s, x[b], d[b], NULL);
        memcpy(out->s + b * LANES, &s, sizeof s);
        near |= measure(x[b], at, most2, away[b]);
    }
    if (!near)
        return false;
    for (int b = 0; b < blocks; ++b) {
        lanes y[3], r[3], t, last, g, distance;
        lane_bits several;
        search_columns(away[b], out->column, most2, &t, &several);
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
            out->on[row] = inside && settled;
            out->rough[row] = inside && !settled && distance[k] < most2;
            out->several[row] = several[k] != 0;
            out->clear = out->clear && !out->rough[row] && !out->several[row];
        }
        for (int j = 0; j < COLUMNS && !out->clear; ++j)
            for (int k = 0; k < LANES; ++k)
                out->grid[j][b * LANES + k] = away[b][j][k];
    }
    return true;
}

static inline bool is_outside(double u)
{
    return u < -OUTSIDE || u > 1.0 + OUTSIDE;
}

typedef struct start_list {
    double (*start)[2];
    int first, count; /* `first`: index (0 or 1) of the curve on which the valley is sampled */
    bool clear;       /* false if the samples do not show clearly where minima are */
} start_list;

static void add_start(start_list *list, double s, double t)
{
    double *last = list->count > 0 ? list->start[list->count - 1] : NULL;
    if (list->count == CST_VALLEY_STARTS || (last && last[list->first] == s && last[1 - list->first] == t))
        return;
    list->start[list->count][list->first] = s;
    list->start[list->count++][1 - list->first] = t;
}

/* Adds the sample k as a start point, because the distance of the curves may have a local minimum near it. */
static void add_unclear(start_list *list, const samples *at, int k)
{
    list->clear = false;
    add_start(list, at->s[k], at->t[k]);
}

/* Returns true if the samples k and k + 1 lie on the same branch of the valley. */
static inline bool linked(const samples *at, int k)
{
    return k >= 0 && k + 1 < at->rows && at->on[k] && at->on[k + 1] && fabs(at->t[k + 1] - at->t[k]) < LINKED * at->step;
}

/* Returns the second difference of the slope g at the sample k; 0 if the sample k is an end of its branch. */
static inline double bend_at(const samples *at, int k)
{
    return linked(at, k - 1) && linked(at, k) ? at->g[k + 1] - 2.0 * at->g[k] + at->g[k - 1] : 0.0;
}

/* Adds a start point between the samples k and k + 1 of one branch of the valley if the slope g may have a zero there. */
static void search_between(const cst_valley *valley, const samples *at, int k, start_list *list)
{
    const double *g = at->g + k, *t = at->t + k, step = at->step;
    if ((t[0] < -OUTSIDE && t[1] < -OUTSIDE) || (t[0] > 1.0 + OUTSIDE && t[1] > 1.0 + OUTSIDE) ||
        at->away[k] + at->away[k + 1] > 2.0 * valley->reach + FASTEST * step * valley->h[list->first])
        return;
    const bool alone = !linked(at, k - 1) && !linked(at, k + 1);
    const double two[2] = {bend_at(at, k), bend_at(at, k + 1)}, size[2] = {fabs(two[0]), fabs(two[1])};
    const double bend = size[0] > size[1] ? size[0] : size[1],
                 slack = alone ? INFINITY : valley->slack + (at->rows == FEW ? BENT_FEW : BENT) * bend;
    if (g[0] < -slack && g[1] > slack) {
        const double rise = g[1] - g[0];
        double z = -g[0] / rise;
        z += 0.25 * (two[0] + two[1]) * z * (1.0 - z) / rise;
        /* half the squared distance of the curves at the zero of the slope g, estimated from both samples */
        const double a = 0.5 * at->away[k] * at->away[k] + 0.5 * g[0] * z * step;
        const double b = 0.5 * at->away[k + 1] * at->away[k + 1] - 0.5 * g[1] * (1.0 - z) * step;
        const double s = at->s[k] + z * step, u = t[0] + z * (t[1] - t[0]);
        if (is_outside(s) || is_outside(u) || (a < b ? a : b) - BENT * bend * step > 0.5 * valley->reach * valley->reach)
            return;
        add_start(list, s, u);
    } else if (g[0] < slack && g[1] > -slack) {
        /* The slope g may have two zeros between the samples k and k + 1. The search goes to smaller positions s on the first
         * curve from a sample with positive slope g, and to larger positions s from a sample with negative slope. */
        if (g[0] <= 0.0 || g[1] <= 0.0)
            add_unclear(list, at, k);
        if (g[0] > 0.0 || g[1] > 0.0)
            add_unclear(list, at, k + 1);
    }
}

/* Adds the sample k, where a branch of the valley ends, as a start point if the slope g along the valley may be zero between the
 * sample k and the end of the branch. `sign`: 1 if the branch ends after the sample k, -1 if the branch begins before the sample
 * k. */
static void search_end(const cst_valley *valley, const samples *at, int k, double sign, start_list *list)
{
    const int before = sign > 0.0 ? k - 1 : k + 1;
    const bool alone = !linked(at, sign > 0.0 ? k - 1 : k);
    const double slack = alone ? INFINITY : valley->slack + fabs(at->g[k] - at->g[before]);
    if (!is_outside(at->t[k]) && at->away[k] < valley->reach + FASTEST * at->step * valley->h[list->first] &&
        sign * at->g[k] < slack)
        add_unclear(list, at, k);
}

/* Adds start points for the sample k if Newton's method has not reached the nearest point of the second curve, or if several
 * points of the second curve are locally nearest. `most`: largest distance (m). */
static void search_row(const samples *at, int k, double most, start_list *list)
{
    list->clear = false;
    if (at->rough[k])
        add_start(list, at->s[k], at->t[k]);
    for (int j = 0; j < COLUMNS && at->several[k]; ++j) {
        const double here = at->grid[j][k];
        if (here < most * most && !is_outside(at->column[j]) && !(j > 0 && at->grid[j - 1][k] <= here) &&
            !(j + 1 < COLUMNS && at->grid[j + 1][k] < here))
            add_start(list, at->s[k], at->column[j]);
    }
}

/* Samples the valley of the distance at LANES * `blocks` positions of the first curve and finds its start points. Returns false
 * if the samples do not show clearly where minima are. */
INLINE bool find_starts(const cst_valley *valley, int blocks, start_list *list)
{
    const int first = list->first;
    const double from = fmax(valley->low[first], -WITHIN), to = fmin(valley->high[first], 1.0 + WITHIN);
    const double width = (valley->high[1 - first] - valley->low[1 - first]) / (COLUMNS - 1);
    samples at;
    at.step = (to - from) / (LANES * blocks - 1);
    const double most = valley->reach + 0.5 * FASTEST * (at.step * valley->h[first] + width * valley->h[1 - first]);
    list->count = 0;
    list->clear = true;
    if (!sample(valley, first, blocks, from, to, most, &at))
        return true;
    for (int k = 0; k < LANES * blocks; ++k) {
        if (!at.clear && (at.rough[k] || at.several[k]))
            search_row(&at, k, most, list);
        if (at.on[k] && k > 0 && !linked(&at, k - 1))
            search_end(valley, &at, k, -1.0, list);
        if (linked(&at, k))
            search_between(valley, &at, k, list);
        else if (at.on[k] && k + 1 < LANES * blocks)
            search_end(valley, &at, k, 1.0, list);
    }
    return list->clear;
}

CST_MULTIVERSION int cst_valley_nearest(const cst_quartics *quartic, int i, const double *x, double low, double high,
                                        double reach, double level, double *start)
{
    double away[COLUMNS], u[COLUMNS], edge[2] = {0.0, 0.0};
    for (int b = 0; b < COLUMNS / LANES; ++b) {
        lanes t, y[3], d[3], r[3], square, slope;
        spread_out(low, high, b * LANES, COLUMNS, &t);
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

CST_MULTIVERSION static bool find_few(const cst_valley *valley, start_list *list)
{
    return find_starts(valley, FEW / LANES, list);
}

CST_MULTIVERSION static bool find_many(const cst_valley *valley, start_list *list)
{
    return find_starts(valley, MANY / LANES, list);
}

int cst_valley_starts(const cst_valley *valley, double start[][2])
{
    start_list list = {.start = start, .first = valley->h[0] <= valley->h[1] ? 0 : 1, .count = 0};
    if (!(valley->h[list.first] > 0.0))
        return 0;
    if (!find_few(valley, &list))
        find_many(valley, &list);
    assert(list.count <= CST_VALLEY_STARTS);
    return list.count;
}
