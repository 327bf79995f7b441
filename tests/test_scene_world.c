/* Worlds made from scenes: the examples, and that the text a cache keeps makes the same world, to the bit. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/scene.h"

#define EXAMPLES CAPSTAN_TEST_DATA "/../../scenes/planar"

static cst_scene *good(cst_scene *scene)
{
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s:%d:%d: %s: %s", fault->file, fault->line, fault->column, fault->key, fault->message);
    return scene;
}

static cst_world *world_of(const cst_scene *scene)
{
    char message[512] = "";
    cst_world *world = cst_scene_world(scene, 0, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    return world;
}

static unsigned char *save(const cst_world *world, size_t *size)
{
    *size = cst_world_save(world, NULL, 0);
    unsigned char *bytes = calloc(*size, 1);
    assert_non_null(bytes);
    assert_int_equal(cst_world_save(world, bytes, *size), *size);
    return bytes;
}

static void step(cst_world *world, int steps)
{
    cst_step_report report;
    for (int i = 0; i < steps; i++)
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
            fail_msg("step %d: %s", i, report.message);
}

static void same_worlds(const cst_scene *first, const cst_scene *second, int steps)
{
    cst_world *a = world_of(first), *b = world_of(second);
    step(a, steps);
    step(b, steps);
    size_t size_a, size_b;
    unsigned char *saved_a = save(a, &size_a), *saved_b = save(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(saved_a, saved_b, size_a);
    free(saved_a);
    free(saved_b);
    cst_world_free(a);
    cst_world_free(b);
}

static void examples(void **state)
{
    (void)state;
    int count = 0;
    DIR *folder = opendir(EXAMPLES);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, EXAMPLES "/%s", entry->d_name);
        cst_scene *scene = good(cst_scene_read_file(path, NULL, 0, NULL));
        const char *text = cst_scene_text(scene);
        cst_scene *again = good(cst_scene_read_text(text, strlen(text), "again.json", NULL, 0, NULL));
        assert_string_equal(cst_scene_text(again), text);
        assert_true(cst_scene_title(scene)[0] && cst_scene_view(scene)->given && cst_scene_probes(scene, NULL) > 0);
        same_worlds(scene, again, 3); /* a book or three-point bending is a hundred times dearer than an incline */
        cst_scene_free(again);
        cst_scene_free(scene);
        count++;
    }
    closedir(folder);
    print_message("%d examples\n", count);
    assert_true(count >= 25);
}

/* Everything the language has, where the world can be asked for it. */
static const char full[] =
    "{\"capstan\": 1, \"duration\": 1, \"time_step\": 1e-3, \"friction\": {\"pairs\": [{\"between\": [\"rope\", \"ground\"],\n"
    "\"friction\": 0.9}]}, \"materials\": [{\"name\": \"ice\", \"friction\": 0.01}],\n"
    "\"rods\": [{\"name\": \"rope\", \"elements\": 4, \"length\": 1, \"radius\": 0.01, \"mass_per_length\": 0.1,\n"
    "            \"bending_stiffness\": 1e-2, \"position\": [0, 1]},\n"
    "           {\"name\": \"ring\", \"closed\": true, \"elements\": 6, \"length\": 1, \"radius\": 0.01, \"mass_per_length\": "
    "0.1,\n"
    "            \"bending_stiffness\": 1e-2, \"position\": [3, 1]}],\n"
    "\"rigid_bodies\": [{\"name\": \"bob\", \"shape\": \"disk\", \"radius\": 0.1, \"mass\": 2, \"position\": [1.2, 1]}],\n"
    "\"obstacles\": [{\"name\": \"ground\", \"shape\": \"half_plane\", \"material\": \"ice\"}],\n"
    "\"constraints\": [{\"name\": \"nail\", \"type\": \"pinned\", \"body\": \"rope\", \"at\": 0.5},\n"
    "                  {\"name\": \"weld\", \"type\": \"clamped\", \"body\": \"rope\", \"at\": \"end\", \"to\": {\"body\": "
    "\"bob\"}}],\n"
    "\"loads\": [{\"name\": \"push\", \"body\": \"bob\", \"at\": [0.05, 0], \"force\": [0, 19.62]}],\n"
    "\"generators\": [{\"name\": \"ball\", \"type\": \"row\", \"count\": 2, \"spacing\": [0.5, 0],\n"
    "  \"of\": {\"rigid_body\": {\"shape\": \"disk\", \"radius\": 0.1, \"mass\": 1, \"position\": [-3, 0.1]}}}],\n"
    "\"probes\": [{\"name\": \"nail\", \"type\": \"constraint_force\", \"constraint\": \"nail\"},\n"
    "             {\"name\": \"ball\", \"type\": \"position\", \"body\": \"ball_2\"},\n"
    "             {\"name\": \"ground\", \"type\": \"obstacle_force\", \"obstacle\": \"ground\"},\n"
    "             {\"name\": \"middle\", \"type\": \"position\", \"body\": \"rope\", \"at\": 0.5}]}";

static void names_and_probes(void **state)
{
    (void)state;
    cst_scene *scene = good(cst_scene_read_text(full, strlen(full), "full.json", NULL, 0, NULL));
    cst_world *world = world_of(scene);
    static const char *const bodies[] = {"rope", "ring", "bob", "ball_1", "ball_2"};
    assert_int_equal(cst_world_bodies(world), 5);
    for (cst_body_id id = 1; id <= 5; id++)
        assert_string_equal(cst_world_body_name(world, id), bodies[id - 1]);
    assert_string_equal(cst_world_obstacle_name(world, 1), "ground");
    const cst_probe *probe;
    assert_int_equal(cst_scene_probes(scene, &probe), 4);
    /* The ring has a constraint of its own: ids of the scene's come after it. */
    assert_string_equal(cst_world_constraint_name(world, probe[0].constraint), "nail");
    double position[3], velocity[3], angle;
    assert_true(cst_world_place(world, &probe[1].place, position, &angle, velocity));
    assert_true(position[0] == -2.5 && position[1] == 0.1);
    assert_true(cst_world_place(world, &probe[3].place, position, &angle, velocity));
    assert_true(position[0] == 0.5 && position[1] == 1.0);
    /* The balls lie on the ground: their weight is on it after a step. */
    double force[3] = {0};
    step(world, 3);
    cst_world_obstacle_force(world, probe[2].obstacle, force);
    assert_true(force[1] < -19.61 && force[1] > -19.63);
    cst_world_free(world);
    cst_scene_free(scene);
}

/* A generated body turns about its place together with its relative position: shells turn about their centre. */
static void generated_bodies_turn_about_their_place(void **state)
{
    (void)state;
    static const char text[] =
        "{\"capstan\": 1, \"duration\": 1, \"generators\": [{\"name\": \"ball\", \"type\": \"row\", \"count\": 2,\n"
        "\"spacing\": [5, 0], \"angle\": {\"from\": \"90deg\", \"to\": \"90deg\"},\n"
        "\"of\": {\"rigid_body\": {\"shape\": \"disk\", \"radius\": 0.1, \"mass\": 1, \"position\": [2, 1]}}}]}";
    cst_scene *scene = good(cst_scene_read_text(text, strlen(text), "turned.json", NULL, 0, NULL));
    cst_world *world = world_of(scene);
    double position[3], angle;
    assert_true(cst_world_place(world, &(cst_place){.body = 2}, position, &angle, NULL));
    assert_true(fabs(position[0] - 4.0) < 1e-15 && fabs(position[1] - 2.0) < 1e-15 && fabs(angle - 1.5707963267948966) < 1e-15);
    cst_world_free(world);
    cst_scene_free(scene);
}

/* What only the world can find wrong is said with its place in the file. */
static void refused_by_the_world(void **state)
{
    (void)state;
    static const char text[] =
        "{\"capstan\": 1, \"duration\": 1, \"rods\": [\n"
        "{\"name\": \"a\", \"elements\": 1, \"length\": 1, \"radius\": 0.01, \"mass_per_length\": 1, "
        "\"bending_stiffness\": 1},\n"
        "{\"name\": \"b\", \"elements\": 1, \"length\": 1, \"radius\": 0.01, \"mass_per_length\": 1, "
        "\"bending_stiffness\": 1, \"position\": [1.5, 0]}],\n"
        "\"constraints\": [\n"
        "  {\"name\": \"joint\", \"type\": \"pinned\", \"body\": \"a\", \"at\": \"end\", \"to\": {\"body\": "
        "\"b\", \"at\": \"start\"}}]}";
    cst_scene *scene = good(cst_scene_read_text(text, strlen(text), "apart.json", NULL, 0, NULL));
    char message[512] = "";
    assert_null(cst_scene_world(scene, 0, message, sizeof message));
    static const char start[] = "apart.json:5:3: constraints[0] (joint): ";
    if (strncmp(message, start, strlen(start)) != 0 || strlen(message) < strlen(start) + 10)
        fail_msg("%s", message);
    cst_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(names_and_probes),
                                       cmocka_unit_test(generated_bodies_turn_about_their_place),
                                       cmocka_unit_test(refused_by_the_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
