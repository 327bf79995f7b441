/* Draws a picture in square tiles, CST_TILE pixels wide. For each tile, the code lists the shapes that can be visible in the
 * tile, sorted by depth, with the shape nearest to the eye first. Each pixel has several rays; the colour of the pixel is a
 * mixture of the colours of the nearest shapes on its rays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "render/raster_things.h"

enum { COUNT_MAX = 1 << 28, LOOK_EVERY = 32 }; /* LOOK_EVERY: shapes between two visibility tests */

/* Returns false only if the shape is certainly outside the tile. The test if a shape is outside a tile is useful for long tubes,
 * which cross only few of the tiles in their bounding box. */
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

/* If `bin` is NULL, counts the shapes of each tile. If `bin` is not NULL, writes the shapes of each tile to the list of this tile
 * in `bin`. */
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
    return cst_order_numbers((double)p->nearest, (double)q->nearest, p->number, q->number);
}

/* Sorts the shapes with the nearest first, so that hidden shapes can be skipped. Shapes of equal depth keep the order in which
 * they were added. Returns NULL if memory ran out. */
static const ordered *make_order(cst_raster *raster, const cst_shapes *shapes)
{
    int count = raster->shape.count;
    raster->order.count = 0;
    ordered *order = cst_list_take(raster, &raster->order, count + 1, sizeof *order);
    for (int i = 0; i < count && order; i++)
        order[i] = (ordered){shapes->shape[i].nearest, i};
    if (order)
        qsort(order, (size_t)count, sizeof *order, by_depth);
    return order;
}

/* The list of the shapes in tile t begins at the index start[t] and ends before start[t + 1]. Returns false if memory ran out. */
static bool make_bins(cst_raster *raster, const cst_shapes *shapes, int columns, int rows)
{
    int tiles = columns * rows;
    raster->bin_start.count = raster->bin.count = 0;
    int32_t *start = cst_list_take(raster, &raster->bin_start, tiles + 2, sizeof *start);
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
    int32_t *bin = cst_list_take(raster, &raster->bin, (int)total, sizeof *bin);
    if (!bin)
        return false;
    /* while the lists are filled, start[t + 1] is the index of the next free entry in the list of tile t */
    sort_in(shapes, order, raster->shape.count, columns, start + 1, bin);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- drawing */

/* Returns the largest of the depths at which the rays of the tile hit their nearest shapes so far; a ray that has hit no shape
 * counts as infinity. Shapes beyond the returned depth are not visible in the tile. */
static float farthest(const cst_tile *tile)
{
    float far = -INFINITY;
    for (int row = 0; row < CST_TILE_ROWS && far < INFINITY; row++)
        for (int x = 0; x < CST_TILE; x++)
            far = tile->depth[row][x] > far ? tile->depth[row][x] : far;
    return far;
}

/* `number`: indices of the shapes, with the nearest shape first. */
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
            return; /* all following shapes are hidden, too */
        cst_shape_cover(shapes, number[i], tile);
    }
}

static void add_weighted(cst_rgb *sum, cst_rgb colour, float weight)
{
    sum->r += weight * colour.r;
    sum->g += weight * colour.g;
    sum->b += weight * colour.b;
}

/* Mixes the colours of all shapes seen in a pixel of the tile, each shaded once. */
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

static cst_shapes shapes_of(const cst_raster *raster)
{
    return (cst_shapes){.view = raster->view,
                        .shape = raster->shape.item,
                        .tube = raster->tube.item,
                        .ball = raster->ball.item,
                        .triangle = raster->triangle.item,
                        .plane = raster->plane.item,
                        .marking = raster->marking.item,
                        .shadow = raster->shadow,
                        .flat = raster->flat.item,
                        .point = raster->point.item};
}

/* Arrays for the result of a drawing: the colours of the pixels, or the depths at which the rays hit shapes. */
typedef struct destination {
    const cst_background *background;
    uint32_t *pixel;
    size_t stride;
    float *depth; /* not NULL: depths only */
} destination;

static void keep_depths(const cst_tile *tile, int count, int width, int height, float *depth)
{
    const int columns = width - tile->left < CST_TILE ? width - tile->left : CST_TILE;
    const int rows = height - tile->top < CST_TILE ? height - tile->top : CST_TILE;
    for (int row = 0; row < rows * CST_RASTER_SAMPLES; row++) {
        float *to = depth + ((size_t)tile->top * CST_RASTER_SAMPLES + (size_t)row) * (size_t)width + tile->left;
        for (int x = 0; x < columns; x++)
            to[x] = count > 0 ? tile->depth[row][x] : INFINITY;
    }
}

static bool draw_tiles(cst_raster *raster, const destination *to)
{
    const int width = (int)raster->view.width, height = (int)raster->view.height, threads = raster->threads;
    const int columns = (width + CST_TILE - 1) / CST_TILE, rows = (height + CST_TILE - 1) / CST_TILE;
    const cst_shapes shapes = shapes_of(raster);
    raster->crossing.count = 0;
    double *crossing = cst_list_take(raster, &raster->crossing, threads * (raster->corners_max + 1), sizeof *crossing);
    if (!crossing || !make_bins(raster, &shapes, columns, rows))
        return false;
    const int32_t *start = raster->bin_start.item, *bin = raster->bin.item;
    /* Each of n threads has its own tile buffer and draws every n-th tile of the picture. Neighbouring tiles take about the same
     * time and are drawn by different threads, so that all threads have about the same work. */
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int worker = 0; worker < threads; worker++) {
        cst_tile *tile = &raster->tile[worker];
        tile->crossing = crossing + worker * (raster->corners_max + 1);
        for (int t = worker; t < columns * rows; t += threads) {
            const int count = start[t + 1] - start[t];
            tile->left = CST_TILE * (t % columns);
            tile->top = CST_TILE * (t / columns);
            cover_tile(&shapes, bin + start[t], count, tile);
            if (to->depth)
                keep_depths(tile, count, width, height, to->depth);
            else
                draw_tile(&shapes, to->background, tile, to->pixel, to->stride);
        }
    }
    return true;
}

bool cst_raster_draw(cst_raster *raster, const cst_background *background, uint32_t *pixel, size_t stride)
{
    return draw_tiles(raster, &(destination){.background = background, .pixel = pixel, .stride = stride});
}

bool cst_raster_depths(cst_raster *raster, float *depth)
{
    return draw_tiles(raster, &(destination){.depth = depth});
}
