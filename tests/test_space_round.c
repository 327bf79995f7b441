/* Straight pieces on round solids: where the ends of a piece touch because it lies nearly flat, its deepest point touches too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/detect_space.h"

static const double RADIUS = 0.00125, POST = 0.003, HALF = 0.0006, LIFT = 0.0042;

static void chord(const void *user, int feature, double s, double *x, double *tangent)
{
    (void)user;
    (void)feature;
    x[0] = s - HALF;
    x[1] = LIFT;
    x[2] = 0.0;
    if (tangent) {
        tangent[0] = 1.0;
        tangent[1] = tangent[2] = 0.0;
    }
}

static void deepest_point_touches(void **state)
{
    (void)state;
    static const cst_solid_kind kind[] = {CST_SOLID_SPHERE, CST_SOLID_CAPSULE, CST_SOLID_CYLINDER};
    static const double flat[] = {0.0, 1e-5, 3e-4, 1e-2};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (size_t f = 0; f < sizeof flat / sizeof *flat; f++) {
            const cst_piece piece = {.owner = 0, .length = 2.0 * HALF, .radius = RADIUS, .owner_length = 2.0 * HALF};
            const cst_solid post = {
                .owner = 1, .kind = kind[k], .size = {POST, 0.03, 0.0}, .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
            const double margin[1] = {3e-4}, none[1] = {0.0};
            const uint8_t flags[2] = {0, CST_OWNER_FIXED};
            const cst_curve_view curve[2] = {{.at = chord}, {0}};
            const cst_space_scene scene = {.pieces = 1,
                                           .piece = &piece,
                                           .margin = margin,
                                           .solids = 1,
                                           .solid = &post,
                                           .solid_margin = none,
                                           .owners = 2,
                                           .curve = curve,
                                           .owner_flags = flags,
                                           .flat = flat[f],
                                           .threads = 1};
            cst_detector detector;
            const cst_touch_space *touch;
            cst_detector_begin(&detector, NULL);
            const int touches = cst_detect_space(&detector, &scene, &touch);
            double deepest = INFINITY;
            for (int i = 0; i < touches; i++)
                deepest = fmin(deepest, touch[i].gap);
            assert_true(fabs(deepest - (LIFT - POST - RADIUS)) < 1e-12);
            cst_detector_end(&detector);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deepest_point_touches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
