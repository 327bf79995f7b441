/* Facts about pictures that are known beforehand: areas, edges, what hides what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "render/raster.h"

enum { WIDTH = 200, HEIGHT = 150 };

static const cst_rgb white = {1, 1, 1}, black = {0, 0, 0}, red = {1, 0, 0}, green = {0, 1, 0};

static cst_rgb paper(const void *user, double x, double y)
{
    (void)user;
    (void)x;
    (void)y;
    return white;
}

/* Seen along -z; 100 pixels to the metre, the origin in the middle. */
static cst_view plane_view(void)
{
    const cst_camera camera = {.height = HEIGHT / 100.0};
    return cst_view_make(2, &camera, WIDTH, HEIGHT);
}

/* Seen from above (the eye on the z axis), 1.5 m high at the origin. */
static cst_view space_view(void)
{
    const cst_camera camera = {.height = 1.5, .azimuth = -90, .elevation = 90};
    return cst_view_make(3, &camera, WIDTH, HEIGHT);
}

static void draw(cst_raster *raster, uint32_t *pixel)
{
    assert_true(cst_raster_draw(raster, &(cst_background){paper, NULL}, pixel, WIDTH));
}

/* Sum of what is covered, in pixels, of black shapes on white paper. */
static double area(const uint32_t *pixel)
{
    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum += 1.0 - (pixel[i] & 255) / 255.0;
    return sum;
}

static uint32_t at(const uint32_t *pixel, double x, double y)
{
    return pixel[(int)y * WIDTH + (int)x];
}

static void disk_and_ball_cover_their_area(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    const double pi = acos(-1.0), sizes[] = {6.3, 20.0, 61.7};
    cst_raster *raster = cst_raster_new(1);
    const cst_view plane = plane_view(), space = space_view();
    for (int k = 0; k < 3; k++) {
        double r = sizes[k];
        cst_raster_begin(raster, &plane);
        cst_raster_disk(raster, 100.3, 75.6, r, 1.0, &(cst_flat_paint){.fill = black});
        draw(raster, pixel);
        assert_true(fabs(area(pixel) / (pi * r * r) - 1) < 0.01);

        const double center[3] = {0.003, -0.006, 7.0};
        cst_raster_begin(raster, &plane);
        cst_raster_ball(raster, center, r / 100, black, CST_SHADING_PLAIN);
        draw(raster, pixel);
        assert_true(fabs(area(pixel) / (pi * r * r) - 1) < 0.01);

        /* In perspective a ball in the middle of the view is seen under tan asin(r / distance). */
        double distance = 0.75 / tan(16 * pi / 180), seen = r / 100 / sqrt(distance * distance - r * r * 1e-4);
        const double middle[3] = {0, 0, 0};
        cst_raster_begin(raster, &space);
        cst_raster_ball(raster, middle, r / 100, black, CST_SHADING_PLAIN);
        draw(raster, pixel);
        assert_true(fabs(area(pixel) / (pi * pow(seen * space.focal, 2)) - 1) < 0.01);
    }
    cst_raster_free(raster);
}

static void a_tube_with_balls_is_a_stadium(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view view = plane_view();
    const double pi = acos(-1.0);
    for (int k = 0; k < 8; k++) {
        double angle = 0.4 * k, r = 0.02 + 0.02 * k, half = 0.4;
        const double a[3] = {-half * cos(angle), -half * sin(angle), 0}, b[3] = {half * cos(angle), half * sin(angle), 0};
        cst_raster_begin(raster, &view);
        cst_raster_tube(raster, a, b, r, r, black, black, CST_SHADING_PLAIN);
        draw(raster, pixel);
        assert_true(fabs(area(pixel) / (4e4 * half * r) - 1) < 0.01);
        cst_raster_ball(raster, a, r, black, CST_SHADING_PLAIN);
        cst_raster_ball(raster, b, r, black, CST_SHADING_PLAIN);
        draw(raster, pixel);
        assert_true(fabs(area(pixel) / (4e4 * half * r + 1e4 * pi * r * r) - 1) < 0.01);
    }
    /* A cone, as wide in the middle as the mean of its ends. */
    const double a[3] = {-0.5, 0, 0}, b[3] = {0.5, 0, 0};
    cst_raster_begin(raster, &view);
    cst_raster_tube(raster, a, b, 0.05, 0.25, black, black, CST_SHADING_PLAIN);
    draw(raster, pixel);
    int high = 0;
    for (int y = 0; y < HEIGHT; y++)
        high += (at(pixel, 100, y) & 255) < 128;
    assert_int_equal(high, 30);
    cst_raster_free(raster);
}

static void edges_have_the_shade_of_their_share(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view view = plane_view();
    for (int k = 0; k <= 16; k++) {
        double share = k / 16.0;
        /* Matter on the left of x = 50 + share, and below y = 20 + share. */
        for (int upright = 0; upright < 2; upright++) {
            cst_raster_begin(raster, &view);
            if (upright)
                cst_raster_half_plane(raster, 50 + share, 10, 3, 0, 1.0, &(cst_flat_paint){.fill = black});
            else
                cst_raster_half_plane(raster, 10, 20 + share, 0, 2, 1.0, &(cst_flat_paint){.fill = black});
            draw(raster, pixel);
            int grey = (int)((upright ? at(pixel, 50, 70) : at(pixel, 70, 20)) & 255);
            assert_true(abs(grey - (int)lround(255 * (1 - share))) <= 1);
            assert_int_equal((upright ? at(pixel, 49, 70) : at(pixel, 70, 19)), 0xff000000u);
            assert_int_equal((upright ? at(pixel, 51, 70) : at(pixel, 70, 21)), 0xffffffffu);
        }
    }
    /* A slanting one through the middle of a pixel: half, to one ray of sixteen. */
    cst_raster_begin(raster, &view);
    cst_raster_half_plane(raster, 60.5, 60.5, 0.3, 1, 1.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_true(abs((int)(at(pixel, 60, 60) & 255) - 128) <= 16);
    cst_raster_free(raster);
}

static void polygons_are_filled_and_rounded(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view view = plane_view();
    const double pi = acos(-1.0), box[] = {40.2, 30.1, 120.2, 30.1, 120.2, 90.1, 40.2, 90.1};
    const double notched[] = {20, 20, 100, 20, 100, 100, 60, 40, 20, 100}; /* a W: the notch is outside */
    cst_raster_begin(raster, &view);
    cst_raster_polygon(raster, box, 4, 0, 1.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_true(fabs(area(pixel) / 4800 - 1) < 0.002);
    cst_raster_begin(raster, &view);
    cst_raster_polygon(raster, box, 4, 8, 1.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_true(fabs(area(pixel) / (4800 + 280 * 8 + pi * 64) - 1) < 0.002);
    cst_raster_begin(raster, &view);
    cst_raster_polygon(raster, notched, 5, 0, 1.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_true(fabs(area(pixel) / (6400 - 2400) - 1) < 0.005);
    assert_int_equal(at(pixel, 60, 70), 0xffffffffu);
    assert_int_equal(at(pixel, 60, 30), 0xff000000u);
    cst_raster_begin(raster, &view);
    cst_raster_hollow(raster, 100, 75, 50, 1.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_true(fabs((WIDTH * HEIGHT - area(pixel)) / (pi * 2500) - 1) < 0.01);
    cst_raster_free(raster);
}

static void the_nearer_one_is_seen(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view views[2] = {plane_view(), space_view()};
    const double low[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}}, high[2][3] = {{0, -0.5, 0.1}, {0, 0.5, 0.1}};
    for (int v = 0; v < 2; v++)
        for (int order = 0; order < 2; order++) {
            cst_raster_begin(raster, &views[v]);
            for (int k = 0; k < 2; k++) {
                bool upper = k == order;
                cst_raster_tube(raster, upper ? high[0] : low[0], upper ? high[1] : low[1], 0.03, 0.03, upper ? green : red,
                                upper ? green : red, CST_SHADING_PLAIN);
            }
            draw(raster, pixel);
            assert_int_equal(at(pixel, 100, 75), 0xff00ff00u); /* larger z is nearer to the eye in both */
            assert_int_equal(at(pixel, 75, 75), 0xffff0000u);
            assert_int_equal(at(pixel, 20, 20), 0xffffffffu);
        }
    /* Tubes that go through each other: each is seen where it is nearer. */
    const double tilted[2][3] = {{-0.5, 0, -0.2}, {0.5, 0, 0.2}}, level[2][3] = {{-0.5, 0.01, 0}, {0.5, 0.01, 0}};
    cst_raster_begin(raster, &views[0]);
    cst_raster_tube(raster, tilted[0], tilted[1], 0.04, 0.04, red, red, CST_SHADING_PLAIN);
    cst_raster_tube(raster, level[0], level[1], 0.04, 0.04, green, green, CST_SHADING_PLAIN);
    draw(raster, pixel);
    assert_int_equal(at(pixel, 70, 74), 0xff00ff00u);
    assert_int_equal(at(pixel, 130, 74), 0xffff0000u);
    /* Flat things of one depth: the later one. */
    cst_raster_begin(raster, &views[0]);
    cst_raster_disk(raster, 50, 50, 20, 5.0, &(cst_flat_paint){.fill = red});
    cst_raster_disk(raster, 60, 50, 20, 5.0, &(cst_flat_paint){.fill = green});
    cst_raster_disk(raster, 70, 50, 20, 6.0, &(cst_flat_paint){.fill = black});
    draw(raster, pixel);
    assert_int_equal(at(pixel, 35, 50), 0xffff0000u);
    assert_int_equal(at(pixel, 55, 50), 0xff00ff00u);
    assert_int_equal(at(pixel, 85, 50), 0xff000000u);
    cst_raster_free(raster);
}

static void triangles_share_edges_without_gaps(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view view = space_view();
    const double normal[3] = {0, 0, 2}, *const normals[3] = {normal, normal, normal};
    const cst_rgb colour[3] = {black, black, black};
    enum { N = 6 };
    double point[N + 1][N + 1][3];
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            point[i][j][0] = 1.2 * i / N - 0.6 + 0.03 * sin(3.0 * j);
            point[i][j][1] = 1.2 * j / N - 0.6 + 0.03 * sin(2.0 * i);
            point[i][j][2] = 0.05 * cos(1.0 * i + j);
        }
    cst_raster_begin(raster, &view);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double *const lower[3] = {point[i][j], point[i + 1][j], point[i][j + 1]};
            const double *const upper[3] = {point[i + 1][j + 1], point[i + 1][j], point[i][j + 1]};
            cst_raster_triangle(raster, lower, normals, colour, CST_SHADING_PLAIN);
            cst_raster_triangle(raster, upper, normals, colour, CST_SHADING_PLAIN);
        }
    draw(raster, pixel);
    for (int y = 75 - 45; y < 75 + 45; y++)
        for (int x = 100 - 45; x < 100 + 45; x++)
            assert_int_equal(at(pixel, x, y), 0xff000000u);
    assert_int_equal(at(pixel, 5, 5), 0xffffffffu);
    cst_raster_free(raster);
}

static void light_comes_from_the_upper_left(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(1);
    const cst_view view = plane_view();
    const double center[3] = {0, 0, 0};
    const cst_shading kinds[2] = {CST_SHADING_LIT, CST_SHADING_RIBBON};
    for (int k = 0; k < 2; k++) {
        cst_raster_begin(raster, &view);
        cst_raster_ball(raster, center, 0.5, (cst_rgb){0.5f, 0.5f, 0.5f}, kinds[k]);
        draw(raster, pixel);
        assert_true((at(pixel, 80, 50) & 255) > (at(pixel, 100, 75) & 255) - 40u);
        assert_true((at(pixel, 80, 50) & 255) > (at(pixel, 125, 105) & 255) + 8u);
    }
    cst_raster_free(raster);
}

static void what_makes_no_sense_is_left_out(void **state)
{
    (void)state;
    static uint32_t pixel[WIDTH * HEIGHT];
    cst_raster *raster = cst_raster_new(2);
    const cst_view views[2] = {plane_view(), space_view()};
    const double bad[][3] = {{NAN, 0, 0}, {INFINITY, 0, 0}, {0, -INFINITY, NAN}}, here[3] = {0.3, 0.2, 0},
                 behind[3] = {0, 0, 1e3};
    const double *const corners[3] = {bad[0], here, behind}, *const normals[3] = {here, here, bad[1]};
    const cst_rgb colour[3] = {black, black, black};
    const cst_flat_paint paint = {.fill = black};
    for (int v = 0; v < 2; v++) {
        cst_raster_begin(raster, &views[v]);
        for (int k = 0; k < 3; k++) {
            cst_raster_tube(raster, bad[k], here, 0.1, 0.1, black, black, CST_SHADING_LIT);
            cst_raster_ball(raster, bad[k], 0.1, black, CST_SHADING_LIT);
            cst_raster_disk(raster, bad[k][0], bad[k][1], 4, 1, &paint);
            cst_raster_hollow(raster, bad[k][0], bad[k][1], 4, 1, &paint);
            cst_raster_half_plane(raster, bad[k][0], bad[k][1], 0, 1, 1, &paint);
            cst_raster_polygon(raster, bad[k], 1, 3, 1, &paint);
        }
        cst_raster_tube(raster, here, here, 0.1, 0.1, black, black, CST_SHADING_LIT);
        cst_raster_tube(raster, here, here, NAN, 0.1, black, black, CST_SHADING_LIT);
        cst_raster_ball(raster, here, INFINITY, black, CST_SHADING_LIT);
        cst_raster_half_plane(raster, 10, 10, 0, 0, 1, &paint);
        cst_raster_triangle(raster, corners, normals, colour, CST_SHADING_LIT);
        if (v == 1) { /* behind the eye */
            cst_raster_ball(raster, behind, 0.1, black, CST_SHADING_LIT);
            cst_raster_tube(raster, behind, behind, 0.1, 0.1, black, black, CST_SHADING_LIT);
        }
        draw(raster, pixel);
        assert_true(area(pixel) == 0);
    }
    /* A tube that comes from behind the eye is seen as far as it is in front of it. */
    const double above[3] = {0.3, 0.2, 1e3};
    const double under[3] = {0.3, 0.2, -1};
    cst_raster_begin(raster, &views[1]);
    cst_raster_tube(raster, under, above, 0.05, 0.05, black, black, CST_SHADING_PLAIN);
    draw(raster, pixel);
    assert_true(area(pixel) > 100);
    cst_raster_free(raster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disk_and_ball_cover_their_area),
        cmocka_unit_test(a_tube_with_balls_is_a_stadium),
        cmocka_unit_test(edges_have_the_shade_of_their_share),
        cmocka_unit_test(polygons_are_filled_and_rounded),
        cmocka_unit_test(the_nearer_one_is_seen),
        cmocka_unit_test(triangles_share_edges_without_gaps),
        cmocka_unit_test(light_comes_from_the_upper_left),
        cmocka_unit_test(what_makes_no_sense_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
