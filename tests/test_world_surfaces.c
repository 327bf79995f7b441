/* Rigid bodies that touch by faces and edges: what stands, what falls, what is thrown at a sheet however fast, what a moving mesh lifts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "sanitized.h"
#include "scene/scene.h"
#include "world_fixture.h"

#define SCENES CAPSTAN_TEST_DATA "/../../scenes/rigid/"

static cst_world *world_of_scene(const char *path, const char *mu, int threads)
{
    char message[512] = "";
    cst_scene *scene = cst_scene_read_file(path, &mu, mu ? 1 : 0, NULL);
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s: %s", fault->key, fault->message);
    cst_world *world = cst_scene_world(scene, threads, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    cst_scene_free(scene);
    return world;
}

/* All corners of all bodies, at most `room`. */
static int corners(const cst_world *world, double *x, int room)
{
    int count = 0;
    for (int k = 1; k <= cst_world_bodies(world); k++) {
        const cst_drawing drawing = cst_world_draw_body(world, (cst_body_id)k, 1, NULL, NULL, NULL);
        assert_true(count + drawing.vertices <= room);
        cst_world_draw_body(world, (cst_body_id)k, 1, x + 3 * count, NULL, NULL);
        count += drawing.vertices;
    }
    return count;
}

static double farthest(const double *x, const double *y, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        double way[3];
        cst_subtract3(x + 3 * i, y + 3 * i, way);
        most = fmax(most, sqrt(cst_dot3(way, way)));
    }
    return most;
}

enum { ROOM = 2000 };
static double first[3 * ROOM], last[3 * ROOM];

static void houses_and_arches_stand(void **state)
{
    (void)state;
    static const char *const scene[] = {SCENES "card_house_4.json", SCENES "arch_25.json", SCENES "stack_on_slope.json"};
    static const int contacts[] = {104, 104,
                                   20}; /* corners of every pair of faces that lie on each other, twice two of each tip */
    for (int i = 0; i < 3; i++) {
        cst_world *world = world_of_scene(scene[i], NULL, 1);
        cst_step_report report;
        const int count = corners(world, first, ROOM);
        for (int k = 0; k < 50; k++) {
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
            assert_int_equal(report.contacts, contacts[i]);
            assert_true(report.residual.error <= 1e-8 && report.penetration < 1e-10);
            assert_int_equal(report.new_contacts, k == 0 ? contacts[i] : 0);
        }
        corners(world, last, ROOM);
        assert_true(farthest(first, last, count) < 1e-9);
        cst_world_free(world);
    }
}

static void without_friction_they_fall(void **state)
{
    (void)state;
    static const char *const scene[] = {SCENES "card_house_4.json", SCENES "arch_25.json", SCENES "stack_on_slope.json"};
    static const char *const mu[] = {"friction=0.15", "friction=0.2", "friction=0.2"};
    for (int i = 0; i < 3; i++) {
        cst_world *world = world_of_scene(scene[i], mu[i], 1);
        cst_step_report report;
        const int count = corners(world, first, ROOM);
        for (int k = 0; k < 75; k++)
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
        corners(world, last, ROOM);
        assert_true(farthest(first, last, count) > 2e-3);
        cst_world_free(world);
    }
}

static void same_bits_after_loading_and_with_threads(void **state)
{
    (void)state;
    cst_world *one = world_of_scene(SCENES "box_on_hills.json", NULL, 1),
              *two = world_of_scene(SCENES "box_on_hills.json", NULL, 2);
    cst_step_report report;
    char message[256] = "";
    for (int k = 0; k < 300; k++)
        assert_int_equal(cst_world_step(one, &report), CST_SOLVED);
    const size_t size = cst_world_save(one, NULL, 0);
    unsigned char *saved = malloc(size), *of_one = malloc(2 * size), *of_two = malloc(2 * size);
    assert_true(saved && of_one && of_two);
    cst_world_save(one, saved, size);
    assert_true(cst_world_load(two, saved, size, message, sizeof message));
    for (int k = 0; k < 50; k++) {
        cst_world_step(one, &report);
        cst_world_step(two, &report);
    }
    const size_t after = cst_world_save(one, NULL, 0);
    assert_true(after <= 2 * size && cst_world_save(two, NULL, 0) == after);
    cst_world_save(one, of_one, after);
    cst_world_save(two, of_two, after);
    assert_memory_equal(of_one, of_two, after);
    free(saved);
    free(of_one);
    free(of_two);
    cst_world_free(one);
    cst_world_free(two);
}

/* A sheet of eight triangles, bent along its middle. */
static void add_sheet(cst_world *world)
{
    double vertex[27];
    static const int32_t triangle[24] = {0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 3, 6, 7, 3, 7, 4, 4, 7, 8, 4, 8, 5};
    for (int i = 0; i < 9; i++) {
        vertex[3 * i] = i / 3 - 1.0;
        vertex[3 * i + 1] = i % 3 - 1.0;
        vertex[3 * i + 2] = i / 3 == 1 ? -0.1 : 0.0;
    }
    cst_obstacle_def def = cst_obstacle_def_default();
    def.shape = CST_OBSTACLE_MESH;
    def.mesh = (cst_mesh){.vertex = vertex, .triangle = triangle, .vertices = 9, .triangles = 8};
    world_obstacle(world, &def);
}

/* Cards of 0.3 mm, thrown at up to 60 m/s and spinning at up to 200 rad/s, in steps in which they travel 30 cm: 1000 thicknesses. */
static void no_card_goes_through_a_sheet(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    for (int i = 0; i < SERIES(60); i++) {
        cst_world_def def = cst_world_def_default(3);
        def.time_step.dt = 5e-3;
        def.friction_coefficient = 0.3;
        cst_world *world = world_of(&def);
        add_sheet(world);
        cst_rigid_def card = cst_rigid_def_default();
        card.shape = CST_RIGID_BOX;
        card.mass = 0.002;
        memcpy(card.size, (const double[3]){0.0315, 0.044, 1.5e-4}, sizeof card.size);
        double turn[3];
        for (int k = 0; k < 3; k++) {
            turn[k] = cst_rng_range(&rng, -3.0, 3.0);
            card.spin[k] = cst_rng_range(&rng, -1.0, 1.0) * (i % 3) * 100.0;
        }
        cst_rotation_vector_exp(turn, card.frame);
        card.position[0] = cst_rng_range(&rng, -0.3, 0.3);
        card.position[1] = cst_rng_range(&rng, -0.3, 0.3);
        card.position[2] = 0.1 + cst_rng_range(&rng, 0.0, 0.5);
        card.velocity[2] = -cst_rng_range(&rng, 1.0, 60.0);
        world_rigid(world, &card);
        cst_step_report report;
        for (int k = 0; k < 40; k++) {
            if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
                fail_msg("card %d, step %d: %s", i, k, report.message);
            const int count = corners(world, last, ROOM);
            for (int c = 0; c < count; c++) {
                const double *x = last + 3 * c, ground = -0.1 * (1.0 - fmin(1.0, fabs(x[0])));
                if (fabs(x[0]) < 1.0 && fabs(x[1]) < 1.0 && x[2] < ground - 1.5e-4)
                    fail_msg("card %d, step %d: a corner %g m below the sheet", i, k, ground - x[2]);
            }
        }
        cst_world_free(world);
    }
}

/* A mesh that rises lifts what lies on it, and its friction carries the box along. */
static void moving_meshes_lift_boxes(void **state)
{
    (void)state;
    static const int32_t triangle[6] = {0, 1, 2, 0, 2, 3};
    double shape[2][12] = {{-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}};
    const double time[2] = {0.0, 1.0};
    for (int i = 0; i < 4; i++) {
        shape[1][3 * i] += 0.2;
        shape[1][3 * i + 2] += 0.3;
    }
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = 5e-3;
    def.friction_coefficient = 0.8;
    cst_world *world = world_of(&def);
    cst_obstacle_def sheet = cst_obstacle_def_default();
    sheet.shape = CST_OBSTACLE_MESH;
    sheet.mesh = (cst_mesh){.triangle = triangle, .vertices = 4, .triangles = 2};
    sheet.mesh_vertex = shape[0];
    sheet.mesh_time = time;
    sheet.mesh_times = 2;
    world_obstacle(world, &sheet);
    cst_rigid_def box = cst_rigid_def_default();
    box.shape = CST_RIGID_BOX;
    box.mass = 1.0;
    memcpy(box.size, (const double[3]){0.2, 0.2, 0.1}, sizeof box.size);
    memcpy(box.position, (const double[3]){0.1, 0.05, 0.1}, sizeof box.position);
    world_rigid(world, &box);
    cst_step_report report;
    for (int k = 0; k < 200; k++)
        assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
    double position[3], velocity[3];
    assert_true(cst_world_place_space(world, &(cst_place){.body = 1}, position, NULL, velocity, NULL));
    assert_true(fabs(position[2] - 0.4) < 1e-6); /* it is lifted in one step, and dragged while it catches up */
    assert_true(fabs(velocity[2] - 0.3) < 1e-6 && fabs(velocity[0] - 0.2) < 1e-6);
    assert_true(position[0] > 0.28 && position[0] <= 0.3 + 1e-9); /* friction holds to its tolerance */
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(houses_and_arches_stand),
        cmocka_unit_test(without_friction_they_fall),
        cmocka_unit_test(same_bits_after_loading_and_with_threads),
        cmocka_unit_test(no_card_goes_through_a_sheet),
        cmocka_unit_test(moving_meshes_lift_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
