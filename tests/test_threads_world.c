/* One thread or two: the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

/* Enough bodies for threads to be woken, islands of several sizes, joined bodies among them. */
static void *run(int threads, size_t *size, int *contacts)
{
    char message[256];
    cst_world_def def = cst_world_def_default(2);
    def.friction.threads = threads;
    def.time_step.dt = 2e-3;
    cst_world *world = world_of(&def);
    cst_obstacle_def drum = cst_obstacle_def_default();
    drum.shape = CST_OBSTACLE_DISK;
    drum.hollow = true;
    drum.radius = 1.0;
    world_obstacle(world, &drum);
    for (int k = 0; k < 48; k++)
        world_disk(world, 0.05, -0.4 + 0.11 * (k % 8), -0.4 + 0.12 * (k / 8) + 0.01 * (k % 3));
    for (int k = 0; k < 3; k++) {
        cst_rod_def rod = cst_rod_def_default();
        rod.elements = k == 0 ? 6 : 30;
        rod.length = 0.9;
        rod.radius = 0.01;
        rod.mass_per_length = 0.2;
        rod.bending_stiffness = 0.01;
        rod.position[0] = -0.45;
        rod.position[1] = 0.5 + 0.1 * k;
        world_rod(world, &rod);
    }
    cst_constraint_def pin = cst_constraint_def_default();
    pin.a.body = 1;
    pin.b.body = 2;
    assert_true(cst_world_add_constraint(world, &pin, message, sizeof message) != 0);
    cst_step_report report;
    *contacts = 0;
    for (int k = 0; k < 120; k++) {
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
            fail_msg("%s", report.message);
        *contacts = report.contacts > *contacts ? report.contacts : *contacts;
    }
    void *bytes = world_bytes(world, size);
    cst_world_free(world);
    return bytes;
}

static void same_bits(void **state)
{
    (void)state;
    size_t one_size, two_size;
    int contacts;
    void *one = run(1, &one_size, &contacts), *two = run(2, &two_size, &contacts);
    assert_true(contacts > 60);
    assert_int_equal(one_size, two_size);
    assert_memory_equal(one, two, one_size);
    free(one);
    free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
