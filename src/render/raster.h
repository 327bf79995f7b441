/* A picture of tubes, balls, triangles and flat shapes, with depth, light and smooth edges, without a graphics card.
 *
 *     cst_raster *raster = cst_raster_new(threads);
 *     cst_raster_begin(raster, &view);
 *     cst_raster_tube(raster, a, b, radius_a, radius_b, blue, red, CST_SHADING_LIT);
 *     cst_raster_draw(raster, &background, pixel, stride);
 *
 * Every pixel has CST_RASTER_SAMPLES rays, placed so that no two share a row or a column within the pixel: an edge in any direction
 * gets as many shades. The first thing that a ray meets counts; each thing seen in a pixel is shaded once, at the middle of its
 * rays, and weighs as many as it has. Tubes and balls are met by solving for the ray, not by triangles: they are round at any size.
 *
 * Tiles of the picture are drawn by threads on their own, each thing in the order it was added: the bits do not depend on how many
 * threads there are. */
#ifndef CST_RENDER_RASTER_H
#define CST_RENDER_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "render/rgb.h"
#include "render/view.h"

enum { CST_RASTER_SAMPLES = 16 };

typedef enum cst_shading {
    CST_SHADING_LIT = 0, /* a lamp over the left shoulder, the sky, a gleam */
    CST_SHADING_RIBBON,  /* the same, faint: for the plane, where colour should stay what it is */
    CST_SHADING_PLAIN,   /* colour alone */
    /* Tubes and balls: colour alone, at the depth of their middle. A little wider than the thing itself, it is a rim that lies over
     * what passes below and is hidden by what passes above: one sees which strand of a knot is which. */
    CST_SHADING_RIM,
    CST_SHADING_HAIR /* tubes with CST_MARKING_HAIR: light along a strand (raster_hair.h) */
} cst_shading;

/* What is painted on tubes and balls, so that one sees them turn. */
typedef enum cst_marking_kind {
    CST_MARKING_NONE = 0,
    CST_MARKING_STRIPE,  /* where the surface looks along axis[0]; of a tube axis[0] at its start and axis[1] at its end */
    CST_MARKING_OCTANTS, /* every second octant, of the axes axis[0], axis[1] and their product */
    CST_MARKING_HAIR     /* nothing is painted: axis[0] and axis[1] are the tangents of a strand at both ends of the tube */
} cst_marking_kind;

typedef struct cst_marking {
    cst_marking_kind kind;
    double axis[2][3]; /* in the world */
    cst_rgb colour;
    float cover; /* hair: share of the rays that it stops */
    float gloss; /* hair: 0 to 1 */
} cst_marking;

/* A plane in space: a round patch of it that fades away, ruled in squares. Seen from its front alone. */
typedef struct cst_plane_paint {
    cst_rgb fill, ink;
    double center[3]; /* near the plane, m */
    double reach;     /* m from there to where it has faded away */
    double spacing;   /* m between weak lines; every fifth is strong. 0: none */
    double density;   /* pixels of the picture per point of the page */
} cst_plane_paint;

/* What hides the sky: depths seen from there, CST_RASTER_SAMPLES per pixel of a square view without perspective. */
typedef struct cst_shadow {
    cst_view view;
    const float *depth; /* of cst_raster_depths */
} cst_shadow;

/* How a flat shape is filled; lengths in pixels. */
typedef struct cst_flat_paint {
    cst_rgb fill, edge;
    float edge_width; /* 0: no edge */
    float hatch;      /* 0 to 1: strength of lines in the colour of the edge */
    float hatch_step; /* distance from line to line, along a row */
    float fade;       /* depth below the surface in which it fades away; 0: it does not */
    float spoke[2];   /* direction of a line from the centre of a disk, which shows that it turns; 0, 0: none */
} cst_flat_paint;

/* Colour of what lies behind everything at a point of the picture. */
typedef struct cst_background {
    cst_rgb (*colour)(const void *user, double x, double y);
    const void *user;
} cst_background;

typedef struct cst_raster cst_raster;

cst_raster *cst_raster_new(int threads);  /* NULL without memory */
void cst_raster_free(cst_raster *raster); /* NULL is fine */

/* Forgets what there was. */
void cst_raster_begin(cst_raster *raster, const cst_view *view);

/* The shadow that falls on what is drawn; NULL: none. Kept by the caller. */
void cst_raster_cast(cst_raster *raster, const cst_shadow *shadow);
/* For tubes and balls that are added from now on; NULL: none. */
void cst_raster_mark(cst_raster *raster, const cst_marking *marking);

/* Things in the world, m. What is not finite, or not in front of the eye, is left out. The ends of a tube are open: balls close
 * them and fill bends. */
void cst_raster_tube(cst_raster *raster, const double *a, const double *b, double radius_a, double radius_b, cst_rgb colour_a,
                     cst_rgb colour_b, cst_shading shading);
void cst_raster_ball(cst_raster *raster, const double *center, double radius, cst_rgb colour, cst_shading shading);
/* Seen from both sides; the one that normals do not look from is a little darker. Normals need not be unit. */
void cst_raster_triangle(cst_raster *raster, const double *const *point, const double *const *normal, const cst_rgb *colour,
                         cst_shading shading);

void cst_raster_plane(cst_raster *raster, const double *point, const double *normal, const cst_plane_paint *paint);

/* Flat shapes, in pixels of the picture, at a depth; among equal depths the later one counts. */
void cst_raster_disk(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint);
/* Matter outside the circle. */
void cst_raster_hollow(cst_raster *raster, double x, double y, double radius, double depth, const cst_flat_paint *paint);
/* Matter on the side opposite to the normal. */
void cst_raster_half_plane(cst_raster *raster, double x, double y, double normal_x, double normal_y, double depth,
                           const cst_flat_paint *paint);
/* Inside of a closed polygon (points x 2) and all that is not further than radius from it. */
void cst_raster_polygon(cst_raster *raster, const double *point, int points, double radius, double depth,
                        const cst_flat_paint *paint);

/* pixel: 0xffRRGGBB, rows `stride` apart. False without memory. */
bool cst_raster_draw(cst_raster *raster, const cst_background *background, uint32_t *pixel, size_t stride);

/* Depths of what the rays meet (infinite: nothing), ray k of a pixel in row CST_RASTER_SAMPLES y + k of as many numbers as the
 * picture is wide. False without memory. */
bool cst_raster_depths(cst_raster *raster, float *depth);

#endif
