#include "export/export_draw.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

enum { MERIDIANS = CST_EXPORT_CIRCLE / 2, BALL_TRIANGLES = 2 * CST_EXPORT_PARALLELS * MERIDIANS };

/* A hollow disk or a planar half-plane is exported as a thin curve, since a curve of radius zero would be invisible. LINE_SHARE:
 * radius of the thin curve that replaces a hollow disk or a planar half-plane, divided by the radius of the disk or by half the
 * length of the drawn line. */
static const double LINE_SHARE = 1e-3;

bool cst_export_draws_faces(int dim, cst_drawn_as as)
{
    return as == CST_DRAWN_MESH || as == CST_DRAWN_OUTLINE || as == CST_DRAWN_DISK || (as == CST_DRAWN_HALF_PLANE && dim == 3);
}

cst_export_size cst_export_draw_size(int dim, const cst_cache_item *item)
{
    const int n = item->vertices;
    switch (item->as) {
    case CST_DRAWN_CURVE:
        return (cst_export_size){n, n > 0, 0};
    case CST_DRAWN_OUTLINE:
        return n > 2 ? (cst_export_size){n, 1, n} : (cst_export_size){0};
    case CST_DRAWN_MESH:
        return (cst_export_size){n, item->triangles, 3 * item->triangles};
    case CST_DRAWN_HOLLOW_DISK:
        return n > 0 ? (cst_export_size){CST_EXPORT_CIRCLE, 1, 0} : (cst_export_size){0};
    case CST_DRAWN_DISK:
        if (dim == 2)
            return n > 1 ? (cst_export_size){CST_EXPORT_CIRCLE, 1, CST_EXPORT_CIRCLE} : (cst_export_size){0};
        return n > 2 ? (cst_export_size){CST_EXPORT_PARALLELS * MERIDIANS + 2, BALL_TRIANGLES, 3 * BALL_TRIANGLES}
                     : (cst_export_size){0};
    case CST_DRAWN_HALF_PLANE:
        if (n < 2)
            return (cst_export_size){0};
        return dim == 2 ? (cst_export_size){2, 1, 0} : (cst_export_size){4, 2, 6};
    }
    return (cst_export_size){0};
}

static void put_point(cst_export_drawing *at, const double point[3], double radius, const double *director)
{
    cst_export_shapes *shapes = at->shapes;
    memcpy(shapes->point + 3 * (size_t)at->points, point, 3 * sizeof(double));
    shapes->radius[at->points] = radius;
    for (int axis = 0; axis < 3; axis++)
        shapes->director[3 * (size_t)at->points + (size_t)axis] = director ? director[axis] : 0.0;
    at->points++;
}

static void put_part(cst_export_drawing *at, int count)
{
    at->shapes->part[at->parts++] = count;
}

static void put_corner(cst_export_drawing *at, int point)
{
    at->shapes->corner[at->corners++] = point;
}

static void put_triangle(cst_export_drawing *at, int a, int b, int c)
{
    put_part(at, 3);
    put_corner(at, a);
    put_corner(at, b);
    put_corner(at, c);
}

static void put_vertices(cst_export_drawing *at, const cst_cache_item *item)
{
    for (int k = 0; k < item->vertices; k++)
        put_point(at, item->vertex[k].position, item->vertex[k].radius, item->vertex[k].director);
}

static void put_polygon(cst_export_drawing *at, int count, int before)
{
    put_part(at, count);
    for (int k = 0; k < count; k++)
        put_corner(at, before + k);
}

/* Appends `count` points of a circle to the drawing; c is the centre, and a and b are two perpendicular vectors from the centre
 * to the circle. */
static void put_circle(cst_export_drawing *at, const double c[3], const double a[3], const double b[3], int count, double radius)
{
    for (int k = 0; k < count; k++) {
        const double angle = 2.0 * acos(-1.0) * k / count;
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = c[axis] + cos(angle) * a[axis] + sin(angle) * b[axis];
        put_point(at, point, radius, NULL);
    }
}

/* Draws a disk in the plane as a polygon. If the disk has a second vertex, the first corner of the polygon lies in the direction
 * of this vertex, so that the polygon shows the rotation of the disk. */
static void draw_disk(cst_export_drawing *at, const cst_cache_item *item, bool hollow)
{
    const double *c = item->vertex[0].position, r = item->vertex[0].radius;
    double a[3] = {r, 0.0, 0.0};
    if (item->vertices > 1) {
        const double *towards = item->vertex[1].position, length = hypot(towards[0] - c[0], towards[1] - c[1]);
        for (int axis = 0; length > 0.0 && axis < 2; axis++)
            a[axis] = (towards[axis] - c[axis]) * r / length;
    }
    const double b[3] = {-a[1], a[0], 0.0};
    put_circle(at, c, a, b, CST_EXPORT_CIRCLE, hollow ? LINE_SHARE * r : 0.0);
}

/* Draws a ball: its points are the two poles, then the circles of latitude from the first pole to the second. Faces are
 * counter-clockwise seen from outside. */
static void draw_ball(cst_export_drawing *at, const cst_cache_item *item, int before)
{
    const double *c = item->vertex[0].position;
    double a[3], b[3], pole[3], side[3], other[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = item->vertex[1].position[axis] - c[axis];
        b[axis] = item->vertex[2].position[axis] - c[axis];
    }
    cst_cross3(a, b, pole);
    const double length = sqrt(cst_dot3(pole, pole)), r = item->vertex[0].radius;
    for (int axis = 0; axis < 3; axis++)
        pole[axis] *= length > 0.0 ? r / length : 0.0;
    for (int end = 1; end >= -1; end -= 2) {
        for (int axis = 0; axis < 3; axis++)
            side[axis] = c[axis] + end * pole[axis];
        put_point(at, side, 0.0, NULL);
    }
    for (int row = 1; row <= CST_EXPORT_PARALLELS; row++) {
        const double angle = acos(-1.0) * row / (CST_EXPORT_PARALLELS + 1);
        double center[3];
        for (int axis = 0; axis < 3; axis++) {
            center[axis] = c[axis] + cos(angle) * pole[axis];
            side[axis] = sin(angle) * a[axis];
            other[axis] = sin(angle) * b[axis];
        }
        put_circle(at, center, side, other, MERIDIANS, 0.0);
    }
    for (int row = 0; row <= CST_EXPORT_PARALLELS; row++) {
        const int upper = before + 2 + (row - 1) * MERIDIANS, lower = upper + MERIDIANS;
        for (int k = 0; k < MERIDIANS; k++) {
            const int next = (k + 1) % MERIDIANS;
            const bool first = row == 0, last = row == CST_EXPORT_PARALLELS;
            if (!last)
                put_triangle(at, first ? before : upper + k, lower + k, lower + next);
            if (!first)
                put_triangle(at, upper + k, last ? before + 1 : lower + next, upper + next);
        }
    }
}

/* Draws a part of the boundary of a half-plane or half-space: a line segment in 2D, a square in 3D. The drawn part of the
 * boundary is centred at the boundary point nearest to shapes->center, the middle of all bodies and bounded obstacles in the
 * first frame. */
static void draw_half_plane(cst_export_drawing *at, const cst_cache_item *item, int before)
{
    const cst_export_shapes *shapes = at->shapes;
    const double *p = item->vertex[0].position;
    double normal[3], middle[3], a[3], b[3], height = 0.0;
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = item->vertex[1].position[axis] - p[axis];
    const double length = sqrt(cst_dot3(normal, normal));
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = length > 0.0 ? normal[axis] / length : 0.0;
        height += (shapes->center[axis] - p[axis]) * normal[axis];
    }
    const int least = fabs(normal[0]) <= fabs(normal[1]) && fabs(normal[0]) <= fabs(normal[2]) ? 0
                      : fabs(normal[1]) <= fabs(normal[2])                                     ? 1
                                                                                               : 2;
    const double across[3] = {least == 0, least == 1, least == 2}, up[3] = {0.0, 0.0, 1.0};
    cst_cross3(shapes->dim == 2 ? up : across, normal, a);
    const double size = sqrt(cst_dot3(a, a));
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = shapes->center[axis] - height * normal[axis];
        a[axis] *= size > 0.0 ? shapes->reach / size : 0.0;
    }
    cst_cross3(normal, a, b);
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const int points = shapes->dim == 2 ? 2 : 4;
    for (int k = 0; k < points; k++) {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = middle[axis] + corner[k][0] * a[axis] + (points == 4 ? corner[k][1] * b[axis] : 0.0);
        put_point(at, point, points == 2 ? LINE_SHARE * shapes->reach : 0.0, NULL);
    }
    if (points == 2) {
        put_part(at, points);
    } else {
        put_triangle(at, before, before + 1, before + 2);
        put_triangle(at, before, before + 2, before + 3);
    }
}

void cst_export_draw(cst_export_drawing *at, const cst_cache_item *item, int before)
{
    const cst_export_size size = cst_export_draw_size(at->shapes->dim, item);
    if (size.points == 0)
        return;
    switch (item->as) {
    case CST_DRAWN_CURVE:
        put_vertices(at, item);
        put_part(at, item->vertices);
        break;
    case CST_DRAWN_OUTLINE:
        put_vertices(at, item);
        put_polygon(at, item->vertices, before);
        break;
    case CST_DRAWN_MESH:
        put_vertices(at, item);
        for (int t = 0; t < item->triangles; t++) {
            const int32_t *corner = item->triangle[t].corner;
            put_triangle(at, before + corner[0], before + corner[1], before + corner[2]);
        }
        break;
    case CST_DRAWN_HOLLOW_DISK:
        draw_disk(at, item, true);
        put_part(at, CST_EXPORT_CIRCLE);
        break;
    case CST_DRAWN_DISK:
        if (at->shapes->dim == 3) {
            draw_ball(at, item, before);
        } else {
            draw_disk(at, item, false);
            put_polygon(at, CST_EXPORT_CIRCLE, before);
        }
        break;
    case CST_DRAWN_HALF_PLANE:
        draw_half_plane(at, item, before);
        break;
    }
}
