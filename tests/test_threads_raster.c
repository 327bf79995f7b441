/* The bits of a picture do not depend on the number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "page/colours.h"
#include "render/grid.h"
#include "render/raster.h"

enum { WIDTH = 333, HEIGHT = 250, FIBERS = 60, POINTS = 12 };

/* A bundle of fibers with balls, triangles and marks over them, in the plane or in space. */
static void draw(int threads, int dim, uint32_t *pixel)
{
    const cst_camera camera = {.center = {0.5, 0.5, 0.5}, .height = 1.6, .azimuth = -60, .elevation = 25};
    const cst_view view = cst_view_make(dim, &camera, WIDTH, HEIGHT);
    cst_raster *raster = cst_raster_new(threads);
    assert_non_null(raster);
    cst_raster_begin(raster, &view);
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int f = 0; f < FIBERS; f++) {
        double point[POINTS][3];
        for (int k = 0; k < POINTS; k++)
            for (int c = 0; c < 3; c++)
                point[k][c] = k ? point[k - 1][c] + 0.2 * (cst_rng_uniform(&rng) - 0.5) : cst_rng_uniform(&rng);
        cst_rgb colour = cst_body_colour((uint32_t)f + 1);
        for (int k = 0; k < POINTS; k++) {
            cst_raster_ball(raster, point[k], 0.012, colour, CST_SHADING_LIT);
            if (k > 0)
                cst_raster_tube(raster, point[k - 1], point[k], 0.012, 0.012, colour, cst_body_colour(3), CST_SHADING_LIT);
            if (k > 1 && f % 10 == 0) {
                const double *const corner[3] = {point[k - 2], point[k - 1], point[k]},
                                    up[3] = {0, 0.3, 1}, *const up3[3] = {up, up, up};
                cst_raster_triangle(raster, corner, up3, &(const cst_rgb[3]){colour, colour, colour}[0], CST_SHADING_LIT);
            }
        }
        double x = WIDTH * cst_rng_uniform(&rng), y = HEIGHT * cst_rng_uniform(&rng);
        const double arrow[8] = {x, y, x + 30, y + 4, x + 34, y + 20, x + 2, y + 9};
        cst_raster_polygon(raster, arrow, 4, f % 3, 2.0, &(cst_flat_paint){.fill = colour, .edge_width = 1.5f});
    }
    float room[WIDTH + HEIGHT];
    const double ground[3] = {0.5, 0.5, 0};
    const cst_grid grid = cst_grid_make(&view, cst_theme_of(false), true, 0.2, 1.0, ground, 2.0, room);
    assert_true(cst_raster_draw(raster, &(cst_background){cst_grid_colour, &grid}, pixel, WIDTH));
    cst_raster_free(raster);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    static uint32_t one[WIDTH * HEIGHT], many[WIDTH * HEIGHT];
    for (int dim = 2; dim <= 3; dim++) {
        draw(1, dim, one);
        int different = 0;
        for (int i = 1; i < WIDTH * HEIGHT; i++)
            different += one[i] != one[i - 1];
        assert_true(different > 5000); /* it is a picture of something */
        for (int threads = 2; threads <= 5; threads++) {
            memset(many, 0, sizeof many);
            draw(threads, dim, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_for_any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
