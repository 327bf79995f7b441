/* The squared paper behind a picture of the plane, or the ground below one of space. */
#ifndef CST_RENDER_GRID_H
#define CST_RENDER_GRID_H

#include "render/colours.h"
#include "render/raster.h"

typedef struct cst_grid {
    cst_view view;
    cst_rgb paper, ink;
    bool drawn;     /* false: paper alone */
    double spacing; /* m between weak lines; every fifth is strong */
    double density; /* pixels of the picture per point of the page */
    /* In the plane: how much ink is in each column and in each row of pixels. */
    const float *column, *row;
    /* In space: a place on the ground, and m from there to where it has faded away. */
    double ground[3], reach;
    const cst_shadow *shadow; /* that falls on it, or NULL */
} cst_grid;

/* 1, 2 or 5 times a power of ten, not above x. */
double cst_round_length(double x);

/* metres: what about 100 points are. room: for width + height numbers, kept. */
cst_grid cst_grid_make(const cst_view *view, const cst_theme *theme, bool drawn, double metres, double density,
                       const double *ground, double reach, float *room);

/* For cst_background: user is the grid. */
cst_rgb cst_grid_colour(const void *grid, double x, double y);

#endif
