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

#include "sanitized.h"
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

/* A contact that is only grazed asks for a velocity that is small beside those of the ring: what is left of it may be rounding. */
static cst_step_report ring_step(cst_world *world)
{
    cst_step_report report;
    const cst_status status = cst_world_step(world, &report);
    if (status > CST_TOLERANCE_MISSED || (status != CST_SOLVED && report.residual.error * report.residual.velocity_scale > 1e-10))
        fail_msg("step %lld: %s, %s (E %g)", (long long)report.step, cst_status_name(status), report.message,
                 report.residual.error);
    return report;
}

enum { PLANAR = -1 };

static const char *ring_name(int model)
{
    static const char *name[] = {[CST_FIBER_SUPER_HELIX] = "super helix",
                                 [CST_FIBER_DISCRETE_ROD] = "discrete rod",
                                 [CST_FIBER_CORDE] = "CORDE",
                                 [CST_FIBER_SPRINGS] = "springs"};
    return model == PLANAR ? "planar" : name[model];
}

/* Speed after 1.5 s over that of a rigid ring. */
static double landed(int model, int elements)
{
    enum { POINTS = 96 };
    cst_world *world = world_with_ground(model == PLANAR ? 2 : 3);
    const cst_body_id body =
        model == PLANAR ? add_planar_ring(world, elements) : add_fiber_ring(world, (cst_fiber_model)model, elements);
    while (cst_world_time(world) < 1.5)
        ring_step(world);
    double speed = 0.0;
    for (int k = 0; k < POINTS; k++) {
        const cst_place at = {.body = body, .s = 2.0 * PI * R * (k + 0.5) / POINTS};
        double v[3];
        if (model == PLANAR)
            cst_world_place(world, &at, NULL, NULL, v);
        else
            cst_world_place_space(world, &at, NULL, NULL, v, NULL);
        speed += v[0] / POINTS;
    }
    cst_world_free(world);
    speed /= spin * R * R * (R + r) / ((R + r) * (R + r) + R * R);
    print_message("%s, %d elements: %.4f of the speed of a rigid ring\n", ring_name(model), elements, speed);
    return speed;
}

static void ring_rolls_at_the_right_speed(void **state)
{
    (void)state;
    static const int model[] = {PLANAR, CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE, CST_FIBER_SPRINGS};
    for (int m = 0; m < (int)(sizeof model / sizeof *model); m++)
        for (int elements = 12; elements <= (SANITIZED ? 12 : 24); elements += 12)
            assert_near(landed(model[m], elements), 1.0, 0.01);
}

/* More elements are no worse: ends of elements beside the place that touches do not brake it, nor do corners. */
static void fine_rings_roll_as_well(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    assert_near(landed(PLANAR, 64), 1.0, 0.003);
    const double coarse = fabs(landed(CST_FIBER_DISCRETE_ROD, 8) - 1.0);
    const double middle = fabs(landed(CST_FIBER_DISCRETE_ROD, 16) - 1.0);
    assert_true(middle < coarse / 4.0); /* order 2 at least, until dt counts */
    assert_near(landed(CST_FIBER_DISCRETE_ROD, 64), 1.0, 0.003);
    assert_near(landed(CST_FIBER_DISCRETE_ROD, 128), 1.0, 0.003);
}

/* Where rings of nodal models are pushed, edges do not go on turning as they did; the budget knows along which
 * directions their tensions worked, and so closes. (With the directions of the end, 90 % of the energy was unexplained after 1.5 s.) */
static void nodal_rings_have_a_budget(void **state)
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
            const cst_step_report report = ring_step(world);
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
        cmocka_unit_test(fine_rings_roll_as_well),
        cmocka_unit_test(nodal_rings_have_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
