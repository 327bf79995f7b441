/* A thin strand of hair reflects light into a cone around its tangent (Kajiya and Kay 1989). The diffuse part of the reflected
 * light is proportional to the sine of the angle between the tangent and the direction to the lamp. The strength of a highlight
 * is a power of a sine: that of the angle between a tilted tangent and the direction half way between the lamp and the eye. The
 * tangent is tilted because the surface of hair has scales.
 *
 * Hair has two highlights (Marschner et al. 2003; tilts from Scheuermann 2004). The first highlight of hair is white light that
 * the surface reflects; it is shifted towards the root. The second highlight of hair is light that has passed through the hair
 * and has the colour of the hair; it is shifted towards the tip. */
#include "render/raster_hair.h"

#include <math.h>

#define TILT_SURFACE (-0.10f)
#define TILT_INSIDE 0.16f

static const float lamp[3] = {-0.41309f, 0.59668f, 0.68849f}; /* as in raster_shade.c */

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(float *x)
{
    const float size = sqrtf(dot(x, x)), scale = size > 1e-20f ? 1.0f / size : 0.0f;
    for (int k = 0; k < 3; k++)
        x[k] *= scale;
}

static float sine_to(const float *tangent, const float *direction)
{
    const float cosine = dot(tangent, direction), square = 1.0f - cosine * cosine;
    return square > 0.0f ? sqrtf(square) : 0.0f;
}

/* Returns the strength of a highlight: the sine of the angle between the tilted tangent and the direction `half_way` between lamp
 * and eye, raised to the power 2^doublings. */
static float gleam(const float *tangent, const float *outward, float tilt, const float *half_way, int doublings)
{
    float tilted[3];
    for (int k = 0; k < 3; k++)
        tilted[k] = tangent[k] + tilt * outward[k];
    unit(tilted);
    float value = sine_to(tilted, half_way);
    for (int k = 0; k < doublings; k++)
        value *= value;
    return value;
}

cst_rgb cst_hair_lit(cst_rgb colour, const float *tangent, const float *to_eye, float open, float gloss)
{
    float half_way[3], outward[3];
    const float along = dot(tangent, to_eye);
    for (int k = 0; k < 3; k++) {
        half_way[k] = lamp[k] + to_eye[k];
        outward[k] = to_eye[k] - along * tangent[k];
    }
    unit(half_way);
    unit(outward);
    const float diffuse = sine_to(tangent, lamp), surface = gleam(tangent, outward, TILT_SURFACE, half_way, 6),
                inside = gleam(tangent, outward, TILT_INSIDE, half_way, 4);
    const float dull = 1.0f - gloss, lit = 0.35f + 0.65f * open;
    const float light =
        (0.36f + 0.80f * diffuse - dull * (0.25f * diffuse - 0.08f)) * (0.40f + 0.25f * dull + (0.60f - 0.25f * dull) * open);
    const float white = 0.17f * gloss * surface * lit, own = 0.85f * gloss * inside * lit;
    return (cst_rgb){(light + own) * colour.r + white, (light + own) * colour.g + white, (light + own) * colour.b + white};
}
