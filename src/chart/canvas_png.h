/* A canvas of pixels, written as PNG. Not part of the libraries, which would otherwise all need cairo: of the command. */
#ifndef CST_CHART_CANVAS_PNG_H
#define CST_CHART_CANVAS_PNG_H

#include "chart/canvas.h"

/* White, width x height points of `scale` pixels each; written to the stream at cst_canvas_end. NULL and a message if memory ran
 * out, the picture is too large, or what draws it (cairo, a font) is missing: the message names the package. */
cst_canvas *cst_canvas_png(double width, double height, double scale, FILE *to, char *message, size_t message_size);

/* The same, drawn over pixels of the caller (0xffRRGGBB, row after row), which are complete after cst_canvas_end. */
cst_canvas *cst_canvas_pixels(uint32_t *pixel, int width, int height, double scale, char *message, size_t message_size);

/* Whether this build can, and otherwise why not: for commands that say so before the work. */
bool cst_canvas_png_available(char *message, size_t message_size);

#endif
