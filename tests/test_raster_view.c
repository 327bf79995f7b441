/* Cameras: what is written in a picture's corner of the world, in numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "render/grid.h"
#include "render/lettering.h"
#include "render/view.h"

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", a, b, tolerance);
}

static void pixel_of(const cst_view *view, double x, double y, double z, double *px, double *py)
{
    const double point[3] = {x, y, z};
    double place[3];
    cst_view_place(view, point, place);
    cst_view_pixel(view, place, px, py);
}

static void the_plane_is_seen_as_a_map(void **state)
{
    (void)state;
    const cst_camera camera = {.center = {1, 2, 0}, .height = 3};
    const cst_view view = cst_view_make(2, &camera, 400, 300);
    double x, y;
    pixel_of(&view, 1, 2, 0, &x, &y);
    assert_near(x, 200, 1e-9);
    assert_near(y, 150, 1e-9);
    pixel_of(&view, 2, 3.5, 9, &x, &y);
    assert_near(x, 300, 1e-9);
    assert_near(y, 0, 1e-9);
    assert_near(cst_view_metres(&view, 5), 0.01, 1e-12);
}

static void space_is_seen_with_z_upwards(void **state)
{
    (void)state;
    const cst_camera camera = {
        .center = {1, 2, 3}, .height = 2, .azimuth = CST_CAMERA_AZIMUTH, .elevation = CST_CAMERA_ELEVATION};
    const cst_view view = cst_view_make(3, &camera, 1280, 720);
    double x, y;
    /* The eye is in the direction (0.55, -1, 0.42) from the centre, as on the page. */
    const double direction[3] = {0.55, -1, 0.42};
    double length = sqrt(0.55 * 0.55 + 1 + 0.42 * 0.42), distance = 1 / tan(16 * acos(-1.0) / 180);
    for (int k = 0; k < 3; k++)
        assert_near(view.eye[k], camera.center[k] + distance * direction[k] / length, 1e-5);
    pixel_of(&view, 1, 2, 3, &x, &y);
    assert_near(x, 640, 1e-9);
    assert_near(y, 360, 1e-9);
    pixel_of(&view, 1, 2, 3.5, &x, &y);
    assert_near(x, 640, 1e-6);
    assert_true(y < 200 && y > 100);
    pixel_of(&view, 1.5, 2, 3, &x, &y);
    assert_true(x > 700);                                               /* x to the right */
    assert_near(cst_view_metres(&view, view.centre), 2.0 / 720, 1e-12); /* what a scale bar says */
    /* A unit length across the line of sight at the centre is half of a height of 2. */
    pixel_of(&view, 1 + view.up[0], 2 + view.up[1], 3 + view.up[2], &x, &y);
    assert_near(y, 0, 1e-6);
}

static void fitted_cameras_show_everything(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 6; k++) {
            const double aspect[6] = {0.3, 0.5, 1, 1.5, 2, 4}, azimuth[6] = {-61, 0, 90, -90, 170, 10},
                         elevation[6] = {20, 0, 90, -90, -35, 60};
            cst_bounds bodies = {0}, around = {0};
            const double a[3] = {-3, 1, dim == 3 ? 5 : 0}, b[3] = {0, 9, dim == 3 ? 6 : 0}, c[3] = {2, 2, 0},
                         far[3] = {1e3, 0, 0};
            cst_bounds_add(&bodies, a, 0.1);
            cst_bounds_add(&bodies, b, 0.1);
            cst_bounds_add(&around, c, 0.5);
            cst_camera camera = cst_camera_fit(dim, &bodies, &around, aspect[k], azimuth[k], elevation[k]);
            cst_view view = cst_view_make(dim, &camera, (int)(600 * aspect[k]), 600);
            cst_bounds both = bodies;
            cst_bounds_join(&both, &around);
            double nearest_edge = 1.0; /* of the corners, in halves of the picture */
            for (int corner = 0; corner < 8; corner++) {
                double x, y;
                pixel_of(&view, corner & 1 ? both.low[0] : both.high[0], corner & 2 ? both.low[1] : both.high[1],
                         corner & 4 ? both.low[2] : both.high[2], &x, &y);
                assert_true(x > 0 && x < view.width && y > 0 && y < view.height);
                nearest_edge =
                    fmin(nearest_edge, 1.0 - fmax(fabs(2.0 * x / view.width - 1.0), fabs(2.0 * y / view.height - 1.0)));
            }
            assert_true(nearest_edge > 0.0 && nearest_edge < 0.15); /* and nothing is smaller than it has to be */
            /* What is far away is left out. */
            cst_bounds_add(&around, far, 0.5);
            camera = cst_camera_fit(dim, &bodies, &around, aspect[k], azimuth[k], elevation[k]);
            assert_near(camera.center[0], -1.5, 1e-12);
        }
    const cst_bounds none = {0};
    assert_true(cst_camera_fit(2, &none, &none, 1, 0, 0).height > 0);
}

static void a_narrow_picture_shows_more_height(void **state)
{
    (void)state;
    const cst_camera camera = {.center = {0, 0, 0}, .height = 1};
    cst_bounds wide = {0}, none = {0};
    const double left[3] = {-2, 0, 0}, right[3] = {2, 0, 0}, near[3] = {0.1, 0, 0};
    cst_bounds_add(&wide, left, 0);
    cst_bounds_add(&wide, right, 0);
    assert_near(cst_camera_widen(2, camera, &wide, &none, 16.0 / 9.0).height, 1, 1e-12);
    assert_near(cst_camera_widen(2, camera, &wide, &none, 1).height, 16.0 / 9.0, 1e-12);
    cst_bounds slim = {0};
    cst_bounds_add(&slim, near, 0.1);
    assert_near(cst_camera_widen(2, camera, &slim, &none, 1).height, 1, 1e-12);
}

/* In 3D, the extent of the bodies across the direction of view counts: seen along x, that along y. */
static void a_narrow_picture_from_the_side_shows_more_height(void **state)
{
    (void)state;
    const cst_camera side = {.center = {0, 0, 1}, .height = 1, .azimuth = 0},
                     front = {.center = {0, 0, 1}, .height = 1, .azimuth = -90},
                     between = {.center = {0, 0, 1}, .height = 1, .azimuth = 30};
    cst_bounds along_x = {0}, along_y = {0}, none = {0};
    cst_bounds_add(&along_x, (const double[]){-2, 0, 0}, 0);
    cst_bounds_add(&along_x, (const double[]){0.1, 0, 0}, 0);
    cst_bounds_add(&along_y, (const double[]){0, -0.1, 0}, 0);
    cst_bounds_add(&along_y, (const double[]){0, 2, 0}, 0);
    assert_near(cst_camera_widen(3, side, &along_y, &none, 1).height, 16.0 / 9.0, 1e-12);
    assert_near(cst_camera_widen(3, side, &along_x, &none, 1).height, 1, 1e-12);
    assert_near(cst_camera_widen(3, front, &along_x, &none, 1).height, 16.0 / 9.0, 1e-12);
    assert_near(cst_camera_widen(3, front, &along_y, &none, 1).height, 1, 1e-12);
    cst_bounds shorter = {0};
    cst_bounds_add(&shorter, (const double[]){1.2, 0, 0}, 0);
    assert_near(cst_camera_widen(3, between, &shorter, &none, 1).height, 2.1 * 1.2 * 0.5, 1e-12);
}

static void cameras_that_fit_are_named(void **state)
{
    (void)state;
    double azimuth, elevation;
    assert_true(cst_camera_is_fit(2, "fit", &azimuth, &elevation));
    assert_false(cst_camera_is_fit(2, "top", &azimuth, &elevation));
    assert_true(cst_camera_is_fit(3, "fit", &azimuth, &elevation));
    assert_near(azimuth, CST_CAMERA_AZIMUTH, 0);
    assert_true(cst_camera_is_fit(3, "fit,30,-12.5", &azimuth, &elevation));
    assert_near(azimuth, 30, 0);
    assert_near(elevation, -12.5, 0);
    assert_true(cst_camera_is_fit(3, "top", &azimuth, &elevation));
    /* From above, x is to the right and y is up. */
    const cst_camera camera = {.height = 1, .azimuth = azimuth, .elevation = elevation};
    const cst_view view = cst_view_make(3, &camera, 100, 100);
    assert_near(view.right[0], 1, 1e-12);
    assert_near(view.up[1], 1, 1e-12);
    static const char *const bad[] = {"fit,1", "fit,1,2,3", "fit,1,91", "fit,nan,0", "above", ""};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_false(cst_camera_is_fit(3, bad[k], &azimuth, &elevation));
}

static void cameras_are_read(void **state)
{
    (void)state;
    char message[256];
    cst_camera camera;
    assert_true(cst_camera_read(2, "0.5,-1e-1,2", &camera, message, sizeof message));
    assert_near(camera.center[1], -0.1, 0);
    assert_near(camera.height, 2, 0);
    assert_true(cst_camera_read(3, "1,2,3,4", &camera, message, sizeof message));
    assert_near(camera.azimuth, CST_CAMERA_AZIMUTH, 0);
    assert_true(cst_camera_read(3, "1,2,3,4,-90,30", &camera, message, sizeof message));
    assert_near(camera.elevation, 30, 0);
    const char *const bad2[] = {"",       "1",     "1,2",  "1,2,0",   "1,2,-3",  "1,2,3,4", "1,2,x",
                                "1,2,3 ", "a,b,c", "1,,3", "nan,1,1", "1,2,inf", "1,2,3,"};
    for (size_t k = 0; k < sizeof bad2 / sizeof bad2[0]; k++) {
        *message = '\0';
        assert_false(cst_camera_read(2, bad2[k], &camera, message, sizeof message));
        assert_non_null(strstr(message, "X,Y,HEIGHT"));
    }
    const char *const bad3[] = {"1,2,3", "1,2,3,0", "1,2,3,4,5", "1,2,3,4,5,6,7", "1,2,3,4,5,6,"};
    for (size_t k = 0; k < sizeof bad3 / sizeof bad3[0]; k++)
        assert_false(cst_camera_read(3, bad3[k], &camera, message, sizeof message));
}

static void numbers_are_written_for_people(void **state)
{
    (void)state;
    char text[64];
    assert_near(cst_round_length(0.37), 0.2, 1e-12);
    assert_near(cst_round_length(1), 1, 1e-12);
    assert_near(cst_round_length(0.1), 0.1, 1e-15);
    assert_near(cst_round_length(7e-5), 5e-5, 1e-15);
    const struct {
        double metres;
        const char *text;
    } length[] = {{2000, "2 km"}, {1, "1 m"}, {0.5, "50 cm"}, {0.01, "1 cm"}, {5e-3, "5 mm"}, {2e-5, "20 \xc2\xb5m"}};
    for (size_t k = 0; k < sizeof length / sizeof length[0]; k++) {
        cst_length_text(length[k].metres, text, sizeof text);
        assert_string_equal(text, length[k].text);
    }
    cst_time_text(-1e-12, 0.02, text, sizeof text);
    assert_string_equal(text, "t = 0.00 s");
    cst_time_text(1.23456, 1e-4, text, sizeof text);
    assert_string_equal(text, "t = 1.23456 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane_is_seen_as_a_map),
        cmocka_unit_test(space_is_seen_with_z_upwards),
        cmocka_unit_test(fitted_cameras_show_everything),
        cmocka_unit_test(a_narrow_picture_shows_more_height),
        cmocka_unit_test(a_narrow_picture_from_the_side_shows_more_height),
        cmocka_unit_test(cameras_that_fit_are_named),
        cmocka_unit_test(cameras_are_read),
        cmocka_unit_test(numbers_are_written_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
