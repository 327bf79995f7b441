/* Edges of nodal rods resist being pressed to nothing (rod/nodal_stretch.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nodal_fixture.h"
#include "rod/nodal_stretch.h"
#include "world_fixture.h"

/* N is the derivative of the energy and grows with the length; there is no end to the energy of an edge pressed to nothing. */
static void tension_is_that_of_the_energy(void **state)
{
    (void)state;
    const cst_fiber_def def = fiber_definition(CST_FIBER_SPRINGS, 4);
    cst_body_model body = fiber_create(&def);
    const cst_nodal_rod *rod = nodal_of(&body);
    const double l = rod->rest[1], EA = rod->stretching, h = 1e-6 * l;
    double before = -INFINITY;
    for (double lambda = 0.02; lambda < 1.5; lambda += 0.0073) {
        double energy[2], slope, beside[2], none;
        for (int side = 0; side < 2; ++side) {
            const double length = lambda * l + (side ? h : -h);
            energy[side] = 0.5 * EA / l * (length - l) * (length - l) + cst_nodal_pressed_energy(rod, 1, length);
            beside[side] = cst_nodal_tension(rod, 1, length, &none);
        }
        const double tension = cst_nodal_tension(rod, 1, lambda * l, &slope);
        assert_true(fabs(tension - (energy[1] - energy[0]) / (2.0 * h)) < 1e-5 * (EA + fabs(tension)));
        if (fabs(lambda - CST_NODAL_PRESSED) > 1e-3) /* where it begins the slope jumps */
            assert_true(fabs(slope - (beside[1] - beside[0]) / (2.0 * h)) < 1e-5 * slope);
        assert_true(tension > before);
        before = tension;
    }
    assert_true(cst_nodal_pressed_energy(rod, 1, 1e-6 * l) > 1e4 * EA * l);
    rod_destroy(&body);
}

/* A soft rod that falls on its end, faster than its stretch carries a blow (sqrt(EA / rho A) = 4 m/s): it is pressed together from below. No edge turns
 * round in that, and no energy comes of it. */
static void a_soft_rod_on_its_end(void **state)
{
    (void)state;
    static const cst_fiber_model model[] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE, CST_FIBER_SPRINGS};
    for (int k = 0; k < 6; ++k) {
        char message[256] = "";
        cst_world_def def = cst_world_def_default(3);
        def.friction_coefficient = 1.0;
        def.time_step.adaptive = true;
        cst_world *world = world_of(&def);
        cst_obstacle_def ground = cst_obstacle_def_default();
        ground.shape = CST_OBSTACLE_PLANE;
        ground.normal[0] = ground.normal[1] = 0.0;
        ground.normal[2] = 1.0;
        world_obstacle(world, &ground);
        cst_fiber_def rod = cst_fiber_def_default();
        rod.model = model[k % 3];
        rod.elements = 8;
        rod.length = 0.38;
        cst_fiber_section(&rod, 0.007, 0.007, 1600.0, 25000.0, 8000.0);
        const double tilt = 0.02 * (k / 3), upright[9] = {sin(tilt), -cos(tilt), 0.0, 0.0, 0.0, -1.0, cos(tilt), sin(tilt), 0.0};
        memcpy(rod.frame, upright, sizeof upright);
        rod.position[2] = 0.008;
        rod.velocity[2] = -4.5 - 0.5 * (k / 3);
        const cst_body_id body = cst_world_add_fiber(world, &rod, message, sizeof message);
        if (!body)
            fail_msg("%s", message);
        cst_energies energy;
        cst_world_energies(world, &energy);
        const double start = energy.kinetic + energy.gravity + energy.elastic;
        double least = start, rise = 0.0;
        while (cst_world_time(world) < 0.06) {
            const cst_step_report report = world_step(world);
            const double now = report.energy.kinetic + report.energy.gravity + report.energy.elastic;
            rise = fmax(rise, now - least);
            least = fmin(least, now);
        }
        print_message("model %d, %.1f m/s: energy rises by %.2g of what it was\n", k % 3, -rod.velocity[2], rise / start);
        assert_true(rise < 0.01 * start);
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tension_is_that_of_the_energy), cmocka_unit_test(a_soft_rod_on_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
