/* Writes pixels as a PNG file. */
#ifndef CST_RENDER_PNG_WRITE_H
#define CST_RENDER_PNG_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* `pixel`: 0xffRRGGBB, row after row. Returns false if memory ran out or writing failed. */
bool cst_png_write(FILE *to, const uint32_t *pixel, int width, int height);

#endif
