/* An iterated step of a rod that slides over a peg much thinner than the rod moves in it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

/* A clamp pushes a horizontal rod down beside a peg at x = 1, by 0.8 in 80 steps: half of three-point bending. */
static cst_world *pushed_rod(int elements, double radius, double friction, cst_obstacle_id *peg)
{
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0.0;
    def.time_step.dt = 1.0;
    def.time_step.iterations = 20;
    def.time_step.quasi_static = true;
    def.contact.stabilisation = 1.0;
    def.contact.recovery_speed = 1e3;
    def.contact.at_centreline = true;
    def.friction_coefficient = friction;
    cst_world *world = world_of(&def);
    cst_obstacle_def disk = cst_obstacle_def_default();
    disk.shape = CST_OBSTACLE_DISK;
    disk.radius = 0.5 * radius;
    disk.position[0] = 1.0;
    *peg = world_obstacle(world, &disk);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = elements;
    rod.length = 2.5;
    rod.radius = 0.5 * radius;
    rod.mass_per_length = 1e-9;
    rod.bending_stiffness = 1.0;
    rod.position[1] = radius;
    rod.clamped = true;
    cst_key key[3] = {
        {.time = 0.0}, {.time = 1.0, .translation = {0.0, -0.5 * radius}}, {.time = 81.0, .translation = {0.0, -0.8}}};
    rod.root_motion = (cst_motion){.key = key, .keys = 3};
    world_rod(world, &rod);
    return world;
}

/* The contact slides over joints of elements. Every step converges, the law is met, and the force does not know how thin the peg
 * is. */
static void thin_pegs_converge(void **state)
{
    (void)state;
    for (int fine = 0; fine < 2; fine++) {
        double least = HUGE_VAL, most = 0.0;
        for (int i = 0; i < 3; i++) {
            const double radius = (const double[3]){1e-3, 1e-4, 1e-5}[i];
            cst_obstacle_id peg;
            cst_world *world = pushed_rod(fine ? 80 : 10, radius, 0.3, &peg);
            double error = 0.0, force[3];
            for (int k = 0; k < 81; k++) {
                const cst_step_report report = world_step(world); /* not converged: fails */
                error = fmax(error, report.residual.error);
                assert_int_equal(report.sticking + report.sliding, 1);
                assert_true(report.penetration <= 1e-4 * radius);
            }
            const cst_contact_view *contact;
            assert_int_equal(cst_world_contacts(world, &contact), 1);
            cst_world_obstacle_force(world, peg, force);
            print_message("%d elements, radius %g: s = %.6f, F = %.6f, E <= %.1e\n", fine ? 80 : 10, radius, contact->s_a,
                          -2.0 * force[1], error);
            assert_true(error <= 1e-8);
            assert_true(contact->s_a > 1.25 && contact->s_a < 1.5);
            assert_true(fabs(contact->r[1] / contact->r[0] + 0.3) <= 1e-9); /* slides, with friction against it */
            least = fmin(least, -2.0 * force[1]);
            most = fmax(most, -2.0 * force[1]);
            cst_world_free(world);
        }
        assert_true(most - least <= 2e-3 * most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thin_pegs_converge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
