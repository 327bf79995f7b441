#include "render/shadow.h"

#include <math.h>

/* Direction to the light (the same as in viewer/src/view/shadow.ts): seen from the initial camera, the light comes from above,
 * from behind the viewer and from the left. */
static const double towards[3] = {-0.1796, -0.4989, 0.8478};

cst_view cst_shadow_view(const cst_bounds *box)
{
    cst_view view = {.width = CST_SHADOW_PIXELS, .height = CST_SHADOW_PIXELS};
    double size[3], reach = 0.0, level = hypot(towards[0], towards[1]);
    for (int k = 0; k < 3; k++) {
        size[k] = box->high[k] - box->low[k];
        reach = hypot(reach, 0.5 * size[k]);
    }
    reach = fmax(1.02 * reach, 1e-9);
    view.focal = 0.5 * CST_SHADOW_PIXELS / reach;
    view.right[0] = -towards[1] / level;
    view.right[1] = towards[0] / level;
    for (int k = 0; k < 3; k++) {
        view.forward[k] = -towards[k];
        view.eye[k] = 0.5 * (box->low[k] + box->high[k]) + 2.0 * reach * towards[k];
    }
    view.up[0] = towards[1] * view.right[2] - towards[2] * view.right[1];
    view.up[1] = towards[2] * view.right[0] - towards[0] * view.right[2];
    view.up[2] = towards[0] * view.right[1] - towards[1] * view.right[0];
    return view;
}

/* In the view from the light, each pixel has several rays. Returns how many rays of one pixel hit a shape at a depth less than
 * `depth`. */
static int stopped(const cst_shadow *shadow, int x, int y, float depth)
{
    const int size = CST_SHADOW_PIXELS;
    if (x < 0 || y < 0 || x >= size || y >= size)
        return 0;
    const float *ray = shadow->depth + (size_t)y * CST_RASTER_SAMPLES * (size_t)size + x;
    int count = 0;
    for (int k = 0; k < CST_RASTER_SAMPLES; k++)
        count += ray[(size_t)k * (size_t)size] < depth;
    return count;
}

/* strength of the shadow on surfaces that face away from the light; it is less than 1, because they still get light from a part
 * of the sky */
#define TURNED 0.6f

/* On a surface that faces away from the light, the strength of the shadow is the constant TURNED, whatever the depths seen from
 * the light. If light meets a surface at a grazing angle, the strength of the shadow is a weighted mean of TURNED and the result
 * of the depth comparison. At a grazing angle, the depth comparison alone would give stripes, because the stored depth is
 * constant over each pixel of the light's view. */
static float turned(const cst_view *view, const double *normal, float hidden)
{
    const double facing = -(view->forward[0] * normal[0] + view->forward[1] * normal[1] + view->forward[2] * normal[2]);
    const float t = (float)fmin(fmax(facing / 0.3, 0.0), 1.0), seen = t * t * (3.0f - 2.0f * t);
    return TURNED + seen * (hidden - TURNED);
}

float cst_shadow_at(const cst_shadow *shadow, const double *place, const double *normal)
{
    const cst_view *view = &shadow->view;
    const double pixel = 1.0 / view->focal;
    double off[3], at[3], x, y;
    for (int k = 0; k < 3; k++) /* a surface must not hide itself */
        off[k] = place[k] + 1.5 * pixel * normal[k];
    cst_view_place(view, off, at);
    cst_view_pixel(view, at, &x, &y);
    if (!(x > -1e6 && x < 1e6 && y > -1e6 && y < 1e6))
        return 0.0f;
    x -= 0.5;
    y -= 0.5;
    const int left = (int)floor(x), top = (int)floor(y);
    const float right = (float)(x - left), below = (float)(y - top), depth = (float)(at[2] - pixel);
    float sum = 0.0f;
    for (int k = 0; k < 4; k++)
        sum += (k & 1 ? right : 1.0f - right) * (k & 2 ? below : 1.0f - below) *
               (float)stopped(shadow, left + (k & 1), top + (k >> 1), depth);
    return turned(view, normal, sum / CST_RASTER_SAMPLES);
}

/* thickness of the layer of hair that halves the light, divided by the width of the region seen from the light (for a head, the
 * thickness is 12 mm) */
#define HAIR_DEPTH 0.02

float cst_shadow_through(const cst_shadow *shadow, const double *place)
{
    const cst_view *view = &shadow->view;
    const int size = CST_SHADOW_PIXELS;
    const float dims = (float)(view->focal / (HAIR_DEPTH * size));
    double at[3], x, y;
    cst_view_place(view, place, at);
    cst_view_pixel(view, at, &x, &y);
    if (!(x > 1.0 && x < size - 1.0 && y > 1.0 && y < size - 1.0))
        return 1.0f;
    const int left = (int)(x - 0.5), top = (int)(y - 0.5);
    const float right = (float)(x - 0.5 - left), below = (float)(y - 0.5 - top), depth = (float)at[2];
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        const float *ray =
            shadow->depth + (size_t)(top + (k >> 1)) * CST_RASTER_SAMPLES * (size_t)size + (size_t)(left + (k & 1));
        float own = 0.0f;
        for (int i = 0; i < CST_RASTER_SAMPLES; i += 2) {
            const float passed = depth - ray[(size_t)i * (size_t)size];
            own += passed > 0.0f ? 1.0f / (1.0f + dims * passed) : 1.0f;
        }
        sum += (k & 1 ? right : 1.0f - right) * (k & 2 ? below : 1.0f - below) * own;
    }
    return 2.0f * sum / CST_RASTER_SAMPLES;
}
