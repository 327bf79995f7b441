/* The background of a picture: a square grid behind a planar scene, or the ground below a 3D scene. */
#ifndef CST_RENDER_GRID_H
#define CST_RENDER_GRID_H

#include "page/colours.h"
#include "render/raster.h"

typedef struct cst_grid {
    cst_view view;
    cst_rgb paper, ink;
    bool drawn;     /* false: paper alone */
    double spacing; /* distance between grid lines (m); every fifth line is strong */
    double density; /* pixels per point (the unit of line widths and letters) */
    /* For planar scenes: weight (0 to 1) with which the colour of the grid lines is mixed into each column and each row of
     * pixels. */
    const float *column, *row;
    /* In 3D, the drawn ground is a disk that fades out towards its rim: `ground` is its centre, `reach` its radius (m). */
    double ground[3], reach;
    const cst_shadow *shadow; /* shadow on the ground, or NULL */
} cst_grid;

/* Returns the largest number of the form 1, 2 or 5 times a power of ten that is not above x. */
double cst_round_length(double x);

/* `metres`: length of about 100 points. The caller provides the array `room` of width + height numbers, which must exist as long
 * as the grid. */
cst_grid cst_grid_make(const cst_view *view, const cst_theme *theme, bool drawn, double metres, double density,
                       const double *ground, double reach, float *room);

/* Returns the colour of the background with the grid at the pixel (x, y); a callback for cst_background. */
cst_rgb cst_grid_colour(const void *grid, double x, double y);

#endif
