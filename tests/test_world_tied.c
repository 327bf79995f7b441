/* Constraints of large groups as rows of the friction problem: the same motion as when they are eliminated, the same forces, works and
 * errors; rows given twice; ties that let go; bits that depend neither on threads nor on a stop. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tied_fibers.h"
#include "world/joined.h"
#include "world/world_state.h"

enum { STATE_MAX = 64, TIED = 0, ELIMINATED = 1 << 20 };

static cst_world *build(const tied_fibers *of, int eliminated_rows)
{
    char message[256] = "";
    cst_world *world = tied_fibers_build(of, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    world->eliminated_rows = eliminated_rows;
    return world;
}

static double largest_difference(const cst_world *a, const cst_world *b, double *largest)
{
    double state[2][STATE_MAX], difference = 0.0;
    for (cst_body_id id = 1; id <= (cst_body_id)a->bodies; id++) {
        const int size = cst_world_body_state(a, id, state[0]);
        assert_true(size <= STATE_MAX);
        cst_world_body_state(b, id, state[1]);
        for (int k = 0; k < size; k++) {
            difference = fmax(difference, fabs(state[0][k] - state[1][k]));
            *largest = fmax(*largest, fabs(state[0][k]));
        }
    }
    return difference;
}

/* Two worlds from the same start, one with tied and one with eliminated constraints: their states stay equal to 1e-8 of the largest one,
 * their constraint forces to 1e-6 N. */
static void both_forms_move_alike(const tied_fibers *of, int steps, int least_contacts)
{
    cst_world *world[2] = {build(of, TIED), build(of, ELIMINATED)};
    int contacts = 0;
    for (int k = 0; k < steps; k++) {
        cst_step_report report[2];
        double largest = 0.0;
        for (int w = 0; w < 2; w++) {
            const cst_status status = cst_world_step(world[w], report + w);
            if (status != CST_SOLVED)
                fail_msg("step %d of form %d: %s, E = %g", k, w, cst_status_name(status), report[w].residual.error);
            assert_true(report[w].residual.error <= of->tolerance);
        }
        assert_int_equal(report[0].contacts, report[1].contacts);
        contacts = report[0].contacts > contacts ? report[0].contacts : contacts;
        const double off = largest_difference(world[0], world[1], &largest);
        if (!(off <= 1e-8 * largest))
            fail_msg("step %d: states differ by %g of %g", k, off, largest);
        for (int c = 0; c < world[0]->constraints; c++) {
            const cst_constraint *x = world[0]->constraint + c, *y = world[1]->constraint + c;
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(x->force[i] - y->force[i]) <= 1e-6);
                assert_true(fabs(x->moment[i] - y->moment[i]) <= 1e-7);
            }
            assert_true(fabs(x->work - y->work) <= 1e-9);
        }
        assert_true(fabs(report[0].constraint_error - report[1].constraint_error) <= 1e-9);
        assert_true(fabs(report[0].energy.unexplained - report[1].energy.unexplained) <= 1e-9);
    }
    assert_true(contacts >= least_contacts);
    cst_world_free(world[0]);
    cst_world_free(world[1]);
}

static void a_heavy_ball_held_by_the_world(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(12);
    of.tolerance = 1e-9;
    of.floor = true;
    both_forms_move_alike(&of, 60, 3);
}

static void a_light_ball_that_falls(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(12);
    of.tolerance = 1e-9;
    of.ball_held = false;
    of.ball_mass = 1e-5;
    of.floor = true;
    both_forms_move_alike(&of, 60, 3);
}

static void every_kind_of_constraint(void **state)
{
    (void)state;
    for (int kind = CST_CONSTRAINT_PINNED; kind <= CST_CONSTRAINT_GUIDED; kind++) {
        tied_fibers of = tied_fibers_default(6);
        of.tolerance = 1e-9;
        of.kind = (cst_constraint_kind)kind;
        both_forms_move_alike(&of, 20, 0);
    }
}

static void a_scheme_that_does_not_damp(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(8);
    of.tolerance = 1e-9;
    of.theta = 0.5;
    of.ball_held = false;
    both_forms_move_alike(&of, 20, 0);
    of.theta = 1.0;
    of.iterations = 5;
    both_forms_move_alike(&of, 10, 0);
}

/* A tie given twice, and one more of the ball with the world: W is singular. */
static void rows_given_twice_change_nothing(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(8);
    of.floor = true;
    of.tolerance = 1e-9;
    cst_world *once = build(&of, TIED), *twice = build(&of, TIED);
    char message[256];
    for (cst_body_id id = 1; id <= 3; id++) {
        cst_constraint_def again = cst_constraint_def_default();
        again.kind = CST_CONSTRAINT_CLAMPED;
        again.a.body = id;
        again.b.body = id > 1 ? 1 : 0;
        assert_true(cst_world_add_constraint(twice, &again, message, sizeof message) != 0);
    }
    for (int k = 0; k < 40; k++) {
        cst_step_report report;
        double largest = 0.0;
        assert_int_equal(cst_world_step(once, &report), CST_SOLVED);
        assert_int_equal(cst_world_step(twice, &report), CST_SOLVED);
        assert_true(largest_difference(once, twice, &largest) <= 1e-8 * fmax(1.0, largest));
    }
    cst_world_free(once);
    cst_world_free(twice);
}

/* A step that went well, its report but for times. */
static void step(cst_world *world)
{
    cst_step_report report;
    assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
    const cst_contact_view *view;
    assert_int_equal(report.contacts, cst_world_contacts(world, &view)); /* ties are no contacts */
}

static void same_bits_for_any_threads_and_after_a_stop(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(100);
    of.floor = true;
    of.ball_held = false;
    cst_world *one = build(&of, CST_JOINED_ROWS_MAX);
    of.threads = 2;
    cst_world *two = build(&of, CST_JOINED_ROWS_MAX), *resumed = build(&of, CST_JOINED_ROWS_MAX);
    char message[256];
    for (int k = 0; k < 30; k++) {
        double largest;
        if (k == 20) {
            const size_t size = cst_world_save(one, NULL, 0);
            void *saved = malloc(size);
            cst_world_save(one, saved, size);
            assert_true(cst_world_load(resumed, saved, size, message, sizeof message));
            free(saved);
        }
        step(one);
        step(two);
        assert_true(largest_difference(one, two, &largest) == 0.0);
        if (k < 20)
            continue;
        step(resumed);
        assert_true(largest_difference(one, resumed, &largest) == 0.0);
    }
    cst_world_free(one);
    cst_world_free(two);
    cst_world_free(resumed);
}

/* Ties that let go one after the other: the group shrinks from rows to an eliminated one to nothing. */
static void ties_let_go(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(14);
    cst_world *world = build(&of, CST_JOINED_ROWS_MAX);
    for (int c = 1; c < world->constraints; c++)
        world->constraint[c].release_time = 2e-3 * c;
    for (int k = 0; k < 20; k++)
        step(world);
    for (int c = 1; c < world->constraints; c++)
        assert_true(world->constraint[c].force[2] == 0.0);
    assert_true(fabs(world->constraint[0].force[2] - 9.81 * of.ball_mass) <= 1e-6); /* the ball alone */
    cst_world_free(world);
}

/* Every allocation of a step fails once, in a world with contacts and in one without: the step says so or goes through, and a failed
 * one leaves no trace: taken again with memory it goes where it would have gone. */
typedef struct failing {
    long left; /* allocations until one fails; negative: none does */
    bool met;
    long live;
} failing;

static void *failing_acquire(void *user, size_t bytes)
{
    failing *f = user;
    if (f->left == 0) {
        f->met = true;
        f->left = -1;
        return NULL;
    }
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

/* Returns how many allocations failed in turn. */
static int fail_each_allocation(const tied_fibers *of, int before, int least_contacts)
{
    enum { MOST = 400 };
    cst_world *whole = build(of, TIED);
    cst_step_report report;
    int failed = 0;
    for (int k = 0; k < before; k++)
        assert_int_equal(cst_world_step(whole, &report), CST_SOLVED);
    const size_t size = cst_world_save(whole, NULL, 0);
    unsigned char *state = malloc(2 * size);
    cst_world_save(whole, state, size);
    assert_int_equal(cst_world_step(whole, &report), CST_SOLVED);
    assert_true(report.contacts >= least_contacts);
    for (long at = 0; at < MOST; at++) {
        failing memory = {.left = -1};
        tied_fibers same = *of;
        same.allocator = (cst_allocator){failing_acquire, failing_release, &memory};
        cst_world *world = build(&same, TIED); /* it has never stepped: all that a step takes is asked for */
        char message[256];
        double largest = 0.0;
        assert_true(cst_world_load(world, state, size, message, sizeof message));
        memory.left = at;
        const cst_status status = cst_world_step(world, &report);
        memory.left = -1;
        assert_true(memory.met ? status == CST_OUT_OF_MEMORY || status == CST_SOLVED : status == CST_SOLVED);
        if (status == CST_OUT_OF_MEMORY) {
            assert_int_equal(cst_world_save(world, state + size, size), size);
            assert_memory_equal(state, state + size, size);
            assert_int_equal(cst_world_step(world, &report), CST_SOLVED);
        }
        assert_true(largest_difference(whole, world, &largest) == 0.0);
        failed += memory.met;
        cst_world_free(world);
        assert_int_equal(memory.live, 0);
        if (!memory.met)
            break;
        assert_true(at + 1 < MOST);
    }
    free(state);
    cst_world_free(whole);
    return failed;
}

static void out_of_memory_leaves_no_trace(void **state)
{
    (void)state;
    tied_fibers of = tied_fibers_default(6);
    assert_true(fail_each_allocation(&of, 0, 0) > 10);
    of.fibers = 12;
    of.floor = true;
    assert_true(fail_each_allocation(&of, 30, 1) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_ball_held_by_the_world),
        cmocka_unit_test(a_light_ball_that_falls),
        cmocka_unit_test(every_kind_of_constraint),
        cmocka_unit_test(a_scheme_that_does_not_damp),
        cmocka_unit_test(rows_given_twice_change_nothing),
        cmocka_unit_test(same_bits_for_any_threads_and_after_a_stop),
        cmocka_unit_test(ties_let_go),
        cmocka_unit_test(out_of_memory_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
