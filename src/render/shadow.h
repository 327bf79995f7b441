/* Shadows from an open sky with a bright spot, fixed in the world. Places below other shapes are darker, which shows how shapes
 * lie over each other and above the ground.
 *
 * Example:
 *
 *     cst_view from = cst_shadow_view(&box);
 *     cst_raster_begin(raster, &from); ...; cst_raster_depths(raster, depth);
 *     cst_raster_begin(raster, &view); cst_raster_cast(raster, &(cst_shadow){from, depth}); ... */
#ifndef CST_RENDER_SHADOW_H
#define CST_RENDER_SHADOW_H

#include "render/raster.h"

enum { CST_SHADOW_PIXELS = 512, CST_SHADOW_NUMBERS = CST_SHADOW_PIXELS * CST_SHADOW_PIXELS * CST_RASTER_SAMPLES };

/* Returns the view from the bright spot, around a box. */
cst_view cst_shadow_view(const cst_bounds *box);

/* Returns the share, 0 to 1, of the rays around a point that do not reach the point. `normal`: unit normal of the surface at
 * the point. */
float cst_shadow_at(const cst_shadow *shadow, const double *place, const double *normal);

/* Returns the share of the light that reaches a point inside hair: the light decreases with the depth below the first strand it
 * hits. */
float cst_shadow_through(const cst_shadow *shadow, const double *place);

#endif
