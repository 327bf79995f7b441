#include "collide/distance_segment.h"

#include <float.h>

#include "math/vector3.h"

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x; /* returns NaN if x is NaN */
}

double cst_point_segment(const double *x, const double *p0, const double *p1)
{
    double d[3], w[3];
    cst_subtract3(p1, p0, d);
    cst_subtract3(x, p0, w);
    const double dd = cst_dot3(d, d);
    return dd > 0.0 ? clamp(cst_dot3(w, d) / dd) : 0.0;
}

typedef struct pair_view {
    double d1[3], d2[3], w[3];
} pair_view;

static double squared_at(const pair_view *v, double s, double t)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double x = v->w[k] + s * v->d1[k] - t * v->d2[k];
        sum += x * x;
    }
    return sum;
}

/* Computes the overlap of two parallel segments p and q: the part of p whose nearest points on the line of q lie on q. Returns
 * false if the overlap is a point or empty. */
static bool overlap_of(double b, double dd2, double e, cst_segments *out)
{
    /* `0 <= (b*s+e)/dd2 <= 1` */
    double low = -e / b, high = (dd2 - e) / b;
    if (low > high) {
        const double swap = low;
        low = high;
        high = swap;
    }
    low = fmax(low, 0.0);
    high = fmin(high, 1.0);
    if (!(high - low > 1e-12))
        return false;
    out->from[0] = low;
    out->to[0] = high;
    out->from[1] = clamp((b * low + e) / dd2);
    out->to[1] = clamp((b * high + e) / dd2);
    return true;
}

cst_segments cst_segment_segment(const double *p0, const double *p1, const double *q0, const double *q1)
{
    pair_view v;
    cst_subtract3(p1, p0, v.d1);
    cst_subtract3(q1, q0, v.d2);
    cst_subtract3(p0, q0, v.w);
    const double dd1 = cst_dot3(v.d1, v.d1), dd2 = cst_dot3(v.d2, v.d2), b = cst_dot3(v.d1, v.d2);
    const double c = cst_dot3(v.d1, v.w), e = cst_dot3(v.d2, v.w);
    cst_segments out = {.s = 0.0, .t = 0.0};
    if (!(dd1 > 0.0) || !(dd2 > 0.0)) { /* a segment of length 0 */
        out.s = dd1 > 0.0 ? clamp(-c / dd1) : 0.0;
        out.t = dd2 > 0.0 ? clamp(e / dd2) : 0.0;
        out.distance = sqrt(squared_at(&v, out.s, out.t));
        return out;
    }
    /* The determinant d1.d1 d2.d2 - (d1.d2)^2 of the linear system for the positions s and t is computed as the squared cross
     * product of the segments' directions d1 and d2, which is accurate also for nearly parallel segments. */
    double across[3];
    cst_cross3(v.d1, v.d2, across);
    const double det = cst_dot3(across, across), scale = dd1 * dd2;
    double s = 0.0, t = 0.0, least = INFINITY;
    if (det > 1e-28 * scale) {
        s = clamp((b * e - c * dd2) / det);
        t = clamp((b * s + e) / dd2);
        s = clamp((b * t - c) / dd1);
        least = squared_at(&v, s, t);
    }
    /* nearly parallel segments */
    if (!(det > 1e-6 * scale)) {
        const double edge[4][2] = {
            {0.0, clamp(e / dd2)}, {1.0, clamp((b + e) / dd2)}, {clamp(-c / dd1), 0.0}, {clamp((b - c) / dd1), 1.0}};
        for (int i = 0; i < 4; ++i) {
            const double here = squared_at(&v, edge[i][0], edge[i][1]);
            if (here < least) {
                least = here;
                s = edge[i][0];
                t = edge[i][1];
            }
        }
    }
    out.s = s;
    out.t = t;
    out.distance = sqrt(least);
    if (det <= 1e-20 * scale && overlap_of(b, dd2, e, &out)) {
        /* If the distance at both ends of the overlap equals the least distance of the segments, up to rounding, it is constant
         * along the overlap. */
        const double level = 8.0 * DBL_EPSILON * (dd1 + dd2 + cst_dot3(v.w, v.w));
        const double at_from = squared_at(&v, out.from[0], out.from[1]), at_to = squared_at(&v, out.to[0], out.to[1]);
        if (fmax(at_from, at_to) <= least + level) {
            out.parallel = true;
            out.s = 0.5 * (out.from[0] + out.to[0]);
            out.t = 0.5 * (out.from[1] + out.to[1]);
            out.distance = sqrt(squared_at(&v, out.s, out.t));
        }
    }
    return out;
}
