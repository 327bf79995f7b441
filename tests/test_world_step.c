/* Steps that fail leave no trace; definitions that make no sense are refused with reasons; empty worlds go on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world_fixture.h"

static cst_world *resting_world(const cst_world_def *def)
{
    cst_world *world = world_of(def);
    world_incline(world, 0.3);
    for (int k = 0; k < 4; k++)
        world_disk(world, 0.1, 0.21 * k, 0.2 - 0.06 * k);
    const cst_rod_def rod = rod_on_incline(0.3, 5, CST_ROD_CHAINED);
    world_rod(world, &rod);
    return world;
}

static bool never(void *user, const cst_friction_progress *progress)
{
    (void)progress;
    return *(const bool *)user;
}

/* The caller's callback says stop in the middle of the friction solve. */
static void interrupted_step(void **state)
{
    (void)state;
    bool go_on = true;
    cst_world_def def = cst_world_def_default(2);
    def.friction.progress = never;
    def.friction.progress_user = &go_on;
    def.friction.solver = CST_SOLVER_GAUSS_SEIDEL;
    cst_world *world = resting_world(&def);
    cst_step_report report;
    for (int k = 0; k < 20; k++)
        world_step(world);
    size_t size, after_size;
    const cst_contact_view *view;
    void *before = world_bytes(world, &size);
    const int contacts = cst_world_contacts(world, &view);
    char message[256];
    /* something new, so that there is something to iterate on */
    cst_load_def push = cst_load_def_default();
    push.at.body = 1;
    push.force[0] = 5.0;
    assert_true(cst_world_add_load(world, &push, message, sizeof message) != 0);
    free(before);
    before = world_bytes(world, &size);
    go_on = false;
    assert_int_equal(cst_world_step(world, &report), CST_INTERRUPTED);
    assert_non_null(strstr(report.message, "interrupted"));
    void *after = world_bytes(world, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    assert_int_equal(cst_world_contacts(world, &view), contacts);
    go_on = true;
    world_step(world);
    free(before);
    free(after);
    cst_world_free(world);
}

/* A force beyond all numbers: the step fails, and says whose. */
static void nothing_infinite(void **state)
{
    (void)state;
    char message[256];
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = resting_world(&def);
    world_step(world);
    cst_rigid_def disk = cst_rigid_def_default();
    disk.name = "doomed";
    disk.radius = 0.1;
    disk.mass = 1e-10;
    disk.position[0] = 9.0;
    disk.position[1] = 9.0;
    const cst_body_id id = world_rigid(world, &disk);
    const double time[] = {0.0, 0.0105, 0.011}, factor[] = {0.0, 0.0, 1.0};
    cst_load_def load = cst_load_def_default();
    load.at.body = id;
    load.force[1] = 1e308;
    load.time = time;
    load.factor = factor;
    load.times = 3;
    assert_true(cst_world_add_load(world, &load, message, sizeof message) != 0);
    cst_step_report report = {0};
    cst_status status = CST_SOLVED;
    size_t size = 0, after_size;
    void *before = NULL;
    for (int k = 0; k < 20 && status == CST_SOLVED; k++) {
        free(before);
        before = world_bytes(world, &size);
        status = cst_world_step(world, &report);
    }
    assert_int_equal(status, CST_BAD_PROBLEM);
    if (!strstr(report.message, "doomed") || !strstr(report.message, "finite"))
        fail_msg("%s", report.message);
    void *after = world_bytes(world, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    cst_world_free(world);
}

/* Every allocation of a step fails once: the step says so or goes through, and a failed one leaves no trace. */
typedef struct failing {
    long left; /* allocations until one fails; negative: none does */
    long live;
} failing;

static void *failing_acquire(void *user, size_t bytes)
{
    failing *f = user;
    if (f->left == 0)
        return NULL;
    f->left -= f->left > 0;
    f->live++;
    return malloc(bytes);
}

static void failing_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((failing *)user)->live--;
    free(memory);
}

static void memory_runs_out(void **state)
{
    (void)state;
    bool met = false;
    for (long fail_at = 0; !met && fail_at < 200; fail_at++) {
        failing memory = {.left = -1};
        cst_world_def def = cst_world_def_default(2);
        def.friction.allocator = (cst_allocator){failing_acquire, failing_release, &memory};
        cst_world *world = resting_world(&def);
        size_t size, after_size;
        void *before = world_bytes(world, &size);
        cst_step_report report;
        memory.left = fail_at;
        const cst_status status = cst_world_step(world, &report);
        if (status == CST_OUT_OF_MEMORY) {
            void *after = world_bytes(world, &after_size);
            assert_int_equal(size, after_size);
            assert_memory_equal(before, after, size);
            free(after);
            assert_non_null(strstr(report.message, "memory"));
            memory.left = -1;
            world_step(world);
        } else {
            assert_int_equal(status, CST_SOLVED);
            met = memory.left > 0; /* not all were needed */
        }
        free(before);
        cst_world_free(world);
        assert_int_equal(memory.live, 0);
    }
    assert_true(met);
}

static void empty_world(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    for (int k = 1; k <= 10; k++) {
        const cst_step_report report = world_step(world);
        assert_int_equal(report.contacts, 0);
        assert_near(report.residual.error, 0.0, 0.0);
        assert_near(report.time, k * 1e-3, 1e-18);
        assert_int_equal(cst_world_whole_steps(world), k);
    }
    world_incline(world, 0.0);
    world_step(world);
    assert_int_equal(cst_world_bodies(world), 0);
    assert_int_equal(cst_world_obstacles(world), 1);
    cst_world_free(world);
    cst_world_free(NULL);
}

static void definition_refused(cst_world_def def, const char *why)
{
    char message[256] = "";
    assert_null(cst_world_new(&def, message, sizeof message));
    if (!strstr(message, why))
        fail_msg("\"%s\" does not say \"%s\"", message, why);
}

static void definitions(void **state)
{
    (void)state;
    definition_refused(cst_world_def_default(4), "dim");
    definition_refused((cst_world_def){0}, "cst_world_def_default");
    const cst_world_def good = cst_world_def_default(2);
#define REFUSED(field, value, why)    \
    do {                              \
        cst_world_def def = good;     \
        def.field = (value);          \
        definition_refused(def, why); \
    } while (0)
    REFUSED(time_step.dt, 0.0, "dt");
    REFUSED(time_step.dt, NAN, "dt");
    REFUSED(time_step.theta, 0.4, "theta");
    REFUSED(time_step.iterations, 0, "iterations");
    REFUSED(time_step.halvings, 31, "halvings");
    REFUSED(time_step.motion_limit, 0.0, "motion_limit");
    REFUSED(time_step.penetration_limit, -1.0, "penetration_limit");
    REFUSED(time_step.calm_steps, 0, "calm_steps");
    REFUSED(contact.margin, -1.0, "margin");
    REFUSED(contact.stabilisation, 1.5, "stabilisation");
    REFUSED(contact.recovery_speed, -1.0, "recovery_speed");
    REFUSED(friction.cookie, 0, "friction");
    REFUSED(friction.tolerance, 0.0, "tolerance");
    REFUSED(friction_coefficient, -0.1, "friction_coefficient");
    REFUSED(restitution, 1.1, "restitution");
    REFUSED(gravity[0], INFINITY, "gravity");
    REFUSED(gravity[2], 1.0, "plane");
#undef REFUSED
}

/* What is added without its default function, or refers to what is not there. */
static void things_refused(void **state)
{
    (void)state;
    char message[256];
    const cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    assert_int_equal(cst_world_add_rod(world, &(cst_rod_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_rod_def_default"));
    assert_int_equal(cst_world_add_rigid(world, &(cst_rigid_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_rigid_def_default"));
    assert_int_equal(cst_world_add_obstacle(world, &(cst_obstacle_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_obstacle_def_default"));
    assert_int_equal(cst_world_add_constraint(world, &(cst_constraint_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_constraint_def_default"));
    assert_int_equal(cst_world_add_load(world, &(cst_load_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_load_def_default"));
    assert_int_equal(cst_world_add_material(world, &(cst_material_def){0}, message, sizeof message), 0);
    assert_non_null(strstr(message, "cst_material_def_default"));
    cst_rigid_def disk = cst_rigid_def_default();
    disk.radius = disk.mass = 1.0;
    disk.surface.material = 3;
    assert_int_equal(cst_world_add_rigid(world, &disk, message, sizeof message), 0);
    assert_non_null(strstr(message, "no material 3"));
    cst_rod_def rod = rod_on_incline(0.0, 2, CST_ROD_AUTO);
    const double friction[2] = {0.1, -3.0};
    rod.element_friction = friction;
    assert_int_equal(cst_world_add_rod(world, &rod, message, sizeof message), 0);
    assert_non_null(strstr(message, "element_friction[1]"));
    assert_int_equal(cst_world_bodies(world) + cst_world_obstacles(world) + cst_world_constraints(world), 0);
    assert_false(cst_world_place(world, &(cst_place){.body = 1}, NULL, NULL, NULL));
    assert_string_equal(cst_world_body_name(world, 1), "");
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(interrupted_step), cmocka_unit_test(nothing_infinite),
                                       cmocka_unit_test(memory_runs_out),  cmocka_unit_test(empty_world),
                                       cmocka_unit_test(definitions),      cmocka_unit_test(things_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
