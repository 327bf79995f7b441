#include "collide/distance_triangle.h"

#include "collide/distance_segment.h"
#include "math/vector3.h"

/* Nearest of the three edges. */
static cst_on_triangle nearest_edge(const double *x, const double *corner)
{
    cst_on_triangle out = {.distance = INFINITY};
    for (int k = 0; k < 3; ++k) {
        const double *from = corner + 3 * k, *to = corner + 3 * ((k + 1) % 3);
        const double s = cst_point_segment(x, from, to);
        double foot[3], away[3];
        for (int i = 0; i < 3; ++i)
            foot[i] = from[i] + s * (to[i] - from[i]);
        cst_subtract3(x, foot, away);
        const double distance = sqrt(cst_dot3(away, away));
        if (distance < out.distance) {
            out.distance = distance;
            out.part = s > 0.0 && s < 1.0 ? CST_TRIANGLE_EDGE + k : CST_TRIANGLE_CORNER + (s > 0.0 ? (k + 1) % 3 : k);
            for (int i = 0; i < 3; ++i)
                out.x[i] = foot[i];
        }
    }
    return out;
}

/* Twice the area vector; false if there is none. */
static bool area_of(const double *corner, double *n)
{
    double u[3], v[3];
    cst_subtract3(corner + 3, corner, u);
    cst_subtract3(corner + 6, corner, v);
    cst_cross3(u, v, n);
    return cst_dot3(n, n) > 1e-28 * cst_dot3(u, u) * cst_dot3(v, v);
}

/* Is x, projected along n, within the triangle? */
static bool over_face(const double *x, const double *corner, const double *n)
{
    for (int k = 0; k < 3; ++k) {
        double edge[3], to[3], side[3];
        cst_subtract3(corner + 3 * ((k + 1) % 3), corner + 3 * k, edge);
        cst_subtract3(x, corner + 3 * k, to);
        cst_cross3(edge, to, side);
        if (cst_dot3(side, n) < 0.0)
            return false;
    }
    return true;
}

cst_on_triangle cst_point_triangle(const double *x, const double *corner)
{
    double n[3];
    if (!area_of(corner, n) || !over_face(x, corner, n))
        return nearest_edge(x, corner);
    cst_on_triangle out = {.part = CST_TRIANGLE_FACE};
    double to[3];
    cst_subtract3(x, corner, to);
    const double length = cst_normalise3(n) > 0.0 ? cst_dot3(to, n) : 0.0;
    for (int i = 0; i < 3; ++i)
        out.x[i] = x[i] - length * n[i];
    out.distance = fabs(length);
    return out;
}

double cst_segment_triangle(const double *p0, const double *p1, const double *corner, double *s)
{
    double n[3], least = INFINITY;
    if (area_of(corner, n)) {
        double to0[3], to1[3];
        cst_subtract3(p0, corner, to0);
        cst_subtract3(p1, corner, to1);
        const double h0 = cst_dot3(to0, n), h1 = cst_dot3(to1, n), length = sqrt(cst_dot3(n, n));
        if ((h0 < 0.0) != (h1 < 0.0)) {
            const double at = h0 / (h0 - h1);
            const double x[3] = {p0[0] + at * (p1[0] - p0[0]), p0[1] + at * (p1[1] - p0[1]), p0[2] + at * (p1[2] - p0[2])};
            if (over_face(x, corner, n)) {
                *s = at;
                return 0.0;
            }
        }
        if (over_face(p0, corner, n)) {
            least = fabs(h0) / length;
            *s = 0.0;
        }
        if (fabs(h1) / length < least && over_face(p1, corner, n)) {
            least = fabs(h1) / length;
            *s = 1.0;
        }
    }
    for (int k = 0; k < 3; ++k) {
        const cst_segments at = cst_segment_segment(p0, p1, corner + 3 * k, corner + 3 * ((k + 1) % 3));
        if (at.distance < least) {
            least = at.distance;
            *s = at.s;
        }
    }
    return least;
}
