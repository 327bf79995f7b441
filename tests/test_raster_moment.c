/* A run between its saved frames, its survey, and what a picture makes of it. */
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

#include "cache/cache_write.h"
#include "render/picture.h"

/* Frames at 0, 0.1 and 0.2 s: a disk that stands, and a rod of three vertices that moves by (1, 2, 0) per second and gets one
 * vertex more in the last one. Contact 7 is in the first two frames, contact 8 in the second and third. */
static char directory[] = "/tmp/test_raster_moment_XXXXXX", path[64];

static cst_contact_view contact_of(uint64_t id, double x, double force, cst_local_case contact_case)
{
    return (cst_contact_view){.id = id,
                              .a.body = 1,
                              .b.obstacle = 1,
                              .s_a = 0.5,
                              .position = {x, 0, 0},
                              .force = {0, force, 0},
                              .contact_case = contact_case};
}

static bool write_run(cst_drawn_as rod_as)
{
    char message[256];
    const char *body = "rod", *obstacle = "disk";
    const cst_cache_head head = {.dim = 2,
                                 .dt = 0.1,
                                 .frame_interval = 0.1,
                                 .tolerance = 1e-8,
                                 .title = "made up",
                                 .scene = "{}",
                                 .source = "{}",
                                 .bodies = 1,
                                 .body_name = &body,
                                 .obstacles = 1,
                                 .obstacle_name = &obstacle};
    cst_cache_writer *cache = cst_cache_create(path, &head, message, sizeof message);
    if (!cache)
        return false;
    const cst_vertex_row disk[2] = {{.position = {0, -0.5, 0}, .radius = 0.4}, {.position = {0.4, -0.5, 0}, .radius = 0.4}};
    bool good = cst_cache_append(cache, CST_TABLE_VERTICES, disk, 2);
    int64_t rows = 2, contacts = 0;
    for (int n = 0; n < 3; n++) {
        int vertices = n < 2 ? 3 : 4;
        cst_vertex_row vertex[4];
        for (int k = 0; k < vertices; k++)
            vertex[k] = (cst_vertex_row){.position = {0.5 * k + 0.1 * n, 0.2 * n, 0}, .radius = 0.02, .curvature = n - 0.5};
        const cst_item_row item[2] = {{.owner = CST_ITEM_OBSTACLE, .id = 1, .as = CST_DRAWN_DISK, .vertices = {0, 2}},
                                      {.owner = CST_ITEM_BODY, .id = 1, .as = rod_as, .vertices = {rows, vertices}}};
        const cst_contact_view contact[2] = {contact_of(n == 2 ? 8 : 7, n, 1 + n, CST_CASE_STICK),
                                             contact_of(8, 5, 3, CST_CASE_SLIDE)};
        int touching = n == 1 ? 2 : 1;
        const cst_frame_row frame = {
            .time = 0.1 * n, .step = n, .whole = n, .items = {2 * n, 2}, .contacts = {contacts, touching}};
        const cst_step_report step = {.time = 0.1 * n, .dt = 0.1, .step = n + 1};
        good = good && cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1) &&
               cst_cache_append(cache, CST_TABLE_ITEMS, item, 2) &&
               cst_cache_append(cache, CST_TABLE_VERTICES, vertex, vertices) &&
               cst_cache_append(cache, CST_TABLE_CONTACTS, contact, touching) &&
               cst_cache_append(cache, CST_TABLE_STEPS, &step, 1) && cst_cache_append(cache, CST_TABLE_TIMINGS, &step, 1);
        rows += vertices;
        contacts += touching;
    }
    good = good && cst_cache_commit(cache, message, sizeof message);
    cst_cache_writer_free(cache);
    return good;
}

static int make_run(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/cache.h5", directory);
    return !write_run(CST_DRAWN_CURVE);
}

static int remove_run(void **state)
{
    (void)state;
    return unlink(path) || rmdir(directory);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12))
        fail_msg("%.17g is not %.17g", a, b);
}

typedef struct opened {
    cst_cache *cache;
    cst_run_reader *reader;
} opened;

static opened open_run(void)
{
    char message[256];
    opened run = {.cache = cst_cache_open(directory, message, sizeof message)};
    assert_non_null(run.cache);
    run.reader = cst_run_reader_new(run.cache, message, sizeof message);
    assert_non_null(run.reader);
    return run;
}

static void close_run(opened run)
{
    cst_run_reader_free(run.reader);
    cst_cache_close(run.cache);
}

static cst_moment moment_at(opened run, double time)
{
    char message[256];
    cst_moment now;
    assert_true(cst_run_reader_at(run.reader, time, &now, message, sizeof message));
    return now;
}

static void positions_lie_on_the_line_between_frames(void **state)
{
    (void)state;
    opened run = open_run();
    const double *time;
    assert_int_equal(cst_run_reader_times(run.reader, &time), 3);
    const double ask[] = {0.025, 0.1, 0.0, 0.075, 0.1 + 1e-13, 0.06, -5.0}; /* not in order: frames are read again */
    for (size_t k = 0; k < sizeof ask / sizeof ask[0]; k++) {
        double t = fabs(ask[k] - 0.1) < 1e-9 ? 0.1 : fmax(ask[k], 0);
        cst_moment now = moment_at(run, ask[k]);
        assert_int_equal(now.items, 2);
        assert_int_equal(now.vertices, 5);
        assert_near(now.time, t);
        for (int v = 0; v < 3; v++) {
            const double *p = now.position + 3 * (now.item[1].first + v);
            assert_near(p[0], 0.5 * v + t);
            assert_near(p[1], 2 * t);
            assert_near(now.speed[now.item[1].first + v], sqrt(5.0));
        }
        assert_near(now.curvature[2], 10 * t - 0.5);
        assert_near(now.speed[0], 0);
        assert_near(now.radius[0], 0.4);
    }
    close_run(run);
}

static void another_topology_is_not_interpolated(void **state)
{
    (void)state;
    opened run = open_run();
    cst_moment now = moment_at(run, 0.14);
    assert_int_equal(now.vertices, 5);
    assert_near(now.position[3 * 2], 0.1);
    assert_near(now.speed[2], 0);
    now = moment_at(run, 0.16);
    assert_int_equal(now.vertices, 6);
    assert_near(now.position[3 * 2], 0.2);
    now = moment_at(run, 99);
    assert_near(now.time, 0.2);
    assert_int_equal(now.vertices, 6);
    close_run(run);
}

static void lasting_contacts_move_with_the_bodies(void **state)
{
    (void)state;
    opened run = open_run();
    cst_moment now = moment_at(run, 0.025); /* nearer to the first frame, which has one contact */
    assert_int_equal(now.contacts, 1);
    assert_near(now.contact[0].position[0], 0.25);
    assert_near(now.contact[0].force[1], 1.25);
    now = moment_at(run, 0.075); /* nearer to the second, where another one has come */
    assert_int_equal(now.contacts, 2);
    assert_near(now.contact[0].position[0], 0.75);
    assert_near(now.contact[0].force[1], 1.75);
    assert_near(now.contact[1].position[0], 5);
    close_run(run);
}

static void a_survey_sees_the_whole_run(void **state)
{
    (void)state;
    opened run = open_run();
    static cst_survey survey;
    char message[256];
    assert_true(cst_survey_make(&survey, run.reader, NULL, NULL, message, sizeof message));
    assert_near(survey.bodies.low[0], -0.02);
    assert_near(survey.bodies.high[0], 1.7 + 0.02);
    assert_near(survey.surroundings.low[1], -0.9);
    assert_near(survey.curvature.largest, 1.5);
    assert_true(survey.curvature.negative && !survey.speed.negative);
    assert_near(survey.force.largest, 3);
    assert_near(survey.speed.largest, sqrt(5.0));
    close_run(run);
}

/* Meshes are coloured by speed like rods, so their speeds count too; they have no curvature. */
static void a_survey_sees_the_speed_of_meshes(void **state)
{
    (void)state;
    assert_true(write_run(CST_DRAWN_MESH));
    opened run = open_run();
    static cst_survey survey;
    char message[256];
    assert_true(cst_survey_make(&survey, run.reader, NULL, NULL, message, sizeof message));
    assert_near(survey.speed.largest, sqrt(5.0));
    assert_near(survey.curvature.largest, 0);
    close_run(run);
    assert_true(write_run(CST_DRAWN_CURVE));
}

/* Colour of the middle vertex of the rod and of the ends, for each meaning. */
static void colours_say_what_they_should(void **state)
{
    (void)state;
    opened run = open_run();
    static cst_survey survey;
    char message[256];
    assert_true(cst_survey_make(&survey, run.reader, NULL, NULL, message, sizeof message));
    const cst_theme *theme = cst_theme_of(false);
    cst_moment now = moment_at(run, 0.0);
    double scratch[12];
    cst_rgb colour[6];
    cst_colour_vertices(CST_BY_BODY, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    assert_int_equal(cst_rgb_packed(colour[3]), cst_rgb_packed(cst_body_colour(1)));
    assert_int_equal(cst_rgb_packed(colour[0]), cst_rgb_packed(theme->matter));
    cst_colour_vertices(CST_BY_STICK, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    assert_int_equal(cst_rgb_packed(colour[3]), cst_rgb_packed(cst_case_colour(CST_CASE_STICK)));
    now = moment_at(run, 0.1); /* the one that slides is drawn over the one that sticks */
    cst_colour_vertices(CST_BY_STICK, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    assert_int_equal(cst_rgb_packed(colour[3]), cst_rgb_packed(cst_case_colour(CST_CASE_SLIDE)));
    cst_colour_vertices(CST_BY_FORCE, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    assert_int_equal(cst_rgb_packed(colour[3]), cst_rgb_packed(cst_sequential_colour(theme, 1)));
    cst_colour_vertices(CST_BY_CURVATURE, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    double range = cst_colour_scale_of(CST_BY_CURVATURE, &survey).high;
    assert_int_equal(cst_rgb_packed(colour[3]), cst_rgb_packed(cst_diverging_colour(theme, 0.5 / range)));
    close_run(run);
}

static void an_empty_cache_is_said_to_be_so(void **state)
{
    (void)state;
    char message[256], file[64], folder[] = "/tmp/test_raster_empty_XXXXXX";
    const cst_cache_head head = {.dim = 2, .dt = 0.1, .frame_interval = 0.1, .title = "", .scene = "{}", .source = "{}"};
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/cache.h5", folder);
    cst_cache_writer *writer = cst_cache_create(file, &head, message, sizeof message);
    assert_non_null(writer);
    assert_true(cst_cache_commit(writer, message, sizeof message));
    cst_cache_writer_free(writer);
    cst_cache *cache = cst_cache_open(folder, message, sizeof message);
    assert_non_null(cache);
    assert_null(cst_run_reader_new(cache, message, sizeof message));
    assert_non_null(strstr(message, "not saved a frame"));
    cst_cache_close(cache);
    unlink(file);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_lie_on_the_line_between_frames), cmocka_unit_test(another_topology_is_not_interpolated),
        cmocka_unit_test(lasting_contacts_move_with_the_bodies),    cmocka_unit_test(a_survey_sees_the_whole_run),
        cmocka_unit_test(a_survey_sees_the_speed_of_meshes),        cmocka_unit_test(colours_say_what_they_should),
        cmocka_unit_test(an_empty_cache_is_said_to_be_so),
    };
    return cmocka_run_group_tests(tests, make_run, remove_run);
}
