/* Draws contacts as dots and their forces as arrows; their size in pixels does not depend on the zoom. */
#ifndef CST_RENDER_CONTACT_MARKS_H
#define CST_RENDER_CONTACT_MARKS_H

#include "page/colours.h"
#include "render/raster.h"
#include "render/survey.h"

void cst_contact_marks_draw(cst_raster *raster, const cst_moment *moment, const cst_survey *survey, const cst_theme *theme,
                            const cst_view *view, double density);

/* Returns the force (N) whose arrow is `share` times as long as the smaller side of the picture, or 0 if there are no forces. */
double cst_contact_marks_newtons(const cst_survey *survey, double share);

#endif
