/* Computes the light reflected by a strand of hair. */
#ifndef CST_RENDER_RASTER_HAIR_H
#define CST_RENDER_RASTER_HAIR_H

#include "page/rgb.h"

/* `tangent` of the strand and direction `to_eye`: unit vectors with the components right, up, towards the eye. `open`: share of
 * the lamp's light that is not absorbed by the hair between the lamp and the strand. `gloss`: strength of the highlights, 1 for
 * natural hair; with a smaller gloss, colours that represent data stay recognisable. */
cst_rgb cst_hair_lit(cst_rgb colour, const float *tangent, const float *to_eye, float open, float gloss);

#endif
