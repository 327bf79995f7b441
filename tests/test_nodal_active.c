/* Newton's method on the active contacts of a sheet: its answer satisfies the Coulomb law in all contacts, by the residual that knows nothing of
 * the method; also from impulses of zero; each allocation fails in turn; a cloth on which the solver uses the method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction/bodies.h"
#include "friction/nodal_active.h"
#include "tests/failing_allocator.h"
#include "tests/sheet_fixture.h"

enum { MOST = 3000, LEAST_CONTACTS = 20 };
static const double TOLERANCE = 1e-9;

typedef struct seen {
    int problems, allocations;
    double largest;
} seen;

static void begin(const cst_body_problem *problem, double *r, double *compliance, cst_arena *arena, cst_bodies *bodies,
                  cst_mixed *mixed)
{
    const cst_friction_options options = cst_friction_options_default();
    char message[256] = "";
    cst_arena_begin(arena, NULL);
    assert_int_equal(cst_bodies_factor(problem, CST_BODIES_REDUCED, 1, arena, bodies, message, sizeof message), CST_SOLVED);
    assert_int_equal(cst_mixed_begin(mixed, bodies, &options, r, compliance, arena, message, sizeof message), CST_SOLVED);
}

static const cst_method_settings SETTINGS = {.tolerance = 1e-10, .max_iterations = 300};

/* The residual E of the answer of the method that begins with the impulses r. `accelerated`: by the accelerated solver. */
static double error_of(const cst_body_problem *problem, double *r, bool warm, bool accelerated)
{
    const cst_acceleration acceleration = {
        .local = {.solver = CST_LOCAL_DIRECT, .failsafe = true, .tolerance = 1e-12}, .memory = 5, .newton = true};
    double compliance[MOST], v[MOST];
    cst_arena arena;
    cst_bodies bodies;
    cst_mixed mixed;
    cst_residual residual;
    begin(problem, r, compliance, &arena, &bodies, &mixed);
    assert_false(cst_nodal_active_pays(&mixed)); /* few contacts */
    assert_true(cst_nodal_active_is_small(&mixed));
    const cst_accelerated_result result =
        cst_nodal_active_run(&mixed, &SETTINGS, warm, 1, accelerated ? &acceleration : NULL, &arena);
    const int iterations = result.method.iterations, newton = result.newton_iterations;
    assert_true(result.method.converged && !arena.failed && iterations > 0);
    assert_true(accelerated ? newton < iterations : newton == iterations); /* the accelerated solver begins with sweeps */
    cst_nodes_scatter(&mixed.nodes, mixed.v, v);
    assert_true(cst_body_judge_ask(&mixed.judge, v, mixed.r, &residual, NULL));
    cst_arena_end(&arena);
    return residual.error;
}

static void run_out_of_memory(const cst_body_problem *problem, const double *given, seen *of)
{
    bool good = false;
    for (int allowed = 0; !good; ++allowed) {
        double r[MOST], compliance[MOST];
        int left = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_arena arena, small;
        cst_bodies bodies;
        cst_mixed mixed;
        memcpy(r, given, sizeof(double) * 3 * (size_t)problem->contacts);
        begin(problem, r, compliance, &arena, &bodies, &mixed);
        cst_arena_begin(&small, &allocator);
        const cst_accelerated_result result = cst_nodal_active_run(&mixed, &SETTINGS, true, 1, NULL, &small);
        good = !small.failed;
        assert_true(good ? result.method.converged : left < 0);
        of->allocations = allowed;
        cst_arena_end(&small);
        cst_arena_end(&arena);
    }
}

static void compare(void *user, const cst_body_problem *problem, const double *r)
{
    seen *of = user;
    double own[MOST];
    if (problem->contacts < LEAST_CONTACTS || 3 * problem->contacts > MOST)
        return;
    memcpy(own, r, sizeof(double) * 3 * (size_t)problem->contacts);
    of->largest = fmax(of->largest, error_of(problem, own, true, false));
    for (int accelerated = 0; accelerated < 2; ++accelerated) {
        memset(own, 0, sizeof own);
        of->largest = fmax(of->largest, error_of(problem, own, false, accelerated == 1));
    }
    if (of->problems++ == 0)
        run_out_of_memory(problem, r, of);
}

/* A cloth falls on a ball. */
static void all_contacts_obey(void **state)
{
    cst_arena arena;
    seen of = {0};
    cst_step_report report;
    (void)state;
    cst_arena_begin(&arena, NULL);
    cst_world *world = fixture_cloth_over_ball(&arena);
    assert_non_null(world);
    cst_world_watch_friction(world, compare, &of);
    for (int i = 0; i < 60; ++i)
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    print_message("%d problems, E at most %.1e, %d allocations\n", of.problems, of.largest, of.allocations);
    assert_true(of.problems >= 10 && of.allocations > 0);
    assert_true(of.largest <= TOLERANCE);
    cst_world_free(world);
    cst_arena_end(&arena);
}

enum { BALLS = 13 }; /* in a row */

static void count_paying(void *user, const cst_body_problem *problem, const double *r)
{
    static double own[1 << 15], compliance[1 << 15];
    cst_arena arena;
    cst_bodies bodies;
    cst_mixed mixed;
    assert_true(3 * problem->contacts <= 1 << 15);
    memcpy(own, r, sizeof(double) * 3 * (size_t)problem->contacts);
    begin(problem, own, compliance, &arena, &bodies, &mixed);
    *(int *)user += cst_nodal_active_pays(&mixed);
    cst_arena_end(&arena);
}

/* A cloth falls on a field of small balls: the contacts are scattered, and the solver uses the method. */
static void scattered_contacts(void **state)
{
    enum { STEPS = 6 };
    cst_arena arena;
    char message[256] = "";
    int paying = 0;
    cst_step_report report;
    cst_world_def def = cst_world_def_default(3);
    (void)state;
    def.time_step.dt = 2e-3;
    cst_world *world = cst_world_new(&def, message, sizeof message);
    assert_non_null(world);
    cst_arena_begin(&arena, NULL);
    cst_sheet_def cloth = fixture_square(0.52, 52, CST_CUT_STAGGERED, &arena);
    for (int i = 0; i < cloth.nodes; ++i)
        ((double *)cloth.position)[3 * i + 2] = 0.0055;
    assert_true(cst_world_add_sheet(world, &cloth, message, sizeof message));
    for (int i = 0; i < BALLS * BALLS; ++i) {
        cst_obstacle_def ball = cst_obstacle_def_default();
        ball.shape = CST_OBSTACLE_SPHERE;
        ball.radius = 0.005;
        ball.position[0] = 0.02 + 0.04 * (i % BALLS);
        ball.position[1] = 0.02 + 0.04 * (i / BALLS);
        if (!cst_world_add_obstacle(world, &ball, message, sizeof message))
            fail_msg("%s", message);
    }
    cst_world_watch_friction(world, count_paying, &paying);
    for (int i = 0; i < STEPS; ++i)
        assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
    print_message("%d problems with scattered contacts\n", paying);
    assert_true(paying >= 3);
    cst_world_free(world);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_contacts_obey), cmocka_unit_test(scattered_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
