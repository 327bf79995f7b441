/* Renders tubes, balls, triangles and flat shapes with depth, light and smooth edges, without a graphics card.
 *
 * Every pixel has CST_RASTER_SAMPLES rays. No two rays of a pixel have the same horizontal position, and no two have the same
 * vertical position, so that edges of any direction look equally smooth. Each ray sees only the nearest shape that it hits. The
 * colour of a shape seen in a pixel is computed only once, at the mean position of those rays of the pixel that see the shape.
 * The colour of a pixel is the weighted mean of the colours of the shapes and of the background that its rays see. The weight of
 * a colour is the number of rays that see it. Where a shape is partly transparent, the background shows through. Intersections
 * with tubes and balls are computed exactly, not with triangles, so tubes and balls look round at any size.
 *
 * Threads draw tiles of the picture independently; in each tile, shapes of equal depth are drawn in the order in which they were
 * added. The picture does not depend on the number of threads.
 *
 * This example draws one tube:
 *
 *     cst_raster *raster = cst_raster_new(threads);
 *     cst_raster_begin(raster, &view);
 *     cst_raster_tube(raster, a, b, radius_a, radius_b, blue, red, CST_SHADING_LIT);
 *     cst_raster_draw(raster, &background, pixel, stride); */
#ifndef CST_RENDER_RASTER_H
#define CST_RENDER_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "page/rgb.h"
#include "render/view.h"

enum { CST_RASTER_SAMPLES = 16 };

typedef enum cst_shading {
    CST_SHADING_LIT = 0, /* shape lit by a lamp over the viewer's left shoulder and by the sky, with a highlight */
    CST_SHADING_RIBBON,  /* shape with little shading, which hardly changes its colour; for planar scenes */
    CST_SHADING_PLAIN,   /* colour alone */
    /* The dark rim around a tube or a ball is a slightly wider tube or ball, drawn in one colour and without light. The depth of
     * a dark rim is that of the middle of its tube or ball. The dark rim of a rod hides the rods behind it, and rods in front
     * hide the rim, so that the rods of a knot can be distinguished. */
    CST_SHADING_RIM,
    CST_SHADING_HAIR /* shaded as hair (raster_hair.h); only for tubes with the marking CST_MARKING_HAIR */
} cst_shading;

/* Markings painted on tubes and balls, so that their rotation is visible. */
typedef enum cst_marking_kind {
    CST_MARKING_NONE = 0,
    /* a stripe painted along the line where the surface normal has the direction axis[0]; on a tube, the direction changes from
     * axis[0] at its start to axis[1] at its end */
    CST_MARKING_STRIPE,
    /* paint on every second octant of a ball; the planes through its centre with the normals axis[0], axis[1] and axis[0] x
     * axis[1] divide the ball into octants */
    CST_MARKING_OCTANTS,
    /* the tube is part of a strand of hair, and nothing is painted on it; axis[0] and axis[1] are the tangents of the strand at
     * the two ends of the tube */
    CST_MARKING_HAIR
} cst_marking_kind;

typedef struct cst_marking {
    cst_marking_kind kind;
    double axis[2][3]; /* in the world */
    cst_rgb colour;
    float cover; /* opacity of hair: share of the rays crossing a strand of hair that count as hits */
    float gloss; /* hair: 0 to 1 */
} cst_marking;

/* How to paint a plane in 3D: as a round patch that fades out at its rim, with a square grid. The round patch of a plane is
 * visible only from its front. */
typedef struct cst_plane_paint {
    cst_rgb fill, ink;
    double center[3]; /* a point near the plane (m) */
    double reach;     /* radius (m) of the painted part of the plane; the paint fades out towards this distance from `center` */
    double spacing;   /* distance between grid lines (m); every fifth line is strong; 0: no lines */
    double density;   /* pixels per point (the unit of line widths and letters) */
} cst_plane_paint;

/* Data for shadows: the depths of the shapes seen from the light. The view from the light is square and without perspective, and
 * has CST_RASTER_SAMPLES depths per pixel. */
typedef struct cst_shadow {
    cst_view view;
    const float *depth; /* of cst_raster_depths */
} cst_shadow;

/* Colours, hatching and edge of a flat shape; lengths are in pixels. */
typedef struct cst_flat_paint {
    cst_rgb fill, edge;
    float edge_width; /* 0: no edge */
    float hatch;      /* 0 to 1: strength of the hatching, drawn in the colour of the shape's edge */
    float hatch_step; /* distance between hatching lines, along a row of pixels */
    float fade;       /* distance from the outline of the shape over which its fill fades out; 0: no fading */
    float spoke[2];   /* direction of a line drawn from the centre of a disk to show its rotation; 0, 0: no line */
} cst_flat_paint;

/* `colour`: callback that returns the colour of the background at a point of the picture. */
typedef struct cst_background {
    cst_rgb (*colour)(const void *user, double x, double y);
    const void *user;
} cst_background;

typedef struct cst_raster cst_raster;

cst_raster *cst_raster_new(int threads);  /* NULL without memory */
void cst_raster_free(cst_raster *raster); /* NULL is fine */

/* Starts a new picture and discards all shapes. */
void cst_raster_begin(cst_raster *raster, const cst_view *view);

/* Sets the shadow that falls on the shapes; NULL: none. The caller keeps owning it. */
void cst_raster_cast(cst_raster *raster, const cst_shadow *shadow);
/* Sets the marking of tubes and balls added after this call; NULL: none. */
void cst_raster_mark(cst_raster *raster, const cst_marking *marking);

/* Shapes in the world, m. Shapes with coordinates that are not finite, and balls and triangles that are not completely in front
 * of the eye, are left out. A tube is cut to its part in front of the eye. The ends of a tube are open: add balls to close them
 * and to fill bends. */
void cst_raster_tube(cst_raster *raster, const double *a, const double *b, double radius_a, double radius_b, cst_rgb colour_a,
                     cst_rgb colour_b, cst_shading shading);
void cst_raster_ball(cst_raster *raster, const double *center, double radius, cst_rgb colour, cst_shading shading);
/* Triangles are visible from their front and back; the back (opposite to the normals) is slightly darker. Normals need not be
 * unit vectors. */
void cst_raster_triangle(cst_raster *raster, const double *const *point, const double *const *normal, const cst_rgb *colour,
                         cst_shading shading);

void cst_raster_plane(cst_raster *raster, const double *point, const double *normal, const cst_plane_paint *paint);

/* The following functions add a flat shape at a given depth, with coordinates in pixels of the picture. At equal depths, the
 * shape added last is in front. */
void cst_raster_disk(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint);
/* Fills the outside of the circle. */
void cst_raster_hollow(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint);
/* Fills the half-plane whose border goes through the point (x, y), on the side opposite to the border's normal. */
void cst_raster_half_plane(cst_raster *raster, double x, double y, double normal_x, double normal_y, double depth,
                           const cst_flat_paint *paint);
/* Fills a closed polygon and all points within `radius` of it. `point`: array (points x 2), corners of the polygon. */
void cst_raster_polygon(cst_raster *raster, const double *point, int points, double radius, double depth,
                        const cst_flat_paint *paint);

/* `pixel`: 0xffRRGGBB, rows `stride` apart. Returns false if memory ran out. */
bool cst_raster_draw(cst_raster *raster, const cst_background *background, uint32_t *pixel, size_t stride);

/* Computes the depth at which each ray hits a shape, or infinity if it hits none. A row of the array `depth` has one number per
 * pixel. The depths of the k-th rays of the pixels in the pixel row y are in the row CST_RASTER_SAMPLES * y + k of `depth`.
 * Returns false if memory ran out. */
bool cst_raster_depths(cst_raster *raster, float *depth);

#endif
