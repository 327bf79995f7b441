/* Light caches of fibers against full ones of the same run, every k-th fiber, the frame at the end of a run, and meshes that deform and
 * change their triangles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cache/cache_frame.h"
#include "cache/cache_read.h"
#include "cache/cache_thin.h"
#include "run/run.h"
#include "world/world_state.h"

enum { FIBERS = 36, PATH_BYTES = 96 };

#define RADIUS 6e-4

static char folder[] = "/tmp/test_cache_light_XXXXXX";

/* Hair that settles on a head. */
static cst_scene *fibers(const char *detail)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "{\"capstan\": 1, \"dim\": 3, \"duration\": 0.2, \"time_step\": {\"dt\": 0.005}, \"friction\": 0.3,"
             "\"generators\": [{\"name\": \"hair\", \"type\": \"hair\", \"scalp\": \"head\", \"count\": 36, \"of\": {\"fiber\": {"
             "\"elements\": 5, \"length\": 0.3, \"radius\": 6e-4, \"mass_per_length\": 3.45e-4, \"bending_stiffness\": 4.2e-7,"
             "\"damping_time\": 0.02, \"clamped\": true}}}],"
             "\"obstacles\": [{\"name\": \"head\", \"shape\": \"head\", \"detail\": 4}],"
             "\"output\": {\"frame_interval\": 0.005, \"samples\": 6%s%s%s}}",
             detail ? ", \"detail\": \"" : "", detail ? detail : "", detail ? "\"" : "");
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "hair", NULL, 0, NULL);
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault) > 0)
        fail_msg("%d:%d: %s: %s", fault->line, fault->column, fault->key, fault->message);
    return scene;
}

static void run(const cst_scene *scene, const char *directory, double duration, bool resume)
{
    cst_run_settings settings = cst_run_settings_default();
    settings.directory = directory;
    settings.duration = duration;
    settings.resume = resume;
    settings.threads = 1;
    cst_run_result result;
    if (cst_run(scene, &settings, &result) != CST_RUN_FINISHED)
        fail_msg("%s", result.message);
}

static cst_cache *opened(const char *directory)
{
    char message[512];
    cst_cache *cache = cst_cache_open(directory, message, sizeof message);
    if (!cache)
        fail_msg("%s", message);
    return cache;
}

static void read_frame(cst_cache *cache, int64_t index, cst_cache_frame *out)
{
    if (!cst_cache_frame_read(cache, index, out))
        fail_msg("%s", cst_cache_message(cache));
}

static double bytes_of(const char *directory)
{
    char path[PATH_BYTES + 16];
    struct stat about;
    snprintf(path, sizeof path, "%s/cache.h5", directory);
    assert_int_equal(stat(path, &about), 0);
    return (double)about.st_size;
}

static void in_folder(char *path, const char *name)
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* What a frame takes: the difference of a long and a short run, without what every file has. */
static double bytes_per_frame(const char *detail)
{
    char few[PATH_BYTES], many[PATH_BYTES], name[32];
    cst_scene *scene = fibers(detail);
    snprintf(name, sizeof name, "%s_few", detail);
    in_folder(few, name);
    snprintf(name, sizeof name, "%s_many", detail);
    in_folder(many, name);
    run(scene, few, 0.05, false);
    run(scene, many, 0.15, false);
    cst_scene_free(scene);
    return (bytes_of(many) - bytes_of(few)) / 20.0;
}

static void a_light_frame_is_a_fifth(void **state)
{
    (void)state;
    const double full = bytes_per_frame("full"), light = bytes_per_frame("light");
    if (!(light <= full / 5.0))
        fail_msg("a light frame takes %.0f bytes, a full one %.0f", light, full);
}

static void light_is_the_same_run(void **state)
{
    (void)state;
    char full_path[PATH_BYTES], light_path[PATH_BYTES];
    in_folder(full_path, "full_many");
    in_folder(light_path, "light_many");
    cst_cache *full = opened(full_path), *light = opened(light_path);
    assert_int_equal(cst_cache_about(light)->detail, CST_DETAIL_LIGHT);
    assert_int_equal(cst_cache_about(full)->detail, CST_DETAIL_FULL);
    assert_int_equal(cst_cache_about(light)->frames, 31);
    assert_int_equal(cst_cache_about(full)->frames, 31);
    int pressed = 0;
    for (int64_t index = 0; index < 31; index += 6) {
        cst_cache_frame a, b;
        read_frame(full, index, &a);
        read_frame(light, index, &b);
        assert_int_equal(a.items, b.items);
        for (int i = 0; i < a.items; i++) {
            assert_int_equal(a.item[i].vertices, b.item[i].vertices);
            assert_int_equal(b.item[i].states, 0);
            for (int k = 0; k < a.item[i].vertices; k++)
                for (int axis = 0; axis < 3; axis++)
                    assert_true(fabs(a.item[i].vertex[k].position[axis] - b.item[i].vertex[k].position[axis]) <= RADIUS / 1024.0);
        }
        int pressing = 0;
        for (int i = 0; i < a.contacts; i++)
            pressing += a.contact[i].contact_case != CST_CASE_TAKE_OFF;
        assert_int_equal(b.contacts, pressing);
        pressed += pressing;
    }
    assert_true(pressed > 0);
    cst_cache_close(full);
    cst_cache_close(light);
}

/* Few bodies are saved in full if nobody says otherwise. */
static void few_are_full(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    in_folder(path, "auto");
    cst_scene *scene = fibers(NULL);
    run(scene, path, 0.01, false);
    cst_scene_free(scene);
    cst_cache *cache = opened(path);
    assert_int_equal(cst_cache_about(cache)->detail, CST_DETAIL_FULL);
    cst_cache_close(cache);
}

static void every_third_fiber(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    in_folder(path, "full_many");
    cst_cache *cache = opened(path);
    cst_cache_frame all, some;
    read_frame(cache, 30, &all);
    int expected = 0;
    for (int i = 0; i < all.contacts; i++)
        expected += (all.contact[i].a.body - 1) % 3 == 0 && (all.contact[i].b.body == 0 || (all.contact[i].b.body - 1) % 3 == 0);
    assert_int_equal(all.items, FIBERS + 1);
    assert_true(expected > 0 && expected < all.contacts);
    cst_cache_every_fiber(cache, 3);
    read_frame(cache, 30, &some);
    assert_int_equal(some.items, FIBERS / 3 + 1);
    assert_int_equal(some.item[0].owner, CST_ITEM_OBSTACLE);
    for (int i = 1; i < some.items; i++)
        assert_int_equal(some.item[i].id, 1 + 3 * (i - 1));
    assert_int_equal(some.contacts, expected);
    cst_cache_close(cache);
}

/* Fibers are counted without the bodies between them. */
static void every_second_fiber_among_other_bodies(void **state)
{
    (void)state;
    cst_cache_item item[8] = {0};
    bool left_out[9];
    cst_cache_frame frame = {.item = item, .items = 8};
    for (int i = 0; i < 8; i++)
        item[i] = (cst_cache_item){
            .owner = CST_ITEM_BODY, .id = (uint32_t)i + 1, .as = i % 2 == 0 ? CST_DRAWN_MESH : CST_DRAWN_CURVE, .vertices = 8};
    cst_cache_thin(&frame, item, NULL, 2, 8, left_out);
    static const uint32_t kept[] = {1, 2, 3, 5, 6, 7};
    assert_int_equal(frame.items, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(item[i].id, kept[i]);
    assert_true(left_out[4] && left_out[8] && !left_out[2]);
}

/* A run that ends between two frames has a last frame, which a longer one does not have. */
static void the_end_is_a_frame(void **state)
{
    (void)state;
    char stopped[PATH_BYTES], straight[PATH_BYTES];
    const char *set[] = {"output.frame_interval=0.02"};
    const char *text =
        "{\"capstan\": 1, \"dim\": 3, \"duration\": 0.05, \"time_step\": {\"dt\": 0.005}, \"fibers\": [{\"name\": \"f\","
        "\"elements\": 3, \"length\": 0.3, \"radius\": 6e-4, \"mass_per_length\": 3.45e-4, \"bending_stiffness\": 4.2e-7,"
        "\"clamped\": true}], \"probes\": [{\"name\": \"energy\", \"type\": \"energy\"}]}";
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "end", set, 1, NULL);
    assert_int_equal(cst_scene_faults(scene, NULL), 0);
    in_folder(stopped, "stopped");
    in_folder(straight, "straight");
    run(scene, stopped, 0.05, false);
    cst_cache *cache = opened(stopped);
    double time[8];
    assert_int_equal(cst_cache_about(cache)->frames, 4);
    assert_true(cst_cache_frame_times(cache, time));
    assert_true(fabs(time[3] - 0.05) < 1e-12);
    cst_cache_close(cache);
    run(scene, stopped, 0.09, true);
    run(scene, straight, 0.09, false);
    cst_scene_free(scene);
    cst_cache *a = opened(stopped), *b = opened(straight);
    assert_int_equal(cst_cache_about(a)->frames, 6);
    assert_int_equal(cst_cache_about(b)->frames, 6);
    for (int64_t index = 0; index < 6; index++) {
        cst_cache_frame p, q;
        read_frame(a, index, &p);
        read_frame(b, index, &q);
        assert_true(p.time == q.time && p.items == q.items);
        assert_memory_equal(p.item[0].vertex, q.item[0].vertex, (size_t)p.item[0].vertices * sizeof *p.item[0].vertex);
    }
    cst_cache_close(a);
    cst_cache_close(b);
    char command[400];
    snprintf(command, sizeof command, "cmp -s '%s/probes/energy.csv' '%s/probes/energy.csv'", stopped, straight);
    assert_int_equal(system(command), 0);
}

/* ------------------------------------------------------------------------------------------------------------------- meshes */

/* A strip of cloth instead of the body that the world has: frame n has n + 1 quads, of which one more each time is folded up. */
typedef struct strip {
    int quads;
} strip;

static cst_drawing draw_strip(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const strip *own = self;
    (void)samples;
    for (int i = 0; i < 2 * (own->quads + 1) && position; i++) {
        position[3 * i] = 0.1 * (i / 2);
        position[3 * i + 1] = 0.1 * (i % 2);
        position[3 * i + 2] = 0.01 * own->quads * (i / 2);
        radius[i] = 1e-3;
        curvature[i] = 0.0;
    }
    return (cst_drawing){.as = CST_DRAWN_MESH, .vertices = 2 * (own->quads + 1)};
}

static int strip_triangles(const void *self, int32_t *out)
{
    const strip *own = self;
    for (int q = 0; q < own->quads && out; q++) {
        const int32_t two[6] = {2 * q, 2 * q + 2, 2 * q + 1, 2 * q + 1, 2 * q + 2, 2 * q + 3};
        memcpy(out + 6 * q, two, sizeof two);
    }
    return 2 * own->quads;
}

static void triangles_of_every_frame(void **state)
{
    (void)state;
    static const char text[] = "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"rigid_bodies\": [{\"name\": \"cloth\", "
                               "\"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 1}]}";
    char path[PATH_BYTES], message[256];
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "strip", NULL, 0, NULL);
    const cst_scene_fault *fault;
    if (cst_scene_faults(scene, &fault) > 0)
        fail_msg("%s: %s", fault->key, fault->message);
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    assert_non_null(world);
    const cst_body_model before = world->model[0];
    strip cloth = {.quads = 1};
    cst_body_class class = *before.class;
    const cst_body_look look = {.draw = draw_strip, .triangles = strip_triangles};
    class.look = &look;
    world->model[0].class = &class;
    world->model[0].self = &cloth;
    const char *name = "cloth";
    const cst_cache_head head = {.dim = 3,
                                 .detail = CST_DETAIL_LIGHT,
                                 .dt = 1,
                                 .title = "",
                                 .scene = "{}",
                                 .source = "{}",
                                 .bodies = 1,
                                 .body_name = &name};
    in_folder(path, "strip.h5");
    cst_frame_writer *frames = cst_frame_writer_new(world, 1, false);
    cst_cache_writer *writer = cst_cache_create(path, &head, message, sizeof message);
    assert_non_null(frames);
    assert_non_null(writer);
    static const int quads[] = {1, 3, 1, 2};
    for (int n = 0; n < 4; n++) {
        cloth.quads = quads[n];
        assert_true(cst_frame_write(frames, world, n, writer));
    }
    /* The second and the last have triangles of their own; the third has those of the first again. */
    assert_int_equal(cst_cache_rows(writer, CST_TABLE_TRIANGLES), 2 + 6 + 4);
    assert_true(cst_cache_commit(writer, message, sizeof message));
    cst_cache_writer_free(writer);
    cst_frame_writer_free(frames);
    world->model[0] = before;
    cst_world_free(world);
    cst_scene_free(scene);
    cst_cache *cache = opened(path);
    for (int n = 0; n < 4; n++) {
        cst_cache_frame frame;
        read_frame(cache, n, &frame);
        assert_int_equal(frame.item[0].triangles, 2 * quads[n]);
        assert_int_equal(frame.item[0].vertices, 2 * (quads[n] + 1));
        assert_true(fabs(frame.item[0].vertex[2].position[2] - 0.01 * quads[n]) < 1e-6);
        const cst_triangle_row *last = &frame.item[0].triangle[2 * quads[n] - 1];
        assert_int_equal(last->corner[2], 2 * quads[n] + 1);
    }
    cst_cache_close(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_frame_is_a_fifth),
        cmocka_unit_test(light_is_the_same_run),
        cmocka_unit_test(few_are_full),
        cmocka_unit_test(every_third_fiber),
        cmocka_unit_test(every_second_fiber_among_other_bodies),
        cmocka_unit_test(the_end_is_a_frame),
        cmocka_unit_test(triangles_of_every_frame),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
