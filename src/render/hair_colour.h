/* Natural colours of hair; each fiber is slightly lighter or darker than the next. */
#ifndef CST_RENDER_HAIR_COLOUR_H
#define CST_RENDER_HAIR_COLOUR_H

#include <stdint.h>

#include "page/rgb.h"

typedef enum cst_hair_tone {
    CST_HAIR_BROWN = 0,
    CST_HAIR_BLACK,
    CST_HAIR_AUBURN,
    CST_HAIR_BLOND,
    CST_HAIR_GREY,
    CST_HAIR_TONES
} cst_hair_tone;

extern const char *const cst_hair_tone_names[CST_HAIR_TONES + 1];

/* `number`: number of the fiber. */
cst_rgb cst_hair_colour(cst_hair_tone tone, uint32_t number);

#endif
