/* The texts and symbols that are drawn over a picture: title and time, scale bar, legend of colours and arrows. Units are points
 * of the canvas. A picture has no text if the library cairo or a font is missing, and with the option --plain. */
#ifndef CST_RENDER_LETTERING_H
#define CST_RENDER_LETTERING_H

#include "chart/canvas.h"
#include "render/colour_by.h"

enum { CST_LEGEND_NAMES = 12 };

typedef struct cst_legend {
    cst_colour_scale scale;
    int names;
    const char *name[CST_LEGEND_NAMES];
    cst_rgb colour[CST_LEGEND_NAMES];
    double newtons, arrow;   /* force (N) and length (points) of the example arrow in the legend; 0: no arrow */
    double metres_per_point; /* metres per point of the picture, for a scale bar beside the legend; 0: no scale bar */
} cst_legend;

/* Arguments `left`, `top`, `right`, `bottom`: positions of the picture's edges. The title is drawn in the upper left corner of
 * the picture, the scale bar in the lower left corner. */
void cst_letter_title(cst_canvas *canvas, double left, double top, const char *title, const char *time, const cst_theme *theme);
void cst_letter_scale_bar(cst_canvas *canvas, double left, double bottom, double metres_per_point, const cst_theme *theme);
/* Draws the legend, on a background of its own, in the upper right corner of the picture. */
void cst_letter_legend(cst_canvas *canvas, double right, double top, const cst_legend *legend, const cst_theme *theme);
/* Draws the legend in one line that ends at the horizontal position `right`, for the header of a contact sheet (several pictures
 * in one image). */
void cst_letter_legend_line(cst_canvas *canvas, double right, double base, const cst_legend *legend, const cst_theme *theme);

/* Formats a time as "t = 0.40 s", with enough digits to tell frames apart. */
void cst_time_text(double time, double interval, char *text, size_t size);
/* "20 cm" */
void cst_length_text(double metres, char *text, size_t size);

#endif
