/* Colours of the pictures, those of the page (viewer/src/colour/palettes.ts, viewer/src/style.css): told apart by readers with any
 * colour vision, with scales that grow evenly in lightness. */
#ifndef CST_RENDER_COLOURS_H
#define CST_RENDER_COLOURS_H

#include "capstan/capstan.h"
#include "render/rgb.h"

typedef struct cst_theme {
    bool dark;
    cst_rgb paper, ink, soft, matter, rigid;
    cst_rgb plain; /* of rods where nothing is to be said */
} cst_theme;

const cst_theme *cst_theme_of(bool dark);

cst_rgb cst_body_colour(uint32_t id); /* ids from 1; they come again after CST_BODY_COLOURS */
enum { CST_BODY_COLOURS = 8 };
cst_rgb cst_case_colour(cst_local_case contact_case);
cst_rgb cst_sequential_colour(const cst_theme *theme, double x); /* x from 0 to 1 */
cst_rgb cst_diverging_colour(const cst_theme *theme, double x);  /* x from -1 to 1 */

#endif
