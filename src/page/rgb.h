/* A colour: its red, green and blue screen values, from 0 to 1 each. Colours are mixed without gamma correction, as browsers
 * do. */
#ifndef CST_PAGE_RGB_H
#define CST_PAGE_RGB_H

#include <stdint.h>

typedef struct cst_rgb {
    float r, g, b;
} cst_rgb;

static inline cst_rgb cst_rgb_mix(cst_rgb a, cst_rgb b, float t)
{
    return (cst_rgb){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

static inline uint32_t cst_rgb_level(float value)
{
    float inside = value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
    return (uint32_t)(inside * 255.0f + 0.5f);
}

/* 0xffRRGGBB */
static inline uint32_t cst_rgb_packed(cst_rgb colour)
{
    return 0xff000000u | (cst_rgb_level(colour.r) << 16) | (cst_rgb_level(colour.g) << 8) | cst_rgb_level(colour.b);
}

static inline cst_rgb cst_rgb_of(uint32_t hex)
{
    return (cst_rgb){(float)((hex >> 16) & 255) / 255.0f, (float)((hex >> 8) & 255) / 255.0f, (float)(hex & 255) / 255.0f};
}

#endif
