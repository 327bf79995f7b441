/* Draws a picture of a run at one time, without the texts that render/lettering.h adds. */
#ifndef CST_RENDER_PICTURE_H
#define CST_RENDER_PICTURE_H

#include "render/colour_by.h"
#include "render/raster.h"

typedef struct cst_picture_style {
    cst_colour_by colour_by;
    cst_hair_tone hair; /* of CST_BY_HAIR */
    bool dark;
    bool contacts;  /* draw contacts as dots, with their forces as arrows */
    bool plain;     /* no grid, and no lettering */
    double density; /* pixels per point (the unit of line widths, dots and letters) */
} cst_picture_style;

typedef struct cst_picture cst_picture;

cst_picture *cst_picture_new(int threads);   /* NULL without memory */
void cst_picture_free(cst_picture *picture); /* NULL is fine */

/* Pixels are 0xffRRGGBB, rows `stride` apart. `survey`: data of the whole run; the caller must have computed these data if the
 * colours or the arrows depend on them. Returns false if memory ran out. */
bool cst_picture_draw(cst_picture *picture, const cst_moment *moment, const cst_survey *survey, const cst_picture_style *style,
                      const cst_view *view, uint32_t *pixel, size_t stride);

/* Returns the density of a picture of `width` x `height` pixels: the number of pixels per point, the unit of line widths and
 * letters. The density of a picture is 1 for 1280 x 720 pixels, is proportional to the square root of the number of pixels, and
 * is at least 0.75. */
double cst_picture_density(int width, int height);

#endif
