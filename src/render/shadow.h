/* Shadows of an open sky with a bright place in it, fixed in the world: what is below something else is darker, so that one sees how
 * things lie over each other and above the ground.
 *
 *     cst_view from = cst_shadow_view(&box);
 *     cst_raster_begin(raster, &from); ...; cst_raster_depths(raster, depth);
 *     cst_raster_begin(raster, &view); cst_raster_cast(raster, &(cst_shadow){from, depth}); ... */
#ifndef CST_RENDER_SHADOW_H
#define CST_RENDER_SHADOW_H

#include "render/raster.h"

enum { CST_SHADOW_PIXELS = 512, CST_SHADOW_NUMBERS = CST_SHADOW_PIXELS * CST_SHADOW_PIXELS * CST_RASTER_SAMPLES };

/* From the bright place, around a box. */
cst_view cst_shadow_view(const cst_bounds *box);

/* Share of the rays around a place that do not reach it, 0 to 1. normal: unit, of the surface there. */
float cst_shadow_at(const cst_shadow *shadow, const double *place, const double *normal);

/* Share of the light that comes to a place in hair: what it has passed since the first strand it met dims it little by little. */
float cst_shadow_through(const cst_shadow *shadow, const double *place);

#endif
