/* Hair in scenes: where it grows, that it moves with its scalp, what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation_vector.h"
#include "mesh/human_shape.h"
#include "scene/scene_data.h"

#define SCENE(scalp, generator, fiber)                                                                                  \
    "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": 1e-3, \"obstacles\": [" scalp "], \"generators\": [{" \
    "\"name\": \"hair\", \"type\": \"hair\", \"scalp\": \"head\", \"count\": 30, \"parting\": 0.01, " generator         \
    "\"of\": {\"fiber\": {\"elements\": 4, \"length\": 0.2, \"radius\": 1e-3, \"density\": 1300, \"young\": 1e7" fiber "}}}]}"
#define HEAD "{\"name\": \"head\", \"shape\": \"head\", \"detail\": 6"
#define TURNED                                                                                                                \
    ", \"position\": [1, 2, 3], \"rotation\": [0, 0, 1.5707963267948966], \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": " \
    "1, \"translation\": [0.1, 0, 0], \"rotation\": [0, 0, 1]}]}"
#define CLAMPED ", \"clamped\": true"

static cst_scene *read_text(const char *text)
{
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "test.json", NULL, 0, NULL);
    assert_non_null(scene);
    return scene;
}

static cst_world *world_of(const cst_scene *scene)
{
    char message[512] = "";
    const cst_scene_fault *fault;
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s: %s", fault->key, fault->message);
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    return world;
}

static void place_of(cst_world *world, int hair, bool at_end, double *x)
{
    const cst_place place = {.body = (cst_body_id)hair, .at_end = at_end};
    assert_true(cst_world_place_space(world, &place, x, NULL, NULL, NULL));
}

/* A head that is turned and put somewhere has its hair on it, parted along its own plane; a step takes the roots where the head goes. */
static void test_moves_with_head(void **state)
{
    (void)state;
    cst_scene *scene = read_text(SCENE(HEAD TURNED "}", "\"length_variation\": 0.2, ", CLAMPED));
    cst_world *world = world_of(scene);
    static double root[31][3];
    const double turn[3] = {0.0, 0.0, 1.5707963267948966}, about[3] = {1.0, 2.0, 3.0};
    double R[9];
    cst_rotation_vector_exp(turn, R);
    for (int i = 1; i <= 30; i++) {
        double from[3], own[3], tip[3], end[3];
        place_of(world, i, false, root[i]);
        place_of(world, i, true, end);
        cst_subtract3(root[i], about, from);
        cst_apply_transposed3(R, from, own);
        assert_true(own[2] > -0.09 && own[2] < 0.112 && fabs(own[1]) < 0.085); /* on the scalp of the head */
        cst_subtract3(end, about, from);
        cst_apply_transposed3(R, from, tip);
        assert_true(tip[2] < own[2]);
        if (fabs(own[1] - 0.01) > 0.03)
            assert_true((tip[1] - 0.01) * (own[1] - 0.01) > 0.0);
    }
    cst_step_report report;
    assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    const double moved[3] = {0.0, 0.0, 1e-3};
    cst_rotation_vector_exp(moved, R);
    for (int i = 1; i <= 30; i++) {
        double from[3], expected[3], now[3];
        cst_subtract3(root[i], about, from);
        cst_apply3(R, from, expected);
        cst_add3(1.0, about, expected);
        expected[0] += 1e-4;
        place_of(world, i, false, now);
        cst_add3(-1.0, expected, now);
        assert_true(sqrt(cst_dot3(now, now)) < 1e-12);
    }
    cst_world_free(world);
    cst_scene_free(scene);
}

/* A ponytail: roots side by side in a disk around the tie and across its direction, and all hairs hang together. */
static void test_tie(void **state)
{
    (void)state;
    cst_scene *scene =
        read_text(SCENE(HEAD "}", "\"tie\": {\"position\": [-0.13, 0, 0.02], \"direction\": [-1, 0, -0.3]}, ", CLAMPED));
    cst_world *world = world_of(scene);
    double root[30][3], end[30][3], least = INFINITY, widest = 0.0, apart = 0.0;
    const double middle[3] = {-0.13, 0.0, 0.02};
    for (int i = 0; i < 30; i++) {
        place_of(world, i + 1, false, root[i]);
        place_of(world, i + 1, true, end[i]);
        double off[3];
        cst_subtract3(root[i], middle, off);
        widest = fmax(widest, sqrt(cst_dot3(off, off)));
        for (int k = 0; k < i; k++) {
            cst_subtract3(root[i], root[k], off);
            least = fmin(least, sqrt(cst_dot3(off, off)));
            cst_subtract3(end[i], end[k], off);
            apart = fmax(apart, sqrt(cst_dot3(off, off)));
        }
        assert_true(end[i][2] < root[i][2] - 0.1);
    }
    assert_true(least > 2e-3 && widest < 0.014); /* radius 1 mm; 30 hairs take a disk of three rings */
    assert_true(apart < 0.06);
    cst_world_free(world);
    cst_scene_free(scene);
}

/* Hair of the scalp ends at the tie, and none is longer than was asked for; what moves with the head is where the head takes it. */
static void test_combed_to_tie(void **state)
{
    (void)state;
    const double middle[3] = {-0.115, 0.0, 0.03};
    cst_scene *scene = read_text(
        SCENE(HEAD ", \"motion\": {\"about\": [0, 0, 0], \"keys\": [{\"time\": 0}, {\"time\": 1, \"rotation\": [0, 0, "
                   "1]}]}}, {\"name\": \"tie\", \"shape\": \"sphere\", \"radius\": 0.01, \"position\": [-0.115, 0, 0.03], "
                   "\"moves_with\": \"head\"}",
              "\"tie\": {\"part\": \"scalp\", \"position\": [-0.115, 0, 0.03], \"radius\": 0.025}, ", CLAMPED));
    cst_world *world = world_of(scene);
    int reached = 0;
    for (int i = 1; i <= 30; i++) {
        double root[3], end[3], off[3];
        place_of(world, i, false, root);
        place_of(world, i, true, end);
        cst_subtract3(end, middle, off);
        reached += sqrt(cst_dot3(off, off)) < 0.04;
        assert_true(root[2] > -0.09); /* on the scalp */
        cst_subtract3(end, root, off);
        assert_true(sqrt(cst_dot3(off, off)) < 0.2 + 1e-9);
    }
    assert_true(reached >= 20); /* from the forehead 0.2 m is too short */
    cst_step_report report;
    for (int k = 0; k < 2; k++)
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    double gone[3], rotation[3], R[9], there[3];
    const double turn[3] = {0.0, 0.0, 2e-3};
    cst_world_obstacle_displacement(world, 2, gone, rotation);
    cst_rotation_vector_exp(turn, R);
    cst_apply3(R, middle, there);
    assert_true(fabs(rotation[2] - 2e-3) < 1e-12);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(middle[k] + gone[k] - there[k]) < 1e-9);
    cst_world_free(world);
    cst_scene_free(scene);
}

#define BLOWN(name, y)                                                                                         \
    "{\"name\": \"" name "\", \"elements\": 4, \"length\": 0.2, \"radius\": 1e-3, \"mass_per_length\": 1e-3, " \
    "\"bending_stiffness\": 1, \"drag\": 0.05, \"position\": [0, " y ", 0]}"
#define AIR(wind)                                                                                                 \
    "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": 5e-3, \"gravity\": [0, 0, 0], \"wind\": {" wind \
    "}, \"fibers\": [" BLOWN("a", "0") ", " BLOWN("b", "0.4") "]}"

/* Velocities of both fibers, step by step. */
static void blow(const char *text, double velocity[2][200][3])
{
    cst_scene *scene = read_text(text);
    cst_world *world = world_of(scene);
    for (int k = 0; k < 200; k++) {
        cst_step_report report;
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
        for (int i = 0; i < 2; i++) {
            const cst_place place = {.body = (cst_body_id)(i + 1), .s = 0.07};
            double x[3];
            assert_true(cst_world_place_space(world, &place, x, NULL, velocity[i][k], NULL));
        }
    }
    cst_world_free(world);
    cst_scene_free(scene);
}

/* A fiber that nothing holds comes to go with the wind; gusts reach a second one, downwind by 0.4 m, as much later as the wind takes to get there. */
static void test_wind(void **state)
{
    (void)state;
    static double v[2][200][3];
    blow(AIR("\"velocity\": [0, 2, -1]"), v);
    for (int k = 0; k < 200; k++) {
        const double share =
            1.0 - pow(1.0 + 0.25, -(k + 1)); /* m v' = c (w - v), c dt / m = 0.25, by implicit Euler; it bends by 3 um/s */
        assert_true(fabs(v[0][k][0]) < 1e-9 && fabs(v[0][k][1] - 2.0 * share) < 1e-5 && fabs(v[0][k][2] + share) < 1e-5);
    }
    blow(AIR("\"velocity\": [0, 2, 0], \"gust\": 0.5, \"period\": 0.6"), v);
    double least = INFINITY, most = 0.0;
    for (int k = 140; k < 200; k++) {
        assert_true(fabs(v[1][k][1] - v[0][k - 40][1]) < 1e-6);
        least = fmin(least, v[0][k - 40][1]);
        most = fmax(most, v[0][k - 40][1]);
    }
    assert_true(least < 1.8 && most > 2.2 && least >= 1.0 && most <= 3.0);
}

/* Keys of a motion from a table are as if they had been written in the scene; a line that is none is named. */
static void test_motion_file(void **state)
{
    (void)state;
#define MOVED(file)                                                                                                       \
    "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": 0.25, \"obstacles\": [{\"name\": \"ball\", \"shape\": " \
    "\"sphere\", "                                                                                                        \
    "\"radius\": 0.1, \"motion\": {\"file\": \"" CAPSTAN_TEST_DATA "/" file "\"}}]}"
    cst_scene *scene = read_text(MOVED("motion.csv"));
    cst_world *world = world_of(scene);
    assert_non_null(strstr(scene->text, "\"keys\""));
    cst_step_report report;
    double gone[3], rotation[3];
    for (int k = 0; k < 2; k++)
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    cst_world_obstacle_displacement(world, 1, gone, rotation); /* at 0.5 s, half way to the second key */
    assert_true(fabs(gone[0] - 0.1) < 1e-12 && fabs(gone[2] + 0.2) < 1e-12 && fabs(rotation[1] - 0.5) < 1e-12);
    cst_world_free(world);
    cst_scene_free(scene);
    scene = read_text(MOVED("motion_damaged.csv"));
    const cst_scene_fault *fault;
    assert_true(cst_scene_faults(scene, &fault) > 0);
    assert_non_null(strstr(fault->message, "motion_damaged.csv: line 3"));
    cst_scene_free(scene);
}

/* The largest speed of an end after a first step on a head that does not move. */
static double fastest_end(const char *text)
{
    cst_scene *scene = read_text(text);
    cst_world *world = world_of(scene);
    cst_step_report report;
    double fastest = 0.0;
    assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    for (int i = 1; i <= 30; i++) {
        const cst_place end = {.body = (cst_body_id)i, .at_end = true};
        double x[3], v[3];
        assert_true(cst_world_place_space(world, &end, x, NULL, v, NULL));
        fastest = fmax(fastest, sqrt(cst_dot3(v, v)));
    }
    cst_world_free(world);
    cst_scene_free(scene);
    return fastest;
}

/* Hair that begins as it lies stays there: g dt = 1 cm/s without it. */
static void test_sag_free(void **state)
{
    (void)state;
    const double falls = fastest_end(SCENE(HEAD "}", "", CLAMPED)),
                 rests = fastest_end(SCENE(HEAD "}", "", CLAMPED ", \"sag_free\": true"));
    print_message("after the first step ends move at %.2g m/s, sag-free at %.2g m/s\n", falls, rests);
    assert_true(falls > 1e-3);
    assert_true(rests < 1e-9);
}

/* Curled hair is naturally curled as it is laid, so only gravity moves it at first: the end of a rod that is hinged at its root
 * reaches at most 1.5 g dt in a step. */
static void test_curl_is_natural(void **state)
{
    (void)state;
    const double speed = fastest_end(SCENE(HEAD "}", "", CLAMPED ", \"curl\": {\"radius\": 0.006, \"pitch\": 0.04}")),
                 most = 1.5 * 9.81 * 1e-3;
    print_message("after the first step ends of curls move at %.2g m/s\n", speed);
    assert_true(speed > 0.0 && speed <= most);
}

/* On a head that is turned by 90 degrees, roots on the top point where the head's axes say. */
static void test_growth(void **state)
{
    (void)state;
    cst_scene *scene = read_text(SCENE(HEAD TURNED "}", "\"growth\": [-1, 0, 0], ", CLAMPED));
    cst_world *world = world_of(scene);
    int seen = 0;
    for (int i = 1; i <= 30; i++) {
        const cst_place root = {.body = (cst_body_id)i};
        double x[3], frame[9];
        assert_true(cst_world_place_space(world, &root, x, frame, NULL, NULL));
        if (x[2] < 3.1)
            continue;
        assert_true(frame[3] < -0.8 && fabs(frame[0]) < 0.2);
        seen++;
    }
    assert_true(seen >= 2);
    cst_world_free(world);
    cst_scene_free(scene);
}

static void refuses(const char *text, const char *key, const char *why)
{
    cst_scene *scene = read_text(text);
    const cst_scene_fault *fault;
    const int faults = cst_scene_faults(scene, &fault);
    bool found = false;
    for (int i = 0; i < faults; i++)
        found = found || (strstr(fault[i].key, key) && strstr(fault[i].message, why));
    if (!found)
        fail_msg("%s: %s was not among %d faults; the first: %s: %s", key, why, faults, faults ? fault->key : "",
                 faults ? fault->message : "");
    cst_scene_free(scene);
}

static void refuses_world(const char *text, const char *why)
{
    cst_scene *scene = read_text(text);
    char message[512] = "";
    assert_int_equal(cst_scene_faults(scene, NULL), 0);
    assert_null(cst_scene_world(scene, 1, message, sizeof message));
    if (!strstr(message, why))
        fail_msg("\"%s\" is not in: %s", why, message);
    cst_scene_free(scene);
}

static void test_refused(void **state)
{
    (void)state;
    refuses(SCENE("{\"name\": \"head\", \"shape\": \"sphere\", \"radius\": 0.1}", "", CLAMPED), "scalp", "not on a sphere");
    refuses(SCENE("{\"name\": \"heed\", \"shape\": \"head\"}", "", CLAMPED), "scalp", "did you mean \"heed\"");
    refuses(SCENE(HEAD "}", "", ""), "clamped", "is missing");
    refuses(SCENE(HEAD "}", "", CLAMPED ", \"position\": [0, 0, 0]"), "position", "has no effect");
    refuses(SCENE(HEAD "}", "", CLAMPED ", \"model\": \"springs\""), "model", "super-helix");
    refuses(SCENE(HEAD "}", "", ", \"sag_free\": true"), "sag_free", "clamped");
    refuses(SCENE(HEAD "}", "\"length_variation\": 2, ", CLAMPED), "length_variation", "out of range");
    refuses(SCENE(HEAD "}", "\"jitter\": 0.01, ", CLAMPED), "jitter", "is for the type");
    refuses(SCENE(HEAD "}", "\"turned\": \"any\", ", CLAMPED), "turned", "is for the type");
    refuses(SCENE(HEAD "}", "\"growth\": [0, 0, 0], ", CLAMPED), "growth", "has no direction");
    refuses(SCENE(HEAD "}", "\"growth\": [1, 0, 0], \"tie\": {}, ", CLAMPED), "growth", "ponytail");
    refuses_world(SCENE(HEAD "}", "\"opening\": \"1deg\", \"center\": [0, 0, 5], ", CLAMPED), "no hair grows");
    refuses_world(SCENE(HEAD "}", "\"gap\": 0.1, ", CLAMPED), "roots on this scalp are only");
#define HAT "}, {\"name\": \"hat\", \"shape\": \"sphere\", \"radius\": 0.3}"
    refuses_world(SCENE(HEAD HAT, "", CLAMPED), "of 30 hairs 3 were laid, and 3 found no way");
    refuses_world(SCENE(HEAD HAT, "\"bundle\": 7, ", CLAMPED), "of 5 bundles 3 were laid, and 3 found no way");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves_with_head), cmocka_unit_test(test_tie),
                                       cmocka_unit_test(test_combed_to_tie),   cmocka_unit_test(test_wind),
                                       cmocka_unit_test(test_motion_file),     cmocka_unit_test(test_sag_free),
                                       cmocka_unit_test(test_curl_is_natural), cmocka_unit_test(test_growth),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
