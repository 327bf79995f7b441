#include "collide/distance_triangle.h"

#include "collide/distance_segment.h"
#include "math/vector3.h"

void cst_lay_triangle(const double *corner, cst_laid_triangle *out)
{
    double u[3], v[3];
    for (int i = 0; i < 9; ++i)
        out->corner[i] = corner[i];
    for (int k = 0; k < 3; ++k) {
        cst_subtract3(corner + 3 * ((k + 1) % 3), corner + 3 * k, out->edge[k]);
        out->square[k] = cst_dot3(out->edge[k], out->edge[k]);
    }
    cst_subtract3(corner + 3, corner, u);
    cst_subtract3(corner + 6, corner, v);
    cst_cross3(u, v, out->area);
    out->has_area = cst_dot3(out->area, out->area) > 1e-28 * cst_dot3(u, u) * cst_dot3(v, v);
    for (int k = 0; k < 3; ++k)
        out->normal[k] = out->area[k];
    cst_normalise3(out->normal);
}

/* Finds the nearest of the three edges. Squared distances are compared; if their roots are equal, the first edge is taken. */
static cst_on_triangle nearest_edge(const double *x, const cst_laid_triangle *triangle)
{
    cst_on_triangle out = {.distance = INFINITY};
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const double *from = triangle->corner + 3 * k, *edge = triangle->edge[k];
        double foot[3], away[3];
        cst_subtract3(x, from, away);
        const double along = triangle->square[k] > 0.0 ? cst_dot3(away, edge) / triangle->square[k] : 0.0;
        const double s = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
        for (int i = 0; i < 3; ++i)
            foot[i] = from[i] + s * edge[i];
        cst_subtract3(x, foot, away);
        const double square = cst_dot3(away, away);
        if (!(square < least))
            continue;
        const double distance = sqrt(square);
        if (distance < out.distance) {
            least = square;
            out.distance = distance;
            out.part = s > 0.0 && s < 1.0 ? CST_TRIANGLE_EDGE + k : CST_TRIANGLE_CORNER + (s > 0.0 ? (k + 1) % 3 : k);
            for (int i = 0; i < 3; ++i)
                out.x[i] = foot[i];
        }
    }
    return out;
}

/* Returns true if x, projected along the area vector, is inside the triangle. */
static bool over_face(const double *x, const cst_laid_triangle *triangle)
{
    for (int k = 0; k < 3; ++k) {
        double to[3], side[3];
        cst_subtract3(x, triangle->corner + 3 * k, to);
        cst_cross3(triangle->edge[k], to, side);
        if (cst_dot3(side, triangle->area) < 0.0)
            return false;
    }
    return true;
}

cst_on_triangle cst_point_laid_triangle(const double *x, const cst_laid_triangle *triangle)
{
    if (!triangle->has_area || !over_face(x, triangle))
        return nearest_edge(x, triangle);
    cst_on_triangle out = {.part = CST_TRIANGLE_FACE};
    double to[3];
    cst_subtract3(x, triangle->corner, to);
    const double length = cst_dot3(to, triangle->normal);
    for (int i = 0; i < 3; ++i)
        out.x[i] = x[i] - length * triangle->normal[i];
    out.distance = fabs(length);
    return out;
}

cst_on_triangle cst_point_triangle(const double *x, const double *corner)
{
    cst_laid_triangle triangle;
    cst_lay_triangle(corner, &triangle);
    return cst_point_laid_triangle(x, &triangle);
}

double cst_segment_laid_triangle(const double *p0, const double *p1, const cst_laid_triangle *triangle, double *s)
{
    const double *corner = triangle->corner, *n = triangle->area;
    double least = INFINITY;
    if (triangle->has_area) {
        double to0[3], to1[3];
        cst_subtract3(p0, corner, to0);
        cst_subtract3(p1, corner, to1);
        const double h0 = cst_dot3(to0, n), h1 = cst_dot3(to1, n), length = sqrt(cst_dot3(n, n));
        if ((h0 < 0.0) != (h1 < 0.0)) {
            const double at = h0 / (h0 - h1);
            const double x[3] = {p0[0] + at * (p1[0] - p0[0]), p0[1] + at * (p1[1] - p0[1]), p0[2] + at * (p1[2] - p0[2])};
            if (over_face(x, triangle)) {
                *s = at;
                return 0.0;
            }
        }
        if (over_face(p0, triangle)) {
            least = fabs(h0) / length;
            *s = 0.0;
        }
        if (fabs(h1) / length < least && over_face(p1, triangle)) {
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

double cst_segment_triangle(const double *p0, const double *p1, const double *corner, double *s)
{
    cst_laid_triangle triangle;
    cst_lay_triangle(corner, &triangle);
    return cst_segment_laid_triangle(p0, p1, &triangle, s);
}
