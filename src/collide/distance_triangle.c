#include "collide/distance_triangle.h"

#include <stdint.h>

#include "base/simd.h"
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
    for (int i = 0; i < CST_EDGE_LANES; ++i) {
        for (int c = 0; c < 3; ++c) {
            out->from[c][i] = corner[3 * (i % 3) + c];
            out->along[c][i] = out->edge[i % 3][c];
        }
        out->squares[i] = out->square[i % 3];
    }
}

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

/* Vector instructions test the three edges of a triangle together, because the tests of the edges take most of the time of a
 * distance computation. */
typedef double lanes __attribute__((vector_size(8 * CST_EDGE_LANES), aligned(8), may_alias));
typedef int64_t lane_bits __attribute__((vector_size(8 * CST_EDGE_LANES)));

/* Returns true if the projection of the point x onto the plane of the triangle lies inside the triangle. If the projection of x
 * lies outside the triangle, the function finds, on each of the three edges, the point `foot` nearest to x, its position `share`
 * along the edge (0 to 1), and its squared distance from x. */
CST_MULTIVERSION static bool look_at_edges(const double *x, const cst_laid_triangle *triangle, double *share,
                                           double foot[3][CST_EDGE_LANES], double *square)
{
    const lanes ex = *(const lanes *)triangle->along[0], ey = *(const lanes *)triangle->along[1];
    const lanes ez = *(const lanes *)triangle->along[2], squares = *(const lanes *)triangle->squares;
    const lanes px = *(const lanes *)triangle->from[0], py = *(const lanes *)triangle->from[1];
    const lanes pz = *(const lanes *)triangle->from[2], none = {0.0}, one = none + 1.0;
    const lanes tx = x[0] - px, ty = x[1] - py, tz = x[2] - pz;
    const double *n = triangle->area;
    const lane_bits outside = (ey * tz - ez * ty) * n[0] + (ez * tx - ex * tz) * n[1] + (ex * ty - ey * tx) * n[2] < none;
    if (triangle->has_area && !(outside[0] | outside[1] | outside[2]))
        return true;
    const lane_bits long_enough = squares > none;
    lanes s = (lanes)((lane_bits)((tx * ex + ty * ey + tz * ez) / squares) & long_enough);
    const lane_bits below = s<none, above = s> one;
    s = (lanes)((lane_bits)s & ~below & ~above) + (lanes)((lane_bits)one & above);
    const lanes fx = px + s * ex, fy = py + s * ey, fz = pz + s * ez;
    const lanes ax = x[0] - fx, ay = x[1] - fy, az = x[2] - fz;
    *(lanes *)share = s;
    *(lanes *)foot[0] = fx;
    *(lanes *)foot[1] = fy;
    *(lanes *)foot[2] = fz;
    *(lanes *)square = ax * ax + ay * ay + az * az;
    return false;
}

static cst_on_triangle nearest_edge(const double *share, double foot[3][CST_EDGE_LANES], const double *square)
{
    cst_on_triangle out = {.distance = INFINITY};
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        if (!(square[k] < least))
            continue;
        const double distance = sqrt(square[k]), s = share[k];
        if (distance < out.distance) {
            least = square[k];
            out.distance = distance;
            out.part = s > 0.0 && s < 1.0 ? CST_TRIANGLE_EDGE + k : CST_TRIANGLE_CORNER + (s > 0.0 ? (k + 1) % 3 : k);
            for (int i = 0; i < 3; ++i)
                out.x[i] = foot[i][k];
        }
    }
    return out;
}

cst_on_triangle cst_point_laid_triangle(const double *x, const cst_laid_triangle *triangle)
{
    double share[CST_EDGE_LANES], foot[3][CST_EDGE_LANES], square[CST_EDGE_LANES];
    if (!look_at_edges(x, triangle, share, foot, square))
        return nearest_edge(share, foot, square);
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
