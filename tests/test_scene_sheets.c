/* Sheets of scenes: shapes, files with seams and bad files, handles, fabrics; every example of scenes/cloth is built and stepped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scene/define_sheet.h"
#include "scene/scene.h"

#define HEAD "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": 0.002, "
#define FABRIC "\"fabrics\": [{\"name\": \"f\", \"density\": 0.2, \"stretching\": [50, 10, 50, 20], \"bend\": 1e-5}], "

static char folder[] = "/tmp/capstan_sheets_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int drop_folder(void **state)
{
    (void)state;
    char path[128];
    static const char *const files[] = {"mesh.obj", "rest.obj"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void put_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static cst_world *world_of(const char *sheet, cst_scene **scene, char *message, size_t size)
{
    char text[2048], name[128];
    snprintf(text, sizeof text, HEAD FABRIC "\"sheets\": [{\"name\": \"s\", \"fabric\": \"f\", %s}]}", sheet);
    snprintf(name, sizeof name, "%s/scene.json", folder);
    *scene = cst_scene_read_text(text, strlen(text), name, NULL, 0, NULL);
    assert_non_null(*scene);
    const cst_scene_fault *fault;
    if (cst_scene_faults(*scene, &fault) > 0)
        fail_msg("%s: %s", fault->key, fault->message);
    return cst_scene_world(*scene, 1, message, size);
}

/* Builds the sheet and steps it ten times; returns the number of its nodes. */
static int good(const char *sheet)
{
    char message[512] = "";
    cst_scene *scene;
    cst_world *world = world_of(sheet, &scene, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    cst_step_report report = {0};
    for (int i = 0; i < 10; i++)
        assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
    const int nodes = cst_world_body_state(world, 1, NULL) / 6;
    cst_world_free(world);
    cst_scene_free(scene);
    return nodes;
}

static void bad(const char *sheet, const char *what)
{
    char message[512] = "";
    cst_scene *scene;
    cst_world *world = world_of(sheet, &scene, message, sizeof message);
    assert_null(world);
    if (!strstr(message, what))
        fail_msg("expected \"%s\" in \"%s\"", what, message);
    cst_scene_free(scene);
}

static void shapes_are_built(void **state)
{
    (void)state;
    assert_int_equal(good("\"shape\": \"rectangle\", \"width\": 0.4, \"height\": 0.2, \"edge\": 0.1, \"cut\": \"diagonal\""), 15);
    assert_int_equal(good("\"shape\": \"rectangle\", \"width\": 0.4, \"height\": 0.2, \"edge\": 0.1"), 16);
    assert_int_equal(good("\"shape\": \"disk\", \"radius\": 0.2, \"edge\": 0.1"), 19);
    assert_int_equal(good("\"shape\": \"tube\", \"radius\": 0.1, \"height\": 0.2, \"edge\": 0.1"), 18);
}

#define OBJ "\"shape\": \"mesh\", \"file\": \"mesh.obj\""
#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void files_have_a_rest_shape(void **state)
{
    (void)state;
    put_file("mesh.obj", SQUARE "f 1 2 3 4\n");
    assert_int_equal(good(OBJ), 4);
    /* upright: by texture coordinates */
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n");
    assert_int_equal(good(OBJ), 4);
    /* the same, with a texture coordinate whose v is left out: v is 0 */
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n");
    assert_int_equal(good(OBJ), 4);
    /* a triangular tube with a seam: two corners at vertices 1 and 4 */
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0.5 0.9 0\nv 0 0 1\nv 1 0 1\nv 0.5 0.9 1\n"
                         "vt 0 0\nvt 1 0\nvt 2 0\nvt 3 0\nvt 0 1\nvt 1 1\nvt 2 1\nvt 3 1\n"
                         "f 1/1 2/2 5/6 4/5\nf 2/2 3/3 6/7 5/6\nf 3/3 1/4 4/8 6/7\n");
    assert_int_equal(good(OBJ), 6);
    /* the same by a second file */
    put_file("rest.obj",
             "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n");
    assert_int_equal(good(OBJ ", \"rest\": {\"file\": \"rest.obj\"}"), 6);
    put_file("rest.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    bad(OBJ ", \"rest\": {\"file\": \"rest.obj\"}", "1 triangles, the sheet has 6");
}

static void bad_meshes_are_named(void **state)
{
    (void)state;
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    bad(OBJ, "triangle 0 (nodes 0, 1, 2) has no area at rest");
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 3 2\n");
    bad(OBJ, "is turned over at rest");
    put_file("mesh.obj", SQUARE "v 5 5 5\nf 1 2 3 4\n");
    bad(OBJ, "node 4 is in no triangle");
    put_file("mesh.obj", SQUARE "v 0 0 0\nv 1 1 0\nf 1 2 3\nf 5 6 4\n");
    bad(OBJ, "are at one place");
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0.5 1 0\nv 0.5 2 0\nv 0.5 3 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
    bad(OBJ, "3 triangles meet in the edge between nodes 0 and 1");
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0.5 1 0\nv 0.5 2 0\nf 1 2 3\nf 1 2 4\n");
    bad(OBJ, "go the same way along it");
    put_file("mesh.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
    bad(OBJ, "has no area in its first shape");
}

static void handles_are_looked_at(void **state)
{
    (void)state;
#define SHEET "\"shape\": \"rectangle\", \"width\": 0.2, \"height\": 0.2, \"edge\": 0.1, \"handles\": "
    good(SHEET "[{\"nodes\": [0, 1]}, {\"from\": [0.1, 0.2, 0], \"to\": [0.3, 0.3, 0], \"release_time\": 0.01}]");
    bad(SHEET "[{\"nodes\": [0, 77]}]", "handle 0 holds node");
    bad(SHEET "[{\"nodes\": [0]}, {\"nodes\": [0]}]", "handle 1 holds node 0, which is held already");
    bad(SHEET "[{\"from\": [5, 5, 5], \"to\": [6, 6, 6]}]", "there is no node in the box");
}

/* A published table counts a quarter; young follows the theory of plates. */
static void fabrics_are_converted(void **state)
{
    (void)state;
    char message[256];
    cst_scene *scene = cst_scene_read_file(CAPSTAN_TEST_DATA "/../../scenes/cloth/hanging_square.json", NULL, 0, NULL);
    cst_arena arena;
    cst_sheet_def def;
    cst_arena_begin(&arena, NULL);
    assert_int_equal(cst_scene_faults(scene, NULL), 0);
    assert_true(cst_define_sheet(scene, scene->names.body[0].node, &def, &arena, message, sizeof message));
    assert_true(fabs(def.fabric.bend[0][1] - 0.25 * 3.2932217e-05) < 1e-12);
    assert_true(def.fabric.stretching[5][0] == 127.44381 && def.fabric.membrane == CST_MEMBRANE_MEASURED);
    cst_arena_end(&arena);
    cst_scene_free(scene);
    cst_fabric steel = {0};
    cst_fabric_isotropic(&steel, 2e11, 0.3, 1e-3);
    assert_true(fabs(steel.bend[0][0] - 2e11 * 1e-9 / 12.0 / 0.91) < 1e-9 &&
                fabs(steel.stretching[0][3] / (2e8 / 1.3) - 1.0) < 1e-12);
}

static void examples_run(void **state)
{
    (void)state;
    static const char *const names[] = {"hanging_square", "flag", "drag", "on_sphere", "towel"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256], message[256] = "";
        snprintf(path, sizeof path, CAPSTAN_TEST_DATA "/../../scenes/cloth/%s.json", names[i]);
        cst_scene *scene = cst_scene_read_file(path, NULL, 0, NULL);
        assert_int_equal(cst_scene_faults(scene, NULL), 0);
        cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
        if (!world)
            fail_msg("%s: %s", names[i], message);
        cst_step_report report = {0};
        for (int step = 0; step < 5; step++)
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
        assert_true(cst_world_time(world) == 5 * 0.002); /* not halved */
        cst_world_free(world);
        cst_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_are_built),      cmocka_unit_test(files_have_a_rest_shape),
                                       cmocka_unit_test(bad_meshes_are_named),  cmocka_unit_test(handles_are_looked_at),
                                       cmocka_unit_test(fabrics_are_converted), cmocka_unit_test(examples_run)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
