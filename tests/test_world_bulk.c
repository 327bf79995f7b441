/* The state of all bodies as arrays: what they hold is what one place after the other says, and nobody is left with freed memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static char message[256];

static cst_fiber_def fiber_of(cst_fiber_model model, double y)
{
    cst_fiber_def def = cst_fiber_def_default();
    def.model = model;
    def.elements = 5;
    def.length = 0.5;
    def.radius = 0.005;
    cst_fiber_section(&def, 0.005, model == CST_FIBER_SPRINGS ? 0.005 : 0.004, 1000.0, 1e6, 4e5);
    def.position[1] = y;
    def.natural_curvature[2] = 2.0;
    def.viscosity = 1e-3;
    return def;
}

static cst_body_id add_fiber(cst_world *world, const cst_fiber_def *def)
{
    const cst_body_id id = cst_world_add_fiber(world, def, message, sizeof message);
    if (!id)
        fail_msg("%s", message);
    return id;
}

/* All models of fibers, free and clamped, closed ones, and rigid bodies. */
static cst_world *world_in_space(int threads)
{
    static const double radii[5] = {0.005, 0.006, 0.007, 0.008, 0.009};
    cst_world_def def = cst_world_def_default(3);
    def.friction.threads = threads;
    cst_world *world = world_of(&def);
    for (int model = CST_FIBER_SUPER_HELIX; model <= CST_FIBER_SPRINGS; model++)
        for (int clamped = 0; clamped < 2; clamped++) {
            cst_fiber_def fiber = fiber_of((cst_fiber_model)model, 0.1 * (2 * model + clamped));
            fiber.clamped = clamped;
            fiber.element_radius = radii;
            if (!clamped)
                fiber.angular_velocity[2] = 1.0;
            add_fiber(world, &fiber);
        }
    cst_fiber_def ring = fiber_of(CST_FIBER_DISCRETE_ROD, 2.0);
    ring.closed = true;
    double point[18];
    for (int i = 0; i < 6; i++) {
        const double angle = 2.0 * 3.14159265358979323846 * i / 5;
        point[3 * i] = 0.08 * cos(angle);
        point[3 * i + 1] = 2.0 + 0.08 * sin(angle);
        point[3 * i + 2] = 0.0;
    }
    ring.point = point;
    add_fiber(world, &ring);
    cst_rigid_def box = cst_rigid_def_default();
    box.shape = CST_RIGID_BOX;
    box.size[0] = box.size[1] = box.size[2] = 0.1;
    box.radius = 0.01;
    box.mass = 1.0;
    box.position[1] = -1.0;
    box.spin[0] = 3.0;
    world_rigid(world, &box);
    return world;
}

static cst_world *world_in_plane(void)
{
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 4;
    rod.length = 1.0;
    rod.radius = 0.01;
    rod.mass_per_length = 0.2;
    rod.bending_stiffness = 0.05;
    rod.natural_curvature = 1.0;
    rod.angular_velocity = 2.0;
    world_rod(world, &rod);
    cst_rod_def ring = rod;
    ring.position[0] = 5.0;
    ring.natural_curvature = 2.0 * 3.14159265358979323846;
    ring.closed = true;
    ring.angular_velocity = 0.0;
    world_rod(world, &ring);
    world_disk(world, 0.1, -3.0, 0.0);
    return world;
}

/* The place of vertex i of a body: along the arc length that the drawing of element ends has, or the centre of mass. */
static void compare_body(cst_world *world, cst_body_id body, const cst_vertices *all)
{
    const int64_t first = all->first[body - 1], count = all->first[body] - first;
    const double *x = cst_world_positions(world), *v = cst_world_velocities(world), *frame = cst_world_frames(world),
                 *radius = cst_world_radii(world);
    double drawn[3 * 16], drawn_radius[16];
    const cst_drawing drawing = cst_world_draw_body(world, body, 1, drawn, drawn_radius, NULL);
    for (int64_t i = 0; i < count; i++) {
        double at[3], turned[9], moving[3];
        const double *own = x + 3 * (first + i);
        if (count == 1) {
            const cst_place centre = {.body = body};
            assert_true(cst_world_place_space(world, &centre, at, turned, moving, NULL));
            for (int c = 0; c < 3; c++)
                assert_near(own[c], at[c], 0.0);
        } else {
            assert_int_equal(count, drawing.vertices);
            for (int c = 0; c < 3; c++)
                assert_near(own[c], drawn[3 * i + c], 0.0);
            assert_near(radius[first + i], drawn_radius[i], 0.0);
        }
        /* columns are of unit length and the first and last place of an open body have a name of their own */
        for (int c = 0; c < 3; c++)
            assert_near(hypot(hypot(frame[9 * (first + i) + c], frame[9 * (first + i) + 3 + c]), frame[9 * (first + i) + 6 + c]),
                        1.0, 1e-12);
        if (count > 1 && (i == 0 || (i == count - 1 && !drawing.closed))) {
            const cst_place end = {.body = body, .at_end = i > 0};
            assert_true(cst_world_place_space(world, &end, at, turned, moving, NULL));
            for (int c = 0; c < 3; c++) {
                assert_near(own[c], at[c], 1e-15);
                assert_near(v[3 * (first + i) + c], moving[c], 0.0);
            }
            if (cst_world_definition(world)->dim == 3)
                assert_memory_equal(frame + 9 * (first + i), turned, sizeof turned);
        }
    }
}

static void arrays_are_the_places(void **state)
{
    (void)state;
    cst_world *worlds[2] = {world_in_space(1), world_in_plane()};
    for (int w = 0; w < 2; w++) {
        for (int k = 0; k < 5; k++)
            world_step(worlds[w]);
        cst_vertices all;
        assert_true(cst_world_vertices(worlds[w], &all));
        assert_int_equal(all.bodies, cst_world_bodies(worlds[w]));
        assert_true(all.count > 0 && all.first[all.bodies] == all.count);
        for (int k = 0; k < all.bodies; k++)
            compare_body(worlds[w], (cst_body_id)(k + 1), &all);
        cst_world_free(worlds[w]);
    }
}

/* Velocities are how positions change: over a short flight of implicit steps, to first order. */
static void velocities_are_how_positions_change(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = 1e-6;
    cst_world *world = world_of(&def);
    cst_fiber_def fiber = fiber_of(CST_FIBER_SUPER_HELIX, 0.0);
    fiber.velocity[0] = 1.0;
    fiber.angular_velocity[1] = 5.0;
    add_fiber(world, &fiber);
    cst_vertices all;
    assert_true(cst_world_vertices(world, &all));
    double *before = malloc(3 * sizeof *before * (size_t)all.count);
    memcpy(before, cst_world_positions(world), 3 * sizeof *before * (size_t)all.count);
    world_step(world);
    const double *x = cst_world_positions(world), *v = cst_world_velocities(world);
    double fastest = 0.0;
    for (int64_t i = 0; i < 3 * all.count; i++) {
        assert_near((x[i] - before[i]) / 1e-6, v[i], 1e-4);
        fastest = fmax(fastest, fabs(v[i]));
    }
    assert_true(fastest > 1.0);
    free(before);
    cst_world_free(world);
}

/* Arrays stay where they are until a body is added; then the old ones can still be read, with the old values. */
static void old_arrays_stay(void **state)
{
    (void)state;
    cst_world *world = world_in_plane();
    cst_vertices all, more;
    assert_true(cst_world_vertices(world, &all));
    const double *x = cst_world_positions(world);
    world_step(world);
    assert_ptr_equal(x, cst_world_positions(world));
    const double last = x[3 * all.count - 3];
    const int64_t *first = all.first, before = all.first[all.bodies];
    for (int k = 0; k < 40; k++)
        world_disk(world, 0.05, 10.0 + k, 0.0);
    assert_true(cst_world_vertices(world, &more));
    assert_true(more.layout != all.layout);
    assert_int_equal(more.count, all.count + 40);
    const double *now = cst_world_positions(world);
    assert_near(now[3 * more.count - 3], 49.0, 0.0);
    assert_near(x[3 * all.count - 3], last, 0.0);
    assert_int_equal(first[all.bodies], before);
    cst_world_free(world);
}

static void contacts_stay_readable(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    world_incline(world, 0.0);
    world_disk(world, 0.1, 0.0, 0.1);
    world_step(world);
    const cst_contact_view *old, *now;
    assert_int_equal(cst_world_contacts(world, &old), 1);
    for (int k = 0; k < 50; k++)
        world_disk(world, 0.1, 1.0 + k, 0.1);
    world_step(world);
    assert_int_equal(cst_world_contacts(world, &now), 51);
    assert_true(isfinite(old[0].r[0])); /* under the address sanitizer: not freed */
    cst_world_free(world);
}

/* 300 fibers: the same bits with one thread and with four. */
static void threads_make_no_difference(void **state)
{
    (void)state;
    double *kept[2][3];
    int64_t count = 0;
    for (int t = 0; t < 2; t++) {
        cst_world_def def = cst_world_def_default(3);
        def.friction.threads = t ? 4 : 1;
        cst_world *world = world_of(&def);
        for (int k = 0; k < 300; k++) {
            const cst_fiber_def fiber = fiber_of((cst_fiber_model)(k % 4), 0.1 * k);
            add_fiber(world, &fiber);
        }
        cst_vertices all;
        assert_true(cst_world_vertices(world, &all));
        count = all.count;
        double *force = calloc((size_t)(3 * count), sizeof *force);
        for (int64_t i = 0; i < count; i++)
            force[3 * i] = 1e-3 * (double)(i % 7);
        assert_true(cst_world_set_forces(world, force, count, message, sizeof message));
        free(force);
        world_step(world);
        const double *from[3] = {cst_world_positions(world), cst_world_velocities(world), cst_world_frames(world)};
        for (int k = 0; k < 3; k++) {
            const size_t bytes = sizeof(double) * (size_t)count * (k < 2 ? 3 : 9);
            kept[t][k] = malloc(bytes);
            memcpy(kept[t][k], from[k], bytes);
        }
        cst_world_free(world);
    }
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(kept[0][k], kept[1][k], sizeof(double) * (size_t)count * (k < 2 ? 3 : 9));
        free(kept[0][k]);
        free(kept[1][k]);
    }
}

/* An allocator that gives so many times, then no more. */
static int left;

static void *acquire(void *user, size_t bytes)
{
    (void)user;
    return left-- > 0 ? malloc(bytes) : NULL;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

/* Enough fibers that their arrays need blocks of their own: each allocation fails in turn, and once there is memory all is well. */
static void without_memory_there_is_a_message(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(3);
    def.friction.allocator = (cst_allocator){.acquire = acquire, .release = release};
    left = 1 << 30;
    cst_world *world = world_of(&def);
    for (int k = 0; k < 2000; k++) {
        const cst_fiber_def fiber = fiber_of(CST_FIBER_SUPER_HELIX, 0.1 * k);
        add_fiber(world, &fiber);
    }
    cst_vertices all;
    assert_true(cst_world_vertices(world, &all));
    double *force = calloc((size_t)(3 * all.count), sizeof *force);
    left = 0;
    assert_null(cst_world_frames(world));
    assert_null(cst_world_positions(world));
    assert_false(cst_world_set_forces(world, force, all.count, message, sizeof message));
    assert_string_equal(message, "out of memory");
    left = 1 << 30;
    assert_non_null(cst_world_frames(world));
    assert_true(cst_world_set_forces(world, force, all.count, message, sizeof message));
    free(force);
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_the_places),
        cmocka_unit_test(velocities_are_how_positions_change),
        cmocka_unit_test(old_arrays_stay),
        cmocka_unit_test(contacts_stay_readable),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(without_memory_there_is_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
