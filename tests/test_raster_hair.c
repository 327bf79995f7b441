/* Hair in pictures: light along a strand, cover below the width of a pixel, light that fades inside the hair. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/hair_colour.h"
#include "render/raster_hair.h"
#include "render/shadow.h"

enum { SIZE = 96 };

static cst_rgb black(const void *user, double x, double y)
{
    (void)user;
    (void)x;
    (void)y;
    return (cst_rgb){0};
}

/* Ten pixels per metre, from the front. */
static cst_view front(void)
{
    return (cst_view){.eye = {0, -10, 0},
                      .right = {1, 0, 0},
                      .up = {0, 0, 1},
                      .forward = {0, 1, 0},
                      .focal = 10,
                      .width = SIZE,
                      .height = SIZE};
}

/* Light of all pixels of a picture of strands, each as wide as one pixel with a cover. */
static double light_of(float cover, int strands, int threads, uint32_t *pixel)
{
    const cst_view view = front();
    cst_raster *raster = cst_raster_new(threads);
    cst_raster_begin(raster, &view);
    for (int i = 0; i < strands; i++) {
        const double z = 0.137 * i - 4.0, a[3] = {-4, 0, z}, b[3] = {4, 0, z + 0.3};
        const cst_marking hair = {.kind = CST_MARKING_HAIR, .axis = {{1, 0, 0.04}, {1, 0, 0.04}}, .cover = cover, .gloss = 1.0f};
        const cst_rgb grey = {0.3f, 0.3f, 0.3f}; /* far from where a pixel is full */
        cst_raster_mark(raster, &hair);
        cst_raster_tube(raster, a, b, 0.04, 0.04, grey, grey, CST_SHADING_HAIR);
    }
    assert_true(cst_raster_draw(raster, &(cst_background){black, NULL}, pixel, SIZE));
    cst_raster_free(raster);
    double sum = 0.0;
    for (int k = 0; k < SIZE * SIZE; k++)
        sum += (double)(pixel[k] & 255);
    return sum;
}

static void cover_is_width(void **state)
{
    (void)state;
    static uint32_t pixel[SIZE * SIZE];
    const double whole = light_of(1.0f, 30, 1, pixel);
    assert_true(whole > 0.0);
    for (float cover = 0.125f; cover < 1.0f; cover += 0.125f) {
        const double share = light_of(cover, 30, 1, pixel) / whole;
        if (fabs(share - (double)cover) > 0.04)
            fail_msg("a cover of %g shows %g of the light", (double)cover, share);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static uint32_t one[SIZE * SIZE], three[SIZE * SIZE];
    light_of(0.4f, 50, 1, one);
    light_of(0.4f, 50, 3, three);
    assert_memory_equal(one, three, sizeof one);
}

/* Of all directions of a strand in the plane of lamp and eye, those square to what is half way between both gleam; along it there is none. */
static void gleam_is_across(void **state)
{
    (void)state;
    const float to_eye[3] = {0, 0, 1}, lamp[3] = {-0.41309f, 0.59668f, 0.68849f};
    float half_way[3] = {lamp[0], lamp[1], lamp[2] + 1.0f}, size = 0.0f;
    for (int k = 0; k < 3; k++)
        size += half_way[k] * half_way[k];
    for (int k = 0; k < 3; k++)
        half_way[k] /= sqrtf(size);
    /* u: in the plane of both, square to half way */
    float u[3], dot = half_way[2], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        u[k] = to_eye[k] - dot * half_way[k];
        length += u[k] * u[k];
    }
    float best = -1.0f, best_angle = 0.0f, along = 0.0f;
    for (int degree = 0; degree < 180; degree++) {
        const float angle = (float)degree * 0.0174533f;
        float t[3];
        for (int k = 0; k < 3; k++)
            t[k] = cosf(angle) * u[k] / sqrtf(length) + sinf(angle) * half_way[k];
        const cst_rgb dark = {0.01f, 0.01f, 0.01f}, shown = cst_hair_lit(dark, t, to_eye, 1.0f, 1.0f);
        if (shown.r > best) {
            best = shown.r;
            best_angle = (float)(degree > 90 ? degree - 180 : degree);
        }
        if (degree == 90)
            along = shown.r;
    }
    assert_true(fabsf(best_angle) <= 12.0f); /* the tilt of the scales */
    assert_true(best > 0.15f && along < 0.03f);
}

static void light_fades_inside(void **state)
{
    (void)state;
    const cst_bounds box = {.any = true, .low = {-0.3, -0.3, -0.3}, .high = {0.3, 0.3, 0.3}};
    float *depth = malloc(CST_SHADOW_NUMBERS * sizeof *depth);
    assert_non_null(depth);
    cst_shadow shadow = {cst_shadow_view(&box), depth};
    double at[3], top[3] = {0, 0, 0};
    cst_view_place(&shadow.view, top, at);
    for (size_t k = 0; k < CST_SHADOW_NUMBERS; k++)
        depth[k] = (float)at[2];
    float before = 1.001f;
    for (int k = 0; k < 20; k++) {
        double place[3];
        for (int c = 0; c < 3; c++)
            place[c] = top[c] + 0.005 * k * shadow.view.forward[c];
        const float open = cst_shadow_through(&shadow, place);
        assert_true(open <= before && open > 0.0f);
        assert_true(k == 0 || open < 1.0f);
        before = open;
    }
    assert_true(before < 0.3f);
    const double above[3] = {0, 0, 0.1};
    assert_true(cst_shadow_through(&shadow, above) == 1.0f);
    free(depth);
}

static void hairs_differ(void **state)
{
    (void)state;
    for (int tone = 0; tone < CST_HAIR_TONES; tone++) {
        float least = 10.0f, most = 0.0f;
        for (uint32_t number = 1; number <= 200; number++) {
            const cst_rgb c = cst_hair_colour((cst_hair_tone)tone, number);
            assert_true(c.r >= 0.0f && c.r <= 1.0f && c.g <= 1.0f && c.b <= 1.0f);
            least = fminf(least, c.g);
            most = fmaxf(most, c.g);
        }
        assert_true(most > 1.2f * least);
        assert_non_null(cst_hair_tone_names[tone]);
    }
    assert_null(cst_hair_tone_names[CST_HAIR_TONES]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cover_is_width),     cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(gleam_is_across),
        cmocka_unit_test(light_fades_inside), cmocka_unit_test(hairs_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
