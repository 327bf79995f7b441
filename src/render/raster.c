#include "render/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/raster_things.h"

enum { COUNT_MAX = 1 << 28 };
#define CRACK 0.03f /* pixels added at both ends of a tube, so that neighbouring tubes overlap */

void *cst_list_take(cst_raster *raster, cst_list *l, int more, size_t size)
{
    if (raster->failed || l->count > COUNT_MAX - more) {
        raster->failed = true;
        return NULL;
    }
    if (l->count + more > l->room || !l->item) { /* also allocate for zero items */
        int room = 2 * (l->count + more) + 64;
        void *item = realloc(l->item, (size_t)room * size);
        if (!item) {
            raster->failed = true;
            return NULL;
        }
        l->item = item;
        l->room = room;
    }
    l->count += more;
    return (char *)l->item + (size_t)(l->count - more) * size;
}

cst_raster *cst_raster_new(int threads)
{
    const int workers = threads > 1 ? threads : 1;
    cst_raster *raster = calloc(1, sizeof *raster + (size_t)workers * sizeof raster->tile[0]);
    if (raster)
        raster->threads = workers;
    return raster;
}

void cst_raster_free(cst_raster *raster)
{
    if (!raster)
        return;
    cst_list *all[] = {&raster->shape, &raster->tube,    &raster->ball,     &raster->triangle,  &raster->plane, &raster->flat,
                       &raster->point, &raster->marking, &raster->crossing, &raster->bin_start, &raster->bin,   &raster->order};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]->item);
    free(raster);
}

void cst_raster_begin(cst_raster *raster, const cst_view *view)
{
    raster->view = *view;
    raster->failed = false;
    raster->corners_max = 0;
    raster->shape.count = raster->tube.count = raster->ball.count = raster->triangle.count = raster->plane.count =
        raster->flat.count = raster->point.count = raster->marking.count = 0;
    raster->marked = CST_NOTHING;
    raster->shadow = NULL;
}

void cst_raster_cast(cst_raster *raster, const cst_shadow *shadow)
{
    raster->shadow = shadow;
}

/* Converts a direction from world axes to the eye's frame (right, up, depth). */
static void turned(const cst_view *view, const double *direction, double *out)
{
    const double tip[3] = {view->eye[0] + direction[0], view->eye[1] + direction[1], view->eye[2] + direction[2]};
    cst_view_place(view, tip, out);
}

void cst_raster_mark(cst_raster *raster, const cst_marking *marking)
{
    raster->marked = CST_NOTHING;
    cst_marking_shape *own = marking ? cst_list_take(raster, &raster->marking, 1, sizeof *own) : NULL;
    if (!own)
        return;
    double axis[3][3];
    for (int i = 0; i < 2; i++)
        turned(&raster->view, marking->axis[i], axis[i]);
    for (int k = 0; k < 3; k++) /* cross product in the left-handed frame (right, up, depth) */
        axis[2][k] = axis[0][(k + 2) % 3] * axis[1][(k + 1) % 3] - axis[0][(k + 1) % 3] * axis[1][(k + 2) % 3];
    *own =
        (cst_marking_shape){.kind = marking->kind, .colour = marking->colour, .cover = marking->cover, .gloss = marking->gloss};
    for (int i = 0; i < 3; i++) {
        double size = fmax(hypot(hypot(axis[i][0], axis[i][1]), axis[i][2]), 1e-300);
        for (int k = 0; k < 3; k++)
            own->axis[i][k] = (float)((k == 2 ? -axis[i][k] : axis[i][k]) / size);
    }
    raster->marked = raster->marking.count - 1;
}

/* ------------------------------------------------------------------------------------------------------------------ adding */

/* Computes the range of pixels, within 0 to size - 1, that an interval of picture coordinates covers at least in part. Returns
 * false if there are none. */
static bool whole_range(double low, double high, double size, int *first, int *last)
{
    if (!(low < size && high >= 0.0)) /* also true if not a number */
        return false;
    *first = (int)fmax(floor(low), 0.0);
    *last = (int)fmin(floor(high), size - 1.0);
    return true;
}

/* Adds a shape to the list of its kind, if its bounding box (pixels) overlaps the picture. */
static void *add(cst_raster *raster, cst_shape_kind kind, cst_shading shading, double nearest, cst_list *own, size_t size,
                 const cst_shape_box *box)
{
    /* A shape can be skipped in a tile of the picture if its smallest depth exceeds the depths at which all rays of the tile hit
     * other shapes. The smallest depth of a shape is stored slightly too small, so that rounding errors cannot hide a visible
     * shape. */
    cst_shape shape = {.kind = kind, .shading = shading, .index = own->count, .nearest = (float)(nearest - 1e-6 * fabs(nearest))};
    if (!whole_range(box->left, box->right, raster->view.width, &shape.left, &shape.right) ||
        !whole_range(box->top, box->bottom, raster->view.height, &shape.top, &shape.bottom))
        return NULL;
    cst_shape *slot = cst_list_take(raster, &raster->shape, 1, sizeof *slot);
    void *thing = slot ? cst_list_take(raster, own, 1, size) : NULL;
    if (thing)
        *slot = shape;
    return thing;
}

static bool finite3(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* Computes the interval that a ball covers in the picture along the horizontal or the vertical axis, with perspective. Projected
 * onto the plane of one axis of the picture and the depth direction, the ball is a circle with centre (x, z) and radius r. The
 * two tangents from the eye (the origin) to the circle of the ball have the slopes
 *
 *     (x z +- r sqrt(x^2 + z^2 - r^2)) / (z^2 - r^2)   if z > r. */
static void touching(double x, double z, double radius, double *low, double *high)
{
    double root = radius * sqrt(x * x + z * z - radius * radius), below = z * z - radius * radius;
    *low = (x * z - root) / below;
    *high = (x * z + root) / below;
}

/* Returns the bounding box, in the picture, of a ball in front of the eye. */
static cst_shape_box box_of(const cst_view *view, const double *center, double radius)
{
    double low[2], high[2];
    for (int k = 0; k < 2; k++)
        if (view->perspective) {
            touching(center[k], center[2], radius, &low[k], &high[k]);
        } else {
            low[k] = center[k] - radius;
            high[k] = center[k] + radius;
        }
    return (cst_shape_box){.left = 0.5 * view->width + view->focal * low[0] - (double)CRACK,
                           .right = 0.5 * view->width + view->focal * high[0] + (double)CRACK,
                           .top = 0.5 * view->height - view->focal * high[1] - (double)CRACK,
                           .bottom = 0.5 * view->height - view->focal * low[1] + (double)CRACK};
}

static cst_shape_box around_both(cst_shape_box a, cst_shape_box b)
{
    return (cst_shape_box){fmin(a.left, b.left), fmin(a.top, b.top), fmax(a.right, b.right), fmax(a.bottom, b.bottom)};
}

/* Returns the largest distance (pixels) of the outline of a ball from its centre; the farthest point of the outline is on the
 * side away from the middle of the picture. */
static double reach_of(const cst_view *view, const double *center, double radius)
{
    if (!view->perspective)
        return view->focal * radius;
    double off = sqrt(center[0] * center[0] + center[1] * center[1]), low, high;
    touching(off, center[2], radius, &low, &high);
    return view->focal * (high - off / center[2]);
}

/* Clips a tube to the part in front of the eye. Returns false if there is none. */
static bool clip_tube(const cst_view *view, double *a, double *b, double *radius_a, double *radius_b)
{
    double near_a = view->nearest + *radius_a, near_b = view->nearest + *radius_b;
    if (!view->perspective || (a[2] >= near_a && b[2] >= near_b))
        return true;
    double over_a = a[2] - near_a, over_b = b[2] - near_b;
    if (over_a <= 0.0 && over_b <= 0.0)
        return false;
    double t = over_a / (over_a - over_b), *cut = over_a < 0.0 ? a : b;
    double radius = *radius_a + t * (*radius_b - *radius_a);
    for (int k = 0; k < 3; k++)
        cut[k] = a[k] + t * (b[k] - a[k]);
    *(cut == a ? radius_a : radius_b) = radius;
    return true;
}

void cst_raster_tube(cst_raster *raster, const double *a, const double *b, double radius_a, double radius_b, cst_rgb colour_a,
                     cst_rgb colour_b, cst_shading shading)
{
    const cst_view *view = &raster->view;
    double p[3], q[3], axis[3];
    cst_view_place(view, a, p);
    cst_view_place(view, b, q);
    if (!finite3(p) || !finite3(q) || !isfinite(radius_a) || !isfinite(radius_b) || !clip_tube(view, p, q, &radius_a, &radius_b))
        return;
    double length = 0.0, reach_a = reach_of(view, p, radius_a), reach_b = reach_of(view, q, radius_b), from[2], to[2];
    for (int k = 0; k < 3; k++) {
        axis[k] = q[k] - p[k];
        length += axis[k] * axis[k];
    }
    length = sqrt(length);
    if (!(length > 0.0) || fabs(radius_b - radius_a) >= length)
        return; /* the tube is not drawn, because the ball at one of its ends contains the ball at the other end */
    double reach = fmax(reach_a, reach_b) * (1.0 + 1e-9) + (double)CRACK;
    cst_view_pixel(view, p, &from[0], &from[1]);
    cst_view_pixel(view, q, &to[0], &to[1]);
    const cst_shape_box box = around_both(box_of(view, p, radius_a), box_of(view, q, radius_b));
    cst_tube_shape *tube =
        add(raster, CST_SHAPE_TUBE, shading, fmin(p[2] - radius_a, q[2] - radius_b), &raster->tube, sizeof *tube, &box);
    if (!tube)
        return;
    *tube = (cst_tube_shape){.length = length,
                             .radius = radius_a,
                             .slope = (radius_b - radius_a) / length,
                             .slack = (double)CRACK * cst_view_metres(view, fmin(p[2], q[2])),
                             .from = {from[0], from[1]},
                             .to = {to[0], to[1]},
                             .reach = reach,
                             .box = box,
                             .colour = {colour_a, colour_b},
                             .marking = raster->marked};
    for (int k = 0; k < 3; k++) {
        tube->a[k] = p[k];
        tube->axis[k] = axis[k] / length;
    }
}

void cst_raster_ball(cst_raster *raster, const double *center, double radius, cst_rgb colour, cst_shading shading)
{
    const cst_view *view = &raster->view;
    double c[3];
    cst_view_place(view, center, c);
    if (!finite3(c) || !isfinite(radius) || (view->perspective && c[2] - radius < view->nearest))
        return;
    const cst_shape_box box = box_of(view, c, radius);
    cst_ball_shape *ball = add(raster, CST_SHAPE_BALL, shading, c[2] - radius, &raster->ball, sizeof *ball, &box);
    if (ball)
        *ball = (cst_ball_shape){
            .center = {c[0], c[1], c[2]}, .radius = radius, .box = box, .colour = colour, .marking = raster->marked};
}

void cst_raster_triangle(cst_raster *raster, const double *const *point, const double *const *normal, const cst_rgb *colour,
                         cst_shading shading)
{
    const cst_view *view = &raster->view;
    cst_triangle_shape made;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        double p[3], n[3];
        cst_view_place(view, point[k], p);
        if (!finite3(p) || (view->perspective && p[2] < view->nearest))
            return;
        cst_view_pixel(view, p, &made.x[k], &made.y[k]);
        made.q[k] = view->perspective ? 1.0 / p[2] : p[2];
        turned(view, normal[k], n);
        double size = fmax(hypot(hypot(n[0], n[1]), n[2]), 1e-300);
        for (int c = 0; c < 3; c++)
            made.normal[k][c] = (float)(n[c] / size);
        made.colour[k] = colour[k];
        nearest = fmin(nearest, p[2]);
        low[0] = fmin(low[0], made.x[k]);
        low[1] = fmin(low[1], made.y[k]);
        high[0] = fmax(high[0], made.x[k]);
        high[1] = fmax(high[1], made.y[k]);
    }
    cst_triangle_shape *triangle = add(raster, CST_SHAPE_TRIANGLE, shading, nearest, &raster->triangle, sizeof *triangle,
                                       &(cst_shape_box){low[0], low[1], high[0], high[1]});
    if (triangle)
        *triangle = made;
}

void cst_raster_plane(cst_raster *raster, const double *point, const double *normal, const cst_plane_paint *paint)
{
    const cst_view *view = &raster->view;
    double size = hypot(hypot(normal[0], normal[1]), normal[2]), c[3];
    if (!finite3(point) || !finite3(paint->center) || !(size > 0.0) || !isfinite(size) || !(paint->reach > 0.0))
        return;
    /* A plane is drawn as a round patch, whose centre is the projection of the point paint->center on the plane. The direction u
     * of the grid lines is the projection of the world's x axis on the plane, or of the y axis if the plane's unit normal has
     * |n_x| >= 0.9. */
    const double n[3] = {normal[0] / size, normal[1] / size, normal[2] / size};
    double off = 0.0, center[3], u[3], v[3];
    for (int k = 0; k < 3; k++)
        off += n[k] * (paint->center[k] - point[k]);
    for (int k = 0; k < 3; k++)
        center[k] = paint->center[k] - off * n[k];
    const int flattest = fabs(n[0]) < 0.9 ? 0 : 1;
    for (int k = 0; k < 3; k++)
        u[k] = (k == flattest) - n[flattest] * n[k];
    double length = hypot(hypot(u[0], u[1]), u[2]);
    for (int k = 0; k < 3; k++)
        u[k] /= length;
    for (int k = 0; k < 3; k++)
        v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
    cst_plane_shape made = {.paint = *paint};
    for (int k = 0; k < 3; k++) {
        made.from[0] += u[k] * center[k];
        made.from[1] += v[k] * center[k];
    }
    cst_view_place(view, center, c);
    turned(view, n, made.normal);
    turned(view, u, made.u);
    turned(view, v, made.v);
    for (int k = 0; k < 3; k++) {
        made.offset += made.normal[k] * c[k];
        made.center[k] = c[k];
    }
    if (view->perspective ? made.offset >= 0.0 : made.normal[2] >= 0.0)
        return; /* the eye is behind the plane */
    const cst_shape_box whole = {0.0, 0.0, view->width, view->height};
    cst_plane_shape *plane = add(raster, CST_SHAPE_PLANE, CST_SHADING_LIT, fmax(c[2] - paint->reach, view->nearest),
                                 &raster->plane, sizeof *plane, &whole);
    if (plane)
        *plane = made;
}

static void add_flat(cst_raster *raster, const cst_flat_shape *flat, double left, double top, double right, double bottom)
{
    const cst_shape_box box = {left, top, right, bottom};
    cst_flat_shape *slot = add(raster, CST_SHAPE_FLAT, CST_SHADING_PLAIN, (double)flat->depth, &raster->flat, sizeof *slot, &box);
    if (slot)
        *slot = *flat;
}

void cst_raster_disk(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint)
{
    const cst_flat_shape flat = {.kind = CST_FLAT_DISK, .x = x, .y = y, .radius = radius, .depth = (float)depth, .paint = *paint};
    add_flat(raster, &flat, x - radius, y - radius, x + radius, y + radius);
}

void cst_raster_hollow(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint)
{
    const cst_flat_shape flat = {
        .kind = CST_FLAT_HOLLOW, .x = x, .y = y, .radius = radius, .depth = (float)depth, .paint = *paint};
    if (isfinite(x) && isfinite(y) && isfinite(radius))
        add_flat(raster, &flat, 0.0, 0.0, raster->view.width, raster->view.height);
}

void cst_raster_half_plane(cst_raster *raster, double x, double y, double normal_x, double normal_y, double depth,
                           const cst_flat_paint *paint)
{
    double length = hypot(normal_x, normal_y);
    const cst_flat_shape flat = {.kind = CST_FLAT_HALF_PLANE,
                                 .x = x,
                                 .y = y,
                                 .normal = {normal_x / length, normal_y / length},
                                 .depth = (float)depth,
                                 .paint = *paint};
    if (isfinite(x) && isfinite(y) && isfinite(length) && length > 0.0)
        add_flat(raster, &flat, 0.0, 0.0, raster->view.width, raster->view.height);
}

void cst_raster_polygon(cst_raster *raster, const double *point, int points, double radius, double depth,
                        const cst_flat_paint *paint)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < points; i++)
        for (int c = 0; c < 2; c++) {
            if (!isfinite(point[2 * i + c]))
                return;
            low[c] = fmin(low[c], point[2 * i + c]);
            high[c] = fmax(high[c], point[2 * i + c]);
        }
    double *own = cst_list_take(raster, &raster->point, points, 2 * sizeof *own);
    if (!own || points < 1)
        return;
    memcpy(own, point, 2 * (size_t)points * sizeof *own);
    if (points > raster->corners_max)
        raster->corners_max = points;
    const cst_flat_shape flat = {.kind = CST_FLAT_POLYGON,
                                 .radius = radius,
                                 .first = raster->point.count - points,
                                 .points = points,
                                 .depth = (float)depth,
                                 .paint = *paint};
    add_flat(raster, &flat, low[0] - radius, low[1] - radius, high[0] + radius, high[1] + radius);
}
