#include "page/colours.h"

#include <math.h>

/* Converts 0xRRGGBB to a colour as a constant expression, for use in tables. */
#define HEX(value)                                                                                                     \
    {                                                                                                                  \
        (float)(((value) >> 16) & 255) / 255.0f, (float)(((value) >> 8) & 255) / 255.0f, (float)((value)&255) / 255.0f \
    }

const cst_theme *cst_theme_of(bool dark)
{
    static const cst_theme light = {.dark = false,
                                    .paper = HEX(0xffffff),
                                    .ink = HEX(0x1d2733),
                                    .soft = HEX(0x5c6a79),
                                    .matter = HEX(0xdfe4ea),
                                    .rigid = HEX(0xc3d2e2),
                                    .plain = HEX(0x5b6b7c)};
    static const cst_theme night = {.dark = true,
                                    .paper = HEX(0x12171d),
                                    .ink = HEX(0xe8eef4),
                                    .soft = HEX(0xa3b1bf),
                                    .matter = HEX(0x2a333d),
                                    .rigid = HEX(0x44586d),
                                    .plain = HEX(0x9fb0c0)};
    return dark ? &night : &light;
}

cst_rgb cst_body_colour(uint32_t id)
{
    static const cst_rgb colour[CST_BODY_COLOURS] = {HEX(0x12927a), HEX(0x8a63c9), HEX(0xcf9d0e), HEX(0xc2588f),
                                                     HEX(0x5f8299), HEX(0x7fa83a), HEX(0x8c6d4f), HEX(0x4a5fb5)};
    return colour[(id + CST_BODY_COLOURS - 1) % CST_BODY_COLOURS];
}

cst_rgb cst_case_colour(cst_local_case contact_case)
{
    switch (contact_case) {
    case CST_CASE_STICK:
        return cst_rgb_of(0x0a78bd);
    case CST_CASE_SLIDE:
        return cst_rgb_of(0xe0680b);
    case CST_CASE_BILATERAL:
        return cst_rgb_of(0xa5549a);
    case CST_CASE_TAKE_OFF:
        break;
    }
    return cst_rgb_of(0x8a94a0);
}

static cst_rgb along(const cst_rgb *stop, int stops, double x)
{
    double at = fmin(fmax(x, 0.0), 1.0) * (stops - 1);
    int k = (int)fmin(floor(at), stops - 2);
    return cst_rgb_mix(stop[k], stop[k + 1], (float)(at - k));
}

cst_rgb cst_sequential_colour(const cst_theme *theme, double x)
{
    static const cst_rgb stop[2][6] = {
        {HEX(0x3b2a7a), HEX(0x2a5f9e), HEX(0x1f8f92), HEX(0x45b06b), HEX(0xb2b33a), HEX(0xfbbc1d)},
        {HEX(0x5a49b0), HEX(0x3878bd), HEX(0x27a2a2), HEX(0x5cc27c), HEX(0xd6d04a), HEX(0xffd84d)}};
    return along(stop[theme->dark], 6, x);
}

cst_rgb cst_diverging_colour(const cst_theme *theme, double x)
{
    static const cst_rgb stop[2][5] = {{HEX(0x1352a1), HEX(0x4f8fd0), HEX(0x9aa5b1), HEX(0xe0893a), HEX(0xa8420a)},
                                       {HEX(0x5aa5ff), HEX(0x3f7fc4), HEX(0x8d97a3), HEX(0xe29045), HEX(0xffb164)}};
    return along(stop[theme->dark], 5, 0.5 + 0.5 * x);
}
