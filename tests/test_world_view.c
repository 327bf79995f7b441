/* Looking at a world, statics, and quasi-static steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static cst_rod_def cantilever(int elements)
{
    cst_rod_def def = cst_rod_def_default();
    def.name = "cantilever";
    def.elements = elements;
    def.length = 1.0;
    def.radius = 0.01;
    def.mass_per_length = 1.0;
    def.bending_stiffness = 2.0;
    def.clamped = true;
    return def;
}

static const cst_place TIP = {.body = 1, .at_end = true};

/* Statics, and quasi-static steps that follow the load, end in the same shape; so does what a clamp has to hold. */
static void equilibrium_and_quasi_static(void **state)
{
    (void)state;
    char message[256];
    double statics[3], followed[3];
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    const cst_rod_def rod = cantilever(12);
    world_rod(world, &rod);
    cst_load_def load = cst_load_def_default();
    load.at = TIP;
    load.force[1] = -3.0;
    assert_true(cst_world_add_load(world, &load, message, sizeof message) != 0);
    int iterations = 0;
    if (!cst_world_find_equilibrium(world, 1e-10, &iterations, message, sizeof message))
        fail_msg("%s", message);
    assert_true(iterations > 0);
    cst_world_place(world, &TIP, statics, NULL, NULL);
    assert_true(statics[1] < -0.3);
    cst_energies energy;
    cst_world_energies(world, &energy);
    assert_near(energy.unexplained, 0.0, 1e-12); /* moving there is no work */
    for (int k = 0; k < 50; k++)                 /* and there it stays */
        world_step(world);
    cst_world_place(world, &TIP, followed, NULL, NULL);
    assert_near(followed[0], statics[0], 1e-9);
    assert_near(followed[1], statics[1], 1e-9);
    cst_world_free(world);

    def.time_step.quasi_static = true;
    def.time_step.dt = 0.1;
    world = world_of(&def);
    world_rod(world, &rod);
    assert_true(cst_world_add_load(world, &load, message, sizeof message) != 0);
    for (int k = 0; k < 200; k++)
        world_step(world);
    cst_world_place(world, &TIP, followed, NULL, NULL);
    assert_near(followed[0], statics[0], 1e-6);
    assert_near(followed[1], statics[1], 1e-6);
    cst_world_energies(world, &energy);
    assert_true(energy.forgotten < 0.0);
    cst_world_free(world);
}

/* One rod that cannot: none moves. */
static void equilibrium_of_all_or_none(void **state)
{
    (void)state;
    char message[256];
    const cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    cst_rod_def rod = cantilever(6);
    world_rod(world, &rod);
    rod.clamped = false;
    rod.name = "loose";
    world_rod(world, &rod);
    size_t size, after_size;
    void *before = world_bytes(world, &size);
    assert_false(cst_world_find_equilibrium(world, 1e-10, NULL, message, sizeof message));
    assert_non_null(strstr(message, "loose"));
    void *after = world_bytes(world, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    cst_world_free(world);
}

static void names_places_drawings(void **state)
{
    (void)state;
    const cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    const cst_rod_def rod = cantilever(4);
    assert_int_equal(world_rod(world, &rod), 1);
    assert_int_equal(world_disk(world, 0.1, 2.0, 3.0), 2);
    cst_obstacle_def ground = cst_obstacle_def_default();
    ground.name = "ground";
    ground.position[1] = -9.0;
    assert_int_equal(world_obstacle(world, &ground), 1);
    assert_string_equal(cst_world_body_name(world, 1), "cantilever");
    assert_string_equal(cst_world_body_name(world, 2), "");
    assert_string_equal(cst_world_obstacle_name(world, 1), "ground");
    assert_string_equal(cst_world_obstacle_name(world, 2), "");
    assert_string_equal(cst_world_constraint_name(world, 1), "");

    double position[3], angle, velocity[3];
    assert_true(cst_world_place(world, &(cst_place){.body = 1, .s = 0.3}, position, &angle, velocity));
    assert_near(position[0], 0.3, 1e-14);
    assert_near(position[1], 0.0, 1e-14);
    assert_true(cst_world_place(world, &(cst_place){.body = 2, .point = {0.05, 0.0, 0.0}}, position, &angle, velocity));
    assert_near(position[0], 2.05, 1e-14);
    assert_true(cst_world_place(world, &(cst_place){.point = {7.0, 8.0, 0.0}}, position, &angle, velocity));
    assert_near(position[1], 8.0, 0.0);
    assert_false(cst_world_place(world, &(cst_place){.body = 1, .s = 1.5}, position, &angle, velocity));
    assert_false(cst_world_place(world, &(cst_place){.body = 9}, position, &angle, velocity));

    double vertex[64 * 3], radius[64], curvature[64];
    cst_drawing drawing = cst_world_draw_body(world, 1, 3, vertex, radius, curvature);
    assert_int_equal(drawing.as, CST_DRAWN_CURVE);
    assert_true(drawing.vertices >= 12 && drawing.vertices <= 16);
    assert_near(vertex[3 * (drawing.vertices - 1)], 1.0, 1e-14);
    drawing = cst_world_draw_body(world, 2, 3, vertex, radius, NULL);
    assert_int_equal(drawing.as, CST_DRAWN_DISK);
    assert_near(radius[0], 0.1, 0.0);
    drawing = cst_world_draw_obstacle(world, 1, vertex, radius);
    assert_int_equal(drawing.as, CST_DRAWN_HALF_PLANE);
    assert_int_equal(cst_world_draw_body(world, 3, 3, vertex, radius, NULL).vertices, 0);
    cst_world_free(world);
}

/* Forces add up: what the ground feels is the weight, and a contact's own figures agree with each other. */
static void forces_of_contacts(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = 0.6;
    cst_world *world = world_of(&def);
    const double alpha = 0.4;
    world_incline(world, alpha);
    const double corner[] = {0.0, 0.0, 0.4, 0.0, 0.4, 0.1, 0.0, 0.1};
    cst_rigid_def block = cst_rigid_def_default();
    block.shape = CST_RIGID_POLYGON;
    block.corner = corner;
    block.corners = 4;
    block.mass = 3.0;
    block.angle = -alpha;
    block.position[0] = 0.05 * sin(alpha);
    block.position[1] = 0.05 * cos(alpha);
    world_rigid(world, &block);
    cst_step_report report = {0};
    for (int k = 0; k < 20; k++)
        report = world_step(world);
    const cst_contact_view *view;
    assert_int_equal(cst_world_contacts(world, &view), report.contacts);
    assert_int_equal(report.sticking, 2);
    double force[3], sum[2] = {0.0, 0.0}, torque = 0.0, center[6];
    cst_world_obstacle_force(world, 1, force);
    assert_near(force[0], 0.0, 1e-7);
    assert_near(force[1], -3.0 * 9.81, 1e-7);
    cst_world_body_state(world, 1, center);
    for (int i = 0; i < report.contacts; i++) {
        const cst_contact_view *c = view + i;
        assert_true(c->a.body == 1 && c->b.obstacle == 1 && c->a.obstacle == 0 && c->b.body == 0);
        sum[0] += c->force[0];
        sum[1] += c->force[1];
        torque += (c->position[0] - center[0]) * c->force[1] - (c->position[1] - center[1]) * c->force[0];
        const double normal = c->force[0] * c->normal[0] + c->force[1] * c->normal[1];
        assert_near(normal * report.dt, c->r[0], 1e-12);
        assert_near(c->normal[0], sin(alpha), 1e-12);
        assert_true(c->error <= report.residual.error);
        assert_near(c->mu, 0.6, 0.0);
    }
    assert_near(sum[1], 3.0 * 9.81, 1e-7);
    assert_near(torque, 0.0, 1e-7);
    cst_world_free(world);
}

/* A rod hung by a pin: the pin carries its weight. */
static void force_of_a_constraint(void **state)
{
    (void)state;
    char message[256];
    const cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    cst_rod_def rod = cantilever(4);
    rod.clamped = false;
    rod.angle = -1.5707963267948966;
    world_rod(world, &rod);
    cst_constraint_def pin = cst_constraint_def_default();
    pin.name = "nail";
    pin.a.body = 1;
    assert_int_equal(cst_world_add_constraint(world, &pin, message, sizeof message), 1);
    assert_string_equal(cst_world_constraint_name(world, 1), "nail");
    for (int k = 0; k < 50; k++)
        assert_true(world_step(world).constraint_error < 1e-10);
    double force[3], moment[3];
    cst_world_constraint_force(world, 1, force, moment);
    assert_near(force[1], 9.81, 1e-6);
    assert_near(moment[2], 0.0, 0.0);
    cst_world_constraint_force(world, 7, force, moment);
    assert_near(force[1], 0.0, 0.0);
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equilibrium_and_quasi_static),
                                       cmocka_unit_test(equilibrium_of_all_or_none), cmocka_unit_test(names_places_drawings),
                                       cmocka_unit_test(forces_of_contacts), cmocka_unit_test(force_of_a_constraint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
