#include "rigid/polygon.h"

#include <math.h>

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* The polygon is a signed sum of triangles, each between the first corner and an edge of the polygon. The area of a triangle, and
 * its moments about the first corner, follow from the vectors p and q from the first corner to the two ends of the edge:
 *     `area = c/2`.
 *     `first = c*(p+q)/6`.
 *     `polar = c*(p.p+p.q+q.q)/12`.
 *     `c = p x q`.
 *     `p`, `q`: ends of the edge. */
cst_polygon_measure cst_polygon_measure_of(const double *corner, int corners)
{
    double twice_area = 0.0, first[2] = {0.0, 0.0}, polar = 0.0;
    for (int i = 1; i + 1 < corners; i++) {
        const double px = corner[2 * i] - corner[0], py = corner[2 * i + 1] - corner[1];
        const double qx = corner[2 * i + 2] - corner[0], qy = corner[2 * i + 3] - corner[1];
        const double c = cross(px, py, qx, qy);
        twice_area += c;
        first[0] += c * (px + qx) / 6.0;
        first[1] += c * (py + qy) / 6.0;
        polar += c * (px * px + py * py + px * qx + py * qy + qx * qx + qy * qy) / 12.0;
    }
    const double area = 0.5 * twice_area, x = first[0] / area, y = first[1] / area;
    return (cst_polygon_measure){
        .area = area, .centroid = {corner[0] + x, corner[1] + y}, .gyration2 = polar / area - (x * x + y * y)};
}

/* Returns a positive number if `point` is left of the line from a to b, a negative number if it is right of this line, and 0 if
 * it is on this line. */
static double side(const double *a, const double *b, const double *point)
{
    return cross(b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]);
}

static bool between(const double *a, const double *b, const double *point)
{
    return fmin(a[0], b[0]) <= point[0] && point[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= point[1] &&
           point[1] <= fmax(a[1], b[1]);
}

static bool meet(const double *a, const double *b, const double *c, const double *d)
{
    const double c_side = side(a, b, c), d_side = side(a, b, d), a_side = side(c, d, a), b_side = side(c, d, b);
    if (((c_side > 0.0 && d_side < 0.0) || (c_side < 0.0 && d_side > 0.0)) &&
        ((a_side > 0.0 && b_side < 0.0) || (a_side < 0.0 && b_side > 0.0)))
        return true;
    return (c_side == 0.0 && between(a, b, c)) || (d_side == 0.0 && between(a, b, d)) || (a_side == 0.0 && between(c, d, a)) ||
           (b_side == 0.0 && between(c, d, b));
}

/* Returns true if the edge from b to c runs back along the edge from a to b. */
static bool folds_back(const double *a, const double *b, const double *c)
{
    return side(a, b, c) == 0.0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) >= 0.0;
}

bool cst_polygon_is_simple(const double *corner, int corners, int *first, int *second)
{
    for (int i = 0; i < corners; i++) {
        const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % corners);
        for (int j = i + 1; j < corners; j++) {
            const double *c = corner + 2 * j, *d = corner + 2 * ((j + 1) % corners);
            bool bad;
            if (j == i + 1)
                bad = folds_back(a, b, d);
            else if (i == 0 && j == corners - 1)
                bad = folds_back(c, a, b);
            else
                bad = meet(a, b, c, d);
            if (bad) {
                *first = i;
                *second = j;
                return false;
            }
        }
    }
    return true;
}
