/* The things of a raster, as it keeps them: in the frame of the eye or in pixels. */
#ifndef CST_RENDER_RASTER_SHAPES_H
#define CST_RENDER_RASTER_SHAPES_H

#include "render/raster.h"

/* Pixels, not rounded. */
typedef struct cst_shape_box {
    double left, top, right, bottom;
} cst_shape_box;

/* A cone (a cylinder, mostly): points a + s axis at distance radius + slope s, 0 <= s <= length. Eye frame, m. */
typedef struct cst_tube_shape {
    double a[3], axis[3], length, radius, slope;
    double slack;                 /* m that it is longer at both ends, a small part of a pixel: no cracks between neighbours */
    double from[2], to[2], reach; /* pixels: its middle line and a bound on its half width */
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

/* A marking in the frame of the eye (right, up, towards it). */
typedef struct cst_marking_shape {
    cst_marking_kind kind;
    float axis[3][3];
    cst_rgb colour;
    float cover, gloss;
} cst_marking_shape;

/* Points x with n.x = offset in the frame of the eye (right, up, depth); u, v and n are a frame of the world's. */
typedef struct cst_plane_shape {
    double normal[3], offset, u[3], v[3], center[3];
    double from[2]; /* coordinates of the centre along u and v from the origin of the world: lines stay where they are */
    cst_plane_paint paint;
} cst_plane_shape;

/* Corners in pixels, with 1 / depth (depth, without perspective): what is linear over the picture. */
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
    int index;                    /* in the list of its kind */
    float nearest;                /* depth: no part of it is nearer */
    int left, top, right, bottom; /* pixels it may touch, inclusive */
} cst_shape;

/* All things, to be read by many threads. */
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
    const double *point; /* of polygons, x 2 */
} cst_shapes;

enum { CST_TILE = 32, CST_TILE_ROWS = CST_TILE * CST_RASTER_SAMPLES };

/* What the rays of a tile have met so far, row after row: CST_RASTER_SAMPLES rows of rays make a row of pixels, and there is one
 * ray per pixel in each. */
typedef struct cst_tile {
    int left, top;      /* pixels of the picture */
    bool met[CST_TILE]; /* some ray of the row of pixels has met something */
    float depth[CST_TILE_ROWS][CST_TILE];
    int32_t seen[CST_TILE_ROWS][CST_TILE]; /* the number of what was met, or CST_NOTHING */
    double *crossing;                      /* room for as many numbers as a polygon has corners */
} cst_tile;

enum { CST_NOTHING = -1 };

/* Where in its pixel a ray of a row goes: the column mirrors the bits of the row. */
static inline double cst_ray_column(int row)
{
    int k = row % CST_RASTER_SAMPLES, mirrored = ((k & 1) << 3) | ((k & 2) << 1) | ((k & 4) >> 1) | ((k & 8) >> 3);
    return (mirrored + 0.5) / CST_RASTER_SAMPLES;
}

/* Puts the thing into the tile wherever it is the nearest so far, or as near as the nearest. */
void cst_shape_cover(const cst_shapes *shapes, int32_t number, cst_tile *tile);

typedef struct cst_fragment {
    cst_rgb colour;
    float cover; /* less than 1: what is behind shines through */
} cst_fragment;

/* What the thing looks like at a point of the picture that it covers. */
cst_fragment cst_shape_shade(const cst_shapes *shapes, int32_t number, double x, double y);

#endif
