#include "collide/slope_triangle.h"

#include <math.h>
#include <stddef.h>

#include "base/simd.h"
#include "base/sorted.h"
#include "math/vector3.h"

enum { CROSSINGS = 10 };

typedef struct straight {
    const cst_laid_triangle *triangle;
    const double *x0, *d;
    double length; /* |d| */
} straight;

static void place(const straight *line, double u, double *x)
{
    for (int k = 0; k < 3; ++k)
        x[k] = line->x0[k] + u * line->d[k];
}

/* Returns the slope of the distance to the triangle at the position u of the line: the derivative with respect to the length
 * along the line. `nearest`: NULL, or receives the nearest point of the triangle. */
static double slope_at(const straight *line, double u, cst_on_triangle *nearest)
{
    double x[3], n[3];
    place(line, u, x);
    const cst_on_triangle at = cst_point_laid_triangle(x, line->triangle);
    if (nearest)
        *nearest = at;
    cst_subtract3(x, at.x, n);
    const double distance = sqrt(cst_dot3(n, n)), size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    /* on the triangle: slope 0 */
    return distance > 1e-12 * size ? cst_dot3(n, line->d) / (distance * line->length) : 0.0;
}

/* One coordinate of all edges. */
typedef double lanes __attribute__((vector_size(8 * CST_EDGE_LANES), aligned(8), may_alias));

/* Computes the positions u at which the line crosses the nine planes of slope_triangle.h; for a plane parallel to the line, the
 * position is NaN or infinite. */
CST_MULTIVERSION static void find_crossings(const straight *line, double u[3][CST_EDGE_LANES])
{
    const cst_laid_triangle *of = line->triangle;
    const double *x = line->x0, *d = line->d, *n = of->area;
    const lanes ex = *(const lanes *)of->along[0], ey = *(const lanes *)of->along[1], ez = *(const lanes *)of->along[2];
    const lanes fx = x[0] - *(const lanes *)of->from[0], fy = x[1] - *(const lanes *)of->from[1];
    const lanes fz = x[2] - *(const lanes *)of->from[2];
    const lanes ax = ey * n[2] - ez * n[1], ay = ez * n[0] - ex * n[2], az = ex * n[1] - ey * n[0];
    const lanes along = fx * ex + fy * ey + fz * ez, goes = d[0] * ex + d[1] * ey + d[2] * ez;
    *(lanes *)u[0] = (0.0 - (fx * ax + fy * ay + fz * az)) / (d[0] * ax + d[1] * ay + d[2] * az);
    *(lanes *)u[1] = (0.0 - along) / goes;
    *(lanes *)u[2] = (*(const lanes *)of->squares - along) / goes;
}

/* Lists, in increasing order, the positions between low and high at which the line crosses the plane of the triangle or one of
 * the nine planes of slope_triangle.h. Returns their number. */
static int list_crossings(const straight *line, double low, double high, double *out)
{
    double u[3][CST_EDGE_LANES], from[3];
    int count = 0;
    find_crossings(line, u);
    for (int i = 0; i < 9; ++i) {
        const double here = u[i / 3][i % 3];
        if (here > low && here < high)
            count = cst_sorted_insert(out, count, here);
    }
    cst_subtract3(line->x0, line->triangle->corner, from);
    const double pierces = (0.0 - cst_dot3(from, line->triangle->area)) / cst_dot3(line->d, line->triangle->area);
    return pierces > low && pierces < high ? cst_sorted_insert(out, count, pierces) : count;
}

/* Returns the position on the line, between low and high, where the slope of the distance to the triangle equals `target`.
 * Between low and high, the nearest part of the triangle is the edge that starts at the corner p or, if `edge` is NULL, the
 * corner p. */
static double passes_beside(const straight *line, const double *p, const double *edge, double square, double target, double low,
                            double high)
{
    double w[3], e[3];
    cst_subtract3(line->x0, p, w);
    for (int k = 0; k < 3; ++k)
        e[k] = line->d[k];
    if (edge) {
        cst_add3(-cst_dot3(w, edge) / square, edge, w);
        cst_add3(-cst_dot3(e, edge) / square, edge, e);
    }
    const double m = cst_dot3(e, e), tl = target * line->length;
    if (!(m > tl * tl))
        return high;
    const double u0 = -cst_dot3(w, e) / m;
    cst_add3(u0, e, w);
    const double u = u0 + tl * sqrt(cst_dot3(w, w) / (m * (m - tl * tl)));
    return u < low ? low : u > high ? high : u;
}

double cst_triangle_slope_passes(const cst_laid_triangle *triangle, const double *x0, const double *d, double low, double high,
                                 double target)
{
    const straight line = {.triangle = triangle, .x0 = x0, .d = d, .length = sqrt(cst_dot3(d, d))};
    double u[CROSSINGS];
    const int count = list_crossings(&line, low, high, u);
    int from = 0, to = count; /* bisection for the first crossing */
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (slope_at(&line, u[middle], NULL) < target)
            from = middle + 1;
        else
            to = middle;
    }
    low = from > 0 ? u[from - 1] : low;
    high = from < count ? u[from] : high;
    cst_on_triangle at;
    const double slope = slope_at(&line, 0.5 * (low + high), &at);
    /* where the face is the nearest part, the slope of the distance is constant between low and high, so it can pass `target`
     * only by a jump at low or at high */
    if (at.part == CST_TRIANGLE_FACE)
        return slope < target ? high : low;
    const int k = at.part < CST_TRIANGLE_CORNER ? at.part - CST_TRIANGLE_EDGE : at.part - CST_TRIANGLE_CORNER;
    const double *edge = at.part < CST_TRIANGLE_CORNER ? triangle->edge[k] : NULL;
    return passes_beside(&line, triangle->corner + 3 * k, edge, triangle->square[k], target, low, high);
}
