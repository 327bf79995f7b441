/* A sheet is a body in the world: flight, energy budget, handles, wind, threads, resume, contact with a plane. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/sanitized.h"
#include "tests/sheet_fixture.h"

typedef struct trial {
    cst_arena arena;
    cst_world *world;
    cst_sheet_def def;
    char message[256];
} trial;

static void begin(trial *t, double dt, int threads)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = dt;
    def.friction.threads = threads;
    cst_arena_begin(&t->arena, NULL);
    t->world = cst_world_new(&def, t->message, sizeof t->message);
    assert_non_null(t->world);
}

static cst_body_id add(trial *t)
{
    const cst_body_id id = cst_world_add_sheet(t->world, &t->def, t->message, sizeof t->message);
    if (!id)
        fail_msg("%s", t->message);
    return id;
}

static void end(trial *t)
{
    cst_world_free(t->world);
    cst_arena_end(&t->arena);
}

static void run(trial *t, int steps, cst_step_report *report)
{
    for (int i = 0; i < steps; ++i)
        if (cst_world_step(t->world, report) != CST_SOLVED)
            fail_msg("step %d: %s", i, report->message);
}

static double *state_of(const trial *t, cst_body_id id, int *size)
{
    *size = cst_world_body_state(t->world, id, NULL);
    double *state = malloc(sizeof(double) * (size_t)*size);
    cst_world_body_state(t->world, id, state);
    return state;
}

/* Let go flat: it falls as one piece, and loses only what implicit Euler does to free fall. */
static void falls_freely(void **state)
{
    (void)state;
    trial t;
    cst_step_report report;
    int size;
    begin(&t, 1e-3, 1);
    t.def = fixture_square(1.0, 4, CST_CUT_STAGGERED, &t.arena);
    t.def.velocity[0] = 0.5;
    const cst_body_id id = add(&t);
    run(&t, 100, &report);
    double *x = state_of(&t, id, &size);
    for (int i = 0; i < t.def.nodes; ++i) {
        assert_true(fabs(x[3 * i] - t.def.position[3 * i] - 0.05) < 1e-12);
        assert_true(fabs(x[3 * i + 2] + 9.81 * 1e-6 * 100.0 * 101.0 / 2.0) < 1e-12);
    }
    assert_true(fabs(report.energy.unexplained) < 1e-12 * report.energy.moved);
    assert_true(report.energy.scheme < 0.0);
    free(x);
    end(&t);
}

/* Flat, held by nothing and without gravity: nothing moves, and the rounding of its energy shortens no step. */
static void rests_without_gravity(void **state)
{
    (void)state;
    trial t;
    cst_step_report report;
    begin(&t, 2e-3, 1);
    assert_true(cst_world_set_gravity(t.world, (const double[3]){0.0, 0.0, 0.0}, t.message, sizeof t.message));
    t.def = fixture_square(0.5, 20, CST_CUT_STAGGERED, &t.arena);
    add(&t);
    for (int i = 0; i < 30; ++i) {
        run(&t, 1, &report);
        assert_int_equal(report.retries, 0);
        assert_true(report.motion < 1e-14);
    }
    end(&t);
}

/* Two corners held: it swings. All works are accounted for with each pair of models, and the handles carry the weight on the mean. */
static void swings_with_its_budget(void **state)
{
    (void)state;
    for (int model = 0; model < CST_MEMBRANE_COUNT * CST_BENDING_COUNT; ++model) {
        trial t;
        cst_step_report report;
        begin(&t, 2e-3, 1);
        t.def = fixture_square(0.3, 5, CST_CUT_CROSSED, &t.arena);
        const int32_t node[2] = {30, 35};
        const cst_key key[3] = {
            {.time = 0.0}, {.time = 0.1, .translation = {0.05, 0.0, 0.02}, .rotation = {0.0, 0.0, 0.3}}, {.time = 0.3}};
        const cst_handle handle = {.node = node,
                                   .nodes = 2,
                                   .motion = {.key = key, .keys = 3, .smooth = true},
                                   .centre = {0.15, 0.3, 0.0},
                                   .release_time = -1.0};
        t.def.handle = &handle;
        t.def.handles = 1;
        t.def.fabric.membrane = (cst_membrane)(model % CST_MEMBRANE_COUNT);
        t.def.fabric.bending = (cst_bending)(model / CST_MEMBRANE_COUNT);
        t.def.fabric.damping = 1e-3;
        t.def.wind =
            (cst_wind){.velocity = {3.0, 1.0, 0.0}, .density = 1.2, .normal = 1.0, .tangential = 0.1, .gust = 0.3, .period = 0.2};
        const cst_body_id id = add(&t);
        double mean = 0.0;
        for (int i = 0; i < (SANITIZED ? 20 : 200); ++i) {
            double force[3];
            run(&t, 1, &report);
            assert_true(cst_world_handle_force(t.world, id, 0, force));
            mean += force[2] / 200.0;
        }
        assert_true(fabs(report.energy.unexplained) < 1e-9 * report.energy.moved);
        if (SANITIZED) { /* what follows needs the whole motion */
            end(&t);
            continue;
        }
        assert_true(report.energy.scheme < 0.0 && report.energy.viscosity < 0.0 && report.energy.constraints != 0.0);
        const double weight = 0.187 * 0.3 * 0.3 * 9.81;
        assert_true(mean > 0.3 * weight && mean < 3.0 * weight);
        double at[3];
        const cst_place place = {.body = id, .node = 30};
        assert_true(cst_world_place_space(t.world, &place, at, NULL, NULL, NULL));
        assert_true(fabs(at[0]) < 1e-12 && fabs(at[1] - 0.3) < 1e-12 && fabs(at[2]) < 1e-12); /* back where it was */
        end(&t);
    }
}

/* Released at a time: it falls from there on, and the handle has no force. */
static void lets_go(void **state)
{
    (void)state;
    trial t;
    cst_step_report report;
    double force[3], low[3];
    const int32_t node[2] = {0, 3};
    const cst_handle handle = {.node = node, .nodes = 2, .release_time = 0.05};
    begin(&t, 1e-3, 1);
    t.def = fixture_square(0.2, 3, CST_CUT_DIAGONAL, &t.arena);
    t.def.handle = &handle;
    t.def.handles = 1;
    const cst_body_id id = add(&t);
    const cst_place place = {.body = id, .node = 0};
    run(&t, 50, &report);
    assert_true(cst_world_handle_force(t.world, id, 0, force) && force[2] > 0.0);
    run(&t, 50, &report);
    assert_true(cst_world_handle_force(t.world, id, 0, force) && force[2] == 0.0);
    assert_true(cst_world_place_space(t.world, &place, low, NULL, NULL, NULL) && low[2] < -1e-3);
    assert_true(fabs(report.energy.unexplained) < 1e-9 * report.energy.moved);
    assert_false(cst_world_handle_force(t.world, id, 1, force));
    end(&t);
}

static void hang(trial *t, int threads, cst_body_id *id, const cst_handle *handle)
{
    begin(t, 2e-3, threads);
    t->def = fixture_square(0.5, 16, CST_CUT_STAGGERED, &t->arena);
    t->def.handle = handle;
    t->def.handles = 1;
    t->def.fabric.membrane = CST_MEMBRANE_MEASURED;
    t->def.wind = (cst_wind){.velocity = {2.0, 1.0, 0.5}, .density = 1.2, .normal = 1.0};
    *id = add(t);
}

/* One thread, two threads, and a stop and a resume: the same bits. */
static void same_bits(void **state)
{
    (void)state;
    const int32_t node[2] = {0, 16};
    const cst_handle handle = {.node = node, .nodes = 2, .release_time = -1.0};
    double *first = NULL;
    int size = 0;
    for (int way = 0; way < 3; ++way) {
        trial t;
        cst_body_id id;
        cst_step_report report;
        hang(&t, way == 1 ? 2 : 1, &id, &handle);
        run(&t, 20, &report);
        if (way == 2) {
            const size_t bytes = cst_world_save(t.world, NULL, 0);
            void *kept = malloc(bytes);
            cst_world_save(t.world, kept, bytes);
            end(&t);
            hang(&t, 1, &id, &handle);
            assert_true(cst_world_load(t.world, kept, bytes, t.message, sizeof t.message));
            free(kept);
        }
        run(&t, 20, &report);
        double *x = state_of(&t, id, &size);
        if (first)
            assert_memory_equal(x, first, sizeof(double) * (size_t)size);
        else
            first = x;
        if (x != first)
            free(x);
        end(&t);
    }
    free(first);
}

/* On a plane of slope alpha: sticks if mu > tan(alpha), otherwise slides with g (sin - mu cos). */
static void slides_on_a_slope(void **state)
{
    (void)state;
    const double alpha = 0.4, g = 9.81;
    for (int way = 0; way < 2; ++way) {
        const double mu = way == 0 ? 0.2 : 0.6;
        trial t;
        cst_step_report report;
        int size;
        begin(&t, 1e-3, 1);
        t.def = fixture_square(0.3, 4, CST_CUT_STAGGERED, &t.arena);
        double *position = (double *)t.def.position;
        for (int i = 0; i < t.def.nodes; ++i) {
            const double u = t.def.rest[2 * i];
            position[3 * i] = u * cos(alpha) - 0.5e-3 * sin(alpha) * -1.0;
            position[3 * i + 2] = -u * sin(alpha) + 0.5e-3 * cos(alpha);
        }
        t.def.surface.friction = mu;
        const cst_body_id id = add(&t);
        cst_obstacle_def plane = cst_obstacle_def_default();
        plane.shape = CST_OBSTACLE_PLANE;
        memcpy(plane.normal, (double[3]){sin(alpha), 0.0, cos(alpha)}, sizeof plane.normal);
        plane.surface.friction = mu;
        assert_true(cst_world_add_obstacle(t.world, &plane, t.message, sizeof t.message));
        run(&t, 100, &report);
        assert_true(report.contacts >= t.def.nodes && report.residual.error <= 1e-8);
        double *x = state_of(&t, id, &size), *v = x + 3 * t.def.nodes, along = 0.0;
        for (int i = 0; i < t.def.nodes; ++i)
            along += (v[3 * i] * cos(alpha) - v[3 * i + 2] * sin(alpha)) / t.def.nodes;
        const double expected = way == 0 ? 0.1 * g * (sin(alpha) - mu * cos(alpha)) : 0.0;
        assert_true(fabs(along - expected) < 1e-6);
        assert_true(fabs(report.energy.unexplained) < 1e-6 * report.energy.moved + 1e-15);
        free(x);
        end(&t);
    }
}

/* A sheet falls on a ball and a box: it stays above both. */
static void lies_on_solids(void **state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        trial t;
        cst_step_report report;
        int size;
        begin(&t, 2e-3, 1);
        t.def = fixture_square(0.4, 8, CST_CUT_STAGGERED, &t.arena);
        for (int i = 0; i < t.def.nodes; ++i)
            ((double *)t.def.position)[3 * i + 2] = 0.102;
        const cst_body_id id = add(&t);
        cst_obstacle_def solid = cst_obstacle_def_default();
        solid.shape = way == 0 ? CST_OBSTACLE_SPHERE : CST_OBSTACLE_BOX;
        solid.radius = 0.1;
        solid.size[0] = solid.size[1] = solid.size[2] = 0.1;
        solid.position[0] = solid.position[1] = 0.2;
        assert_true(cst_world_add_obstacle(t.world, &solid, t.message, sizeof t.message));
        run(&t, 100, &report);
        assert_true(report.contacts > 0 && report.residual.error <= 1e-8);
        double *x = state_of(&t, id, &size);
        for (int i = 0; i < t.def.nodes; ++i) {
            const double dx = x[3 * i] - 0.2, dy = x[3 * i + 1] - 0.2, z = x[3 * i + 2];
            if (way == 0)
                assert_true(sqrt(dx * dx + dy * dy + z * z) > 0.1);
            else
                assert_true(fmax(fmax(fabs(dx), fabs(dy)), z) > 0.1);
        }
        free(x);
        end(&t);
    }
}

/* Memory that ends after so many takes. */
typedef struct budget {
    int left;
    long live;
} budget;

static void *acquire(void *user, size_t bytes)
{
    budget *of = user;
    if (of->left-- <= 0)
        return NULL;
    of->live++;
    return malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((budget *)user)->live -= memory ? 1 : 0;
    free(memory);
}

/* Two sheets whose nodes are all held: handles take one of them through the other, at which no contact force can help. The step that would do it fails, names
 * both and leaves the world as it was, with no triangles that cross. */
static void does_not_pass_through(void **state)
{
    (void)state;
    trial t;
    cst_step_report report;
    const int32_t node[4] = {0, 1, 2, 3};
    const cst_key key[2] = {{.time = 0.0}, {.time = 0.1, .translation = {0.0, 0.0, -0.1}, .rotation = {0.7, 0.0, 0.0}}};
    const cst_handle held = {.node = node, .nodes = 4, .release_time = -1.0},
                     moved = {.node = node, .nodes = 4, .release_time = -1.0, .motion = {.key = key, .keys = 2}};
    begin(&t, 2e-3, 1);
    t.def = fixture_square(0.1, 1, CST_CUT_DIAGONAL, &t.arena);
    assert_int_equal(t.def.nodes, 4);
    t.def.handle = &held;
    t.def.handles = 1;
    add(&t);
    for (int i = 0; i < 4; ++i) {
        ((double *)t.def.position)[3 * i] += 0.05;
        ((double *)t.def.position)[3 * i + 1] += 0.03;
        ((double *)t.def.position)[3 * i + 2] += 0.05;
    }
    t.def.handle = &moved;
    add(&t);
    cst_status status = CST_SOLVED;
    for (int i = 0; i < 2000 && status == CST_SOLVED; ++i)
        status = cst_world_step(t.world, &report);
    assert_int_equal(status, CST_NO_SOLUTION);
    assert_non_null(strstr(report.message, "its surface would pass through body 2"));
    assert_true(cst_world_time(t.world) > 0.02 && cst_world_time(t.world) < 0.06);
    end(&t);
}

/* Every allocation of a sheet, and of its first steps with contacts, fails once: it is said, and nothing is lost. */
static void runs_out_of_memory(void **state)
{
    (void)state;
    int failed = 0;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_sheet_def def = fixture_square(0.2, 3, CST_CUT_STAGGERED, &arena);
    const int32_t node[1] = {0};
    const cst_handle handle = {.node = node, .nodes = 1, .release_time = -1.0};
    def.handle = &handle;
    def.handles = 1;
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_PLANE;
    plane.normal[1] = 0.0;
    plane.normal[2] = 1.0;
    plane.position[2] = -1e-3;
    for (int most = 0; most < 2000; ++most) {
        char message[256] = "";
        budget of = {.left = most};
        cst_world_def world_def = cst_world_def_default(3);
        cst_step_report report = {0};
        world_def.friction.allocator = (cst_allocator){acquire, release, &of};
        cst_world *world = cst_world_new(&world_def, message, sizeof message);
        bool good = world && cst_world_add_sheet(world, &def, message, sizeof message) &&
                    cst_world_add_obstacle(world, &plane, message, sizeof message);
        assert_true(good || message[0]);
        for (int i = 0; good && i < 20; ++i)
            good = cst_world_step(world, &report) <= CST_TOLERANCE_MISSED;
        assert_true(good || message[0] || report.status == CST_OUT_OF_MEMORY);
        cst_world_free(world);
        assert_int_equal(of.live, 0);
        failed += good ? 0 : 1;
        if (good)
            break;
    }
    assert_true(failed > 20 && failed < 2000);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falls_freely),
                                       cmocka_unit_test(rests_without_gravity),
                                       cmocka_unit_test(swings_with_its_budget),
                                       cmocka_unit_test(lets_go),
                                       cmocka_unit_test(same_bits),
                                       cmocka_unit_test(slides_on_a_slope),
                                       cmocka_unit_test(lies_on_solids),
                                       cmocka_unit_test(does_not_pass_through),
                                       cmocka_unit_test(runs_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
