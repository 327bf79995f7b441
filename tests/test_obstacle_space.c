/* Obstacles of space: where their solids are, the secant velocity of their points, what is drawn, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/mesh_space.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "rigid/obstacle.h"

static cst_arena arena;
static char message[256];

static int begin(void **state)
{
    (void)state;
    cst_arena_begin(&arena, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    cst_arena_end(&arena);
    return 0;
}

static cst_obstacle made(const cst_obstacle_def *def)
{
    cst_obstacle obstacle;
    if (!cst_obstacle_create(def, &arena, &obstacle, message, sizeof message))
        fail_msg("%s", message);
    return obstacle;
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", a, b, tolerance);
}

static void near3(const double *a, const double *b, double tolerance)
{
    for (int k = 0; k < 3; k++)
        near(a[k], b[k], tolerance);
}

static const cst_key turning[] = {{.time = 0.0}, {.time = 1.0, .translation = {0.5, -0.25, 1.0}, .rotation = {0.7, -1.1, 0.4}}};

static cst_obstacle_def shape_of(cst_obstacle_shape shape)
{
    cst_obstacle_def def = cst_obstacle_def_default();
    def.shape = shape;
    def.radius = 0.2;
    memcpy(def.size, (const double[3]){0.3, 0.4, 0.5}, sizeof def.size);
    memcpy(def.position, (const double[3]){1.0, 2.0, 3.0}, sizeof def.position);
    memcpy(def.normal, (const double[3]){1.0, 2.0, -2.0}, sizeof def.normal);
    cst_rotation_vector_exp((const double[3]){0.3, 0.2, -0.9}, def.frame);
    return def;
}

static const double tent[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0.6};
static const int32_t tent_sides[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};

static cst_obstacle_def tent_def(void)
{
    cst_obstacle_def def = shape_of(CST_OBSTACLE_MESH);
    def.mesh = (cst_mesh){.vertex = tent, .triangle = tent_sides, .vertices = 5, .triangles = 4};
    def.rounding = 0.01;
    return def;
}

/* ---------------------------------------------------------------------------------------------------------------- solids */

static void test_solids_have_their_sizes(void **state)
{
    (void)state;
    const struct {
        cst_obstacle_shape shape;
        cst_solid_kind kind;
        double size[3];
    } expected[] = {{CST_OBSTACLE_SPHERE, CST_SOLID_SPHERE, {0.2, 0.0, 0.0}},
                    {CST_OBSTACLE_CAPSULE, CST_SOLID_CAPSULE, {0.2, 0.3, 0.0}},
                    {CST_OBSTACLE_BOX, CST_SOLID_BOX, {0.3, 0.4, 0.5}},
                    {CST_OBSTACLE_CYLINDER, CST_SOLID_CYLINDER, {0.2, 0.3, 0.0}}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        cst_obstacle_def def = shape_of(expected[i].shape);
        def.rounding = 0.05;
        cst_obstacle obstacle = made(&def);
        cst_solid solid;
        cst_obstacle_solid(&obstacle, 0.0, &solid);
        assert_true(cst_obstacle_is_solid(&obstacle));
        assert_int_equal(solid.kind, expected[i].kind);
        near3(solid.size, expected[i].size, 0.0);
        near3(solid.position, def.position, 0.0);
        for (int k = 0; k < 9; k++)
            near(solid.frame[k], def.frame[k], 1e-15);
        near(solid.rounding, expected[i].shape >= CST_OBSTACLE_BOX ? 0.05 : 0.0, 0.0);
        cst_obstacle_destroy(&obstacle);
    }
    cst_obstacle_def flat = cst_obstacle_def_default();
    cst_obstacle planar = made(&flat);
    assert_false(cst_obstacle_is_solid(&planar));
    cst_obstacle_destroy(&planar);
}

static void test_plane_has_its_normal_as_third_axis(void **state)
{
    (void)state;
    const double normals[][3] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -3, 0}, {1, 2, -2}, {1e-9, 1, 1e-9}};
    for (size_t i = 0; i < sizeof normals / sizeof *normals; i++) {
        cst_obstacle_def def = shape_of(CST_OBSTACLE_PLANE);
        memcpy(def.normal, normals[i], sizeof def.normal);
        cst_obstacle obstacle = made(&def);
        cst_solid solid;
        cst_obstacle_solid(&obstacle, 0.0, &solid);
        double unit[3], gram[9];
        memcpy(unit, normals[i], sizeof unit);
        cst_normalise3(unit);
        near3((const double[3]){solid.frame[2], solid.frame[5], solid.frame[8]}, unit, 1e-15);
        cst_transposed_product3(solid.frame, solid.frame, gram);
        for (int k = 0; k < 9; k++)
            near(gram[k], k % 4 == 0 ? 1.0 : 0.0, 1e-15);
        double across[3];
        cst_cross3(solid.frame, solid.frame + 3, across);
        near(cst_dot3(across, solid.frame + 6), 1.0, 1e-15);
    }
}

/* A point given in the frame of the solid at `time`, where it is then. */
static void carried(cst_obstacle *obstacle, double time, const double *own, double *out)
{
    cst_solid solid;
    cst_obstacle_solid(obstacle, time, &solid);
    cst_apply3(solid.frame, own, out);
    cst_add3(1.0, solid.position, out);
}

static void test_moved_by_keyframes(void **state)
{
    (void)state;
    cst_obstacle_def def = shape_of(CST_OBSTACLE_BOX);
    def.motion = (cst_motion){.key = turning, .keys = 2};
    cst_obstacle obstacle = made(&def);
    /* At 0.5 s: half the translation, half the rotation vector. */
    double turn[9], own[3] = {0.1, -0.2, 0.3}, expected[3], placed[3], in_frame[3];
    cst_rotation_vector_exp((const double[3]){0.35, -0.55, 0.2}, turn);
    cst_apply3(def.frame, own, in_frame);
    cst_apply3(turn, in_frame, expected);
    cst_add3(1.0, (const double[3]){1.25, 1.875, 3.5}, expected);
    carried(&obstacle, 0.5, own, placed);
    near3(placed, expected, 1e-15);

    const double time = 0.3, dt = 0.1;
    double from[3], to[3], velocity[3];
    carried(&obstacle, time, own, from);
    carried(&obstacle, time + dt, own, to);
    for (int at_end = 0; at_end < 2; at_end++) {
        cst_obstacle_solid_velocity(&obstacle, time, dt, at_end ? time + dt : time, 0, at_end ? to : from, velocity);
        for (int k = 0; k < 3; k++)
            near(velocity[k] * dt, to[k] - from[k], 1e-14);
    }
    cst_obstacle_def still = shape_of(CST_OBSTACLE_BOX);
    cst_obstacle fixed = made(&still);
    cst_obstacle_solid_velocity(&fixed, 0.0, 0.1, 0.0, 0, own, velocity);
    near3(velocity, (const double[3]){0, 0, 0}, 0.0);
    cst_obstacle_destroy(&fixed);
    cst_obstacle_destroy(&obstacle);
}

/* -------------------------------------------------------------------------------------------------------- deforming meshes */

enum { SHAPES = 3 };
static const double shape_times[SHAPES] = {0.0, 1.0, 3.0};

/* The tent as it is, with its top twice as high, and that whole shape turned by a quarter about z. */
static void tent_shapes(double *shape)
{
    memcpy(shape, tent, sizeof tent);
    memcpy(shape + 15, tent, sizeof tent);
    shape[15 + 14] = 1.2;
    for (int i = 0; i < 5; i++) {
        shape[30 + 3 * i] = -shape[15 + 3 * i + 1];
        shape[30 + 3 * i + 1] = shape[15 + 3 * i];
        shape[30 + 3 * i + 2] = shape[15 + 3 * i + 2];
    }
}

static void test_mesh_deforms(void **state)
{
    (void)state;
    double shape[15 * SHAPES];
    tent_shapes(shape);
    cst_obstacle_def def = tent_def();
    def.mesh.vertex = NULL;
    def.mesh_vertex = shape;
    def.mesh_time = shape_times;
    def.mesh_times = SHAPES;
    cst_obstacle obstacle = made(&def);
    memset(shape, 0, sizeof shape); /* it is a copy that counts */
    cst_solid solid;
    const double top[][2] = {{-1.0, 0.6}, {0.0, 0.6}, {0.5, 0.9}, {1.0, 1.2}, {2.0, 1.2}, {0.25, 0.75}, {7.0, 1.2}};
    for (size_t i = 0; i < sizeof top / sizeof *top; i++) {
        cst_obstacle_solid(&obstacle, top[i][0], &solid);
        near(cst_mesh_space_box(solid.mesh).high[2], top[i][1], 1e-15);
    }
    cst_obstacle_solid(&obstacle, 7.0, &solid);
    near(cst_mesh_space_box(solid.mesh).low[0], -1.0, 1e-15);
    double drawn[15], radius[5];
    const cst_drawing drawing = cst_obstacle_draw(&obstacle, 0.5, drawn, radius);
    assert_int_equal(drawing.as, CST_DRAWN_MESH);
    assert_int_equal(drawing.vertices, 5);
    double expected[3];
    cst_apply3(def.frame, (const double[3]){0.5, 0.5, 0.9}, expected);
    cst_add3(1.0, def.position, expected);
    near3(drawn + 12, expected, 1e-15);
    near(radius[4], 0.01, 0.0);
    cst_obstacle_destroy(&obstacle);
}

/* The velocity of a point is that of the same place in its triangle, by another road: vertices drawn at both times. */
static void test_velocity_on_a_deforming_mesh(void **state)
{
    (void)state;
    double shape[15 * SHAPES], from[15], to[15];
    tent_shapes(shape);
    cst_obstacle_def def = tent_def();
    def.mesh_vertex = shape;
    def.mesh_time = shape_times;
    def.mesh_times = SHAPES;
    def.motion = (cst_motion){.key = turning, .keys = 2};
    cst_obstacle obstacle = made(&def);
    const double time = 0.9, dt = 0.2, share[3] = {0.2, 0.3, 0.5};
    cst_obstacle_draw(&obstacle, time, from, NULL);
    cst_obstacle_draw(&obstacle, time + dt, to, NULL);
    for (int32_t part = 0; part < 4; part++) {
        double a[3] = {0}, b[3] = {0}, velocity[3];
        for (int i = 0; i < 3; i++) {
            cst_add3(share[i], from + 3 * tent_sides[3 * part + i], a);
            cst_add3(share[i], to + 3 * tent_sides[3 * part + i], b);
        }
        for (int at_end = 0; at_end < 2; at_end++) {
            cst_obstacle_solid_velocity(&obstacle, time, dt, at_end ? time + dt : time, part, at_end ? b : a, velocity);
            for (int k = 0; k < 3; k++)
                near(velocity[k] * dt, b[k] - a[k], 1e-14);
        }
        /* Above the face by the thickness, it stays above it by as much. */
        double u[3], v[3], above[3], then[3];
        cst_subtract3(from + 3 * tent_sides[3 * part + 1], from + 3 * tent_sides[3 * part], u);
        cst_subtract3(from + 3 * tent_sides[3 * part + 2], from + 3 * tent_sides[3 * part], v);
        cst_cross3(u, v, above);
        cst_normalise3(above);
        cst_add3(0.01, above, a);
        cst_obstacle_solid_velocity(&obstacle, time, dt, time, part, a, velocity);
        memcpy(then, a, sizeof then);
        cst_add3(dt, velocity, then);
        cst_add3(-1.0, b, then);
        cst_subtract3(to + 3 * tent_sides[3 * part + 1], to + 3 * tent_sides[3 * part], u);
        cst_subtract3(to + 3 * tent_sides[3 * part + 2], to + 3 * tent_sides[3 * part], v);
        cst_cross3(u, v, above);
        cst_normalise3(above);
        cst_add3(-0.01, above, then);
        near3(then, (const double[3]){0, 0, 0}, 1e-14);
    }
    cst_obstacle_destroy(&obstacle);
}

/* ---------------------------------------------------------------------------------------------------------------- drawing */

static double volume(const double *vertex, const int32_t *triangle, int triangles, const double *origin)
{
    double six = 0.0;
    for (int i = 0; i < triangles; i++) {
        double corner[9], across[3];
        for (int k = 0; k < 3; k++)
            cst_subtract3(vertex + 3 * triangle[3 * i + k], origin, corner + 3 * k);
        cst_cross3(corner + 3, corner + 6, across);
        six += cst_dot3(corner, across);
    }
    return six / 6.0;
}

static void test_drawn_solids_have_their_volume(void **state)
{
    (void)state;
    double vertex[3 * 256];
    int32_t triangle[3 * 512];
    cst_obstacle_def def = shape_of(CST_OBSTACLE_BOX);
    def.rounding = 0.1;
    cst_obstacle box = made(&def);
    assert_int_equal(cst_obstacle_draw(&box, 0.0, vertex, NULL).vertices, 8);
    assert_int_equal(cst_obstacle_triangles(&box, NULL), 12);
    assert_int_equal(cst_obstacle_triangles(&box, triangle), 12);
    near(volume(vertex, triangle, 12, def.position), 8.0 * 0.4 * 0.5 * 0.6, 1e-14);

    def = shape_of(CST_OBSTACLE_CYLINDER);
    cst_obstacle cylinder = made(&def);
    const int triangles = cst_obstacle_triangles(&cylinder, triangle);
    const cst_drawing drawing = cst_obstacle_draw(&cylinder, 0.0, vertex, NULL);
    assert_int_equal(drawing.as, CST_DRAWN_MESH);
    assert_int_equal(drawing.vertices, cst_obstacle_draw(&cylinder, 0.0, NULL, NULL).vertices);
    const double sector = 0.5 * 0.2 * 0.2 * sin(6.283185307179586 / 48.0); /* a regular 48-gon */
    near(volume(vertex, triangle, triangles, def.position), 48.0 * sector * 0.6, 1e-14);
    cst_obstacle_destroy(&box);
    cst_obstacle_destroy(&cylinder);
}

static void test_drawn_as(void **state)
{
    (void)state;
    double vertex[9], radius[3];
    cst_obstacle_def def = shape_of(CST_OBSTACLE_PLANE);
    cst_obstacle plane = made(&def);
    cst_drawing drawing = cst_obstacle_draw(&plane, 0.0, vertex, radius);
    assert_int_equal(drawing.as, CST_DRAWN_HALF_PLANE);
    assert_int_equal(drawing.vertices, 2);
    near3(vertex, def.position, 0.0);
    near3(vertex + 3, (const double[3]){1.0 + 1.0 / 3.0, 2.0 + 2.0 / 3.0, 3.0 - 2.0 / 3.0}, 1e-15);

    def = shape_of(CST_OBSTACLE_SPHERE);
    def.motion = (cst_motion){.key = turning, .keys = 2};
    cst_obstacle sphere = made(&def);
    drawing = cst_obstacle_draw(&sphere, 1.0, vertex, radius);
    assert_int_equal(drawing.as, CST_DRAWN_DISK);
    assert_int_equal(drawing.vertices, 3);
    near3(vertex, (const double[3]){1.5, 1.75, 4.0}, 1e-15);
    double turn[9], frame[9];
    cst_rotation_vector_exp(turning[1].rotation, turn);
    cst_product3(turn, def.frame, frame);
    for (int k = 0; k < 3; k++) {
        near(vertex[3 + k] - vertex[k], 0.2 * frame[3 * k], 1e-15);
        near(vertex[6 + k] - vertex[k], 0.2 * frame[3 * k + 1], 1e-15);
        near(radius[k], 0.2, 0.0);
    }

    def = shape_of(CST_OBSTACLE_CAPSULE);
    cst_obstacle capsule = made(&def);
    drawing = cst_obstacle_draw(&capsule, 0.0, vertex, radius);
    assert_int_equal(drawing.as, CST_DRAWN_CURVE);
    assert_int_equal(drawing.vertices, 2);
    for (int k = 0; k < 3; k++)
        near(vertex[3 + k] - vertex[k], 0.6 * def.frame[3 * k + 2], 1e-15);
    near(radius[1], 0.2, 0.0);
    assert_int_equal(cst_obstacle_triangles(&capsule, NULL), 0);
    cst_obstacle_destroy(&plane);
    cst_obstacle_destroy(&sphere);
    cst_obstacle_destroy(&capsule);
}

/* --------------------------------------------------------------------------------------------------------------- refusals */

static void refused(const cst_obstacle_def *def, const char *part)
{
    cst_obstacle obstacle;
    if (cst_obstacle_create(def, &arena, &obstacle, message, sizeof message))
        fail_msg("accepted; expected a message with \"%s\"", part);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void test_refusals(void **state)
{
    (void)state;
    cst_obstacle_def def = shape_of((cst_obstacle_shape)99);
    refused(&def, "no such shape: 99");
    def = shape_of(CST_OBSTACLE_PLANE);
    memset(def.normal, 0, sizeof def.normal);
    refused(&def, "normal of the plane");
    def = shape_of(CST_OBSTACLE_SPHERE);
    def.radius = 0.0;
    refused(&def, "radius must be positive");
    def = shape_of(CST_OBSTACLE_BOX);
    def.size[2] = -1.0;
    refused(&def, "each edge of a box");
    def = shape_of(CST_OBSTACLE_CYLINDER);
    def.size[0] = INFINITY;
    refused(&def, "capsule or cylinder");
    def = shape_of(CST_OBSTACLE_BOX);
    def.rounding = NAN;
    refused(&def, "rounding");
    def = shape_of(CST_OBSTACLE_BOX);
    def.frame[0] = 2.0;
    refused(&def, "not a rotation");
    def = shape_of(CST_OBSTACLE_BOX);
    for (int k = 0; k < 9; k++)
        def.frame[k] = -def.frame[k];
    refused(&def, "not a rotation");
    def.frame[0] = NAN;
    refused(&def, "not a rotation");
    def = shape_of(CST_OBSTACLE_BOX);
    def.position[2] = NAN;
    refused(&def, "position");

    def = tent_def();
    def.mesh.triangles = 0;
    refused(&def, "1 triangle");
    def = tent_def();
    def.mesh.vertices = 4;
    refused(&def, "triangle 0 of the mesh has the vertex 4");
    const int32_t twice[] = {0, 1, 1};
    def = tent_def();
    def.mesh.triangle = twice;
    def.mesh.triangles = 1;
    refused(&def, "a vertex twice");
    double broken[15];
    memcpy(broken, tent, sizeof broken);
    broken[7] = INFINITY;
    def = tent_def();
    def.mesh.vertex = broken;
    refused(&def, "vertex 2 of the mesh is not finite");
    double shape[15 * SHAPES];
    tent_shapes(shape);
    def = tent_def();
    def.mesh_vertex = shape;
    def.mesh_time = (const double[]){0.0, 1.0, 1.0};
    def.mesh_times = SHAPES;
    refused(&def, "time 2");
    def.mesh_times = 0;
    refused(&def, "at least one time");

    /* A closed tent inside out; its sides alone may be called closed either way round. */
    int32_t closed[18] = {0, 2, 1, 0, 3, 2};
    memcpy(closed + 6, tent_sides, sizeof tent_sides);
    def = tent_def();
    def.mesh.closed = true;
    def.mesh.triangle = closed;
    def.mesh.triangles = 6;
    cst_obstacle solid = made(&def);
    cst_obstacle_destroy(&solid);
    def.mesh_vertex = shape;
    def.mesh_time = shape_times;
    def.mesh_times = SHAPES;
    solid = made(&def);
    cst_obstacle_destroy(&solid);
    shape[30 + 14] = -1.2;
    refused(&def, "counter-clockwise seen from outside (volume -0.4 m3)");
    def.mesh_vertex = NULL;
    for (int i = 0; i < 6; i++) {
        const int32_t first = closed[3 * i];
        closed[3 * i] = closed[3 * i + 1];
        closed[3 * i + 1] = first;
    }
    refused(&def, "counter-clockwise seen from outside (volume -0.2 m3)");
    def.mesh.triangle = closed + 6;
    def.mesh.triangles = 4;
    cst_obstacle roof = made(&def);
    cst_obstacle_destroy(&roof);
}

/* Few printed digits are enough: the frame is mended. */
static void test_printed_frame_is_mended(void **state)
{
    (void)state;
    cst_obstacle_def def = shape_of(CST_OBSTACLE_BOX);
    for (int k = 0; k < 9; k++)
        def.frame[k] = round(def.frame[k] * 1e7) / 1e7;
    cst_obstacle obstacle = made(&def);
    cst_solid solid;
    double gram[9];
    cst_obstacle_solid(&obstacle, 0.0, &solid);
    cst_transposed_product3(solid.frame, solid.frame, gram);
    for (int k = 0; k < 9; k++)
        near(gram[k], k % 4 == 0 ? 1.0 : 0.0, 1e-15);
    cst_obstacle_destroy(&obstacle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_solids_have_their_sizes, begin, end),
        cmocka_unit_test_setup_teardown(test_plane_has_its_normal_as_third_axis, begin, end),
        cmocka_unit_test_setup_teardown(test_moved_by_keyframes, begin, end),
        cmocka_unit_test_setup_teardown(test_mesh_deforms, begin, end),
        cmocka_unit_test_setup_teardown(test_velocity_on_a_deforming_mesh, begin, end),
        cmocka_unit_test_setup_teardown(test_drawn_solids_have_their_volume, begin, end),
        cmocka_unit_test_setup_teardown(test_drawn_as, begin, end),
        cmocka_unit_test_setup_teardown(test_refusals, begin, end),
        cmocka_unit_test_setup_teardown(test_printed_frame_is_mended, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
