/* scenes/fibers/heap_of_10: super-helices that lie on each other, W singular, a third of its eigenvalues zero to rounding. With a hundred contacts
 * no step may need thousands of sweeps: Newton's method is to find the states from the impulses of the step before. With full steps, rho =
 * 0.01 E^0.5 and 40 steps in vain before sweeps took over, three of the first 650 steps took 1,000 to 9,300 iterations, and of 3,000 one
 * took 98,000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capstan/capstan.h"
#include "sanitized.h"
#include "scene/scene.h"

enum { STEPS = SANITIZED ? 250 : 650, MOST = 1000 };

static void no_step_of_a_heap_takes_thousands_of_iterations(void **state)
{
    (void)state;
    char message[256] = "";
    cst_scene *scene = cst_scene_read_file(CAPSTAN_TEST_DATA "/../../scenes/fibers/heap_of_10.json", NULL, 0, NULL);
    assert_non_null(scene);
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    assert_non_null(world);
    for (int step = 0; step < STEPS; step++) {
        cst_step_report report;
        assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
        if (report.iterations > MOST)
            fail_msg("step %d: %d contacts, %d iterations", step + 1, report.contacts, report.iterations);
    }
    cst_world_free(world);
    cst_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_of_a_heap_takes_thousands_of_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
