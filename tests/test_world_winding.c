/* A rope wound twice around a post, its contacts holding each other up: forces grow 500-fold along it, which sweeps over contacts carry on
 * by one contact at a time. `auto` took it for a problem without solution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "world_fixture.h"

enum { ON_ARC = SANITIZED ? 48 : 128, LEG = SANITIZED ? 15 : 40, EDGES = ON_ARC + 2 * LEG };
static const double MU = 0.5, TENSION = 10.0, RADIUS = 0.05; /* of a post of radius 0.95 */

/* A helix whose edges touch the post with their middles, straight ends; the directions of both ends. */
static double wind(double *point, double along[2][3])
{
    const double turn = 4.0 * acos(-1.0) / (ON_ARC + 1), out = 1.0 / cos(0.5 * turn), l = 2.0 * out * sin(0.5 * turn);
    const double rise = l * 2.5 * RADIUS / (2.0 * acos(-1.0)), h = hypot(l, rise);
    for (int i = 0; i <= ON_ARC; i++) {
        double *x = point + 3 * (LEG + i);
        x[0] = out * cos(i * turn);
        x[1] = out * sin(i * turn);
        x[2] = i * rise;
    }
    for (int end = 0; end < 2; end++) {
        const double angle = end ? (ON_ARC + 0.5) * turn : -0.5 * turn, *from = point + 3 * (end ? LEG + ON_ARC : LEG);
        const double t[3] = {-sin(angle) * l / h, cos(angle) * l / h, rise / h};
        memcpy(along[end], t, sizeof t);
        for (int i = 1; i <= LEG; i++)
            for (int k = 0; k < 3; k++)
                point[3 * (end ? LEG + ON_ARC + i : LEG - i) + k] = from[k] + (end ? i : -i) * h * t[k];
    }
    return h;
}

/* Equilibrium of one linearised step, pulled by more than it was before: forces are sought from nothing. */
static void a_rope_of_two_turns_is_solved(void **state)
{
    (void)state;
    double point[3 * (EDGES + 1)], along[2][3];
    cst_world_def def = cst_world_def_default(3);
    memset(def.gravity, 0, sizeof def.gravity);
    def.time_step.dt = 1.0;
    def.time_step.quasi_static = def.time_step.relaxation = true; /* one linearised step */
    def.time_step.iterations = 1;
    def.friction_coefficient = MU;
    def.friction.tolerance = 1e-9;
    def.contact.at_centreline = true;
    def.contact.self_contact = false;
    cst_world *world = world_of(&def);
    char message[256] = "";
    cst_fiber_def rope = cst_fiber_def_default();
    rope.model = CST_FIBER_DISCRETE_ROD;
    rope.elements = EDGES;
    rope.length = EDGES * wind(point, along);
    rope.radius = RADIUS;
    rope.bending_stiffness[0] = rope.bending_stiffness[1] = 1.0;
    rope.twisting_stiffness = 2.0 / 3.0;
    rope.mass_per_length = TENSION * TENSION / 12.0;
    rope.point = point;
    memcpy(rope.frame, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, -1}, sizeof rope.frame);
    if (!cst_world_add_fiber(world, &rope, message, sizeof message))
        fail_msg("%s", message);
    cst_obstacle_def post = cst_obstacle_def_default();
    post.shape = CST_OBSTACLE_CYLINDER;
    post.radius = 1.0 - RADIUS;
    post.size[0] = 10.0;
    world_obstacle(world, &post);
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = 1};
    for (int k = 0; k < 3; k++)
        load.force[k] = -TENSION * along[0][k];
    if (!cst_world_add_load(world, &load, message, sizeof message))
        fail_msg("%s", message);
    cst_constraint_def pulled = cst_constraint_def_default();
    pulled.kind = CST_CONSTRAINT_PINNED;
    pulled.a = (cst_place){.body = 1, .at_end = true};
    const cst_key key[2] = {{.time = 0},
                            {.time = 1, .translation = {0.08 * along[1][0], 0.08 * along[1][1], 0.08 * along[1][2]}}};
    pulled.b_follows_a = true;
    pulled.motion = (cst_motion){.key = key, .keys = 2};
    if (!cst_world_add_constraint(world, &pulled, message, sizeof message))
        fail_msg("%s", message);
    cst_step_report report;
    const cst_status status = cst_world_step(world, &report);
    if (status != CST_SOLVED)
        fail_msg("%s: %s, E = %g", cst_status_name(status), report.message, report.residual.error);
    assert_true(report.residual.error <= 1e-9);
    assert_true(report.sliding > ON_ARC / 2);
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_rope_of_two_turns_is_solved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
