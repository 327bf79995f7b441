/* Replaces canvas_png.c if the build did not find cairo. */
#include "chart/canvas_png.h"

bool cst_canvas_png_available(char *message, size_t message_size)
{
    snprintf(message, message_size,
             "this capstan was built without cairo and cannot write PNG: ask for .svg, or install libcairo2-dev and build again");
    return false;
}

cst_canvas *cst_canvas_png(double width, double height, double scale, FILE *to, char *message, size_t message_size)
{
    (void)width;
    (void)height;
    (void)scale;
    (void)to;
    cst_canvas_png_available(message, message_size);
    return NULL;
}

cst_canvas *cst_canvas_pixels(uint32_t *pixel, int width, int height, double scale, char *message, size_t message_size)
{
    (void)pixel;
    (void)width;
    (void)height;
    (void)scale;
    snprintf(message, message_size,
             "this capstan was built without cairo and cannot write on pictures: install libcairo2-dev and "
             "build again");
    return NULL;
}
