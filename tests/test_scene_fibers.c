/* Worlds of scenes of space: every example of scenes/fibers is read, read again from its own text and stepped to the same bits;
 * names, probes, motions and generated bodies are where the scene says. */
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

#include "sanitized.h"
#include "scene/scene.h"

#define EXAMPLES CAPSTAN_TEST_DATA "/../../scenes/fibers"

static cst_scene *good(cst_scene *scene)
{
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s:%d:%d: %s: %s", fault->file, fault->line, fault->column, fault->key, fault->message);
    return scene;
}

static cst_scene *read_text(const char *text, const char *name)
{
    return good(cst_scene_read_text(text, strlen(text), name, NULL, 0, NULL));
}

static cst_world *world_of(const cst_scene *scene)
{
    char message[512] = "";
    cst_world *world = cst_scene_world(scene, 0, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    return world;
}

static void step(cst_world *world, int steps)
{
    cst_step_report report;
    for (int i = 0; i < steps; i++)
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
            fail_msg("step %d: %s", i, report.message);
}

static void examples(void **state)
{
    (void)state;
    int count = 0;
    DIR *folder = opendir(EXAMPLES);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        const char *ending = strstr(entry->d_name, ".json");
        if (!ending || ending[5] != '\0' || (SANITIZED && strlen(entry->d_name) % 3 != 0))
            continue;
        snprintf(path, sizeof path, EXAMPLES "/%s", entry->d_name);
        cst_scene *scene = good(cst_scene_read_file(path, NULL, 0, NULL));
        cst_scene *again = read_text(cst_scene_text(scene), EXAMPLES "/again.json"); /* beside it: meshes */
        assert_string_equal(cst_scene_text(again), cst_scene_text(scene));
        assert_true(cst_scene_title(scene)[0] && cst_scene_view(scene)->given && cst_scene_probes(scene, NULL) > 0);
        cst_world *a = world_of(scene), *b = world_of(again);
        step(a, 1);
        step(b, 1);
        size_t size = cst_world_save(a, NULL, 0);
        unsigned char *of_a = malloc(size), *of_b = malloc(size);
        assert_true(of_a && of_b);
        assert_int_equal(cst_world_save(b, NULL, 0), size);
        cst_world_save(a, of_a, size);
        cst_world_save(b, of_b, size);
        assert_memory_equal(of_a, of_b, size);
        free(of_a);
        free(of_b);
        cst_world_free(a);
        cst_world_free(b);
        cst_scene_free(again);
        cst_scene_free(scene);
        count++;
    }
    closedir(folder);
    print_message("%d examples\n", count);
    assert_true(count >= 2);
}

#define MADE "\"elements\": 6, \"length\": 1, \"radius\": 0.01, \"mass_per_length\": 0.1, \"bending_stiffness\": 1e-2"

static const char full[] =
    "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"friction\": {\"pairs\": [{\"between\": [\"rope\", \"ground\"], "
    "\"friction\": 0.9}]},\n"
    "\"materials\": [{\"name\": \"ice\", \"friction\": 0.01}],\n"
    "\"fibers\": [{\"name\": \"rope\", " MADE ", \"position\": [0, 0, 1]},\n"
    "  {\"name\": \"ring\", " MADE
    ", \"closed\": true, \"position\": [3, 0, 1], \"shape\": {\"kind\": \"arc\", \"angle\": \"360deg\"}},\n"
    "  {\"name\": \"loop\", " MADE ", \"closed\": true, \"model\": \"discrete-rod\", \"position\": [6, 0, 1],\n"
    "   \"points\": [[0.16666667, 0, 0], [0.08333333, 0.14433757, 0],\n"
    "   [-0.08333333, 0.14433757, 0], [-0.16666667, 0, 0], [-0.08333333, -0.14433757, 0], [0.08333333, -0.14433757, 0],\n"
    "   [0.16666667, 0, 0]]},\n"
    "  {\"name\": \"hair\", " MADE ", \"position\": [0, 3, 2], \"clamped\": true, \"motion\": {\"about\": [0, 2, 2],\n"
    "   \"keys\": [{\"time\": 0}, {\"time\": 1, \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"90deg\"}}]}}],\n"
    "\"rigid_bodies\": [{\"name\": \"bob\", \"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 2, \"position\": [1.2, 0, 1]}],\n"
    "\"obstacles\": [{\"name\": \"ground\", \"shape\": \"plane\", \"material\": \"ice\"}],\n"
    "\"constraints\": [{\"name\": \"nail\", \"type\": \"pinned\", \"body\": \"rope\", \"at\": 0.5},\n"
    "  {\"name\": \"weld\", \"type\": \"clamped\", \"body\": \"rope\", \"at\": \"end\", \"to\": {\"body\": \"bob\"}}],\n"
    "\"loads\": [{\"name\": \"push\", \"body\": \"bob\", \"at\": [0, 0, 0.05], \"force\": [0, 0, 19.62]}],\n"
    "\"generators\": [{\"name\": \"ball\", \"type\": \"ring\", \"count\": 4, \"center\": [-5, 0, 0], \"of\": {\"rigid_body\":\n"
    "  {\"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 1, \"position\": [2, 0, 0.1]}}}],\n"
    "\"probes\": [{\"name\": \"nail\", \"type\": \"constraint_force\", \"constraint\": \"nail\"},\n"
    "  {\"name\": \"ball\", \"type\": \"position\", \"body\": \"ball_2\"},\n"
    "  {\"name\": \"ground\", \"type\": \"obstacle_force\", \"obstacle\": \"ground\"},\n"
    "  {\"name\": \"root\", \"type\": \"position\", \"body\": \"hair\"}]}";

static void names_and_probes(void **state)
{
    (void)state;
    cst_scene *scene = read_text(full, "full.json");
    cst_world *world = world_of(scene);
    static const char *const bodies[] = {"rope", "ring", "loop", "hair", "bob", "ball_1", "ball_2", "ball_3", "ball_4"};
    assert_int_equal(cst_world_bodies(world), 9);
    for (cst_body_id id = 1; id <= 9; id++)
        assert_string_equal(cst_world_body_name(world, id), bodies[id - 1]);
    const cst_probe *probe;
    assert_int_equal(cst_scene_probes(scene, &probe), 4);
    /* The ring of helices has a constraint of its own, the loop of nodes has none: ids of the scene's come after it. */
    assert_string_equal(cst_world_constraint_name(world, probe[0].constraint), "nail");
    double position[3], frame[9], velocity[3], turn[3];
    assert_true(cst_world_place_space(world, &probe[1].place, position, frame, velocity, turn));
    assert_true(fabs(position[0] + 5) < 1e-14 && fabs(position[1] - 2) < 1e-14 && fabs(position[2] - 0.1) < 1e-14);
    /* The balls lie on the ground: their weight is on it after a step. */
    double force[3] = {0};
    step(world, 3);
    cst_world_obstacle_force(world, probe[2].obstacle, force);
    assert_true(fabs(force[2] + 4 * 9.81) < 1e-6);
    /* The root goes around (0, 2, 2), a metre away, by 90 degrees in a second. */
    step(world, 97);
    assert_true(cst_world_place_space(world, &probe[3].place, position, frame, velocity, turn));
    const double angle = 0.1 * 1.5707963267948966;
    print_message("root off by %.2g %.2g %.2g m\n", position[0] + sin(angle), position[1] - 2 - cos(angle), position[2] - 2);
    assert_true(hypot(position[0] + sin(angle), position[1] - 2 - cos(angle)) < 1e-3 && fabs(position[2] - 2) < 1e-9);
    cst_world_free(world);
    cst_scene_free(scene);
}

/* What only the world can find wrong is said with its place in the file. */
static void refused_by_the_world(void **state)
{
    (void)state;
    static const char text[] =
        "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"fibers\": [\n"
        "{\"name\": \"a\", " MADE "},\n"
        "{\"name\": \"b\", " MADE ", \"position\": [1.5, 0, 0]}],\n"
        "\"constraints\": [\n"
        "  {\"name\": \"joint\", \"type\": \"pinned\", \"body\": \"a\", \"at\": \"end\", \"to\": {\"body\": "
        "\"b\", \"at\": \"start\"}}]}";
    cst_scene *scene = read_text(text, "apart.json");
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
                                       cmocka_unit_test(refused_by_the_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
