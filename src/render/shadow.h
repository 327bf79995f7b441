/* Shadows in the light of the sky, which has a bright spot in a fixed direction of the world. Surfaces below other shapes are
 * darker, which shows how shapes lie over each other and above the ground.
 *
 * This example computes depths from the view of the light, then draws a picture with these depths as shadow:
 *
 *     cst_view from = cst_shadow_view(&box);
 *     cst_raster_begin(raster, &from); ...; cst_raster_depths(raster, depth);
 *     cst_raster_begin(raster, &view); cst_raster_cast(raster, &(cst_shadow){from, depth}); ... */
#ifndef CST_RENDER_SHADOW_H
#define CST_RENDER_SHADOW_H

#include "render/raster.h"

enum { CST_SHADOW_PIXELS = 512, CST_SHADOW_NUMBERS = CST_SHADOW_PIXELS * CST_SHADOW_PIXELS * CST_RASTER_SAMPLES };

/* Returns the view of the whole bounding box from the bright spot of the sky. */
cst_view cst_shadow_view(const cst_bounds *box);

/* Returns the share of the light, 0 to 1, that other shapes block at a surface point; on a surface that faces away from the
 * light, always 0.6. `normal`: unit normal of the surface at the point. */
float cst_shadow_at(const cst_shadow *shadow, const double *place, const double *normal);

/* Returns the share of the light that reaches a point inside hair: the light decreases with the depth of the point below the
 * first strand that the light hits. */
float cst_shadow_through(const cst_shadow *shadow, const double *place);

#endif
