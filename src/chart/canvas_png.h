/* A canvas of pixels, written as PNG. The PNG canvas is part of the program `capstan`, not of its libraries; otherwise all
 * libraries would need cairo. */
#ifndef CST_CHART_CANVAS_PNG_H
#define CST_CHART_CANVAS_PNG_H

#include "chart/canvas.h"

/* Creates a white canvas of width x height points with `scale` pixels per point; the canvas is written to the stream at
 * cst_canvas_end. Returns NULL with a message if memory ran out, the picture is too large, or a library or font is missing; in
 * the last case the message names the missing package. */
cst_canvas *cst_canvas_png(double width, double height, double scale, FILE *to, char *message, size_t message_size);

/* Creates a canvas that draws over the caller's pixels (0xffRRGGBB, row after row); the pixels are complete after
 * cst_canvas_end. */
cst_canvas *cst_canvas_pixels(uint32_t *pixel, int width, int height, double scale, char *message, size_t message_size);

/* Returns true if the program was built with PNG support; otherwise the message gives the reason, so that a command can report
 * it before it starts its work. */
bool cst_canvas_png_available(char *message, size_t message_size);

#endif
