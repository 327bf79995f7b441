/* What good scenes of three dimensions mean: defaults, fibers and their sections, obstacles, rigid bodies, motions, generators. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collide/distance_segment.h"
#include "math/vector3.h"
#include "scene/define.h"
#include "scene/define_space.h"
#include "scene/scene_data.h"
#include "scene/scene_mesh.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

static cst_scene *read_with(const char *text, const char *const *override, int overrides)
{
    const cst_scene_fault *fault;
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "test.json", override, overrides, NULL);
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s:%d:%d: %s: %s", fault->file, fault->line, fault->column, fault->key, fault->message);
    return scene;
}

static cst_scene *read_text(const char *text)
{
    return read_with(text, NULL, 0);
}

static const cst_json *element(const cst_scene *scene, const char *list, int index)
{
    const cst_json *node = cst_given(scene->root, list)->first;
    while (index-- > 0)
        node = node->next;
    return node;
}

static void near_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * fmax(fabs(expected), 1.0)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void near_vector(const double *value, double x, double y, double z)
{
    near_to(value[0], x);
    near_to(value[1], y);
    near_to(value[2], z);
}

static void column(const double *R, int k, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i + k];
}

/* The defaults of the table are those of the library. */
static void defaults(void **state)
{
    (void)state;
    static const char *const set[] = {"gravity[2]=-1.62"};
    static const char text[] =
        "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"fibers\": [{\"name\": \"f\", \"elements\": 4, \"length\": 1,\n"
        "\"radius\": 0.01, \"mass_per_length\": 1, \"bending_stiffness\": 3}], \"camera\": {\"center\": [1, 2, 3], \"height\": "
        "4,\n"
        "\"elevation\": \"30deg\"}, \"obstacles\": [{\"name\": \"ground\", \"shape\": \"plane\"}]}";
    cst_scene *scene = read_text(text), *moon = read_with(text, set, 1);
    cst_world_def own = cst_define_world(scene->root), library = cst_world_def_default(3), there = cst_define_world(moon->root);
    assert_int_equal(own.dim, 3);
    assert_memory_equal(own.gravity, library.gravity, sizeof own.gravity);
    near_vector(there.gravity, 0, 0, -1.62);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fiber_def f = cst_define_fiber(element(scene, "fibers", 0), NULL, &scratch, NULL), plain = cst_fiber_def_default();
    assert_int_equal(f.model, plain.model);
    assert_int_equal(f.formulation, plain.formulation);
    assert_memory_equal(f.frame, plain.frame, sizeof f.frame);
    assert_memory_equal(f.position, plain.position, sizeof f.position);
    assert_true(f.viscosity == plain.viscosity && f.drag == plain.drag && f.stretching_stiffness == 0.0);
    assert_true(!f.point && !f.curvature && !f.element_radius && !f.clamped && !f.closed && !f.explicit_step);
    assert_true(f.bending_stiffness[0] == 3.0 && f.bending_stiffness[1] == 3.0);
    near_to(f.twisting_stiffness, 2.0); /* EI / (1 + 1/2) */
    near_vector(cst_define_space_obstacle(element(scene, "obstacles", 0), &scratch).normal, 0, 0, 1);
    const cst_scene_camera *camera = cst_scene_view(scene);
    assert_true(camera->given && isnan(camera->azimuth));
    near_vector(camera->center, 1, 2, 3);
    near_to(camera->elevation, pi / 6);
    cst_arena_end(&scratch);
    cst_scene_free(moon);
    cst_scene_free(scene);
}

#define HEAD "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, "
#define STIFF "\"mass_per_length\": 1, \"bending_stiffness\": 1"

static void fibers(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\"fibers\": [\n"
             "{\"name\": \"ellipse\", \"model\": \"discrete-rod\", \"elements\": 2, \"length\": 1, \"section\": [0.02, 0.01],\n"
             " \"density\": 1000, \"young\": 1e7, \"poisson_ratio\": 0.25, \"direction\": [0, 0, -2], \"damping_time\": 0.1,\n"
             " \"natural_curvature\": [[1, 2, 3], [4, 5, 6]], \"curvature\": [7, 8, 9], \"friction\": [0.1, 0.2]},\n"
             "{\"name\": \"curl\", \"elements\": 3, \"length\": 1, \"radius\": [0.01, 0.02, 0.03], " STIFF ",\n"
             " \"twisting_stiffness\": 5, \"curl\": {\"radius\": 0.3, \"pitch\": 2.5132741228718345}, \"direction\": [0, 1, 0],\n"
             " \"normal\": [5, 7, 0]},\n"
             "{\"name\": \"line\", \"points\": [[0, 0, 0], [0, 0, 3], [0, 4, 3]], \"radius\": 0.01, " STIFF
             ", \"position\": [1, 0, 0]},\n"
             "{\"name\": \"shear\", \"elements\": 1, \"length\": 1, \"radius\": 0.02, \"density\": 1, \"young\": 2, "
             "\"shear_modulus\": 7,\n"
             " \"clamped\": true, \"motion\": {\"about\": [0, 0, 1], \"keys\": [{\"time\": 0, \"rotation\": [0, 0, 1]},\n"
             " {\"time\": 1, \"rotation\": {\"axis\": [0, 2, 0], \"angle\": \"90deg\"}}]}, \"position\": [0, 5, 0]},\n"
             "{\"name\": \"knot\", \"model\": \"discrete-rod\", \"elements\": 200, \"length\": 1, \"radius\": 0.002, " STIFF ",\n"
             " \"shape\": {\"kind\": \"overhand_knot\", \"loop\": 0.05, \"clearance\": 0.002}, \"position\": [0, 0, 1]}]}";
    cst_scene *scene = read_text(text);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fiber_def f = cst_define_fiber(element(scene, "fibers", 0), NULL, &scratch, NULL);
    cst_fiber_def direct = cst_fiber_def_default();
    cst_fiber_section(&direct, 0.02, 0.01, 1000, 1e7, 1e7 / 2.5);
    assert_int_equal(f.model, CST_FIBER_DISCRETE_ROD);
    assert_true(f.radius == 0.02 && f.mass_per_length == direct.mass_per_length);
    assert_true(f.stretching_stiffness == direct.stretching_stiffness && f.viscosity == 0.1);
    assert_memory_equal(f.bending_stiffness, direct.bending_stiffness, sizeof f.bending_stiffness);
    assert_true(fabs(f.twisting_stiffness / direct.twisting_stiffness - 1.0) < 1e-14);
    near_vector(f.element_natural_curvature + 3, 4, 5, 6);
    near_vector(f.curvature + 3, 7, 8, 9);
    assert_true(f.element_friction[1] == 0.2 && f.surface.friction == CST_UNSET);
    double t[3], d1[3], d2[3];
    column(f.frame, 0, t);
    near_vector(t, 0, 0, -1);
    f = cst_define_fiber(element(scene, "fibers", 1), NULL, &scratch, NULL);
    /* h = pitch / 2 pi = 0.4: curvature 0.3 / 0.25, twist 0.4 / 0.25 */
    near_vector(f.natural_curvature, 1.6, 0, 1.2);
    assert_true(f.twisting_stiffness == 5.0 && f.element_radius[2] == 0.03 && f.radius == 0.01);
    column(f.frame, 0, t);
    column(f.frame, 1, d1);
    column(f.frame, 2, d2);
    near_vector(t, 0, 1, 0);
    near_vector(d1, 1, 0, 0);
    near_vector(d2, 0, 0, -1);
    f = cst_define_fiber(element(scene, "fibers", 2), NULL, &scratch, NULL);
    assert_int_equal(f.elements, 2);
    near_to(f.length, 7);
    near_vector(f.point + 6, 1, 4, 3);
    near_vector(f.position, 1, 0, 0);
    column(f.frame, 0, t);
    near_vector(t, 0, 0, 1);
    f = cst_define_fiber(element(scene, "fibers", 3), NULL, &scratch, NULL);
    assert_true(fabs(f.twisting_stiffness / (7 * pi * 16e-8 / 2) - 1.0) < 1e-14);
    near_vector(f.root_motion.about, 0, -5, 1);
    near_vector(f.root_motion.key[0].rotation, 0, 0, 1);
    near_vector(f.root_motion.key[1].rotation, 0, pi / 2, 0);
    const char *why = "not looked at";
    f = cst_define_fiber(element(scene, "fibers", 4), NULL, &scratch, &why);
    assert_null(why);
    assert_non_null(f.point);
    double step[3];
    for (int i = 0; i < 200; i++) {
        cst_subtract3(f.point + 3 * i + 3, f.point + 3 * i, step);
        assert_true(fabs(sqrt(cst_dot3(step, step)) - f.length / 200) < 1e-3 * f.length / 200);
    }
    cst_scene *again = read_text(cst_scene_text(scene));
    assert_string_equal(cst_scene_text(again), cst_scene_text(scene));
    cst_scene_free(again);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

/* A natural helix that a generator's separation and a reader of scenes imagine is a helix: all of it at `radius` from an axis. */
static void curls_are_helices(void **state)
{
    (void)state;
    cst_scene *scene = read_text(HEAD "\"fibers\": [{\"name\": \"f\", \"elements\": 40, \"length\": 3, \"radius\": 0.01, " STIFF
                                      ", \"curl\": {\"radius\": 0.2, \"pitch\": 0.7}}]}");
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fiber_def f = cst_define_fiber(element(scene, "fibers", 0), NULL, &scratch, NULL);
    const double *point = cst_fiber_outline(&f, &scratch);
    const double h = 0.7 / (2 * pi), size = sqrt(0.04 + h * h);
    /* The axis is along the constant vector (twist, 0, k2) of the frame; its foot lies at `radius` along the normal d1 = y. */
    const double axis[3] = {h / size, 0, 0.2 / size};
    for (int i = 0; i <= 40; i++) {
        double from[3] = {point[3 * i], point[3 * i + 1] - 0.2, point[3 * i + 2]};
        const double along = cst_dot3(from, axis);
        near_to(along, i * 3.0 / 40 * h / size);
        cst_add3(-along, axis, from);
        near_to(sqrt(cst_dot3(from, from)), 0.2);
    }
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static void obstacles_and_bodies(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "\"obstacles\": [\n"
        "{\"name\": \"post\", \"shape\": \"cylinder\", \"radius\": 0.1, \"ends\": [[0, 0, 1], [4, 0, 1]], \"rounding\": 0.01},\n"
        "{\"name\": \"pill\", \"shape\": \"capsule\", \"radius\": 0.1, \"length\": 2, \"direction\": [0, 3, 0], "
        "\"position\": [1, 2, 3]},\n"
        "{\"name\": \"brick\", \"shape\": \"box\", \"edges\": [1, 2, 3], \"rotation\": {\"axis\": [0, 0, 1], \"angle\": "
        "\"90deg\"}}],\n"
        "\"rigid_bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.5, \"density\": 3},\n"
        "{\"name\": \"pill2\", \"shape\": \"capsule\", \"radius\": 0.5, \"length\": 2, \"density\": 3, \"direction\": [1, 0, "
        "0]},\n"
        "{\"name\": \"box\", \"shape\": \"box\", \"edges\": [1, 2, 3], \"rounding\": 0.1, \"density\": 2, \"inertia\": [1, 2, "
        "3],\n"
        " \"angular_velocity\": [1, 0, 0]},\n"
        "{\"name\": \"full\", \"shape\": \"sphere\", \"radius\": 0.5, \"mass\": 3, \"inertia\": [[2, 1, 0], [1, 3, 0], [0, 0, "
        "4]]}],\n"
        "\"loads\": [{\"name\": \"push\", \"body\": \"ball\", \"at\": [0, 0, 0.5], \"force\": [1, 2, 3], \"moment\": [4, 5, "
        "6]}]}";
    cst_scene *scene = read_text(text);
    cst_arena scratch;
    double axis[3];
    cst_arena_begin(&scratch, NULL);
    cst_obstacle_def post = cst_define_space_obstacle(element(scene, "obstacles", 0), &scratch);
    assert_int_equal(post.shape, CST_OBSTACLE_CYLINDER);
    near_vector(post.position, 2, 0, 1);
    assert_true(post.size[0] == 2.0 && post.rounding == 0.01 && post.radius == 0.1);
    column(post.frame, 2, axis);
    near_vector(axis, 1, 0, 0);
    cst_obstacle_def pill = cst_define_space_obstacle(element(scene, "obstacles", 1), &scratch);
    column(pill.frame, 2, axis);
    near_vector(axis, 0, 1, 0);
    assert_true(pill.size[0] == 1.0 && pill.position[2] == 3.0);
    cst_obstacle_def brick = cst_define_space_obstacle(element(scene, "obstacles", 2), &scratch);
    near_vector(brick.size, 0.5, 1, 1.5);
    column(brick.frame, 0, axis);
    near_vector(axis, 0, 1, 0);
    cst_scene_body here = scene->names.body[0];
    near_to(cst_define_space_rigid(here.node, &here, &scratch).mass, 3 * pi / 6);
    cst_rigid_def pill2 = cst_define_space_rigid(element(scene, "rigid_bodies", 1), NULL, &scratch);
    near_to(pill2.mass, 3 * (pi / 6 + pi / 4 * 2));
    column(pill2.frame, 2, axis);
    near_vector(axis, 1, 0, 0);
    cst_rigid_def box = cst_define_space_rigid(element(scene, "rigid_bodies", 2), NULL, &scratch);
    /* Steiner: volume + surface r + pi (sum of edges) r^2 + 4/3 pi r^3 */
    near_to(box.mass, 2 * (6 + 22 * 0.1 + pi * 6 * 0.01 + 4.0 / 3 * pi * 1e-3));
    assert_true(box.inertia_matrix[4] == 2.0 && box.inertia_matrix[8] == 3.0 && box.inertia_matrix[1] == 0.0);
    assert_true(box.spin[0] == 1.0 && box.radius == 0.1);
    cst_rigid_def full = cst_define_space_rigid(element(scene, "rigid_bodies", 3), NULL, &scratch);
    assert_true(full.inertia_matrix[0] == 2.0 && full.inertia_matrix[3] == 1.0 && full.mass == 3.0);
    cst_load_def push = cst_define_space_load(element(scene, "loads", 0), &scratch);
    near_vector(push.force, 1, 2, 3);
    near_vector(push.moment, 4, 5, 6);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static const char pile[] = HEAD
    "\"generators\": [{\"name\": \"pile\", \"type\": \"random\", \"count\": 76, \"separation\": 0.006, \"turned\": \"any\",\n"
    "\"region\": {\"from\": [-0.1, -0.1, 0.1], \"to\": [0.1, 0.1, 0.4]}, \"seed\": 3, \"of\": {\"fiber\": {\"elements\": 6,\n"
    "\"length\": 0.2, \"radius\": 0.002, \"curl\": {\"radius\": 0.2}, " STIFF ", \"position\": [-0.1, 0, 0]}}}]}";

/* Not one of 76 fibers thrown into a small box comes nearer to another than it was told; and the same on every machine. */
static void piles_do_not_overlap(void **state)
{
    (void)state;
    static const char *const set[] = {"generators.pile.seed=4"};
    cst_scene *scene = read_text(pile), *same = read_text(cst_scene_text(scene)), *other = read_with(pile, set, 1);
    const cst_scene_body *body = scene->names.body;
    assert_int_equal(scene->names.bodies, 76);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    double *line[76], nearest = INFINITY;
    for (int i = 0; i < 76; i++) {
        cst_fiber_def f = cst_define_fiber(body[i].node, &body[i], &scratch, NULL);
        line[i] = cst_fiber_outline(&f, &scratch);
        assert_memory_equal(body[i].shift, same->names.body[i].shift, sizeof body[i].shift);
        assert_memory_equal(body[i].frame, same->names.body[i].frame, sizeof body[i].frame);
        assert_true(body[i].shift[0] != other->names.body[i].shift[0]);
        for (int k = 0; k < i; k++)
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++)
                    nearest = fmin(
                        nearest,
                        cst_segment_segment(line[i] + 3 * a, line[i] + 3 * a + 3, line[k] + 3 * b, line[k] + 3 * b + 3).distance);
    }
    print_message("nearest %g m\n", nearest);
    assert_true(nearest >= 0.006 * (1 - 1e-12) && nearest < 0.009);
    cst_arena_end(&scratch);
    cst_scene_free(other);
    cst_scene_free(same);
    cst_scene_free(scene);
}

/* Rigid bodies keep their distance where they are, also if they are turned about a point that is not their own. */
static void turned_rigid_bodies_keep_their_distance(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "\"generators\": [{\"name\": \"balls\", \"type\": \"random\", \"count\": 40, \"separation\": 0.05, \"turned\": \"any\",\n"
        "\"region\": {\"from\": [-0.1, -0.1, 0.1], \"to\": [0.1, 0.1, 0.4]}, \"of\": {\"rigid_body\": {\"shape\": \"sphere\",\n"
        "\"radius\": 0.02, \"mass\": 1, \"position\": [0.1, 0, 0]}}}]}";
    cst_scene *scene = read_text(text);
    const cst_scene_body *body = scene->names.body;
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_rigid_def ball[40];
    double nearest = INFINITY;
    assert_int_equal(scene->names.bodies, 40);
    for (int i = 0; i < 40; i++) {
        ball[i] = cst_define_space_rigid(body[i].node, &body[i], &scratch);
        for (int k = 0; k < i; k++) {
            double apart[3];
            cst_subtract3(ball[i].position, ball[k].position, apart);
            nearest = fmin(nearest, sqrt(cst_dot3(apart, apart)));
        }
    }
    assert_true(nearest >= 0.05 * (1 - 1e-12) && nearest < 0.07);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

static void rings_grids_and_caps(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "\"generators\": [\n"
        "{\"name\": \"row\", \"type\": \"row\", \"count\": 2, \"spacing\": [1, 2, 3], \"of\": {\"rigid_body\": {\"shape\": "
        "\"sphere\", \"radius\": 0.1, \"mass\": 1}}},\n"
        "{\"name\": \"grid\", \"type\": \"grid\", \"columns\": 2, \"rows\": 3, \"layers\": 2, \"spacing\": [1, 2, 3],\n"
        " \"of\": {\"rigid_body\": {\"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 1}}},\n"
        "{\"name\": \"spokes\", \"type\": \"ring\", \"count\": 4, \"center\": [0, 0, 5], \"of\": {\"fiber\": {\"elements\": 1,\n"
        " \"length\": 1, \"radius\": 0.01, " STIFF ", \"position\": [2, 0, 0], \"clamped\": true, \"motion\": {\"about\": [0, 0, "
        "5],\n"
        " \"keys\": [{\"time\": 0}]}}}},\n"
        "{\"name\": \"hair\", \"type\": \"cap\", \"count\": 300, \"center\": [1, 2, 3], \"radius\": 0.1, \"axis\": [0, 1, 0],\n"
        " \"opening\": \"60deg\", \"of\": {\"fiber\": {\"elements\": 1, \"length\": 1, \"radius\": 1e-3, " STIFF
        ", \"direction\": [0, 0, 1]}}}]}";
    cst_scene *scene = read_text(text);
    const cst_scene_body *body = scene->names.body;
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    assert_int_equal(scene->names.bodies, 2 + 12 + 4 + 300);
    near_vector(body[1].shift, 1, 2, 3);
    assert_string_equal(body[2 + 9].name, "grid_10"); /* second of the second row of the second layer */
    near_vector(body[2 + 9].shift, 1, 2, 3);
    cst_fiber_def spoke = cst_define_fiber(body[15].node, &body[15], &scratch, NULL);
    double t[3];
    near_vector(spoke.position, 0, 2, 5);
    column(spoke.frame, 0, t);
    near_vector(t, 0, 1, 0);
    near_vector(spoke.root_motion.about, 0, -2, 0); /* the centre is where it was told, seen from this root */
    double sum[3] = {0}, low = 1, nearest = INFINITY;
    for (int i = 18; i < 318; i++) {
        cst_fiber_def hair = cst_define_fiber(body[i].node, &body[i], &scratch, NULL);
        double outward[3];
        cst_subtract3(hair.position, (const double[]){1, 2, 3}, outward);
        near_to(cst_normalise3(outward), 0.1);
        column(hair.frame, 0, t);
        near_vector(t, outward[0], outward[1], outward[2]);
        low = fmin(low, outward[1]);
        cst_add3(1.0 / 300, outward, sum);
        for (int k = 18; k < i; k++) {
            double apart[3];
            cst_subtract3(body[i].shift, body[k].shift, apart);
            nearest = fmin(nearest, sqrt(cst_dot3(apart, apart)));
        }
    }
    /* Even: their mean is that of the cap, (1 + cos 60deg) / 2 along the axis; as far apart as 300 places allow, within half. */
    assert_true(low > cos(pi / 3) && low < cos(pi / 3) + 0.01);
    assert_true(fabs(sum[1] - 0.75) < 1e-3 && fabs(sum[0]) < 5e-3 && fabs(sum[2]) < 5e-3);
    double best = 0.1 * sqrt(2 * pi * 0.5 / 300 * 2 / sqrt(3.0));
    print_message("roots %.3g m apart, hexagons would be %.3g m\n", nearest, best);
    assert_true(nearest > 0.5 * best);
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

/* The base of a scene of space may leave all to it. */
static void dimensions_are_inherited(void **state)
{
    (void)state;
    cst_scene *scene = cst_scene_read_file(CAPSTAN_TEST_DATA "/scenes/good/space_extended.json", NULL, 0, NULL);
    const cst_scene_fault *fault;
    assert_non_null(scene);
    if (cst_scene_faults(scene, &fault))
        fail_msg("%s:%d:%d: %s: %s", fault->file, fault->line, fault->column, fault->key, fault->message);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fiber_def f = cst_define_fiber(element(scene, "fibers", 0), NULL, &scratch, NULL);
    assert_true(f.radius == 0.02 && f.elements == 4);
    near_to(f.mass_per_length, 800 * pi * 4e-4); /* density instead of the mass_per_length of the base */
    cst_arena_end(&scratch);
    cst_scene_free(scene);
}

/* Names of meshes are meant from the file they stand in, also in one that is extended; the text that is kept has them from the
 * scene. */
static void meshes(void **state)
{
    (void)state;
    static const char folder[] = CAPSTAN_TEST_DATA "/scenes/good/";
    cst_scene *scene = cst_scene_read_file(CAPSTAN_TEST_DATA "/scenes/good/space_mesh.json", NULL, 0, NULL);
    assert_non_null(scene);
    assert_int_equal(cst_scene_faults(scene, NULL), 0);
    char name[1024], message[512] = "";
    snprintf(name, sizeof name, "%sagain.json", folder);
    const char *text = cst_scene_text(scene);
    cst_scene *again = cst_scene_read_text(text, strlen(text), name, NULL, 0, NULL);
    const cst_scene *both[] = {scene, again};
    for (int i = 0; i < 2; i++) {
        cst_arena scratch;
        cst_arena_begin(&scratch, NULL);
        const cst_json *rock = element(both[i], "obstacles", 0), *sheet = element(both[i], "obstacles", 1);
        const cst_json *growing = element(both[i], "obstacles", 2), *stone = element(both[i], "rigid_bodies", 0);
        assert_string_equal(cst_get_text(rock, "file"), "meshes/tetrahedron.obj");
        cst_obstacle_def def = cst_define_space_obstacle(rock, &scratch);
        if (!cst_scene_add_obstacle_mesh(both[i], rock, &def, &scratch, message, sizeof message))
            fail_msg("%s", message);
        assert_true(def.mesh.closed && def.mesh.triangles == 4 && def.mesh.vertices == 4 && def.rounding == 1e-4);
        near_vector(def.mesh.vertex + 9, 0, 0, 1e-3);
        def = cst_define_space_obstacle(sheet, &scratch);
        assert_true(cst_scene_add_obstacle_mesh(both[i], sheet, &def, &scratch, message, sizeof message));
        assert_true(!def.mesh.closed && def.mesh_times == 0);
        def = cst_define_space_obstacle(growing, &scratch);
        if (!cst_scene_add_obstacle_mesh(both[i], growing, &def, &scratch, message, sizeof message))
            fail_msg("%s", message);
        assert_int_equal(def.mesh_times, 2);
        near_to(def.mesh_time[0], 0.25);
        near_to(def.mesh_time[1], 0.75);
        near_vector(def.mesh_vertex + 12 + 9, 0, 0, 2);
        cst_rigid_def body = cst_define_space_rigid(stone, NULL, &scratch);
        assert_true(cst_scene_add_rigid_mesh(both[i], stone, &body, &scratch, message, sizeof message));
        near_to(body.mass, 1); /* a sixth of the cube */
        cst_arena_end(&scratch);
    }
    cst_world *world = cst_scene_world(scene, 0, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    assert_int_equal(cst_world_obstacle_triangles(world, 1, NULL), 4);
    cst_world_free(world);
    cst_scene_free(again);
    cst_scene_free(scene);
}

/* What is wrong with a file is said where the scene names it. */
static void missing_meshes(void **state)
{
    (void)state;
    static const struct {
        const char *set, *said;
    } cases[] = {{"obstacles.rock.file=meshes/none.obj", "meshes/none.obj: "},
                 {"obstacles.rock.file=meshes/base.json", "meshes/base.json"},
                 {"obstacles.growing.frames.file=meshes/grown.obj", "has a place for a number"},
                 {"obstacles.growing.frames.last=3", "grown_03.obj"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[512] = "";
        cst_scene *scene = cst_scene_read_file(CAPSTAN_TEST_DATA "/scenes/good/space_mesh.json", &cases[i].set, 1, NULL);
        assert_int_equal(cst_scene_faults(scene, NULL), 0);
        assert_null(cst_scene_world(scene, 0, message, sizeof message));
        if (!strstr(message, cases[i].said) || !strstr(message, "obstacles["))
            fail_msg("%s", message);
        print_message("%s\n", strstr(message, "obstacles["));
        cst_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(fibers),
        cmocka_unit_test(curls_are_helices),
        cmocka_unit_test(obstacles_and_bodies),
        cmocka_unit_test(piles_do_not_overlap),
        cmocka_unit_test(turned_rigid_bodies_keep_their_distance),
        cmocka_unit_test(rings_grids_and_caps),
        cmocka_unit_test(dimensions_are_inherited),
        cmocka_unit_test(meshes),
        cmocka_unit_test(missing_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
