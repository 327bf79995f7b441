#include "worlds/swept.h"

#include <math.h>

static void minus(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[c] - b[c];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* What goes through the joint of two chords goes through one of them at least, whatever rounding says. */
static const double JOINT = 1e-9;

static double clamp01(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* Do the boxes that two sets of moving points sweep meet? */
static bool boxes_meet(const cst_moving *a, int na, const cst_moving *b, int nb)
{
    for (int c = 0; c < 3; c++) {
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int i = 0; i < na + nb; i++) {
            const cst_moving *at = i < na ? a + i : b + (i - na);
            const int side = i < na ? 0 : 1;
            low[side] = fmin(low[side], fmin(at->before[c], at->after[c]));
            high[side] = fmax(high[side], fmax(at->before[c], at->after[c]));
        }
        if (low[0] > high[1] || low[1] > high[0])
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- point, triangle */

/* x = corner + s e1 + t e2 + height n. False: the triangle has no area. */
static bool in_frame(const double *x, const double *a, const double *b, const double *c, double *s, double *t, double *height)
{
    double e1[3], e2[3], n[3], d[3];
    minus(b, a, e1);
    minus(c, a, e2);
    cross(e1, e2, n);
    const double area = sqrt(dot(n, n));
    if (!(area > 0.0))
        return false;
    minus(x, a, d);
    *height = dot(d, n) / area;
    const double a11 = dot(e1, e1), a12 = dot(e1, e2), a22 = dot(e2, e2), b1 = dot(d, e1), b2 = dot(d, e2);
    const double det = a11 * a22 - a12 * a12;
    *s = (b1 * a22 - b2 * a12) / det;
    *t = (a11 * b2 - a12 * b1) / det;
    return true;
}

bool cst_swept_point_triangle(cst_moving point, const cst_moving corner[3])
{
    double s[2], t[2], h[2];
    if (!boxes_meet(&point, 1, corner, 3) ||
        !in_frame(point.before, corner[0].before, corner[1].before, corner[2].before, s, t, h) ||
        !in_frame(point.after, corner[0].after, corner[1].after, corner[2].after, s + 1, t + 1, h + 1) ||
        (h[0] > 0.0) == (h[1] > 0.0))
        return false;
    const double at = h[0] / (h[0] - h[1]), along = s[0] + at * (s[1] - s[0]), across = t[0] + at * (t[1] - t[0]);
    return along >= -JOINT && across >= -JOINT && along + across <= 1.0 + JOINT;
}

bool cst_swept_point_segment(cst_moving point, const cst_moving end[2])
{
    double s[2], h[2];
    if (!boxes_meet(&point, 1, end, 2))
        return false;
    for (int k = 0; k < 2; k++) {
        const double *a = k == 0 ? end[0].before : end[0].after, *b = k == 0 ? end[1].before : end[1].after;
        const double *x = k == 0 ? point.before : point.after;
        const double e[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {x[0] - a[0], x[1] - a[1]}, l2 = e[0] * e[0] + e[1] * e[1];
        if (!(l2 > 0.0))
            return false;
        s[k] = (d[0] * e[0] + d[1] * e[1]) / l2;
        h[k] = e[0] * d[1] - e[1] * d[0];
    }
    if ((h[0] > 0.0) == (h[1] > 0.0))
        return false;
    const double along = s[0] + h[0] / (h[0] - h[1]) * (s[1] - s[0]);
    return along >= -JOINT && along <= 1.0 + JOINT;
}

/* --------------------------------------------------------------------------------------------------------- segment, segment */

static void place_at(cst_moving of, double time, double *x)
{
    for (int c = 0; c < 3; c++)
        x[c] = of.before[c] + time * (of.after[c] - of.before[c]);
}

static double volume_at(const cst_moving p[2], const cst_moving q[2], double time)
{
    double x[4][3], e[3], f[3], d[3], n[3];
    for (int k = 0; k < 2; k++) {
        place_at(p[k], time, x[k]);
        place_at(q[k], time, x[2 + k]);
    }
    minus(x[1], x[0], e);
    minus(x[3], x[2], f);
    minus(x[2], x[0], d);
    cross(e, f, n);
    return dot(n, d);
}

/* Where the sign changes between two times. */
static double bisect(const cst_moving p[2], const cst_moving q[2], double low, double high)
{
    const bool sign = volume_at(p, q, low) > 0.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if ((volume_at(p, q, middle) > 0.0) == sign)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* At a time when they lie in one plane: do the lines meet within both? */
static bool meet_at(const cst_moving p[2], const cst_moving q[2], double time)
{
    double x[4][3], e[3], f[3], d[3];
    for (int k = 0; k < 2; k++) {
        place_at(p[k], time, x[k]);
        place_at(q[k], time, x[2 + k]);
    }
    minus(x[1], x[0], e);
    minus(x[3], x[2], f);
    minus(x[2], x[0], d);
    const double a11 = dot(e, e), a12 = -dot(e, f), a22 = dot(f, f), b1 = dot(d, e), b2 = -dot(d, f);
    const double det = a11 * a22 - a12 * a12;
    if (!(det > 1e-12 * a11 * a22)) /* parallel: the neighbours decide */
        return false;
    const double s = (b1 * a22 - b2 * a12) / det, t = (a11 * b2 - a12 * b1) / det;
    return s >= -JOINT && s <= 1.0 + JOINT && t >= -JOINT && t <= 1.0 + JOINT;
}

/* A cubic has at most two turning points: between them its sign changes at most once. */
bool cst_swept_segments(const cst_moving p[2], const cst_moving q[2])
{
    if (!boxes_meet(p, 2, q, 2))
        return false;
    const double f0 = volume_at(p, q, 0.0), f1 = volume_at(p, q, 1.0), m1 = volume_at(p, q, -1.0), f2 = volume_at(p, q, 2.0);
    const double c3 = (f2 - 3.0 * f1 + 3.0 * f0 - m1) / 6.0, c2 = 0.5 * (f1 + m1) - f0, c1 = f1 - f0 - c2 - c3;
    double cut[4] = {0.0, 1.0, 1.0, 1.0};
    int cuts = 1;
    const double disc = c2 * c2 - 3.0 * c3 * c1;
    if (disc > 0.0) {
        const double root = sqrt(disc), w = -(c2 + (c2 > 0.0 ? root : -root));
        double turn[2] = {c3 != 0.0 ? w / (3.0 * c3) : -1.0, w != 0.0 ? c1 / w : -1.0};
        if (turn[0] > turn[1]) {
            const double swap = turn[0];
            turn[0] = turn[1];
            turn[1] = swap;
        }
        for (int k = 0; k < 2; k++)
            if (turn[k] > cut[cuts - 1] && turn[k] < 1.0)
                cut[cuts++] = turn[k];
    }
    cut[cuts] = 1.0;
    for (int k = 0; k < cuts; k++)
        if ((volume_at(p, q, cut[k]) > 0.0) != (volume_at(p, q, cut[k + 1]) > 0.0) &&
            meet_at(p, q, bisect(p, q, cut[k], cut[k + 1])))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------------------------ distances */

static double point_segment(const double *x, const double *a, const double *b)
{
    double e[3], d[3];
    minus(b, a, e);
    minus(x, a, d);
    const double l2 = dot(e, e), s = l2 > 0.0 ? clamp01(dot(d, e) / l2) : 0.0;
    for (int c = 0; c < 3; c++)
        d[c] -= s * e[c];
    return sqrt(dot(d, d));
}

double cst_apart_segments(const double *p0, const double *p1, const double *q0, const double *q1)
{
    double e[3], f[3], d[3],
        least = fmin(fmin(point_segment(p0, q0, q1), point_segment(p1, q0, q1)),
                     fmin(point_segment(q0, p0, p1), point_segment(q1, p0, p1)));
    minus(p1, p0, e);
    minus(q1, q0, f);
    minus(q0, p0, d);
    const double a11 = dot(e, e), a12 = -dot(e, f), a22 = dot(f, f), b1 = dot(d, e), b2 = -dot(d, f);
    const double det = a11 * a22 - a12 * a12;
    if (!(det > 1e-12 * a11 * a22))
        return least;
    const double s = (b1 * a22 - b2 * a12) / det, t = (a11 * b2 - a12 * b1) / det;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0)
        return least;
    for (int c = 0; c < 3; c++)
        d[c] += t * f[c] - s * e[c];
    return fmin(least, sqrt(dot(d, d)));
}

double cst_apart_point_triangle(const double *x, const double *a, const double *b, const double *c)
{
    double s, t, height;
    if (in_frame(x, a, b, c, &s, &t, &height) && s >= 0.0 && t >= 0.0 && s + t <= 1.0)
        return fabs(height);
    return fmin(point_segment(x, a, b), fmin(point_segment(x, b, c), point_segment(x, c, a)));
}
