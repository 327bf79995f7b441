/* Bytes: what a fiber costs, what a contact costs, and that no arena of a world holds much more than it uses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/world_state.h"
#include "world_fixture.h"

typedef struct counted {
    size_t bytes;
} counted;

static void *acquire(void *user, size_t bytes)
{
    void *memory = bytes <= PTRDIFF_MAX / 4 ? malloc(bytes) : NULL; /* AddressSanitizer ends programs that ask for so much */
    if (memory)
        ((counted *)user)->bytes += bytes;
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    ((counted *)user)->bytes -= bytes;
    free(memory);
}

static cst_world *world_of_theta(counted *memory, double theta)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.theta = theta;
    def.friction.allocator = (cst_allocator){acquire, release, memory};
    def.friction.tolerance = 1e-4;
    def.friction.max_iterations = 50;              /* memory does not depend on the answer */
    def.friction.solver = CST_SOLVER_GAUSS_SEIDEL; /* no matrix of Newton's, whose fill depends on the problem */
    def.time_step.dt = 2e-3;
    return world_of(&def);
}

static cst_world *world_counted(counted *memory)
{
    return world_of_theta(memory, 1.0);
}

/* A hair of 0.3 m. */
static cst_fiber_def hair(cst_fiber_model model, int elements)
{
    cst_fiber_def def = cst_fiber_def_default();
    def.model = model;
    def.elements = elements;
    def.length = 0.3;
    def.radius = 1e-3;
    def.mass_per_length = 1e-3;
    def.bending_stiffness[0] = def.bending_stiffness[1] = 1e-6;
    def.twisting_stiffness = 1e-6;
    def.stretching_stiffness = 10.0;
    return def;
}

static void add(cst_world *world, cst_fiber_def def, double x, double y, double z)
{
    char message[256];
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    if (!cst_world_add_fiber(world, &def, message, sizeof message))
        fail_msg("%s", message);
}

/* ----------------------------------------------------------------------------------------------------------- per fiber */

/* Bytes that each fiber adds to its world. */
static double bytes_per_fiber(cst_fiber_model model, int elements, bool clamped)
{
    enum { FEW = 100, MANY = 500 };
    counted memory = {0};
    cst_world *world = world_counted(&memory);
    cst_fiber_def def = hair(model, elements);
    def.clamped = clamped;
    size_t before = 0;
    for (int k = 0; k < MANY; k++) {
        if (k == FEW)
            before = world->keep.used;
        add(world, def, 0.0, 0.01 * k, 0.0);
    }
    const double lists = sizeof *world->model + sizeof *world->body;
    const double each = (double)(world->keep.used - before) / (MANY - FEW) + lists;
    /* all that was asked of the allocator: besides, the unused end of the last block, and lists that double */
    assert_true((double)memory.bytes <= 1.25 * MANY * each + (1 << 18));
    cst_world_free(world);
    assert_int_equal(memory.bytes, 0);
    return each;
}

static void fiber_costs_what_it_is(void **state)
{
    (void)state;
    const double dense = bytes_per_fiber(CST_FIBER_SUPER_HELIX, 5, true);
    print_message("super-helix, 5 elements, 15 dofs: %.0f bytes\n", dense);
    assert_true(dense <= 20000.0);
    const cst_fiber_model model[] = {CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE, CST_FIBER_SPRINGS};
    for (int k = 0; k < 4; k++) {
        const double of_10 = bytes_per_fiber(model[k], 10, false), of_40 = bytes_per_fiber(model[k], 40, false);
        print_message("model %d: %.0f bytes with 10 elements, %.0f with 40\n", (int)model[k], of_10, of_40);
        assert_true(of_40 <= 4.0 * of_10); /* linear, and no large constant part */
        assert_true(of_40 >= 2.5 * of_10);
    }
}

/* --------------------------------------------------------------------------------------------------------- held and used */

static void assert_not_much_more(const char *what, size_t held, size_t used)
{
    print_message("%s: %zu bytes held, %zu used at most\n", what, held, used);
    if ((double)held > 1.25 * (double)used + (1 << 16) + 256)
        fail_msg("%s: %zu bytes held for %zu used", what, held, used);
}

/* Crossed layers of fibers that fall onto each other and a floor: contacts grow for a while, from step to step. */
static cst_world *falling_layers(counted *memory, double theta)
{
    char message[256];
    cst_world *world = world_of_theta(memory, theta);
    cst_obstacle_def floor = cst_obstacle_def_default();
    floor.shape = CST_OBSTACLE_PLANE;
    floor.normal[0] = floor.normal[1] = 0.0;
    floor.normal[2] = 1.0;
    assert_true(cst_world_add_obstacle(world, &floor, message, sizeof message));
    const double along_y[9] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    cst_fiber_def x = hair(CST_FIBER_SUPER_HELIX, 5), y = x;
    memcpy(y.frame, along_y, sizeof along_y);
    for (int layer = 0; layer < 8; layer++)
        for (int k = 0; k < 10; k++) {
            const double across = 0.015 + 0.03 * k, height = 0.004 + 0.004 * layer;
            if (layer % 2)
                add(world, y, across, 0.0, height);
            else
                add(world, x, 0.0, across, height);
        }
    return world;
}

/* Returns the largest number of contacts in a step. */
static int fall(cst_world *world)
{
    int contacts = 0;
    for (int steps = 0; steps < 40; steps++) {
        cst_step_report report;
        assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
        contacts = report.contacts > contacts ? report.contacts : contacts;
    }
    assert_true(contacts > 300);
    return contacts;
}

static void arenas_hold_what_they_use(void **state)
{
    (void)state;
    counted memory = {0};
    cst_world *world = falling_layers(&memory, 1.0);
    const int contacts = fall(world);
    assert_not_much_more("arena of the world", world->keep.bytes, world->keep.used);
    assert_not_much_more("arena of the step", world->step.bytes, world->step.high);
    for (int k = 0; k < 2; k++)
        assert_not_much_more("contacts of a linearisation", world->found[k].bytes, world->found[k].high);
    assert_not_much_more("arena of detection", world->detector.arena.bytes, world->detector.arena.high);
    assert_not_much_more("blocks of friction", world->cache.held, world->cache.high);
    const double each = (double)(memory.bytes - world->keep.bytes) / contacts;
    print_message("%d contacts: %.0f bytes each, besides the fibers\n", contacts, each);
    assert_true(each <= 20000.0);
    cst_world_free(world);
    assert_int_equal(memory.bytes, 0);
}

/* A step with theta < 1 is linearised twice. The first linearisation releases its contacts and rows before the second takes its
 * own: each contact takes as many bytes of the step's arena as with one linearisation. */
static void linearisations_do_not_add_up(void **state)
{
    (void)state;
    double each[2];
    for (int k = 0; k < 2; k++) {
        counted memory = {0};
        cst_world *world = falling_layers(&memory, k == 0 ? 1.0 : 0.75);
        const int contacts = fall(world);
        each[k] = (double)world->step.high / contacts;
        print_message("theta %g: %d contacts, %.0f bytes each in the arena of the step\n", k == 0 ? 1.0 : 0.75, contacts,
                      each[k]);
        cst_world_free(world);
    }
    assert_true(each[1] <= 1.2 * each[0]);
}

/* ----------------------------------------------------------------------------------------------------------------- arena */

/* Ten blocks become one when all is released; the next round asks for nothing. */
static void arena_consolidates(void **state)
{
    (void)state;
    counted memory = {0};
    const cst_allocator allocator = {acquire, release, &memory};
    cst_arena arena;
    cst_arena_begin(&arena, &allocator);
    const cst_arena_mark empty = cst_arena_mark_now(&arena);
    for (size_t round = 1; round <= 200; round++) { /* each needs 2 % more than the one before */
        const size_t each = (size_t)(1000.0 * pow(1.02, (double)round));
        for (int k = 0; k < 100; k++)
            memset(cst_arena_take_raw(&arena, each, 8), 1, 8 * each);
        cst_arena_release(&arena, empty);
        assert_int_equal(arena.used, 0);
        assert_true((double)memory.bytes <= 1.125 * (double)arena.high + (1 << 16) + 256);
        assert_int_equal(memory.bytes, arena.bytes);
    }
    cst_arena_end(&arena);
    assert_int_equal(memory.bytes, 0);
}

/* More than 256 MB are given back at once, less is kept for the next use. */
static void large_arenas_are_freed(void **state)
{
    (void)state;
    counted memory = {0};
    const cst_allocator allocator = {acquire, release, &memory};
    cst_arena arena;
    cst_arena_begin(&arena, &allocator);
    cst_arena_take_raw(&arena, 1, 1000);
    cst_arena_release_large(&arena);
    assert_true(memory.bytes > 0);
    assert_non_null(cst_arena_take_raw(&arena, 300, 1 << 20));
    cst_arena_release_large(&arena);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(cst_arena_mark_now(&arena).total, 0);
    assert_non_null(cst_arena_take(&arena, 10, 10));
    cst_arena_end(&arena);
    assert_int_equal(memory.bytes, 0);
}

/* Children take from the parent's blocks; the last one returns what it took, another one does not. */
static void arena_shares(void **state)
{
    (void)state;
    counted memory = {0};
    const cst_allocator allocator = {acquire, release, &memory};
    cst_arena parent, child[3];
    cst_arena_begin(&parent, &allocator);
    const cst_allocator share = cst_arena_share(&parent);
    for (int k = 0; k < 3; k++) {
        cst_arena_begin(child + k, &share);
        for (int i = 0; i < 20; i++)
            memset(cst_arena_take(child + k, 1, 100), k, 100);
        const cst_arena_mark mark = cst_arena_mark_now(child + k);
        assert_non_null(cst_arena_take(child + k, 1, 200000)); /* scratch, in a block of its own */
        cst_arena_release(child + k, mark);
        assert_int_equal(child[k].used, 20 * 128);
    }
    assert_int_equal(parent.used, 3 * 20 * 128);
    cst_arena_end(child + 1);
    assert_int_equal(parent.used, 3 * 20 * 128);
    cst_arena_end(child + 2);
    assert_int_equal(parent.used, 2 * 20 * 128);
    cst_arena_begin(child + 2, &share);
    assert_null(cst_arena_take(child + 2, SIZE_MAX / 4, 1));
    assert_true(child[2].failed);
    assert_false(parent.failed);
    assert_non_null(cst_arena_take(&parent, 1, 1));
    cst_arena_end(&parent);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fiber_costs_what_it_is),       cmocka_unit_test(arenas_hold_what_they_use),
        cmocka_unit_test(linearisations_do_not_add_up), cmocka_unit_test(arena_consolidates),
        cmocka_unit_test(large_arenas_are_freed),       cmocka_unit_test(arena_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
