/* What is changed while a world runs takes effect, leaves the budget of energy in order, and is refused without a trace if it makes no sense. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static char message[512];
static const double NONE[3] = {0.0, 0.0, 0.0};

#define ALLOWED(call)                \
    do {                             \
        if (!(call))                 \
            fail_msg("%s", message); \
    } while (0)

/* The call is refused with a message that has `says` in it, and the world has not changed by a bit. */
#define REFUSED(world, call, says)                           \
    do {                                                     \
        size_t one, two;                                     \
        void *bytes_before = world_bytes(world, &one);       \
        message[0] = '\0';                                   \
        assert_false(call);                                  \
        assert_non_null(strstr(message, says));              \
        void *bytes_after = world_bytes(world, &two);        \
        assert_int_equal(one, two);                          \
        assert_memory_equal(bytes_before, bytes_after, one); \
        free(bytes_before);                                  \
        free(bytes_after);                                   \
    } while (0)

static cst_rod_def cantilever(void)
{
    cst_rod_def def = cst_rod_def_default();
    def.elements = 8;
    def.length = 1.0;
    def.radius = 0.01;
    def.mass_per_length = 0.5;
    def.bending_stiffness = 1.0;
    def.viscosity = 0.01;
    def.clamped = true;
    return def;
}

static void gravity(void **state)
{
    (void)state;
    const double up[3] = {0.0, 9.81, 0.0}, out[3] = {0.0, 0.0, 1.0}, nowhere[3] = {NAN, 0.0, 0.0};
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    const cst_rod_def rod = cantilever();
    world_disk(world, 0.1, 3.0, 0.0);
    world_rod(world, &rod);
    for (int k = 0; k < 100; k++)
        world_step(world);
    cst_energies before, after;
    cst_world_energies(world, &before);
    ALLOWED(cst_world_set_gravity(world, up, message, sizeof message));
    cst_world_energies(world, &after);
    assert_near(after.unexplained, before.unexplained, 1e-12);
    assert_true(fabs(after.gravity - before.gravity) > 1e-3);
    for (int k = 0; k < 200; k++)
        world_step(world);
    double velocity[3];
    const cst_place disk = {.body = 1};
    cst_world_place(world, &disk, NULL, NULL, velocity);
    assert_near(velocity[1], 9.81 * 0.1, 1e-12); /* 100 steps down, 200 up */
    REFUSED(world, cst_world_set_gravity(world, out, message, sizeof message), "plane");
    REFUSED(world, cst_world_set_gravity(world, nowhere, message, sizeof message), "finite");
    cst_world_free(world);
}

static void states(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    world_incline(world, 0.0);
    world_disk(world, 0.1, 0.0, 0.1);
    world_disk(world, 0.1, 1.0, 0.1);
    for (int k = 0; k < 10; k++)
        world_step(world);
    const cst_contact_view *contact;
    assert_int_equal(cst_world_contacts(world, &contact), 2);
    double own[6];
    assert_int_equal(cst_world_body_state(world, 1, own), 6); /* x, y, angle and their rates: docs/cache.md */
    own[1] = 2.0;
    own[3] = 5.0;
    REFUSED(world, cst_world_set_body_state(world, 3, own, 6, message, sizeof message), "no body 3");
    REFUSED(world, cst_world_set_body_state(world, 1, own, 5, message, sizeof message), "6 values of state, not 5");
    const double wrong[6] = {NAN};
    REFUSED(world, cst_world_set_body_state(world, 1, wrong, 6, message, sizeof message), "not finite");
    const double far[6] = {1e300, 1e300, 0.0, 1e300, 1e300, 0.0};
    REFUSED(world, cst_world_set_body_state(world, 1, far, 6, message, sizeof message), "not finite");
    ALLOWED(cst_world_set_body_state(world, 1, own, 6, message, sizeof message));
    assert_int_equal(cst_world_contacts(world, &contact), 1);
    assert_int_equal(contact[0].a.body, 2);
    cst_step_report report = world_step(world);
    assert_int_equal(report.contacts, 1);
    assert_near(report.energy.unexplained, 0.0, 1e-9);
    const cst_place centre = {.body = 1};
    double x[3];
    cst_world_place(world, &centre, x, NULL, NULL);
    assert_near(x[0], own[0] + 5.0 * def.time_step.dt, 1e-12);
    cst_world_free(world);
}

/* A brick slides on flat ground at first without friction, then with that of the world, of the ground, of a material. */
static void friction(void **state)
{
    (void)state;
    const double g = 9.81;
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = 0.0;
    cst_world *world = world_of(&def);
    const cst_obstacle_id ground = world_incline(world, 0.0);
    cst_material_def ice = cst_material_def_default();
    ice.friction = 0.05;
    const cst_material_id material = cst_world_add_material(world, &ice, message, sizeof message);
    static const double corner[8] = {-0.5, -0.1, 0.5, -0.1, 0.5, 0.1, -0.5, 0.1};
    cst_rigid_def brick = cst_rigid_def_default();
    brick.shape = CST_RIGID_POLYGON;
    brick.corner = corner;
    brick.corners = 4;
    brick.mass = 1.0;
    brick.position[1] = 0.1;
    brick.velocity[0] = 10.0;
    world_rigid(world, &brick);
    const cst_place start = {.body = 1};
    const double dt = def.time_step.dt;
    double speed = 10.0;
    for (int part = 0; part < 4; part++) {
        static const double mu[4] = {0.0, 0.2, 0.4, 0.05};
        const cst_surface rough = {.friction = 0.4, .restitution = CST_UNSET}, icy = {material, CST_UNSET, CST_UNSET};
        if (part == 1)
            ALLOWED(cst_world_set_friction(world, 0.2, 0.0, message, sizeof message));
        if (part == 2)
            ALLOWED(cst_world_set_surface(world, (cst_party){.obstacle = ground}, &rough, message, sizeof message));
        if (part == 3)
            ALLOWED(cst_world_set_surface(world, (cst_party){.obstacle = ground}, &icy, message, sizeof message));
        for (int k = 0; k < 50; k++)
            world_step(world);
        speed -= mu[part] * g * 50 * dt;
        assert_near(downhill_speed(world, &start, 0.0), speed, 1e-6);
    }
    ALLOWED(cst_world_set_material(world, material, 0.1, CST_UNSET, message, sizeof message));
    for (int k = 0; k < 50; k++)
        world_step(world);
    assert_near(downhill_speed(world, &start, 0.0), speed - 0.1 * g * 50 * dt, 1e-6);
    for (int k = 0; k < 1000; k++) /* a pair that is set again and again is one pair; UNSET keeps what was said before */
        ALLOWED(cst_world_set_pair(world, (cst_party){.body = 1}, (cst_party){.obstacle = ground}, k < 999 ? 0.3 : CST_UNSET, 0.0,
                                   message, sizeof message));
    world_step(world);
    const cst_contact_view *contact;
    assert_true(cst_world_contacts(world, &contact) > 0);
    assert_near(contact[0].mu, 0.3, 0.0);
    REFUSED(world, cst_world_set_friction(world, -0.1, 0.0, message, sizeof message), "friction");
    REFUSED(world, cst_world_set_friction(world, 0.1, 2.0, message, sizeof message), "restitution");
    REFUSED(world, cst_world_set_material(world, 7, 0.1, 0.0, message, sizeof message), "no material 7");
    const cst_surface unknown = {9, 0.1, 0.1};
    REFUSED(world, cst_world_set_surface(world, (cst_party){.body = 1}, &unknown, message, sizeof message), "no material 9");
    REFUSED(world, cst_world_set_surface(world, (cst_party){.material = 1}, &unknown, message, sizeof message),
            "a body or of an");
    cst_world_free(world);
}

static void tip_of(cst_world *world, double *x)
{
    const cst_place tip = {.body = 1, .at_end = true};
    cst_world_place(world, &tip, x, NULL, NULL);
}

/* Three ways to the same force on the tip: a load, a load that is set later, a force on the last vertex. They step to the same place and do the
 * same work; so do statics and steps to an equilibrium. */
static void loads_and_forces(void **state)
{
    (void)state;
    const double pull[3] = {0.3, -0.7, 0.0};
    for (int way = 0; way < 3; way++) { /* dynamic, quasi-static, statics */
        double tip[3][3], work[3];
        for (int kind = 0; kind < 3; kind++) {
            cst_world_def def = cst_world_def_default(2);
            def.time_step.quasi_static = way == 1;
            cst_world *world = world_of(&def);
            const cst_rod_def rod = cantilever();
            world_rod(world, &rod);
            cst_load_def load = cst_load_def_default();
            load.at = (cst_place){.body = 1, .at_end = true};
            memcpy(load.force, kind == 0 ? pull : NONE, sizeof load.force);
            const cst_load_id id = cst_world_add_load(world, &load, message, sizeof message);
            double force[9][3] = {{0.0}};
            memcpy(force[8], pull, sizeof pull);
            if (kind == 1)
                ALLOWED(cst_world_set_load(world, id, pull, NONE, message, sizeof message));
            if (kind == 2)
                ALLOWED(cst_world_set_forces(world, force[0], 9, message, sizeof message));
            for (int k = 0; k < 20 && way < 2; k++)
                world_step(world);
            if (way == 2)
                ALLOWED(cst_world_find_equilibrium(world, 1e-10, NULL, message, sizeof message));
            tip_of(world, tip[kind]);
            cst_energies energy;
            cst_world_energies(world, &energy);
            work[kind] = energy.loads;
            assert_near(energy.unexplained, 0.0, 1e-3); /* what linearisation leaves */
            cst_world_free(world);
        }
        assert_true(hypot(tip[0][0] - 1.0, tip[0][1]) > 1e-3);
        for (int kind = 1; kind < 3; kind++) {
            for (int c = 0; c < 2; c++)
                assert_near(tip[kind][c], tip[0][c], way == 0 ? 1e-13 : 1e-9);
            assert_near(work[kind], work[0], 1e-9 * fabs(work[0]));
        }
        assert_true(way == 2 || work[0] > 1e-5);
    }
}

/* A constant force f on a free body of mass m in space: v = f t / m, and the work is that of f along the way. */
static void force_on_a_ball(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(3);
    cst_world *world = world_of(&def);
    memset(def.gravity, 0, sizeof def.gravity);
    ALLOWED(cst_world_set_gravity(world, NONE, message, sizeof message));
    cst_rigid_def ball = cst_rigid_def_default();
    ball.shape = CST_RIGID_SPHERE;
    ball.radius = 0.1;
    ball.mass = 2.0;
    world_rigid(world, &ball);
    const double force[3] = {1.0, -2.0, 4.0}, wrong[3] = {1.0, NAN, 0.0};
    REFUSED(world, cst_world_set_forces(world, force, 2, message, sizeof message), "1 vertices, and forces on 2");
    REFUSED(world, cst_world_set_forces(world, wrong, 1, message, sizeof message), "not finite");
    ALLOWED(cst_world_set_forces(world, force, 1, message, sizeof message));
    for (int k = 0; k < 100; k++)
        world_step(world);
    const double *x = cst_world_positions(world), *v = cst_world_velocities(world);
    cst_energies energy;
    double work = 0.0;
    cst_world_energies(world, &energy);
    for (int c = 0; c < 3; c++) {
        assert_near(v[c], force[c] * 0.1 / 2.0, 1e-13);
        work += force[c] * x[c];
    }
    assert_near(energy.loads, work, 1e-12);
    ALLOWED(cst_world_set_forces(world, NULL, 0, message, sizeof message));
    world_step(world);
    assert_near(cst_world_velocities(world)[2], 4.0 * 0.1 / 2.0, 1e-13);
    /* forces are forgotten when a body is added: they would be on others */
    ALLOWED(cst_world_set_forces(world, force, 1, message, sizeof message));
    ball.position[0] = 5.0;
    world_rigid(world, &ball);
    world_step(world);
    assert_near(cst_world_velocities(world)[2], 4.0 * 0.1 / 2.0, 1e-13);
    cst_world_free(world);
}

static void motions(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    const cst_obstacle_id ground = world_incline(world, 0.0);
    cst_rod_def rod = cantilever();
    rod.position[1] = 2.0;
    world_rod(world, &rod);
    world_disk(world, 0.1, 3.0, 0.1);
    cst_constraint_def pin = cst_constraint_def_default();
    pin.a.body = 2;
    const cst_constraint_id held = cst_world_add_constraint(world, &pin, message, sizeof message);
    assert_true(held != 0);
    for (int k = 0; k < 10; k++)
        world_step(world);
    for (int k = 0; k < 100; k++) { /* in every step another key: 1 m/s upwards */
        const double now = cst_world_time(world);
        double x[3][3], turn[3];
        cst_world_obstacle_displacement(world, ground, x[0], turn);
        cst_world_constraint_displacement(world, held, x[1], turn);
        cst_world_root_displacement(world, 1, x[2], turn);
        for (int who = 0; who < 3; who++) {
            cst_key key[2] = {{.time = now}, {.time = now + 1e-3}};
            memcpy(key[0].translation, x[who], sizeof x[who]);
            memcpy(key[1].translation, x[who], sizeof x[who]);
            key[1].translation[1] += who == 0 ? 0.5e-3 : 1e-3;
            const cst_motion motion = {.key = key, .keys = 2};
            ALLOWED(who == 0   ? cst_world_set_obstacle_motion(world, ground, &motion, message, sizeof message)
                    : who == 1 ? cst_world_set_constraint_motion(world, held, &motion, message, sizeof message)
                               : cst_world_set_root_motion(world, 1, &motion, message, sizeof message));
        }
        world_step(world);
    }
    double x[3], turn[3];
    const cst_place root = {.body = 1}, disk = {.body = 2};
    cst_world_obstacle_displacement(world, ground, x, turn);
    assert_near(x[1], 0.05, 1e-12);
    cst_world_place(world, &root, x, NULL, NULL);
    assert_near(x[1], 2.1, 1e-12);
    cst_world_place(world, &disk, x, NULL, NULL);
    assert_near(x[1], 0.2, 1e-6);
    const cst_key jump[1] = {{.translation = {1.0}}}, out[1] = {{.translation = {0.0, 0.0, 1.0}}};
    const cst_motion jumps = {.key = jump, .keys = 1}, leaves = {.key = out, .keys = 1}, none = {.keys = 1};
    REFUSED(world, cst_world_set_obstacle_motion(world, ground, &jumps, message, sizeof message), "must go on");
    REFUSED(world, cst_world_set_obstacle_motion(world, ground, &leaves, message, sizeof message), "leaves the plane");
    REFUSED(world, cst_world_set_obstacle_motion(world, 5, &jumps, message, sizeof message), "no obstacle 5");
    REFUSED(world, cst_world_set_constraint_motion(world, held, &none, message, sizeof message), "no list");
    REFUSED(world, cst_world_set_constraint_motion(world, 9, &none, message, sizeof message), "no constraint 9");
    REFUSED(world, cst_world_set_root_motion(world, 2, &jumps, message, sizeof message), "no clamped start");
    cst_world_free(world);
}

/* The start of a fiber of each model, moved 1 m/s along y. */
static void roots_in_space(void **state)
{
    (void)state;
    for (int model = CST_FIBER_SUPER_HELIX; model <= CST_FIBER_SPRINGS; model++) {
        cst_world_def def = cst_world_def_default(3);
        cst_world *world = world_of(&def);
        cst_fiber_def fiber = cst_fiber_def_default();
        fiber.model = (cst_fiber_model)model;
        fiber.elements = 4;
        fiber.length = 0.4;
        cst_fiber_section(&fiber, 0.01, 0.01, 1000.0, 1e7, 4e6);
        fiber.viscosity = 0.01;
        fiber.clamped = true;
        assert_true(cst_world_add_fiber(world, &fiber, message, sizeof message) != 0);
        const cst_key key[2] = {{.time = 0.0}, {.time = 1.0, .translation = {0.0, 1.0, 0.0}}};
        const cst_motion motion = {.key = key, .keys = 2};
        ALLOWED(cst_world_set_root_motion(world, 1, &motion, message, sizeof message));
        for (int k = 0; k < 100; k++)
            world_step(world);
        const double *x = cst_world_positions(world), *v = cst_world_velocities(world);
        assert_near(x[1], 0.1, 1e-9);
        assert_near(v[1], 1.0, 1e-6);
        cst_world_free(world);
    }
}

static int calls;

static bool count_calls(void *user, cst_world *world)
{
    (void)world;
    calls++;
    return calls <= *(int *)user;
}

static bool stop_at_once(void *user, const cst_friction_progress *now)
{
    (void)user, (void)now;
    calls++;
    return false;
}

static void callbacks(void **state)
{
    (void)state;
    int limit = 5;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    world_incline(world, 0.3);
    const cst_rod_def rod = rod_on_incline(0.3, 10, CST_ROD_AUTO);
    world_rod(world, &rod);
    cst_step_report report;
    calls = 0;
    cst_world_on_step(world, count_calls, &limit);
    for (int k = 0; k < 5; k++)
        world_step(world);
    assert_int_equal(calls, 5);
    REFUSED(world, cst_world_step(world, &report) != CST_INTERRUPTED || strcpy(message, report.message) == NULL, "said stop");
    cst_world_on_step(world, NULL, NULL);
    calls = 0;
    cst_world_on_iteration(world, stop_at_once, NULL);
    REFUSED(world, cst_world_step(world, &report) != CST_INTERRUPTED || strcpy(message, report.message) == NULL, "interrupted");
    assert_true(calls > 0);
    cst_world_on_iteration(world, NULL, NULL);
    world_step(world);
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity),          cmocka_unit_test(states),          cmocka_unit_test(friction),
        cmocka_unit_test(loads_and_forces), cmocka_unit_test(force_on_a_ball), cmocka_unit_test(motions),
        cmocka_unit_test(roots_in_space),   cmocka_unit_test(callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
