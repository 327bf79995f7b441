/* Obstacles: shapes where their keyframes put them, velocities of their points, drawings, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid/obstacle.h"

static const double PI = 3.141592653589793;

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, not %.17g", found, expected);
}

static cst_arena arena;

static int set_up(void **state)
{
    (void)state;
    cst_arena_begin(&arena, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cst_arena_end(&arena);
    return 0;
}

static cst_obstacle made(const cst_obstacle_def *def)
{
    cst_obstacle obstacle;
    char message[256] = "";
    if (!cst_obstacle_create(def, &arena, &obstacle, message, sizeof message))
        fail_msg("%s", message);
    return obstacle;
}

/* At rest for a second, then to (2, 1) and a quarter turn in two more. */
static const cst_key KEYS[2] = {{.time = 1.0},
                                {.time = 3.0, .translation = {2.0, 1.0, 0.0}, .rotation = {0.0, 0.0, 1.5707963267948966}}};

static cst_obstacle_def moving(cst_obstacle_shape shape)
{
    cst_obstacle_def def = cst_obstacle_def_default();
    def.shape = shape;
    def.position[0] = 0.5;
    def.position[1] = -0.25;
    def.radius = 0.1;
    def.motion = (cst_motion){.key = KEYS, .keys = 2};
    return def;
}

static void half_planes_turn_about_their_point(void **state)
{
    (void)state;
    cst_obstacle_def def = moving(CST_OBSTACLE_HALF_PLANE);
    def.normal[0] = 0.0;
    def.normal[1] = 7.0; /* any length */
    const cst_obstacle obstacle = made(&def);
    assert_int_equal(obstacle.arcs, 0);
    cst_half_plane plane;
    cst_obstacle_half_plane(&obstacle, 0.0, &plane);
    assert_near(plane.normal[0], 0.0, 0.0);
    assert_near(plane.normal[1], 1.0, 0.0);
    assert_near(plane.height, -0.25, 1e-16);
    cst_obstacle_half_plane(&obstacle, 3.0, &plane);
    assert_near(plane.normal[0], -1.0, 1e-15);
    assert_near(plane.normal[1], 0.0, 1e-15);
    assert_near(plane.height, -2.5, 1e-15);
    cst_obstacle_half_plane(&obstacle, 2.0, &plane);
    assert_near(plane.normal[0], -sin(PI / 4), 1e-15);
    assert_near(plane.height, -1.5 * sin(PI / 4) + 0.25 * cos(PI / 4), 1e-15);
}

static void chains_are_joined_segments(void **state)
{
    (void)state;
    const double point[8] = {0.0, 0.0, 0.0, 1.0, 2.0, 1.0, 2.0, 0.0}; /* clockwise: solid inside */
    for (int closed = 0; closed < 2; closed++) {
        cst_obstacle_def def = moving(CST_OBSTACLE_CHAIN);
        def.point = point;
        def.points = 4;
        def.closed = closed == 1;
        def.solid = true;
        const cst_obstacle obstacle = made(&def);
        assert_int_equal(obstacle.arcs, closed ? 4 : 3);
        for (int time = 0; time < 4; time++)
            for (int i = 0; i < obstacle.arcs; i++) {
                cst_arc arc, next;
                cst_obstacle_arc(&obstacle, time, i, &arc);
                assert_true(arc.feature == i && arc.k == 0.0 && arc.solid && !arc.hollow && arc.radius == 0.1);
                assert_true(arc.owner_closed == (closed == 1));
                assert_near(arc.owner_length, closed ? 6.0 : 4.0, 1e-15);
                assert_near(arc.l, i % 2 == 0 ? 1.0 : 2.0, 1e-15);
                if (i + 1 == obstacle.arcs && !closed)
                    continue;
                cst_obstacle_arc(&obstacle, time, (i + 1) % obstacle.arcs, &next);
                assert_near(arc.x[0] + arc.l * cos(arc.angle), next.x[0], 1e-14);
                assert_near(arc.x[1] + arc.l * sin(arc.angle), next.x[1], 1e-14);
                if (i + 1 < obstacle.arcs)
                    assert_near(next.s, arc.s + arc.l, 1e-15);
            }
        cst_arc arc;
        cst_obstacle_arc(&obstacle, 3.0, 1, &arc); /* from (0, 1) along x; turned by a quarter about (2.5, 0.75) */
        assert_near(arc.x[0], 1.5, 1e-15);
        assert_near(arc.x[1], 0.75, 1e-15);
        assert_near(arc.angle, PI / 2, 1e-15);
        double position[12], radius[4];
        const cst_drawing drawing = cst_obstacle_draw(&obstacle, 3.0, position, radius);
        assert_int_equal(drawing.as, closed ? CST_DRAWN_OUTLINE : CST_DRAWN_CURVE);
        assert_int_equal(drawing.vertices, 4);
        assert_near(position[3], 1.5, 1e-15);
        assert_near(radius[2], 0.1, 0.0);
    }
}

static void disks_and_arcs(void **state)
{
    (void)state;
    cst_obstacle_def def = moving(CST_OBSTACLE_DISK);
    def.hollow = true;
    cst_obstacle obstacle = made(&def);
    cst_arc arc;
    cst_obstacle_arc(&obstacle, 3.0, 0, &arc);
    assert_true(arc.hollow && arc.l == 0.0 && arc.radius == 0.1);
    assert_near(arc.x[0], 2.5, 1e-15);
    double position[6];
    assert_int_equal(cst_obstacle_draw(&obstacle, 3.0, position, NULL).as, CST_DRAWN_HOLLOW_DISK);
    assert_near(position[4], 0.75 + 0.1, 1e-15); /* turned up */

    def = moving(CST_OBSTACLE_ARC);
    def.angle = 0.3;
    def.curvature = -2.0;
    def.length = 1.2;
    obstacle = made(&def);
    cst_obstacle_arc(&obstacle, 3.0, 0, &arc);
    assert_near(arc.angle, 0.3 + PI / 2, 1e-15);
    assert_true(arc.k == -2.0 && arc.l == 1.2 && arc.owner_length == 1.2);
    const cst_drawing drawing = cst_obstacle_draw(&obstacle, 0.0, NULL, NULL);
    double *drawn = calloc(3 * (size_t)drawing.vertices, sizeof *drawn);
    cst_obstacle_draw(&obstacle, 0.0, drawn, NULL);
    /* All on the circle of radius 1/2, from the start to the end. */
    const double centre[2] = {0.5 + 0.5 * sin(0.3), -0.25 - 0.5 * cos(0.3)};
    for (int i = 0; i < drawing.vertices; i++)
        assert_near(hypot(drawn[3 * i] - centre[0], drawn[3 * i + 1] - centre[1]), 0.5, 1e-14);
    assert_near(drawn[3 * (drawing.vertices - 1)] - centre[0], 0.5 * cos(0.3 + PI / 2 - 2.4), 1e-14);
    free(drawn);
}

/* A point moved by its secant velocity is where the keyframes put it; told from either end of the step. */
static void velocities_are_secants(void **state)
{
    (void)state;
    cst_obstacle_def def = moving(CST_OBSTACLE_ARC);
    def.angle = 0.3;
    def.curvature = 1.0;
    def.length = 2.0;
    def.motion.smooth = true;
    const cst_obstacle obstacle = made(&def);
    const double dt = 0.4;
    for (int k = 0; k < 8; k++) { /* also across the keys */
        const double time = 0.45 * k;
        cst_arc before, after;
        cst_obstacle_arc(&obstacle, time, 0, &before);
        cst_obstacle_arc(&obstacle, time + dt, 0, &after);
        /* the end of the arc: chord 2 sin(1) at half the angle */
        const double start[2] = {before.x[0] + 2 * sin(1.0) * cos(before.angle + 1.0),
                                 before.x[1] + 2 * sin(1.0) * sin(before.angle + 1.0)};
        const double end[2] = {after.x[0] + 2 * sin(1.0) * cos(after.angle + 1.0),
                               after.x[1] + 2 * sin(1.0) * sin(after.angle + 1.0)};
        double velocity[2], turn;
        for (int from = 0; from < 2; from++) {
            cst_obstacle_velocity(&obstacle, time, dt, from == 0 ? time : time + dt, from == 0 ? start : end, velocity, &turn);
            for (int i = 0; i < 2; i++)
                assert_near(start[i] + dt * velocity[i], end[i], 1e-14);
            assert_near(turn * dt, after.angle - before.angle, 1e-14);
        }
    }
    def.motion = (cst_motion){0};
    const cst_obstacle fixed = made(&def);
    double velocity[2], turn;
    cst_obstacle_velocity(&fixed, 0.0, 0.1, 0.0, (const double[2]){3.0, 4.0}, velocity, &turn);
    assert_true(velocity[0] == 0.0 && velocity[1] == 0.0 && turn == 0.0);
}

static void definitions_are_copied(void **state)
{
    (void)state;
    double point[4] = {0.0, 0.0, 1.0, 0.0};
    char name[] = "wall";
    cst_key key[2] = {KEYS[0], KEYS[1]};
    cst_obstacle_def def = moving(CST_OBSTACLE_CHAIN);
    def.point = point;
    def.points = 2;
    def.name = name;
    def.motion.key = key;
    const cst_obstacle obstacle = made(&def);
    memset(point, 0xff, sizeof point);
    memset(name, 'x', 4);
    memset(key, 0xff, sizeof key);
    cst_arc arc;
    cst_obstacle_arc(&obstacle, 3.0, 0, &arc);
    assert_near(arc.l, 1.0, 0.0);
    assert_near(arc.x[0], 2.5, 1e-15);
    assert_string_equal(obstacle.def.name, "wall");
}

static void refused(cst_obstacle_def def, const char *expected)
{
    cst_obstacle obstacle;
    char message[256] = "";
    if (cst_obstacle_create(&def, &arena, &obstacle, message, sizeof message))
        fail_msg("accepted, not refused with: %s", expected);
    if (!strstr(message, expected))
        fail_msg("\"%s\" does not say \"%s\"", message, expected);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    cst_obstacle_def def = moving(CST_OBSTACLE_HALF_PLANE);
    def.normal[1] = 0.0;
    refused(def, "normal");
    def = moving(CST_OBSTACLE_DISK);
    def.radius = 0.0;
    refused(def, "must be positive");
    def.radius = -1.0;
    refused(def, "0 or more");
    def = moving(CST_OBSTACLE_CHAIN);
    refused(def, "at least 2 points");
    def.point = (const double[4]){0.0, 0.0, 1.0, 1.0};
    def.points = 2;
    def.closed = true;
    refused(def, "at least 3 points");
    def.closed = false;
    def.point = (const double[4]){0.0, 1.0, 0.0, 1.0};
    refused(def, "points 0 and 1 of the chain are the same");
    def.point = (const double[4]){0.0, 1.0, NAN, 1.0};
    refused(def, "point 1 of the chain is not finite");
    def = moving(CST_OBSTACLE_ARC);
    refused(def, "positive length");
    def.length = 1.0;
    def.curvature = 7.0;
    refused(def, "more than once round");
    def = moving(CST_OBSTACLE_DISK);
    def.position[0] = INFINITY;
    refused(def, "position");
    def = moving(CST_OBSTACLE_DISK);
    def.motion.key = (const cst_key[2]){{.time = 1.0}, {.time = 1.0}};
    refused(def, "motion of an obstacle");
    def = moving((cst_obstacle_shape)17);
    refused(def, "no such shape");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_planes_turn_about_their_point),
        cmocka_unit_test(chains_are_joined_segments),
        cmocka_unit_test(disks_and_arcs),
        cmocka_unit_test(velocities_are_secants),
        cmocka_unit_test(definitions_are_copied),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
