/* Strands from files: four formats of the same two strands, what is wrong with damaged ones and where, fitting super-helices, and scenes made of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "groom/strand_file_fit.h"
#include "groom/strand_write.h"
#include "math/vector3.h"
#include "scene/scene_data.h"

static const char *const ending[] = {"hair", "usda", "obj", "csv"};

static char *load(const char *format, size_t *bytes)
{
    char path[512];
    snprintf(path, sizeof path, CAPSTAN_TEST_DATA "/two_strands.%s", format);
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    char *image = malloc(4096);
    assert_non_null(image);
    *bytes = fread(image, 1, 4096, from);
    fclose(from);
    return image;
}

static void test_same_strands(void **state)
{
    (void)state;
    static const double expected[15] = {0, 0, 0, 0, 0, -1, 0, 0.5, -2, 1, 0, 0, 1, 0, -1.5};
    for (int f = 0; f < 4; f++) {
        char path[512], message[256] = "";
        cst_strand_file file;
        snprintf(path, sizeof path, CAPSTAN_TEST_DATA "/two_strands.%s", ending[f]);
        if (!cst_strand_file_read(path, NULL, &file, message, sizeof message))
            fail_msg("%s", message);
        assert_int_equal(file.strands, 2);
        assert_int_equal(file.points, 5);
        assert_int_equal(file.first[1], 3);
        assert_int_equal(file.first[2], 5);
        for (int i = 0; i < 15; i++)
            assert_true(file.point[i] == expected[i]);
        for (int i = 0; i < 5; i++) /* OBJ has no widths */
            assert_true(fabs(file.radius[i] - (f == 2 ? 0.0 : 0.001)) < 1e-10);
        cst_strand_file_free(&file);
    }
}

/* What is written as any of them is read as the same, .hair and USD to single precision. */
static void test_written(void **state)
{
    (void)state;
    char message[256] = "", path[64];
    cst_strand_file file, again;
    assert_true(cst_strand_file_read(CAPSTAN_TEST_DATA "/two_strands.csv", NULL, &file, message, sizeof message));
    file.point[7] = 0.1234567890123456;
    for (int f = 0; f < 4; f++) {
        snprintf(path, sizeof path, "/tmp/capstan_strands_%ld.%s", (long)getpid(), ending[f]);
        if (!cst_strand_file_write(path, &file, message, sizeof message))
            fail_msg("%s", message);
        assert_true(cst_strand_file_read(path, NULL, &again, message, sizeof message));
        assert_int_equal(again.strands, 2);
        assert_int_equal(again.points, 5);
        assert_memory_equal(again.first, file.first, 3 * sizeof *file.first);
        for (int i = 0; i < 15; i++)
            assert_true(fabs(again.point[i] - file.point[i]) <= (f < 2 ? 1e-7 : 0.0));
        for (int i = 0; i < 5; i++)
            assert_true(fabs(again.radius[i] - (f == 2 ? 0.0 : 0.001)) < 1e-9);
        cst_strand_file_free(&again);
        unlink(path);
    }
    assert_false(cst_strand_file_write("/tmp/strands.abc", &file, message, sizeof message));
    assert_non_null(strstr(message, ".hair, .usda, .obj and .csv"));
    assert_false(cst_strand_file_write("/nowhere/strands.csv", &file, message, sizeof message));
    cst_strand_file_free(&file);
}

/* Refused with these words. */
static void refuses(const char *name, const char *image, size_t bytes, const char *words)
{
    char message[256] = "";
    cst_strand_file file;
    if (cst_strand_file_read_image(name, image, bytes, NULL, &file, message, sizeof message))
        fail_msg("%s was read; expected: %s", name, words);
    if (!strstr(message, words) || strncmp(message, name, strlen(name)) != 0)
        fail_msg("\"%s\" does not say \"%s\"", message, words);
}

static void refuses_text(const char *name, const char *text, const char *words)
{
    refuses(name, text, strlen(text), words);
}

static void test_damaged(void **state)
{
    (void)state;
    size_t bytes;
    char *image = load("hair", &bytes);
    for (size_t cut = 0; cut < bytes; cut++) /* cut off anywhere */
        refuses("a.hair", image, cut, "byte ");
    image[0] = 'h';
    refuses("a.hair", image, bytes, "byte 0: expected \"HAIR\"");
    image[0] = 'H';
    image[12] = 5;
    refuses("a.hair", image, bytes, "byte 12: it has no points");
    image[12] = 7;
    image[128] = 9; /* ten points in the first strand */
    refuses("a.hair", image, bytes, "byte 128: strand 1 has 10 points, 5 are left");
    image[128] = 0;
    refuses("a.hair", image, bytes, "strand 1 has 1 points");
    image[128] = 2;
    memset(image + 132, 0xff, 4); /* not a number */
    refuses("a.hair", image, bytes, "byte 132: coordinate 1 of point 1 is not finite");
    free(image);
    refuses_text("a.obj", "v 0 0 0\nv 0 0\n", "line 2");
    refuses_text("a.obj", "v 0 0 0\nl 1 2\n", "line 2");
    refuses_text("a.obj", "v 0 0 0\nv 0 0 1\n", "no strands");
    refuses_text("a.csv", "a,b\n", "line 1: 2 columns");
    refuses_text("a.csv", "0,0,0,0\n0,0,0,1\n0,0,0,2\n", "line 1: holds numbers: expected names of columns");
    refuses_text("a.csv", " -1.5, 0, 0, 0\n0,0,0,1\n0,0,0,2\n", "line 1: holds numbers");
    refuses_text("a.csv", "strand,x,y,z\n0,0,0,0\n0,0,zero,1\n", "line 3: y is not a finite number");
    refuses_text("a.csv", "strand,x,y,z\n0,0,0,0\n0,0,1\n", "line 3: 3 columns");
    refuses_text("a.csv", "strand,x,y,z\n0,0,0,0\n1,0,0,0\n1,0,0,1\n", "strand 1 has 1 points");
    refuses_text("a.usda", "usda", "line 1");
    refuses_text("a.usda", "#usda 1.0\ndef BasisCurves \"a\" {\n", "line 3: the file ends");
#define CURVES(type, counts, points)                                                                            \
    "#usda 1.0\ndef BasisCurves \"a\"\n{\nuniform token type = \"" type "\"\nint[] curveVertexCounts = " counts \
    "\npoint3f[] points = " points "\n}\n"
    refuses_text("a.usda", CURVES("cubic", "[2]", "[(0, 0, 0), (0, 0, 1)]"),
                 "line 3: curves that are not of the type \"linear\"");
    refuses_text("a.usda", CURVES("linear", "[3]", "[(0, 0, 0), (0, 0, 1)]"),
                 "line 5: curveVertexCounts: curve 1 has 3 points, 2 are left");
    refuses_text("a.usda", CURVES("linear", "[2]", "[(0, 0, 0), (0, 0, x)]"), "line 6: points: expected finite numbers");
    refuses_text("a.usda", CURVES("linear", "[2]", "[(0, 0, 0), (0, 0, 1), (0, 0, 2)]"), "line 6: points: 3 of them");
    refuses_text("a.usda", CURVES("linear", "[2]", "[(0, 0, 0), (0, 0, 1)]\nfloat[] widths = [0.1, -0.1]"),
                 "line 7: widths: the width of point 2 is negative");
    refuses_text("a.abc", "", ".hair, .usda, .obj and .csv");
}

/* A quarter of a circle of many points becomes arcs of its curvature, moved, scaled and turned. */
static void test_fit(void **state)
{
    (void)state;
    enum { POINTS = 201, ELEMENTS = 4 };
    static char text[POINTS * 64];
    size_t length = (size_t)snprintf(text, sizeof text, "strand,x,y,z\n");
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < POINTS; i++) {
        const double a = 0.5 * pi * i / (POINTS - 1);
        length += (size_t)snprintf(text + length, sizeof text - length, "0,%.9f,%.9f,0\n", 10.0 * sin(a), -10.0 * (1.0 - cos(a)));
    }
    char message[256];
    cst_strand_file file;
    assert_true(cst_strand_file_read_image("a.csv", text, length, NULL, &file, message, sizeof message));
    /* y of the file is up: the arc goes along x and down */
    const cst_strand_placing placing = {.position = {1, 2, 3}, .R = {1, 0, 0, 0, 0, -1, 0, 1, 0}, .scale = 0.01};
    double curvature[3 * ELEMENTS], point[3 * (ELEMENTS + 1)], error;
    cst_strand strand = {.curvature = curvature};
    assert_true(cst_strand_of_file(&file, 0, ELEMENTS, &placing, false, &file.arena, &strand, &error));
    assert_true(error < 1e-4);
    assert_true(fabs(strand.length - 0.05 * pi) < 1e-5);
    for (int i = 0; i < ELEMENTS; i++)
        assert_true(fabs(sqrt(cst_dot3(curvature + 3 * i, curvature + 3 * i)) - 10.0) < 0.3);
    cst_strand_points(&strand, ELEMENTS, 1, point);
    for (int i = 0; i <= ELEMENTS; i++) {
        const double a = 0.5 * pi * i / ELEMENTS, on[3] = {1.0 + 0.1 * sin(a), 2.0, 3.0 - 0.1 * (1.0 - cos(a))};
        for (int k = 0; k < 3; k++)
            assert_true(fabs(point[3 * i + k] - on[k]) < 1e-4);
    }
    cst_strand_file_free(&file);
}

#define SCENE(more)                                                                                                         \
    "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": 1e-3, \"generators\": [{\"name\": \"guides\", \"type\": " \
    "\"strands\", "                                                                                                         \
    "\"file\": \"" CAPSTAN_TEST_DATA "/two_strands.hair\", " more                                                           \
    "\"of\": {\"fiber\": {\"elements\": 4, \"radius\": 1e-3, \"density\": 1300, \"young\": 1e7, \"clamped\": true}}}]}"

static void test_scene(void **state)
{
    (void)state;
    char message[512] = "";
    const char *text = SCENE("\"count\": 2, \"scale\": 0.1, \"center\": [0, 0, 1], ");
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "test.json", NULL, 0, NULL);
    const cst_scene_fault *fault;
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s: %s", fault->key, fault->message);
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    const cst_place end = {.body = 2, .at_end = true};
    double x[3];
    assert_true(cst_world_place_space(world, &end, x, NULL, NULL, NULL));
    assert_true(fabs(x[0] - 0.1) < 1e-6 && fabs(x[1]) < 1e-6 && fabs(x[2] - 0.85) < 1e-6);
    cst_world_free(world);
    cst_scene_free(scene);
    text = SCENE("\"count\": 3, ");
    scene = cst_scene_read_text(text, strlen(text), "test.json", NULL, 0, NULL);
    assert_null(cst_scene_world(scene, 1, message, sizeof message));
    assert_non_null(strstr(message, "has 2 strands"));
    cst_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_strands), cmocka_unit_test(test_written),
                                       cmocka_unit_test(test_damaged), cmocka_unit_test(test_fit), cmocka_unit_test(test_scene)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
