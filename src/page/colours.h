/* The colours of pictures, equal to those of the web page (viewer/src/colour/palettes.ts, viewer/src/style.css). Readers with
 * colour blindness can distinguish the colours. The lightness of the scale cst_sequential_colour increases from end to end. */
#ifndef CST_PAGE_COLOURS_H
#define CST_PAGE_COLOURS_H

#include "capstan/capstan.h"
#include "page/rgb.h"

typedef struct cst_theme {
    bool dark;
    cst_rgb paper, ink, soft, matter, rigid;
    cst_rgb plain; /* colour of rods without a value */
} cst_theme;

const cst_theme *cst_theme_of(bool dark);

cst_rgb cst_body_colour(uint32_t id); /* `id`: number of a body, from 1; colours repeat after CST_BODY_COLOURS bodies */
enum { CST_BODY_COLOURS = 8 };
cst_rgb cst_case_colour(cst_local_case contact_case);
cst_rgb cst_sequential_colour(const cst_theme *theme, double x); /* x from 0 to 1 */
cst_rgb cst_diverging_colour(const cst_theme *theme, double x);  /* x from -1 to 1 */

#endif
