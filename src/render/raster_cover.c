/* Computes which rays hit a shape, and at which depth.
 *
 * The ray through the position (x, y) of the picture consists of the points o + l v in the eye's frame, with a point o, a
 * direction v and the depth l. With perspective, all rays start at the eye; the start o and the direction v of the ray through
 * the position (x, y) are:
 *     `o = (0,0,0)`.
 *     `v = (x,y,1)`.
 *
 * Without perspective, all rays are parallel; the start o and the direction v of the ray through the position (x, y) are:
 *     `o = (x,y,0)`.
 *     `v = (0,0,1)`.
 *
 * A point is on the surface of a tube if it satisfies two conditions. The distance of the point from the axis, measured
 * perpendicular to the axis, equals the radius of the tube at this place. The point lies between the two ends of the axis.
 * Symbols:
 *     `w`: vector from the start of the axis to the point.
 *     `d`: unit direction of the axis.
 *     `r+k*s`: radius of the tube at the distance s along the axis.
 *
 *     `|w|^2-(w.d)^2 = (r+k*w.d)^2`.
 *     `0 <= w.d <= length`.
 *
 * A point p is on the surface of a ball with centre c and radius r if |p - c| = r. Along a ray, the equations of the tube and
 * of the ball are quadratic in the depth l; the smaller root is the depth at which the ray first hits the surface. */
#include <math.h>

#include "render/raster_ray.h"

/* Computes the range *first to *last of the integers that lie both in [from, to] and in [0, count). */
static void whole_between(double from, double to, int count, int *first, int *last)
{
    int low = from > 0.0 ? (from < count ? (int)from : count) : 0;
    *first = from > low ? low + 1 : low;
    *last = to < count - 1 ? (to >= 0.0 ? (int)to : -1) : count - 1;
}

static void rows_between(const cst_tile *tile, double low, double high, int *first, int *last)
{
    whole_between((low - tile->top) * CST_RASTER_SAMPLES - 0.5, (high - tile->top) * CST_RASTER_SAMPLES - 0.5, CST_TILE_ROWS,
                  first, last);
}

static double height_of(const cst_tile *tile, int row)
{
    return tile->top + (row + 0.5) / CST_RASTER_SAMPLES;
}

static void rays_between(const cst_tile *tile, int row, double left, double right, int *first, int *last)
{
    double start = tile->left + cst_ray_column(row);
    whole_between(left - start, right - start, CST_TILE, first, last);
}

static void meet(cst_tile *tile, int row, int k, float depth, int32_t number)
{
    if (depth <= tile->depth[row][k]) {
        tile->depth[row][k] = depth;
        tile->seen[row][k] = number;
        tile->met[row / CST_RASTER_SAMPLES] = true;
    }
}

static void fill(cst_tile *tile, int row, double left, double right, float depth, int32_t number)
{
    int first, last;
    rays_between(tile, row, left, right, &first, &last);
    for (int k = first; k <= last; k++)
        meet(tile, row, k, depth, number);
}

/* ------------------------------------------------------------------------------------------------------------------- round */

/* A thin strand of hair covers only a part of each pixel, so only a part of the rays that cross it count as hits. Returns true if
 * rays in the given row of rays can hit the tube `number`, a piece of the strand. The rows of rays that can hit a tube are
 * selected by a hash of its number (finaliser of MurmurHash3), so that they differ from tube to tube. For one tube, the same rows
 * are selected in every pixel, so that the tube looks even along its length. */
static bool stops(int32_t number, int row, float cover)
{
    uint32_t mix = (uint32_t)number * 0x9e3779b1u;
    mix = (mix ^ (mix >> 16)) * 0x85ebca6bu;
    mix = (mix ^ (mix >> 13)) * 0xc2b2ae35u;
    const uint32_t rank = ((uint32_t)row * 7u + (mix >> 16)) % CST_RASTER_SAMPLES;
    return (float)rank + 0.5f < cover * CST_RASTER_SAMPLES;
}

static void cover_tube(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    const cst_tube_shape *tube = &shapes->tube[shapes->shape[number].index];
    const cst_view *view = &shapes->view;
    const cst_tube_sight sight = cst_tube_sight_of(view, tube);
    const float nearest = shapes->shape[number].nearest;
    const bool rim = shapes->shape[number].shading == CST_SHADING_RIM;
    const bool hair = shapes->shape[number].shading == CST_SHADING_HAIR && tube->marking >= 0;
    const float cover = hair ? shapes->marking[tube->marking].cover : 1.0f;
    /* The code tests only rays that are, in the picture, in the tube's bounding box and in a strip along the tube's axis. */
    double dx = tube->to[0] - tube->from[0], dy = tube->to[1] - tube->from[1], reach = tube->reach;
    bool leaning = fabs(dy) > 1e-3 * reach;
    double lean = leaning ? dx / dy : 0.0, half = leaning ? reach * sqrt(1.0 + lean * lean) : INFINITY;
    int first_row, last_row;
    rows_between(tile, tube->box.top, tube->box.bottom, &first_row, &last_row);
    for (int row = first_row; row <= last_row; row++) {
        double y = height_of(tile, row), middle = tube->from[0] + (y - tube->from[1]) * lean;
        double left = middle - half, right = middle + half, up = (0.5 * view->height - y) / view->focal;
        int first, last;
        rays_between(tile, row, left > tube->box.left ? left : tube->box.left, right < tube->box.right ? right : tube->box.right,
                     &first, &last);
        double start = tile->left + cst_ray_column(row) - 0.5 * view->width;
        for (int k = first; k <= last; k++) {
            double s, depth, x = (start + k) / view->focal;
            if (nearest <= tile->depth[row][k] &&
                (rim ? cst_ray_passes_tube(&sight, x, up, &depth) : cst_ray_meets_tube(&sight, x, up, &depth, &s)) &&
                (cover >= 1.0f || stops(number, row, cover)))
                meet(tile, row, k, (float)depth, number);
        }
    }
}

static void cover_ball(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    const cst_ball_shape *ball = &shapes->ball[shapes->shape[number].index];
    const float nearest = shapes->shape[number].nearest;
    const bool rim = shapes->shape[number].shading == CST_SHADING_RIM;
    int first_row, last_row;
    rows_between(tile, ball->box.top, ball->box.bottom, &first_row, &last_row);
    for (int row = first_row; row <= last_row; row++) {
        double y = height_of(tile, row), start = tile->left + cst_ray_column(row), depth;
        int first, last;
        rays_between(tile, row, ball->box.left, ball->box.right, &first, &last);
        for (int k = first; k <= last; k++) {
            cst_ray ray = cst_ray_through(&shapes->view, start + k, y);
            if (nearest <= tile->depth[row][k] && cst_ray_meets_ball(&ray, ball, &depth))
                meet(tile, row, k, rim ? (float)ball->center[2] : (float)depth, number);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------ planes */

static void cover_plane(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    const cst_plane_shape *plane = &shapes->plane[shapes->shape[number].index];
    const double reach2 = plane->paint.reach * plane->paint.reach;
    for (int row = 0; row < CST_TILE_ROWS; row++) {
        double y = height_of(tile, row), start = tile->left + cst_ray_column(row), depth;
        for (int k = 0; k < CST_TILE; k++) {
            cst_ray ray = cst_ray_through(&shapes->view, start + k, y);
            if (!cst_ray_meets_plane(&ray, plane, &depth))
                continue;
            double far2 = 0.0;
            for (int c = 0; c < 3; c++) {
                double off = ray.o[c] + depth * ray.v[c] - plane->center[c];
                far2 += off * off;
            }
            if (far2 < reach2)
                meet(tile, row, k, (float)depth, number);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------------- triangles */

static void cover_triangle(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    const cst_triangle_shape *t = &shapes->triangle[shapes->shape[number].index];
    const double left = fmin(t->x[0], fmin(t->x[1], t->x[2])), right = fmax(t->x[0], fmax(t->x[1], t->x[2]));
    const bool perspective = shapes->view.perspective;
    int first_row, last_row, first, last;
    rows_between(tile, fmin(t->y[0], fmin(t->y[1], t->y[2])), fmax(t->y[0], fmax(t->y[1], t->y[2])), &first_row, &last_row);
    for (int row = first_row; row <= last_row; row++) {
        double y = height_of(tile, row), start = tile->left + cst_ray_column(row);
        rays_between(tile, row, left, right, &first, &last);
        for (int k = first; k <= last; k++) {
            double weight[3];
            cst_triangle_weights(t, start + k, y, weight);
            if (!(weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0))
                continue;
            double q = weight[0] * t->q[0] + weight[1] * t->q[1] + weight[2] * t->q[2];
            meet(tile, row, k, (float)(perspective ? 1.0 / q : q), number);
        }
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

/* Computes which points of a row of the picture are within the distance `radius` of a line segment. All points within the
 * distance `radius` of a line segment form a convex set, so the covered points of the row form an interval, from *left to
 * *right. */
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
    /* intersections with the two straight lines */
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

static void cover_polygon_row(const cst_shapes *shapes, const cst_flat_shape *flat, int32_t number, cst_tile *tile, int row)
{
    const double *corner = shapes->point + 2 * flat->first;
    const double y = height_of(tile, row);
    int crossings = 0;
    for (int i = 0; i < flat->points; i++) {
        const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % flat->points);
        double left, right;
        if ((a[1] <= y) != (b[1] <= y))
            insert(tile->crossing, crossings++, a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]));
        if (flat->radius > 0.0 && stadium_row(a, b, flat->radius, y, &left, &right))
            fill(tile, row, left, right, flat->depth, number);
    }
    for (int i = 0; i + 1 < crossings; i += 2)
        fill(tile, row, tile->crossing[i], tile->crossing[i + 1], flat->depth, number);
}

static void cover_flat_row(const cst_shapes *shapes, const cst_flat_shape *flat, int32_t number, cst_tile *tile, int row)
{
    double left = -INFINITY, right = INFINITY, y = height_of(tile, row);
    switch (flat->kind) {
    case CST_FLAT_DISK:
        if (circle_row(flat->x, flat->y, flat->radius, y, &left, &right))
            fill(tile, row, left, right, flat->depth, number);
        break;
    case CST_FLAT_HOLLOW:
        if (circle_row(flat->x, flat->y, flat->radius, y, &left, &right)) {
            fill(tile, row, -INFINITY, left, flat->depth, number);
            fill(tile, row, right, INFINITY, flat->depth, number);
        } else {
            fill(tile, row, -INFINITY, INFINITY, flat->depth, number);
        }
        break;
    case CST_FLAT_HALF_PLANE: {
        /* n . (x - x_0) <= 0 */
        double rest = flat->normal[1] * (y - flat->y);
        if (fabs(flat->normal[0]) < 1e-12) {
            if (rest > 0.0)
                return;
        } else if (flat->normal[0] > 0.0) {
            right = flat->x - rest / flat->normal[0];
        } else {
            left = flat->x - rest / flat->normal[0];
        }
        fill(tile, row, left, right, flat->depth, number);
        break;
    }
    case CST_FLAT_POLYGON:
        cover_polygon_row(shapes, flat, number, tile, row);
        break;
    }
}

static void cover_flat(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    const cst_shape *shape = &shapes->shape[number];
    int first, last;
    rows_between(tile, shape->top, shape->bottom + 1, &first, &last);
    for (int row = first; row <= last; row++)
        cover_flat_row(shapes, &shapes->flat[shape->index], number, tile, row);
}

void cst_shape_cover(const cst_shapes *shapes, int32_t number, cst_tile *tile)
{
    static void (*const cover[])(const cst_shapes *shapes, int32_t number,
                                 cst_tile *tile) = {[CST_SHAPE_TUBE] = cover_tube,
                                                    [CST_SHAPE_BALL] = cover_ball,
                                                    [CST_SHAPE_TRIANGLE] = cover_triangle,
                                                    [CST_SHAPE_PLANE] = cover_plane,
                                                    [CST_SHAPE_FLAT] = cover_flat};
    cover[shapes->shape[number].kind](shapes, number, tile);
}
