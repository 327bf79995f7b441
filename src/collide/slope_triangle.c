#include "collide/slope_triangle.h"

#include <math.h>
#include <stddef.h>

#include "base/sorted.h"
#include "math/vector3.h"

enum { CROSSINGS = 10 };

typedef struct straight {
    const cst_laid_triangle *triangle;
    const double *x0, *d;
    double length; /* of d */
} straight;

static void place(const straight *line, double u, double *x)
{
    for (int k = 0; k < 3; ++k)
        x[k] = line->x0[k] + u * line->d[k];
}

/* `nearest`: NULL, or receives the nearest point. */
static double slope_at(const straight *line, double u, cst_on_triangle *nearest)
{
    double x[3], n[3];
    place(line, u, x);
    const cst_on_triangle at = cst_point_laid_triangle(x, line->triangle);
    if (nearest)
        *nearest = at;
    cst_subtract3(x, at.x, n);
    const double distance = sqrt(cst_dot3(n, n)), size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    /* On the triangle, n is only rounding. The distance has its minimum there. */
    return distance > 1e-12 * size ? cst_dot3(n, line->d) / (distance * line->length) : 0.0;
}

/* If the line crosses the plane dot(n, x - p) = at between low and high, inserts the crossing into the sorted list u. Returns the
 * new count. */
static int add_crossing(const straight *line, const double *p, const double *n, double at, double low, double high, double *u,
                        int count)
{
    double from[3];
    cst_subtract3(line->x0, p, from);
    const double here = (at - cst_dot3(from, n)) / cst_dot3(line->d, n);
    /* the comparison is also false if the line is parallel to the plane */
    return here > low && here < high ? cst_sorted_insert(u, count, here) : count;
}

/* Returns where the slope equals `target` beside an edge (NULL: a corner) at p, clamped to the part of the line from low to high. */
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
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const double *p = triangle->corner + 3 * k, *edge = triangle->edge[k];
        double across[3];
        cst_cross3(edge, triangle->area, across);
        count = add_crossing(&line, p, across, 0.0, low, high, u, count);
        count = add_crossing(&line, p, edge, 0.0, low, high, u, count);
        count = add_crossing(&line, p, edge, triangle->square[k], low, high, u, count);
    }
    count = add_crossing(&line, triangle->corner, triangle->area, 0.0, low, high, u, count);
    int from = 0, to = count; /* bisection: finds the first crossing where the slope is not below the target */
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
    if (at.part == CST_TRIANGLE_FACE) /* the slope jumps at one end of the interval, or only rounding is left */
        return slope < target ? high : low;
    const int k = at.part < CST_TRIANGLE_CORNER ? at.part - CST_TRIANGLE_EDGE : at.part - CST_TRIANGLE_CORNER;
    const double *edge = at.part < CST_TRIANGLE_CORNER ? triangle->edge[k] : NULL;
    return passes_beside(&line, triangle->corner + 3 * k, edge, triangle->square[k], target, low, high);
}
