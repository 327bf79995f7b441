/* The shapes as the raster stores them, with coordinates in the eye's frame or in pixels. */
#ifndef CST_RENDER_RASTER_SHAPES_H
#define CST_RENDER_RASTER_SHAPES_H

#include "render/raster.h"

/* Pixels, not rounded. */
typedef struct cst_shape_box {
    double left, top, right, bottom;
} cst_shape_box;

/* A truncated cone, usually a cylinder, in metres in the eye's frame. The axis of the cone has the length `length`, starts at `a`
 * and has the unit direction `axis`. At the distance s from `a` along the axis, the radius of the cone is `radius` + `slope`
 * s. */
typedef struct cst_tube_shape {
    double a[3], axis[3], length, radius, slope;
    /* length that is added at both ends of a tube (m), a small fraction of a pixel, so that no gap is visible between two
     * tubes */
    double slack;
    double from[2], to[2], reach; /* pixels: both ends of the tube's axis in the picture, and a bound on the tube's half width */
    cst_shape_box box;
    cst_rgb colour[2];
    int marking; /* CST_NOTHING: none */
} cst_tube_shape;

typedef struct cst_ball_shape {
    double center[3], radius;
    cst_shape_box box;
    cst_rgb colour;
    int marking;
} cst_ball_shape;

/* A marking (cst_marking) with its axes in the eye's frame: right, up, towards the eye. */
typedef struct cst_marking_shape {
    cst_marking_kind kind;
    float axis[3][3];
    cst_rgb colour;
    float cover, gloss;
} cst_marking_shape;

/* A plane in the eye's frame (right, up, depth): the points whose dot product with the unit vector `normal` is `offset`. The
 * unit vectors u and v are parallel to the lines of the grid on the plane. */
typedef struct cst_plane_shape {
    double normal[3], offset, u[3], v[3], center[3];
    /* position of the centre of the plane's round patch along the two grid directions, measured from the world's origin */
    double from[2];
    cst_plane_paint paint;
} cst_plane_shape;

/* Corners of a triangle in pixels. `q`: at each corner of the triangle, 1 / depth with perspective, or the depth without
 * perspective. Over the triangle in the picture, the code interpolates q linearly. */
typedef struct cst_triangle_shape {
    double x[3], y[3], q[3];
    float normal[3][3];
    cst_rgb colour[3];
} cst_triangle_shape;

typedef enum cst_flat_kind { CST_FLAT_DISK = 0, CST_FLAT_HOLLOW, CST_FLAT_HALF_PLANE, CST_FLAT_POLYGON } cst_flat_kind;

typedef struct cst_flat_shape {
    cst_flat_kind kind;
    double x, y, radius, normal[2]; /* pixels */
    int first, points;              /* of a polygon */
    float depth;
    cst_flat_paint paint;
} cst_flat_shape;

typedef enum cst_shape_kind {
    CST_SHAPE_TUBE = 0,
    CST_SHAPE_BALL,
    CST_SHAPE_TRIANGLE,
    CST_SHAPE_PLANE,
    CST_SHAPE_FLAT
} cst_shape_kind;

typedef struct cst_shape {
    cst_shape_kind kind;
    cst_shading shading;
    int index;                    /* index among the shapes of the same kind (for example, tubes) */
    float nearest;                /* lower bound for the depth of the shape's points */
    int left, top, right, bottom; /* pixels it may touch, inclusive */
} cst_shape;

/* All shapes, read by many threads. */
typedef struct cst_shapes {
    cst_view view;
    const cst_shape *shape;
    const cst_tube_shape *tube;
    const cst_ball_shape *ball;
    const cst_triangle_shape *triangle;
    const cst_plane_shape *plane;
    const cst_marking_shape *marking;
    const cst_shadow *shadow; /* or NULL */
    const cst_flat_shape *flat;
    const double *point; /* points of polygons, x 2 */
} cst_shapes;

enum { CST_TILE = 32, CST_TILE_ROWS = CST_TILE * CST_RASTER_SAMPLES };

/* For each ray of a tile, the nearest shape hit so far and its depth. For each row of pixels, a tile has CST_RASTER_SAMPLES rows
 * of rays, with one ray per pixel in each row. */
typedef struct cst_tile {
    int left, top;      /* position of the tile in pixels */
    bool met[CST_TILE]; /* for each row of pixels: true if one of its rays has hit a shape */
    float depth[CST_TILE_ROWS][CST_TILE];
    int32_t seen[CST_TILE_ROWS][CST_TILE]; /* number of the shape that the ray hits; CST_NOTHING if it hits none */
    /* buffer for the points where a row of rays crosses the edges of a polygon: one number per corner of the largest polygon */
    double *crossing;
} cst_tile;

enum { CST_NOTHING = -1 };

/* Returns the horizontal position, 0 to 1, of a ray in its pixel. The horizontal positions of the rays in consecutive rows form a
 * van der Corput sequence, so that the rays are spread evenly over the pixel. */
static inline double cst_ray_column(int row)
{
    int k = row % CST_RASTER_SAMPLES, mirrored = ((k & 1) << 3) | ((k & 2) << 1) | ((k & 4) >> 1) | ((k & 8) >> 3);
    return (mirrored + 0.5) / CST_RASTER_SAMPLES;
}

/* For every ray that hits the shape, and has not hit a nearer shape before, stores the number of the shape and the depth of the
 * hit. */
void cst_shape_cover(const cst_shapes *shapes, int32_t number, cst_tile *tile);

typedef struct cst_fragment {
    cst_rgb colour;
    float cover; /* opacity, 0 to 1 */
} cst_fragment;

/* Computes the colour of a shape at a point of the picture that it covers. */
cst_fragment cst_shape_shade(const cst_shapes *shapes, int32_t number, double x, double y);

#endif
