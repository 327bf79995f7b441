/* Pictures of space: which strand is above, shadows, turning balls, meshes, and how twist is found from directors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cache/twist.h"
#include "render/picture.h"

enum { SIDE = 400, VERTICES_MAX = 64 };

/* A moment put together by hand. */
typedef struct scene {
    cst_moment_item item[8];
    double position[3 * VERTICES_MAX], radius[VERTICES_MAX], zero[3 * VERTICES_MAX];
    cst_triangle_row triangle[16];
    cst_moment moment;
} scene;

static int add(scene *s, cst_item_owner owner, cst_drawn_as as, int vertices, const double (*at)[3], double radius)
{
    cst_moment *m = &s->moment;
    s->item[m->items] =
        (cst_moment_item){.owner = owner, .id = (uint32_t)m->items + 1, .as = as, .first = m->vertices, .vertices = vertices};
    for (int i = 0; i < vertices; i++, m->vertices++) {
        s->radius[m->vertices] = radius;
        for (int k = 0; k < 3; k++)
            s->position[3 * m->vertices + k] = at[i][k];
    }
    m->item = s->item;
    m->position = s->position;
    m->radius = s->radius;
    m->curvature = m->speed = m->director = m->twist = s->zero;
    m->triangle = s->triangle;
    return m->items++;
}

static uint32_t *draw(const scene *s, double azimuth, double elevation, double height)
{
    uint32_t *pixel = malloc((size_t)SIDE * SIDE * sizeof *pixel);
    cst_picture *picture = cst_picture_new(1);
    assert_non_null(pixel);
    assert_non_null(picture);
    const cst_picture_style style = {.plain = true, .density = 1.0};
    const cst_survey survey = {0};
    const cst_camera camera = {.height = height, .azimuth = azimuth, .elevation = elevation};
    const cst_view view = cst_view_make(3, &camera, SIDE, SIDE);
    assert_true(cst_picture_draw(picture, &s->moment, &survey, &style, &view, pixel, SIDE));
    cst_picture_free(picture);
    return pixel;
}

static int channel(uint32_t pixel, int which)
{
    return (int)(pixel >> (8 * which) & 255);
}

static int light(uint32_t pixel)
{
    return channel(pixel, 0) + channel(pixel, 1) + channel(pixel, 2);
}

/* Strand 1 (green) along x passes over strand 2 (violet) along y: at the crossing one sees 1 from above and 2 from below, and the
 * dark rim is drawn by the one that is over. */
static void one_sees_which_strand_is_above(void **state)
{
    (void)state;
    scene s = {0};
    const double over[2][3] = {{-1, 0, 0.1}, {1, 0, 0.1}}, under[2][3] = {{0, -1, -0.1}, {0, 1, -0.1}};
    add(&s, CST_ITEM_BODY, CST_DRAWN_CURVE, 2, over, 0.1);
    add(&s, CST_ITEM_BODY, CST_DRAWN_CURVE, 2, under, 0.1);
    for (int below = 0; below < 2; below++) {
        uint32_t *pixel = draw(&s, -90, below ? -89.9 : 89.9, 2.0);
        const uint32_t crossing = pixel[SIDE / 2 * SIDE + SIDE / 2];
        /* green has more green than red, violet more red than green */
        assert_int_equal(channel(crossing, 1) > channel(crossing, 2), !below);
        /* Across the strand that is over, along the other one: its rim is darker than either strand. */
        int darkest[2] = {999, 999};
        for (int k = 0; k < 60; k++) {
            int beside_x = light(pixel[SIDE / 2 * SIDE + SIDE / 2 + k]),
                beside_y = light(pixel[(SIDE / 2 + k) * SIDE + SIDE / 2]);
            darkest[0] = beside_x < darkest[0] ? beside_x : darkest[0];
            darkest[1] = beside_y < darkest[1] ? beside_y : darkest[1];
        }
        assert_true(darkest[!below] < 150 && darkest[below] > 200);
        free(pixel);
    }
}

/* On a plane, the place below a ball is darker than one far from it; a plane is not seen from behind. */
static void shadows_fall_on_planes(void **state)
{
    (void)state;
    scene s = {0};
    const double plane[2][3] = {{0, 0, 0}, {0, 0, 1}}, ball[1][3] = {{0, 0, 0.6}};
    add(&s, CST_ITEM_OBSTACLE, CST_DRAWN_HALF_PLANE, 2, plane, 0.0);
    add(&s, CST_ITEM_BODY, CST_DRAWN_DISK, 1, ball, 0.2);
    uint32_t *pixel = draw(&s, -90, 20, 2.0);
    /* The light comes from (-0.18, -0.5, 0.85): the middle of the shadow is at 0.6 (0.18, 0.5) / 0.85. */
    const cst_camera camera = {.height = 2.0, .azimuth = -90, .elevation = 20};
    const cst_view view = cst_view_make(3, &camera, SIDE, SIDE);
    const double dark[3] = {0.6 * 0.1796 / 0.8478, 0.6 * 0.4989 / 0.8478, 0}, bright[3] = {-0.3, 0.35, 0};
    int seen[2];
    for (int i = 0; i < 2; i++) {
        double place[3], x, y;
        cst_view_place(&view, i ? bright : dark, place);
        cst_view_pixel(&view, place, &x, &y);
        seen[i] = light(pixel[(int)y * SIDE + (int)x]);
    }
    assert_true(seen[0] < 0.7 * seen[1]);
    assert_true(seen[1] > 600);
    free(pixel);
    pixel = draw(&s, -90, -30, 2.0);
    assert_int_equal(pixel[0] & 0xffffff, 0xffffff);
    assert_int_equal(pixel[(SIDE - 1) * SIDE] & 0xffffff, 0xffffff);
    free(pixel);
}

/* The octants of a ball change places when it turns by a right angle, and are back after two. */
static void balls_show_their_turning(void **state)
{
    (void)state;
    const double angle[3] = {0.0, 0.5, 1.0};
    uint32_t seen[3];
    for (int i = 0; i < 3; i++) {
        scene s = {0};
        const double a = acos(-1.0) * angle[i], ball[3][3] = {{0, 0, 0}, {cos(a), sin(a), 0}, {-sin(a), cos(a), 0}};
        add(&s, CST_ITEM_BODY, CST_DRAWN_DISK, 3, ball, 1.0);
        uint32_t *pixel = draw(&s, 40, 30, 3.0);
        seen[i] = pixel[SIDE / 2 * SIDE + SIDE / 2];
        free(pixel);
    }
    assert_int_equal(seen[0], seen[2]);
    assert_true(abs(light(seen[0]) - light(seen[1])) > 60);
}

/* A cube: each visible face has one shade, and the three differ. */
static void boxes_have_edges(void **state)
{
    (void)state;
    static const int face[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    scene s = {0};
    double corner[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = i >> (2 - k) & 1 ? 1.0 : -1.0;
    int item = add(&s, CST_ITEM_BODY, CST_DRAWN_MESH, 8, (const double(*)[3])corner, 0.0);
    s.item[item].triangles = 12;
    for (int t = 0; t < 12; t++)
        for (int k = 0; k < 3; k++)
            s.triangle[t].corner[k] = face[t][k];
    uint32_t *pixel = draw(&s, -45, 35.26, 8.0);
    const cst_camera camera = {.height = 8.0, .azimuth = -45, .elevation = 35.26};
    const cst_view view = cst_view_make(3, &camera, SIDE, SIDE);
    int shade[3][2];
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 2; i++) {
            double at[3] = {i ? 0.4 : -0.4, i ? -0.4 : 0.4, i ? 0.4 : -0.4}, place[3], x, y;
            at[axis] = axis == 1 ? -1.0 : 1.0;
            cst_view_place(&view, at, place);
            cst_view_pixel(&view, place, &x, &y);
            shade[axis][i] = light(pixel[(int)y * SIDE + (int)x]);
        }
    for (int axis = 0; axis < 3; axis++) {
        assert_true(abs(shade[axis][0] - shade[axis][1]) <= 3);
        assert_true(abs(shade[axis][0] - shade[(axis + 1) % 3][0]) > 20);
    }
    free(pixel);
}

/* A director that turns by tau s about a helix, from the frame that is carried along without twist, has the twist tau. The frame of
 * Frenet turns by the torsion of the helix, which is known. */
static void twist_is_found_from_directors(void **state)
{
    (void)state;
    enum { N = 400 };
    static cst_vertex_row vertex[N];
    static double rate[N];
    const double radius = 0.3, pitch = 0.2, size = radius * radius + pitch * pitch, torsion = pitch / size;
    for (int straight = 0; straight < 2; straight++) {
        for (int i = 0; i < N; i++) {
            const double t = 6.0 * i / (N - 1), c = cos(t), s = sin(t);
            vertex[i] = straight ? (cst_vertex_row){.position = {t, 0, 0}, .director = {0, cos(2.5 * t), sin(2.5 * t)}}
                                 : (cst_vertex_row){.position = {radius * c, radius * s, pitch * t}, .director = {-c, -s, 0}};
        }
        cst_twist_rates(vertex, N, rate);
        for (int i = 2; i < N - 2; i++)
            assert_true(fabs(rate[i] / (straight ? 2.5 : torsion) - 1.0) < 2e-3);
    }
    const cst_vertex_row bare[3] = {{.position = {0, 0, 0}}, {.position = {1, 0, 0}}, {.position = {1, 1, 0}}};
    cst_twist_rates(bare, 3, rate);
    for (int i = 0; i < 3; i++)
        assert_true(rate[i] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sees_which_strand_is_above), cmocka_unit_test(shadows_fall_on_planes),
        cmocka_unit_test(balls_show_their_turning),       cmocka_unit_test(boxes_have_edges),
        cmocka_unit_test(twist_is_found_from_directors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
