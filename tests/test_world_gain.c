/* A step that gains energy is begun again with half the step (world/ledger.h), and leaves no trace; what has moved is counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;

static double total(const cst_energies *energy)
{
    return energy->kinetic + energy->elastic + energy->gravity;
}

enum { N = 6 };

/* A stiff fiber, straight by nature, that begins bent: it snaps straight in much less than a step of 1 ms. */
static cst_world *bent_fiber(cst_rng *random, cst_fiber_model model, double dt)
{
    static double curvature[3 * N];
    cst_world_def def = cst_world_def_default(3);
    def.gravity[2] = 0.0;
    def.time_step.dt = dt;
    cst_world *world = world_of(&def);
    cst_fiber_def fiber = cst_fiber_def_default();
    const double r = cst_rng_log_range(random, 0.002, 0.01), young = cst_rng_log_range(random, 1e8, 1e10);
    const double k1 = cst_rng_range(random, -8.0, 8.0), k2 = cst_rng_range(random, -8.0, 8.0);
    for (int i = 0; i < N; i++) {
        curvature[3 * i] = 0.0;
        curvature[3 * i + 1] = k1;
        curvature[3 * i + 2] = k2;
    }
    fiber.model = model;
    fiber.elements = N;
    fiber.length = 0.2;
    fiber.radius = r;
    fiber.mass_per_length = 1500.0 * PI * r * r;
    fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = young * PI * r * r * r * r / 4.0;
    fiber.twisting_stiffness = fiber.bending_stiffness[0] / 1.3;
    fiber.stretching_stiffness = young * PI * r * r;
    fiber.curvature = curvature;
    char message[256];
    assert_true(cst_world_add_fiber(world, &fiber, message, sizeof message) != 0);
    return world;
}

static const cst_fiber_model models[] = {CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE, CST_FIBER_SPRINGS};

static void stiff_fibers_that_snap_gain_nothing(void **state)
{
    (void)state;
    int retries = 0;
    for (int k = 0; k < 40; k++) {
        cst_rng random;
        cst_rng_seed(&random, (uint64_t)k, 0);
        cst_world *world = bent_fiber(&random, models[k % 4], 1e-3);
        cst_energies energy;
        cst_world_energies(world, &energy);
        const double start = total(&energy);
        double least = start, rise = 0.0;
        for (int step = 0; step < 60; step++) {
            const cst_step_report report = world_step(world);
            rise = fmax(rise, total(&report.energy) - least);
            least = fmin(least, total(&report.energy));
            retries += report.retries;
        }
        assert_true(rise <= 2e-3 * start);
        cst_world_free(world);
    }
    assert_true(retries > 10); /* some would have gained */
}

/* The step that was taken in the end is that of a world which never tried a longer one. */
static void a_step_begun_again_leaves_no_trace(void **state)
{
    (void)state;
    int compared = 0;
    for (int k = 0; k < 40; k++) {
        cst_rng random;
        cst_rng_seed(&random, (uint64_t)k, 0);
        cst_world *tried = bent_fiber(&random, models[k % 4], 1e-3);
        const cst_step_report report = world_step(tried);
        if (report.retries > 0) {
            cst_rng_seed(&random, (uint64_t)k, 0);
            cst_world *other = bent_fiber(&random, models[k % 4], report.dt);
            const cst_step_report first = world_step(other);
            double a[512], b[512];
            const int size = cst_world_body_state(tried, 1, NULL);
            assert_true(size <= 512);
            cst_world_body_state(tried, 1, a);
            cst_world_body_state(other, 1, b);
            assert_memory_equal(a, b, (size_t)size * sizeof *a);
            assert_true(total(&report.energy) == total(&first.energy) && report.energy.scheme == first.energy.scheme);
            assert_true(first.retries == 0);
            cst_world_free(other);
            compared++;
        }
        cst_world_free(tried);
    }
    assert_true(compared > 5);
}

/* A disk that falls by h and stays there, pushed sideways: m g h and the work of the push; kept in a checkpoint. */
static void energy_that_moved(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def), *other = world_of(&def);
    cst_world *both[2] = {world, other};
    for (int k = 0; k < 2; k++) {
        world_incline(both[k], 0.0);
        world_disk(both[k], 0.05, 0.0, 0.05 + 0.2);
        cst_load_def load = cst_load_def_default();
        load.at.body = 1;
        load.force[0] = 0.1;
        char message[256];
        assert_true(cst_world_add_load(both[k], &load, message, sizeof message) != 0);
    }
    cst_step_report report = {0};
    for (int k = 0; k < 400; k++)
        report = world_step(world);
    double now[6];
    cst_world_body_state(world, 1, now);
    const double fallen = -report.energy.gravity + (0.25 * report.energy.gravity / now[1]);
    assert_near(report.energy.moved, fallen + report.energy.loads, 1e-9 * report.energy.moved);
    assert_true(fallen > 0.0 && report.energy.loads > 0.0);
    size_t size;
    void *bytes = world_bytes(world, &size);
    char message[256];
    assert_true(cst_world_load(other, bytes, size, message, sizeof message));
    cst_energies energy;
    cst_world_energies(other, &energy);
    assert_true(energy.moved == report.energy.moved);
    free(bytes);
    cst_world_free(world);
    cst_world_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_fibers_that_snap_gain_nothing),
        cmocka_unit_test(a_step_begun_again_leaves_no_trace),
        cmocka_unit_test(energy_that_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
