#include "render/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/raster_shapes.h"

enum { COUNT_MAX = 1 << 28, LOOK_EVERY = 32 }; /* things between two looks whether a tile is full */
#define EVERYWHERE 1e6                         /* pixels */
#define CRACK 0.03f                            /* pixels by which tubes overlap their neighbours */

/* A list that grows. */
typedef struct list {
    void *item;
    int count, room;
} list;

struct cst_raster {
    int threads;
    bool failed; /* memory ran out since the beginning of this picture */
    cst_view view;
    list shape, tube, ball, triangle, flat, point;
    list crossing; /* threads x the most corners of a polygon */
    int corners_max;
    list bin_start, bin; /* which shapes may be seen in which tile, in order */
    list order;          /* shapes, the nearest first */
    cst_tile *tile;      /* (threads) */
};

static void *list_take(cst_raster *raster, list *l, int more, size_t size)
{
    if (raster->failed || l->count > COUNT_MAX - more) {
        raster->failed = true;
        return NULL;
    }
    if (l->count + more > l->room || !l->item) { /* even nothing has a place */
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
    cst_raster *raster = calloc(1, sizeof *raster);
    if (!raster)
        return NULL;
    raster->threads = threads > 1 ? threads : 1;
    raster->tile = malloc((size_t)raster->threads * sizeof *raster->tile);
    if (!raster->tile) {
        free(raster);
        return NULL;
    }
    return raster;
}

void cst_raster_free(cst_raster *raster)
{
    if (!raster)
        return;
    list *all[] = {&raster->shape, &raster->tube,     &raster->ball,      &raster->triangle, &raster->flat,
                   &raster->point, &raster->crossing, &raster->bin_start, &raster->bin,      &raster->order};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]->item);
    free(raster->tile);
    free(raster);
}

void cst_raster_begin(cst_raster *raster, const cst_view *view)
{
    raster->view = *view;
    raster->failed = false;
    raster->corners_max = 0;
    raster->shape.count = raster->tube.count = raster->ball.count = raster->triangle.count = raster->flat.count =
        raster->point.count = 0;
}

/* ------------------------------------------------------------------------------------------------------------------ adding */

/* Whole pixels that a range may touch, within [0, size). False: none. */
static bool whole_range(double low, double high, double size, int *first, int *last)
{
    if (!(low < size && high >= 0.0)) /* also what is no number */
        return false;
    *first = (int)fmax(floor(low), 0.0);
    *last = (int)fmin(floor(high), size - 1.0);
    return true;
}

/* The next shape of a kind, if the box (pixels) is in the picture. */
static void *add(cst_raster *raster, cst_shape_kind kind, cst_shading shading, double nearest, list *own, size_t size,
                 const cst_shape_box *box)
{
    /* A little nearer than it is: rounding must not hide it behind itself. */
    cst_shape shape = {.kind = kind, .shading = shading, .index = own->count, .nearest = (float)(nearest - 1e-6 * fabs(nearest))};
    if (!whole_range(box->left, box->right, raster->view.width, &shape.left, &shape.right) ||
        !whole_range(box->top, box->bottom, raster->view.height, &shape.top, &shape.bottom))
        return NULL;
    cst_shape *slot = list_take(raster, &raster->shape, 1, sizeof *slot);
    void *thing = slot ? list_take(raster, own, 1, size) : NULL;
    if (thing)
        *slot = shape;
    return thing;
}

static bool finite3(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* The outline of a ball in the plane of the eye and one axis of the picture: lines of sight x = t z that touch it,
 *
 *     t = (x z +- r sqrt(x^2 + z^2 - r^2)) / (z^2 - r^2),   z > r. */
static void touching(double x, double z, double radius, double *low, double *high)
{
    double root = radius * sqrt(x * x + z * z - radius * radius), below = z * z - radius * radius;
    *low = (x * z - root) / below;
    *high = (x * z + root) / below;
}

/* Around a ball in front of the eye. */
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

/* How far from its middle the outline of a ball is seen at most, in pixels: outward from the middle of the picture. */
static double reach_of(const cst_view *view, const double *center, double radius)
{
    if (!view->perspective)
        return view->focal * radius;
    double off = sqrt(center[0] * center[0] + center[1] * center[1]), low, high;
    touching(off, center[2], radius, &low, &high);
    return view->focal * (high - off / center[2]);
}

/* The part of a tube in front of the eye. False: none. */
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
        return; /* one end is inside the ball of the other */
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
                             .colour = {colour_a, colour_b}};
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
        *ball = (cst_ball_shape){.center = {c[0], c[1], c[2]}, .radius = radius, .box = box, .colour = colour};
}

void cst_raster_triangle(cst_raster *raster, const double *const *point, const double *const *normal, const cst_rgb *colour,
                         cst_shading shading)
{
    const cst_view *view = &raster->view;
    cst_triangle_shape made;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        double p[3], tip[3], n[3];
        cst_view_place(view, point[k], p);
        if (!finite3(p) || (view->perspective && p[2] < view->nearest))
            return;
        cst_view_pixel(view, p, &made.x[k], &made.y[k]);
        made.q[k] = view->perspective ? 1.0 / p[2] : p[2];
        for (int c = 0; c < 3; c++)
            tip[c] = view->eye[c] + normal[k][c];
        cst_view_place(view, tip, n); /* a direction is a place seen from the eye */
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
    double *own = list_take(raster, &raster->point, points, 2 * sizeof *own);
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

/* ------------------------------------------------------------------------------------------------------------------- tiles */

/* A long tube runs through few of the tiles of its box. */
static bool touches(const cst_shapes *shapes, const cst_shape *shape, int tile_x, int tile_y)
{
    if (shape->kind != CST_SHAPE_TUBE)
        return true;
    const cst_tube_shape *tube = &shapes->tube[shape->index];
    double dx = tube->to[0] - tube->from[0], dy = tube->to[1] - tube->from[1];
    double off = fabs((CST_TILE * (tile_x + 0.5) - tube->from[0]) * dy - (CST_TILE * (tile_y + 0.5) - tube->from[1]) * dx);
    double within = tube->reach + 0.7072 * CST_TILE;
    return off * off <= (dx * dx + dy * dy) * within * within;
}

typedef struct ordered {
    float nearest;
    int32_t number;
} ordered;

/* Counts of things per tile into the starts of their lists, or the things themselves. */
static void sort_in(const cst_shapes *shapes, const ordered *order, int count, int columns, int32_t *start, int32_t *bin)
{
    for (int i = 0; i < count; i++) {
        const cst_shape *shape = &shapes->shape[order[i].number];
        for (int y = shape->top / CST_TILE; y <= shape->bottom / CST_TILE; y++)
            for (int x = shape->left / CST_TILE; x <= shape->right / CST_TILE; x++)
                if (touches(shapes, shape, x, y)) {
                    if (bin)
                        bin[start[y * columns + x]] = order[i].number;
                    start[y * columns + x]++;
                }
    }
}

static int by_depth(const void *a, const void *b)
{
    const ordered *p = a, *q = b;
    if (p->nearest != q->nearest)
        return p->nearest < q->nearest ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

/* What is near comes first: what it hides need not be looked at. Among equals the order of adding stays. NULL without memory. */
static const ordered *make_order(cst_raster *raster, const cst_shapes *shapes)
{
    int count = raster->shape.count;
    raster->order.count = 0;
    ordered *order = list_take(raster, &raster->order, count + 1, sizeof *order);
    for (int i = 0; i < count && order; i++)
        order[i] = (ordered){shapes->shape[i].nearest, i};
    if (order)
        qsort(order, (size_t)count, sizeof *order, by_depth);
    return order;
}

/* start[t] .. start[t + 1]: the things of tile t. False without memory. */
static bool make_bins(cst_raster *raster, const cst_shapes *shapes, int columns, int rows)
{
    int tiles = columns * rows;
    raster->bin_start.count = raster->bin.count = 0;
    int32_t *start = list_take(raster, &raster->bin_start, tiles + 2, sizeof *start);
    const ordered *order = start ? make_order(raster, shapes) : NULL;
    if (!order)
        return false;
    memset(start, 0, ((size_t)tiles + 2) * sizeof *start);
    sort_in(shapes, order, raster->shape.count, columns, start + 2, NULL);
    int64_t total = 0;
    for (int t = 0; t < tiles; t++) {
        total += start[t + 2];
        if (total > COUNT_MAX)
            return false;
        start[t + 2] = (int32_t)total;
    }
    int32_t *bin = list_take(raster, &raster->bin, (int)total, sizeof *bin);
    if (!bin)
        return false;
    sort_in(shapes, order, raster->shape.count, columns, start + 1, bin); /* each start moves on to the end of its own list */
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- drawing */

/* The depth behind which nothing can be seen any more. */
static float farthest(const cst_tile *tile)
{
    float far = -INFINITY;
    for (int row = 0; row < CST_TILE_ROWS && far < INFINITY; row++)
        for (int x = 0; x < CST_TILE; x++)
            far = tile->depth[row][x] > far ? tile->depth[row][x] : far;
    return far;
}

/* numbers: of the things, the nearest first. */
static void cover_tile(const cst_shapes *shapes, const int32_t *number, int count, cst_tile *tile)
{
    memset(tile->met, 0, sizeof tile->met);
    for (int row = 0; row < CST_TILE_ROWS && count > 0; row++)
        for (int x = 0; x < CST_TILE; x++) {
            tile->depth[row][x] = INFINITY;
            tile->seen[row][x] = CST_NOTHING;
        }
    for (int i = 0; i < count; i++) {
        if (i % LOOK_EVERY == LOOK_EVERY - 1 && shapes->shape[number[i]].nearest > farthest(tile))
            return; /* and so are all that follow */
        cst_shape_cover(shapes, number[i], tile);
    }
}

static void add_weighted(cst_rgb *sum, cst_rgb colour, float weight)
{
    sum->r += weight * colour.r;
    sum->g += weight * colour.g;
    sum->b += weight * colour.b;
}

/* Everything seen in a pixel of the tile, each once. */
static uint32_t resolve(const cst_shapes *shapes, const cst_background *background, const cst_tile *tile, int x, int y)
{
    int32_t seen[CST_RASTER_SAMPLES];
    for (int k = 0; k < CST_RASTER_SAMPLES; k++)
        seen[k] = tile->seen[y * CST_RASTER_SAMPLES + k][x];
    const double left = tile->left + x, top = tile->top + y;
    cst_rgb sum = {0}, behind = {0};
    bool behind_known = false;
    for (int k = 0; k < CST_RASTER_SAMPLES; k++) {
        int32_t number = seen[k];
        if (number < CST_NOTHING)
            continue; /* counted with an earlier ray */
        int count = 0;
        double at_x = 0.0, at_y = 0.0;
        for (int j = k; j < CST_RASTER_SAMPLES; j++) {
            if (seen[j] != number)
                continue;
            count++;
            at_x += cst_ray_column(j);
            at_y += (j + 0.5) / CST_RASTER_SAMPLES;
            seen[j] = CST_NOTHING - 1;
        }
        float weight = (float)count / CST_RASTER_SAMPLES;
        cst_fragment fragment = {.cover = 0.0f};
        if (number != CST_NOTHING)
            fragment = cst_shape_shade(shapes, number, left + at_x / count, top + at_y / count);
        if (fragment.cover < 1.0f) {
            if (!behind_known)
                behind = background->colour(background->user, left + 0.5, top + 0.5);
            behind_known = true;
            add_weighted(&sum, behind, weight * (1.0f - fragment.cover));
        }
        add_weighted(&sum, fragment.colour, weight * fragment.cover);
    }
    return cst_rgb_packed(sum);
}

static void draw_tile(const cst_shapes *shapes, const cst_background *background, const cst_tile *tile, uint32_t *pixel,
                      size_t stride)
{
    const int right = (int)shapes->view.width - tile->left, bottom = (int)shapes->view.height - tile->top;
    for (int y = 0; y < CST_TILE && y < bottom; y++) {
        uint32_t *row = pixel + (size_t)(tile->top + y) * stride + (size_t)tile->left;
        for (int x = 0; x < CST_TILE && x < right; x++)
            row[x] = tile->met[y]
                         ? resolve(shapes, background, tile, x, y)
                         : cst_rgb_packed(background->colour(background->user, tile->left + x + 0.5, tile->top + y + 0.5));
    }
}

bool cst_raster_draw(cst_raster *raster, const cst_background *background, uint32_t *pixel, size_t stride)
{
    const int columns = ((int)raster->view.width + CST_TILE - 1) / CST_TILE, threads = raster->threads;
    const int rows = ((int)raster->view.height + CST_TILE - 1) / CST_TILE;
    const cst_shapes shapes = {.view = raster->view,
                               .shape = raster->shape.item,
                               .tube = raster->tube.item,
                               .ball = raster->ball.item,
                               .triangle = raster->triangle.item,
                               .flat = raster->flat.item,
                               .point = raster->point.item};
    raster->crossing.count = 0;
    double *crossing = list_take(raster, &raster->crossing, threads * (raster->corners_max + 1), sizeof *crossing);
    if (!crossing || !make_bins(raster, &shapes, columns, rows))
        return false;
    const int32_t *start = raster->bin_start.item, *bin = raster->bin.item;
    /* Each worker has its own tile and takes every so many-th of the picture: neighbours cost about the same. */
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int worker = 0; worker < threads; worker++) {
        cst_tile *tile = &raster->tile[worker];
        tile->crossing = crossing + worker * (raster->corners_max + 1);
        for (int t = worker; t < columns * rows; t += threads) {
            tile->left = CST_TILE * (t % columns);
            tile->top = CST_TILE * (t / columns);
            cover_tile(&shapes, bin + start[t], start[t + 1] - start[t], tile);
            draw_tile(&shapes, background, tile, pixel, stride);
        }
    }
    return true;
}
