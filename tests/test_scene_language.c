/* What good scenes mean: defaults, sections of rods, overrides, files that extend others, generators, frames and steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scene/define.h"
#include "scene/scene_data.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

static cst_scene *good(cst_scene *scene)
{
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s:%d:%d: %s: %s", fault->file, fault->line, fault->column, fault->key, fault->message);
    return scene;
}

static cst_scene *read_text(const char *text, const char *const *override, int overrides)
{
    return good(cst_scene_read_text(text, strlen(text), "test.json", override, overrides, NULL));
}

static const cst_json *element(const cst_scene *scene, const char *list, int index)
{
    const cst_json *node = cst_given(scene->root, list)->first;
    while (index-- > 0)
        node = node->next;
    return node;
}

/* The table's defaults are the library's, but for one: scenes are adaptive, a program that calls step gets the step that it asked for. */
static void defaults(void **state)
{
    (void)state;
    cst_scene *scene = read_text("{\"capstan\": 1, \"duration\": 1}", NULL, 0);
    cst_world_def own = cst_define_world(scene->root), library = cst_world_def_default(2);
    assert_memory_equal(own.gravity, library.gravity, sizeof own.gravity);
    assert_true(own.time_step.dt == library.time_step.dt);
    assert_true(own.time_step.theta == library.time_step.theta);
    assert_int_equal(own.time_step.iterations, library.time_step.iterations);
    assert_true(own.time_step.iteration_tolerance == library.time_step.iteration_tolerance);
    assert_true(own.time_step.quasi_static == library.time_step.quasi_static);
    assert_true(own.time_step.adaptive && !library.time_step.adaptive);
    assert_int_equal(own.time_step.halvings, library.time_step.halvings);
    assert_true(own.time_step.motion_limit == library.time_step.motion_limit);
    assert_true(own.time_step.penetration_limit == library.time_step.penetration_limit);
    assert_int_equal(own.time_step.calm_steps, library.time_step.calm_steps);
    assert_true(own.contact.margin == library.contact.margin);
    assert_true(own.contact.stabilisation == library.contact.stabilisation);
    assert_true(own.contact.recovery_speed == library.contact.recovery_speed);
    assert_true(own.contact.self_contact == library.contact.self_contact);
    assert_int_equal(own.friction.solver, library.friction.solver);
    assert_int_equal(own.friction.local, library.friction.local);
    assert_true(own.friction.local_failsafe == library.friction.local_failsafe);
    assert_int_equal(own.friction.form, library.friction.form);
    assert_true(own.friction.tolerance == library.friction.tolerance);
    assert_int_equal(own.friction.max_iterations, library.friction.max_iterations);
    assert_int_equal(own.friction.threads, library.friction.threads);
    assert_true(own.friction_coefficient == library.friction_coefficient);
    assert_true(own.restitution == library.restitution);
    const cst_scene_run *run = cst_scene_run_settings(scene);
    assert_int_equal(run->steps_per_frame, 33);
    assert_int_equal(run->total_steps, 1000);
    assert_int_equal(run->checkpoint_steps, 330);
    assert_true(run->frame_interval == 33 * 1e-3);
    assert_false(cst_scene_view(scene)->given);
    assert_string_equal(cst_scene_title(scene), "");
    cst_scene_free(scene);
}

/* Every default that is JSON is a value the key itself would accept: the schema of a scene full of defaults is met. */
static void defaults_are_values(void **state)
{
    (void)state;
    for (int i = 0; cst_scene_sections[i]; i++) {
        for (int k = 0; k < cst_scene_sections[i]->keys; k++) {
            const cst_scene_key *key = &cst_scene_sections[i]->key[k];
            assert_true(key->about && key->about[0]);
            if (!key->otherwise || key->otherwise[0] == ' ')
                continue;
            cst_arena arena;
            cst_arena_begin(&arena, NULL);
            cst_mistakes mistakes = {.arena = &arena};
            cst_source source = {.name = key->name, .lines = true};
            assert_non_null(cst_json_read(key->otherwise, strlen(key->otherwise), &source, &mistakes));
            cst_arena_end(&arena);
        }
    }
}

static const char rods[] =
    "{\"capstan\": 1, \"duration\": 1, \"rods\": [\n"
    "{\"name\": \"round\", \"elements\": 2, \"length\": 1, \"radius\": 0.02, \"density\": 1000, \"young\": 1e7, "
    "\"damping_time\": 0.1,\n"
    " \"angle\": \"30deg\", \"natural_curvature\": {\"from\": 1, \"to\": 3}},\n"
    "{\"name\": \"strip\", \"elements\": 2, \"length\": [0.25, 0.75], \"thickness\": 0.01, \"width\": 0.03, \"density\": 1000,\n"
    " \"young\": 1e7, \"curvature\": {\"from\": 0, \"to\": 4}, \"friction\": [0.1, 0.2]},\n"
    "{\"name\": \"uneven\", \"elements\": 2, \"length\": 1, \"radius\": [0.01, 0.02], \"mass_per_length\": 1, \"young\": 1e7,\n"
    " \"viscosity\": 3, \"friction\": 0.4, \"clamped\": true,\n"
    " \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": 1, \"translation\": [1, 2], \"rotation\": \"90deg\"}], \"smooth\": "
    "true}},\n"
    "{\"name\": \"ring\", \"closed\": true, \"elements\": 5, \"length\": 2, \"radius\": 0.01, \"mass_per_length\": 1,\n"
    " \"bending_stiffness\": 1}]}";

static void near_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void rod_definitions(void **state)
{
    (void)state;
    cst_scene *scene = read_text(rods, NULL, 0);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_rod_def round = cst_define_rod(element(scene, "rods", 0), &scratch);
    near_to(round.mass_per_length, 1000 * pi * 4e-4);
    near_to(round.bending_stiffness, 1e7 * pi * 16e-8 / 4);
    near_to(round.viscosity, 0.1 * round.bending_stiffness);
    near_to(round.angle, pi / 6);
    near_to(round.element_natural_curvature[0], 1.5);
    near_to(round.element_natural_curvature[1], 2.5);
    assert_null(round.curvature);
    assert_true(round.surface.friction == CST_UNSET && round.surface.restitution == CST_UNSET);
    cst_rod_def strip = cst_define_rod(element(scene, "rods", 1), &scratch);
    near_to(strip.radius, 0.005);
    near_to(strip.length, 1.0);
    near_to(strip.element_length[1], 0.75);
    near_to(strip.mass_per_length, 1000 * 0.01 * 0.03);
    near_to(strip.bending_stiffness, 1e7 * 0.03 * 1e-6 / 12);
    near_to(strip.curvature[0], 4 * 0.125);
    near_to(strip.curvature[1], 4 * 0.625);
    near_to(strip.element_friction[1], 0.2);
    cst_rod_def uneven = cst_define_rod(element(scene, "rods", 2), &scratch);
    near_to(uneven.element_bending_stiffness[0], 1e7 * pi * 1e-8 / 4);
    near_to(uneven.element_bending_stiffness[1], 1e7 * pi * 16e-8 / 4);
    near_to(uneven.surface.friction, 0.4);
    assert_int_equal(uneven.root_motion.keys, 2);
    assert_true(uneven.root_motion.smooth && uneven.clamped);
    near_to(uneven.root_motion.key[1].translation[1], 2);
    near_to(uneven.root_motion.key[1].rotation[2], pi / 2);
    cst_rod_def ring = cst_define_rod(element(scene, "rods", 3), &scratch);
    near_to(ring.curvature[4], pi);
    near_to(ring.natural_curvature, pi);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static void obstacles_and_bodies(void **state)
{
    (void)state;
    cst_scene *scene = read_text("{\"capstan\": 1, \"duration\": 1, \"obstacles\": [\n"
                                 "{\"name\": \"slope\", \"shape\": \"half_plane\", \"angle\": \"90deg\"}, {\"name\": \"floor\", "
                                 "\"shape\": \"half_plane\"}],\n"
                                 "\"rigid_bodies\": [{\"name\": \"block\", \"shape\": \"polygon\", \"density\": 2, \"corners\": "
                                 "[[5, 5], [7, 5], [7, 6], [5, 6]]}]}",
                                 NULL, 0);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    /* Going up with matter on the right: outward is left. */
    cst_obstacle_def slope = cst_define_obstacle(element(scene, "obstacles", 0), &scratch);
    near_to(slope.normal[0], -1);
    assert_true(fabs(slope.normal[1]) < 1e-15);
    cst_obstacle_def floor = cst_define_obstacle(element(scene, "obstacles", 1), &scratch);
    near_to(floor.normal[1], 1);
    cst_rigid_def block = cst_define_rigid(element(scene, "rigid_bodies", 0), &scratch);
    near_to(block.mass, 4);
    assert_int_equal(block.corners, 4);
    assert_true(block.collides && block.inertia == CST_UNSET);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static void overrides(void **state)
{
    (void)state;
    static const char *const set[] = {"rods.round.radius=0.03",
                                      "rods[1].angle=45deg",
                                      "time_step.dt=1e-4",
                                      "time_step.theta=0.5",
                                      "gravity[1]=-1.62",
                                      "title=on the moon",
                                      "rods.round.mass_per_length=2",
                                      "rods.strip.curvature.to=2",
                                      "rods.uneven.motion.keys[1].time=3",
                                      "output.frame_interval=0.01",
                                      "rods.ring={\"name\": \"bar\", \"elements\": 1, \"length\": 1, "
                                      "\"radius\": 1, \"mass_per_length\": 1, \"bending_stiffness\": 1}"};
    cst_scene *scene = read_text(rods, set, sizeof set / sizeof set[0]);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_world_def world = cst_define_world(scene->root);
    assert_true(world.time_step.dt == 1e-4 && world.time_step.theta == 0.5 && world.gravity[1] == -1.62);
    assert_string_equal(cst_scene_title(scene), "on the moon");
    cst_rod_def round = cst_define_rod(element(scene, "rods", 0), &scratch);
    near_to(round.radius, 0.03);
    near_to(round.mass_per_length, 2); /* its rival, density, is gone */
    near_to(cst_define_rod(element(scene, "rods", 1), &scratch).angle, pi / 4);
    near_to(cst_define_rod(element(scene, "rods", 1), &scratch).curvature[1], 2 * 0.625);
    near_to(cst_define_rod(element(scene, "rods", 2), &scratch).root_motion.key[1].time, 3);
    assert_string_equal(cst_get_text(element(scene, "rods", 3), "name"), "bar");
    assert_int_equal(cst_scene_run_settings(scene)->steps_per_frame, 100);
    assert_int_equal(cst_scene_run_settings(scene)->total_steps, 10000);
    /* The text as it is run, read again, is the same text; the source is untouched. */
    cst_scene *again = read_text(cst_scene_text(scene), NULL, 0);
    assert_string_equal(cst_scene_text(again), cst_scene_text(scene));
    assert_string_equal(cst_scene_source(scene), rods);
    cst_scene_free(again);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static void extends(void **state)
{
    (void)state;
    cst_scene *scene = good(cst_scene_read_file(CAPSTAN_TEST_DATA "/scenes/good/extended.json", NULL, 0, NULL));
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_world_def world = cst_define_world(scene->root);
    assert_string_equal(cst_scene_title(scene), "extended");
    assert_true(world.time_step.dt == 2e-3 && world.time_step.theta == 0.5);
    assert_true(world.friction_coefficient == 0.25);
    assert_int_equal(cst_scene_run_settings(scene)->samples, 7);
    assert_int_equal(scene->names.bodies, 3);
    cst_rod_def rope = cst_define_rod(element(scene, "rods", 0), &scratch);
    near_to(rope.mass_per_length, 800 * pi * 1e-4); /* instead of mass_per_length of the base */
    near_to(rope.bending_stiffness, 2e6 * pi * 1e-8 / 4);
    near_to(cst_define_rod(element(scene, "rods", 1), &scratch).length, 0.75);
    const cst_probe *probe;
    assert_int_equal(cst_scene_probes(scene, &probe), 1);
    assert_int_equal(probe->place.body, 3);
    assert_true(probe->place.at_end);
    cst_scene *again = read_text(cst_scene_text(scene), NULL, 0);
    assert_string_equal(cst_scene_text(again), cst_scene_text(scene));
    assert_null(strstr(cst_scene_text(scene), "extends"));
    cst_scene_free(again);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static const char generated[] =
    "{\"capstan\": 1, \"duration\": 1, \"rods\": [{\"name\": \"first\", \"elements\": 1, \"length\": 1, \"radius\": 0.1,\n"
    "\"mass_per_length\": 1, \"bending_stiffness\": 1}], \"generators\": [\n"
    "{\"name\": \"row\", \"type\": \"row\", \"count\": 3, \"spacing\": [0.5, 0.25], \"of\": {\"rigid_body\": {\"shape\": "
    "\"disk\",\n"
    "  \"radius\": 0.1, \"mass\": 1, \"position\": [10, 20]}}},\n"
    "{\"name\": \"grid\", \"type\": \"grid\", \"columns\": 3, \"rows\": 2, \"spacing\": [1, 2], \"of\": {\"rigid_body\": "
    "{\"shape\": \"disk\",\n"
    "  \"radius\": 0.1, \"mass\": 1}}},\n"
    "{\"name\": \"cloud\", \"type\": \"random\", \"count\": 200, \"separation\": 0.05, \"region\": {\"from\": [-1, 0], \"to\": "
    "[1, 1]},\n"
    "  \"angle\": {\"from\": \"-90deg\", \"to\": \"90deg\"}, \"seed\": 4, \"of\": {\"rod\": {\"elements\": 1, \"length\": 0.1,\n"
    "  \"radius\": 0.01, \"mass_per_length\": 1, \"bending_stiffness\": 1}}}],\n"
    "\"probes\": [{\"name\": \"p\", \"type\": \"position\", \"body\": \"grid_5\"}]}";

static void generators(void **state)
{
    (void)state;
    cst_scene *scene = read_text(generated, NULL, 0), *same = read_text(cst_scene_text(scene), NULL, 0);
    static const char *const set[] = {"generators.cloud.seed=5"};
    cst_scene *other = read_text(generated, set, 1);
    const cst_scene_body *body = scene->names.body;
    assert_int_equal(scene->names.bodies, 1 + 3 + 6 + 200);
    assert_string_equal(body[3].name, "row_3");
    assert_true(body[3].rigid && body[3].shift[0] == 1.0 && body[3].shift[1] == 0.5);
    assert_string_equal(body[8].name, "grid_5"); /* second of the second row */
    assert_true(body[8].shift[0] == 1.0 && body[8].shift[1] == 2.0);
    int differing = 0;
    for (int i = 10; i < 210; i++) {
        const double *at = body[i].shift;
        assert_true(at[0] >= -1.0 && at[0] <= 1.0 && at[1] >= 0.0 && at[1] <= 1.0);
        assert_true(fabs(body[i].turn) <= pi / 2);
        for (int k = 10; k < i; k++)
            assert_true(hypot(at[0] - body[k].shift[0], at[1] - body[k].shift[1]) >= 0.05);
        assert_memory_equal(at, same->names.body[i].shift, 2 * sizeof *at);
        assert_true(body[i].turn == same->names.body[i].turn);
        differing += at[0] != other->names.body[i].shift[0];
    }
    assert_int_equal(differing, 200);
    /* The same places on every machine: the first, to the bit. */
    assert_true(body[10].shift[0] == -0x1.54b439af68f8ep-1 && body[10].shift[1] == 0x1.5f4817d195fecp-3);
    assert_true(body[10].turn == -0x1.4ec6fa63a3346p+0);
    const cst_probe *probe;
    assert_int_equal(cst_scene_probes(scene, &probe), 1);
    assert_int_equal(probe->place.body, 9);
    cst_scene_free(other);
    cst_scene_free(same);
    cst_scene_free(scene);
}

static void run_in_steps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t per_frame, total, per_checkpoint;
    } cases[] = {
        {"{\"capstan\": 1, \"duration\": 1, \"time_step\": 1e-3, \"output\": {\"frame_interval\": 0.01}}", 10, 1000, 100},
        {"{\"capstan\": 1, \"duration\": 0.3, \"time_step\": 0.1, \"output\": {\"frames_per_second\": 5}}", 2, 3, 20},
        {"{\"capstan\": 1, \"duration\": 0.95, \"time_step\": 0.1}", 1, 10, 10},
        {"{\"capstan\": 1, \"duration\": 1, \"time_step\": 1e-3, \"output\": {\"frame_interval\": 0.0200000001}}", 20, 1000, 200},
        {"{\"capstan\": 1, \"duration\": 1, \"output\": {\"frame_interval\": 0.01, \"checkpoint_interval\": 0.096}}", 10, 1000,
         100},
        {"{\"capstan\": 1, \"duration\": 1e-9, \"output\": {\"frame_interval\": 0.01, \"checkpoint_interval\": 1e-9}}", 10, 1,
         10}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cst_scene *scene = read_text(cases[k].text, NULL, 0);
        const cst_scene_run *run = cst_scene_run_settings(scene);
        assert_int_equal(run->steps_per_frame, cases[k].per_frame);
        assert_int_equal(run->total_steps, cases[k].total);
        assert_int_equal(run->checkpoint_steps, cases[k].per_checkpoint);
        cst_scene_free(scene);
    }
}

/* Memory that runs out at any point gives NULL, and nothing leaks. */
typedef struct budget {
    int left, taken;
} budget;

static void *acquire(void *user, size_t bytes)
{
    budget *own = user;
    if (own->left-- <= 0)
        return NULL;
    own->taken++;
    return test_malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    budget *own = user;
    own->taken--;
    test_free(memory);
}

static void memory_runs_out(void **state)
{
    (void)state;
    bool done = false;
    int tries = 0;
    for (; !done && tries < 1000; tries++) {
        budget own = {.left = tries};
        cst_allocator allocator = {.acquire = acquire, .release = release, .user = &own};
        cst_scene *scene = cst_scene_read_text(generated, strlen(generated), "test.json", NULL, 0, &allocator);
        done = scene != NULL;
        cst_scene_free(scene);
        assert_int_equal(own.taken, 0);
    }
    assert_true(done && tries > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults),        cmocka_unit_test(defaults_are_values),
                                       cmocka_unit_test(rod_definitions), cmocka_unit_test(obstacles_and_bodies),
                                       cmocka_unit_test(overrides),       cmocka_unit_test(extends),
                                       cmocka_unit_test(generators),      cmocka_unit_test(run_in_steps),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
