/* A ring that spins lands on a plane and rolls away: friction and weight have no moment about where it touches, so that it rolls at
 *
 *     v = omega R^2 (R + r) / ((R + r)^2 + R^2)        R its radius, r that of the rod, for a rigid ring
 *
 * It turns by 3.4 degrees in each of its steps: a step that follows the velocities of its points in straight lines sees them pass through the plane and
 * makes the ring hop, and every hop brakes it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "world_fixture.h"

static const double PI = 3.14159265358979323846;
static const double R = 0.1, r = 0.005, spin = 60.0, young = 1e10;

static cst_body_id add_planar_ring(cst_world *world, int elements)
{
    cst_rod_def ring = cst_rod_def_default();
    ring.elements = elements;
    ring.length = 2.0 * PI * R;
    ring.radius = r;
    ring.mass_per_length = 1000.0 * PI * r * r;
    ring.bending_stiffness = young * PI * r * r * r * r / 4.0;
    ring.closed = true;
    ring.natural_curvature = 1.0 / R;
    ring.position[1] = r + 1e-3;
    ring.angular_velocity = -spin;
    ring.velocity[0] = -spin * R;
    return world_rod(world, &ring);
}

static cst_body_id add_fiber_ring(cst_world *world, cst_fiber_model model, int elements)
{
    char message[256];
    cst_fiber_def ring = cst_fiber_def_default();
    ring.model = model;
    ring.elements = elements;
    ring.length = 2.0 * PI * R;
    ring.radius = r;
    ring.mass_per_length = 1000.0 * PI * r * r;
    ring.bending_stiffness[0] = ring.bending_stiffness[1] = young * PI * r * r * r * r / 4.0;
    ring.twisting_stiffness = ring.bending_stiffness[0] / 1.3;
    ring.closed = true;
    ring.natural_curvature[1] = -1.0 / R; /* upwards */
    ring.position[2] = r + 1e-3;
    ring.angular_velocity[1] = spin;
    ring.velocity[0] = -spin * R;
    const cst_body_id body = cst_world_add_fiber(world, &ring, message, sizeof message);
    if (!body)
        fail_msg("%s", message);
    return body;
}

static cst_world *world_with_ground(int dim)
{
    cst_world_def def = cst_world_def_default(dim);
    def.friction_coefficient = 0.5;
    cst_world *world = world_of(&def);
    cst_obstacle_def ground = cst_obstacle_def_default();
    ground.shape = dim == 2 ? CST_OBSTACLE_HALF_PLANE : CST_OBSTACLE_PLANE;
    ground.normal[0] = ground.normal[1] = ground.normal[2] = 0.0;
    ground.normal[dim - 1] = 1.0;
    world_obstacle(world, &ground);
    return world;
}

/* Speed after 1.5 s over that of a rigid ring. */
static double landed(int dim, int elements)
{
    enum { POINTS = 96 };
    cst_world *world = world_with_ground(dim);
    const cst_body_id body =
        dim == 2 ? add_planar_ring(world, elements) : add_fiber_ring(world, CST_FIBER_SUPER_HELIX, elements);
    while (cst_world_time(world) < 1.5)
        world_step(world);
    double speed = 0.0;
    for (int k = 0; k < POINTS; k++) {
        const cst_place at = {.body = body, .s = 2.0 * PI * R * (k + 0.5) / POINTS};
        double v[3];
        if (dim == 2)
            cst_world_place(world, &at, NULL, NULL, v);
        else
            cst_world_place_space(world, &at, NULL, NULL, v, NULL);
        speed += v[0] / POINTS;
    }
    cst_world_free(world);
    return speed / (spin * R * R * (R + r) / ((R + r) * (R + r) + R * R));
}

static void ring_rolls_at_the_right_speed(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        for (int elements = 12; elements <= 24; elements += 12) {
            const double ratio = landed(dim, elements);
            print_message("%s, %d elements: %.4f of the speed of a rigid ring\n", dim == 2 ? "planar" : "super helix", elements, ratio);
            assert_near(ratio, 1.0, 0.01);
        }
    }
}

/* Rings of nodal models are polygons and hop. Where they are pushed, edges do not go on turning as they did; the budget knows along which
 * directions their tensions worked, and so closes. (With the directions of the end, 90 % of the energy was unexplained after 1.5 s.) */
static void polygons_have_a_budget(void **state)
{
    (void)state;
    static const cst_fiber_model model[] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE, CST_FIBER_SPRINGS};
    for (int m = 0; m < 3; m++) {
        cst_world *world = world_with_ground(3);
        add_fiber_ring(world, model[m], 24);
        cst_energies energies;
        cst_world_energies(world, &energies);
        const double start = energies.kinetic + energies.elastic + energies.gravity;
        double most = 0.0, unexplained = 0.0;
        int touching = 0;
        while (cst_world_time(world) < 0.5) {
            const cst_step_report report = world_step(world);
            touching += report.sticking + report.sliding;
            cst_world_energies(world, &energies);
            most = fmax(most, energies.kinetic + energies.elastic + energies.gravity);
            unexplained = fmax(unexplained, fabs(energies.unexplained));
        }
        print_message("touches %d times: %.1e J of %.2g J unexplained\n", touching, unexplained, start);
        assert_true(touching > 10);
        assert_true(unexplained < 1e-6 * start);
        assert_true(most <= start * (1.0 + 1e-9));
        cst_world_free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_rolls_at_the_right_speed),
        cmocka_unit_test(polygons_have_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
