/* Newton's linear systems of a sheet in contact: solved by GMRES with the factor of an earlier matrix they have the direction that a factorisation of their own gives. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction/bodies.h"
#include "friction/newton_system.h"
#include "friction/nodal_system.h"
#include "tests/failing_allocator.h"
#include "tests/sheet_fixture.h"

typedef struct seen {
    int problems; /* that were compared */
    double largest;
} seen;

typedef struct prepared {
    cst_arena arena;
    cst_bodies bodies;
    cst_mixed mixed;
    cst_system system;
    cst_newton newton;
} prepared;

static void begin(prepared *p, const cst_body_problem *problem, double *r, double *compliance)
{
    const cst_friction_options options = cst_friction_options_default();
    char message[256] = "";
    cst_arena_begin(&p->arena, NULL);
    assert_int_equal(cst_bodies_factor(problem, CST_BODIES_REDUCED, 1, &p->arena, &p->bodies, message, sizeof message),
                     CST_SOLVED);
    assert_int_equal(cst_mixed_begin(&p->mixed, &p->bodies, &options, r, compliance, &p->arena, message, sizeof message),
                     CST_SOLVED);
    assert_int_equal(cst_nodal_pack(&p->mixed, 1, &p->arena, &p->system, message, sizeof message), CST_SOLVED);
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_FEWER, &p->newton) && p->newton.nodal);
}

/* Three Newton steps from the impulses r, by factorisations and by GMRES: the same directions. */
static void compare(void *user, const cst_body_problem *problem, const double *r)
{
    enum { STEPS = 3, MOST = 3000 };
    seen *of = user;
    const int size = 3 * problem->contacts;
    if (problem->contacts < 20 || size > MOST)
        return;
    double given[MOST], compliance[MOST], x[MOST] = {0}, y[MOST];
    prepared p[2];
    memcpy(given, r, sizeof(double) * (size_t)size);
    for (int k = 0; k < 2; ++k)
        begin(p + k, problem, given, compliance);
    assert_false(p[1].newton.reuse.ready);
    assert_true(cst_newton_reuse_begin(&p[1].arena, &p[1].newton.nodes, &p[1].newton.reuse));
    p[1].newton.reuse.tolerance = 1e-7;
    for (int step = 0; step < STEPS; ++step) {
        const cst_newton_settings settings = {.function = CST_NEWTON_ALART_CURNIER, .proximal = 1e-2, .centre = x};
        double largest = 0.0, apart = 0.0;
        cst_system_multiply(&p[0].system, x, y);
        for (int k = 0; k < 2; ++k)
            assert_true(cst_newton_direction(&p[k].newton, &settings, x, y));
        for (int i = 0; i < size; ++i) {
            largest = fmax(largest, fabs(p[0].newton.direction[i]));
            apart = fmax(apart, fabs(p[0].newton.direction[i] - p[1].newton.direction[i]));
        }
        of->largest = fmax(of->largest, apart / largest);
        of->problems += step > 0 && p[1].newton.stale;
        for (int i = 0; i < size; ++i)
            x[i] += p[0].newton.direction[i];
    }
    for (int k = 0; k < 2; ++k)
        cst_arena_end(&p[k].arena);
}

/* A cloth falls on a ball. */
static void same_directions(void **state)
{
    (void)state;
    cst_arena arena;
    seen of = {0};
    cst_step_report report;
    cst_arena_begin(&arena, NULL);
    cst_world *world = fixture_cloth_over_ball(&arena);
    assert_non_null(world);
    cst_world_watch_friction(world, compare, &of);
    for (int i = 0; i < 60; ++i)
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
    print_message("%d systems by GMRES, directions within %.1e\n", of.problems, of.largest);
    assert_true(of.problems >= 10);
    assert_true(of.largest <= 1e-4); /* the defect of 1e-6 of the largest value that is accepted, times a condition of 100 */
    cst_world_free(world);
    cst_arena_end(&arena);
}

/* Each allocation fails in turn. */
static void memory_runs_out(void **state)
{
    (void)state;
    const cst_system system = {.dim = 3, .contacts = 500};
    const cst_newton_nodes nodes = {.system = &system};
    bool good = false;
    for (int allowed = 0; !good; ++allowed) {
        int left = allowed;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_newton_reuse reuse;
        cst_arena arena;
        assert_true(allowed < 10);
        cst_arena_begin(&arena, &allocator);
        good = cst_newton_reuse_begin(&arena, &nodes, &reuse);
        assert_true(good == !arena.failed && good == reuse.ready && (good || allowed < 5));
        cst_arena_end(&arena);
        assert_true(good || left < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_directions), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
