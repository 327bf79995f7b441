/* The quantities that the colours of bodies can show. */
#ifndef CST_RENDER_COLOUR_BY_H
#define CST_RENDER_COLOUR_BY_H

#include "page/colours.h"
#include "render/hair_colour.h"
#include "render/moment.h"
#include "render/survey.h"

typedef enum cst_colour_by {
    CST_BY_BODY = 0,
    CST_BY_CURVATURE,
    CST_BY_FORCE, /* contact forces, at the contacts */
    CST_BY_SPEED,
    CST_BY_STICK, /* sticking or sliding of contacts */
    CST_BY_TWIST, /* of fibers in space */
    CST_BY_HAIR,  /* natural colours of hair */
    CST_BY_COUNT
} cst_colour_by;

/* "body", "curvature", ..., NULL. */
extern const char *const cst_colour_by_names[CST_BY_COUNT + 1];

/* Returns true if the colour scale needs data of the whole run (render/survey.h). */
bool cst_colour_needs_survey(cst_colour_by by);

/* Computes one colour for each of the moment->vertices vertices; `scratch` is memory for 2 x moment->vertices numbers. The
 * colours of rods show the chosen quantity. The colours of meshes show the chosen quantity only if it is the speed, the force or
 * the stick state. A mesh that does not show the chosen quantity has the colour of its body number or of the theme. */
void cst_colour_vertices(cst_colour_by by, cst_hair_tone hair, const cst_moment *moment, const cst_survey *survey,
                         const cst_theme *theme, double *scratch, cst_rgb *out);

/* A colour scale for values from `low` to `high`. The function cst_colour_on_scale gives the colour of a relative value x from 0
 * to 1. */
typedef struct cst_colour_scale {
    bool any; /* false: the colours only distinguish named cases, such as bodies, and show no values */
    const char *title, *unit;
    double low, high;
    bool clipped; /* true if a magnitude exceeds the end of the scale by more than 2 % */
} cst_colour_scale;

cst_colour_scale cst_colour_scale_of(cst_colour_by by, const cst_survey *survey);
cst_rgb cst_colour_on_scale(const cst_colour_scale *scale, const cst_theme *theme, double x);

#endif
