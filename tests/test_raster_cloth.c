/* A sheet that folds from frame to frame and is meshed anew: through the cache into moments, colours and pictures.
 * With a directory as its argument it leaves the run there, to look at. */
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

#include "base/rng.h"
#include "cache/cache_write.h"
#include "render/mesh_near.h"
#include "render/picture.h"

enum { FRAMES = 5, CELLS = 36, FINE = 48, PIXELS = 160 };

static char folder[256] = "/tmp/test_raster_cloth_XXXXXX", path[300];

static int cells_of(int frame)
{
    return frame < FRAMES - 1 ? CELLS : FINE;
}

/* A square metre that hangs over a ball, in folds that grow. */
static void place(double u, double v, int frame, double *out)
{
    const double x = u - 0.5, y = v - 0.5, r = hypot(x, y), angle = atan2(y, x), way = frame / (double)(FRAMES - 1);
    const double out_of_ball = fmax(0.0, r - 0.22), in = 1.0 - 0.45 * way * out_of_ball;
    out[0] = x * in;
    out[1] = y * in;
    out[2] = -0.12 * r * r / 0.05 * way * 0.4 - way * (0.9 * out_of_ball - 0.35 * out_of_ball * cos(8.0 * angle)) * 0.9;
}

static int make_vertices(int frame, cst_vertex_row *vertex)
{
    const int n = cells_of(frame);
    for (int k = 0; k < (n + 1) * (n + 1); k++) {
        vertex[k] = (cst_vertex_row){.radius = 2e-3};
        place((k % (n + 1)) / (double)n, (k / (n + 1)) / (double)n, frame, vertex[k].position);
    }
    return (n + 1) * (n + 1);
}

static int make_triangles(int frame, cst_triangle_row *triangle)
{
    const int n = cells_of(frame);
    for (int q = 0; q < n * n; q++) {
        const int32_t a = q / n * (n + 1) + q % n, b = a + 1, c = a + n + 1, d = c + 1;
        triangle[2 * q] = (cst_triangle_row){{a, b, d}};
        triangle[2 * q + 1] = (cst_triangle_row){{a, d, c}};
    }
    return 2 * n * n;
}

/* Sticks at the top, slides around it. */
static int make_contacts(const cst_vertex_row *vertex, int vertices, cst_contact_view *contact)
{
    int count = 0;
    for (int k = 0; k < vertices; k++) {
        const double *p = vertex[k].position, r = hypot(p[0], p[1]);
        if (r > 0.2)
            continue;
        contact[count] = (cst_contact_view){.id = (uint64_t)k + 1,
                                            .a.body = 1,
                                            .b.obstacle = 1,
                                            .position = {p[0] + 1e-4, p[1], p[2] - 2e-3},
                                            .normal = {0, 0, 1},
                                            .force = {0, 0, 1e-3 * (0.25 - r)},
                                            .contact_case = r < 0.12 ? CST_CASE_STICK : CST_CASE_SLIDE,
                                            .mu = 0.3};
        count++;
    }
    return count;
}

static bool write_run(cst_cache_writer *cache)
{
    static cst_vertex_row vertex[(FINE + 1) * (FINE + 1)];
    static cst_triangle_row triangle[2 * FINE * FINE];
    static cst_contact_view contact[(FINE + 1) * (FINE + 1)];
    const cst_vertex_row ball = {.position = {0, 0, -0.245}, .radius = 0.24};
    int64_t rows = 1, triangles = 0, contacts = 0;
    bool good = cst_cache_append(cache, CST_TABLE_VERTICES, &ball, 1);
    for (int n = 0; n < FRAMES && good; n++) {
        const int vertices = make_vertices(n, vertex), touching = n > 0 ? make_contacts(vertex, vertices, contact) : 0;
        const bool fresh = n == 0 || n == FRAMES - 1;
        const int count = make_triangles(n, triangle);
        if (fresh) {
            triangles = cst_cache_rows(cache, CST_TABLE_TRIANGLES);
            good = cst_cache_append(cache, CST_TABLE_TRIANGLES, triangle, count);
        }
        const cst_item_row item[2] = {{.owner = CST_ITEM_OBSTACLE, .id = 1, .as = CST_DRAWN_DISK, .vertices = {0, 1}},
                                      {.owner = CST_ITEM_BODY,
                                       .id = 1,
                                       .as = CST_DRAWN_MESH,
                                       .vertices = {rows, vertices},
                                       .triangles = {triangles, count}}};
        const cst_frame_row frame = {
            .time = 0.1 * n, .step = n, .whole = n, .items = {2 * n, 2}, .contacts = {contacts, touching}};
        const cst_step_report step = {.time = 0.1 * n, .dt = 0.1, .step = n + 1, .contacts = touching};
        good = good && cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1) &&
               cst_cache_append(cache, CST_TABLE_ITEMS, item, 2) &&
               cst_cache_append(cache, CST_TABLE_VERTICES, vertex, vertices) &&
               cst_cache_append(cache, CST_TABLE_CONTACTS, contact, touching) &&
               cst_cache_append(cache, CST_TABLE_STEPS, &step, 1) && cst_cache_append(cache, CST_TABLE_TIMINGS, &step, 1);
        rows += vertices;
        contacts += touching;
    }
    return good;
}

static int make_run(void **state)
{
    (void)state;
    char message[256];
    const char *body = "sheet", *obstacle = "ball";
    const cst_cache_head head = {.dim = 3,
                                 .detail = CST_DETAIL_LIGHT,
                                 .dt = 0.1,
                                 .frame_interval = 0.1,
                                 .tolerance = 1e-8,
                                 .title = "A sheet over a ball, made up",
                                 .scene = "{}",
                                 .source = "{}",
                                 .bodies = 1,
                                 .body_name = &body,
                                 .obstacles = 1,
                                 .obstacle_name = &obstacle};
    snprintf(path, sizeof path, "%s/cache.h5", folder);
    cst_cache_writer *cache = cst_cache_create(path, &head, message, sizeof message);
    const bool good = cache && write_run(cache) && cst_cache_commit(cache, message, sizeof message);
    cst_cache_writer_free(cache);
    return good ? 0 : 1;
}

static int make_temporary_run(void **state)
{
    return mkdtemp(folder) ? make_run(state) : 1;
}

static int remove_run(void **state)
{
    (void)state;
    return unlink(path) || rmdir(folder);
}

typedef struct opened {
    cst_cache *cache;
    cst_run_reader *reader;
} opened;

static opened open_run(void)
{
    char message[256];
    opened run = {.cache = cst_cache_open(folder, message, sizeof message)};
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

static void vertices_move(void **state)
{
    (void)state;
    const opened run = open_run();
    cst_moment now = moment_at(run, 0.25);
    assert_int_equal(now.item[1].triangles, 2 * CELLS * CELLS);
    for (int k = 0; k < now.item[1].vertices; k++) {
        double a[3], b[3];
        place((k % (CELLS + 1)) / (double)CELLS, (k / (CELLS + 1)) / (double)CELLS, 2, a);
        place((k % (CELLS + 1)) / (double)CELLS, (k / (CELLS + 1)) / (double)CELLS, 3, b);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(now.position[3 * (now.item[1].first + k) + c] - 0.5 * (a[c] + b[c])) < 1e-6);
    }
    now = moment_at(run, 0.36); /* meshed anew: the nearer frame, not something in between */
    assert_int_equal(now.item[1].triangles, 2 * FINE * FINE);
    assert_int_equal(now.item[1].vertices, (FINE + 1) * (FINE + 1));
    close_run(run);
}

static void contacts_colour_the_sheet(void **state)
{
    (void)state;
    const opened run = open_run();
    const cst_moment now = moment_at(run, 0.3);
    const cst_survey survey = {0};
    const cst_theme *theme = cst_theme_of(false);
    double *scratch = malloc(2 * (size_t)now.vertices * sizeof *scratch);
    cst_rgb *colour = malloc((size_t)now.vertices * sizeof *colour);
    cst_colour_vertices(CST_BY_STICK, CST_HAIR_BROWN, &now, &survey, theme, scratch, colour);
    int counted[3] = {0};
    for (int k = now.item[1].first; k < now.vertices; k++) {
        const double r = hypot(now.position[3 * k], now.position[3 * k + 1]);
        const cst_rgb expected = r > 0.2 ? theme->plain : cst_case_colour(r < 0.12 ? CST_CASE_STICK : CST_CASE_SLIDE);
        counted[r > 0.2 ? 0 : r < 0.12 ? 1 : 2]++;
        if (fabs(r - 0.2) > 1e-3 && fabs(r - 0.12) > 1e-3) /* rounded positions may be on the other side */
            assert_memory_equal(&colour[k], &expected, sizeof expected);
    }
    assert_true(counted[0] > 100 && counted[1] > 10 && counted[2] > 10);
    free(scratch);
    free(colour);
    close_run(run);
}

static void nearest_vertex(void **state)
{
    (void)state;
    enum { POINTS = 300 };
    double point[3 * POINTS], at[3];
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int k = 0; k < 3 * POINTS; k++)
        point[k] = floor(8.0 * cst_rng_uniform(&rng)) / 8.0; /* many on one x */
    cst_mesh_near *near = cst_mesh_near_new(point, POINTS);
    assert_non_null(near);
    for (int trial = 0; trial < 500; trial++) {
        double least = INFINITY, found = 0.0;
        for (int k = 0; k < 3; k++)
            at[k] = 1.4 * cst_rng_uniform(&rng) - 0.2;
        const int best = cst_mesh_near_find(near, at);
        for (int i = 0; i < POINTS; i++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += (point[3 * i + k] - at[k]) * (point[3 * i + k] - at[k]);
            least = fmin(least, square);
            found = i == best ? square : found;
        }
        assert_true(found == least);
    }
    cst_mesh_near_free(near);
}

static double red(uint32_t pixel)
{
    return (double)((pixel >> 16) & 255);
}

/* From above and from below: both sides are seen, the back a little darker. Along a fold the light changes smoothly. */
static void both_sides_are_seen(void **state)
{
    (void)state;
    static uint32_t pixel[2][PIXELS * PIXELS];
    const opened run = open_run();
    const cst_moment now = moment_at(run, 0.0);
    const cst_survey survey = {0};
    const cst_picture_style style = {.colour_by = CST_BY_BODY, .plain = true, .density = 1.0};
    cst_picture *picture = cst_picture_new(1);
    for (int below = 0; below < 2; below++) {
        const cst_camera camera = {.center = {0.35, 0.35, 0}, .height = 0.2, .azimuth = -90, .elevation = below ? -89 : 89};
        const cst_view view = cst_view_make(3, &camera, PIXELS, PIXELS);
        assert_true(cst_picture_draw(picture, &now, &survey, &style, &view, pixel[below], PIXELS));
    }
    const uint32_t above = pixel[0][PIXELS * PIXELS / 2 + PIXELS / 2], under = pixel[1][PIXELS * PIXELS / 2 + PIXELS / 2];
    assert_true(red(above) > 0.0 && above != 0xffffffffu && under != 0xffffffffu);
    assert_true(red(under) < 0.95 * red(above));
    cst_picture_free(picture);
    close_run(run);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        snprintf(folder, sizeof folder, "%s", argv[1]);
        mkdir(folder, 0777);
        return make_run(NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_move),
        cmocka_unit_test(contacts_colour_the_sheet),
        cmocka_unit_test(nearest_vertex),
        cmocka_unit_test(both_sides_are_seen),
    };
    return cmocka_run_group_tests(tests, make_temporary_run, remove_run);
}
