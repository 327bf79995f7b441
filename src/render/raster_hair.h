/* The light on a strand of hair. */
#ifndef CST_RENDER_RASTER_HAIR_H
#define CST_RENDER_RASTER_HAIR_H

#include "render/rgb.h"

/* tangent, to_eye: unit, right, up, towards the eye. open: share of the sky's light that comes through the hair to there. gloss: 1 for hair as it
 * is; less keeps more of a colour that tells something. */
cst_rgb cst_hair_lit(cst_rgb colour, const float *tangent, const float *to_eye, float open, float gloss);

#endif
