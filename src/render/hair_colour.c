#include "render/hair_colour.h"

#include <stddef.h>

#include "base/rng.h"

#define UNEVEN 0.22f

const char *const cst_hair_tone_names[CST_HAIR_TONES + 1] = {"brown", "black", "auburn", "blond", "grey", NULL};

cst_rgb cst_hair_colour(cst_hair_tone tone, uint32_t number)
{
    static const cst_rgb base[CST_HAIR_TONES] = {[CST_HAIR_BROWN] = {0.36f, 0.25f, 0.165f},
                                                 [CST_HAIR_BLACK] = {0.13f, 0.115f, 0.11f},
                                                 [CST_HAIR_AUBURN] = {0.48f, 0.215f, 0.11f},
                                                 [CST_HAIR_BLOND] = {0.74f, 0.57f, 0.345f},
                                                 [CST_HAIR_GREY] = {0.60f, 0.60f, 0.605f}};
    cst_rng rng;
    cst_rng_seed(&rng, number, 1);
    const float light = 1.0f + UNEVEN * (float)(2.0 * cst_rng_uniform(&rng) - 1.0),
                warm = 1.0f + 0.3f * UNEVEN * (float)(2.0 * cst_rng_uniform(&rng) - 1.0);
    return (cst_rgb){base[tone].r * light * warm, base[tone].g * light, base[tone].b * light / warm};
}
