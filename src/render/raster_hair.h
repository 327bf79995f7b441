/* Computes the light reflected by a strand of hair. */
#ifndef CST_RENDER_RASTER_HAIR_H
#define CST_RENDER_RASTER_HAIR_H

#include "render/rgb.h"

/* tangent, to_eye: unit vectors (right, up, towards the eye). open: share of the sky's light that passes through the hair. gloss:
 * 1 for natural hair; smaller values keep more of a colour that shows a value. */
cst_rgb cst_hair_lit(cst_rgb colour, const float *tangent, const float *to_eye, float open, float gloss);

#endif
