/* The data used while one picture is drawn, and functions that draw bodies and obstacles of 3D scenes. */
#ifndef CST_RENDER_PICTURE_ITEMS_H
#define CST_RENDER_PICTURE_ITEMS_H

#include <stdbool.h>

#include "render/picture.h"

typedef struct cst_drawing_of {
    cst_raster *raster;
    const cst_moment *moment;
    const cst_theme *theme;
    const cst_picture_style *style;
    const cst_view *view;
    const cst_rgb *colour;
    double *scratch; /* (2 vertices) */
    bool space;      /* the world has three dimensions */
    bool depths;     /* true: only the depths of shapes are drawn, as data for shadows; planes, rims, stripes and the two colours
                      * of balls are left out */
    double center[3], reach, spacing; /* in 3D: centre, radius and grid spacing of the drawn patch of a plane */
    int hairs;                        /* hairs drawn for each fiber; 0: fibers are tubes */
} cst_drawing_of;

static inline const double *cst_drawn_place(const cst_drawing_of *d, int vertex)
{
    return d->moment->position + 3 * (size_t)vertex;
}

/* Draws a ball with octants in two colours, so that its rotation is visible. */
void cst_draw_ball(const cst_drawing_of *d, const cst_moment_item *item);
void cst_draw_plane(const cst_drawing_of *d, const cst_moment_item *item);
/* Draws a mesh. A sheet is shaded smoothly. A closed mesh is shaded as a smooth surface where its triangles meet at small
 * angles, and with sharp edges elsewhere. Returns false if memory ran out. */
bool cst_draw_mesh(const cst_drawing_of *d, const cst_moment_item *item);

#endif
