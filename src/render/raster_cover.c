/* Which rays meet a thing, and at which depth.
 *
 * A ray through a point of the picture is o + l v in the frame of the eye, depth l: o = (X, Y, 0), v = (0, 0, 1) without
 * perspective, o = 0, v = (X, Y, 1) with it. A tube is
 *
 *     |w|^2 - (w.d)^2 = (r + k w.d)^2,   w = o + l v - a,   0 <= w.d <= length
 *
 * (axis d, radius r + k s), a ball |o + l v - c|^2 = r^2: quadratics in l, of which the lesser root is met first. */
#include <math.h>

#include "render/raster_ray.h"

static int first_at(const cst_sample_row *row, double x)
{
    double k = ceil(x - row->x0);
    return k <= 0.0 ? 0 : k >= row->count ? row->count : (int)k;
}

static int last_at(const cst_sample_row *row, double x)
{
    double k = floor(x - row->x0);
    return k < 0.0 ? -1 : k >= row->count - 1 ? row->count - 1 : (int)k;
}

static void meet(const cst_sample_row *row, int k, float depth, int32_t number)
{
    if (depth <= row->depth[k]) {
        row->depth[k] = depth;
        row->seen[k] = number;
    }
}

static void fill(const cst_sample_row *row, double from, double to, float depth, int32_t number)
{
    int last = last_at(row, to);
    for (int k = first_at(row, from); k <= last; k++)
        meet(row, k, depth, number);
}

/* ------------------------------------------------------------------------------------------------------------------- round */

/* The row within a distance of the line through two points, and within their box widened by it. */
static bool strip(const double *from, const double *to, double reach, double y, double *left, double *right)
{
    double dx = to[0] - from[0], dy = to[1] - from[1];
    *left = fmin(from[0], to[0]) - reach;
    *right = fmax(from[0], to[0]) + reach;
    if (y < fmin(from[1], to[1]) - reach || y > fmax(from[1], to[1]) + reach)
        return false;
    if (fabs(dy) > 1e-3 * reach) {
        double middle = from[0] + (y - from[1]) * dx / dy, half = reach * hypot(dx, dy) / fabs(dy);
        *left = fmax(*left, middle - half);
        *right = fmin(*right, middle + half);
    }
    return *left <= *right;
}

static void cover_tube(const cst_shapes *shapes, const cst_tube_shape *tube, int32_t number, const cst_sample_row *row)
{
    double left, right;
    if (!strip(tube->from, tube->to, tube->reach, row->y, &left, &right))
        return;
    int last = last_at(row, right);
    for (int k = first_at(row, left); k <= last; k++) {
        double s, depth;
        cst_ray ray = cst_ray_through(&shapes->view, row->x0 + k, row->y);
        if (cst_ray_meets_tube(&ray, tube, &depth, &s))
            meet(row, k, (float)depth, number);
    }
}

static void cover_ball(const cst_shapes *shapes, const cst_ball_shape *ball, int32_t number, const cst_sample_row *row)
{
    double off = row->y - ball->at[1], half2 = ball->reach * ball->reach - off * off;
    if (half2 < 0.0)
        return;
    double half = sqrt(half2);
    int last = last_at(row, ball->at[0] + half);
    for (int k = first_at(row, ball->at[0] - half); k <= last; k++) {
        double depth;
        cst_ray ray = cst_ray_through(&shapes->view, row->x0 + k, row->y);
        if (cst_ray_meets_ball(&ray, ball, &depth))
            meet(row, k, (float)depth, number);
    }
}

/* --------------------------------------------------------------------------------------------------------------- triangles */

static void cover_triangle(const cst_shapes *shapes, const cst_triangle_shape *t, int32_t number, const cst_sample_row *row)
{
    double left = fmin(t->x[0], fmin(t->x[1], t->x[2])), right = fmax(t->x[0], fmax(t->x[1], t->x[2]));
    int last = last_at(row, right);
    for (int k = first_at(row, left); k <= last; k++) {
        double weight[3];
        cst_triangle_weights(t, row->x0 + k, row->y, weight);
        if (!(weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0))
            continue;
        double q = weight[0] * t->q[0] + weight[1] * t->q[1] + weight[2] * t->q[2];
        meet(row, k, (float)(shapes->view.perspective ? 1.0 / q : q), number);
    }
}

/* -------------------------------------------------------------------------------------------------------------------- flat */

static bool circle_row(double x, double y, double radius, double at, double *left, double *right)
{
    double half2 = radius * radius - (at - y) * (at - y);
    if (half2 < 0.0)
        return false;
    *left = x - sqrt(half2);
    *right = x + sqrt(half2);
    return true;
}

/* The points of a row not further than radius from a segment: convex, so the hull of its three parts. */
static bool stadium_row(const double *a, const double *b, double radius, double y, double *left, double *right)
{
    bool any = false;
    double l, r;
    *left = INFINITY;
    *right = -INFINITY;
    for (int end = 0; end < 2; end++) {
        const double *p = end ? b : a;
        if (circle_row(p[0], p[1], radius, y, &l, &r)) {
            *left = fmin(*left, l);
            *right = fmax(*right, r);
            any = true;
        }
    }
    /* The two sides of the strip between the circles. */
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    for (int side = -1; side <= 1 && fabs(dy) > 0.0; side += 2) {
        double px = a[0] - side * radius * dy / length, py = a[1] + side * radius * dx / length, t = (y - py) / dy;
        if (t >= 0.0 && t <= 1.0) {
            *left = fmin(*left, px + t * dx);
            *right = fmax(*right, px + t * dx);
            any = true;
        }
    }
    return any;
}

static void insert(double *list, int count, double value)
{
    int k = count;
    for (; k > 0 && list[k - 1] > value; k--)
        list[k] = list[k - 1];
    list[k] = value;
}

static void cover_polygon(const cst_shapes *shapes, const cst_flat_shape *flat, int32_t number, const cst_sample_row *row)
{
    const double *corner = shapes->point + 2 * flat->first;
    int crossings = 0;
    for (int i = 0; i < flat->points; i++) {
        const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % flat->points);
        double left, right;
        if ((a[1] <= row->y) != (b[1] <= row->y))
            insert(row->crossing, crossings++, a[0] + (row->y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]));
        if (flat->radius > 0.0 && stadium_row(a, b, flat->radius, row->y, &left, &right))
            fill(row, left, right, flat->depth, number);
    }
    for (int i = 0; i + 1 < crossings; i += 2)
        fill(row, row->crossing[i], row->crossing[i + 1], flat->depth, number);
}

static void cover_flat(const cst_shapes *shapes, const cst_flat_shape *flat, int32_t number, const cst_sample_row *row)
{
    double left = -INFINITY, right = INFINITY;
    switch (flat->kind) {
    case CST_FLAT_DISK:
        if (circle_row(flat->x, flat->y, flat->radius, row->y, &left, &right))
            fill(row, left, right, flat->depth, number);
        break;
    case CST_FLAT_HOLLOW:
        if (circle_row(flat->x, flat->y, flat->radius, row->y, &left, &right)) {
            fill(row, -INFINITY, left, flat->depth, number);
            fill(row, right, INFINITY, flat->depth, number);
        } else {
            fill(row, -INFINITY, INFINITY, flat->depth, number);
        }
        break;
    case CST_FLAT_HALF_PLANE: {
        /* n . (x - x_0) <= 0 */
        double rest = flat->normal[1] * (row->y - flat->y);
        if (fabs(flat->normal[0]) < 1e-12) {
            if (rest > 0.0)
                return;
        } else if (flat->normal[0] > 0.0) {
            right = flat->x - rest / flat->normal[0];
        } else {
            left = flat->x - rest / flat->normal[0];
        }
        fill(row, left, right, flat->depth, number);
        break;
    }
    case CST_FLAT_POLYGON:
        cover_polygon(shapes, flat, number, row);
        break;
    }
}

void cst_shape_cover(const cst_shapes *shapes, int32_t number, const cst_sample_row *row)
{
    const cst_shape *shape = &shapes->shape[number];
    switch (shape->kind) {
    case CST_SHAPE_TUBE:
        cover_tube(shapes, &shapes->tube[shape->index], number, row);
        break;
    case CST_SHAPE_BALL:
        cover_ball(shapes, &shapes->ball[shape->index], number, row);
        break;
    case CST_SHAPE_TRIANGLE:
        cover_triangle(shapes, &shapes->triangle[shape->index], number, row);
        break;
    case CST_SHAPE_FLAT:
        cover_flat(shapes, &shapes->flat[shape->index], number, row);
        break;
    }
}
